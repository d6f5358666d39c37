package import DocumentModel

/// How the writers of a history are called: ids that a careless comparison takes for one another.
///
/// Ids have 16 bytes where nothing else is said; `n` is the writer's number, from 0.
///
/// Order decides conflicts, so that engines compare ids: `halves` shows a comparison of the first
/// bytes, `tails` one that stops early, `prefixes` one that takes a shorter id for equal, `falling`
/// one by arrival.
package enum Writers: String, Hashable, Sendable, CaseIterable {
  /// All bytes are `n + 1`.
  case plain
  /// The first half is shared, the bytes of the second are `n + 1`.
  case halves
  /// Only the last byte differs: `n + 1`.
  case tails
  /// A byte repeated `n + 1` times, so that each is the beginning of the next; from the 16th writer on
  /// the last byte differs.
  case prefixes
  /// All bytes are `200 - n`: who comes later comes first in the order.
  case falling

  /// The writer with this number, less than ``History/actorLimit``.
  ///
  /// Numbers below the limit have different bytes.
  package func actor(_ number: Int) -> ActorID {
    let byte = UInt8(truncatingIfNeeded: number + 1)
    let bytes: [UInt8]
    switch self {
    case .plain: return ActorID(repeating: byte)
    case .halves: bytes = Array(repeating: 0x55, count: 8) + Array(repeating: byte, count: 8)
    case .tails: bytes = Array(repeating: 0x77, count: 15) + [byte]
    case .prefixes:
      bytes =
        number < 15
        ? Array(repeating: 0x42, count: number + 1)
        : Array(repeating: 0x42, count: 15) + [byte]
    case .falling: return ActorID(repeating: UInt8(truncatingIfNeeded: 200 - number))
    }
    return ActorID(bytes: bytes) ?? ActorID(repeating: byte)
  }
}
