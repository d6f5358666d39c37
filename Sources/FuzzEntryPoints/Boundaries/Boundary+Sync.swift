import DocumentLaws
package import MergeEngine
import PropertyEngine

extension PeerState {
  /// What is wrong with the state when it is stored and read again; `nil` if it is the same.
  func storingBreach(_ restore: ([UInt8]) throws -> PeerState) -> String? {
    (try? restore(bytes)) == self ? nil : "a sync state is another when stored and read"
  }
}

extension Boundary {
  /// What takes a peer's message, or throws and leaves document and state as they were.
  package typealias Receiving = @Sendable (MergeDocument, [UInt8], inout PeerState) throws -> Void

  /// Bytes are a sync message, and a stored sync state.
  package static func sync(
    receiving receive: @escaping Receiving = { try $0.receive(syncMessage: $1, &$2) },
    restoring restore: @escaping @Sendable ([UInt8]) throws -> PeerState = {
      try PeerState(bytes: $0)
    }
  ) -> Boundary {
    Boundary(
      "sync",
      "A sync message or a stored sync state; documents take it and go on to sync with a true peer.",
      on: engine,
      rule:
        "A message is refused and leaves document and state as they were, or leaves the document sound. "
        + "After any message, and from any stored state that is read, a sync with a true peer converges.",
      byteLimit: 2048,
      notation: .binary(pieces: .messages),
      entrance: Entrance(
        isPassed: { sealedMessage($0) == $0 || $0.first == 0x43 },
        repaired: { $0.first == 0x43 && $0.count % 32 == 2 ? $0 : sealedMessage($0) }
      ),
      seedSentence: "the messages of a sync from both sides, and the states that both store",
      seeds: { try recorded() },
      judge: { bytes in
        try message(bytes, receive) ?? state(bytes, restore, receive)
      }
    )
  }

  // MARK: - Judging

  private static func message(_ bytes: [UInt8], _ receive: Receiving) throws -> Difference? {
    for turn in 0..<3 {
      let document =
        turn == 0 ? MergeDocument(actor: SampleDocument.actor(9)) : try SampleDocument.document()
      var state = PeerState()
      // In the midst of a conversation, too.
      if turn == 2 { _ = document.syncMessage(for: &state) }
      let (before, stateBefore) = (DocumentState(document), state)
      do {
        try receive(document, bytes, &state)
      } catch let error {
        guard error is ChunkError else { return .untyped(error, expected: "ChunkError") }
        guard state == stateBefore else {
          return Difference(kind: "trace", summary: "a refused message changed the sync state")
        }
        if let difference = before.trace(in: document) { return difference }
        continue
      }
      if let difference = try before.harm(in: document) { return difference }
      // The answer must not depend on what a lying peer claims to have.
      _ = document.syncMessage(for: &state)
      guard let again = try? PeerState(bytes: state.bytes) else {
        return Difference(kind: "state", summary: "a stored sync state is not read again")
      }
      let next = turn == 1 ? PeerState() : again
      if let difference = try converges(document, next, receive) { return difference }
    }
    return nil
  }

  private static func state(
    _ bytes: [UInt8],
    _ restore: ([UInt8]) throws -> PeerState,
    _ receive: Receiving
  ) throws -> Difference? {
    let state: PeerState
    do { state = try restore(bytes) } catch let error {
      return error is ChunkError ? nil : .untyped(error, expected: "ChunkError")
    }
    if let breach = state.storingBreach(restore) {
      return Difference(kind: "state", summary: breach)
    }
    return try converges(try SampleDocument.document(), state, receive)
  }

