package import Foundation
package import PropertyEngine
import Synchronization
import SystemCalls
import Texts

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A process that judges what libFuzzer hands over, and ends with the first input that fails.
///
/// libFuzzer writes the inputs that trap or take too much memory. What breaks a law, and what hangs, is
/// written here: libFuzzer watches the time of the process's first thread alone, and tests run on others.
// Locks and no actor: libFuzzer's functions are synchronous, and called by one thread.
package final class FuzzProcess: FuzzedCode {
  private let loop: FuzzLoop
  private let artifacts: URL
  private let clock: Mutex<Running>

  /// What is running now.
  private struct Running {
    var bytes: [UInt8]?
    var began = 0.0
    var processorBegan = 0.0
  }

  /// Seconds of processor time for one input; one that takes longer counts as hung.
  package static let processorSecondsLimit = 20.0
  /// Seconds on the clock: an input may wait for what never comes.
  package static let secondsLimit = 120.0

  /// Status of a process that ended with an input that fails.
  package static let failureStatus: Int32 = 77

  package init(_ loop: FuzzLoop, artifacts: URL) {
    self.loop = loop
    self.artifacts = artifacts
    clock = Mutex(Running())
  }

  /// Judges an input: 0 keeps what reaches something new, and -1 does not.
  ///
  /// One that fails is written as `violation-...`, and the process ends.
  package func judge(_ bytes: [UInt8]) -> CInt {
    start(bytes)
    defer { clock.withLock { $0.bytes = nil } }
    switch loop.outcome(of: bytes, onSample: FuzzFeedback.note) {
    case .held: return 0
    case .pointless: return -1
    case .failed:
      write(bytes, as: "violation")
      _exit(Self.failureStatus)
    }
  }

  package func mutated(
    _ bytes: [UInt8],
    seed: UInt32,
    by plain: ChoiceMutation.Plain
  ) -> [UInt8] {
    loop.mutated(bytes, seed: seed, by: plain)
  }

  package func crossed(_ first: [UInt8], _ second: [UInt8], seed: UInt32) -> [UInt8] {
    loop.crossed(first, second, seed: seed)
  }

  /// Writes an input under a name that says what was wrong with it.
  func write(_ bytes: [UInt8], as kind: String) {
    let url = artifacts.appendingPathComponent("\(kind)-\(hexString(stableHash(bytes)))")
    // If this fails, the command sees that the process ended, and says so.
    try? Data(bytes).write(to: url)
  }

  // MARK: - Inputs that hang

  private func start(_ bytes: [UInt8]) {
    let (now, processor) = (Self.now(), ProcessUse.processorSeconds)
    clock.withLock { $0 = Running(bytes: bytes, began: now, processorBegan: processor) }
  }

  /// The input that has run for too long; `nil` if none has.
  private func hung() -> [UInt8]? {
    clock.withLock { running in
      guard let bytes = running.bytes else { return nil }
      let isOver =
        ProcessUse.processorSeconds - running.processorBegan > Self.processorSecondsLimit
        || Self.now() - running.began > Self.secondsLimit
      return isOver ? bytes : nil
    }
  }

  /// Ends the process once an input hangs, from a thread that does nothing else.
  package func begin() {
    Thread.detachNewThread {
      while true {
        Thread.sleep(forTimeInterval: 0.5)
        guard let bytes = self.hung() else { continue }
        self.write(bytes, as: "timeout")
        _exit(Self.failureStatus)
      }
    }
  }

  private static func now() -> Double { ProcessInfo.processInfo.systemUptime }
}

/// Lets the process end as the operating system would have it when it traps.
///
/// libFuzzer installs no handlers where others stand, such as those of the Swift runtime's backtracer, and
/// then writes no input that traps.
///
/// What it earns: the input. Without it a fuzzer that traps ends with status 132 and writes nothing, with it
/// with 77 and a crash file (Swift 6.3 on Linux, whether or not backtraces are turned on). What holds it:
/// `FuzzFindingTests`, "A violated law traps, and says on standard error which".
package func resetCrashHandlers() {
  for number in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGABRT, SIGFPE] {
    signal(number, SIG_DFL)
  }
}
