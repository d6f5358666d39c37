import Foundation
import Testing

@testable import MergeEngine

/// Documents that sync, each with its state for the other.
private struct Pair {
  var left: MergeDocument
  var right: MergeDocument
  var leftState = PeerState()
  var rightState = PeerState()

  init(_ left: MergeDocument, _ right: MergeDocument) {
    self.left = left
    self.right = right
  }

  /// Lets both sides speak in turn until neither has anything to say; gives the messages.
  mutating func talk(limit: Int = 40) throws(ChunkError) -> [[UInt8]?] {
    var messages: [[UInt8]?] = []
    for _ in 0..<limit {
      let first = left.syncMessage(for: &leftState)
      if let first { try right.receive(syncMessage: first, &rightState) }
      let second = right.syncMessage(for: &rightState)
      if let second { try left.receive(syncMessage: second, &leftState) }
      messages += [first, second]
      if first == nil && second == nil { return messages }
    }
    Issue.record("no end after \(limit) rounds")
    return messages
  }

  mutating func reset() {
    leftState.reset()
    rightState.reset()
  }
}

private func document(
  _ byte: UInt8,
  changes count: Int,
  from: MergeDocument? = nil
) throws
  -> MergeDocument
{
  let document = from?.fork(actor: actor(byte)) ?? MergeDocument(actor: actor(byte))
  for number in 0..<count {
    try document.put(.root, .key("k\(number % 7)"), .int(Int64(number) + 1_000 * Int64(byte)))
    document.commit()
  }
  return document
}

