import FileSystems
import PropertyEngine
import Texts

// Stores that nothing disturbs: what is shown, over reopenings, compactions and equal histories,
// and what saving costs. A store that breaks one of these breaks most laws of crashes and faults,
// too; look here first.

extension StoreLaw {
  /// Stores that nothing disturbs.
  static let storingLaws: [StoreLaw] = [
    model, reopens, compaction, repeats, exactIDs, unencodable, cost,
  ]

  static let contract = LawSource.document("LocalStore.md", "What it promises")
  static let survival = LawSource.document("LocalStore.md", "What survives what")

  /// Catches everything that shows without a fault: order, overwriting, deletion, numbers.
  ///
  /// The model is compared after each step, not at the end: a later save may cover an earlier loss.
  /// A restart keeps the pending effects of the disk, as the end of a process does, and flushes
  /// first, since the level may be `memory`.
  ///
  /// Worked example: save b, save a, save b again. `store-no-order` shows [a, b], by a dictionary's
  /// order or a sort; due is [b, a].
  ///
  ///     step               rows due          number due
  ///     save b, save a     [b a]             2
  ///     save b again       [b a]             3: the place stays
  ///     delete b           [a]               4
  ///     save b             [a b]             5: a new place
  ///     delete z           [a b]             5: nothing was done
  static let model = StoreLaw(
    "store.model",
    "A store is an ordered dictionary.",
    "After each change, reading one item, all items, their number and that of the "
      + "newest change shows what an ordered dictionary holds, also after reopening.",
    source: contract,
    shape: .init { $0.levels = [.data, .process, .memory] },
    check: { trial in
      var files = MemoryFiles(StoreTrial.emptyDisk)
      var store = try trial.open(on: files)
      var model = StoreModel()
      var sequence: UInt64 = 0
      for step in trial.sample.steps {
        switch step {
        case .change:
          guard let (saved, deleted) = StoreTrial.change(step) else { continue }
          // The store says the number; that it grows by one with each change is not asked here but
          // of observers.
          sequence = try await store.apply(saving: saved, deleting: deleted)
          // Deleting what is not there is carried out and makes no state.
          model.applyIfChange(saving: saved, deleting: deleted)
        case .flush: try await store.flush()
        case .compact: try await store.compact()
        case .reopen:
          try await store.close()
          store = try trial.open(on: files)
        case .restart:
          try await store.flush()
          files = MemoryFiles(files.disk)
          store = try trial.open(on: files)
        }
        let shown = await store.snapshot()
        if let difference = difference(shown.rows, from: model.rows, "rows", "all items differ") {
          return difference
        }
        let count = await store.count()
        guard count == model.rows.count else {
          return Difference(
            kind: "count",
            summary: "the number of items differs",
            expected: "\(model.rows.count)",
            actual: "\(count)"
          )
        }
        guard shown.sequence == sequence else {
          return Difference(
            kind: "sequence",
            summary: "the number of the newest change differs",
            expected: "\(sequence)",
            actual: "\(shown.sequence)"
          )
        }
        for item in 0..<StoreSample.itemCount {
          let id = StoreSample.id(item)
          let expected = model.rows.first { $0.id == id }
          let found = await store.find(id)
          guard found == expected else {
            return Difference(
              kind: "item",
              summary: "item '\(id)' differs",
              expected: expected.map { rowsText([$0]) } ?? "none",
              actual: found.map { rowsText([$0]) } ?? "none"
            )
          }
        }
      }
      return nil
    }
  )

  /// Catches versions and order that live in memory alone.
  ///
  /// One more change is made after the first reopening, so that the versions compared come from two
  /// openings.
  ///
  /// Worked example: item a has version 3, the store is opened again and says 1, or none. A caller
  /// that saves with `ifVersion: 3` is then told of a conflict that there was not
  /// (`store-forgets-versions`).
  static let reopens = StoreLaw(
    "store.reopens",
    "Closing and reopening changes nothing.",
    "Items, their order and their versions are the same, and opening "
      + "says that the store was closed.",
    source: contract,
    shape: .init { $0.levels = [.data, .process, .memory] },
    check: { trial in
      let recording = try await trial.record(closing: true)
      let files = MemoryFiles(recording.end.disk)
      let store = try trial.open(on: files)
      let first = await store.snapshot()
      if let difference = difference(first.rows, from: recording.model.rows, "rows", "items differ")
      {
        return difference
      }
      guard store.opening.state == .closed else {
        return Difference(
          kind: "report",
          summary: "opening says something else of a store that was closed",
          expected: "closed",
          actual: store.opening.state.rawValue
        )
      }
      let changed = StoreRow("a", "changed")
      var model = StoreModel()
      model.revert(to: first.rows)
      model.apply(saving: [changed], deleting: [])
      _ = try await store.apply(saving: [changed], deleting: [])
      var versions: [UInt64?] = []
      for row in model.rows { versions.append(await store.version(of: row.id)) }
      try await store.close()
      let again = try trial.open(on: files)
      for (row, version) in zip(model.rows, versions) {
        guard await again.version(of: row.id) == version else {
          return Difference(kind: "version", summary: "the version of '\(row.id)' changed")
        }
      }
      return difference(await again.snapshot().rows, from: model.rows, "rows", "items differ")
    }
  )

