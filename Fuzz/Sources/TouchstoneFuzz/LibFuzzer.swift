import Foundation
import FuzzEntryPoints
import FuzzSessions

#if LibFuzzer
// What libFuzzer calls. The program's name says which target runs: `FuzzHistories`.

/// What is judged; `nil` under the name `FuzzNothing`, which measures what libFuzzer itself costs.
private let driver: FuzzDriver? = {
  do {
    return try FuzzDriver.fuzzer(
      program: CommandLine.arguments.first ?? "",
      environment: ProcessInfo.processInfo.environment
    )
  } catch {
    try? FileHandle.standardError.write(contentsOf: Data("\(error)\n".utf8))
    exit(64)
  }
}()

/// libFuzzer's own mutator.
@_silgen_name("LLVMFuzzerMutate")
private func plainMutate(_ start: UnsafeMutablePointer<UInt8>?, _ count: Int, _ limit: Int) -> Int

/// Called once, before anything else.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(
  _ argumentCount: UnsafeMutablePointer<CInt>?,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>?
) -> CInt {
  resetSignalHandlers()
  // An unknown subject ends the process here, and not as if an input had.
  _ = driver
  atexit { driver?.writeTally(environment: ProcessInfo.processInfo.environment) }
  return 0
}

/// Called with each input; `start` is null if it is empty.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  unsafe driver?.fuzz(Array(UnsafeBufferPointer(start: start, count: count))) ?? 0
}

/// Called for a new input in the place of another.
@_cdecl("LLVMFuzzerCustomMutator")
public func mutate(
  start: UnsafeMutablePointer<UInt8>?,
  count: Int,
  limit: Int,
  seed: CUnsignedInt
) -> Int {
  guard let driver else { return unsafe plainMutate(start, count, limit) }
  let buffer = unsafe UnsafeMutableBufferPointer(start: start, count: limit)
  return unsafe FuzzBuffers.mutate(buffer, count: count, plain: plainMutate) { bytes, plain in
    driver.mutated(bytes, seed: seed, by: plain)
  }
}

/// Called for a new input out of two others.
@_cdecl("LLVMFuzzerCustomCrossOver")
public func crossOver(
  first: UnsafePointer<UInt8>?,
  firstCount: Int,
  second: UnsafePointer<UInt8>?,
  secondCount: Int,
  result: UnsafeMutablePointer<UInt8>?,
  limit: Int,
  seed: CUnsignedInt
) -> Int {
  // Nothing made means that libFuzzer goes on with another mutation.
  guard let driver else { return 0 }
  return unsafe FuzzBuffers.cross(
    UnsafeBufferPointer(start: first, count: firstCount),
    UnsafeBufferPointer(start: second, count: secondCount),
    into: UnsafeMutableBufferPointer(start: result, count: limit)
  ) { first, second in driver.crossed(first, second, seed: seed) }
}
#endif
