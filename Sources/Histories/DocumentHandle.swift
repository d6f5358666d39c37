// How the interpreter holds documents whose type it does not know. A protocol for each thing that
// it keeps (a document, the changes of a message, a stored form, what makes documents), and one
// class or struct for each, generic over the `Replica`. Each call goes to the call of `Replica` of
// the same name, whose comment says what it does (`DocumentModel/Replica.swift`).
//
// Handles are classes: the interpreter's tables share them. An assignment of a handle is no copy of
// its document, and `copy()` is one.

import DocumentModel

// Handles keep the type of a replica out of the interpreter's tables. A table of a type that the
// module does not know looks up metadata at every step: half of all the time of a campaign.

/// One document in an interpreter; all documents that meet are replicas of one type.
///
/// Documents of two types never meet in one program; a call that finds another type throws
/// `HandleMismatch`.
protocol DocumentHandle: AnyObject {
  /// The same document once more, as an assignment copies its replica.
  ///
  /// For a replica that is a struct it is independent; one of a class shares its document.
  func copy() -> any DocumentHandle

  /// An independent copy with the same writer, for a replica that shares states.
  func twin() throws -> any DocumentHandle

  func apply(_ edit: Edit<ObjectID>) throws -> EditEffect
  func commit()
  func commit(message: ExactString?, time: Int64) throws
  func rollback() throws
  func fork(actor: ActorID) throws -> any DocumentHandle
  func fork(at heads: ObservedHeads, actor: ActorID) throws -> any DocumentHandle
  func merge(_ other: any DocumentHandle) throws
  func parts(since heads: [String]) throws -> any ChangesHandle
  /// Takes in one of the changes.
  ///
  /// `part` must be below the handle's `count`: the interpreter checks it.
  func apply(_ changes: any ChangesHandle, part: Int) throws
  func save() throws -> any SavedHandle
  func append(to saved: any SavedHandle) throws -> any SavedHandle
  func heads() -> ObservedHeads
  func observe(at heads: ObservedHeads?) throws -> Observation
  func kind(of object: ObjectID) -> ObjectKind?
  func shape(of object: ObjectID) -> (kind: ObjectKind, length: Int)?
  func holdsCounter(_ object: ObjectID, _ slot: Slot) -> Bool
  func sync(with other: any DocumentHandle, _ fates: [SyncFate]) throws -> SyncReport
  func hear(_ attack: Attack, from informant: any DocumentHandle) throws -> AttackReport
  func cursor(
    in object: ObjectID,
    at index: Int,
    moving move: CursorMove,
    heads: ObservedHeads?
  ) throws -> ObservedCursor?
  func position(
    of cursor: ObservedCursor,
    in object: ObjectID,
    at heads: ObservedHeads?
  ) throws -> Int?
  func patches(from before: ObservedHeads, to after: ObservedHeads) throws -> [ObservedPatch]
}

/// What makes documents of one type.
///
/// One for each type of replica; the interpreter makes all its documents by it.
protocol DocumentMaker {
  var keepsObservations: Bool { get }

  func document(actor: ActorID) -> any DocumentHandle
  /// What stored bytes hold; `nil` where bytes are not a stored form.
  func document(in bytes: [UInt8], actor: ActorID) throws -> (any DocumentHandle)?
}

/// The changes of one message.
///
/// In the order of ``Replica/parts(since:)``, which all implementations share: `part 1` of a
/// history is the same change everywhere.
protocol ChangesHandle: AnyObject {
  var count: Int { get }
}

/// A stored document.
///
/// `bytes` is `nil` where other subjects do not read the form.
protocol SavedHandle: AnyObject {
  var bytes: [UInt8]? { get }

  func load(actor: ActorID) throws -> any DocumentHandle
}

/// Documents of two types were brought together: a fault of the interpreter.
struct HandleMismatch: Error {}

struct ReplicaMaker<R: Replica>: DocumentMaker {
  var keepsObservations: Bool { R.keepsObservations }

  func document(actor: ActorID) -> any DocumentHandle { ReplicaHandle(R(actor: actor)) }

