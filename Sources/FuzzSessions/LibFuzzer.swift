import Foundation
import Synchronization

/// libFuzzer within a test process: it is there in a build that `touchstone fuzz` makes.
package enum LibFuzzer {
  /// The process that libFuzzer's functions use; they are called without any context.
  // A lock and no actor: C functions read it. It guards the reference, which is set once.
  fileprivate static let process = Mutex<FuzzProcess?>(nil)

  /// Hands inputs to a process until time is over, which ends the program.
  ///
  /// `arguments` are libFuzzer's, after the name of a program that runs the same test again.
  ///
  /// - Returns: Only if libFuzzer is not part of this program, or cannot start.
  package static func run(_ fuzzed: FuzzProcess, arguments: [String]) {
    #if TOUCHSTONE_FUZZ
    process.withLock { $0 = fuzzed }
    resetCrashHandlers()
    fuzzed.watch()
    // They live as long as the program does.
    var count = CInt(arguments.count)
    var list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? =
      .allocate(capacity: arguments.count + 1)
    for (index, argument) in arguments.enumerated() { unsafe list?[index] = strdup(argument) }
    unsafe list?[arguments.count] = nil
    let status = unsafe runDriver(&count, &list) { start, count in
      guard let process = LibFuzzer.process.withLock({ $0 }) else { return -1 }
      return unsafe process.judge(Array(UnsafeBufferPointer(start: start, count: count)))
    }
    exit(status)
    #endif
  }
}

#if TOUCHSTONE_FUZZ
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ argumentCount: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
  _ judge: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// libFuzzer's own mutator.
@_silgen_name("LLVMFuzzerMutate")
private func plainMutate(_ start: UnsafeMutablePointer<UInt8>?, _ count: Int, _ limit: Int) -> Int

/// Called for a new input in the place of another.
@_cdecl("LLVMFuzzerCustomMutator")
package func mutateFuzzed(
  start: UnsafeMutablePointer<UInt8>?,
  count: Int,
  limit: Int,
  seed: CUnsignedInt
) -> Int {
  guard let process = LibFuzzer.process.withLock({ $0 }) else {
    return unsafe plainMutate(start, count, limit)
  }
  let buffer = unsafe UnsafeMutableBufferPointer(start: start, count: limit)
  return unsafe FuzzBuffers.mutate(buffer, count: count, plain: plainMutate) { bytes, plain in
    process.loop.mutated(bytes, seed: seed, by: plain)
  }
}

/// Called for a new input out of two others.
@_cdecl("LLVMFuzzerCustomCrossOver")
package func crossFuzzed(
  first: UnsafePointer<UInt8>?,
  firstCount: Int,
  second: UnsafePointer<UInt8>?,
  secondCount: Int,
  result: UnsafeMutablePointer<UInt8>?,
  limit: Int,
  seed: CUnsignedInt
) -> Int {
  guard let process = LibFuzzer.process.withLock({ $0 }) else { return 0 }
  return unsafe FuzzBuffers.cross(
    UnsafeBufferPointer(start: first, count: firstCount),
    UnsafeBufferPointer(start: second, count: secondCount),
    into: UnsafeMutableBufferPointer(start: result, count: limit)
  ) { first, second in process.loop.crossed(first, second, seed: seed) }
}
#endif