  /// Catches a compaction that renumbers or sorts.
  ///
  /// The floor of 1 MiB keeps the store from compacting by itself, so that `before` is the state of
  /// a journal and `after` that of a snapshot.
  ///
  /// Worked example: `store-compaction-reorders` writes its snapshot sorted by ids; the order shows
  /// only after the next opening, and never in a test that does not compact.
  static let compaction = StoreLaw(
    "store.compaction-hidden",
    "Compacting shows nothing.",
    "Items, order, versions and the number of the newest change are as before, "
      + "then and after reopening.",
    source: contract,
    shape: .init { $0.hasReopening = false },
    check: { trial in
      let files = MemoryFiles(StoreTrial.emptyDisk)
      let store = try trial.open(on: files) { $0.compactionFloor = 1 << 20 }
      for (saved, deleted) in trial.changes {
        _ = try await store.apply(saving: saved, deleting: deleted)
      }
      // All that a caller can see: rows in their order, versions, and the newest number.
      func state(_ store: any OpenedStore) async -> ([StoreRow], [UInt64?], UInt64) {
        let shown = await store.snapshot()
        var versions: [UInt64?] = []
        for row in shown.rows { versions.append(await store.version(of: row.id)) }
        return (shown.rows, versions, shown.sequence)
      }
      let before = await state(store)
      try await store.compact()
      let after = await state(store)
      try await store.close()
      let reopened = await state(try trial.open(on: files))
      for (name, other) in [("compacting", after), ("reopening", reopened)] where other != before {
        return Difference(
          kind: "compaction",
          summary: "\(name) changed what is shown",
          expected: "\(rowsText(before.0)), versions \(before.1), \(before.2)",
          actual: "\(rowsText(other.0)), versions \(other.1), \(other.2)"
        )
      }
      return nil
    }
  )

  /// Catches clocks, random names and hash order in files: files could not be compared, and no case
  /// would replay.
  ///
  /// Misses what differs from process to process or from system to system: both runs are in this
  /// process.
  ///
  /// `store-stores-the-moment` counts its writes over all stores of the process: the second run
  /// begins where the first one ended. One run compared with bytes in a test would be out of date
  /// with each change of the form.
  static let repeats = StoreLaw(
    "store.bytes-repeat",
    "Equal histories make equal files.",
    "The same steps on two empty disks leave the same names and bytes.",
    source: contract,
    check: { trial in
      let first = try await trial.record(closing: true).end.disk
      let second = try await trial.record(closing: true).end.disk
      guard first.paths == second.paths else {
        return Difference(
          kind: "names",
          summary: "the files have other names",
          expected: "\(first.paths)",
          actual: "\(second.paths)"
        ).between("the files of one run", "the files of another run").ofPeers()
      }
      for path in first.paths {
        let (one, other) = (first.bytes(at: path) ?? [], second.bytes(at: path) ?? [])
        guard one != other else { continue }
        let place = zip(one, other).prefix { $0 == $1 }.count
        return Difference(
          kind: "bytes",
          summary: "\(path.last ?? "") has other bytes from offset \(place) on",
          expected: excerpt(of: one, from: place),
          actual: excerpt(of: other, from: place)
        ).between("the file of one run", "the file of another run").ofPeers()
      }
      return nil
    }
  )

  /// Some bytes in digits, with how many there are in all.
  private static func excerpt(of bytes: [UInt8], from place: Int) -> String {
    let shown = bytes[place...].prefix(12)
    let rest = shown.endIndex < bytes.count ? " ..." : ""
    // Apart, since long numbers in digits are taken for hashes and shown by their beginning.
    let digits = shown.map { hexString([$0]) }.joined(separator: " ")
    return "\(digits)\(rest) of \(bytes.count) bytes"
  }

  /// Catches dictionaries of Swift's strings, in which the second spelling finds the first.
  ///
  /// Two pairs: one letter in two forms of normalisation, and one letter with two marks in two
  /// orders. `==` takes the members of each pair for equal.
  ///
  /// Worked example: a file of JSON with both keys, read into `[String: Item]`: one item is left.
  ///
  ///     U+00E9                    c3 a9
  ///     e, U+0301                 65 cc 81             equal to the first by `==`
  ///     a, U+0323, U+0307         61 cc a3 cc 87
  ///     a, U+0307, U+0323         61 cc 87 cc a3       equal to the third by `==`
  static let exactIDs = StoreLaw(
    "store.ids-exact",
    "Ids are told apart by bytes.",
    "Two spellings of a letter that Swift takes for equal are two items, in "
      + "memory and after reopening; an update that changes the spelling is refused.",
    source: contract,
    shape: .init {
      $0.steps = 0...3
      $0.numberCount = 1
    },
    check: { trial in
      // Precomposed and decomposed, and two orders of marks.
      let pairs = [("\u{e9}", "e\u{301}"), ("a\u{323}\u{307}", "a\u{307}\u{323}")]
      let (one, other) = pairs[trial.sample.number(0) % pairs.count]
      let files = MemoryFiles(StoreTrial.emptyDisk)
      let store = try trial.open(on: files)
      let rows = [StoreRow(one, "one"), StoreRow(other, "other")]
      for row in rows { _ = try await store.apply(saving: [row], deleting: []) }
      if let difference = difference(await store.snapshot().rows, from: rows, "ids", "items differ")
      {
        return difference
      }
      do {
        _ = try await store.update(one) { _ in StoreRow(other, "respelled") }
        return Difference(kind: "ids.update", summary: "an update gave its item another spelling")
      } catch let complaint as StoreComplaint where complaint.kind == .conflict {}
      try await store.close()
      let again = try trial.open(on: files)
      guard await again.find(other) == rows[1] else {
        return Difference(kind: "ids.find", summary: "the second spelling finds another item")
      }
      _ = try await again.apply(saving: [], deleting: [one])
      return difference(await again.snapshot().rows, from: [rows[1]], "ids", "items differ")
    }
  )