  /// Where a document that starts from a state does not come to agree with a true peer.
  private static func converges(
    _ document: MergeDocument,
    _ state: PeerState,
    _ receive: Receiving
  ) throws -> Difference? {
    let peer = try truePeer()
    var (mine, theirs) = (state, PeerState())
    // One round for each layer of changes that has to be asked for by name, and a few to begin and end.
    let roundLimit = document.changeCount + peer.changeCount + 10
    guard !isForked(document, peer) else { return nil }
    for _ in 0..<roundLimit {
      let sent = document.syncMessage(for: &mine)
      let answer: [UInt8]?
      do {
        if let sent { try receive(peer, sent, &theirs) }
        answer = peer.syncMessage(for: &theirs)
        if let answer { try receive(document, answer, &mine) }
      } catch {
        return Difference(
          kind: "refusal",
          summary: "a message of a true peer is refused",
          actual: "\(error)"
        )
      }
      if sent == nil, answer == nil { break }
    }
    // What waits for changes that neither has stays where it is.
    guard document.heads != peer.heads else { return nil }
    return Difference(
      kind: "convergence",
      summary: "a sync with a true peer does not converge within \(roundLimit) rounds",
      expected: "\(peer.changeCount) changes on both sides",
      actual: "\(document.changeCount) here"
    )
  }

  /// Whether both have a change of one writer and number that are not the same: such two never agree.
  private static func isForked(_ document: MergeDocument, _ peer: MergeDocument) -> Bool {
    peer.changes().contains { theirs in
      document.changes().contains { mine in
        mine.actor == theirs.actor && mine.seq == theirs.seq && mine.hash != theirs.hash
      }
    }
  }

  /// A peer that has a part of ``SampleDocument/document()``, and changes of its own.
  private static func truePeer() throws -> MergeDocument {
    let document = try SampleDocument.document()
    let first = document.changes().prefix(1).map(\.hash)
    let peer = try document.fork(at: first, actor: SampleDocument.actor(7))
    try peer.put(.root, .key("theirs"), .int(1))
    peer.commit(time: 5)
    try peer.put(.root, .key("title"), .string("theirs"))
    peer.commit(time: 6)
    return peer
  }

  // MARK: - Seeds

  private static func recorded() throws -> [Seed] {
    let (document, peer) = (try SampleDocument.document(), try truePeer())
    let newcomer = MergeDocument(actor: SampleDocument.actor(6))
    var mine = PeerState()
    var theirs = PeerState()
    var seeds: [Seed] = []
    var hello = PeerState()
    if let bytes = newcomer.syncMessage(for: &hello) {
      seeds.append(Seed("hello", "the first message of a document without changes", bytes))
    }
    for round in 1...3 {
      if let bytes = document.syncMessage(for: &mine) {
        seeds.append(Seed("ours-\(round)", "what the document says in round \(round)", bytes))
        try peer.receive(syncMessage: bytes, &theirs)
      }
      if let bytes = peer.syncMessage(for: &theirs) {
        seeds.append(Seed("theirs-\(round)", "what a true peer says in round \(round)", bytes))
        try document.receive(syncMessage: bytes, &mine)
      }
    }
    seeds.append(Seed("state", "the state that the document stores", mine.bytes))
    seeds.append(Seed("state-new", "the state before the first message", PeerState().bytes))
    return seeds
  }

  // MARK: - Entrance

  /// The same message with counts that fit what is there, and chunks with right checksums.
  private static func sealedMessage(_ bytes: [UInt8]) -> [UInt8] {
    var reader = LenientReader(bytes)
    let version = reader.byte() ?? 0x42
    var sealed: [UInt8] = [version == 0x43 ? 0x43 : 0x42]
    sealed += LenientReader.hashes(reader.hashes()) + LenientReader.hashes(reader.hashes())
    let haveCount = min(reader.number(), 8)
    sealed += ChunkForge.unsigned(UInt64(haveCount))
    for _ in 0..<haveCount {
      sealed += LenientReader.hashes(reader.hashes()) + ChunkForge.counted(reader.counted())
    }
    let itemCount = min(reader.number(), 32)
    sealed += ChunkForge.unsigned(UInt64(itemCount))
    for _ in 0..<itemCount {
      sealed += ChunkForge.counted(Boundary.Entrance.chunks.repaired(reader.counted()))
    }
    return reader.isAtEnd ? sealed : sealed + ChunkForge.counted(reader.counted())
  }
}
