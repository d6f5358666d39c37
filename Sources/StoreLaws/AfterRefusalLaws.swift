import FaultInjection
import FileSystems
import PropertyEngine

// A crash after refused calls. `RefusedRun` carries the steps out with several callers and keeps
// the disk before each call with what was promised by then; the law picks one disk, takes a loss
// from it, and opens.

extension StoreLaw {
  /// A crash after refused calls: each is rare, so that repairs of one are seldom tested with the other.
  static let afterRefusalLaws: [StoreLaw] = [afterRefusal, refusedElsewhere]

  private static let refusing = StoreSample.Shape {
    $0.steps = 1...8
    $0.hasCrash = true
    $0.hasRefusal = true
    $0.hasReopening = false
    $0.levels = [.data, .process]
    $0.numberCount = 12
    $0.numberLimit = 31
  }

  /// Catches a refused change whose bytes are still in the file, a name that is trusted although the folder could
  /// not be synchronised, and files that are removed because their renaming was refused, although it was carried out.
  ///
  /// Callers call at the same time, writes are short, and a refused call may have been carried out.
  ///
  /// Numbers: 0 whether the refused call is carried out all the same, 1 and 2 short writes, 3 which
  /// kind of call is refused, 4 where the crash comes, 5 the number of callers; all are picks of
  /// the schedule as well.
  ///
  /// A sample whose refusals would begin behind its last call, or are of a kind of call that it does not make, is run
  /// once more and refuses calls that it makes. A run in which no call can be refused is skipped: ``crashLaws`` judge
  /// such runs.
  ///
  /// Besides the sample's loss each of up to six moments at which the power may go is tried: what the disk has of the
  /// last parts is then a beginning of them.
  ///
  /// Worked example: `rename` is carried out and reports an error. `store-sure-of-names` tells the
  /// caller that nothing was changed, and after the crash the new name, with the change, is there.
  ///
  ///     number 3 % 4     which calls are refused, from the chosen one on
  ///     0                the next one to four, of any kind, or synchronisations of files if the quotient is odd
  ///     1                the next one to four writes
  ///     2                all renamings
  ///     3                the next one to four synchronisations of a folder
  static let afterRefusal = StoreLaw(
    "crash.after-refusal",
    "A crash after refused calls keeps promises.",
    "At whichever call the crash comes, before or after calls of the file system were refused, carried out all the "
      + "same or cut short, the store opens with every change that had returned, as far as its level covers what "
      + "happened, and with none that was refused as one that leaves nothing.",
    source: survival,
    shape: refusing,
    check: { trial in
      let run = try await RefusedRun.refusing(trial)
      let image = run.chosenImage
      let loss = trial.sample.loss
      let disk = loss.applied(to: image.disk)
      if let found = try await judge(disk, of: image, after: loss.model, trial) { return found }
      // What a refusal leaves is a few parts, and the power may go behind each.
      let count = image.disk.pieceCount
      for kept in max(0, count - 6)..<max(0, count) {
        let disk = image.disk.crashed(.ordered) { $0 >= kept }
        if let found = try await judge(disk, of: image, after: .ordered, trial) { return found }
      }
      guard run.refusedCount > 0 else { throw Skipped("no call was refused") }
      return nil
    }
  )

  /// Opens what is left, and says where it breaks a promise of the run.
  private static func judge(
    _ disk: MemoryDisk,
    of image: RefusedRun.Image,
    after crash: CrashModel,
    _ trial: StoreTrial
  ) async throws -> Difference? {
    let store: any OpenedStore
    do {
      store = try trial.open(on: MemoryFiles(disk))
    } catch let complaint as StoreComplaint where complaint.kind == .damaged {
      return Difference(
        kind: "after.damage",
        summary: "opening takes what refused calls and a crash left for damage: \(complaint)",
        expected: "no damage"
      )
    }
    guard store.opening.state != .damaged else {
      return Difference(
        kind: "after.damage",
        summary: "opening takes what refused calls and a crash left for damage",
        expected: "no damage"
      )
    }
    return image.promises.difference(
      from: await store.snapshot().rows,
      areAllDoneKept: trial.sample.level.covers(crash)
    )
  }

