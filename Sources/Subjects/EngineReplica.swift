// The engine as a replica: each requirement is one call of `MergeDocument`, and the rest of the
// file translates. Nothing is checked in this file: the engine's answers are judged by the laws.
// `TightSubjects` compiles the same file against `TightEngine`.
//
//     harness                  engine
//     Slot                     Prop
//     Scalar.float             EngineScalar.double
//     ObjectKind.map           map and table: an old kind, read as a map
//     EditRefusal              EditError

package import DocumentModel
import Histories
import Texts

#if TOUCHSTONE_TIGHT_SIZES
import TightEngine
#else
import MergeEngine
#endif

/// A document of the engine in the harness's vocabulary.
///
/// `MergeDocument` is a class: an assignment is no copy, `fork` and `twin` are.
package struct EngineReplica: Replica {
  /// What it can do.
  package static var capabilities: Capabilities {
    var capabilities = Capabilities.all
    // Reading what an edit is about to replace would cost more than the edit.
    capabilities.features.remove(.effects)
    return capabilities
  }

  let document: MergeDocument

  init(_ document: MergeDocument) {
    self.document = document
  }

  package init(actor: DocumentModel.ActorID) {
    document = MergeDocument(actor: EngineActorID(actor.bytes))
  }

  package static func load(_ saved: [UInt8], actor: DocumentModel.ActorID) throws -> Self {
    Self(try MergeDocument(loading: saved, actor: EngineActorID(actor.bytes)))
  }

  package static func bytes(of saved: [UInt8]) -> [UInt8]? { saved }

  package static func saved(from bytes: [UInt8]) -> [UInt8]? { bytes }

  package mutating func commit() {
    document.commit()
  }

  package mutating func commit(message: ExactString?, time: Int64) {
    document.commit(message: message?.string, time: time)
  }

  package mutating func rollback() {
    document.rollback()
  }

  package mutating func fork(at heads: ObservedHeads, actor: DocumentModel.ActorID) throws -> Self {
    let hashes = heads.ids.compactMap(Self.hash)
    return Self(try document.fork(at: hashes, actor: EngineActorID(actor.bytes)))
  }

  /// Increments follow what is there, chunk behind chunk, as a file grows.
  package mutating func append(to saved: [UInt8]) -> [UInt8] {
    saved + document.saveIncremental()
  }

  package mutating func fork(actor: DocumentModel.ActorID) -> Self {
    Self(document.fork(actor: EngineActorID(actor.bytes)))
  }

  /// Equal calls on equal documents give equal documents.
  package static var sharesStates: Bool { true }

  /// A fork by the same writer.
  package mutating func twin() -> Self {
    Self(document.fork(actor: document.actor))
  }

  package mutating func merge(_ other: inout Self) throws {
    try document.merge(other.document)
  }

  /// Hashes that are no 64 digits of hexadecimal are passed over, here and wherever heads come in.
  package mutating func changes(since heads: [String]) -> [[UInt8]] {
    document.changeBytes(since: heads.compactMap(Self.hash))
  }

  package mutating func parts(since heads: [String]) -> [[UInt8]] {
    let bytes = changes(since: heads)
    guard bytes.count > 1 else { return bytes }
    let sent = document.changes(since: heads.compactMap(Self.hash))
    return Self.byGeneration(Array(zip(sent, bytes)), of: document.changes())
  }

  /// Puts changes, each with what stands for it, in the order that all implementations share.
  ///
  /// `all` are the document's changes in an order in which each follows what it depends on.
  ///
  /// Within a generation changes of one actor cannot meet, as each follows the one before.
  static func byGeneration<Part>(
    _ parts: [(info: ChangeInfo, part: Part)],
    of all: [ChangeInfo]
  ) -> [Part] {
    var generations: [EngineChangeHash: Int] = [:]
    for change in all {
      generations[change.hash] = 1 + (change.dependencies.compactMap { generations[$0] }.max() ?? 0)
    }
    func key(_ info: ChangeInfo) -> (Int, EngineActorID) {
      (generations[info.hash] ?? 0, info.actor)
    }
    return parts.sorted { key($0.info) < key($1.info) }.map(\.part)
  }

  package mutating func apply(_ changes: [[UInt8]]) throws {
    try document.applyChanges(changes)
  }

  package mutating func save() -> [UInt8] {
    document.save()
  }

  /// Hashes of changes, as every implementation of the format has them.
  ///
  /// Closes the open change.
  package mutating func heads() -> ObservedHeads {
    ObservedHeads(scheme: "automerge", ids: document.heads.map { $0.description })
  }

  static func hash(_ hex: String) -> ChangeHash? {
    hexBytes(hex).flatMap { ChangeHash($0) }
  }

  // MARK: - Edits

  package mutating func apply(_ edit: Edit<DocumentModel.ObjectID>) throws -> EditEffect {
    do {
      return EditEffect(made: try carryOut(edit))
    } catch {
      throw Self.refusal(error, edit)
    }
  }

  /// A mark that ends before it begins is refused here: a range of Swift cannot hold it.
  private func carryOut(
    _ edit: Edit<DocumentModel.ObjectID>
  ) throws(EditError) -> DocumentModel.ObjectID? {
    let object = Self.id(edit.object)
    switch edit {
    case .put(_, let slot, let value):
      try document.put(object, Self.prop(slot), Self.scalar(value))
    case .putObject(_, let slot, let kind):
      return Self.id(try document.putObject(object, Self.prop(slot), Self.kind(kind)))
    case .insert(_, let index, let value):
      try document.insert(object, at: index, Self.scalar(value))
    case .insertObject(_, let index, let kind):
      return Self.id(try document.insertObject(object, at: index, Self.kind(kind)))
    case .delete(_, let slot):
      try document.delete(object, Self.prop(slot))
    case .increment(_, let slot, let amount):
      try document.increment(object, Self.prop(slot), by: amount)
    case .splice(_, let index, let count, let values):
      try document.splice(object, at: index, delete: count, insert: values.map(Self.scalar))
    case .spliceText(_, let index, let count, let text):
      try document.spliceText(object, at: index, delete: count, insert: text.string)
    case .mark(_, let marking):
      guard marking.start <= marking.end else {
        throw .indexOutOfBounds(index: marking.start, length: marking.end)
      }
      try document.mark(
        object,
        marking.start..<marking.end,
        expand: Self.expansion(marking.expand),
        name: marking.name.string,
        value: Self.scalar(marking.value)
      )
    }
    return nil
  }

  private static func expansion(_ expand: DocumentModel.MarkExpansion) -> EngineMarkExpansion {
    switch expand {
    case .before: .before
    case .after: .after
    case .both: .both
    case .none: .none
    }
  }

  static func mark(_ mark: EngineMark) -> ObservedMark {
    ObservedMark(name: ExactString(mark.name), value: scalar(mark.value), range: mark.range)
  }

  /// Unknown kinds keep their text, which laws do not compare.
  private static func refusal(
    _ error: EditError,
    _ edit: Edit<DocumentModel.ObjectID>
  ) -> EditRefusal {
    switch error {
    case .unknownObject: .noObject(edit.object)
    case .indexOutOfBounds(let index, let length): .indexOutOfBounds(index, length: length)
    case .invalidOperation(let kind): .wrongKind(Self.kind(kind), for: edit.kind)
    default: .other("\(error)")
    }
  }

  // MARK: - Reading

  package func kind(of object: DocumentModel.ObjectID) -> DocumentModel.ObjectKind? {
    (try? document.kind(of: Self.id(object))).map { Self.kind($0) }
  }

  /// Nil for an object that the document does not know.
  package func shape(
    of object: DocumentModel.ObjectID
  ) -> (kind: DocumentModel.ObjectKind, length: Int)? {
    let id = Self.id(object)
    guard let kind = try? document.kind(of: id), let length = try? document.length(id) else {
      return nil
    }
    return (Self.kind(kind), length)
  }

  package func holdsCounter(_ object: DocumentModel.ObjectID, _ slot: Slot) -> Bool {
    let entries = (try? document.getAll(Self.id(object), Self.prop(slot))) ?? []
    return entries.contains { if case .scalar(.counter) = $0.value { true } else { false } }
  }

  package func observe(at heads: ObservedHeads?) throws -> Observation {
    let hashes = heads.map { $0.ids.compactMap(Self.hash) }
    let root = try observed(.root, .map, at: hashes)
    return Observation(root: root, heads: heads)
  }

  private func observed(
    _ object: EngineObjectID,
    _ kind: EngineObjectKind,
    at heads: [ChangeHash]?
  ) throws -> ObservedObject {
    let content: ObservedObject.Content
    switch kind {
    case .map, .table:
      content = .map(
        try document.keys(object, at: heads).map { key in
          ObservedObject.Entry(
            key: ExactString(key),
            register: try register(document.getAll(object, .key(key), at: heads), at: heads)
          )
        }
      )
    case .list:
      let length = try document.length(object, at: heads)
      content = .list(
        heads != nil && length > Self.pastLimit
          ? try winners(object, at: heads)
          : try (0..<length).map { index in
            try register(document.getAll(object, .index(index), at: heads), at: heads)
          }
      )
    case .text:
      content = .text(
        ExactString(try document.text(object, at: heads)),
        length: try document.length(object, at: heads),
        elements: try elements(ofText: object, at: heads)
      )
    }
    let marks = kind == .list || kind == .text ? try document.marks(object, at: heads) : []
    return ObservedObject(id: Self.id(object), content: content, marks: marks.map(Self.mark))
  }

  /// Elements of a past sequence beyond which only winners are read: each read of one walks from the start.
  ///
  /// The registers are marked as not complete, so that only winners are compared.
  private static var pastLimit: Int { 4096 }

  private func winners(
    _ sequence: EngineObjectID,
    at heads: [ChangeHash]?
  ) throws -> [ObservedRegister] {
    try document.values(sequence, at: heads).map { winner in
      ObservedRegister(values: [try observed(winner, at: heads)], isComplete: false)
    }
  }

  /// One register for each element; of one without width, which no index reaches, only the winner.
  private func elements(
    ofText text: EngineObjectID,
    at heads: [ChangeHash]?
  ) throws -> [ObservedRegister] {
    if heads != nil, try document.length(text, at: heads) > Self.pastLimit {
      return try winners(text, at: heads)
    }
    var index = 0
    return try document.values(text, at: heads).map { winner in
      let width = Self.width(of: winner.value)
      defer { index += width }
      guard width > 0 else {
        return ObservedRegister(values: [try observed(winner, at: heads)], isComplete: false)
      }
      return try register(document.getAll(text, .index(index), at: heads), at: heads)
    }
  }

  /// In scalars: the engine's other units are tried by `DocumentReplica`.
  static func width(of value: EngineValue) -> Int {
    guard case .scalar(.string(let text)) = value else { return 1 }
    return text.unicodeScalars.count
  }

  private func register(
    _ entries: [EngineEntry],
    at heads: [ChangeHash]?
  ) throws
    -> ObservedRegister
  {
    ObservedRegister(values: try entries.map { try observed($0, at: heads) }, isComplete: true)
  }

  /// Objects in conflict are shown with all that they hold, as the specification shows them.
  private func observed(
    _ entry: EngineEntry,
    at heads: [ChangeHash]?
  ) throws
    -> ObservedValue
  {
    let content: ObservedValue.Content =
      switch entry.value {
      case .scalar(let scalar): .scalar(Self.scalar(scalar))
      case .object(let id, let kind): .object(try observed(id, kind, at: heads))
      }
    return ObservedValue(id: Self.id(entry.id), content: content)
  }

  // MARK: - Vocabulary

  /// From here on names and values are translated; only tables become another kind, maps.
  static func id(_ id: DocumentModel.ObjectID) -> EngineObjectID {
    switch id {
    case .root: .root
    case .made(let id):
      EngineObjectID(
        EngineOpID(counter: id.counter, actor: EngineActorID(id.actor.bytes))
      )
    }
  }

  static func id(_ id: EngineObjectID) -> DocumentModel.ObjectID {
    id.opID.flatMap { Self.id($0) }.map { .made($0) } ?? .root
  }

  /// Nil for an actor longer than any that the harness gives out.
  static func id(_ id: EngineOpID) -> DocumentModel.OpID? {
    DocumentModel.ActorID(bytes: id.actor.bytes).map {
      DocumentModel.OpID(counter: id.counter, actor: $0)
    }
  }

  static func prop(_ slot: Slot) -> Prop {
    switch slot {
    case .key(let key): .key(key.string)
    case .index(let index): .index(index)
    }
  }

  static func kind(_ kind: DocumentModel.ObjectKind) -> EngineObjectKind {
    switch kind {
    case .map: .map
    case .list: .list
    case .text: .text
    }
  }

  static func kind(_ kind: EngineObjectKind) -> DocumentModel.ObjectKind {
    switch kind {
    case .map, .table: .map
    case .list: .list
    case .text: .text
    }
  }

  static func scalar(_ scalar: DocumentModel.Scalar) -> EngineScalar {
    switch scalar {
    case .null: .null
    case .boolean(let value): .bool(value)
    case .int(let value): .int(value)
    case .uint(let value): .uint(value)
    case .float(let value): .double(value)
    case .string(let value): .string(value.string)
    case .bytes(let value): .bytes(value)
    case .counter(let value): .counter(value)
    case .timestamp(let value): .timestamp(value)
    case .unknown(let typeCode, let value): .unknown(code: typeCode, bytes: value)
    }
  }

  static func scalar(_ scalar: EngineScalar) -> DocumentModel.Scalar {
    switch scalar {
    case .null: .null
    case .bool(let value): .boolean(value)
    case .int(let value): .int(value)
    case .uint(let value): .uint(value)
    case .double(let value): .float(value)
    case .string(let value): .string(ExactString(value))
    case .bytes(let value): .bytes(value)
    case .counter(let value): .counter(value)
    case .timestamp(let value): .timestamp(value)
    case .unknown(let code, let value): .unknown(typeCode: code, bytes: value)
    }
  }
}
