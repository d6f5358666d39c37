import Foundation
import Testing

@testable import MergeEngine

/// Peers that all talk to each other, over channels that lose and double messages and close.
private struct World {
  var documents: [MergeDocument]
  /// `states[a][b]` is what `a` knows of `b`.
  var states: [[PeerState]]
  /// `channels[a][b]` are the messages under way from `a` to `b`.
  var channels: [[[[UInt8]]]]
  /// What each peer would start again from.
  var stored: [(document: [UInt8], states: [[UInt8]])] = []
  private var random: SplitMix
  private var nextActor: UInt8 = 100

  /// The peer that knows nothing of version 2, and does not say what it understands.
  static let old = 0

  init(seed: UInt64) throws {
    var random = SplitMix(seed)
    let count = 2 + random.below(3)
    let base = MergeDocument(actor: actor(99))
    for number in 0..<random.below(4) {
      try base.put(.root, .key("base"), .int(Int64(number)))
      base.commit()
    }
    documents = (0..<count).map { number in
      let name = actor(UInt8(number + 1))
      return random.below(3) == 0
        ? MergeDocument(actor: name) : base.fork(actor: name)
    }
    states = Array(repeating: Array(repeating: PeerState(), count: count), count: count)
    channels = Array(repeating: Array(repeating: [], count: count), count: count)
    self.random = random
    stored = (0..<count).map { store($0) }
  }

  private func store(_ peer: Int) -> (document: [UInt8], states: [[UInt8]]) {
    (documents[peer].save(), states[peer].map(\.bytes))
  }

  mutating func edit(_ peer: Int) throws {
    let document = documents[peer]
    for _ in 0...random.below(6) {
      try document.put(.root, .key(random.letter()), .int(Int64(random.below(1_000))))
      document.commit()
    }
  }

  /// The next message of a peer to another, as that peer writes it.
  mutating func message(from peer: Int, to other: Int) throws -> [UInt8]? {
    guard let bytes = documents[peer].syncMessage(for: &states[peer][other]) else { return nil }
    if other == Self.old { #expect(bytes.first == SyncMessage.Version.one.rawValue) }
    guard peer == Self.old else { return bytes }
    return try withView(of: bytes) { (view) throws(Fault) -> [UInt8] in
      var cursor = ByteCursor(view)
      var message = try SyncMessage(&cursor)
      message.capabilities = nil
      return message.bytes
    }
  }

  mutating func deliver(_ message: [UInt8], from peer: Int, to other: Int) throws {
    try documents[other].receive(syncMessage: message, &states[other][peer])
  }

  /// Both sides start again, with what they would have stored.
  mutating func reconnect(_ peer: Int, _ other: Int) throws {
    (channels[peer][other], channels[other][peer]) = ([], [])
    for (one, another) in [(peer, other), (other, peer)] {
      states[one][another] = try PeerState(bytes: states[one][another].bytes)
    }
  }

  /// Loses what it has since it was stored, or all it ever had; then writes under a new name.
  mutating func restart(_ peer: Int) throws {
    nextActor += 1
    if random.below(4) == 0 {
      documents[peer] = MergeDocument(actor: actor(nextActor))
      states[peer] = states[peer].map { _ in PeerState() }
    } else {
      documents[peer] = try MergeDocument(loading: stored[peer].document, actor: actor(nextActor))
      states[peer] = try stored[peer].states.map { try PeerState(bytes: $0) }
    }
    for other in documents.indices where other != peer { try reconnect(peer, other) }
  }

  mutating func step() throws {
    let peer = random.below(documents.count)
    let other = (peer + 1 + random.below(documents.count - 1)) % documents.count
    switch random.below(16) {
    case 0, 1, 2: try edit(peer)
    case 3...7:
      if let message = try message(from: peer, to: other) { channels[peer][other].append(message) }
    case 8...12:
      guard !channels[peer][other].isEmpty else { return }
      let message = channels[peer][other].removeFirst()
      // One in eight is lost, one in eight comes twice, one in eight late.
      switch random.below(8) {
      case 0: break
      case 1:
        try deliver(message, from: peer, to: other)
        try deliver(message, from: peer, to: other)
      case 2: channels[peer][other].append(message)
      default: try deliver(message, from: peer, to: other)
      }
    case 13: try reconnect(peer, other)
    case 14: stored[peer] = store(peer)
    default: try restart(peer)
    }
  }

  /// Lets two peers talk until they are silent; gives the rounds.
  mutating func talk(_ peer: Int, _ other: Int) throws -> Int {
    try reconnect(peer, other)
    for round in 0..<30 {
      var spoke = false
      for (one, another) in [(peer, other), (other, peer)] {
        guard let message = try message(from: one, to: another) else { continue }
        try deliver(message, from: one, to: another)
        spoke = true
      }
      if !spoke { return round }
    }
    return 30
  }
}

@Suite("Sync of many peers")
struct SyncWorldTests {
  /// Worlds to play; a longer run takes the number from the environment.
  private static let count =
    ProcessInfo.processInfo.environment["TOUCHSTONE_SYNC_WORLDS"].flatMap { UInt64($0) } ?? 200

  @Test("Peers of both versions that lose, double, delay and restart end with one set of changes")
  func worlds() throws {
    for seed in 0..<Self.count {
      var world = try World(seed: seed)
      for _ in 0..<80 { try world.step() }
      // What is at one end of the row gets to the other, and back.
      let row = Array(1..<world.documents.count)
      for peer in row + row + row.reversed() {
        let rounds = try world.talk(peer - 1, peer)
        #expect(rounds <= 9, "seed \(seed), peers \(peer - 1) and \(peer)")
      }
      let heads = Set(world.documents.map(\.heads))
      #expect(heads.count == 1, "seed \(seed)")
      let broken = world.documents.compactMap(\.brokenInvariant)
      #expect(broken.isEmpty, "seed \(seed)")
    }
  }
}
