/// Bugs that only laws of public calls are sure to meet: what no step of a history asks.
let publicCallPatches: [SourcePatch] = [
  SourcePatch(
    .document("conflict-of-grown-counter-untold"),
    "A counter that has grown and is in conflict is told to have grown alone.",
    law: "api.registers",
    in: "Sources/MergeEngine/Patches/PatchWalk.swift",
    "writer.add(.increment(prop, new &- old))",
    becomes: "writer.add(.increment(prop, new &- old))\n      return",
    as: .statements
  ),
  SourcePatch(
    .document("equal-marks-as-they-come"),
    "Of two marks with equal counters the one that begins first wins.",
    law: "api.equal-marks",
    in: "Sources/MergeEngine/Marks/OpenMarks.swift",
    "UInt64(row.counter) << 16 | UInt64(rank)",
    becomes: "UInt64(row.counter) << 16"
  ),
  SourcePatch(
    .document("time-beyond-all-stored"),
    "A change is committed at a time that is too far from another's.",
    law: "api.commit-times",
    in: "Sources/MergeEngine/Store/Core+Commit.swift",
    "Limits.timeLimit - 1",
    becomes: "Int64.max"
  ),
  SourcePatch(
    .document("waiting-call-untold"),
    "A call that waits for another thread's transaction is taken for a part of it, and is not told.",
    law: "api.waiting-calls",
    in: "Sources/AutomergeDocument/Document.swift",
    "lock.isHeldByCurrentThread && !transactions.isEmpty",
    becomes: "!transactions.isEmpty"
  ),
  SourcePatch(
    .document("hashes-by-their-first-word"),
    "Hashes are ordered by their first eight bytes alone.",
    law: "api.hashes",
    in: "Sources/MergeEngine/ChangeHash.swift",
    "left.words < right.words",
    becomes: "left.words.0 < right.words.0"
  ),
  SourcePatch(
    .document("first-index-is-a-key"),
    "The index 0 of another type's coding key is taken for a key.",
    law: "api.key-texts",
    in: "Sources/AutomergeDocument/AnyCodingKey.swift",
    "index >= 0",
    becomes: "index > 0"
  ),
  SourcePatch(
    .document("open-change-changes-hands"),
    "What was edited before the document got another actor becomes a change of that one.",
    law: "api.actors",
    in: "Sources/MergeEngine/Document/MergeDocument.swift",
    """
    core.commit()
          core.actor = newValue
    """,
    becomes: "core.actor = newValue",
    as: .statements
  ),
  SourcePatch(
    .document("first-document-counts-as-saved"),
    "What an empty document is brought as a saved document is not new.",
    law: "api.new-changes",
    in: "Sources/MergeEngine/Document/MergeDocument+Storage.swift",
    "replaceCore(by: fresh)",
    becomes: "fresh.history.savedCount = fresh.history.count\n      replaceCore(by: fresh)",
    as: .statements
  ),
]
