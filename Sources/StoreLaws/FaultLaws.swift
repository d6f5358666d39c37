import FaultInjection
import FileSystems
import PropertyEngine

// Calls of the file system that are refused, cut short or interrupted. `RefusedSteps` is the run
// that the first two laws share. The causes are those of `FaultPlan.causes`: no space, quota, I/O
// errors, access, and others.

extension StoreLaw {
  /// Calls of the file system that are refused.
  static let faultLaws: [StoreLaw] = [
    refusedCall, explained, spaceReturns, shortTransfers, failedSync, readOnlyMedium,
  ]

  /// Any level: what a refusal leaves must be the same to all of them.
  private static let refusing = StoreSample.Shape {
    $0.hasRefusal = true
    $0.hasReopening = false
    $0.levels = [.data, .process, .full, .memory]
  }

  /// Catches memory that runs ahead of the disk: a change that reads show and no file has.
  ///
  /// The candidate is what would be stored if the first change whose outcome the store calls
  /// unknown were there. One suffices: refusals come in one row of calls, and after such a change a
  /// store carries no other out before `compact`. Misses callers at the same time: see
  /// `callers.refusal-alone`.
  ///
  /// Worked example: a write fails with ENOSPC while b is saved. `store-memory-first` had put b
  /// into its dictionary: `find("b")` shows it, the caller was told that it failed, and after a
  /// restart it is gone.
  ///
  ///     the store said         reads show      reopening shows
  ///     done                   the change      the change
  ///     refused                not             not
  ///     refused, not known     not             the change or not
  static let refusedCall = StoreLaw(
    "fault.changes-nothing",
    "A refused change changes nothing.",
    "If a call of the file system fails, reads show what they showed; after "
      + "reopening the change is not there, unless the store said that it does not know.",
    source: contract,
    shape: refusing,
    check: { trial in
      let memory = MemoryFiles(StoreTrial.emptyDisk)
      var run = try await RefusedSteps(trial, on: memory)
      if let difference = try await run.carryOut() { return difference }
      let isWritable = await run.store.isWritable()
      // A failed store need not close well, and gives its files up all the same.
      try? await run.store.close()
      let rows = try await trial.open(on: memory).snapshot().rows
      // What memory alone had goes with a store that has failed.
      let isGone = trial.sample.level == .memory && !isWritable && run.model.states.contains(rows)
      guard rows == run.model.rows || rows == run.candidate || isGone else {
        return Difference(
          kind: "refused.stored",
          summary: "reopening shows something else than was shown",
          expected: rowsText(run.model.rows)
            + (run.candidate.map { " or \(rowsText($0))" } ?? ""),
          actual: rowsText(rows)
        )
      }
      try run.files.skipUnlessRefused()
      return nil
    }
  )

  /// Catches errors that leave a caller to guess whether to save again.
  ///
  /// Asks for a phase and a kind, not for the right ones: no oracle knows what a store was doing at
  /// a call of the file system.
  ///
  /// Worked example: "input/output error" alone does not say whether b is on the disk. `isUnknown`
  /// does: if it is true, the store must carry nothing out before it was compacted.
  ///
  ///     since a change of unknown outcome     the store     verdict
  ///     nothing                               refuses       held
  ///     nothing                               goes on       `error.forgotten`
  ///     a compaction that was refused         goes on       `error.forgotten`: `store-doubts-no-longer`
  ///     a compaction that returned            goes on       held
  ///     a compaction that returned            refuses       held: it says that it does
  static let explained = StoreLaw(
    "fault.explained",
    "An error says what it leaves behind.",
    "A store that refuses a call names the phase, the kind of failure and "
      + "whether the change may be on the disk, and carries changes out again or says that it does not.",
    source: contract,
    shape: refusing,
    check: { trial in
      var run = try await RefusedSteps(trial, on: MemoryFiles(StoreTrial.emptyDisk))
      let found = try await run.carryOut { complaint in
        guard complaint.phase == nil || complaint.kind == .unexplained else { return nil }
        return Difference(
          kind: "error.unexplained",
          summary: "an error says too little: \(complaint)",
          expected: "a phase and a kind",
          actual: complaint.phase == nil ? "no phase" : "no kind"
        )
      }
      if let found { return found }
      let isWritable = await run.store.isWritable()
      // Only a compaction that was carried out behind the change settles what is not known.
      if run.candidate != nil, !run.isSettled, isWritable {
        return Difference(
          kind: "error.forgotten",
          summary: "the store goes on although it does not know what is on the disk"
        )
      }
      var model = run.model
      let later = [StoreRow("z", "later")]
      let outcome = try await StoreTrial.carryOut(
        saving: later,
        deleting: [],
        on: run.store,
        &model
      )
      if case .refused(let complaint, _) = outcome, isWritable {
        return Difference(
          kind: "error.health",
          summary: "a store that said it carries changes out refused one: \(complaint)"
        )
      }
      if case .done = outcome, !isWritable {
        return Difference(kind: "error.health", summary: "a store that carries nothing out did")
      }
      guard run.hasComplained else { throw Skipped("the store refused no step") }
      return nil
    }
  )

