// `Document` as a replica. Each call is judged three times over: by the laws, as any subject's is;
// by its witness, which hears what observers are told (`EventWatch`); and by what the call
// promises beside, here and in the files `Document+*.swift`. What calls promise of any state, and no step of a
// history calls, is asked by laws of their own (`PublicCalls`).
//
//     part                          what it does
//     commits and copies            the calls that look at changes, with what they promise
//     edits                         each edit by its own call, refusals in the harness's words
//     reading                       `DocumentReader`
//
// Subjects differ in what texts count (`ReplicaUnits`), each compared with a specification that
// counts the same (`NaiveUnits.swift`).

package import AutomergeDocument
package import DocumentModel
import Foundation
package import Histories
import MergeEngine

/// `Document` as a subject, counting Unicode scalars.
package let documentSubject: any DocumentSubject = documentSubject(.unicodeScalar)

/// `Document` with another text encoding, judged by the specification with the same.
package func documentSubject(_ encoding: TextEncoding) -> any DocumentSubject {
  switch encoding {
  case .unicodeScalar: subject(DocumentReplica<ScalarUnits>.self, id: "document")
  case .utf8: subject(DocumentReplica<UTF8Units>.self, id: "document-utf8")
  case .utf16: subject(DocumentReplica<UTF16Units>.self, id: "document-utf16")
  case .graphemeCluster: subject(DocumentReplica<GraphemeUnits>.self, id: "document-grapheme")
  }
}

/// Capabilities are the engine's, less what the face or the comparison lacks.
private func subject<Units: ReplicaUnits>(
  _ type: DocumentReplica<Units>.Type,
  id: String
) -> any DocumentSubject {
  var capabilities = engineSubject.capabilities
  // The public face has no such call, or the replica uses it up to check another.
  // `encodeNewChanges` is called after each application of changes: what a save by increments would
  // save is gone by then.
  capabilities.features.subtract([.rollback, .increments])
  // Its patches that put and insert do not say what is in conflict (`Document.checkPatches` asks for the others).
  capabilities.features.remove(.conflictPatches)
  // The specification says what is refused, and patches are carried out, in scalars alone.
  if Units.encoding != .unicodeScalar { capabilities.features.subtract([.refusals, .patches]) }
  return ReplicaSubject(type, id: id, capabilities: capabilities)
}

