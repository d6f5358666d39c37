import Foundation
import Synchronization

/// libFuzzer within this process: it is part of the program in a build that `touchstone fuzz` makes.
package enum LibFuzzer {
  /// Whether libFuzzer is part of this program.
  package static var isLinked: Bool {
    #if TOUCHSTONE_FUZZ
    true
    #else
    false
    #endif
  }

  /// The code that libFuzzer's functions use; they are called without any context.
  // A lock and no actor: C functions read it. It guards the reference, which is set once.
  fileprivate static let code = Mutex<(any FuzzedCode)?>(nil)

  /// Hands inputs to code until time is over, which ends the program.
  ///
  /// `arguments` are libFuzzer's, after the name of a program that runs the same code again.
  ///
  /// - Returns: Only if libFuzzer is not part of this program.
  package static func run(_ fuzzed: any FuzzedCode, arguments: [String]) {
    #if TOUCHSTONE_FUZZ
    code.withLock { $0 = fuzzed }
    resetCrashHandlers()
    fuzzed.begin()
    atexit { LibFuzzer.code.withLock(\.self)?.end() }
    // They live as long as the program does.
    var count = CInt(arguments.count)
    var list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? =
      .allocate(capacity: arguments.count + 1)
    for (index, argument) in arguments.enumerated() { unsafe list?[index] = strdup(argument) }
    unsafe list?[arguments.count] = nil
    exit(unsafe runDriver(&count, &list, testFuzzed))
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

/// Called with each input; `start` is null if it is empty.
///
/// OSS-Fuzz and ClusterFuzz take a program that has this name in it for a fuzz target.
@_cdecl("LLVMFuzzerTestOneInput")
package func testFuzzed(start: UnsafePointer<UInt8>?, count: Int) -> CInt {
  guard let code = LibFuzzer.code.withLock({ $0 }) else { return -1 }
  return unsafe code.judge(Array(UnsafeBufferPointer(start: start, count: count)))
}

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
  guard let code = LibFuzzer.code.withLock({ $0 }) else {
    return unsafe plainMutate(start, count, limit)
  }
  let buffer = unsafe UnsafeMutableBufferPointer(start: start, count: limit)
  return unsafe FuzzBuffers.mutate(buffer, count: count, plain: plainMutate) { bytes, plain in
    code.mutated(bytes, seed: seed, by: plain)
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
  guard let code = LibFuzzer.code.withLock({ $0 }) else { return 0 }
  return unsafe FuzzBuffers.cross(
    UnsafeBufferPointer(start: first, count: firstCount),
    UnsafeBufferPointer(start: second, count: secondCount),
    into: UnsafeMutableBufferPointer(start: result, count: limit)
  ) { first, second in code.crossed(first, second, seed: seed) }
}
#endif
