import Foundation
import FuzzEntryPoints

// What every executable is made of. Its name says which target it runs.

#if LibFuzzer
/// What is judged, from the program's name and the environment.
private let driver: FuzzDriver = {
  do {
    return try FuzzDriver(
      program: CommandLine.arguments.first ?? "",
      environment: ProcessInfo.processInfo.environment
    )
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
  _ = driver
  return 0
}

/// Called by libFuzzer with each input; `start` is null if it is empty.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  unsafe driver.fuzz(UnsafeRawBufferPointer(start: start, count: count))
}
#else
/// Runs the process without libFuzzer: it judges stored inputs.
public func replay() -> Never {
  exit(
    FuzzDriver.main(
      arguments: CommandLine.arguments,
      environment: ProcessInfo.processInfo.environment
    )
  )
}
#endif
