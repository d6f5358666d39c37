/// Identifies one operation across all replicas of a document.
///
/// Totally ordered: by counter, then by the actor's bytes.
///
/// Source: Specification/Semantics.md, "Identity".
package struct OpID: Hashable, Sendable, CustomStringConvertible {
  /// Lamport counter, `1...UInt32.max`.
  package let counter: UInt32
  package let actor: ActorID

  package init(counter: UInt32, actor: ActorID) {
    self.counter = counter
    self.actor = actor
  }

  /// Counter, `@`, actor in hex.
  package var description: String { "\(counter)@\(actor)" }
}

/// Identifies an object: the root, or the operation that made it.
///
/// Equality and hash look at the identity alone; `hint` only makes finding the object faster.
package struct ObjectID: Hashable, Sendable, CustomStringConvertible {
  /// Counter of the making operation; 0 for the root.
  package let counter: UInt32
  package let actor: ActorID
  /// Place in the object table of the document that gave the id out; checked before use.
  ///
  /// Ids outlive handles: after a compaction, or in another document, the place holds another
  /// object or none.
  let hint: ObjectHandle

  package static let root = ObjectID(counter: 0, actor: ActorID([]), hint: .root)

  package init(_ id: OpID) {
    self.init(counter: id.counter, actor: id.actor, hint: .none)
  }

  init(counter: UInt32, actor: ActorID, hint: ObjectHandle) {
    self.counter = counter
    self.actor = actor
    self.hint = hint
  }

  package var isRoot: Bool { counter == 0 }

  /// The id of the operation that made the object; `nil` for the root.
  package var opID: OpID? { isRoot ? nil : OpID(counter: counter, actor: actor) }

  package static func == (left: ObjectID, right: ObjectID) -> Bool {
    left.counter == right.counter && left.actor == right.actor
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(counter)
    hasher.combine(actor)
  }

  package var description: String { isRoot ? "_root" : "\(counter)@\(actor)" }
}

/// An operation id as the store holds it: `counter << 16 | actor index`.
///
/// The actor index is the order in which this replica met the actors, so packed ids compare
/// only after a look at the actors' ranks (`ActorTable.precedes`). Zero is the list head and
/// the root object.
///
///     bit 63        48 47                    16 15          0
///         [ zeros     | counter                | actor index ]
///
/// Raw numbers therefore order by counter. Among equal counters their order means nothing: the
/// index of an actor differs between replicas.
///
///     7 of actor 3      0x0000_0000_0007_0003
///     none              0x0000_0000_0000_0000      any id of counter 0 is
///     above             0xffff_ffff_ffff_ffff      no id: the upper 16 bits of one are zeros
struct PackedID: BitwiseCopyable, Hashable {
  var raw: UInt64

  static let none = PackedID(raw: 0)
  /// Above every id: the minimum of a node without elements.
  @inline(__always) static var above: PackedID { PackedID(raw: .max) }

  @inline(__always)
  init(raw: UInt64) { self.raw = raw }

  @inline(__always)
  init(_ counter: UInt32, _ actor: UInt16) {
    raw = UInt64(counter) << 16 | UInt64(actor)
  }

  /// Looks at the counter alone: no operation of any actor has number 0.
  @inline(__always) var counter: UInt32 { UInt32(truncatingIfNeeded: raw >> 16) }
  @inline(__always) var actor: UInt16 { UInt16(truncatingIfNeeded: raw) }
  @inline(__always) var isNone: Bool { raw >> 16 == 0 }
}
