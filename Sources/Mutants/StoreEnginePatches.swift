/// Bugs of the store in its files: commits, compaction, what is found in them.
let storeEnginePatches: [SourcePatch] = [
  // MARK: FrameSearch.swift

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
    .store("search-without-budget"),
    "The end of a journal that looks like frames everywhere is read in the square of its size.",
    law: "damage.forged-refused",
    in: "Sources/LocalStore/FrameSearch.swift",
    "budget -= min(claimed, bytes.count) - offset",
    becomes: "_ = claimed",
    as: .statements
  ),

  // MARK: JournalScan.swift

  SourcePatch(
    .store("looks-for-frames-by-headers"),
    "Behind a damaged frame whole ones are looked for at multiples of a header alone.",
    law: "damage.noticed",
    in: "Sources/LocalStore/JournalScan.swift",
    "stride(from: end, to: used, by: 8)",
    becomes: "stride(from: end, to: used, by: Frame.headerSize)"
  ),
  SourcePatch(
    .store("frames-of-other-stores"),
    "A frame of a journal is taken whatever frame it names before it.",
    law: "damage.pieces-in-order",
    in: "Sources/LocalStore/JournalScan.swift",
    "frame.previous == checksum",
    becomes: "true"
  ),
  SourcePatch(
    .store("later-format-is-damage"),
    "A snapshot of a later format is read as one of this one, and called damaged.",
    law: "damage.forged-refused",
    in: "Sources/LocalStore/JournalScan.swift",
    "header.reader <= StoreHeader.format",
    becomes: "true"
  ),

  // MARK: SeedFile.swift

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
    .store("seed-lines-end-without-return"),
    "A seed's file whose lines end as those of Windows do is refused.",
    law: "seed.taken-over",
    in: "Sources/LocalStore/SeedFile.swift",
    "byte == 0x0d",
    becomes: "false"
  ),

  // MARK: StoreEngine+Commit.swift

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
    .store("process-synchronises"),
    "A change of the level process waits for the disk, as one of the level data.",
    law: "store.levels-cost",
    in: "Sources/LocalStore/StoreEngine+Commit.swift",
    "if durability >= .data { try synchronize(upTo: first + UInt64(changes.count) - 1) }",
    becomes: "if durability > .memory { try synchronize(upTo: first + UInt64(changes.count) - 1) }",
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
    .store("flushes-at-full-alone"),
    "A flush at the level data does not wait for the disk.",
    law: "crash.flush-as-asked",
    in: "Sources/LocalStore/StoreEngine+Commit.swift",
    "if durability >= .data, isUnsynced { try synchronize(upTo: sequence) }",
    becomes: "if durability > .data, isUnsynced { try synchronize(upTo: sequence) }",
    as: .statements
  ),
  SourcePatch(
    .store("first-saves-without-limit"),
    "What no repository of items has checked is stored whatever its size.",
    law: "documents.limited",
    in: "Sources/LocalStore/StoreEngine+Commit.swift",
    "try options.check(change)",
    becomes: "_ = change",
    as: .statements
  ),
  SourcePatch(
    .store("limit-and-size-change-places"),
    "A refusal as too large names the size as the limit.",
    law: "documents.limited",
    in: "Sources/LocalStore/StoreEngine+Commit.swift",
    ".tooLarge(size: grown, limit: limit)",
    becomes: ".tooLarge(size: limit, limit: grown)"
  ),

  // MARK: StoreEngine+Compact.swift

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
    .store("generation-used-again"),
    "A compaction takes the number of a failed one again.",
    law: "crash.after-refusal",
    in: "Sources/LocalStore/StoreEngine+Compact.swift",
    "max(generation, attempted) + 1",
    becomes: "generation + 1"
  ),
  SourcePatch(
    .store("old-journals-stay-open"),
    "A compaction leaves the old journal open.",
    law: "place.files-given-up",
    in: "Sources/LocalStore/StoreEngine+Compact.swift",
    "if let journal { files.close(journal) }",
    becomes: "",
    as: .statements
  ),
  SourcePatch(
    .store("compacts-in-vain"),
    "A compaction that was refused is tried again with every change.",
    law: "fault.compaction-spaced",
    in: "Sources/LocalStore/StoreEngine+Compact.swift",
    "compactionSize = journalSize * 2",
    becomes: "",
    as: .statements
  ),
  SourcePatch(
    .store("compaction-fails-silently"),
    "A store does not say why it was not compacted.",
    law: "fault.compaction-spaced",
    in: "Sources/LocalStore/StoreEngine+Compact.swift",
    "compactionFailure = error",
    becomes: "_ = error",
    as: .statements
  ),
  SourcePatch(
    .store("journals-by-default-mode"),
    "A journal is made for its owner alone, whatever mode was asked for.",
    law: "place.modes-as-asked",
    in: "Sources/LocalStore/StoreEngine+Compact.swift",
    "try files.make(journalName, in: folder, mode: options.fileMode, bytes, depth)",
    becomes: "try files.make(journalName, in: folder, mode: 0o600, bytes, depth)",
    as: .statements
  ),

  // MARK: StoreEngine.swift

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

  // MARK: StoreOperation.swift

  SourcePatch(
    .store("believes-lengths"),
    "The length of an item is believed where the checksum is right.",
    law: "subject.answers",
    in: "Sources/LocalStore/StoreOperation.swift",
    "payloadCount <= range.upperBound - offset - idCount",
    becomes: "true"
  ),
  SourcePatch(
    .store("unused-bytes-are-ones"),
    "The last bytes of a header, which stand for nothing, are not zero.",
    law: "store.unused-zeros",
    in: "Sources/LocalStore/StoreOperation.swift",
    "bytes.append(littleEndian: UInt32(0))",
    becomes: "bytes.append(littleEndian: UInt32(1))",
    as: .statements
  ),

  // MARK: StorePlace.swift

  SourcePatch(
    .store("takes-padded-generations"),
    "A file whose generation begins with a zero is taken for one of the store.",
    law: "crash.no-litter",
    in: "Sources/LocalStore/StorePlace.swift",
    "String(generation) == parts[1]",
    becomes: "true"
  ),
  SourcePatch(
    .store("relative-places-taken"),
    "A store lies in a directory that depends on where the program was started.",
    law: "place.contained",
    in: "Sources/LocalStore/StorePlace.swift",
    "directory.hasPrefix(\"/\")",
    becomes: "true"
  ),
]
