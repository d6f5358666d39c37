/// Sync: two peers exchange messages until both have the same changes.
///
/// Either side may begin. A message that is refused leaves document and state as they were.
///
/// Source: Specification/Format.md, "Generating a message", "Receiving a message".
///
///     A                                      B
///     heads, filter over all     ------->
///                                <-------   heads, filter, changes that A's filter denies, what B needs
///     changes that B lacks       ------->
///                                <-------   heads alone: both agree
///     nil: nothing to say
///
/// What a filter affirms wrongly is left out, and asked for by its hash in the next round.
extension MergeDocument {
  /// The next message for a peer; `nil` if there is nothing to say until the peer answers, or at all.
  ///
  /// Commits what is open.
  ///
  /// Twice without an answer between, the second is `nil`, unless the document has changed.
  ///
  /// Changes that were sent are remembered until the peer's heads cover them, so that what is under
  /// way is not sent again. Where messages were lost, ``PeerState/reset()`` forgets what was sent.
  ///
  /// Cost: a look at each change, and a filter over those that are not known to be shared.
  package func syncMessage(for state: inout PeerState) -> [UInt8]? {
    core.commit()
    let heads = core.history.headHashes
    let need = core.missing(from: state.theirHeads ?? [])
    if let first = state.theirHave?.first, first.lastSync.contains(where: { core.lacks($0) }) {
      // The peer believes in changes that are not here: it has to state again what it has. Said once: one
      // that lies would else make a caller who sends until there is nothing to say send for ever.
      if state.hasResponded && state.isInFlight && state.lastSentHeads == heads { return nil }
      state.hasResponded = true
      state.lastSentHeads = heads
      state.isInFlight = true
      return Self.resetMessage(heads).bytes
    }
    var message = SyncMessage()
    message.heads = heads
    message.need = need
    let theirHeads = Set(state.theirHeads ?? [])
    // A side that only asks gets what it asks for and no more: a side whose changes wait would get
    // what lies between one by one, a round each. So the first message always states what is here, and so does
    // the answer to a peer that asks to start again: it has not used what it was told before.
    if !state.hasResponded || state.peerClaimsNothing
      || need.allSatisfy({ theirHeads.contains($0) })
    {
      // A stored state may name changes that this document has lost since, or that were never here. To claim
      // them would be answered by a demand to start again, at every message.
      message.have = [core.statement(since: state.sharedHeads.filter { !core.lacks($0) })]
    }
    message.version = state.peerReadsVersion2 ? .two : .one

    var sent: [ChangeHandle] = []
    var sendsWhole = false
    if let have = state.theirHave, let needed = state.theirNeed {
      // To a peer without changes the document as a whole is shorter than its changes.
      sendsWhole =
        state.theirHeads == [] && state.peerReadsVersion2 && !state.hasResponded
        && core.history.count > 0
      sent =
        sendsWhole
        ? Array(core.history.changes)
        : core.changes(for: have, and: needed, without: state.sentHashes)
    }
    if state.lastSentHeads == heads && state.hasResponded {
      if state.isInFlight || (state.theirHeads == heads && sent.isEmpty) { return nil }
    }
    if !state.hasResponded { message.capabilities = SyncMessage.ownCapabilities }
    state.hasResponded = true
    state.lastSentHeads = heads
    state.sentHashes.reserveCapacity(state.sentHashes.count + sent.count)
    for change in sent { state.sentHashes.append(core.history.hashes[change]) }
    state.isInFlight = true
    if sendsWhole {
      // Without what waits, which no peer is sent.
      let document = core.documentChunk(deflates: true)
      return withExtendedLifetime(document) {
        message.changes = [document.view]
        return message.bytes
      }
    }
    message.changes = chunks(of: sent, joins: message.version == .two)
    return message.bytes
  }

  /// Asks the peer to state what it has from the very beginning.
  private static func resetMessage(_ heads: [ChangeHash]) -> SyncMessage {
    var message = SyncMessage()
    message.heads = heads
    message.have = [SyncMessage.Have()]
    message.capabilities = SyncMessage.ownCapabilities
    return message
  }

