import Foundation
import FuzzEntryPoints

#if LibFuzzer
/// Called by libFuzzer once, before anything else.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(
  _ argumentCount: UnsafeMutablePointer<CInt>?,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>?
) -> CInt {
  resetSignalHandlers()
  return 0
}

/// Called by libFuzzer with each input; `start` is null if it is empty.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  unsafe fuzzLoad(UnsafeRawBufferPointer(start: start, count: count))
}

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
  static func main() {
    exit(LoadDriver().run(arguments: Array(CommandLine.arguments.dropFirst())))
  }
}
#endif
