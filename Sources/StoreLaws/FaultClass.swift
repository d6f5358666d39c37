import FaultInjection
package import FileSystems
package import PropertyEngine
import Schedules

// Walks over every place of one run at which a fault may come, for tests and for `StoreBenchmark
// points`: the laws draw one place of a short run, a walk proves that none was missed.
// `LongRuns.swift` has a cheaper walk for long runs.

/// One kind of what goes wrong, for walks over every place of a run at which it may.
///
/// Laws draw one place of a short run; a walk tries them all:
///
///     calls of a run      open  write  sync  write  sync  rename ...
///     ordered crash       at each of them, with each of ten losses
///     EIO                 at each of them, once and three times in a row
package enum FaultClass: Hashable, Sendable, CustomStringConvertible {
  /// The process or the machine stops before a call.
  ///
  /// Judged as by `crash.acknowledged-stays`.
  case crash(CrashModel)
  /// A call is refused.
  ///
  /// Judged as by `fault.changes-nothing`.
  case refusal(FileError.Cause)
  /// Reads and writes move few bytes, and signals interrupt.
  case shortTransfers
  /// One bit of a byte of a file changes.
  case flippedBit

  package static let all: [FaultClass] =
    CrashModel.allCases.map(crash) + FaultPlan.causes.map(refusal) + [shortTransfers, flippedBit]

  package var description: String {
    switch self {
    case .crash(.process): "the process ends"
    case .crash(let model): "the power goes, \(model.rawValue)"
    case .refusal(let cause): "a call is refused: \(cause)"
    case .shortTransfers: "short and interrupted calls"
    case .flippedBit: "a bit flips"
    }
  }

  /// What of that which is not synchronised a crash takes: nothing, all, single parts, and some halves.
  ///
  /// The end of a process takes nothing from the disk, so that it has one loss. Power has ten:
  /// none, the last 41 parts (all of them in short runs), one of the last four, and four halves
  /// drawn by `PowerLoss.pattern`. All subsets would be 2^parts.
  fileprivate static func losses(_ model: CrashModel) -> [PowerLoss] {
    if model == .process { return [PowerLoss(model)] }
    return [PowerLoss(model), PowerLoss(model, lost: Array(0...40))]
      + (0...3).map { PowerLoss(model, lost: [$0]) }
      + (1...4).map { PowerLoss(model, pattern: $0) }
  }
}

/// The places of a run at which a fault may come, each with its judgement.
///
/// Places are numbered from 0; what a number means is the class's own.
private struct FaultWalk {
  let count: Int
  /// Throws ``Skipped`` where the fault of the place changes nothing.
  let judge: (Int) throws -> Difference?
}

extension FaultClass {
  /// Holds a store at places of a run to the laws of this class: `crash.one-state` and
  /// `crash.acknowledged-stays`, `fault.changes-nothing`, `fault.short-transfers`, or `damage.noticed`.
  ///
  /// - Parameters:
  ///   - subject: The store.
  ///   - sample: The steps of the run, and how sure the store makes them.
  ///   - limit: How many places are tried, spread evenly; all unless set.
  /// - Returns: The number of places that were tried, and what is wrong at the first bad one; a place
  ///   at which no fault could come is not counted.
  /// - Throws: What a call of the run without faults throws, which none should.
  package func tryEverywhere(
    _ subject: any StoreSubject,
    _ sample: StoreSample,
    limit: Int = .max
  ) throws -> (places: Int, difference: Difference?) {
    let walk =
      switch self {
      case .crash(let model): try Self.crashes(Self.losses(model), subject, sample)
      case .refusal(let cause): try Self.refusals(cause, subject, sample)
      case .shortTransfers: Self.shortTransfers(subject, sample)
      case .flippedBit: try Self.flippedBits(subject, sample)
      }
    let count = min(walk.count, limit)
    var triedCount = 0
    for place in 0..<count {
      do {
        // Evenly spread, and each place once where all are tried.
        let difference = try walk.judge(place * walk.count / count)
        triedCount += 1
        if let difference { return (triedCount, difference) }
      } catch is Skipped {}
    }
    return (triedCount, nil)
  }

