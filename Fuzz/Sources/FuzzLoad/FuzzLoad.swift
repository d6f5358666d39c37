import FuzzEntryPoints
import FuzzMain

#if LibFuzzer
/// libFuzzer's own mutator.
@_silgen_name("LLVMFuzzerMutate")
func plainMutate(_ start: UnsafeMutablePointer<UInt8>?, _ count: Int, _ limit: Int) -> Int

/// Called by libFuzzer for a new input in the place of another.
@_cdecl("LLVMFuzzerCustomMutator")
public func mutate(
  _ start: UnsafeMutablePointer<UInt8>?,
  _ count: Int,
  _ limit: Int,
  _ seed: CUnsignedInt
) -> Int {
  unsafe mutateLoad(
    UnsafeMutableBufferPointer(start: start, count: limit),
    count: count,
    seed: seed,
    plain: plainMutate
  )
}
#else
@main
private struct FuzzLoad {
  static func main() { replay() }
}
#endif