  /// The plain chunks of changes where the history keeps them, valid until it next changes; those that adjoin
  /// are one view if `joins`.
  ///
  /// Rebuilds the chunks of a loaded document.
  private func chunks(of changes: [ChangeHandle], joins: Bool) -> [ByteView] {
    if changes.contains(where: { core.history.records[$0].chunkLength == 0 }) {
      core.materializeChunks()
    }
    var views: [ByteView] = []
    var (start, end) = (0, 0)
    for change in changes {
      let record = core.history.records[change]
      if !joins || record.chunkStart != end {
        if end > start { views.append(core.history.chunks.view(from: start, length: end - start)) }
        start = record.chunkStart
      }
      end = record.chunkStart + Int(record.chunkLength)
    }
    if end > start { views.append(core.history.chunks.view(from: start, length: end - start)) }
    return views
  }

  /// Takes in a message of a peer.
  ///
  /// All or none: a message that cannot be read, or whose changes are refused, changes neither the
  /// document nor the state. Commits what is open.
  ///
  ///     heads all known here     what is shared is now just those
  ///     some unknown             the known ones are shared as well
  ///     none at all              the peer has lost its data: all is sent again
  package func receive(
    syncMessage bytes: [UInt8],
    _ state: inout PeerState
  ) throws(ChunkError) {
    try withView(of: bytes) { (view) throws(ChunkError) in
      var cursor = ByteCursor(view)
      let message: SyncMessage
      do throws(Fault) { message = try SyncMessage(&cursor) } catch {
        throw error.error(base: 0, in: ["sync message"])
      }
      try receive(message, &state)
    }
  }

  /// Loads the items of a message as one input, all or none of it.
  private func loadItems(_ items: [ByteView]) throws(ChunkError) {
    if items.count == 1 {
      if items[0].count > 0 { try loadIncremental(items[0]) }
      return
    }
    var joined = Arena<UInt8>()
    for item in items { joined.append(item) }
    if !joined.isEmpty { try loadIncremental(joined.view) }
  }

  private func receive(_ message: SyncMessage, _ state: inout PeerState) throws(ChunkError) {
    core.commit()
    let before = core.history.headHashes
    var next = state
    next.isInFlight = false
    if let readsVersion2 = message.readsVersion2 { next.peerReadsVersion2 = readsVersion2 }
    if message.asksForReset { next.sentHashes = [] }
    if !message.changes.isEmpty {
      try loadItems(message.changes)
      let after = core.history.headHashes
      let new = Set(after).subtracting(before)
      next.sharedHeads = new.union(next.sharedHeads.filter { after.contains($0) }).sorted()
    }
    // What the peer has now was not sent in vain.
    if !next.sentHashes.isEmpty {
      let confirmed = core.ancestors(of: message.heads)
      next.sentHashes = next.sentHashes.filter { hash in
        core.history.find(hash).map { !confirmed[$0] } ?? true
      }
    }
    if message.changes.isEmpty && message.heads == before { next.lastSentHeads = message.heads }
    let known = message.heads.filter { !core.lacks($0) }
    if known.count == message.heads.count {
      next.sharedHeads = message.heads
      if message.heads.isEmpty {
        // The peer has lost its data.
        next.lastSentHeads = []
        next.sentHashes = []
      }
    } else {
      next.sharedHeads = Set(next.sharedHeads).union(known).sorted()
    }
    next.theirHave = message.have
    next.theirHeads = message.heads
    next.theirNeed = message.need
    state = next
  }
}

