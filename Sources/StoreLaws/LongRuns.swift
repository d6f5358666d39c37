import FaultInjection
import FileSystems
package import PropertyEngine
import Schedules

/// Faults along one long run, which goes on after each of them.
///
/// A run for each place would cost the square of its length. So each refused call is judged at once, and the next one
/// comes some calls later:
///
///     calls of a run     write  sync  write  sync  write  sync  write  sync ...
///     refused                   x                         x
///     what is shown      s1     s1    s2     s2    s3     s3    s4
///     opened from a copy of the disk: s1, or what the call said that it does not know
extension FaultClass {
  /// Holds a store to the laws of this class at places of one run.
  ///
  /// - Parameters:
  ///   - subject: The store.
  ///   - sample: The steps of the run, and how sure the store makes them.
  ///   - limit: How many places are tried at most, where they all cost one run.
  ///   - first: Which calls are refused: every few calls one, from this on.
  /// - Returns: The number of places that were tried, and what is wrong at the first bad one.
  /// - Throws: What a call of the run without faults throws, which none should.
  package func tryAlong(
    _ subject: any StoreSubject,
    _ sample: StoreSample,
    limit: Int,
    from first: Int
  ) throws -> (places: Int, difference: Difference?) {
    let run = LongRun(subject, sample)
    switch self {
    // Crashes and damage come from one recording, whose disks are kept: places cost an opening each,
    // not a run.
    case .crash, .flippedBit: return try tryEverywhere(subject, sample, limit: limit)
    case .refusal(let cause): return try run.refuse(cause, from: first)
    case .shortTransfers: return try run.disturb(from: first)
    }
  }
}

/// A long run on a disk in memory.
///
/// It ends at the first bad place: behind it the model says nothing of the store.
private struct LongRun {
  private let schedule = Schedule()
  private let trial: StoreTrial
  private let memory = MemoryFiles(StoreTrial.emptyDisk)
  /// The same disk with faults, whose calls are counted from the run's start.
  private let files: FaultyFiles

  /// A run of the sample's steps; those that open the store again are left out.
  init(_ subject: any StoreSubject, _ sample: StoreSample) {
    var sample = sample
    // Another opening would need its own count of calls.
    sample.steps.removeAll { $0 == .reopen || $0 == .restart }
    trial = StoreTrial(subject, sample, schedule)
    files = FaultyFiles(memory)
  }

  // MARK: - Refused calls

  /// Calls from one refused call to the next.
  ///
  /// A run of `n` calls has at most `n` / 7 places; `first` modulo 7 shifts them all, so that seven
  /// runs reach different calls.
  private static let gap = 7

  /// Refuses one call of every few, and judges what is shown and what is stored right behind it.
  ///
  /// - Returns: The number of refusals, and what is wrong behind the first bad one.
  func refuse(
    _ cause: FileError.Cause,
    from first: Int
  ) throws -> (places: Int, difference: Difference?) {
    try schedule.run {
      let store = try trial.open(on: files)
      var model = StoreModel()
      var places = 0
      // `next` is the number of the refused call; a step that has passed it has met the refusal.
      var next = arm(cause, after: first % Self.gap, places)
      for step in trial.sample.steps {
        let outcome = try await StoreTrial.carryOut(step, on: store, &model)
        let shown = await store.snapshot().rows
        if let difference = difference(
          shown,
          from: model.rows,
          "refused.shown",
          "after call \(next) was refused the store shows something else"
        ) {
          return (places + 1, difference)
        }
        guard files.callCount > next else { continue }
        places += 1
        files.setPlan(FaultPlan())
        // All that was written is on the copy: another process is asked, and power is not lost.
        let copy = MemoryFiles(memory.disk)
        let found = try await trial.open(on: copy).snapshot().rows
        let isRight =
          found == model.rows || found == outcome.uncertain
          || trial.sample.level == .memory && model.states.contains(found)
        guard isRight else {
          let words =
            "after call \(next) was refused a process that opens the files finds something else"
          return (places, difference(found, from: model.rows, "refused.stored", words))
        }
        // What has failed is rewritten, as a caller does.
        if await !store.isWritable() { try await store.compact() }
        next = arm(cause, after: Self.gap, places)
      }
      return (places, nil)
    }
  }

  /// Refuses a call some calls later, and at every other place the two behind it, too; says which.
  private func arm(_ cause: FileError.Cause, after gap: Int, _ places: Int) -> Int {
    let next = files.callCount + gap
    var plan = FaultPlan()
    plan.refusal = .init(call: next, count: places % 2 == 0 ? 1 : 3, cause: cause)
    files.setPlan(plan)
    return next
  }

  // MARK: - Short and interrupted calls

  /// Moves 1 to 64 bytes a call, and interrupts every second to eighth, otherwise at each step.
  ///
  /// Places are the calls that were interrupted or cut short. The calm run comes first; the files
  /// must be equal in the end, byte for byte.
  func disturb(from first: Int) throws -> (places: Int, difference: Difference?) {
    try schedule.run {
      let calm = MemoryFiles(StoreTrial.emptyDisk)
      for (base, isCalm) in [(calm, true), (memory, false)] {
        let files = isCalm ? FaultyFiles(base) : files
        let store = try trial.open(on: files)
        var model = StoreModel()
        for (index, step) in trial.sample.steps.enumerated() {
          var plan = FaultPlan()
          plan.transferLimit = 1 + (first + index * 5) % 64
          plan.interruptionPeriod = 2 + (first + index) % 7
          if !isCalm { files.setPlan(plan) }
          _ = try await StoreTrial.carryOut(step, on: store, &model)
        }
        try await store.close()
      }
      return (files.disturbedCount, StoreLaw.shortBytes(calm.disk, memory.disk))
    }
  }
}