/// A `Document` in the harness's vocabulary, which checks each public call.
///
/// Every answer of a public call is checked against the engine below and against the call's
/// documentation. An answer that does not fit is a ``PublicCallFault``, a failed call.
package struct DocumentReplica<Units: ReplicaUnits>: Replica {
  let document: Document
  let witness: EventWatch

  private init(_ document: Document) throws {
    try expect(document.textEncoding == Units.encoding, "textEncoding")
    try expect(document.limits == Self.limits, "limits")
    self.document = document
    witness = EventWatch(document)
  }

  package init(actor: DocumentModel.ActorID) {
    document = Document(textEncoding: Units.encoding, limits: Self.limits)
    document.actor = Self.actor(actor)
    witness = EventWatch(document)
  }

  /// Other limits than a document has that was told none: copies must have them as well.
  ///
  /// One waiting change less than the default.
  private static var limits: AutomergeDocument.DocumentLimits {
    var limits = AutomergeDocument.DocumentLimits()
    limits.waitingChangeLimit -= 1
    return limits
  }

  /// The harness gives out no actor that is too long.
  private static func actor(_ actor: DocumentModel.ActorID) -> ActorId {
    ActorId(MergeEngine.ActorID(actor.bytes))
  }

  package static func load(_ saved: [UInt8], actor: DocumentModel.ActorID) throws -> Self {
    let document = try Document(.init(saved), textEncoding: Units.encoding, limits: limits)
    document.actor = self.actor(actor)
    return try Self(document)
  }

  /// Each read holds the public calls against the engine, and so each is made.
  ///
  /// False: a state read twice is two tests of the calls.
  package static var keepsObservations: Bool { false }

  /// Each call is held against the engine once for each state on which it is made.
  package static var sharesStates: Bool { true }

  package mutating func twin() throws -> Self {
    let copy = document.fork()
    copy.actor = document.actor
    return try Self(copy)
  }

  package static func bytes(of saved: [UInt8]) -> [UInt8]? { saved }

  package static func saved(from bytes: [UInt8]) -> [UInt8]? { bytes }

  // MARK: - Commits and copies

  /// Commits at a fraction of second 0, which must come out as 1970.
  ///
  /// What is wrong is kept for the next call that may fail.
  ///
  /// Of commits with edits every fourth, by the number of changes, is made by a merge with an empty
  /// document.
  ///
  /// A fraction of a second, 0.9 or -0.9, is cut toward zero: both are second 0.
  package mutating func commit() {
    let before = Set(document.reading { $0.changeHashesWithoutCommit })
    let pending = document.reading { $0.pendingOpCount }
    if pending > 0, before.count % 4 == 3 {
      witness.note { try mergeNothing() }
    } else {
      witness.check(nil, "commitWith") {
        document.commitWith(
          timestamp: .init(timeIntervalSince1970: before.count % 2 == 0 ? 0.9 : -0.9)
        )
      }
    }
    witness.note {
      let made = document.getHistory().filter { !before.contains($0.engineHash) }
      try expect(made.count == (pending > 0 ? 1 : 0), "commitWith made \(made.count) changes")
      for hash in made {
        let change = document.change(hash: hash)
        try expect(change?.timestamp.timeIntervalSince1970 == 0, "commitWith: timestamp")
        try expect(change?.message == nil, "commitWith: message")
        try expect(change?.actorId == document.actor, "commitWith: actor")
        try expect(change?.hash == hash, "change(hash:)")
      }
    }
  }

  /// Merges an empty document, which closes the open change: what was open is no news.
  ///
  /// A merge closes the open change first. That is the document's own change, and no news: there
  /// must be no patches, and observers hear of no changed object.
  private func mergeNothing() throws {
    let nothing = Document(textEncoding: Units.encoding)
    nothing.actor = ActorId(MergeEngine.ActorID([0xfc]))
    var patches: [Patch] = []
    try witness.judge(nil, "merging nothing", changes: false, closing: false) {
      patches = try document.mergeWithPatches(other: nothing)
    }
    try expect(patches.isEmpty, "merging nothing into an open change gives patches")
  }

  /// Seconds are the whole of what a change keeps of a time.
  ///
  /// A time beyond 2^52 seconds has no exact `Date`, so that the engine is asked directly.
  package mutating func commit(message: ExactString?, time: Int64) throws {
    // `getHistory` would commit.
    let before = Set(document.reading { $0.changeHashesWithoutCommit })
    let pending = document.reading { $0.pendingOpCount }
    guard let exact = Date.ofWholeSeconds(time) else {
      document.reading { _ = $0.commit(message: message?.string, time: time) }
      return
    }
    witness.check(nil, "commitWith") {
      document.commitWith(message: message?.string, timestamp: exact)
    }
    let made = document.getHistory().filter { !before.contains($0.engineHash) }
    try expect(made.count == (pending > 0 ? 1 : 0), "commitWith made \(made.count) changes")
    for hash in made {
      let change = document.change(hash: hash)
      try expect(change?.timestamp == exact, "commitWith: timestamp")
      try expect(change?.message == message?.string, "commitWith: message")
    }
  }

  /// Observers must hear nothing of it.
  package mutating func fork(at heads: ObservedHeads, actor: DocumentModel.ActorID) throws -> Self {
    let copy = try witness.quiet("forkAt") { try document.forkAt(heads: heads.changeHashes) }
    copy.actor = Self.actor(actor)
    return try Self(copy)
  }

  /// What `fork` promises: the open change is closed first, the copy has another actor, all
  /// changes, and as many unsaved ones as the original.
  package mutating func fork(actor: DocumentModel.ActorID) throws -> Self {
    let pending = document.reading { $0.pendingOpCount }
    let count = document.reading { $0.changeHashesWithoutCommit.count }
    let copy = try witness.quiet("fork") { document.fork() }
    try expect(document.reading { $0.pendingOpCount } == 0, "fork leaves a change open")
    try expect(copy.actor != document.actor, "fork keeps the actor")
    try expect(copy.getHistory().count == count + (pending > 0 ? 1 : 0), "fork: history")
    let past = try document.forkAt(heads: document.heads())
    try expect(past.heads() == document.heads(), "forkAt: heads")
    try expect(past.textEncoding == Units.encoding, "forkAt: textEncoding")
    try expect(past.limits == document.limits, "forkAt: limits")
    try expect(
      copy.encodeNewChanges() == document.encodeNewChanges(),
      "fork: what is not saved yet"
    )
    copy.actor = Self.actor(actor)
    return try Self(copy)
  }

  package mutating func merge(_ other: inout Self) throws {
    let theirs = other.document.heads()
    let known = Set(document.getHistory())
    let new = other.document.getHistory().contains { !known.contains($0) }
    let other = other.document
    let before = document.heads()
    let looksAtPatches = looksAtPatches
    let cursors = looksAtPatches ? try CursorWatch(document) : nil
    var patches: [Patch]?
    try witness.judge(nil, "merge", changes: new) {
      if looksAtPatches {
        patches = try document.mergeWithPatches(other: other)
      } else {
        try document.merge(other: other)
      }
    }
    try expect(other.heads() == theirs, "merge changes the other")
    if let patches {
      try document.checkPatches(patches, from: before, to: document.heads(), "merge")
    }
    try cursors?.check(document, after: "merge")
  }

  /// Whether a call that brings changes is made in its form with patches: one in six.
  ///
  /// Each takes two looks at all that the document shows.
  var looksAtPatches: Bool { document.getHistory().count % 6 == 2 }

  /// All at once (`encodeChangesSince`) and one by one (`change(hash:)`) must be the same bytes.
  package mutating func changes(since heads: [String]) throws -> [[UInt8]] {
    let known = heads.changeHashes
    let joined = try witness.quiet("encodeChangesSince") {
      try document.encodeChangesSince(heads: known)
    }
    let hashes = document.reading { $0.changeHashes(since: known.engineHashes) }
    let changes = try hashes.map { hash in
      guard let change = document.change(hash: ChangeHash(hash)) else {
        throw PublicCallFault("change(hash:) does not know \(hash)")
      }
      return [UInt8](change.bytes)
    }
    try expect([UInt8](joined) == Array(changes.joined()), "encodeChangesSince")
    return changes
  }

  /// In the order that all implementations share; the bytes are those of `changes(since:)`.
  package mutating func parts(since heads: [String]) throws -> [[UInt8]] {
    let bytes = try changes(since: heads)
    let known = heads.changeHashes
    let (sent, all) = document.reading {
      ($0.changes(since: known.engineHashes), $0.changes())
    }
    return EngineReplica.byGeneration(Array(zip(sent, bytes)), of: all)
  }

  /// Joined to one call, as a file of changes is.
  ///
  /// `encodeNewChanges` gives what is new once, and then nothing.
  package mutating func apply(_ changes: [[UInt8]]) throws {
    let before = document.getHistory().count
    let heads = document.heads()
    let looksAtPatches = looksAtPatches
    let cursors = looksAtPatches ? try CursorWatch(document) : nil
    var patches: [Patch]?
    try witness.judge(nil, "applyEncodedChanges", changes: nil) {
      if looksAtPatches {
        patches = try document.applyEncodedChangesWithPatches(encoded: .init(changes.joined()))
      } else {
        try document.applyEncodedChanges(encoded: .init(changes.joined()))
      }
    }
    if let patches {
      try document.checkPatches(patches, from: heads, to: document.heads(), "apply")
    }
    try cursors?.check(document, after: "apply")
    let more = document.encodeNewChanges()
    try expect(document.encodeNewChanges().isEmpty, "encodeNewChanges gives changes twice")
    try expect(more.isEmpty || document.getHistory().count > 0, "encodeNewChanges")
    try expect(document.getHistory().count >= before, "applyEncodedChanges loses changes")
  }

  /// Saves twice: `saveWithHeads` must give the same bytes, and the heads that the document has.
  package mutating func save() throws -> [UInt8] {
    let bytes = try witness.quiet("save") { document.save() }
    let (again, heads) = document.saveWithHeads()
    try expect(bytes == again, "saveWithHeads: bytes")
    try expect(heads == document.heads(), "saveWithHeads: heads")
    return [UInt8](bytes)
  }

  /// Hashes of changes, as every implementation of the format has them.
  package mutating func heads() -> ObservedHeads {
    let heads = document.heads()
    witness.note {
      try expect(document.reading { $0.pendingOpCount } == 0, "heads leaves a change open")
      try expect(heads.raw().heads() == heads, "raw and heads")
    }
    return ObservedHeads(scheme: "automerge", ids: heads.map(\.debugDescription))
  }

  // MARK: - Edits

  /// Observers must hear of the edit, refused or not, and of a change of its object if it made
  /// operations.
  ///
  /// - Throws: `EditRefusal` if the document refuses it; `PublicCallFault` if an earlier call went wrong,
  ///   or observers hear otherwise.
  package mutating func apply(_ edit: Edit<DocumentModel.ObjectID>) throws -> EditEffect {
    try witness.settle()
    let object = id(of: edit.object)
    var made: ObjId?
    var refusal: DocError?
    try witness.judge(object, "\(edit.kind)", changes: nil) {
      do { made = try carryOut(edit, object) } catch let error as DocError { refusal = error }
    }
    if let refusal { throw Self.refusal(refusal, edit) }
    return EditEffect(made: made.map { EngineReplica.id($0.engineID) })
  }

  /// An object that the document does not know counts as a map: the call that gets it must refuse
  /// it.
  func id(of object: DocumentModel.ObjectID) -> ObjId {
    let id = EngineReplica.id(object)
    return ObjId(id, document.reading { try? $0.kind(of: id) } ?? .map)
  }

  /// Numbers below 0 become 0 (`UInt64(clamping:)`), so that an edit before the start is one at the
  /// start here; the generator asks for none but deletions, whose count keeps its sign.
  private func carryOut(_ edit: Edit<DocumentModel.ObjectID>, _ object: ObjId) throws -> ObjId? {
    switch edit {
    case .put(_, .key(let key), let value):
      try document.put(obj: object, key: key.string, value: try Self.scalar(value))
    case .put(_, .index(let index), let value):
      try document.put(obj: object, index: UInt64(clamping: index), value: try Self.scalar(value))
    case .putObject(_, .key(let key), let kind):
      return try document.putObject(obj: object, key: key.string, ty: Self.type(kind))
    case .putObject(_, .index(let index), let kind):
      return try document.putObject(
        obj: object,
        index: UInt64(clamping: index),
        ty: Self.type(kind)
      )
    case .insert(_, let index, let value):
      try document.insert(
        obj: object,
        index: UInt64(clamping: index),
        value: try Self.scalar(value)
      )
    case .insertObject(_, let index, let kind):
      return try document.insertObject(
        obj: object,
        index: UInt64(clamping: index),
        ty: Self.type(kind)
      )
    case .delete(_, .key(let key)): try document.delete(obj: object, key: key.string)
    case .delete(_, .index(let index)):
      try document.delete(obj: object, index: UInt64(clamping: index))
    case .increment(_, .key(let key), let amount):
      try document.increment(obj: object, key: key.string, by: amount)
    case .increment(_, .index(let index), let amount):
      try document.increment(obj: object, index: UInt64(clamping: index), by: amount)
    case .splice(_, let index, let count, let values):
      try document.splice(
        obj: object,
        start: UInt64(clamping: index),
        delete: Int64(count),
        values: try values.map(Self.scalar)
      )
    case .spliceText(_, let index, let count, let text):
      try document.spliceText(
        obj: object,
        start: UInt64(clamping: index),
        delete: Int64(count),
        value: text.string
      )
    case .mark(_, let marking):
      try document.mark(
        obj: object,
        start: UInt64(clamping: marking.start),
        end: UInt64(clamping: marking.end),
        expand: Self.expand(marking.expand),
        name: marking.name.string,
        value: try Self.scalar(marking.value)
      )
    }
    return nil
  }

  private static func type(_ kind: DocumentModel.ObjectKind) -> ObjType {
    ObjType(EngineReplica.kind(kind))
  }

  private static func expand(_ expand: DocumentModel.MarkExpansion) -> ExpandMark {
    switch expand {
    case .before: .before
    case .after: .after
    case .both: .both
    case .none: .none
    }
  }

  /// Conversions are tried on every value that a history writes.
  private static func scalar(_ scalar: DocumentModel.Scalar) throws -> ScalarValue {
    let value = ScalarValue(EngineReplica.scalar(scalar))
    try checkConversions(of: value)
    return value
  }

  /// Kinds of refusal that the harness has no word for keep their text.
  private static func refusal(
    _ error: DocError,
    _ edit: Edit<DocumentModel.ObjectID>
  ) -> EditRefusal {
    switch error.kind {
    case .unknownObject: .noObject(edit.object)
    case .indexOutOfBounds(let index, let length): .indexOutOfBounds(index, length: length)
    case .wrongObjectType(let type): .wrongKind(EngineReplica.kind(type.engineKind), for: edit.kind)
    default: .other("\(error)")
    }
  }

  // MARK: - Reading

  /// Kind from the engine, length from the public call.
  package func shape(
    of object: DocumentModel.ObjectID
  ) -> (kind: DocumentModel.ObjectKind, length: Int)? {
    let id = EngineReplica.id(object)
    guard let kind = document.reading({ try? $0.kind(of: id) }) else { return nil }
    return (EngineReplica.kind(kind), Int(clamping: document.length(obj: ObjId(id, kind))))
  }

  /// Losers of a conflict count as well.
  package func holdsCounter(_ object: DocumentModel.ObjectID, _ slot: Slot) -> Bool {
    let id = id(of: object)
    let values =
      switch slot {
      case .key(let key): try? document.getAll(obj: id, key: key.string)
      case .index(let index): try? document.getAll(obj: id, index: UInt64(clamping: index))
      }
    return values?.contains { if case .Scalar(.Counter) = $0 { true } else { false } } ?? false
  }

  /// Without the heads of the present: asking for them would close the open change.
  package func observe(at heads: ObservedHeads?) throws -> Observation {
    try witness.settle()
    let reader = DocumentReader(document, at: heads?.changeHashes)
    let root = try witness.quiet("reading") { try reader.observed(.ROOT) }
    return Observation(root: root, heads: heads)
  }
}

