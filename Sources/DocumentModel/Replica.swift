/// One copy of a document, held by an implementation that lives within this process.
///
/// The interpreter of histories drives it; laws only see what comes out. Every call is total: what
/// does not fit is refused with an error and leaves the document as it was. Edits gather in one open
/// transaction, which becomes a change at ``commit()`` and before anything that looks at changes:
/// ``heads()``, ``fork(actor:)``, ``merge(_:)``, ``changes(since:)``, ``parts(since:)``,
/// ``apply(_:)``, ``save()``.
package protocol Replica {
  /// One change as it travels between replicas.
  associatedtype Change
  /// A whole document as it is stored.
  associatedtype Saved

  /// An empty document written by `actor`.
  init(actor: ActorID)

  /// The document in `saved`, written on by `actor`.
  static func load(_ saved: Saved, actor: ActorID) throws -> Self

  /// Whether a state that was looked at may be shown again, unread, until the next call on it.
  ///
  /// False where each single read is under test; true by default.
  static var keepsObservations: Bool { get }

  /// Whether documents on which the same calls were made are one state, made once.
  ///
  /// Only where such documents cannot differ, and a closed change is not closed twice: false by default.
  static var sharesStates: Bool { get }

  /// An independent copy of a document without an open change, with the same writer.
  ///
  /// Asked only of replicas that share states.
  mutating func twin() throws -> Self

  /// The stored form in bytes, where there is one that other implementations read.
  static func bytes(of saved: Saved) -> [UInt8]?

  /// The stored form that bytes are, where others' are read; `nil` where none are.
  static func saved(from bytes: [UInt8]) -> Saved?

  /// Carries out the edit in the open transaction.
  ///
  /// - Throws: ``EditRefusal``; the document is as it was.
  mutating func apply(_ edit: Edit<ObjectID>) throws -> EditEffect

  /// Closes the open transaction; without operations there is nothing to close.
  mutating func commit()

  /// The same with a message and a time in seconds since 1970, where changes keep them.
  mutating func commit(message: ExactString?, time: Int64) throws

  /// Takes back the edits of the open transaction.
  mutating func rollback() throws

  /// An independent copy with everything committed, to be written by `actor`.
  mutating func fork(actor: ActorID) throws -> Self

  /// An independent copy as it was at earlier heads, to be written by `actor`.
  mutating func fork(at heads: ObservedHeads, actor: ActorID) throws -> Self

  /// Takes in all changes of `other` that are missing here.
  mutating func merge(_ other: inout Self) throws

  /// The changes here that are neither `heads` nor their ancestors, in the order they came.
  mutating func changes(since heads: [String]) throws -> [Change]

  /// The same changes as the parts of a message, in an order that all implementations share: by
  /// generation, which is one more than the highest among a change's ancestors, and within one by
  /// actor.
  mutating func parts(since heads: [String]) throws -> [Change]

  /// Takes in changes in any order; one whose dependencies are missing waits for them.
  mutating func apply(_ changes: [Change]) throws

  mutating func save() throws -> Saved

  /// What was saved, with what is new since behind it.
  ///
  /// Only where this document was last saved to, or loaded from, `saved`.
  mutating func append(to saved: Saved) throws -> Saved

  /// Is sent what a hostile peer makes, who knows all that `informant` does.
  ///
  /// The peer's bytes are refused or taken in as any others; only a failure of the replica is thrown.
  mutating func hear(_ attack: Attack, from informant: inout Self) throws -> AttackReport

  /// A cursor at a unit of a list or text, or at its end, now or at `heads`; `nil` in anything else.
  ///
  /// Leaves the open transaction open.
  mutating func cursor(
    in object: ObjectID,
    at index: Int,
    moving move: CursorMove,
    heads: ObservedHeads?
  ) throws -> ObservedCursor?

  /// The unit index of a cursor, now or at `heads`; `nil` if its element is not known here, or was not then.
  mutating func position(
    of cursor: ObservedCursor,
    in object: ObjectID,
    at heads: ObservedHeads?
  ) throws -> Int?

  /// The patches that lead from what the document showed at some heads to what it showed at others, in
  /// either direction of time; no heads are the empty document.
  mutating func patches(
    from before: ObservedHeads,
    to after: ObservedHeads
  ) throws
    -> [ObservedPatch]

  /// Ascending ids of the changes that no other change depends on.
  mutating func heads() -> ObservedHeads

  /// Everything visible, now or as it was at `heads`.
  func observe(at heads: ObservedHeads?) throws -> Observation

  /// The kind of the object; `nil` when unknown.
  func kind(of object: ObjectID) -> ObjectKind?

  /// The kind of the object and its length: keys, elements, or units of text; `nil` when unknown.
  func shape(of object: ObjectID) -> (kind: ObjectKind, length: Int)?

  /// Whether the slot holds a visible counter.
  func holdsCounter(_ object: ObjectID, _ slot: Slot) -> Bool

  /// Syncs two documents by messages; the first ones suffer `fates`.
  ///
  /// Replicas that sync are ``SyncingReplica``s, and have this from there.
  static func sync(
    _ left: inout Self,
    _ right: inout Self,
    _ fates: [SyncFate]
  ) throws -> SyncReport
}

