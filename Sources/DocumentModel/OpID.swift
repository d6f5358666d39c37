/// Identifies one operation across all replicas of a document.
///
/// Ordered by counter, then by the actor's bytes: every replica settles a conflict the same way,
/// in whatever order changes arrive.
///
/// Source: Specification/Semantics.md, "Identity".
package struct OpID: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// Lamport counter; the first operation of a document has 1.
  package let counter: UInt32
  package let actor: ActorID

  package init(counter: UInt32, actor: ActorID) {
    self.counter = counter
    self.actor = actor
  }

  /// Parses `counter@actor`, the actor in hexadecimal.
  package init?(_ text: some StringProtocol) {
    guard let at = text.firstIndex(of: "@"), let counter = UInt32(text[..<at]),
      let actor = ActorID(hex: text[text.index(after: at)...])
    else { return nil }
    self.init(counter: counter, actor: actor)
  }

  package var description: String { "\(counter)@\(actor)" }

  /// One word of both, in which ids hardly ever agree: the tables of an oracle are looked into for each
  /// value of each state.
  package var word: UInt64 { actor.word &+ UInt64(counter) }

  package func hash(into hasher: inout Hasher) { hasher.combine(word) }

  package static func < (left: Self, right: Self) -> Bool {
    left.counter != right.counter ? left.counter < right.counter : left.actor < right.actor
  }
}

/// Identifies an object: the root, or the operation that made it.
package enum ObjectID: Hashable, Sendable, Comparable, CustomStringConvertible {
  case root
  case made(OpID)

  /// Parses `_root` or `counter@actor`.
  package init?(_ text: some StringProtocol) {
    if text == "_root" {
      self = .root
    } else if let id = OpID(text) {
      self = .made(id)
    } else {
      return nil
    }
  }

  package var description: String {
    switch self {
    case .root: "_root"
    case .made(let id): id.description
    }
  }
}