  /// Catches a journal that is cut off in the middle by a full disk and then written on.
  ///
  /// The disk has a part of the room that the steps take on a disk without end, from none beyond the new store's files
  /// to nearly all; then all the room there is. The store is not closed before it is opened again, so that what was
  /// acknowledged must be in the files already. Worked example: half a frame stands at the
  /// journal's end. The next change, behind it, is acknowledged and lies behind bytes that no
  /// opening reads.
  ///
  ///     on the disk     [change 1][change 2][half of 3     the disk is full, 3 is refused
  ///     right           [change 1][change 2][change 4]     the half is cut off, or written over
  ///     wrong           [change 1][change 2][half of 3[change 4]
  ///
  /// `store-full-disk-is-final` loses nothing and never heals: the change with room is refused.
  static let spaceReturns = StoreLaw(
    "fault.space-returns",
    "A full disk loses nothing and heals.",
    "Changes are refused while there is no room; when there is again, the "
      + "store goes on, and all that was acknowledged is there.",
    source: contract,
    shape: .init {
      $0.steps = 2...16
      $0.hasReopening = false
      $0.numberCount = 1
      $0.numberLimit = roomLimit
      $0.levels = [.data, .process]
    },
    check: { trial in
      let memory = MemoryFiles(StoreTrial.emptyDisk)
      let store = try trial.open(on: memory)
      var model = StoreModel()
      var wasFull = false
      memory.setCapacity(
        memory.usedByteCount
          + (try await roomTaken(by: trial)) * trial.sample.number(0) / (roomLimit + 1)
      )
      for step in trial.sample.steps {
        let outcome = try await StoreTrial.carryOut(step, on: store, &model)
        guard case .refused(let complaint, _) = outcome else { continue }
        wasFull = true
        guard complaint.kind == .noSpace else {
          return Difference(
            kind: "space.kind",
            summary: "a full disk is called something else: \(complaint)",
            expected: StoreComplaint.Kind.noSpace.rawValue,
            actual: complaint.kind.rawValue
          )
        }
      }
      memory.setCapacity(.max)
      let row = StoreRow("z", "there is room")
      try await StoreTrial.carryOut(saving: [row], deleting: [], on: store, &model).unlessRefused()
      let shown = try await trial.open(on: MemoryFiles(memory.disk)).snapshot().rows
      let found = difference(shown, from: model.rows, "space.lost", "items differ")
      guard found != nil || wasFull else { throw Skipped("the disk was never full") }
      return found
    }
  )

  /// Into how many parts the room that steps take is divided.
  private static let roomLimit = 4000

  /// The bytes by which a sample's steps make a new store's files longer at most, where there is room for all.
  private static func roomTaken(by trial: StoreTrial) async throws -> Int {
    let memory = MemoryFiles(StoreTrial.emptyDisk)
    let store = try trial.open(on: memory)
    var model = StoreModel()
    let start = memory.usedByteCount
    var room = 0
    for step in trial.sample.steps {
      _ = try await StoreTrial.carryOut(step, on: store, &model)
      room = max(room, memory.usedByteCount - start)
    }
    return room
  }