extension MergeDocument {
  /// The changes in a message, by their hashes, those of a whole document among them.
  ///
  /// Cost: a document is loaded.
  package static func changeHashes(
    inSyncMessage bytes: [UInt8]
  ) throws(ChunkError) -> [ChangeHash] {
    try withView(of: bytes) { (view) throws(ChunkError) in
      var cursor = ByteCursor(view)
      do throws(Fault) {
        var hashes: [ChangeHash] = []
        for item in try SyncMessage(&cursor).changes {
          var cursor = ByteCursor(item)
          while !cursor.isAtEnd {
            let frame = try ChunkFrame(&cursor)
            switch frame.type {
            case ChunkFrame.change: hashes.append(try frame.hash(item))
            case ChunkFrame.document:
              let chunk = item.part(from: frame.start, length: frame.end - frame.start)
              hashes += try Self.changeHashes(inDocument: chunk.array)
            default: break
            }
          }
        }
        return hashes
      } catch {
        throw error.error(base: 0, in: ["sync message"])
      }
    }
  }

  private static func changeHashes(inDocument chunk: [UInt8]) throws(Fault) -> [ChangeHash] {
    do throws(ChunkError) {
      let document = try MergeDocument(loading: chunk, actor: ActorID([]), limits: .greatest)
      return document.changeHashes()
    } catch {
      throw Fault(error.reason, error.offset, .changes)
    }
  }
}

extension Core {
  /// Whether a change is not applied here; it may wait.
  func lacks(_ hash: ChangeHash) -> Bool { history.find(hash) == nil }

  /// What this document has: all up to `shared`, and a filter over the rest.
  func statement(since shared: [ChangeHash]) -> SyncMessage.Have {
    let rest = changes(since: shared)
    var filter = rest.isEmpty ? BloomFilter() : BloomFilter(count: rest.count)
    for change in rest { filter.insert(history.hashes[change]) }
    return SyncMessage.Have(lastSync: shared, filter: filter)
  }

  /// The changes that are to be asked for, ascending: from `heads` down through changes that wait here,
  /// those that are neither applied nor waiting.
  ///
  /// What waits here for something else is left out. The peer may not have it either, and a peer that
  /// asks for what the other did not name is sent nothing but that.
  func missing(from heads: [ChangeHash]) -> [ChangeHash] {
    if heads.allSatisfy({ !lacks($0) }) { return [] }
    var waiting: [ChangeHash: [ChangeHash]] = [:]
    for change in history.waiting { waiting[change.hash] = change.dependencies }
    var missing: Set<ChangeHash> = []
    var seen: Set<ChangeHash> = []
    var stack = heads
    while let hash = stack.popLast() {
      guard lacks(hash), seen.insert(hash).inserted else { continue }
      if let dependencies = waiting[hash] {
        stack += dependencies
      } else {
        missing.insert(hash)
      }
    }
    return missing.sorted()
  }

  /// The changes that a peer lacks by its own statements, in the order to send them.
  ///
  /// A change that a filter affirms may be missing all the same; the peer then asks for it by its
  /// hash, since other changes that it was sent depend on it.
  ///
  /// Changes in `sent` are left out, and count as lacking all the same.
  func changes(
    for have: [SyncMessage.Have],
    and need: [ChangeHash],
    without sent: [ChangeHash]
  ) -> [ChangeHandle] {
    var isSent = ChangeSet(of: history)
    for hash in sent {
      if let change = history.find(hash) { isSent[change] = true }
    }
    var isTaken = ChangeSet(of: history)
    var taken: [ChangeHandle] = []
    if !have.isEmpty {
      let covered = ancestors(of: have.flatMap(\.lastSync))
      let filters = have.map(\.filter)
      for change in history.changes where !covered[change] {
        // A peer without a change has none that depend on it.
        let lacks =
          history.records[change].dependencies.contains { isTaken[history.dependencies[$0]] }
          || !filters.contains { $0.contains(history.hashes[change]) }
        if lacks {
          isTaken[change] = true
          if !isSent[change] { taken.append(change) }
        }
      }
    }
    var needed: [ChangeHandle] = []
    for hash in need {
      guard let change = history.find(hash), !isTaken[change] else { continue }
      isTaken[change] = true
      if !isSent[change] { needed.append(change) }
    }
    return needed + taken
  }
}