  /// Crashes need one run: the disk before each of its calls is kept.
  ///
  /// Places: images times losses. Cost: one opening each.
  private static func crashes(
    _ losses: [PowerLoss],
    _ subject: any StoreSubject,
    _ sample: StoreSample
  ) throws -> FaultWalk {
    let recording = try record(subject, sample, closing: false)
    return FaultWalk(count: recording.images.count * losses.count) { place in
      let image = recording.images[place / losses.count]
      let loss = losses[place % losses.count]
      let schedule = Schedule()
      let trial = StoreTrial(subject, sample, schedule)
      return try schedule.run {
        let least = trial.leastKept(image, loss)
        return try await trial.recovered(image, loss, recording.model, from: least)
      }
    }
  }

  /// Each call is refused once, and with the two behind it.
  ///
  /// The number of calls of the steps is that of the whole run without those of an opening: a
  /// refused opening is no change. Three refusals in a row reach the calls by which a store takes
  /// back what was refused first, such as cutting the journal.
  ///
  /// Places: twice the number of calls. Cost: a whole run each, so the square of the run's length
  /// in all.
  private static func refusals(
    _ cause: FileError.Cause,
    _ subject: any StoreSubject,
    _ sample: StoreSample
  ) throws -> FaultWalk {
    var sample = sample
    // The law carries the steps out in one opening.
    sample.steps.removeAll { $0 == .reopen || $0 == .restart }
    sample.cause = FaultPlan.causes.firstIndex(of: cause) ?? 0
    var opening = sample
    opening.steps = []
    let calls =
      try record(subject, sample, closing: false).images.count
      - record(subject, opening, closing: false).images.count
    return FaultWalk(count: calls * 2) { [sample] place in
      var sample = sample
      sample.refused = place / 2
      sample.refusedCount = place % 2 == 0 ? 1 : 3
      return try difference(.refusedCall, sample, subject)
    }
  }

  /// Transfers of 1 to 64 bytes, an interruption every 1 to 7 calls.
  ///
  /// 64 * 7 places, whatever the length of the run.
  private static func shortTransfers(
    _ subject: any StoreSubject,
    _ sample: StoreSample
  ) -> FaultWalk {
    FaultWalk(count: 64 * 7) { place in
      var sample = sample
      sample.numbers = [place / 7, place % 7]
      return try difference(.shortTransfers, sample, subject)
    }
  }

  /// One bit of each byte of each file of a closed store, the next bit for the next byte.
  ///
  /// Places: bytes of all files; all of their bits would be eight times as many.
  private static func flippedBits(
    _ subject: any StoreSubject,
    _ sample: StoreSample
  ) throws -> FaultWalk {
    let recording = try record(subject, sample, closing: true)
    let disk = recording.end.disk
    let sizes = disk.paths.compactMap { disk.bytes(at: $0)?.count }.filter { $0 > 0 }
    return FaultWalk(count: sizes.reduce(0, +)) { place in
      var sample = sample
      var offset = place
      sample.file = 0
      while offset >= sizes[sample.file] {
        offset -= sizes[sample.file]
        sample.file += 1
      }
      sample.damage = .flip(bit: offset * 8 + offset % 8)
      // Whole runs, closed at the end.
      sample.numbers = [0]
      let schedule = Schedule()
      let trial = StoreTrial(subject, sample, schedule)
      let damaged = try StoreLaw.damaged(recording, sample)
      return try schedule.run { try await StoreLaw.unnoticed(damaged, trial) }
    }
  }

  private static func record(
    _ subject: any StoreSubject,
    _ sample: StoreSample,
    closing: Bool
  ) throws -> StoreRecording {
    let schedule = Schedule()
    let trial = StoreTrial(subject, sample, schedule)
    return try schedule.run { try await trial.record(closing: closing) }
  }

  /// Where a law does not hold, or gave no verdict.
  ///
  /// - Throws: ``Skipped`` if the law was not asked anything.
  private static func difference(
    _ law: StoreLaw,
    _ sample: StoreSample,
    _ subject: any StoreSubject
  ) throws(Skipped) -> Difference? {
    switch law.verdict(on: sample, subject) {
    case .held: return nil
    case .violated(let difference): return difference
    case .skipped(let reason): throw Skipped(reason)
    case let other: return Difference(kind: "fault.untold", summary: "no verdict: \(other)")
    }
  }
}