  /// Catches a store that ignores how many bytes a write moved.
  ///
  /// Real files move fewer near limits and on signals; a developer's machine hardly ever shows it.
  ///
  /// Transfers are of 1 to 256 bytes; an interruption comes every 1 to 7 calls. The bytes of the
  /// files are compared and not what the store shows: a repair at opening could hide bytes that
  /// were written twice.
  ///
  /// Worked example: `write` of 100 bytes moves 40 and says so.
  ///
  ///     right                             bytes 40 to 99 at offset 40
  ///     `store-restarts-short-writes`     bytes 0 to 59 at offset 40
  ///
  /// Both files have 100 bytes, so that a look at their sizes tells nothing.
  static let shortTransfers = StoreLaw(
    "fault.short-transfers",
    "Short and interrupted calls change nothing.",
    "If reads and writes move a few bytes at a time and signals "
      + "interrupt them, every call is carried out, and the files have the same bytes.",
    source: contract,
    shape: .init {
      $0.steps = 1...6
      $0.numberCount = 2
      $0.hasReopening = false
    },
    check: { trial in
      func run(_ plan: FaultPlan) async throws -> MemoryDisk {
        let memory = MemoryFiles(StoreTrial.emptyDisk)
        let files = FaultyFiles(memory, plan)
        let store = try trial.open(on: files)
        for (saved, deleted) in trial.changes {
          _ = try await store.apply(saving: saved, deleting: deleted)
        }
        try await store.close()
        let again = try trial.open(on: files)
        _ = await again.snapshot()
        try await again.close()
        return memory.disk
      }
      var plan = FaultPlan()
      plan.transferLimit = 1 + trial.sample.number(0)
      plan.interruptionPeriod = 1 + trial.sample.number(1) % 7
      let calm = try await run(FaultPlan())
      let disturbed = try await run(plan)
      return shortBytes(calm, disturbed)
    }
  )

  /// Where the files of a run with short and interrupted calls are not those of a calm run.
  static func shortBytes(_ calm: MemoryDisk, _ disturbed: MemoryDisk) -> Difference? {
    let path = calm.firstFile(changedOn: disturbed) ?? disturbed.firstFile(changedOn: calm)
    return path.map {
      Difference(
        kind: "short.bytes",
        summary: "\($0.last ?? "") has other bytes where calls were short"
      )
    }
  }

  /// Catches a store that tries a failed synchronisation again.
  ///
  /// After the failure a system may take the pages for clean: the next synchronisation succeeds
  /// without writing them.
  ///
  ///     call            write  sync  write  sync ...  | calm: apply "y"  | compact, apply "z"
  ///     refused                x            x   eight of them
  ///     power loss      behind each of these steps, all that is not synchronised goes
  ///
  /// Eight synchronisations in a row are refused, so that a store that tries a few times again does
  /// not slip through. They begin before the last change is made sure: each sample that changes
  /// anything has a refusal, and others are skipped. After the loss the store shows what was
  /// acknowledged, or one of the states with a refused change: a refusal need not remove it from the
  /// disk. After `compact` only the acknowledged state is right.
  ///
  /// The injected failure behaves as Linux: pages count as written, and are not (`FaultyFiles`). So
  /// a second call that succeeds proves nothing.
  ///
  /// `store-retries-sync` tries up to nine times more, which is beyond the eight: one
  /// succeeds, and the change that it acknowledges is on no disk.
  static let failedSync = StoreLaw(
    "fault.sync-not-trusted",
    "A failed synchronisation is final.",
    "No change is acknowledged afterwards until everything was written to "
      + "new files, since a second synchronisation may succeed without writing anything.",
    source: [
      survival,
      .paper("Rebello et al., Can Applications Recover from fsync Failures?, 2020"),
    ],
    shape: .init {
      $0.steps = 1...6
      $0.hasReopening = false
      $0.numberCount = 1
    },
    check: { trial in
      let memory = MemoryFiles(StoreTrial.emptyDisk)
      let files = FaultyFiles(memory)
      let store = try trial.open(on: files)
      var model = StoreModel()
      var calm = model
      for (saved, deleted) in trial.changes {
        calm.applyIfChange(saving: saved, deleting: deleted)
      }
      // A change takes two calls at least: it is written and synchronised.
      let calls = 2 * (calm.states.count - 1)
      var plan = FaultPlan()
      let first = files.callCount + trial.sample.number(0) % min(16, max(1, calls))
      plan.refusal = .init(call: first, count: 8, cause: .inputOutput, only: .synchronize)
      files.setPlan(plan)
      var candidates: [[StoreRow]] = []
      func lost(behind change: StoreChange, _ moment: String) async throws -> Difference? {
        let (saved, deleted) = change
        let outcome = try await StoreTrial.carryOut(
          saving: saved,
          deleting: deleted,
          on: store,
          &model
        )
        if case .refused(_, let candidate?) = outcome { candidates.append(candidate) }
        return try await Self.lost(trial, memory, model: model, or: candidates, moment)
      }
      for change in trial.changes {
        if let found = try await lost(behind: change, "trusted") { return found }
      }
      files.setPlan(FaultPlan())
      let uncompacted = StoreRow("y", "no compaction yet")
      if let found = try await lost(behind: ([uncompacted], []), "retried") { return found }
      try await store.compact()
      let row = StoreRow("z", "compacted")
      try await StoreTrial.carryOut(saving: [row], deleting: [], on: store, &model).unlessRefused()
      let found = try await Self.lost(trial, memory, model: model, or: [], "compacted")
      if let found { return found }
      try files.skipUnlessRefused()
      return nil
    }
  )

