/// Bugs that show only later: in what a peer is sent next, in what is saved next, in what waits, after a
/// refusal, or at earlier heads.
let engineHiddenPatches: [SourcePatch] = [
  SourcePatch(
    .engine("lost-peer-is-sent-nothing"),
    "A peer that lost all it had is not sent what was sent to it before.",
    law: "sync.converges",
    in: "Sources/MergeEngine/Sync/MergeDocument+Sync.swift",
    "next.lastSentHeads = []\n        next.sentHashes = []",
    becomes: "next.lastSentHeads = []",
    as: .statements
  ),
  SourcePatch(
    .engine("reset-keeps-sent"),
    "The state of a peer that is reset still counts as sent what was sent before.",
    law: "sync.converges",
    in: "Sources/MergeEngine/Sync/PeerState.swift",
    "self = PeerState()\n    sharedHeads = shared",
    becomes: """
      let sent = sentHashes
      self = PeerState()
      sharedHeads = shared
      sentHashes = sent
      """,
    as: .statements
  ),
  SourcePatch(
    .engine("refused-message-lands"),
    "A sync message that is refused leaves the heads that it stated.",
    law: "sync.converges",
    in: "Sources/MergeEngine/Sync/MergeDocument+Sync.swift",
    "next.isInFlight = false",
    becomes: "next.isInFlight = false\nstate.theirHeads = message.heads",
    as: .statements
  ),
  SourcePatch(
    .engine("whole-message-counts-as-saved"),
    "A whole document that is sent to a peer counts as saved.",
    law: "storage.increments",
    in: "Sources/MergeEngine/Sync/MergeDocument+Sync.swift",
    "core.documentChunk(deflates: true)",
    becomes: "core.save(deflates: true)"
  ),
  SourcePatch(
    .engine("fork-has-saved-nothing"),
    "A fork forgets what the original had saved.",
    law: "storage.increments",
    in: "Sources/MergeEngine/Changes/History.swift",
    "copy.savedCount = savedCount",
    becomes: "copy.savedCount = 0",
    as: .statements
  ),
  SourcePatch(
    .engine("refusal-strands-waiting"),
    "A change whose dependency came with refused bytes waits for ever.",
    law: "storage.many-writers",
    in: "Sources/MergeEngine/Changes/WaitingQueue.swift",
    "dependents[hash] = waiting",
    becomes: "_ = hash",
    as: .statements
  ),
  SourcePatch(
    .engine("change-forgets-own-last"),
    "A change behind one head does not name its writer's last change.",
    law: "storage.many-writers",
    in: "Sources/MergeEngine/Store/Core+Commit.swift",
    "own.isNone || own == head",
    becomes: "own == own || own == head"
  ),
  SourcePatch(
    .engine("put-takes-counter-start"),
    "A counter is not put where one with increments started at the same number.",
    law: "storage.many-writers",
    in: "Sources/MergeEngine/Store/Core+Edit.swift",
    "return counterValue(sole, in: target.register, start: start) == fresh",
    becomes: "return start == fresh",
    as: .statements
  ),
  SourcePatch(
    .engine("undone-object-keeps-keys"),
    "The keys of an object that was taken back are found in the object that takes its place.",
    law: "rollback.undoes",
    in: "Sources/MergeEngine/Store/Core+Undo.swift",
    "registerNumbers.remove(Self.registerKey(number, registers[register].key))",
    becomes: "_ = number",
    as: .statements
  ),
  SourcePatch(
    .engine("cursor-counts-deleted"),
    "A cursor at earlier heads counts elements of its run that were deleted by then.",
    law: "storage.long-runs",
    in: "Sources/MergeEngine/Cursors/MergeDocument+Cursors.swift",
    "isTarget ? min(part.to, place.offset) : part.to",
    becomes: "isTarget ? place.offset : part.to"
  ),
  SourcePatch(
    .engine("empty-mark-keeps-inner-begin"),
    "Text goes to a mark that begins within one which encloses nothing.",
    law: "agreement.marks",
    in: "Sources/MergeEngine/Store/Core+Splice.swift",
    "candidates.removeSubrange(opened...)",
    becomes: "candidates.remove(at: opened)",
    as: .statements
  ),
  SourcePatch(
    .engine("cursor-before-its-element"),
    "A cursor has a place at heads at which its element was not there yet.",
    law: "cursors.past",
    in: "Sources/MergeEngine/Cursors/MergeDocument+Cursors.swift",
    "clock?.covers(packed) ?? true",
    becomes: "true"
  ),
  SourcePatch(
    .engine("clock-outlives-changes"),
    "How far heads reach is not worked out again when changes have come that they name.",
    law: "agreement.foreign-past",
    in: "Sources/MergeEngine/Store/Core+Clock.swift",
    "history.count",
    becomes: "0"
  ),
  SourcePatch(
    .engine("waiting-counts-as-known"),
    "A side of a sync that has a change waiting counts it as known.",
    law: "sync.heals",
    in: "Sources/MergeEngine/Sync/MergeDocument+Sync.swift",
    "history.find(hash) == nil",
    becomes: "history.find(hash) == nil && !history.waiting.contains(hash)"
  ),
  SourcePatch(
    .engine("revealed-element-has-no-width"),
    "An overwritten element whose deletion is taken back is shown, and counts nothing.",
    law: "storage.refusal-leaves-no-trace",
    in: "Sources/MergeEngine/Store/Core+Undo.swift",
    "removeSuccessor(row, op, byIncrement: false, in: run.register)\n      refreshWidth(place)",
    becomes: "removeSuccessor(row, op, byIncrement: false, in: run.register)",
    as: .statements
  ),
  SourcePatch(
    .engine("recovery-skips-next"),
    "The recovery of a file goes on behind the chunk after a damaged one.",
    law: "storage.recovers",
    in: "Sources/MergeEngine/Changes/DocumentRecovery.swift",
    "start = end",
    becomes: "start = end < bytes.count ? Self.nextChunk(in: bytes, after: end) : end",
    as: .statements
  ),
]
