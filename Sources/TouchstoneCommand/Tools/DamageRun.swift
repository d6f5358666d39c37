import Campaigns
import Foundation
import FuzzEntryPoints
import Programs
import PropertyEngine
import Synchronization
import SystemCalls
import Texts

/// Damaged and forged inputs by the million, in processes of their own: a trap ends one, and is counted.
///
/// What the inputs are and what is asked of them: ``FuzzEntryPoints/DamageTrial``.
struct DamageRun: Sendable {
  private let program: URL
  private let seed: Seed
  private let range: Range<Int>
  private let jobs: Int

  /// Inputs of one process: what is lost when one traps.
  private static let batch = 50_000
  /// Processor time, in seconds, that one input may take before its process ends: it hangs.
  private static let hangSeconds = 60.0
  /// Seconds without another input after which a process is given up, however busy the machine is.
  private static let silenceLimit = 7_200.0
  /// Maximum number of bytes that are shown of an input that did harm.
  private static let inputByteLimit = 4_096

  init(program: URL, seed: UInt64, range: Range<Int>, jobs: Int) {
    self.program = program
    self.seed = Seed(value: seed)
    self.range = range
    self.jobs = jobs
  }

  /// What came of the inputs of one call.
  struct CallTally: Codable, Hashable, Sendable {
    var accepted = 0
    var refused = 0
    /// The most steps that an input cost, as a part of what is stated, in thousandths.
    var workPermille = 0
    /// The most bytes that a document held for an input.
    var heldByteCount = 0
    /// Processor time of the slowest input with all that is asked of it, and its number.
    var slowestNanoseconds: UInt64 = 0
    var slowest = 0
    /// Inputs that took longer than ``DamageRun/secondsLimit``.
    var slowCount = 0

    mutating func add(_ other: CallTally) {
      accepted += other.accepted
      refused += other.refused
      workPermille = max(workPermille, other.workPermille)
      heldByteCount = max(heldByteCount, other.heldByteCount)
      slowCount += other.slowCount
      guard other.slowestNanoseconds > slowestNanoseconds else { return }
      slowestNanoseconds = other.slowestNanoseconds
      slowest = other.slowest
    }
  }

  /// What came of some inputs.
  struct Tally: Codable, Hashable, Sendable {
    /// By the name of the call.
    var calls: [String: CallTally] = [:]
    /// Inputs of processes that trapped, hung or failed: what became of them is not known.
    var lost = 0
    /// Processes that trapped, hung or failed, each with the input it was at.
    var traps: [String] = []
    /// What did not hold, each with its input.
    var breaches: [String] = []
    /// The most memory that any process had resident.
    var peakByteCount = 0

    var count: Int { lost + calls.values.reduce(0) { $0 + $1.accepted + $1.refused } }

    mutating func add(_ other: Tally) {
      for (name, call) in other.calls { calls[name, default: CallTally()].add(call) }
      lost += other.lost
      traps += other.traps
      breaches += other.breaches
      peakByteCount = max(peakByteCount, other.peakByteCount)
    }
  }

  /// Processor time of an input beyond which it is counted as slow.
  static let secondsLimit = 5.0

  /// Runs all batches; `onBatch` hears the total so far.
  ///
  /// After `isInterrupted` no other batch begins.
  func run(
    isInterrupted: @escaping @Sendable () -> Bool,
    onBatch: @escaping @Sendable (Tally) -> Void
  ) -> Tally {
    defer { try? FileManager.default.removeItem(at: Self.folder) }
    let batches = (range.count + Self.batch - 1) / Self.batch
    let total = SharedTally()
    let parts = inParallel(batches, jobs: jobs) { index in
      guard !isInterrupted() else { return Tally() }
      let start = range.lowerBound + index * Self.batch
      let part = process(start..<min(range.upperBound, start + Self.batch), isInterrupted)
      onBatch(total.adding(part))
      return part
    }
    return parts.reduce(into: Tally()) { $0.add($1) }
  }

  /// What processes of this run say, while they do.
  private static let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("touchstone-damage-\(ProcessInfo.processInfo.processIdentifier)")

  private func process(_ range: Range<Int>, _ isInterrupted: () -> Bool) -> Tally {
    let log = Self.folder.appendingPathComponent("\(range.lowerBound).log")
    defer { try? FileManager.default.removeItem(at: log) }
    let arguments = [
      "damage", "--from", "\(range.lowerBound)", "--count", "\(range.count)", "--seed", "\(seed)",
      "--worker",
    ]
    let process = CaseProcess(program, arguments, log: log, silenceLimit: Self.silenceLimit)
    var tally = Tally()
    tally.lost = range.count
    do {
      let ended = try process.run(for: Tally.self, isInterrupted: isInterrupted)
      if let found = ended.answer { return found }
      // A process that is asked to end has failed at nothing, and its inputs do not count.
      guard !isInterrupted() else { return Tally() }
      let place = ended.lastCase.map { "input \($0.index)" } ?? "the start"
      tally.traps = ["\(ended.explanation), at \(place)"]
    } catch {
      tally.traps = ["\(error)"]
    }
    return tally
  }

  /// Judges the inputs of a range in this process, or those before an interruption; `onInput` hears the number of each.
  static func work(
    _ range: Range<Int>,
    seed: UInt64,
    isInterrupted: () -> Bool = { false },
    onInput: (Int) -> Void
  ) throws -> Tally {
    let trial = try DamageTrial(seed: Seed(value: seed))
    var tally = Tally()
    for index in range where !isInterrupted() {
      onInput(index)
      ProcessLimits.allowProcessorTime(seconds: hangSeconds)
      let start = ProcessUse.threadSeconds
      let outcome = try trial.judge(index)
      let seconds = ProcessUse.threadSeconds - start
      var one = CallTally()
      one.accepted = outcome.isAccepted ? 1 : 0
      one.refused = 1 - one.accepted
      one.workPermille = outcome.workPermille
      one.heldByteCount = outcome.heldByteCount
      one.slowestNanoseconds = UInt64(seconds * 1e9)
      one.slowest = index
      one.slowCount = seconds > secondsLimit ? 1 : 0
      tally.calls[outcome.call.rawValue, default: CallTally()].add(one)
      if let breach = outcome.breach {
        tally.breaches.append(
          "input \(index), \(outcome.call.rawValue): \(breach); \(outcome.byteCount) bytes: "
            + hexString(Array(outcome.input.prefix(inputByteLimit)))
        )
      }
    }
    tally.peakByteCount = ProcessUse.peakMemoryByteCount
    return tally
  }
}

/// A total that several threads add to.
private final class SharedTally: Sendable {
  private let total = Mutex(DamageRun.Tally())

  func adding(_ part: DamageRun.Tally) -> DamageRun.Tally {
    total.withLock {
      $0.add(part)
      return $0
    }
  }
}