  /// Where the loss of what is not synchronised takes what was acknowledged.
  ///
  /// What was refused may be there or not (`candidates`). The disk is a copy: the run goes on with
  /// the original. The loss takes parts 0 to 40, counted from the last one, and half of any others.
  private static func lost(
    _ trial: StoreTrial,
    _ memory: MemoryFiles,
    model: StoreModel,
    or candidates: [[StoreRow]],
    _ name: String
  ) async throws -> Difference? {
    let loss = PowerLoss(.adversarial, lost: Array(0...40), pattern: 1)
    let store = try trial.open(on: MemoryFiles(loss.applied(to: memory.disk)))
    let rows = await store.snapshot().rows
    if rows == model.rows || candidates.contains(rows) { return nil }
    return Difference(
      kind: "sync.\(name)",
      summary: "what was acknowledged after a failed synchronisation is gone",
      expected: rowsText(model.rows),
      actual: rowsText(rows)
    )
  }

  /// Catches an opening that has to write before it can read: a backup on a read-only medium could
  /// not be looked at.
  ///
  /// All calls that write are refused for good, opening a file for writing among them.
  ///
  /// Worked example: opening makes `LOCK`, and is refused. `store-must-write` gives up there. A
  /// right store goes on without a lock, since nothing can write on that medium, and says
  /// `readOnly`.
  static let readOnlyMedium = StoreLaw(
    "fault.read-only-medium",
    "A read-only medium is read.",
    "Opening says so, reads show what was stored, and changes are refused as such; a folder of a store that was never "
      + "made ready shows nothing there, and no store is made.",
    source: contract,
    shape: .init { $0.hasReopening = false },
    check: { trial in
      let recording = try await trial.record(closing: true)
      let memory = MemoryFiles(recording.end.disk)
      var plan = FaultPlan()
      plan.refusal = .init(call: 0, count: .max, cause: .readOnly, isOfWrites: true)
      let store = try trial.open(on: FaultyFiles(memory, plan))
      if let difference = difference(
        await store.snapshot().rows,
        from: recording.model.rows,
        "read-only.rows",
        "items differ"
      ) {
        return difference
      }
      guard store.opening.state == .readOnly else {
        return Difference(
          kind: "read-only.report",
          summary: "opening does not say that the medium cannot be written",
          expected: "readOnly",
          actual: store.opening.state.rawValue
        )
      }
      do {
        _ = try await store.apply(saving: [StoreRow("z", "late")], deleting: [])
        return Difference(kind: "read-only.saved", summary: "a change was acknowledged")
      } catch let complaint as StoreComplaint {
        guard complaint.kind == .readOnly else {
          return Difference(
            kind: "read-only.kind",
            summary: "refused as something else: \(complaint)"
          )
        }
      }
      return try await unready(recording.end.disk, plan, trial)
    }
  )