extension Replica {
  package static var keepsObservations: Bool { true }

  package static var sharesStates: Bool { false }

  package mutating func twin() throws -> Self { self }

  package func kind(of object: ObjectID) -> ObjectKind? { shape(of: object)?.kind }

  package static func saved(from bytes: [UInt8]) -> Saved? { nil }

  package static func sync(
    _ left: inout Self,
    _ right: inout Self,
    _ fates: [SyncFate]
  ) throws -> SyncReport {
    throw SyncFailure.unsupported
  }

  package mutating func commit(message: ExactString?, time: Int64) throws {
    throw UnsupportedFeature(.commitOptions)
  }

  package mutating func rollback() throws { throw UnsupportedFeature(.rollback) }

  package mutating func fork(at heads: ObservedHeads, actor: ActorID) throws -> Self {
    throw UnsupportedFeature(.forkAt)
  }

  package mutating func append(to saved: Saved) throws -> Saved {
    throw UnsupportedFeature(.increments)
  }

  package mutating func cursor(
    in object: ObjectID,
    at index: Int,
    moving move: CursorMove,
    heads: ObservedHeads?
  ) throws -> ObservedCursor? {
    throw UnsupportedFeature(.cursors)
  }

  package mutating func position(
    of cursor: ObservedCursor,
    in object: ObjectID,
    at heads: ObservedHeads?
  ) throws -> Int? {
    throw UnsupportedFeature(.cursors)
  }

  package mutating func patches(
    from before: ObservedHeads,
    to after: ObservedHeads
  ) throws -> [ObservedPatch] {
    throw UnsupportedFeature(.patches)
  }

  package mutating func hear(
    _ attack: Attack,
    from informant: inout Self
  ) throws -> AttackReport {
    throw UnsupportedFeature(.attacks)
  }
}

/// A call that the replica does not have; who declares its feature must.
package struct UnsupportedFeature: Error, Hashable, Sendable, CustomStringConvertible {
  let feature: Feature

  package init(_ feature: Feature) {
    self.feature = feature
  }

  package var description: String { "the subject has no \(feature)" }
}

/// What an edit did, as the replica that carried it out knows it.
package struct EditEffect: Hashable, Sendable {
  /// The object made, if the edit makes one.
  package var made: ObjectID?
  /// The visible operations of the registers that the edit named as overwritten or deleted.
  package var replaced: [OpID]
  /// The operations that hold a value: puts, inserts and makes, not deletes or increments.
  package var written: [OpID]

  package init(made: ObjectID? = nil, replaced: [OpID] = [], written: [OpID] = []) {
    self.made = made
    self.replaced = replaced
    self.written = written
  }

  /// What this edit and then another did, together.
  package func followed(by next: EditEffect) -> EditEffect {
    EditEffect(
      made: next.made ?? made,
      replaced: replaced + next.replaced,
      written: written + next.written
    )
  }
}