  /// Catches an item that is taken into memory before it was encoded: every later save of the whole
  /// would fail for its sake.
  ///
  /// The bad item stands beside a good one in its batch, which must not be saved either: a change
  /// is whole.
  ///
  /// Worked example: item a holds NaN, which JSON lacks. `store-poisoned` takes it into its memory
  /// and fails to write the whole: from then on each save of any item is refused for a's sake.
  static let unencodable = StoreLaw(
    "store.unencodable-alone",
    "An unencodable item harms no other.",
    "Its own call is refused and changes nothing; saving others goes on.",
    source: contract,
    shape: .init { $0.hasReopening = false },
    check: { trial in
      let files = MemoryFiles(StoreTrial.emptyDisk)
      let store = try trial.open(on: files)
      var model = StoreModel()
      // Item a, which steps save as well: its earlier text must stay.
      let poison = StoreRow(StoreSample.id(0), "poison", isUnencodable: true)
      for step in trial.sample.steps {
        do {
          _ = try await store.apply(saving: [StoreRow("z", "before"), poison], deleting: [])
          return Difference(kind: "poison.taken", summary: "an unencodable item was saved")
        } catch let complaint as StoreComplaint where complaint.kind == .unencodable {}
        if let difference = difference(
          await store.snapshot().rows,
          from: model.rows,
          "poison.shown",
          "the refused call changed what is shown"
        ) {
          return difference
        }
        guard let (saved, deleted) = StoreTrial.change(step) else { continue }
        _ = try await store.apply(saving: saved, deleting: deleted)
        model.applyIfChange(saving: saved, deleting: deleted)
      }
      try await store.close()
      let again = try trial.open(on: files)
      return difference(
        await again.snapshot().rows,
        from: model.rows,
        "poison.stored",
        "items differ"
      )
    }
  )

  /// Catches stores that write everything on each save, which is quadratic, and shows only with
  /// many items.
  ///
  /// 64 to 319 items are saved one by one. A store that writes all items on each change writes
  /// about `n` / 2 times what is saved, at least 32 times; one that appends and doubles writes each
  /// byte once, and perhaps twice more in snapshots. Four lies between. 128 bytes an item stand for
  /// its frame and JSON, 4096 for headers and files of a new store. Every other sample opens the store again and again
  /// on its way, which may cost 256 bytes each time. Misses costs of replacing and deleting, and of reading.
  ///
  /// Worked example: 64 items count as some 10,000 bytes, so that about 45,000 may be written. A
  /// store that writes all items each time writes 1 + 2 + ... + 64 = 2080 of them: at 100 bytes
  /// each, 208,000.
  static let cost = StoreLaw(
    "store.cost-amortised",
    "Saving costs what is saved.",
    "All bytes that are written are at most four times those of the saved items, "
      + "each counted with 128 bytes of its own, 4096 bytes for the store itself, and 256 for each time it is opened "
      + "again.",
    source: contract,
    needs: [.amortised],
    costs: 8,
    shape: .init {
      $0.steps = 1...4
      $0.numberCount = 2
    },
    check: { trial in
      let written = Shared(0)
      let files = MemoryFiles(StoreTrial.emptyDisk).countingWrites(in: written)
      var store = try trial.open(on: files)
      var saved = 0
      for index in 0..<(64 + trial.sample.number(0)) {
        let row = StoreRow("item-\(index)", StoreSample.text(index % 40))
        _ = try await store.apply(saving: [row], deleting: [])
        saved += row.id.utf8.count + row.text.utf8.count + 128
        guard trial.sample.number(1) % 2 == 1, index % 8 == 7 else { continue }
        try await store.close()
        store = try trial.open(on: files)
        saved += 64
      }
      try await store.close()
      let limit = 4 * saved + 4096
      let bytes = written.value
      guard bytes > limit else { return nil }
      return Difference(
        kind: "cost",
        summary: "more was written than saving may cost",
        expected: "at most \(limit) bytes",
        actual: "\(bytes) bytes"
      )
    }
  )
}