  /// Where the folder of a store without a file in it, on a medium that cannot be written, does not open as nothing.
  private static func unready(
    _ disk: MemoryDisk,
    _ plan: FaultPlan,
    _ trial: StoreTrial
  ) async throws -> Difference? {
    var disk = disk
    for path in disk.paths { disk.remove(path) }
    let store = try trial.open(on: FaultyFiles(MemoryFiles(disk), plan))
    guard await store.snapshot().rows.isEmpty else {
      return Difference(kind: "read-only.rows", summary: "an empty folder shows items")
    }
    do {
      _ = try await store.apply(saving: [StoreRow("z", "late")], deleting: [])
      return Difference(kind: "read-only.saved", summary: "a change was acknowledged")
    } catch let complaint as StoreComplaint where complaint.kind != .readOnly {
      return Difference(kind: "read-only.kind", summary: "refused as something else: \(complaint)")
    } catch is StoreComplaint {}
    // A new store in whose folder no file can be made has nothing to read.
    var denial = FaultPlan()
    denial.refusal = .init(call: 0, cause: .accessDenied, only: .open)
    do {
      let new = MemoryFiles(StoreTrial.emptyDisk)
      try await trial.open(on: FaultyFiles(new, denial)).close()
      return Difference(kind: "read-only.new", summary: "a store was made where none can be")
    } catch let complaint as StoreComplaint {
      guard complaint.kind != .readOnly else { return nil }
      return Difference(kind: "read-only.kind", summary: "refused as something else: \(complaint)")
    }
  }
}

/// The steps of a sample while calls of the file system are refused.
///
/// After each step, whether it was refused or not, the store must show the model's rows.
///
///     step          the store says            it shows     the candidate
///     change a=1    done                      a=1          -
///     change b=2    refused, not known        a=1          a=1 b=2
///     change c=3    refused: it has failed    a=1          a=1 b=2
///     compact       done                      a=1          settled: rewritten without b
private struct RefusedSteps {
  /// The store, still open behind the steps.
  let store: any OpenedStore
  let files: FaultyFiles
  private let steps: [StoreStep]
  private(set) var model = StoreModel()
  /// The rows with the first change of unknown outcome, as if it had been carried out.
  private(set) var candidate: [StoreRow]?
  /// Whether a compaction was carried out behind the last change of unknown outcome.
  private(set) var isSettled = false
  /// Whether the store refused a step.
  private(set) var hasComplained = false

  /// Opens the store; from then on calls are refused as the sample says.
  init(_ trial: StoreTrial, on memory: MemoryFiles) async throws {
    files = FaultyFiles(memory)
    store = try trial.open(on: files)
    steps = trial.sample.steps
    // Any call that the steps make without a fault, and one behind them.
    let opening = files.callCount
    let calls = try await trial.record(closing: false).images.count - opening
    files.setPlan(trial.refusalPlan(after: opening, within: max(1, calls)))
  }

  /// Carries the steps out, and ends the refusals; says what went wrong at once.
  ///
  /// `onComplaint`: Gets each refusal of the store, and says what is wrong with it.
  mutating func carryOut(
    _ onComplaint: (StoreComplaint) -> Difference? = { _ in nil }
  ) async throws -> Difference? {
    for step in steps {
      let outcome = try await StoreTrial.carryOut(step, on: store, &model)
      switch outcome {
      case .nothingToDo: continue
      case .done: if step == .compact { isSettled = true }
      case .refused(let complaint, _):
        hasComplained = true
        if let found = onComplaint(complaint) { return found }
      }
      if let uncertain = outcome.uncertain {
        candidate = candidate ?? uncertain
        isSettled = false
      }
      let found = difference(
        await store.snapshot().rows,
        from: model.rows,
        "refused.shown",
        "after a refused call the store shows something else"
      )
      if let found { return found }
    }
    files.setPlan(FaultPlan())
    return nil
  }
}

extension FaultyFiles {
  /// Ends a case in which no call was refused, where the law would hold.
  ///
  /// - Throws: ``Skipped``.
  func skipUnlessRefused() throws(Skipped) {
    guard refusedCount > 0 else { throw Skipped("no call was refused") }
  }
}

extension StoreTrial {
  /// Refusals as the sample says, from a call at most `count` after `call` on.
  ///
  /// `isLate`: whether the call is carried out, and refused only then.
  func refusalPlan(
    after call: Int,
    within count: Int,
    isLate: Bool = false
  ) -> FaultPlan {
    var plan = FaultPlan()
    plan.refusal = .init(
      call: call + sample.refused % count,
      count: max(1, sample.refusedCount),
      cause: sample.refusalCause,
      isLate: isLate
    )
    return plan
  }
}
