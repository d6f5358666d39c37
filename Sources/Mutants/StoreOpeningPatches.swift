/// Bugs of the store in openings, in what is kept of damage, and with the seed's file.
let storeOpeningPatches: [SourcePatch] = [
  // MARK: StoreEngine+Open.swift

  SourcePatch(
    .store("empty-listing-believed"),
    "A folder that is listed as empty, without the lock that the store has just taken there, is one.",
    law: "damage.missing-noticed",
    in: "Sources/LocalStore/StoreEngine+Open.swift",
    "names.contains { $0.uppercased() == StoreFile.lock }",
    becomes: "true"
  ),
  SourcePatch(
    .store("unlisted-snapshot-is-gone"),
    "A snapshot that the folder does not list counts as gone, and is written over.",
    law: "damage.missing-noticed",
    in: "Sources/LocalStore/StoreEngine+Open.swift",
    "!known.contains(snapshot)",
    becomes: "false"
  ),
  SourcePatch(
    .store("torn-end-thrown-away"),
    "What is cut off at the end of the journal is kept nowhere.",
    law: "damage.kept-aside",
    in: "Sources/LocalStore/StoreEngine+Open.swift",
    #"try quarantine(Array(bytes[scan.end..<(scan.end + count)]), "\(name).from-\(scan.end)")"#,
    becomes: "_ = count",
    as: .statements
  ),
  SourcePatch(
    .store("migration-sets-versions"),
    "Bringing items over gives each the number of the newest change.",
    law: "version.migrates-whole",
    in: "Sources/LocalStore/StoreEngine+Open.swift",
    "StoredItem(version: entry.value.version, payload: payload)",
    becomes: "StoredItem(version: sequence, payload: payload)"
  ),
  SourcePatch(
    .store("salvaged-not-migrated"),
    "What is salvaged is written as of the new schema before it is brought over.",
    law: "version.migrates-whole",
    in: "Sources/LocalStore/StoreEngine+Open.swift",
    """
    try judge(damage, [StoreFile.snapshot(generation).name, name])
          return false
    """,
    becomes: """
      try judge(damage, [StoreFile.snapshot(generation).name, name])
      if health == .ok { try compact() }
      return false
      """,
    as: .statements
  ),
  SourcePatch(
    .store("lost-snapshot-is-new"),
    "A store whose snapshot is gone counts as a new one if its journal is empty.",
    law: "damage.missing-noticed",
    in: "Sources/LocalStore/StoreEngine+Open.swift",
    "!scan.changes.isEmpty || sequence > firstSequence",
    becomes: "!scan.changes.isEmpty"
  ),
  SourcePatch(
    .store("rest-needs-header"),
    "Of a snapshot whose header is damaged nothing is served.",
    law: "damage.rest-served",
    in: "Sources/LocalStore/StoreEngine+Open.swift",
    "rest.header ?? journal.header",
    becomes: "rest.header"
  ),
  SourcePatch(
    .store("rest-lacks-journal"),
    "Beside a damaged snapshot the changes of its journal do not count.",
    law: "damage.rest-served",
    in: "Sources/LocalStore/StoreEngine+Open.swift",
    "journal.header?.generation == generation",
    becomes: "journal.header == nil"
  ),
  SourcePatch(
    .store("schema-rises-late"),
    "A schema that rises without a migration is noted at the next compaction.",
    law: "version.rises-once",
    in: "Sources/LocalStore/StoreEngine+Open.swift",
    "schema < options.schema",
    becomes: "schema < options.schema && options.migrate != nil"
  ),
  SourcePatch(
    .store("does-not-say-what-it-migrated"),
    "The report of an opening does not say from which schema items were brought over.",
    law: "store.says-what-it-did",
    in: "Sources/LocalStore/StoreEngine+Open.swift",
    "report.migratedFrom = schema",
    becomes: "_ = schema",
    as: .statements
  ),
  SourcePatch(
    .store("writes-anew-once-opened"),
    "The first change behind each opening rewrites the whole state.",
    law: "store.cost-amortised",
    in: "Sources/LocalStore/StoreEngine+Open.swift",
    "compactionSize = max(options.compactionFloor, snapshotSize)",
    becomes: "compactionSize = 0",
    as: .statements
  ),
  SourcePatch(
    .store("found-journal-is-sure"),
    "A journal that was not closed counts as synchronised.",
    law: "crash.found-is-made-sure",
    in: "Sources/LocalStore/StoreEngine+Open.swift",
    "isUnsynced = !scan.isClosed",
    becomes: "isUnsynced = scan.tail != .none",
    as: .statements
  ),
  SourcePatch(
    .store("believes-unsynchronised"),
    "An opening synchronises a journal whose bytes the system has given up, and takes them for sure.",
    law: "crash.refused-elsewhere",
    in: "Sources/LocalStore/StoreEngine+Open.swift",
    "try writeAgain(bytes, scan)",
    becomes: "_ = scan.syncedEnd",
    as: .statements
  ),
  SourcePatch(
    .store("names-stay-unsure"),
    "An opening takes names for sure that a process which ended early has given.",
    law: "crash.refused-elsewhere",
    in: "Sources/LocalStore/StoreEngine+Open.swift",
    "if report.state != .closed { try settleNames() }",
    becomes: "_ = settleNames",
    as: .statements
  ),
  SourcePatch(
    .store("new-store-on-read-only-medium"),
    "A new store is made, and is empty, where no file can be made.",
    law: "fault.read-only-medium",
    in: "Sources/LocalStore/StoreEngine+Open.swift",
    "report.state != .missing",
    becomes: "true"
  ),
  SourcePatch(
    .store("journal-of-any-generation"),
    "A journal counts whichever snapshot it was begun behind.",
    law: "damage.forged-refused",
    in: "Sources/LocalStore/StoreEngine+Open.swift",
    "scan.tail == .none || scan.header != nil",
    becomes: "false"
  ),
  SourcePatch(
    .store("torn-is-not-told"),
    "A store whose end was cut off is called interrupted.",
    law: "damage.kept-told",
    in: "Sources/LocalStore/StoreEngine+Open.swift",
    "if report.state != .damaged { report.state = .torn }",
    becomes: "",
    as: .statements
  ),
  SourcePatch(
    .store("folder-for-all"),
    "Others can list the folder of a store.",
    law: "place.files-private",
    in: "Sources/LocalStore/StoreEngine+Open.swift",
    "status == nil ? 0o700 : nil",
    becomes: "status == nil ? 0o755 : nil"
  ),
  SourcePatch(
    .store("salvaged-are-of-one-version"),
    "What is salvaged of a snapshot is of the newest change of all.",
    law: "damage.rest-served",
    in: "Sources/LocalStore/StoreEngine+Open.swift",
    """
    for (sequence, item) in rest.items where sequence == header.sequence && table[item.id] == nil {
          table.put(item.id, StoredItem(version: item.version, payload: item.payload))
        }
    """,
    becomes: """
      for (sequence, item) in rest.items where sequence == header.sequence && table[item.id] == nil {
            table.put(item.id, StoredItem(version: sequence, payload: item.payload))
          }
      """,
    as: .statements
  ),
  SourcePatch(
    .store("damaged-newest-passed-over"),
    "A damaged snapshot is passed over for an older one though changes were made behind it.",
    law: "damage.noticed",
    in: "Sources/LocalStore/StoreEngine+Open.swift",
    "isLast || !scan.changes.isEmpty || scan.tail != .none",
    becomes: "isLast || scan.tail != .none"
  ),

  // MARK: StoreEngine+Quarantine.swift

  SourcePatch(
    .store("one-copy-is-enough"),
    "A salvage goes on if one of its copies was made.",
    law: "damage.kept-when-refused",
    in: "Sources/LocalStore/StoreEngine+Quarantine.swift",
    "if let failure { throw failure }",
    becomes: "if let failure, report.quarantined.isEmpty { throw failure }",
    as: .statements
  ),
  SourcePatch(
    .store("unreadable-foreign-file-refuses"),
    "A file of the seed's name that may not be read keeps the store from opening.",
    law: "seed.foreign-left",
    in: "Sources/LocalStore/StoreEngine+Quarantine.swift",
    "if case .readOnly = error.reason { return nil }",
    becomes: "_ = error",
    as: .statements
  ),
  SourcePatch(
    .store("copies-without-a-name"),
    "The folder of what is put aside is not synchronised.",
    law: "damage.kept-at-crash",
    in: "Sources/LocalStore/StoreEngine+Quarantine.swift",
    """
    try files.rename(fresh, in: shelf, to: target, in: shelf)
          try files.settle(folder: shelf)
    """,
    becomes: "try files.rename(fresh, in: shelf, to: target, in: shelf)",
    as: .statements
  ),
  SourcePatch(
    .store("seed-is-no-change"),
    "The items of the seed's file are of a change that the store does not count.",
    law: "seed.taken-over",
    in: "Sources/LocalStore/StoreEngine+Quarantine.swift",
    "sequence = 1",
    becomes: "",
    as: .statements
  ),
  SourcePatch(
    .store("seed-never-migrated"),
    "Items of the seed's file count as of the newest schema.",
    law: "seed.taken-over",
    in: "Sources/LocalStore/StoreEngine+Quarantine.swift",
    "_ = try migrate(from: Self.legacySchema)",
    becomes: "",
    as: .statements
  ),
  SourcePatch(
    .store("elements-without-id-untold"),
    "An opening does not say which elements of the seed's file have no id.",
    law: "seed.taken-over",
    in: "Sources/LocalStore/StoreEngine+Quarantine.swift",
    "report.unreadableElements = contents.unreadable",
    becomes: "",
    as: .statements
  ),
  SourcePatch(
    .store("foreign-file-read"),
    "A file of the seed's name is read at each opening, whatever its size.",
    law: "seed.foreign-left",
    in: "Sources/LocalStore/StoreEngine+Quarantine.swift",
    "legacy.count == UInt64(status.size)",
    becomes: "true"
  ),
  SourcePatch(
    .store("trusts-found-copy"),
    "A copy of damaged bytes that an earlier opening has made counts as sure.",
    law: "damage.kept-at-crash",
    in: "Sources/LocalStore/StoreEngine+Quarantine.swift",
    "try files.make(fresh, in: shelf, mode: options.fileMode, bytes, depth)",
    becomes: """
      if try files.contents(of: target, in: shelf) == bytes { return }
            try files.make(fresh, in: shelf, mode: options.fileMode, bytes, depth)
      """,
    as: .statements
  ),
  SourcePatch(
    .store("seed-moved-by-size"),
    "A file at the seed's place counts as the seed by its size.",
    law: "seed.foreign-left",
    in: "Sources/LocalStore/StoreEngine+Quarantine.swift",
    "legacy.checksum == crc32(of: bytes, in: bytes.indices)",
    becomes: "true"
  ),
]
