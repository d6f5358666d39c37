/// What becomes of one message of a sync session before the network works again.
package enum SyncFate: String, Hashable, Sendable, CaseIterable {
  case deliver
  case lose
  case double
  /// It arrives after the next message on the same way, or never.
  case late
  /// It is lost if there is one, and its receiver starts again from what it had stored before the session.
  case restart
}

/// What a session took, from the moment the network works again.
package struct SyncReport: Hashable, Sendable {
  /// How often both sides had their turn, the last, silent one not counted.
  package let rounds: Int
  /// Changes that were sent to a side which had them; `nil` where the subject cannot tell.
  package let repeats: Int?

  package init(rounds: Int, repeats: Int?) {
    self.rounds = rounds
    self.repeats = repeats
  }

  /// Rounds that a session takes at most.
  ///
  /// Each side says what it has, each sends what the other lacks, and each hears that it arrived: 3 rounds. A
  /// filter may take a change for known, at one in a hundred, and one more round fetches it. That each of
  /// six rounds uncovers another one happens in less than one in 10^12 sessions.
  package static let roundLimit = 9
}

/// Why a session did not come to its end.
package enum SyncFailure: Error, Hashable, Sendable, CustomStringConvertible {
  case unsupported
  case endless(rounds: Int)
  /// A side that lost what it had, or some of it, was not sent everything again.
  case unrecovered

  package var description: String {
    switch self {
    case .unsupported: "this kind of document does not sync"
    case .endless(let rounds): "the sync does not end within \(rounds) rounds"
    case .unrecovered: "a side that lost what it had is not sent everything again"
    }
  }
}

/// A replica that syncs by messages.
///
/// A refused message leaves the replica and the state as they were.
package protocol SyncingReplica: Replica {
  /// What a replica knows of one peer.
  associatedtype SyncPeer
  associatedtype SyncMessage

  /// The state for an unknown peer.
  static func newPeer() -> SyncPeer

  /// The state as it is after it was stored and read again, for a new channel.
  static func restored(_ peer: SyncPeer) throws -> SyncPeer

  /// The next message for a peer; `nil` if there is nothing to say.
  mutating func message(for peer: inout SyncPeer) throws -> SyncMessage?

  mutating func receive(_ message: SyncMessage, from peer: inout SyncPeer) throws

  /// How many of the changes in a message are here already, those of a whole document among them.
  mutating func knownCount(in message: SyncMessage) throws -> Int
}

extension Replica where Self: SyncingReplica {
  package static func sync(
    _ left: inout Self,
    _ right: inout Self,
    _ fates: [SyncFate]
  ) throws -> SyncReport {
    var session = try SyncSession(left, right, restarts: fates.contains(.restart))
    defer { (left, right) = (session.left.replica, session.right.replica) }
    for fate in fates { try session.speak(fate) }
    let report = try session.finish()
    if fates.contains(where: { $0 == .restart || $0 == .lose }) { try session.checkRecovery() }
    return report
  }
}

/// Two replicas that send each other messages, the left one first.
private struct SyncSession<R: SyncingReplica> {
  struct Side {
    var replica: R
    var peer = R.newPeer()
    /// What the replica starts again from.
    let stored: R?
    /// A message for this side that is on its way still.
    var late: R.SyncMessage?
  }

  var left: Side
  var right: Side
  private var isLeftsTurn = true

  init(_ left: R, _ right: R, restarts: Bool) throws {
    (self.left, self.right) = (try Self.side(left, restarts), try Self.side(right, restarts))
  }

  private static func side(_ replica: R, _ restarts: Bool) throws -> Side {
    var replica = replica
    let stored = restarts ? try replica.fork(actor: courier) : nil
    return Side(replica: replica, stored: stored)
  }

  /// The writer of documents that started again, which are never edited.
  private static var courier: ActorID { ActorID(repeating: 0xed) }

  /// The side whose turn it is says something, if it has something to say.
  mutating func speak(_ fate: SyncFate) throws {
    if isLeftsTurn {
      try Self.speak(from: &left, to: &right, fate)
    } else {
      try Self.speak(from: &right, to: &left, fate)
    }
    isLeftsTurn.toggle()
  }

