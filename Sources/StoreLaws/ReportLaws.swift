import FaultInjection
import FileSystems
import PropertyEngine

// What a store tells of what it did by itself, and what it gives back: files that opening put aside, files that are open,
// compactions that no caller asked for.

extension StoreLaw {
  /// What a store tells of what it did by itself, and what it gives back.
  static let reportLaws: [StoreLaw] = [
    keptTold, filesGivenUp, compactionSpaced, keptAtCrash, flushAsAsked, modesAsAsked,
  ]

  private static let opened = StoreSample.Shape {
    $0.hasDamage = true
    $0.hasCrash = true
    $0.numberCount = 3
    $0.levels = [.data, .process]
  }

  /// A disk over which opening has something to do.
  ///
  ///     number 0 % 4     the disk
  ///     0                of a run, at a crash
  ///     1, 2             of a run that was closed or not, with a damaged file
  ///     3                a seed's file, and no store
  private static func eventful(_ trial: StoreTrial) async throws -> MemoryDisk {
    let number = trial.sample.number(0)
    if number % 4 == 3 {
      var disk = StoreTrial.emptyDisk
      disk.add(["stores", "items.json"], Array(#"[{"id":"y","text":"seed"}]"#.utf8))
      return disk
    }
    let recording = try await trial.record(closing: number / 4 % 2 == 0)
    guard number % 4 > 0 else {
      return trial.sample.loss.applied(to: trial.crashImage(of: recording.images).disk)
    }
    var disk = recording.end.disk
    let path = try file(trial.sample.file, of: disk) { !$0.isEmpty }
    disk.damage(path) { trial.sample.damage.apply(to: &$0) }
    return disk
  }

  private static func policy(_ trial: StoreTrial) -> StoreSettings.Damage {
    let policies: [StoreSettings.Damage] = [.salvage, .refuse, .readOnly]
    return policies[trial.sample.number(1) % policies.count]
  }

  /// Catches an opening that cuts off or puts aside and does not say so: a user who misses an item does not learn that its
  /// bytes are there, nor under which name.
  ///
  /// Worked example: the power went within a change. Its 64 bytes that are there are no whole change. Opening cuts them
  /// off, calls the store torn, says 64, and names `journal.1.from-120.0a1b2c3d`, which holds them.
  ///
  ///     opening says     it cut        put aside
  ///     torn             some bytes    a file of just as many, which is named
  ///     damaged          perhaps       what is named
  ///     anything else    none          what is named: the seed's file, a snapshot that never counted
  static let keptTold = StoreLaw(
    "damage.kept-told",
    "What opening puts aside is told.",
    "Opening names just the files that it put aside, and says how many bytes it cut off: none unless it calls the store "
      + "torn or damaged, and as many as one of those files holds if it calls it torn.",
    source: contract,
    shape: opened,
    check: { trial in
      let disk = try await eventful(trial)
      let files = MemoryFiles(disk)
      let opening: StoreOpening
      do {
        opening = try trial.open(on: files) { $0.onDamage = policy(trial) }.opening
      } catch is StoreComplaint {
        throw Skipped("a store that was not opened has no report")
      }
      guard let kept = opening.kept, let count = opening.cutByteCount else {
        throw Skipped("the store does not say what it put aside")
      }
      let after = files.disk
      let added = after.paths.filter { disk.bytes(at: $0) == nil && $0.contains("quarantine") }
      let names = added.compactMap(\.last).sorted()
      guard kept.sorted() == names else {
        return Difference(
          kind: "kept.names",
          summary: "opening names other files than it put aside",
          expected: "\(names)",
          actual: "\(kept.sorted())"
        )
      }
      let isTorn = opening.state == .torn
      let isKept = added.contains { after.bytes(at: $0)?.count == count }
      guard isTorn ? count > 0 && isKept : count == 0 || opening.state == .damaged else {
        return Difference(
          kind: "kept.count",
          summary: "opening says that it cut \(count) bytes off, and that the store is "
            + opening.state.rawValue,
          expected: "the store is torn or damaged, and a file holds what was cut off"
        )
      }
      return nil
    }
  )

  /// Catches descriptors that are left open where opening does more than to read, or where a call was refused: an app that
  /// opens its store each time it comes to the front has none left some day.
  ///
  /// Number 2 says whether the store is compacted on the way (its remainder by 2), and when calls are refused (the quotient's
  /// by 3: never, while it is opened, or behind that).
  static let filesGivenUp = StoreLaw(
    "place.files-given-up",
    "Closed and refused stores hold no files.",
    "A store that was closed, and one whose opening was refused, has no file open, whatever opening and rewriting had to "
      + "do, and whichever calls of the file system were refused.",
    source: contract,
    shape: .init {
      $0 = opened
      $0.hasRefusal = true
    },
    check: { trial in
      let memory = MemoryFiles(try await eventful(trial))
      let files = FaultyFiles(memory)
      let refusal = trial.sample.number(2) / 2 % 3
      if refusal == 1 { files.setPlan(trial.refusalPlan(after: 0, within: 48)) }
      var moment = "closed"
      do {
        let store = try trial.open(on: files) { $0.onDamage = policy(trial) }
        if refusal == 2 {
          files.setPlan(trial.refusalPlan(after: files.callCount, within: 24))
        }
        _ = try? await store.apply(saving: [StoreRow("z", "more")], deleting: [])
        if trial.sample.number(2) % 2 == 1 { try? await store.compact() }
        try? await store.close()
      } catch is StoreComplaint {
        moment = "refused"
      }
      guard memory.openCount > 0 else { return nil }
      return Difference(
        kind: "files.open",
        summary: "a store that was \(moment) has files open",
        expected: "0",
        actual: "\(memory.openCount)"
      )
    }
  )

  /// Catches a store that rewrites all of its files at each change, and in vain, once that fails: a disk that is nearly full
  /// is written to without end, and each save takes as long as all items take.
  ///
  /// No file can be renamed, so that each rewriting is refused at its end. 64 to 127 items are saved, each once. 128 bytes
  /// an item stand for what surrounds it. A store that tries again when there is twice as much to be gained writes at most
  /// four times what is saved; one that tries with each change writes more than twenty times as much.
  ///
  /// Worked example: 64 items count as some 10,000 bytes, and a store that tries with each of the last 60 writes some
  /// 280,000.
  static let compactionSpaced = StoreLaw(
    "fault.compaction-spaced",
    "A refused compaction is not tried each time.",
    "While no file can be renamed changes are carried out, and all bytes that are written are at most eight times those of "
      + "the saved items, each counted with 128 bytes of its own, and 4096; the store says that it could not be compacted, "
      + "until it is; and all items are there.",
    source: contract,
    needs: [.amortised],
    costs: 8,
    shape: .init {
      $0.steps = 0...0
      $0.numberCount = 1
    },
    check: { trial in
      let memory = MemoryFiles(StoreTrial.emptyDisk)
      let written = Shared(0)
      let files = memory.countingWrites(in: written)
      let store = try trial.open(on: files)
      var plan = FaultPlan()
      plan.refusal = .init(
        call: files.callCount,
        count: .max,
        cause: .inputOutput,
        only: .rename
      )
      files.setPlan(plan)
      var rows: [StoreRow] = []
      var saved = 0
      for index in 0..<(64 + trial.sample.number(0) % 64) {
        let row = StoreRow("item-\(index)", StoreSample.text(index % 40))
        _ = try await store.apply(saving: [row], deleting: [])
        rows.append(row)
        saved += row.id.utf8.count + row.text.utf8.count + 128
      }
      let (bytes, limit) = (written.value, 8 * saved + 4096)
      guard bytes <= limit else {
        return Difference(
          kind: "spaced.cost",
          summary: "more was written than saving may cost while no file can be renamed",
          expected: "at most \(limit) bytes",
          actual: "\(bytes) bytes"
        )
      }
      let hasTold = await store.compactionComplaint() != nil
      files.setPlan(FaultPlan())
      try await store.compact()
      let tells = await store.compactionComplaint() != nil
      guard hasTold, !tells else {
        return Difference(
          kind: "spaced.told",
          summary: tells
            ? "a store that was compacted says that it could not be"
            : "a store that could not be compacted does not say so"
        )
      }
      try await store.close()
      return difference(
        try await trial.open(on: memory).snapshot().rows,
        from: rows,
        "spaced.rows",
        "items differ"
      )
    }
  )
}