extension ObservedHeads {
  /// The heads as `Document` takes them; what is no hash is passed over.
  var changeHashes: Set<AutomergeDocument.ChangeHash> { ids.changeHashes }
}

extension [String] {
  /// The hashes among the texts.
  fileprivate var changeHashes: Set<AutomergeDocument.ChangeHash> {
    Set(compactMap(EngineReplica.hash).map { ChangeHash($0) })
  }
}

/// What lengths and indexes of a replica's texts count.
///
/// A type rather than a value, so that `init(actor:)` and `load` know it.
package protocol ReplicaUnits: Sendable {
  static var encoding: TextEncoding { get }
}

package enum ScalarUnits: ReplicaUnits {
  package static var encoding: TextEncoding { .unicodeScalar }
}

package enum UTF8Units: ReplicaUnits {
  package static var encoding: TextEncoding { .utf8 }
}

package enum UTF16Units: ReplicaUnits {
  package static var encoding: TextEncoding { .utf16 }
}

package enum GraphemeUnits: ReplicaUnits {
  package static var encoding: TextEncoding { .graphemeCluster }
}

extension Date {
  /// Seconds since 1970 as a date; `nil` for a number so large that a date has no whole seconds there.
  fileprivate static func ofWholeSeconds(_ seconds: Int64) -> Date? {
    abs(Double(seconds)) <= 0x1p52 ? Date(timeIntervalSince1970: Double(seconds)) : nil
  }
}
