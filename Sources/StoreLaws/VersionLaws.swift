import FaultInjection
import FileSystems
import PropertyEngine

// Files of later versions and of other schemas.

extension StoreLaw {
  /// Files of other versions, and of other schemas.
  static let versionLaws: [StoreLaw] = [laterRefused, migrates, risesOnce]

  /// Catches a downgrade that rewrites what it does not understand.
  ///
  /// Schema 7 over schema 1, the default of laws. Whether a save is carried out does not matter:
  /// opening must throw.
  ///
  /// Worked example: schema 7 has a property that schema 1 does not know. `store-no-version` opens
  /// the store, and the first save of an item writes it without the property.
  static let laterRefused = StoreLaw(
    "version.later-refused",
    "A later version is refused untouched.",
    "A store whose items are of a higher schema than the program knows is "
      + "not opened, and no byte of it changes.",
    source: contract,
    check: { trial in
      let files = MemoryFiles(StoreTrial.emptyDisk)
      let later = try trial.open(on: files) { $0.schema = 7 }
      for (saved, deleted) in trial.changes {
        _ = try await later.apply(saving: saved, deleting: deleted)
      }
      try await later.close()
      let before = files.disk
      do {
        let store = try trial.open(on: files)
        _ = try? await store.apply(saving: [StoreRow("z", "older")], deleting: [])
        return Difference(
          kind: "later.opened",
          summary: "a store of schema 7 was opened as one of 1"
        )
      } catch let complaint as StoreComplaint where complaint.kind == .laterVersion {}
      return before.firstFile(changedOn: files.disk).map {
        Difference(kind: "later.changed", summary: "\($0.last ?? "") was changed")
      }
    }
  )

  /// Catches migrations item by item in place, and files of the new schema that hold items of the old one.
  ///
  /// Number 0 by its remainder of 3: 0 closed and whole, 1 closed and damaged, 2 not closed and
  /// damaged. What the store salvages without a migration is the state that the migration must
  /// bring over whole.
  ///
  /// Worked example: a migration item by item in place, and a crash after the first of two. The
  /// next opening either puts a second mark behind the first item or leaves the second without one.
  ///
  ///     items                     [a "x" of version 2, b "y" of version 5]
  ///     schema 2                  [a "x#" of version 2, b "y#" of version 5]
  ///     schema 2, a crash         either of the two lines on the disk; opened again, the second
  ///     b is refused              the first, and no "#" anywhere: `store-migrates-some` has "x#" and "y"
  static let migrates = StoreLaw(
    "version.migrates-whole",
    "All items are brought over, or none.",
    "With a higher schema each item is as the migration makes it, of the version that it had, also what is "
      + "salvaged of a damaged store; if one is refused, or a crash comes at any call, all are as before or all are new.",
    source: contract,
    shape: .init {
      $0.hasSecondCrash = true
      $0.hasDamage = true
      $0.numberCount = 1
    },
    check: { trial in
      let recording = try await trial.record(closing: trial.sample.number(0) % 3 != 2)
      var disk = recording.end.disk
      if trial.sample.number(0) % 3 > 0 {
        let path = try file(trial.sample.file, of: disk) { !$0.isEmpty }
        disk.damage(path) { trial.sample.damage.apply(to: &$0) }
      }
      // Damaged stores are opened too, so that what is salvaged of them is brought over.
      func salvaging(_ settings: inout StoreSettings) { settings.onDamage = .salvage }
      // The migration `marks` puts a "#" behind each text, so that one done twice shows.
      func later(_ settings: inout StoreSettings) {
        salvaging(&settings)
        settings.schema = 2
        settings.migration = .marks
      }
      let before = try trial.open(on: MemoryFiles(disk), salvaging)
      let old = await before.snapshot().rows
      let new = old.map { StoreRow($0.id, $0.text + "#") }
      var versions: [UInt64?] = []
      for row in old { versions.append(await before.version(of: row.id)) }
      // A crash on the way.
      let crashed = try trial.interruptedOpening(disk, later)
      let after = try trial.open(on: MemoryFiles(crashed), later)
      if let difference = difference(
        await after.snapshot().rows,
        from: new,
        "migration.crash",
        "after a crash and another opening items are not as the migration makes them"
      ) {
        return difference
      }
      for (row, version) in zip(old, versions) where await after.version(of: row.id) != version {
        return Difference(
          kind: "migration.version",
          summary: "bringing '\(row.id)' over changed its version"
        )
      }
      // An item that is refused.
      guard let refused = old.last else { throw Skipped("the store has no items") }
      let files = MemoryFiles(disk)
      do {
        _ = try trial.open(on: files) { settings in
          later(&settings)
          settings.migration = .refuses(refused.id)
        }
        return Difference(kind: "migration.ignored", summary: "a refused item was passed over")
      } catch let complaint as StoreComplaint where complaint.kind == .migration {}
      return difference(
        try await trial.open(on: MemoryFiles(files.disk), salvaging).snapshot().rows,
        from: old,
        "migration.partial",
        "a refused migration changed items"
      )
    }
  )

