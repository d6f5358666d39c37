/// Bugs of stores: of large ones, conditional changes, limits, interrupted rewritings, documents, observers.
let storePatches: [SourcePatch] = [
  SourcePatch(
    .store("holes-closed-wrongly"),
    "Closing the holes of deleted items moves each position one too far.",
    law: "store.many-items",
    in: "Sources/LocalStore/OrderedTable.swift",
    "if let entry { positions[entry.id] = index }",
    becomes: "if let entry { positions[entry.id] = max(0, index - 1) }",
    as: .statements
  ),
  SourcePatch(
    .store("snapshot-pieces-overlap"),
    "The second piece of a large snapshot is written over the first.",
    law: "store.many-items",
    in: "Sources/LocalStore/StoreEngine+Compact.swift",
    """
    size += bytes.count
            bytes.removeAll(keepingCapacity: true)
    """,
    becomes: "bytes.removeAll(keepingCapacity: true)",
    as: .statements
  ),
  SourcePatch(
    .store("updates-see-old-items"),
    "An update gets the item as it was before the changes that are written with it.",
    law: "callers.updates-atomic",
    in: "Sources/LocalStore/LocalRepository+Changes.swift",
    "try body(view[key]?.item)",
    becomes: "try body(view.rows[key]?.item)"
  ),
  SourcePatch(
    .store("rounds-forget-deletions"),
    "A change sees an item that a change before it in the same round has deleted.",
    law: "callers.updates-atomic",
    in: "Sources/LocalStore/LocalRepository+Changes.swift",
    """
    view.overlay[step.operation.id] =
              isDelete ? .some(nil) : Row(version: next, item: step.item)
    """,
    becomes:
      "if !isDelete { view.overlay[step.operation.id] = Row(version: next, item: step.item) }",
    as: .statements
  ),
  SourcePatch(
    .store("empty-change-takes-number"),
    "A change that does nothing takes a number in the eyes of those behind it in its round.",
    law: "callers.numbers",
    in: "Sources/LocalStore/LocalRepository+Changes.swift",
    "planned.append(steps)",
    becomes: """
      planned.append(steps)
            if case .success(let own) = steps, own.isEmpty { next += 1 }
      """,
    as: .statements
  ),
  SourcePatch(
    .store("sure-of-one-less"),
    "What a synchronisation has made sure is told one round late.",
    law: "damage.noticed",
    in: "Sources/LocalStore/StoreEngine+Commit.swift",
    "synced = sequence",
    becomes: "synced = max(synced, self.sequence)",
    as: .statements
  ),
  SourcePatch(
    .store("deletes-any-version"),
    "A conditional deletion does not look at the version.",
    law: "store.conditional",
    in: "Sources/LocalStore/LocalRepository+Changes.swift",
    "try Self.require(version, of: id, in: view)",
    becomes: "",
    as: .statements
  ),
  SourcePatch(
    .store("largest-item-refused"),
    "An item of just the allowed size is refused.",
    law: "store.limits-exact",
    in: "Sources/LocalStore/StoreEngine+Commit.swift",
    "operation.payload.count <= itemLimit",
    becomes: "operation.payload.count < itemLimit"
  ),
  SourcePatch(
    .store("batch-limit-forgotten"),
    "A batch may be of any size.",
    law: "store.limits-exact",
    in: "Sources/LocalStore/StoreEngine+Commit.swift",
    "guard size <= limit else { throw StoreError(.tooLarge(size: size, limit: limit), .evaluate) }",
    becomes: "",
    as: .statements
  ),
  SourcePatch(
    .store("journal-outgrows-snapshot"),
    "The journal may be eight times as large as its snapshot.",
    law: "store.space-bounded",
    in: "Sources/LocalStore/StoreEngine+Compact.swift",
    "guard journalSize > compactionSize else { return }",
    becomes: "guard journalSize > 8 * compactionSize else { return }",
    as: .statements
  ),
  SourcePatch(
    .store("generation-used-twice"),
    "A compaction takes the number of one whose renaming may have come about.",
    law: "crash.after-refusal",
    in: "Sources/LocalStore/StoreEngine+Compact.swift",
    "max(generation, attempted) + 1",
    becomes: "generation + 1"
  ),
  SourcePatch(
    .store("refused-renaming-believed"),
    "A snapshot whose renaming was refused loses its journal, although it has its name.",
    law: "crash.after-refusal",
    in: "Sources/LocalStore/StoreEngine+Compact.swift",
    "mayBePresent(name, in: folder)",
    becomes: "false"
  ),
  SourcePatch(
    .store("cut-not-synchronised"),
    "What a refused append wrote is cut off, and may come back by a crash.",
    law: "crash.after-refusal",
    in: "Sources/LocalStore/StoreEngine+Commit.swift",
    """
    try files.cut(journal, to: size)
            try files.settle(journal, depth)
    """,
    becomes: "try files.cut(journal, to: size)",
    as: .statements
  ),
  SourcePatch(
    .store("rounds-refused-whole"),
    "An item that is too large refuses all changes that are written with it.",
    law: "callers.refusal-alone",
    in: "Sources/LocalStore/LocalRepository+Changes.swift",
    "try options.check(steps.map { $0.operation })",
    becomes: "",
    as: .statements
  ),
  SourcePatch(
    .store("new-items-not-deleted"),
    "A change that saves a new item and deletes it leaves it there.",
    law: "store.model",
    in: "Sources/LocalStore/LocalRepository+Changes.swift",
    "!known.contains(step.operation.id)",
    becomes: "true"
  ),
  SourcePatch(
    .store("forks-saved-whole"),
    "After a fork was saved the store takes its heads for all that is stored.",
    law: "documents.nothing-new",
    in: "Sources/DocumentStorage/DocumentRepository.swift",
    "stored.heads = heads",
    becomes: "stored.heads = document.heads()",
    as: .statements
  ),
  SourcePatch(
    .store("first-save-is-sending"),
    "The first save of a document counts as sending its changes to others.",
    law: "documents.unsent",
    in: "Sources/DocumentStorage/DocumentRepository.swift",
    "document.fork()",
    becomes: "document"
  ),
  SourcePatch(
    .store("heads-lack-what-waited"),
    "The heads of what is stored leave out what waited in it before.",
    law: "documents.nothing-new",
    in: "Sources/DocumentStorage/DocumentRepository.swift",
    "heads = whole.heads()",
    becomes: "_ = whole",
    as: .statements
  ),
  SourcePatch(
    .store("appends-nothing-that-waits"),
    "What waits in a document for other changes is not appended to what is stored.",
    law: "documents.waiting",
    in: "Sources/DocumentStorage/DocumentRepository.swift",
    "Self.accepted(waiting, by: whole)",
    becomes: "Data()"
  ),
  SourcePatch(
    .store("documents-equate-spellings"),
    "What is known of a document counts for one whose id is another spelling.",
    law: "documents.merge",
    in: "Sources/DocumentStorage/DocumentRepository.swift",
    "if let stored = known[id] { return stored }",
    becomes: """
      if let stored = known.first(where: { $0.key.text == id.text })?.value { return stored }
      """,
    as: .statements
  ),
  SourcePatch(
    .store("snapshots-lack-news"),
    "The new snapshot of a document lacks the changes for which it is made.",
    law: "documents.merge",
    in: "Sources/DocumentStorage/DocumentRepository.swift",
    "try whole.applyEncodedChanges(encoded: news)",
    becomes: "",
    as: .statements
  ),
  SourcePatch(
    .store("documents-not-in-turn"),
    "A save does not wait for one that is being carried out.",
    law: "documents.together",
    in: "Sources/DocumentStorage/DocumentRepository.swift",
    "isBusy = true",
    becomes: "",
    as: .statements
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
    .store("documents-grow"),
    "What was appended to a document is not counted, and no new snapshot is made.",
    law: "documents.cost",
    in: "Sources/DocumentStorage/DocumentRepository.swift",
    "stored.appendedSize += news.count",
    becomes: "",
    as: .statements
  ),
  SourcePatch(
    .store("news-told-twice"),
    "An observer that waits is told of a change, and told again when it asks.",
    law: "callers.observer-waits",
    in: "Sources/LocalStore/StoreChanges.swift",
    "if !state.waiting.isEmpty { return state.waiting.removeFirst().continuation }",
    becomes: """
      if !state.waiting.isEmpty {
        state.queue.append(change)
        return state.waiting.removeFirst().continuation
      }
      """,
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
    .store("seed-escapes-unread"),
    "A quotation mark within a text of the seed's file ends the text.",
    law: "seed.taken-over",
    in: "Sources/LocalStore/SeedFile.swift",
    #"if byte == UInt8(ascii: "\\") { offset += 1 }"#,
    becomes: "",
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
    .store("rest-ends-at-damage"),
    "Of a damaged snapshot the items in front of the damage are served, and none behind it.",
    law: "damage.rest-served",
    in: "Sources/LocalStore/FrameSearch.swift",
    "offset = Self.next(after: offset, bytes, &search)",
    becomes: "offset = bytes.count",
    as: .statements
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
  // Found by users of the store, where no law looked.
  SourcePatch(
    .store("memory-keeps-all-frames"),
    "Changes of the level memory are kept for the next writing, however many there are.",
    law: "store.space-bounded",
    in: "Sources/LocalStore/StoreEngine+Commit.swift",
    "isBehind || unwritten.count > compactionSize",
    becomes: "isBehind"
  ),
  SourcePatch(
    .store("flush-never-compacts"),
    "A flush appends to the journal and never puts it together.",
    law: "store.space-bounded",
    in: "Sources/LocalStore/StoreEngine+Commit.swift",
    """
    try settleJournal(durability)
        compactIfDue()
    """,
    becomes: "try settleJournal(durability)",
    as: .statements
  ),
  SourcePatch(
    .store("appends-without-limit"),
    "Each append is checked alone, and an item may grow beyond what a snapshot holds.",
    law: "documents.limited",
    in: "Sources/LocalStore/StoreEngine+Commit.swift",
    "operation.size + known",
    becomes: "operation.size"
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
    .store("says-that-it-changed"),
    "A call that changes nothing says that it changed something.",
    law: "store.says-what-it-did",
    in: "Sources/LocalStore/LocalRepository+Changes.swift",
    "StoreCommit(sequence: sequence, durability: options.durability, isChange: false)",
    becomes: "StoreCommit(sequence: sequence, durability: options.durability, isChange: true)"
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
    .store("synced-up-to-first"),
    "Of changes written together only the first counts as synchronised.",
    law: "callers.damage-noticed",
    in: "Sources/LocalStore/StoreEngine+Commit.swift",
    "if durability >= .data { try synchronize(upTo: first + UInt64(changes.count) - 1) }",
    becomes: "if durability >= .data { try synchronize(upTo: first) }",
    as: .statements
  ),
  SourcePatch(
    .store("together-not-synchronised"),
    "Changes that are written together are not synchronised.",
    law: "callers.heard-stays",
    in: "Sources/LocalStore/StoreEngine+Commit.swift",
    "if durability >= .data { try synchronize(upTo: first + UInt64(changes.count) - 1) }",
    becomes: "if durability >= .data, changes.count == 1 { try synchronize(upTo: first) }",
    as: .statements
  ),
  SourcePatch(
    .store("callers-beyond-a-round-forgotten"),
    "Callers beyond those of one round are never answered.",
    law: "callers.all-answered",
    in: "Sources/LocalStore/LocalRepository+Changes.swift",
    "waiting.removeFirst(followers.count)",
    becomes: "waiting.removeAll()",
    as: .statements
  ),
  SourcePatch(
    .store("process-synchronises"),
    "A change of the level process waits for the disk, as one of the level data.",
    law: "store.levels-cost",
    in: "Sources/LocalStore/StoreEngine+Commit.swift",
    "if durability >= .data { try synchronize(upTo: first + UInt64(changes.count) - 1) }",
    becomes: "if durability > .memory { try synchronize(upTo: first + UInt64(changes.count) - 1) }",
    as: .statements
  ),
  SourcePatch(
    .store("full-flush-is-no-deeper"),
    "What was synchronised at the level data counts as synchronised when a flush asks for full.",
    law: "store.levels-cost",
    in: "Sources/LocalStore/StoreEngine.swift",
    """
    asksForDrive = true
        // What was synchronised before was not so deep.
        isUnsynced = true
    """,
    becomes: "asksForDrive = true",
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
    .store("last-observer-displaces-others"),
    "A new observer displaces the earlier ones.",
    law: "callers.news-complete",
    in: "Sources/LocalStore/LocalRepository.swift",
    "observers.removeAll { $0.buffer == nil }",
    becomes: "observers = []",
    as: .statements
  ),
  SourcePatch(
    .store("previous-version-is-last-change"),
    "Observers are told the number of the change before as the previous version of an item.",
    law: "callers.news-complete",
    in: "Sources/LocalStore/LocalRepository+Changes.swift",
    "$0.version",
    becomes: "sequence - 1"
  ),
  SourcePatch(
    .store("readers-have-one-number"),
    "A reader of changes that is cancelled ends another one that waits in front of it.",
    law: "callers.observer-waits",
    in: "Sources/LocalStore/StoreChanges.swift",
    "state.nextID += 1",
    becomes: "state.nextID += 0",
    as: .statements
  ),
  SourcePatch(
    .store("believes-lengths"),
    "The length of an item is believed where the checksum is right.",
    law: "subject.answers",
    in: "Sources/LocalStore/StoreOperation.swift",
    "payloadCount <= range.upperBound - offset - idCount",
    becomes: "true"
  ),
  SourcePatch(
    .store("lists-no-documents"),
    "A store of documents that is opened again lists none of those that it has.",
    law: "documents.merge",
    in: "Sources/DocumentStorage/DocumentRepository.swift",
    "found = Set(engine.table.entries.map(\\.id))",
    becomes: "_ = engine",
    as: .statements
  ),
  SourcePatch(
    .store("closes-by-its-level"),
    "Closing flushes as deep as the store's level.",
    law: "fault.changes-nothing",
    in: "Sources/LocalStore/StoreEngine+Commit.swift",
    "try flush(.data)",
    becomes: "try flush(options.durability)",
    as: .statements
  ),
  SourcePatch(
    .store("generation-used-again"),
    "A compaction takes the number of a failed one again.",
    law: "crash.after-refusal",
    in: "Sources/LocalStore/StoreEngine+Compact.swift",
    "max(generation, attempted) + 1",
    becomes: "generation + 1"
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
    .store("one-copy-is-enough"),
    "A salvage goes on if one of its copies was made.",
    law: "damage.kept-when-refused",
    in: "Sources/LocalStore/StoreEngine+Quarantine.swift",
    "if let failure { throw failure }",
    becomes: "if let failure, report.quarantined.isEmpty { throw failure }",
    as: .statements
  ),
  SourcePatch(
    .store("queues-behind-a-gap"),
    "Changes are queued before the note of those that were dropped.",
    law: "callers.slow-observer-told",
    in: "Sources/LocalStore/StoreChanges.swift",
    """
    if let dropped = state.dropped {
            state.dropped = (sequence, dropped.count + 1)
          } else if state.queue.count >= limit {
            state.dropped = (sequence, 1)
          } else {
            state.queue.append(change)
          }
    """,
    becomes: """
      if state.queue.count >= limit {
              state.dropped = (sequence, (state.dropped?.count ?? 0) + 1)
            } else {
              state.queue.append(change)
            }
      """,
    as: .statements
  ),
  SourcePatch(
    .store("sees-deleted-in-its-round"),
    "A change sees an item that its round has deleted.",
    law: "callers.updates-atomic",
    in: "Sources/LocalStore/LocalRepository+Changes.swift",
    "overlay[id] ?? rows[id]",
    becomes: "overlay[id].flatMap { $0 } ?? rows[id]"
  ),
  SourcePatch(
    .store("update-keeps-undecodable"),
    "An update that deletes an item does nothing where the item does not decode.",
    law: "damage.undecodable-kept",
    in: "Sources/LocalStore/LocalRepository+Changes.swift",
    "view[key] == nil",
    becomes: "view[key]?.item == nil"
  ),
  SourcePatch(
    .store("closes-at-once"),
    "Closing does not wait for changes that are being carried out.",
    law: "callers.close-ends",
    in: "Sources/LocalStore/LocalRepository.swift",
    "_ = try? await takeTurn { _ in [] }",
    becomes: "",
    as: .statements
  ),
]
