// Messages of sync: `message` makes one, `receive` takes one, by the steps of the format. What each
// side knows of the other is in `NaivePeer.swift`, the rules in `Rules+Sync.swift`.

import DocumentModel

// Two replicas exchange messages until both know the same changes. Source: Specification/Format.md,
// "Sync protocol".
extension NaiveModel: SyncingReplica {
  package static func newPeer() -> NaivePeer { NaivePeer() }

  /// Only what is shared is stored; of what a peer stated, "nothing" takes the place of "not yet".
  package static func restored(_ peer: NaivePeer) -> NaivePeer {
    var restored = NaivePeer()
    restored.shared = peer.shared
    restored.theirHave = []
    return restored
  }

  /// Source: Specification/Format.md, "Generating a message".
  ///
  /// In order, as the format lists the steps: a peer that states what is not here is asked to begin
  /// again; what is missing is asked for; what is here beyond the shared heads is stated; what the
  /// peer lacks is sent. Here statements are sets and exact, where the format has a filter that may
  /// be wrong: sessions may take fewer rounds.
  ///
  /// A session over a new channel ends, whatever waits: the first message of each side states what it has, or
  /// claims nothing and asks the other to state it again. Either way the other sends all that was not stated, so
  /// that no side depends on what it asks for by name.
  package mutating func message(for peer: inout NaivePeer) -> NaiveMessage? {
    commit(before: .changes)
    var message = NaiveMessage(heads: headIDs)
    if let have = peer.theirHave?.first, have.shared.contains(where: { positions[$0] == nil }) {
      // The peer takes for shared what is not here: it has to state again what it has. It is told so once.
      if peer.hasResponded && peer.isInFlight && peer.lastSent == headIDs { return nil }
      peer.hasResponded = true
      peer.lastSent = headIDs
      peer.isInFlight = true
      message.have = [NaiveMessage.Have()]
      return message
    }
    let theirHeads = peer.theirHeads ?? []
    message.need = missing(from: theirHeads)
    let isAskedAnew = peer.theirHave == [NaiveMessage.Have()]
    if !peer.hasResponded || isAskedAnew || message.need.allSatisfy({ theirHeads.contains($0) }) {
      // A stored state may name changes that this replica has lost since. Each side would ask the other to
      // begin again, for ever, if both named such changes.
      let shared = peer.shared.filter { positions[$0] != nil }
      let others = R.stated(beyond(shared).map(\.id))
      message.have = [NaiveMessage.Have(shared: shared, others: Set(others))]
    }
    if let have = peer.theirHave, let need = peer.theirNeed {
      message.changes = changes(for: have, and: need)
        .filter { R.isDue(isSent: peer.sent.contains($0.id)) }
    }
    let isSilent = R.isSilent(
      saidHeads: peer.hasResponded && peer.lastSent == headIDs,
      isInFlight: peer.isInFlight,
      theirHeadsAreOurs: peer.theirHeads == headIDs,
      hasChanges: !message.changes.isEmpty
    )
    if isSilent { return nil }
    peer.hasResponded = true
    peer.lastSent = headIDs
    peer.sent.formUnion(message.changes.map(\.id))
    peer.isInFlight = true
    return message
  }

  /// What to ask for: from the peer's heads down through changes that wait here, what is neither here
  /// nor waiting.
  ///
  /// Here a change is its name. Where an impostor waits under the name that a peer states, what the impostor
  /// waits for is asked for in vain, and the peer's own change comes because it was not stated.
  private func missing(from heads: [NaiveChange.ID]) -> [NaiveChange.ID] {
    var missing: Set<NaiveChange.ID> = []
    var met: Set<NaiveChange.ID> = []
    var open = heads
    while let id = open.popLast() {
      guard positions[id] == nil, met.insert(id).inserted else { continue }
      if let change = waiting.first(where: { $0.id == id }) {
        open += change.dependencies
      } else {
        missing.insert(id)
      }
    }
    return missing.sorted()
  }

  /// The changes that are neither those named nor their ancestors, in the order they were applied.
  private func beyond(_ ids: [NaiveChange.ID]) -> [NaiveChange] {
    let known = Set(ancestry(of: ids).map(\.id))
    return history.filter { !known.contains($0.id) }
  }

  /// The changes that a peer lacks by its own words: first what it asked for.
  ///
  /// A change that is stated by the peer, but follows one that is sent, is sent as well.
  ///
  /// Source: Specification/Format.md, "Changes to send".
  private func changes(
    for have: [NaiveMessage.Have],
    and need: [NaiveChange.ID]
  ) -> [NaiveChange] {
    let needed = need.compactMap { id in history.first { $0.id == id } }
    if have.isEmpty { return needed }
    var sent: [NaiveChange] = []
    for change in beyond(have.flatMap(\.shared)) {
      let isStated = have.contains { $0.others.contains(change.id) }
      let followsSent = sent.contains { change.dependencies.contains($0.id) }
      if R.sends(isStated: isStated, followsSent: followsSent) { sent.append(change) }
    }
    return needed.filter { !sent.contains($0) } + sent
  }

  /// Source: Specification/Format.md, "Receiving a message".
  ///
  /// - Throws: ``NaiveRefusal``; replica and state are then as they were.
  package mutating func receive(
    _ message: NaiveMessage,
    from peer: inout NaivePeer
  ) throws(NaiveRefusal) {
    commit(before: .apply)
    let before = headIDs
    var next = peer
    next.isInFlight = false
    if !message.changes.isEmpty {
      try apply(message.changes)
      next.shared =
        (headIDs.filter { !before.contains($0) || next.shared.contains($0) }).sorted()
    }
    next.sent.subtract(ancestry(of: message.heads).map(\.id))
    if message.changes.isEmpty && message.heads == before { next.lastSent = message.heads }
    next.shared = R.shared(next.shared, stated: message.heads) { positions[$0] != nil }
    if message.heads.isEmpty {
      // The peer has lost its data.
      next.lastSent = []
      next.sent = []
    }
    next.theirHave = message.have
    next.theirHeads = message.heads
    next.theirNeed = message.need
    peer = next
  }

  package func knownCount(in message: NaiveMessage) -> Int {
    message.changes.count { positions[$0.id] != nil }
  }
}