  /// A file says one schema for all of its items, so that those saved since it rose count as brought over.
  ///
  /// Catches a schema that is noted at the next compaction alone: until then items of two forms stand under the older
  /// number, and a later migration takes the new ones for old.
  ///
  /// Worked example: opened with schema 2 and no migration, an item of form 2 is saved. If the file
  /// still says 1, an opening with schema 2 and a migration takes it for one of form 1 and marks
  /// it.
  ///
  ///     schema 1                  a
  ///     schema 2, no migration    a, of-two        from here on the store is of schema 2
  ///     schema 2, marks           a, of-two        nothing is brought over
  ///     schema 3, marks           a#, of-two#      each once
  static let risesOnce = StoreLaw(
    "version.rises-once",
    "A schema that rose stays the store's.",
    "A store that was opened with a higher schema and no migration is of that schema from then on: opened with it "
      + "again and a migration its items stay as they are, and with a higher one each is brought over once.",
    source: contract,
    check: { trial in
      let files = MemoryFiles(try await trial.record(closing: true).end.disk)
      func open(
        _ schema: UInt32,
        _ migration: StoreSettings.Migration
      ) async throws -> [StoreRow] {
        let store = try trial.open(on: files) {
          $0.schema = schema
          $0.migration = migration
        }
        if migration == .none {
          _ = try await store.apply(saving: [StoreRow("of-two", "2")], deleting: [])
        }
        let rows = await store.snapshot().rows
        try await store.close()
        return rows
      }
      let rows = try await open(2, .none)
      if let difference = difference(
        try await open(2, .marks),
        from: rows,
        "schema.again",
        "items of the schema that a store was opened with are brought over to it"
      ) {
        return difference
      }
      return difference(
        try await open(3, .marks),
        from: rows.map { StoreRow($0.id, $0.text + "#") },
        "schema.later",
        "items are not as one migration makes them"
      )
    }
  )

  /// Catches an item that is shown under an id by which it cannot be found, and is stored a second time when it is saved
  /// again.
  ///
  /// A migration that changes ids makes such bytes. They are kept for a version that knows what to do with them.
  ///
  /// Worked example: the bytes of item `c` say `c-renamed`. Opening names `c` among what does not decode, and shows the
  /// others; an update of it is refused, and a deletion deletes it.
  static let otherID = StoreLaw(
    "version.other-id",
    "An item that says another id is kept.",
    "An item whose bytes say another id than that under which it is stored is named as one that does not decode, counted "
      + "and not shown, also after reopening, is not updated, and can be deleted; all others are shown.",
    source: contract,
    check: { trial in
      let files = MemoryFiles(try await trial.record(closing: true).end.disk)
      let before = try trial.open(on: files)
      let old = await before.snapshot().rows
      try await before.close()
      guard let renamed = old.last else { throw Skipped("the store has no items") }
      let shown = old.dropLast().map { StoreRow($0.id, $0.text + "#") }
      for round in 0..<3 {
        let store = try trial.open(on: files) { settings in
          settings.schema = 2
          settings.migration = .renames(renamed.id)
        }
        let isThere = round < 2
        let (rows, count) = (await store.snapshot().rows, await store.count())
        if let found = difference(rows, from: shown, "other-id.rows", "items differ") {
          return found
        }
        guard store.opening.undecodable == (isThere ? [renamed.id] : []),
          count == shown.count + (isThere ? 1 : 0), await store.find(renamed.id) == nil
        else {
          return Difference(
            kind: "other-id.report",
            summary: "an item that says another id is not named and counted as it should be",
            expected: isThere ? renamed.id : "none",
            actual: "\(store.opening.undecodable), \(count) items"
          )
        }
        if round == 1 {
          do {
            _ = try await store.update(renamed.id) { _ in nil }
            return Difference(
              kind: "other-id.updated",
              summary: "an update deleted an item that it could not see"
            )
          } catch let complaint as StoreComplaint where complaint.kind == .conflict {}
          _ = try await store.apply(saving: [], deleting: [renamed.id])
        }
        try await store.close()
      }
      return nil
    }
  )
}