  func document(in bytes: [UInt8], actor: ActorID) throws -> (any DocumentHandle)? {
    guard let saved = R.saved(from: bytes) else { return nil }
    return ReplicaHandle(try R.load(saved, actor: actor))
  }
}

/// `replica` changes in place; a handle that two numbers of the interpreter have is one document.
final class ReplicaHandle<R: Replica>: DocumentHandle {
  var replica: R

  init(_ replica: R) {
    self.replica = replica
  }

  func copy() -> any DocumentHandle { ReplicaHandle(replica) }

  func twin() throws -> any DocumentHandle { ReplicaHandle(try replica.twin()) }

  func apply(_ edit: Edit<ObjectID>) throws -> EditEffect { try replica.apply(edit) }

  func commit() { replica.commit() }

  func commit(message: ExactString?, time: Int64) throws {
    try replica.commit(message: message, time: time)
  }

  func rollback() throws { try replica.rollback() }

  func fork(actor: ActorID) throws -> any DocumentHandle {
    ReplicaHandle(try replica.fork(actor: actor))
  }

  func fork(at heads: ObservedHeads, actor: ActorID) throws -> any DocumentHandle {
    ReplicaHandle(try replica.fork(at: heads, actor: actor))
  }

  func merge(_ other: any DocumentHandle) throws {
    guard let other = other as? Self else { throw HandleMismatch() }
    try replica.merge(&other.replica)
  }

  func parts(since heads: [String]) throws -> any ChangesHandle {
    ReplicaChanges<R>(try replica.parts(since: heads))
  }

  func apply(_ changes: any ChangesHandle, part: Int) throws {
    guard let changes = changes as? ReplicaChanges<R> else { throw HandleMismatch() }
    try replica.apply([changes.changes[part]])
  }

  func save() throws -> any SavedHandle { ReplicaSaved<R>(try replica.save()) }

  func append(to saved: any SavedHandle) throws -> any SavedHandle {
    guard let saved = saved as? ReplicaSaved<R> else { throw HandleMismatch() }
    return ReplicaSaved<R>(try replica.append(to: saved.saved))
  }

  func heads() -> ObservedHeads { replica.heads() }

  func observe(at heads: ObservedHeads?) throws -> Observation { try replica.observe(at: heads) }

  func kind(of object: ObjectID) -> ObjectKind? { replica.kind(of: object) }

  func shape(of object: ObjectID) -> (kind: ObjectKind, length: Int)? { replica.shape(of: object) }

  func holdsCounter(_ object: ObjectID, _ slot: Slot) -> Bool {
    replica.holdsCounter(object, slot)
  }

  func sync(with other: any DocumentHandle, _ fates: [SyncFate]) throws -> SyncReport {
    guard let other = other as? Self, other !== self else { throw HandleMismatch() }
    return try R.sync(&replica, &other.replica, fates)
  }

  func hear(_ attack: Attack, from informant: any DocumentHandle) throws -> AttackReport {
    guard let informant = informant as? Self, informant !== self else { throw HandleMismatch() }
    return try replica.hear(attack, from: &informant.replica)
  }

  func cursor(
    in object: ObjectID,
    at index: Int,
    moving move: CursorMove,
    heads: ObservedHeads?
  ) throws -> ObservedCursor? {
    try replica.cursor(in: object, at: index, moving: move, heads: heads)
  }

  func position(
    of cursor: ObservedCursor,
    in object: ObjectID,
    at heads: ObservedHeads?
  ) throws -> Int? {
    try replica.position(of: cursor, in: object, at: heads)
  }

  func patches(from before: ObservedHeads, to after: ObservedHeads) throws -> [ObservedPatch] {
    try replica.patches(from: before, to: after)
  }
}

final class ReplicaChanges<R: Replica>: ChangesHandle {
  let changes: [R.Change]

  init(_ changes: [R.Change]) {
    self.changes = changes
  }

  var count: Int { changes.count }
}

final class ReplicaSaved<R: Replica>: SavedHandle {
  let saved: R.Saved

  init(_ saved: R.Saved) {
    self.saved = saved
  }

  var bytes: [UInt8]? { R.bytes(of: saved) }

  func load(actor: ActorID) throws -> any DocumentHandle {
    ReplicaHandle(try R.load(saved, actor: actor))
  }
}
