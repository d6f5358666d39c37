/// Bugs that `Mutation/` wrote into the engine by rule, and that all laws let live until one asked for them.
let engineSurvivorPatches: [SourcePatch] = [
  SourcePatch(
    .document("runs-never-join"),
    "Each element that is typed is a run of its own.",
    law: "api.typed-memory",
    in: "Sources/MergeEngine/Store/ElementRun.swift",
    "referenceActor == before.actor",
    becomes: "referenceActor != before.actor"
  ),
  SourcePatch(
    .document("tombstones-never-join"),
    "Elements that are deleted one by one, the first first, are runs of their own.",
    law: "api.typed-memory",
    in: "Sources/MergeEngine/Store/Core+Sequence.swift",
    "before.isHidden && before.isHiddenUpwards(to: op) && run.continues(before)",
    becomes: "false"
  ),
  SourcePatch(
    .document("observers-keep-values"),
    "Values that are read again for observers stay in memory.",
    law: "api.observed-memory",
    in: "Sources/MergeEngine/Store/Core+Savepoint.swift",
    "values.truncate(to: valueCount)",
    becomes: "_ = valueCount",
    as: .statements
  ),
  SourcePatch(
    .document("minima-of-gone-actors"),
    "The least ids of a list's pages may be those of an actor who is gone.",
    law: "api.refused-writers",
    in: "Sources/MergeEngine/Store/Core+Receive.swift",
    "resetMinima()",
    becomes: "_ = count",
    as: .statements
  ),
  SourcePatch(
    .document("dropped-writers-stay"),
    "Writers of dropped changes stay in the table of actors.",
    law: "api.forgotten-writers",
    in: "Sources/MergeEngine/Store/Core+Receive.swift",
    "history.sequence(of: UInt16(count - 1)) == 0",
    becomes: "false"
  ),
  SourcePatch(
    .document("counters-compared-by-start"),
    "A counter is not put where the one that is there began with its value.",
    law: "api.counter-puts",
    in: "Sources/MergeEngine/Store/Core+Edit.swift",
    "rows[sole].successor != 0",
    becomes: "false"
  ),
  // With 33 changes and more those that are left out are missed; with fewer the engine traps.
  SourcePatch(
    .document("merge-takes-sixty-four"),
    "A merge takes in the first 64 changes that are missing alone.",
    law: "api.crossed-merges",
    in: "Sources/MergeEngine/Document/MergeDocument+Storage.swift",
    "core.unknown(in: other.core)",
    becomes: "Array(core.unknown(in: other.core).suffix(64))"
  ),
  SourcePatch(
    .document("survey-lists-less-than-a-frame"),
    "An examination lists what is shorter than a frame as a chunk.",
    law: "api.any-survey",
    in: "Sources/MergeEngine/Changes/ChunkSurvey.swift",
    "chunk.start + Self.shortestFrame <= bytes.count",
    becomes: "true"
  ),
  SourcePatch(
    .document("survey-drops-a-cut-chunk"),
    "An examination lists nothing of the content of a chunk that is cut off.",
    law: "api.any-survey",
    in: "Sources/MergeEngine/Changes/ChunkSurvey.swift",
    "chunk.contentByteCount > UInt64(length.remaining)",
    becomes: "false"
  ),
  SourcePatch(
    .engine("dependencies-in-file-order"),
    "The dependencies of a loaded change are hashed in the order of the file.",
    law: "forgery.refused",
    in: "Sources/MergeEngine/Store/Core+Rebuild.swift",
    "sortByHash(&sorted)",
    becomes: "_ = sorted",
    as: .statements
  ),
  SourcePatch(
    .engine("keys-in-lists"),
    "A change is taken in that writes at a key of a list, or inserts into a map.",
    law: "forgery.change-leaves-nothing",
    in: "Sources/MergeEngine/Store/Core+Apply.swift",
    "isSequence == (run.key.isNone)",
    becomes: "true"
  ),
  SourcePatch(
    .engine("high-bytes-in-texts"),
    "The second byte of a character may be one above those that go on.",
    law: "forgery.refused",
    in: "Sources/MergeEngine/Bytes/ByteCursor.swift",
    "0xBF",
    becomes: "0xC0"
  ),
  SourcePatch(
    .engine("single-op-number-left-out"),
    "A number of a change of one operation that does not end counts as missing.",
    law: "forgery.refused",
    in: "Sources/MergeEngine/Changes/DecodedChange+SingleOp.swift",
    """
    let number = DecodedChange.literal(bytes)
          if number == nil { hasForm = false }
          return number
    """,
    becomes: "return DecodedChange.literal(bytes)",
    as: .statements
  ),
  SourcePatch(
    .engine("single-op-flags-of-any-number"),
    "A change of one operation is an insertion if its first flag is, however many there are.",
    law: "forgery.refused",
    in: "Sources/MergeEngine/Changes/DecodedChange+SingleOp.swift",
    "bytes.count == 2 && bytes[0] == 0",
    becomes: "bytes.count >= 2 && bytes[0] == 0"
  ),
  SourcePatch(
    .engine("single-op-of-two-keys"),
    "A change of one operation at a key may name an element as well.",
    law: "forgery.refused",
    in: "Sources/MergeEngine/Changes/DecodedChange+SingleOp.swift",
    "guard keyActor == nil, keyCounter == nil else { return false }",
    becomes: "_ = keyCounter",
    as: .statements
  ),
  SourcePatch(
    .engine("single-op-of-any-metadata"),
    "A change of one operation keeps its form whatever length it states for a value of no bytes.",
    law: "forgery.refused",
    in: "Sources/MergeEngine/Changes/DecodedChange+SingleOp.swift",
    "UInt64(run.meta.rawValue) == meta",
    becomes: "true"
  ),
  SourcePatch(
    .engine("column-of-no-bytes-is-read"),
    "Where a change has columns but none of their bytes, the reader looks behind them.",
    law: "subject.answers",
    in: "Sources/MergeEngine/Changes/DecodedChange.swift",
    "data.part(from: 0, length: 0)",
    becomes: "data.part(from: 1, length: 0)"
  ),
  SourcePatch(
    .engine("values-join-insertions"),
    "A second value of an element joins its insertion, as if it were the next element.",
    law: "forgery.refused",
    in: "Sources/MergeEngine/Changes/OpRun.swift",
    "next.isInsert && isInsert",
    becomes: "next.isInsert || isInsert"
  ),
  SourcePatch(
    .engine("groups-of-any-members"),
    "A group of columns may have members that no reader knows.",
    law: "forgery.refused",
    in: "Sources/MergeEngine/Columns/ColumnLayout.swift",
    "count > 0 && (seen != expected || count > 2)",
    becomes: "false"
  ),
  SourcePatch(
    .engine("keys-among-elements"),
    "Where one run of a column of keys ends, the reader takes the column for one that has ended.",
    law: "forgery.refused",
    in: "Sources/MergeEngine/Columns/RunCursor.swift",
    """
    try fill()
        if remaining == 0 { return .max }
    """,
    becomes: """
      if remaining == 0 { return .max }
      """,
    as: .statements
  ),
  SourcePatch(
    .engine("long-lists-row-by-row"),
    "Elements that go on alike are read one by one, and refused as too many rows.",
    law: "bomb.long-list",
    in: "Sources/MergeEngine/Document/RowStore+Runs.swift",
    "run.continues(pending)",
    becomes: "pending.count > 1 && run.continues(pending)"
  ),
  SourcePatch(
    .engine("empty-document-takes-changes"),
    "An empty document takes a file as its changes, which have stricter limits.",
    law: "bomb.long-list",
    in: "Sources/MergeEngine/Document/MergeDocument+Storage.swift",
    "fresh.take(bytes, intoEmpty: true)",
    becomes: "fresh.take(bytes, intoEmpty: false)"
  ),
  SourcePatch(
    .document("inflating-ends-at-full-steps"),
    "Bytes that are inflated are taken for damaged where a step is full and all input is read.",
    law: "api.alike-bytes",
    in: "Sources/MergeEngine/Bytes/Deflate.swift",
    "stream.avail_in == 0 && stream.avail_out != 0",
    becomes: "stream.avail_in == 0"
  ),
  SourcePatch(
    .document("cursor-of-no-writer"),
    "A cursor whose writer has an id of no bytes is not read from its text.",
    law: "api.any-cursor",
    in: "Sources/MergeEngine/Cursors/ElementCursor.swift",
    "parts.count == 2",
    becomes: "parts.count == 2 && !parts[1].isEmpty"
  ),
  SourcePatch(
    .document("marks-cut-by-nothing"),
    "An element without width ends the marks that it is not in.",
    law: "api.mark-values",
    in: "Sources/MergeEngine/Marks/Core+Marks.swift",
    "if width == 0 { return }",
    becomes: "_ = width",
    as: .statements
  ),
  SourcePatch(
    .document("spans-divide-by-no-width"),
    "Spans ask how often an element without width fits in front of the next mark.",
    law: "subject.answers",
    in: "Sources/MergeEngine/Marks/MergeDocument+Spans.swift",
    "guard piece.width > 0 else { return advance(piece, count) }",
    becomes: "_ = piece.width",
    as: .statements
  ),
  SourcePatch(
    .document("visits-out-of-order"),
    "An object that waits to be compared moves up past the wrong ones.",
    law: "api.patch-order",
    in: "Sources/MergeEngine/Patches/PatchWalk.swift",
    """
    visits.swapAt((child - 1) / 2, child)
          child = (child - 1) / 2
    """,
    becomes: """
      visits.swapAt((child - 1) / 2, child)
            child = (child - 2) / 2
      """,
    as: .statements
  ),
  SourcePatch(
    .document("visits-beyond-the-last"),
    "Of objects that wait to be compared one more is looked at than there is.",
    law: "subject.answers",
    in: "Sources/MergeEngine/Patches/PatchWalk.swift",
    "child + 1 < visits.count",
    becomes: "child - 1 < visits.count"
  ),
  SourcePatch(
    .document("views-of-many-empty-elements"),
    "A view counts elements of no bytes, and has no limit for them.",
    law: "api.empty-elements",
    in: "Sources/MergeEngine/Saved/SavedBudget.swift",
    "emptyElementCount <= limits.emptyElementLimit",
    becomes: "true"
  ),
  SourcePatch(
    .document("views-of-any-memory"),
    "A view counts the memory that it takes, and has no limit for it.",
    law: "api.memory-limit",
    in: "Sources/MergeEngine/Saved/SavedBudget.swift",
    "byteCount <= memoryByteLimit",
    becomes: "true"
  ),
  SourcePatch(
    .document("view-reads-keys-on"),
    "A view takes the last key for that of all rows behind the end of the keys.",
    law: "api.view-checks",
    in: "Sources/MergeEngine/Saved/SavedCursors.swift",
    "key.remaining > 0",
    becomes: "true"
  ),
  SourcePatch(
    .document("view-shows-number-zero"),
    "A view shows operations without a number.",
    law: "api.view-checks",
    in: "Sources/MergeEngine/Saved/SavedCursors.swift",
    "number > 0",
    becomes: "number >= 0"
  ),
  SourcePatch(
    .document("view-believes-second-values"),
    "Of values of one kind a view does not look at the second.",
    law: "api.view-checks",
    in: "Sources/MergeEngine/Saved/SavedSequence.swift",
    "1..<count",
    becomes: "min(2, count)..<count"
  ),
  SourcePatch(
    .document("view-believes-last-letters"),
    "Of the letters of a text a view does not find a byte 80 among the last seven.",
    law: "api.view-checks",
    in: "Sources/MergeEngine/Columns/StoredValue.swift",
    "self[at] >= 0x80",
    becomes: "self[at] > 0x80"
  ),
]
