import FaultInjection
import FileSystems
import PropertyEngine

// Calls of the file system that are refused, cut short or interrupted. `runRefused` is the run that
// the first two laws share. The causes are those of `FaultPlan.causes`: no space, quota, I/O
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

  /// Runs the steps while calls are refused; says what went wrong at once.
  ///
  /// `onError`: Gets each refusal of the store.
  ///
  /// After each step, whether it was refused or not, the store must show the model's rows.
  ///
  ///     step          the store says            it shows     the candidate
  ///     change a=1    done                      a=1          -
  ///     change b=2    refused, not known        a=1          a=1 b=2
  ///     change c=3    refused: it has failed    a=1          a=1 b=2
  ///     compact       done                      a=1          settled: rewritten without b
  ///
  /// - Returns: What was wrong, or `nil`; the model; the rows that would be stored if the change of
  ///   unknown outcome were there; whether a compaction was carried out behind that change; and the
  ///   store, still open.
  private static func runRefused(
    _ trial: StoreTrial,
    _ files: FaultyFiles,
    _ onError: (StoreComplaint) -> Difference? = { _ in nil }
  ) async throws -> (
    difference: Difference?, model: StoreModel, candidate: [StoreRow]?, isSettled: Bool,
    store: any OpenedStore
  ) {
    let store = try trial.open(on: files)
    var model = StoreModel()
    // The rows with the first change of unknown outcome, as if it had been carried out.
    var candidate: [StoreRow]?
    var isSettled = false
    // Any call that the steps make without a fault, and one behind them.
    let opening = files.callCount
    let calls = try await trial.record(closing: false).images.count - opening
    files.setPlan(trial.refusalPlan(after: opening, within: max(1, calls)))
    for step in trial.sample.steps {
      do {
        switch step {
        case .change:
          guard let (saved, deleted) = StoreTrial.change(step) else { continue }
          guard model.isChange(saving: saved, deleting: deleted) else { continue }
          do {
            _ = try await store.apply(saving: saved, deleting: deleted)
            model.apply(saving: saved, deleting: deleted)
          } catch let complaint as StoreComplaint {
            if complaint.isUnknown {
              candidate = candidate ?? model.after(saving: saved, deleting: deleted)
              isSettled = false
            }
            throw complaint
          }
        case .flush: try await store.flush()
        case .compact:
          try await store.compact()
          isSettled = true
        case .reopen, .restart: continue
        }
      } catch let complaint as StoreComplaint {
        if let difference = onError(complaint) {
          return (difference, model, candidate, isSettled, store)
        }
      }
      let shown = await store.snapshot().rows
      if let difference = difference(
        shown,
        from: model.rows,
        "refused.shown",
        "after a refused call the store shows something else"
      ) {
        return (difference, model, candidate, isSettled, store)
      }
    }
    files.setPlan(FaultPlan())
    return (nil, model, candidate, isSettled, store)
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
      let files = FaultyFiles(memory)
      let (difference, model, candidate, _, store) = try await runRefused(trial, files)
      if let difference { return difference }
      let isWritable = await store.isWritable()
      // A failed store need not close well, and gives its files up all the same.
      try? await store.close()
      let rows = try await trial.open(on: memory).snapshot().rows
      if rows == model.rows || rows == candidate { return nil }
      // What memory alone had goes with a store that has failed.
      if trial.sample.level == .memory, !isWritable, model.states.contains(rows) { return nil }
      return Difference(
        kind: "refused.stored",
        summary: "reopening shows something else than was shown",
        expected: rowsText(model.rows) + (candidate.map { " or \(rowsText($0))" } ?? ""),
        actual: rowsText(rows)
      )
    }
  )

  /// Catches errors that leave a caller to guess whether to save again.
  ///
  /// Asks for a phase and a kind, not for the right ones: no oracle knows what a store was doing at
  /// a call of the file system.
  ///
  /// Worked example: "input/output error" alone does not tell whether b is on the disk. `isUnknown`
  /// does: if it is true the store must carry nothing out until it was compacted, which the law
  /// looks at.
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
      let memory = MemoryFiles(StoreTrial.emptyDisk)
      let files = FaultyFiles(memory)
      let (difference, _, candidate, isSettled, store) = try await runRefused(trial, files) {
        complaint in
        guard complaint.phase == nil || complaint.kind == .unexplained else { return nil }
        return Difference(
          kind: "error.unexplained",
          summary: "an error says too little: \(complaint)",
          expected: "a phase and a kind",
          actual: complaint.phase == nil ? "no phase" : "no kind"
        )
      }
      if let difference { return difference }
      let isWritable = await store.isWritable()
      // Only rewriting everything ends what is not known: not to have tried it, nor to have done it before.
      // So a candidate that was not settled and a store that goes on exclude each other.
      if candidate != nil, !isSettled, isWritable {
        return Difference(
          kind: "error.forgotten",
          summary: "the store goes on although it does not know what is on the disk"
        )
      }
      do {
        _ = try await store.apply(saving: [StoreRow("z", "later")], deleting: [])
        return isWritable
          ? nil : Difference(kind: "error.health", summary: "a store that carries nothing out did")
      } catch let complaint as StoreComplaint {
        return isWritable
          ? Difference(
            kind: "error.health",
            summary: "a store that said it carries changes out refused one: \(complaint)"
          ) : nil
      }
    }
  )

  /// Catches a journal that is cut off in the middle by a full disk and then written on.
  ///
  /// The disk has 400 to 4400 bytes of room, which the new store has taken a part of; then all the
  /// room there is. The store is not closed before it is opened again, so that what was
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
      $0.numberLimit = 4000
      $0.levels = [.data, .process]
    },
    check: { trial in
      let memory = MemoryFiles(StoreTrial.emptyDisk)
      let store = try trial.open(on: memory)
      var model = StoreModel()
      memory.setCapacity(400 + trial.sample.number(0))
      for step in trial.sample.steps {
        do {
          guard let (saved, deleted) = StoreTrial.change(step) else {
            if step == .compact { try await store.compact() } else { try await store.flush() }
            continue
          }
          guard model.isChange(saving: saved, deleting: deleted) else { continue }
          _ = try await store.apply(saving: saved, deleting: deleted)
          model.apply(saving: saved, deleting: deleted)
        } catch let complaint as StoreComplaint {
          guard complaint.kind == .noSpace else {
            return Difference(
              kind: "space.kind",
              summary: "a full disk is called something else: \(complaint)",
              expected: StoreComplaint.Kind.noSpace.rawValue,
              actual: complaint.kind.rawValue
            )
          }
        }
      }
      memory.setCapacity(.max)
      let row = StoreRow("z", "there is room")
      _ = try await store.apply(saving: [row], deleting: [])
      model.apply(saving: [row], deleting: [])
      let again = try trial.open(on: MemoryFiles(memory.disk))
      return difference(await again.snapshot().rows, from: model.rows, "space.lost", "items differ")
    }
  )

  /// Catches a write whose count is not looked at.
  ///
  /// Real files do this near limits and on signals, and tests on a developer's machine hardly ever
  /// see it.
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
      for path in Set(calm.paths + disturbed.paths).sorted(by: { $0.joined() < $1.joined() })
      where calm.bytes(at: path) != disturbed.bytes(at: path) {
        return Difference(
          kind: "short.bytes",
          summary: "\(path.last ?? "") has other bytes where calls were short"
        )
      }
      return nil
    }
  )

  /// Catches the retry.
  ///
  /// After a failed synchronisation a system may take the pages for clean, and the next one
  /// succeeds without writing them.
  ///
  ///     call            write  sync  write  sync ...  | calm: apply "y"  | compact, apply "z"
  ///     refused                x            x   eight of them
  ///     power loss      behind each of these steps, all that is not synchronised goes
  ///
  /// Eight synchronisations one after the other are refused, so that a store that tries a few
  /// times again does not slip through. They begin before the last change is made sure: each sample that changes
  /// anything has a refusal. What is shown after the loss is what was acknowledged, or
  /// one of the states with a refused change: a refusal need not take it back from the disk. After
  /// `compact` only the acknowledged state is right.
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
      for (saved, deleted) in trial.changes {
        let refused = try await attempt(on: store, &model, saving: saved, deleting: deleted)
        if let refused { candidates.append(refused) }
        if let difference = try await lost(trial, memory, model: model, or: candidates, "trusted") {
          return difference
        }
      }
      files.setPlan(FaultPlan())
      let uncompacted = StoreRow("y", "no compaction yet")
      let early = try await attempt(on: store, &model, saving: [uncompacted], deleting: [])
      if let early { candidates.append(early) }
      if let difference = try await lost(trial, memory, model: model, or: candidates, "retried") {
        return difference
      }
      try await store.compact()
      let row = StoreRow("z", "compacted")
      _ = try await store.apply(saving: [row], deleting: [])
      model.apply(saving: [row], deleting: [])
      return try await lost(trial, memory, model: model, or: [], "compacted")
    }
  )

  /// Makes a change; if it is refused, says what would be stored if it were there all the same.
  private static func attempt(
    on store: any OpenedStore,
    _ model: inout StoreModel,
    saving saved: [StoreRow],
    deleting deleted: [String]
  ) async throws -> [StoreRow]? {
    guard model.isChange(saving: saved, deleting: deleted) else { return nil }
    do {
      _ = try await store.apply(saving: saved, deleting: deleted)
      model.apply(saving: saved, deleting: deleted)
      return nil
    } catch is StoreComplaint {
      return model.after(saving: saved, deleting: deleted)
    }
  }

  /// Whether the loss of all that is not synchronised takes anything that was acknowledged.
  ///
  /// The disk keeps nothing that was not synchronised. What was refused may be there or not
  /// (`candidates`).
  ///
  /// The disk is a copy: the run goes on with the original. Numbers 0 to 40 are parts counted from
  /// the last one, and the pattern takes half of any others.
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
    "Opening says so, reads show what was stored, and changes are refused as such.",
    source: contract,
    shape: .init { $0.hasReopening = false },
    check: { trial in
      let recording = try await trial.record(closing: true)
      guard let disk = recording.images.last?.disk else { return nil }
      let memory = MemoryFiles(disk)
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
        return complaint.kind == .readOnly
          ? nil
          : Difference(kind: "read-only.kind", summary: "refused as something else: \(complaint)")
      }
    }
  )
}

extension StoreTrial {
  /// Refusals as the sample says, from a call at most `count` after `call` on.
  ///
  /// `isLate`: whether the call is carried out, and refused only then.
  func refusalPlan(
    after call: Int,
    within count: Int = 64,
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
