import FaultInjection
import FileSystems
import PropertyEngine

// What a store says beside what it shows: of each change and of each opening, and what a level costs.

extension StoreLaw {
  /// What a store says, and what its levels cost.
  static let sayingLaws: [StoreLaw] = [saysWhatItDid, levelsCost]

  /// Catches wrong numbers of changes, a call that changes nothing and says that it did, and an opening that reports
  /// a wrong count.
  ///
  /// Each restart may be one of a program with a higher schema (the remainder of number 0 by 3), which brings
  /// the items over; the marks that it puts behind texts do not matter here.
  ///
  /// Worked example: `store-says-changed` answers to the deletion of `z`, which is not there, that something was
  /// changed. An app that then tells its server sends a change that there was not.
  ///
  ///     call                      says
  ///     save a                    change 1, changed
  ///     save a, the same text     change 2, changed: saving counts whatever is saved
  ///     delete z                  change 2, not changed
  ///     reopen                    change 2, 1 item, brought over from no schema
  ///     restart with schema 2     change 2, 1 item, brought over from schema 1
  static let saysWhatItDid = StoreLaw(
    "store.says-what-it-did",
    "What a store says is so.",
    "Each change says its number, counted from 1, whether anything was changed, and its level; opening says the number "
      + "of the newest change, how many items there are, and from which schema they were brought over.",
    source: contract,
    shape: .init {
      $0.levels = [.data, .process, .memory, .full]
      $0.numberCount = 1
    },
    check: { trial in
      var files = MemoryFiles(StoreTrial.emptyDisk)
      var schema: UInt32 = 1
      var model = StoreModel()
      var count: UInt64 = 0
      func open() throws -> any OpenedStore {
        try trial.open(on: files) {
          $0.schema = schema
          $0.migration = .marks
        }
      }
      func difference(_ opening: StoreOpening, from old: UInt32?) -> Difference? {
        let said = (opening.sequence, opening.itemCount, opening.migratedFrom)
        let due = (count, model.rows.count, old)
        guard said != due else { return nil }
        return Difference(
          kind: "says.opening",
          summary: "opening says another number, count or schema",
          expected: "change \(due.0), \(due.1) items, brought over from \(text(of: due.2))",
          actual: "change \(said.0), \(said.1) items, brought over from \(text(of: said.2))"
        )
      }
      func text(of schema: UInt32?) -> String { schema.map { "\($0)" } ?? "none" }
      var store = try open()
      if let difference = difference(store.opening, from: nil) { return difference }
      for step in trial.sample.steps {
        switch step {
        case .change:
          guard let (saved, all) = StoreTrial.change(step) else { continue }
          // Whether saving and deleting one item at once is a change is left open.
          let deleted = all.filter { id in !saved.contains { $0.id == id } }
          let isChange = model.isChange(saving: saved, deleting: deleted)
          if isChange {
            count += 1
            model.apply(saving: saved, deleting: deleted)
          }
          let due = StoreReceipt(count, isChange: isChange, trial.sample.level)
          let said = try await store.change(saving: saved, deleting: deleted)
          guard said == due else {
            return Difference(
              kind: "says.change",
              summary: "a change says something else than it did",
              expected: "\(due)",
              actual: "\(said)"
            )
          }
        case .flush: try await store.flush()
        case .compact: try await store.compact()
        case .reopen:
          try await store.close()
          store = try open()
          if let difference = difference(store.opening, from: nil) { return difference }
        case .restart:
          try await store.flush()
          files = MemoryFiles(files.disk)
          let rises = trial.sample.number(0) % 3 == 2
          if rises { schema += 1 }
          store = try open()
          let old = rises ? schema - 1 : nil
          if let difference = difference(store.opening, from: old) { return difference }
        }
      }
      return nil
    }
  )

  /// Catches a level that is no cheaper than the one above it, and one that does less than it says.
  ///
  /// The floor of compaction is 1 MiB, so that none comes in between.
  ///
  ///     level          calls of a change
  ///     memory         none of any kind
  ///     process        writes, no synchronisation
  ///     data           writes, and one synchronisation
  ///     full           the same, as deep as the drive's cache
  ///     flush          at each level: what was changed since is synchronised as deep as that
  ///
  /// Worked example: an app saves each keystroke at the level `process`, since a flush follows. `store-syncs-always`
  /// waits for the disk each time.
  static let levelsCost = StoreLaw(
    "store.levels-cost",
    "A level costs what it says.",
    "A change makes no call of the file system at the level `memory`, writes and synchronises nothing at that of "
      + "`process`, and synchronises once at the others, also after reopening. At the level `full`, and behind a flush at "
      + "each, it is synchronised as deep as the drive's cache.",
    source: survival,
    needs: [.levels],
    shape: .init { $0.levels = [.process, .data, .memory, .full] },
    check: { trial in
      let calls = Shared<[CallRecord]>([])
      let memory = MemoryFiles(StoreTrial.emptyDisk)
      let files = FaultyFiles(memory) { call in calls.change { $0.append(call) } }
      func open() throws -> any OpenedStore {
        try trial.open(on: files) { $0.compactionFloor = 1 << 20 }
      }
      var store = try open()
      var model = StoreModel()
      // Whether a change waits for a synchronisation as deep as the drive.
      var isShallow = false
      for step in trial.sample.steps {
        calls.value = []
        let old = model.rows
        let isDone = try await StoreTrial.carryOut(step, on: store, &model).unlessRefused()
        let made = calls.value
        switch step {
        case .change(_, let deleted):
          guard isDone, model.rows != old || deleted.isEmpty else { continue }
          let syncs = made.filter { $0.call == .synchronize }
          let hasWritten = made.contains { $0.call == .write }
          let isRight =
            switch trial.sample.level {
            case .memory: made.isEmpty
            case .process: syncs.isEmpty && hasWritten
            case .data: syncs.count == 1 && hasWritten
            case .full: syncs.map(\.depth) == [.drive] && hasWritten
            }
          isShallow = !syncs.contains { $0.depth == .drive }
          guard isRight else {
            return Difference(
              kind: "level.cost",
              summary: "a change at the level \(trial.sample.level.rawValue) made other calls",
              actual: made.map(\.call.rawValue).joined(separator: ", ")
            )
          }
        case .flush:
          let isDeep = made.contains { $0.depth == .drive }
          guard isDeep || !isShallow else {
            return Difference(
              kind: "level.depth",
              summary: "a flush behind a change did not reach the drive's cache",
              expected: "a synchronisation as deep as the drive",
              actual: made.map(\.call.rawValue).joined(separator: ", ")
            )
          }
          isShallow = false
        case .compact:
          // Behind a flush new files are as deep, and leave a further one nothing to do.
          if made.contains(where: { $0.depth == .drive }) { isShallow = false }
        case .reopen, .restart:
          try await store.close()
          store = try open()
        }
      }
      return nil
    }
  )
}
