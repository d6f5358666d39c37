/// Bugs that all laws let live once: of the engine beside a peer of another make or another age, where several marks
/// or writers meet at one place, and in what is taken back.
let engineReachPatches: [SourcePatch] = [
  SourcePatch(
    .engine("timestamp-unchecked"),
    "The bytes of a received timestamp are taken without a look at them.",
    law: "forgery.refused",
    in: "Sources/MergeEngine/Columns/OpRowReader.swift",
    "TypeCode.timestamp",
    becomes: "TypeCode.counter"
  ),
  SourcePatch(
    .engine("drop-vain-one-late"),
    "A waiting change whose number a local commit takes goes on waiting, and is saved.",
    law: "hostile.keeps-nothing-out",
    in: "Sources/MergeEngine/Store/Core+Commit.swift",
    "history.count - 1",
    becomes: "history.count"
  ),
  SourcePatch(
    .engine("lone-tombstone-keeps-falling"),
    "A falling tombstone of one, left by a rollback, stays falling when it grows at its end.",
    law: "storage.long-runs",
    in: "Sources/MergeEngine/Store/Core+Sequence.swift",
    "if before.count == 1 { runs[slot - 1].setDirection(.ascending) }",
    becomes: "if runs[slot - 1].count == 1 { runs[slot - 1].setDirection(.ascending) }",
    as: .statements
  ),
  SourcePatch(
    .engine("cut-deletions-lose-actor"),
    "A change that goes on with another's run of deletions does not name their author.",
    law: "storage.long-runs",
    in: "Sources/MergeEngine/Changes/ChangeEncoder.swift",
    "run.key.isNone && run.elementCounter != 0 && !(run.isInsert && offset > 0)",
    becomes: "run.key.isNone && run.elementCounter != 0 && offset == 0"
  ),
  SourcePatch(
    .engine("loaded-counter-stays-hidden"),
    "A loaded counter of two increments stays hidden when what overwrote it is taken back.",
    law: "storage.taken-back",
    in: "Sources/MergeEngine/Store/Core+Register.swift",
    "!rows[row].more.isNone",
    becomes: "hiders > 0 && !rows[row].more.isNone"
  ),
  SourcePatch(
    .engine("version-one-joins-chunks"),
    "A message of version 1 has several changes in one item.",
    law: "sync.converges",
    in: "Sources/MergeEngine/Sync/MergeDocument+Sync.swift",
    "!joins || record.chunkStart != end",
    becomes: "record.chunkStart != end"
  ),
  SourcePatch(
    .engine("mark-heap-last-child"),
    "Of several open marks of a name an older one wins once the newest has ended.",
    law: "agreement.marks",
    in: "Sources/MergeEngine/Marks/OpenMarks.swift",
    "child + 1 < heap.count",
    becomes: "child + 1 < heap.count - 1"
  ),
  SourcePatch(
    .engine("patch-marks-by-number"),
    "Patches let another one of two concurrent marks win than the document does.",
    law: "patches.marks",
    in: "Sources/MergeEngine/Patches/PatchWalk.swift",
    "places[Int(run.actor)]",
    becomes: "run.actor"
  ),
  SourcePatch(
    .engine("loaded-increment-by-anything"),
    "A document loads whose counter is incremented by what is no int.",
    law: "forgery.refused",
    in: "Sources/MergeEngine/Document/DocumentReader+Rows.swift",
    "checked.type == TypeCode.int",
    becomes: "true"
  ),
  SourcePatch(
    .engine("marks-opened-within-outlive"),
    "Text that is typed where a mark has lost its content gets a mark that began within it.",
    law: "agreement.marks",
    in: "Sources/MergeEngine/Store/Core+Splice.swift",
    "candidates.removeSubrange(opened...)",
    becomes: "candidates.remove(at: opened)",
    as: .statements
  ),
  SourcePatch(
    .engine("past-shows-incremented-plain-value"),
    "In the past a plain value is shown beside the counter with which it was incremented.",
    law: "history.past-stays",
    in: "Sources/MergeEngine/Store/Core+Read.swift",
    """
    isCounter
            && (findRow(register, id).map { rows[$0].action == .increment } ?? false)
    """,
    becomes: "findRow(register, id).map { rows[$0].action == .increment } ?? false"
  ),
  SourcePatch(
    .engine("time-before-all-stored"),
    "A change is committed at a time that no file may hold.",
    law: "storage.loads-whole",
    in: "Sources/MergeEngine/Store/Core+Commit.swift",
    "max(time, 1 - Limits.timeLimit)",
    becomes: "time"
  ),
]
