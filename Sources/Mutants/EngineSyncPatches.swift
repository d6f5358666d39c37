/// Bugs of sync sessions and of cursors that the laws of both see.
let engineSyncPatches: [SourcePatch] = [
  SourcePatch(
    .engine("sync-states-nothing"),
    "A message states no changes beyond the shared ones, so that the peer sends them.",
    law: "sync.nothing-twice",
    in: "Sources/MergeEngine/Sync/MergeDocument+Sync.swift",
    "SyncMessage.Have(lastSync: shared, filter: filter)",
    becomes: "SyncMessage.Have(lastSync: shared)"
  ),
  SourcePatch(
    .engine("sync-sends-what-is-shared"),
    "What a peer states as shared is sent to it all the same, since no filter has it, and never ends.",
    law: "sync.converges",
    in: "Sources/MergeEngine/Sync/MergeDocument+Sync.swift",
    "ancestors(of: have.flatMap(\\.lastSync))",
    becomes: "ancestors(of: [])"
  ),
  SourcePatch(
    .engine("sync-claims-lost-heads"),
    "A message states shared heads that the document has lost.",
    law: "sync.converges",
    in: "Sources/MergeEngine/Sync/MergeDocument+Sync.swift",
    "state.sharedHeads.filter { !core.lacks($0) }",
    becomes: "state.sharedHeads"
  ),
  SourcePatch(
    .engine("merge-trusts-dependencies"),
    "A merge gives up where a change comes before one that it hides its dependency on.",
    law: "hostile.hides-dependencies",
    in: "Sources/MergeEngine/Store/Core+Merge.swift",
    "if taken.elementsEqual(walk.reversed()) { throw error }",
    becomes: "throw error",
    as: .statements
  ),
  SourcePatch(
    .engine("sync-silent-too-soon"),
    "A side that has stated its heads says nothing more until they change.",
    law: "sync.converges",
    in: "Sources/MergeEngine/Sync/MergeDocument+Sync.swift",
    "state.isInFlight || (state.theirHeads == heads && sent.isEmpty)",
    becomes: "true"
  ),
  SourcePatch(
    .engine("cursor-forgets-its-way"),
    "A cursor that is to move back is made as one that moves on.",
    law: "cursors.agree",
    in: "Sources/MergeEngine/Cursors/MergeDocument+Cursors.swift",
    "ElementCursor(.element(core.publicID(id), move))",
    becomes: "ElementCursor(.element(core.publicID(id), .after))"
  ),
  SourcePatch(
    .engine("cursor-takes-first-writer-for-start"),
    "A cursor that moves back takes an element of the writer that its replica knew first for the start.",
    law: "cursors.meet",
    in: "Sources/MergeEngine/Cursors/MergeDocument+Cursors.swift",
    "!reference.isNone",
    becomes: "reference.raw & 0xFFFF != 0"
  ),
]
