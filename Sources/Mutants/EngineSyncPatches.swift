/// Bugs of the engine in sync.
let engineSyncPatches: [SourcePatch] = [
  // MARK: BloomFilter.swift

  SourcePatch(
    .engine("bloom-grows-by-another-word"),
    "The probes of a sync filter grow by other bytes of the hash than those of the real core.",
    law: "calls.succeed",
    in: "Sources/MergeEngine/Sync/BloomFilter.swift",
    "UInt32(truncatingIfNeeded: second >> 32)",
    becomes: "UInt32(truncatingIfNeeded: second)"
  ),
  SourcePatch(
    .engine("filter-probes-without-limit"),
    "A message of sync may have a filter with any number of probes.",
    law: "hostile.is-told",
    in: "Sources/MergeEngine/Sync/BloomFilter.swift",
    "probeCount <= Limits.bloomProbeLimit",
    becomes: "true"
  ),

  // MARK: MergeDocument+Sync.swift

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
    .engine("sync-silent-too-soon"),
    "A side that has stated its heads says nothing more until they change.",
    law: "sync.converges",
    in: "Sources/MergeEngine/Sync/MergeDocument+Sync.swift",
    "state.isInFlight || (state.theirHeads == heads && sent.isEmpty)",
    becomes: "true"
  ),
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
    .engine("waiting-counts-as-known"),
    "A side of a sync that has a change waiting counts it as known.",
    law: "sync.heals",
    in: "Sources/MergeEngine/Sync/MergeDocument+Sync.swift",
    "history.find(hash) == nil",
    becomes: "history.find(hash) == nil && !history.waiting.contains(hash)"
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
    .engine("asks-anew-for-ever"),
    "A peer that believes in unknown changes is asked to start again each time that a caller looks.",
    law: "hostile.costs-its-bytes",
    in: "Sources/MergeEngine/Sync/MergeDocument+Sync.swift",
    "if state.hasResponded && state.isInFlight && state.lastSentHeads == heads { return nil }",
    becomes: "_ = heads",
    as: .statements
  ),
  SourcePatch(
    .engine("whole-document-to-any-peer"),
    "A peer that reads version 2 is sent the whole document first, whatever it has.",
    law: "sync.nothing-twice",
    in: "Sources/MergeEngine/Sync/MergeDocument+Sync.swift",
    "state.theirHeads == []",
    becomes: "state.theirHeads != nil"
  ),
  SourcePatch(
    .engine("sync-confirms-heads-alone"),
    "Of the changes sent, those alone that the peer names as heads count as confirmed.",
    law: "sync.converges",
    in: "Sources/MergeEngine/Sync/MergeDocument+Sync.swift",
    "core.history.find(hash).map { !confirmed[$0] } ?? true",
    becomes: "!message.heads.contains(hash)"
  ),
  SourcePatch(
    .document("reset-requests-unheard"),
    "A peer that asks for all changes again is sent none of those that were sent before.",
    law: "api.reset-requests",
    in: "Sources/MergeEngine/Sync/MergeDocument+Sync.swift",
    "message.asksForReset",
    becomes: "false"
  ),
  SourcePatch(
    .document("answers-in-version-2"),
    "From its second message on a peer is taken to read version 2, which it has not said.",
    law: "api.reset-requests",
    in: "Sources/MergeEngine/Sync/MergeDocument+Sync.swift",
    "state.peerReadsVersion2 ? .two : .one",
    becomes: "state.peerReadsVersion2 || state.hasResponded ? .two : .one"
  ),
  SourcePatch(
    .document("lost-changes-trap-in-sync"),
    "A message of a peer traps in a document that went back behind what it had sent.",
    law: "subject.answers",
    in: "Sources/MergeEngine/Sync/MergeDocument+Sync.swift",
    "core.history.find(hash).map { !confirmed[$0] } ?? true",
    becomes: """
      core.history.find(hash).map { !confirmed[$0] } ?? { () -> Bool in preconditionFailure("lost") }()
      """
  ),

  // MARK: PeerState.swift

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
    .document("reset-remembers-what-was-sent"),
    "A state of sync that is reset still holds back what was sent before.",
    law: "api.backups-in-sync",
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

  // MARK: SyncMessage.swift

  SourcePatch(
    .engine("sync-refuses-sixteen-haves"),
    "A sync message with as many Haves as it may have is refused.",
    law: "hostile.is-told",
    in: "Sources/MergeEngine/Sync/SyncMessage.swift",
    "haveCount <= Limits.haveLimit",
    becomes: "haveCount < Limits.haveLimit"
  ),
  SourcePatch(
    .document("reset-by-any-flag"),
    "Each flag of a newer peer is read as a request for all changes again.",
    law: "api.reset-requests",
    in: "Sources/MergeEngine/Sync/SyncMessage.swift",
    "$0 >= 0x80 && $0 & 1 == 1",
    becomes: "$0 >= 0x80"
  ),
  SourcePatch(
    .document("sync-keeps-doubled-hash"),
    "A list of hashes in a sync message that names one twice passes for an ascending one.",
    law: "api.reset-requests",
    in: "Sources/MergeEngine/Sync/SyncMessage.swift",
    "last >= hash",
    becomes: "last > hash"
  ),
]