  private static func speak(from: inout Side, to: inout Side, _ fate: SyncFate) throws {
    let said = try from.replica.message(for: &from.peer)
    if fate == .restart { return try restart(&to) }
    guard let message = said else { return }
    switch fate {
    case .lose, .restart: return
    case .late:
      to.late = message
      return
    case .double:
      try to.replica.receive(message, from: &to.peer)
      try to.replica.receive(message, from: &to.peer)
    case .deliver: try to.replica.receive(message, from: &to.peer)
    }
    if let late = to.late {
      to.late = nil
      try to.replica.receive(late, from: &to.peer)
    }
  }

  private static func restart(_ side: inout Side) throws {
    guard var stored = side.stored else { return }
    side.replica = try stored.fork(actor: courier)
    side.peer = R.newPeer()
    side.late = nil
  }

  /// Both sides go on over a new channel until neither has anything to say.
  mutating func finish() throws -> SyncReport {
    left.peer = try R.restored(left.peer)
    right.peer = try R.restored(right.peer)
    var repeats = 0
    for rounds in 0...SyncReport.roundLimit {
      let leftSpoke = try Self.pass(from: &left, to: &right, &repeats)
      let rightSpoke = try Self.pass(from: &right, to: &left, &repeats)
      if !leftSpoke && !rightSpoke { return SyncReport(rounds: rounds, repeats: repeats) }
    }
    throw SyncFailure.endless(rounds: SyncReport.roundLimit)
  }

  /// Throws if a replica that loses what it was sent does not end with everything.
  ///
  /// The other side goes on with the state that it has: from the heads that it hears, none or old ones, it must
  /// see what of all that it sent is not there. Three losses: of all, in the middle of a session; of all that came
  /// behind what a side had stored, if anything, after a session that both sides took for complete; and the same of
  /// both sides at once, which still know of each other what neither has any more.
  func checkRecovery() throws {
    let empty = R(actor: Self.courier)
    var keeper = right.replica
    var sender = Side(replica: try keeper.fork(actor: Self.courier), stored: nil)
    var early = Side(replica: empty, stored: nil)
    var repeats = 0
    _ = try Self.pass(from: &early, to: &sender, &repeats)
    _ = try sender.replica.message(for: &sender.peer)
    try Self.agree(Side(replica: empty, stored: nil), &sender)
    var backup = left.stored ?? empty
    var other = Side(replica: try keeper.fork(actor: Self.courier), stored: nil)
    for _ in 1...2 {
      try Self.agree(Side(replica: try backup.fork(actor: Self.courier), stored: nil), &other)
    }
    guard let first = left.stored, let second = right.stored else { return }
    var restored = try Self.restored(right, to: second)
    try Self.agree(try Self.restored(left, to: first), &restored)
  }

  /// A side whose document is an earlier one, while what it knows of its peer is not.
  private static func restored(_ side: Side, to stored: R) throws -> Side {
    var stored = stored
    return Side(
      replica: try stored.fork(actor: courier),
      peer: try R.restored(side.peer),
      stored: nil
    )
  }

  /// Throws if a side that has lost something does not come to all that `sender` has, and `sender` to what it has.
  private static func agree(_ lost: Side, _ sender: inout Side) throws {
    var lost = lost
    var repeats = 0
    for _ in 0...SyncReport.roundLimit {
      let lostSpoke = try pass(from: &lost, to: &sender, &repeats)
      let senderSpoke = try pass(from: &sender, to: &lost, &repeats)
      if lostSpoke || senderSpoke { continue }
      guard lost.replica.heads() == sender.replica.heads() else { throw SyncFailure.unrecovered }
      return
    }
    throw SyncFailure.endless(rounds: SyncReport.roundLimit)
  }

  private static func pass(
    from: inout Side,
    to: inout Side,
    _ repeats: inout Int
  ) throws -> Bool {
    guard let message = try from.replica.message(for: &from.peer) else { return false }
    repeats += try to.replica.knownCount(in: message)
    try to.replica.receive(message, from: &to.peer)
    return true
  }
}