  /// Catches a process that trusts bytes which another process could not synchronise.
  ///
  ///     first process     runs as in ``afterRefusal``, or without a refusal, and ends at the sample's call
  ///     the system        shows all that was written, and may have given up what it refused to synchronise
  ///     second process    opens at `data`, shows a state, saves "z"
  ///     power loss        behind the opening, and behind "z": what is not synchronised goes, all of it or a part
  ///
  /// Worked example: `a` is written, and its synchronisation is refused. The next process shows `a` and synchronises
  /// its file. That succeeds and does nothing, since the system counts the bytes as written. "z" behind it is
  /// synchronised, with a gap before it: to the opening after the loss the journal is damaged.
  static let refusedElsewhere = StoreLaw(
    "crash.refused-elsewhere",
    "Another process trusts no refused synchronisation.",
    "What an opening at `data` shows, and what is saved behind it, survives a loss of power, at whichever call the process "
      + "before ended, and though calls of the file system were refused in it.",
    source: [
      survival,
      .paper("Rebello et al., Can Applications Recover from fsync Failures?, 2020"),
    ],
    shape: refusing,
    check: { trial in
      // Every fourth process ends at a call of its run without a refusal, also while it makes the store.
      let isRefused = trial.sample.number(11) % 4 != 3
      let image = isRefused ? try await RefusedRun.refusing(trial).chosenImage : nil
      let ended =
        if let image {
          image.disk
        } else {
          trial.crashImage(of: try await trial.record(closing: false).images).disk
        }
      let files = MemoryFiles(ended)
      let store = try trial.open(on: files) { $0.level = .data }
      var rows = await store.snapshot().rows
      if let found = image?.promises.difference(from: rows, areAllDoneKept: true) { return found }
      func lost(_ moment: String) async throws -> Difference? {
        // All of what is pending may go, or any part of it: a name, and not the removal of the one that it replaces.
        let parts = (8...10).map { PowerLoss(.adversarial, pattern: 1 + trial.sample.number($0)) }
        let disks =
          [files.disk.crashed(.adversarial) { _ in true }]
          + parts.map { $0.applied(to: files.disk) }
        for disk in disks {
          let found = difference(
            try await trial.open(on: MemoryFiles(disk)).snapshot().rows,
            from: rows,
            "elsewhere.\(moment)",
            "what another process \(moment) is not there after a loss of power"
          )
          if let found { return found }
        }
        return nil
      }
      if let lost = try await lost("shown") { return lost }
      let row = StoreRow("z", "another process")
      _ = try await store.apply(saving: [row], deleting: [])
      rows.append(row)
      return try await lost("saved")
    }
  )
}

/// A run in which calls are refused, with the disk before each call and what was promised by then.
///
/// Each change saves one new id, so that a state is a set of ids: the order of concurrent changes does
/// not matter. When its call has ended, a change is done, refused with nothing left, or unknown to the
/// store; an unknown change may be found or not.
///
///     the call                    is in               after the crash
///     has not ended               begun               there or not
///     returned                    begun, done         there, as far as the level covers the loss
///     was flushed since           ..., flushed        there
///     refused, nothing left       begun, refused      not there
///     refused, not known          begun               there or not
final class RefusedRun: Sendable {
  /// Ids of changes: each change saves one item that no other does.
  struct Promises: Sendable {
    /// Calls that have begun, ended or not.
    var begun: Set<String> = []
    var done: Set<String> = []
    /// Done, and flushed or rewritten since.
    var flushed: Set<String> = []
    /// Refused, with nothing of them left behind.
    var refused: Set<String> = []

    /// Where rows that are shown lack a promised change, or have a refused one.
    ///
    /// `areAllDoneKept`: whether the level covers what happened; else those that were flushed are.
    func difference(from rows: [StoreRow], areAllDoneKept: Bool) -> Difference? {
      let found = Set(rows.map(\.id))
      let least = areAllDoneKept ? done : flushed
      if let lost = least.subtracting(found).min() {
        return Difference(
          kind: "after.lost",
          summary: "the change of '\(lost)' had returned and is gone",
          expected: "\(least.sorted())",
          actual: "\(found.sorted())"
        )
      }
      let admitted = begun.subtracting(refused)
      guard let stray = found.subtracting(admitted).min() else { return nil }
      return Difference(
        kind: "after.returned",
        summary: "the change of '\(stray)' was refused as one that leaves nothing, and is there",
        expected: "\(admitted.sorted())",
        actual: "\(found.sorted())"
      )
    }
  }

  typealias Image = DiskRecorder<Promises>.Image

  private let trial: StoreTrial
  private let recorder = DiskRecorder(Promises())
  private var promises: Shared<Promises> { recorder.promises }
  private let calls = Shared<[FileError.Call]>([])
  private let refused = Shared(0)

  /// Which calls are refused.
  private struct Start {
    /// The number of the first, from the first call behind the opening.
    var call: Int
    /// The only kind that is refused; `nil` for all.
    var only: FileError.Call?
  }

  init(_ trial: StoreTrial) { self.trial = trial }

