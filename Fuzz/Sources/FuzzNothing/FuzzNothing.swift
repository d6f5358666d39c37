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

/// Does nothing with an input: what libFuzzer itself costs, the ceiling of executions per second.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt { 0 }
#else
@main
private struct FuzzNothing {
  static func main() {
    print("FuzzNothing has nothing to replay: it measures what libFuzzer itself costs.")
  }
}
#endif
