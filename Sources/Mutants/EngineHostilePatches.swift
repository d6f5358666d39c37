/// Bugs that show only beside a peer which sends what no honest one does.
let engineHostilePatches: [SourcePatch] = [
  SourcePatch(
    .engine("bad-waiting-refuses-call"),
    "A waiting change that turns out bad refuses the call that brought its dependencies.",
    law: "hostile.keeps-nothing-out",
    in: "Sources/MergeEngine/Store/Core+Queue.swift",
    "number < firstOwn",
    becomes: "number < 0"
  ),
  SourcePatch(
    .engine("saves-in-vain"),
    "A waiting change stays whose number is taken: no load takes what the document saves.",
    law: "hostile.keeps-nothing-out",
    in: "Sources/MergeEngine/Store/Core+Queue.swift",
    "if history.waiting.isEmpty { return }",
    becomes: "return",
    as: .statements
  ),
  SourcePatch(
    .engine("file-refuses-what-waited"),
    "A file whose later saves bring what a bad change waits for is refused as a whole.",
    law: "hostile.files-load",
    in: "Sources/MergeEngine/Store/Core+Receive.swift",
    "isFile ? .max : history.waiting.nextNumber",
    becomes: "history.waiting.nextNumber"
  ),
  SourcePatch(
    .engine("drops-in-silence"),
    "Waiting changes that are dropped are not counted.",
    law: "hostile.is-told",
    in: "Sources/MergeEngine/Changes/History.swift",
    "droppedCount += 1",
    becomes: "_ = change",
    as: .statements
  ),
  SourcePatch(
    .engine("numbers-may-skip"),
    "A change is taken in whose author's change before it does not exist.",
    law: "hostile.shows-nothing",
    in: "Sources/MergeEngine/Store/Core+Receive.swift",
    "header.seq == known + 1",
    becomes: "header.seq >= known + 1"
  ),
  SourcePatch(
    .engine("twins-are-one"),
    "A second change under a known name and number is taken for the first.",
    law: "hostile.twins-stay-apart",
    in: "Sources/MergeEngine/Store/Core+Receive.swift",
    "if history.find(change.hash) != nil { return true }",
    becomes: "return true",
    as: .statements
  ),
  SourcePatch(
    .engine("rebuilds-after-each-refusal"),
    "The store is rebuilt after each refusal, so that a short change costs as much as the document.",
    law: "hostile.costs-its-bytes",
    in: "Sources/MergeEngine/Store/Core+Compact.swift",
    "byteCapacity > max(2 * settledByteCapacity, Limits.refusalByteLimit)",
    becomes: "byteCapacity > 0"
  ),
  // Found beside a hostile peer, as in the reference itself.
  SourcePatch(
    .engine("asks-anew-for-ever"),
    "A peer that believes in unknown changes is asked to start again each time that a caller looks.",
    law: "hostile.costs-its-bytes",
    in: "Sources/MergeEngine/Sync/MergeDocument+Sync.swift",
    "if state.hasResponded && state.isInFlight && state.lastSentHeads == heads { return nil }",
    becomes: "_ = heads",
    as: .statements
  ),
  SourcePatch(
    .engine("cursor-moves-wrong-way"),
    "A cursor that is to move behind its deleted element moves back along what it was inserted behind.",
    law: "cursors.agree",
    in: "Sources/MergeEngine/Cursors/MergeDocument+Cursors.swift",
    "move == .before",
    becomes: "true"
  ),
  SourcePatch(
    .engine("one-vain-change-goes"),
    "Of several waiting changes that have the number of one which has come, only the first is dropped.",
    law: "hostile.keeps-nothing-out",
    in: "Sources/MergeEngine/Store/Core+Queue.swift",
    "if number >= firstOwn { throw error }",
    becomes: """
      if number >= firstOwn { throw error }
              history.drop(DroppedChange(hash: vain.hash, reason: error))
              break
      """,
    as: .statements
  ),
]
