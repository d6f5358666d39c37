import FileSystems
import PropertyEngine

// Calls of a store that is closed. How a store is closed under way is asked in `CallerLaws.swift`.

extension StoreLaw {
  /// Catches a call that a closed store answers as if it were done, since there was nothing to do.
  ///
  /// Worked example: an app deletes what is not there, behind the end of the store. Told that it is done, it takes the
  /// store for open.
  ///
  ///     a save, a deletion of what is there or not, an update     closed
  ///     a save that expects another version                       closed, or a conflict
  ///     a flush, a compaction                                     closed
  ///     reading                                                   what was there
  ///
  /// The number says which call comes first: one that is refused by the files may tell the store what it had not noted.
  static let closedRefuses = StoreLaw(
    "callers.closed-refuses",
    "A closed store refuses each call.",
    "A store that was closed refuses each change, also one that would do nothing, each flush and each compaction as "
      + "closed, stores nothing of them, says that it carries nothing out, and shows what it had.",
    source: contract,
    shape: .init {
      $0.levels = [.data, .process, .memory]
      $0.numberCount = 1
    },
    check: { trial in
      let files = MemoryFiles(StoreTrial.emptyDisk)
      let store = try trial.open(on: files)
      var model = StoreModel()
      for step in trial.sample.steps {
        try await StoreTrial.carryOut(step, on: store, &model).unlessRefused()
      }
      try await store.close()
      let id = model.rows.last?.id ?? "z"
      let calls: [(name: String, call: () async throws -> Void)] = [
        ("a save", { _ = try await store.apply(saving: [StoreRow("z", "late")], deleting: []) }),
        ("a deletion", { _ = try await store.apply(saving: [], deleting: [id]) }),
        ("a deletion of nothing", { _ = try await store.apply(saving: [], deleting: ["none"]) }),
        ("an empty change", { _ = try await store.apply(saving: [], deleting: []) }),
        ("an update", { _ = try await store.update(id) { _ in StoreRow(id, "late") } }),
        ("an update to nothing", { _ = try await store.update("none") { _ in nil } }),
        ("a conditional save", { _ = try await store.save(StoreRow(id, "late"), ifVersion: 999) }),
        ("a flush", { try await store.flush() }),
        ("a compaction", { try await store.compact() }),
      ]
      guard await !store.isWritable() else {
        return Difference(
          kind: "closed.health",
          summary: "a closed store says that it carries changes out"
        )
      }
      let start = trial.sample.number(0) % calls.count
      for (name, call) in calls[start...] + calls[..<start] {
        do {
          try await call()
          return Difference(kind: "closed.done", summary: "a closed store carried out \(name)")
        } catch let complaint as StoreComplaint {
          let mayConflict = name == "a conditional save"
          guard complaint.kind == .closed || mayConflict && complaint.kind == .conflict else {
            return Difference(
              kind: "closed.kind",
              summary: "a closed store refuses \(name) as something else: \(complaint)",
              expected: StoreComplaint.Kind.closed.rawValue,
              actual: complaint.kind.rawValue
            )
          }
        }
      }
      for (kind, rows) in [
        ("closed.rows", await store.snapshot().rows),
        ("closed.stored", try await trial.open(on: files).snapshot().rows),
      ] {
        if let found = difference(rows, from: model.rows, kind, "items differ") { return found }
      }
      return nil
    }
  )
}