  /// The image that the sample's crash names; every other time one just behind the first refusal, where what it left
  /// is not yet made sure.
  var chosenImage: Image {
    let images = recorder.images
    var crash = trial.sample.crash % images.count
    if trial.sample.number(4) % 2 == 1,
      let first = images.firstIndex(where: { !$0.promises.refused.isEmpty })
    {
      crash = min(first + trial.sample.crash % 3, images.count - 1)
    }
    return images[crash]
  }

  /// Calls behind the opening.
  var callCount: Int { calls.value.count }

  /// Calls that were refused.
  var refusedCount: Int { refused.value }

  /// Runs a sample so that at least one call is refused, if it makes one that can be.
  static func refusing(_ trial: StoreTrial) async throws -> RefusedRun {
    let asked = RefusedRun(trial)
    try await asked.carryOut(refusing: nil)
    guard asked.refusedCount == 0 else { return asked }
    let (sample, calls) = (trial.sample, asked.calls.value)
    let possible = calls.indices.filter { FaultyFiles.canRefuse(calls[$0], sample.refusalCause) }
    let kind = kind(of: sample)
    let ofKind = possible.filter { kind == nil || calls[$0] == kind }
    let starts = ofKind.isEmpty ? possible : ofKind
    guard !starts.isEmpty else { return asked }
    // Callers at the same time may come in another order, and make fewer calls; the first is always made.
    for call in [starts[sample.refused % starts.count], starts[0]] {
      let run = RefusedRun(trial)
      try await run.carryOut(refusing: Start(call: call, only: ofKind.isEmpty ? nil : kind))
      if run.refusedCount > 0 { return run }
    }
    return asked
  }

  /// The only kind of call that a sample refuses; `nil` for all.
  private static func kind(of sample: StoreSample) -> FileError.Call? {
    switch sample.number(3) % 4 {
    case 0: sample.number(3) / 4 % 2 == 1 ? .synchronize : nil
    case 1: .write
    case 2: .rename
    case 3: .synchronizeFolder
    default: nil
    }
  }

  /// Runs the steps; refusals of the store are noted and end nothing.
  ///
  /// `start`: which calls are refused; `nil` for those that the sample's numbers say.
  private func carryOut(refusing start: Start?) async throws {
    let memory = MemoryFiles(StoreTrial.emptyDisk)
    let files = recorder.watched(memory) { [calls] record in
      calls.change { $0.append(record.call) }
    }
    defer { refused.value = files.refusedCount }
    let store = try trial.open(on: files)
    // Crashes while the store is being made are for the laws of crashes.
    recorder.restart()
    calls.value = []
    let isLate = trial.sample.number(0) % 2 == 1
    var plan = trial.refusalPlan(after: files.callCount, within: 48, isLate: isLate)
    if trial.sample.number(1) % 2 == 1 { plan.transferLimit = 16 + 8 * trial.sample.number(2) }
    plan.refusal?.only = Self.kind(of: trial.sample)
    if let start {
      plan.refusal?.call = files.callCount + start.call
      plan.refusal?.only = start.only
    }
    // Renamings are rare: all of them from that call on.
    if plan.refusal?.only == .rename { plan.refusal?.count = 1000 }
    files.setPlan(plan)
    for (index, step) in trial.sample.steps.enumerated() {
      switch step {
      case .change(let saved, _):
        // Several callers, so that changes are written together.
        await withTaskGroup(of: Void.self) { group in
          for (place, text) in saved.enumerated() {
            for caller in 0...(trial.sample.number(5) % 4) {
              let row = StoreRow("\(index).\(place).\(caller)", StoreSample.text(text.number))
              group.addTask { [self] in await save(row, in: store) }
            }
          }
        }
      case .flush: await settle { try await store.flush() }
      case .compact:
        // Once more if it is refused, as an app does.
        if await !settle({ try await store.compact() }) {
          await settle { try await store.compact() }
        }
      case .reopen, .restart: continue
      }
    }
    recorder.keep(memory)
  }

  /// Saves a row and notes what its caller was told.
  private func save(_ row: StoreRow, in store: any OpenedStore) async {
    promises.change { $0.begun.insert(row.id) }
    do {
      _ = try await store.apply(saving: [row], deleting: [])
      promises.change { $0.done.insert(row.id) }
    } catch {
      guard let complaint = error as? StoreComplaint, !complaint.isUnknown else { return }
      promises.change { $0.refused.insert(row.id) }
    }
  }

  /// Carries a call out that makes everything sure which is done by now.
  ///
  /// - Returns: Whether it was carried out.
  @discardableResult
  private func settle(_ call: () async throws -> Void) async -> Bool {
    let done = promises.value.done
    guard (try? await call()) != nil else { return false }
    promises.change { $0.flushed.formUnion(done) }
    return true
  }
}