@Suite("Sync")
struct SyncTests {
  /// An exchange as the fixtures hold it: hexadecimal messages, nil for none.
  private func exchange(_ name: String) throws -> [[UInt8]?] {
    let root = try #require(try Fixtures.json("vectors/vectors.json") as? [String: Any])
    let sync = try #require(root["sync"] as? [String: Any])
    let exchanges = try #require(sync["exchanges"] as? [[String: Any]])
    let found = try #require(exchanges.first { $0["name"] as? String == name })
    let messages = try #require(found["messages"] as? [[String: Any]])
    return messages.map { message in
      (message["hex"] as? String).map { hex in
        let digits = Array(hex.utf8)
        return stride(from: 0, to: digits.count, by: 2).compactMap {
          UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)
        }
      }
    }
  }

  private func file(_ name: String, _ byte: UInt8) throws -> MergeDocument {
    try MergeDocument(
      loading: try Fixtures.bytes("vectors/\(name).automerge"),
      actor: ActorID([UInt8](repeating: byte, count: 4))
    )
  }

  @Test("The messages are those of the real core, byte for byte")
  func golden() throws {
    var pair = Pair(
      try file("sync_start", 1),
      MergeDocument(actor: ActorID([2, 2, 2, 2]))
    )
    #expect(try pair.talk() == (try exchange("full_to_empty")))
    #expect(pair.left.heads == pair.right.heads)
    pair = Pair(try file("sync_one", 1), try file("sync_two", 2))
    #expect(try pair.talk() == (try exchange("diverged")))
    #expect(pair.left.heads == pair.right.heads)
    (pair.leftState, pair.rightState) = (PeerState(), PeerState())
    #expect(try pair.talk() == (try exchange("equal")))
  }

  @Test("Two replicas that wrote apart end with one set of changes", arguments: [0, 1, 5, 60, 700])
  func converge(_ count: Int) throws {
    let base = try document(1, changes: 3)
    var pair = Pair(
      try document(2, changes: count, from: base),
      try document(3, changes: count / 2, from: base)
    )
    let messages = try pair.talk()
    #expect(pair.left.heads == pair.right.heads)
    #expect(pair.left.changeCount == 3 + count + count / 2)
    #expect(messages.count <= 16, "\(messages.count) messages")
    #expect(pair.left.brokenInvariant == nil && pair.right.brokenInvariant == nil)
    // Nothing is said twice: a new edit needs two messages, and is sent alone.
    try pair.left.put(.root, .key("new"), .bool(true))
    let more = try pair.talk().compactMap(\.self)
    #expect(pair.left.heads == pair.right.heads)
    #expect(more.map(\.count).reduce(0, +) < 700)
  }

  @Test("A peer that knows version 2 only in later messages is sent changes singly until then")
  func versions() throws {
    let left = try document(1, changes: 4)
    var leftState = PeerState()
    // A first message without capabilities, as the oldest peers write it.
    var hello = SyncMessage()
    hello.have = [SyncMessage.Have()]
    try left.receive(syncMessage: hello.bytes, &leftState)
    let answer = try #require(left.syncMessage(for: &leftState))
    #expect(answer[0] == 0x42)
    let right = MergeDocument(actor: actor(9))
    var rightState = PeerState()
    try right.receive(syncMessage: answer, &rightState)
    #expect(right.heads == left.heads)
    #expect(rightState.theirHeads == left.heads)
  }

  @Test("An empty peer that speaks first is sent the saved document")
  func whole() throws {
    let left = try document(1, changes: 30)
    _ = left.saveIncremental()
    try left.put(.root, .key("unsaved"), .null)
    left.commit()
    let right = MergeDocument(actor: actor(9))
    var pair = Pair(right, left)
    let messages = try pair.talk().compactMap(\.self)
    #expect(right.heads == left.heads)
    #expect(messages[1].count < 900, "\(messages[1].count) bytes")
    // What is new since the last save is so still.
    #expect(!left.saveIncremental().isEmpty)
  }

  @Test("No peer is sent what waits, not even an empty one")
  func waitingStays() throws {
    let chunks = try document(7, changes: 2).changeBytes()
    var pair = Pair(MergeDocument(actor: actor(9)), try document(1, changes: 3))
    try pair.right.applyChanges([chunks[1]])
    _ = try pair.talk()
    #expect(pair.left.heads == pair.right.heads)
    #expect(pair.right.waitingCount == 1)
    #expect(pair.left.waitingCount == 0)
    // The one that has it keeps it.
    #expect(try MergeDocument(loading: pair.right.save(), actor: actor(8)).waitingCount == 1)
  }

  @Test("A stored state that names changes which are not here holds nothing up")
  func unknownSharedHeads() throws {
    var pair = Pair(try document(1, changes: 3), try document(2, changes: 2))
    pair.leftState = try PeerState(bytes: [0x43, 1] + Array(repeating: 7, count: 32))
    _ = try pair.talk()
    #expect(pair.left.heads == pair.right.heads)
    #expect(pair.left.changeCount == 5)
  }

  @Test("A message that is lost holds the session up until the states are reset")
  func lost() throws {
    var pair = Pair(try document(1, changes: 20), try document(2, changes: 20))
    _ = pair.left.syncMessage(for: &pair.leftState)
    #expect(pair.left.syncMessage(for: &pair.leftState) == nil)
    pair.reset()
    _ = try pair.talk()
    #expect(pair.left.heads == pair.right.heads)
  }

  @Test("A peer that starts again from an old document is sent what it has lost")
  func restarted() throws {
    let old = try document(2, changes: 5)
    var pair = Pair(try document(1, changes: 20), old.fork(actor: actor(2)))
    _ = try pair.talk()
    // The left side believes in changes that the right one has no longer.
    pair.right = try MergeDocument(loading: old.save(), actor: actor(4))
    pair.rightState = try PeerState(bytes: pair.rightState.bytes)
    pair.leftState.reset()
    _ = try pair.talk()
    #expect(pair.left.heads == pair.right.heads)
    pair.right = MergeDocument(actor: actor(5))
    pair.rightState = PeerState()
    pair.leftState.reset()
    _ = try pair.talk()
    #expect(pair.left.heads == pair.right.heads)
  }

  @Test("A change that waits for one that no peer has keeps nothing else from arriving")
  func waiting() throws {
    let author = try document(7, changes: 2)
    let chunks = author.changeBytes()
    var pair = Pair(try document(1, changes: 3), try document(2, changes: 3))
    try pair.left.applyChanges([chunks[1]])
    _ = try pair.talk()
    #expect(pair.left.heads == pair.right.heads)
    #expect(pair.left.waitingCount == 1)
    try pair.right.applyChanges([chunks[0]])
    _ = try pair.talk()
    #expect(pair.left.heads == pair.right.heads)
    #expect(pair.left.changeCount == 8 && pair.left.waitingCount == 0)
  }

  @Test(
    "A gap of many changes before one that waits is closed in one go",
    arguments: [true, false]
  )
  func gap(_ beginsWithAuthor: Bool) throws {
    let author = try document(7, changes: 40)
    let waiting = try document(1, changes: 2)
    try waiting.applyChanges([author.changeBytes()[39]])
    #expect(waiting.waitingCount == 1)
    var pair = beginsWithAuthor ? Pair(author, waiting) : Pair(waiting, author)
    let rounds = try pair.talk().count / 2 - 1
    #expect(pair.left.heads == pair.right.heads)
    #expect(rounds <= 4, "\(rounds) rounds")
  }

  @Test("The gap is closed in one go where a peer has lost what was shared and asks to start again")
  func gapBehindReset() throws {
    let author = try document(7, changes: 40)
    let waiting = try document(1, changes: 2)
    let old = (author: author.fork(actor: actor(8)), waiting: waiting.fork(actor: actor(3)))
    try old.waiting.applyChanges([author.changeBytes()[39]])
    var pair = Pair(waiting, author)
    _ = try pair.talk()
    // Both believe in changes that neither side has: the first message is answered by a demand to start again.
    (pair.left, pair.right) = (old.waiting, old.author)
    pair.reset()
    let rounds = try pair.talk().count / 2 - 1
    #expect(pair.left.heads == pair.right.heads)
    #expect(pair.left.changeCount == 42 && pair.left.waitingCount == 0)
    #expect(rounds <= 4, "\(rounds) rounds")
  }

  @Test("A stored state goes on where it was, and knows its bytes again")
  func stored() throws {
    var pair = Pair(try document(1, changes: 9), try document(2, changes: 4))
    _ = try pair.talk()
    let state = try PeerState(bytes: pair.leftState.bytes)
    #expect(state.sharedHeads == pair.left.heads)
    #expect(state.theirHeads == nil)
    #expect(state.bytes == pair.leftState.bytes)
    var reset = pair.leftState
    reset.reset()
    #expect(reset == state)
    #expect(
      throws: ChunkError(.unknownVersion(0x44), offset: 0, section: ["sync state", "version"])
    ) {
      try PeerState(bytes: [0x44, 0])
    }
    #expect(throws: ChunkError(.truncated, offset: 1, section: ["sync state", "heads"])) {
      try PeerState(bytes: [0x43, 1, 2, 3])
    }
  }

  @Test("Each damaged message is refused or taken whole, and a refusal leaves all as it was")
  func damaged() throws {
    var pair = Pair(try document(1, changes: 6), try document(2, changes: 3))
    let messages = try pair.talk().compactMap(\.self)
    var refused = 0
    for message in messages {
      var variants = (0..<message.count).map { Array(message[..<$0]) }
      for place in message.indices {
        for flip in [1, 0x80, 0xFF] as [UInt8] {
          var damaged = message
          damaged[place] ^= flip
          variants.append(damaged)
        }
      }
      for damaged in variants {
        let document = try document(3, changes: 2)
        let heads = document.heads
        var state = PeerState()
        do throws(ChunkError) {
          try document.receive(syncMessage: damaged, &state)
          _ = document.syncMessage(for: &state)
        } catch {
          refused += 1
          #expect(document.heads == heads && state == PeerState())
        }
        #expect(document.brokenInvariant == nil)
      }
    }
    #expect(refused > 500)
  }

  @Test("Limits hold at their value and one past it")
  func limits() throws {
    let document = try document(1, changes: 2)
    func message(haves: Int, probes: UInt8) -> [UInt8] {
      let have: [UInt8] = [0, 4, 1, 8, probes, 0xFF]
      return [0x42, 0, 0, UInt8(haves)] + Array(repeating: have, count: haves).flatMap(\.self) + [0]
    }
    var state = PeerState()
    try document.receive(syncMessage: message(haves: 16, probes: 64), &state)
    #expect(document.syncMessage(for: &state) != nil)
    let cases: [(Int, UInt8, LimitName)] = [(17, 7, .haveLimit), (1, 65, .bloomProbeLimit)]
    for (haves, probes, name) in cases {
      let error = #expect(throws: ChunkError.self) {
        try document.receive(syncMessage: message(haves: haves, probes: probes), &state)
      }
      #expect(error?.reason == .limitExceeded(name))
    }
  }

  @Test("A filter contains what was put in, and few others", arguments: [1, 3, 40, 1_000])
  func filter(_ count: Int) throws {
    let document = try document(1, changes: 2 * count)
    let hashes = document.changeHashes()
    var filter = BloomFilter(count: count)
    for hash in hashes.prefix(count) { filter.insert(hash) }
    #expect(hashes.prefix(count).allSatisfy { filter.contains($0) })
    #expect(hashes.suffix(count).count { filter.contains($0) } <= 1 + count / 30)
    #expect(!BloomFilter().contains(hashes[0]))
  }

  @Test("A filter has the bits that its rule names", arguments: 0..<40)
  func filterBits(_ seed: Int) {
    var random = SplitMix(UInt64(seed))
    let count = 1 + random.below(100)
    var filter = BloomFilter(count: count)
    let bitCount = UInt64((count * 10 + 7) / 8 * 8)
    var bits = [UInt8](repeating: 0, count: Int(bitCount / 8))
    for _ in 0..<count {
      let hash = ChangeHash(words: (random.next(), random.next(), 0, 0))
      filter.insert(hash)
      let numbers = (0..<3).map { part in
        hash.bytes[4 * part..<4 * part + 4].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
          % bitCount
      }
      var (x, y) = (numbers[0], numbers[1])
      for _ in 0..<7 {
        bits[Int(x / 8)] |= 1 << UInt8(x % 8)
        x = (x + y) % bitCount
        y = (y + numbers[2]) % bitCount
      }
      #expect(filter.contains(hash))
    }
    var bytes = Arena<UInt8>()
    filter.append(to: &bytes)
    #expect(bytes.view.array.suffix(bits.count) == bits[...])
  }
}
