import Foundation
import FuzzEntryPoints

#if LibFuzzer
/// What is judged, from the environment.
private let subject: CoderFuzzSubject = {
  let id = ProcessInfo.processInfo.environment[FuzzSubject.variable]
  do {
    return try CoderFuzzSubject(id: id)
  } catch {
    try? FileHandle.standardError.write(contentsOf: Data("\(error)\n".utf8))
    exit(64)
  }
}()

/// Called by libFuzzer once, before anything else.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(
  _ argumentCount: UnsafeMutablePointer<CInt>?,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>?
) -> CInt {
  resetSignalHandlers()
  // An unknown subject ends the process here, and not as if an input had.
  _ = subject
  return 0
}

/// Called by libFuzzer with each input; `start` is null if it is empty.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  unsafe fuzzCoder(UnsafeRawBufferPointer(start: start, count: count), .encode, on: subject)
}
#else
@main
private struct FuzzEncode {
  static func main() {
    exit(
      CoderReplayDriver.main(
        .encode,
        arguments: CommandLine.arguments,
        environment: ProcessInfo.processInfo.environment
      )
    )
  }
}
#endif
