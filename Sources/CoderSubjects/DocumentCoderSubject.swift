import AutomergeDocument
package import CodingLaws
package import CodingSupport
public import DocumentCoding
import Foundation
import Logging
import MergeEngine
public import ModelGeneration
import ModelZoo

extension AutomergeText: ModelText {}

extension AutomergeText: AnchoredText {}

extension DocumentCoding.Counter: ModelCounter {
  public func set(_ value: Int) { self.value = value }
}

/// The zoo's models with our coder's texts and counters.
package let documentCoderPool = ModelPool(
  ModelZoo.models(text: AutomergeText.self, counter: DocumentCoding.Counter.self)
)

/// Our coder as a subject: `AutomergeEncoder` and `AutomergeDecoder` on documents of the engine.
package struct DocumentCoderSubject: PeeredCoder {
  package typealias Text = AutomergeText
  package typealias Counter = DocumentCoding.Counter

  package let id = "document-coder"
  package let version = "1"
  package let features = CoderFeature.allOfDocuments
  package let dates = DateFidelity.seconds
  package let peer: PeerAvailability

  package init(peer: PeerAvailability = .absent("no other Automerge was named")) {
    self.peer = peer
  }

  package func encode<T: Encodable>(
    _ value: T,
    _ settings: EncodingSettings
  ) throws -> EncodedModel {
    let document = CoderDocument(actor: 1)
    try document.encode(value, at: [], settings)
    return .document(document)
  }

  package func decode<T: Decodable>(
    _ type: T.Type,
    from encoded: EncodedModel,
    userInfo: [CodingUserInfoKey: any Sendable]
  ) throws -> T {
    guard case .document(let document) = encoded else {
      throw UnsupportedByCoder(feature: .documents)
    }
    return try document.decode(type, at: [], userInfo: userInfo)
  }

  package func document(actor: UInt8) throws -> any CodingDocument { CoderDocument(actor: actor) }

  package func save(_ document: any CodingDocument) throws -> SavedDocument {
    guard let document = document as? CoderDocument else {
      throw UnsupportedByCoder(feature: .documents)
    }
    return .bytes(Array(document.document.save()))
  }

  package func document(saved: SavedDocument, actor: UInt8) throws -> any CodingDocument {
    guard case .bytes(let bytes) = saved else { throw UnsupportedByCoder(feature: .documents) }
    return CoderDocument(try Document(Data(bytes)), actor: actor)
  }

  package func isWhole(_ type: Any.Type) -> Bool { AutomergeEncoder.isWhole(type) }

  package func complaint(_ error: any Error) -> CoderComplaint? {
    guard let error = error as? CodingKeyLookupError else { return nil }
    return switch error {
    case .SchemaMissing: .schema(.missing)
    case .MismatchedSchema: .schema(.mismatched)
    case .PathExtendsThroughText: .schema(.throughText)
    case .PathExtendsThroughScalar: .schema(.throughScalar)
    case .IndexOutOfBounds: .schema(.indexOutOfBounds)
    case .InvalidIndexLookup: .schema(.invalidPlace)
    default: .schema(.other)
    }
  }

  /// What our encoder's refusals say stands in the way; all of the words, if they are not in this form.
  ///
  ///     The model wants a map at .a, the document has text
  ///     The type in the automerge document (text) doesn't match the type being written (int), at .a
  package func foundWord(in error: any Error) -> String? {
    switch error {
    case CodingKeyLookupError.MismatchedSchema(let words):
      guard let comma = words.range(of: ", the document has ", options: .backwards) else {
        return words
      }
      return words.hasPrefix("The model wants a ") ? String(words[comma.upperBound...]) : words
    case EncodingError.invalidValue(_, let context):
      let start = "The type in the automerge document ("
      guard context.debugDescription.hasPrefix(start) else { return nil }
      let rest = context.debugDescription.dropFirst(start.count)
      guard let end = rest.range(of: ") doesn't match the type being written (") else {
        return context.debugDescription
      }
      return String(rest[..<end.lowerBound])
    default: return nil
    }
  }
}

/// A document of our coder, and what a peer in another language would see and do in it.
package final class CoderDocument: CodingDocument {
  /// A step that the harness asked for does not fit the document.
  struct InvalidStep: Error {
    let path: [PathKey]
  }

  let document: Document
  /// The encoder's log: writers with even numbers log each step, and no one reads it.
  ///
  /// For a log that hears of each container the encoder takes another way through a new object, and should write the
  /// same.
  private let log: DocumentLog

  init(_ document: Document, actor: UInt8) {
    self.document = document
    log = DocumentLog(actor.isMultiple(of: 2) ? .tracing : .errorOnly) {
      Logger(label: LogVerbosity.logLabel) { _ in SwiftLogNoOpLogHandler() }
    }
    if let id = ActorId(data: Data(repeating: actor, count: 16)) { document.actor = id }
  }

  convenience init(actor: UInt8) {
    self.init(Document(), actor: actor)
  }

  // MARK: - The coder's side

  package func encode<T: Encodable>(
    _ value: T,
    at path: [PathKey],
    _ settings: EncodingSettings
  ) throws {
    var encoder = AutomergeEncoder(
      doc: document,
      strategy: SchemaStrategy(settings.strategy),
      cautiousWrite: settings.cautiousWrite,
      unknownKeys: settings.unknownKeys == .preserve ? .preserve : .remove,
      dateTruncation: settings.dateTruncation == .milliseconds ? .milliseconds : .seconds
    )
    encoder.userInfo = settings.userInfo
    encoder.log = log
    let spelled = path.map(SpelledKey.init)
    guard let basedOn = settings.basedOn else {
      // As an app calls it: at the root without a path.
      if spelled.isEmpty { return try encoder.encode(Optional(value)) }
      return try encoder.encode(value, at: spelled)
    }
    let names = Set(basedOn)
    // Read beside the open change, which asking the document itself would close.
    let all = document.reading {
      $0.changeHashesWithoutCommit.map { AutomergeDocument.ChangeHash($0) }
    }
    let known = Set(all.filter { names.contains($0.debugDescription) })
    guard known.count == names.count else { throw InvalidStep(path: path) }
    if spelled.isEmpty { return try encoder.encode(value, basedOn: known) }
    try encoder.encode(value, basedOn: known, at: spelled)
  }

  package func encodeNothing() throws { try AutomergeEncoder(doc: document).encode(String?.none) }

  package func decode<T: Decodable>(
    _ type: T.Type,
    at path: [PathKey],
    userInfo: [CodingUserInfoKey: any Sendable]
  ) throws -> T {
    var decoder = AutomergeDecoder(doc: document)
    decoder.userInfo = userInfo
    if path.isEmpty { return try decoder.decode(type) }
    return try decoder.decode(type, from: path.map(SpelledKey.init))
  }

  package func boundText(
    _ value: String,
    at path: [PathKey],
    by name: PlaceName
  ) throws -> any ModelText {
    switch name {
    case .path:
      if let written = Self.written(path) {
        return try AutomergeText(value, doc: document, path: written)
      }
      let text = AutomergeText(value)
      try text.bind(doc: document, path: path)
      return text
    case .object:
      let id = try objectID(at: path)
      if value.isEmpty { return try AutomergeText(doc: document, objId: id) }
      let text = AutomergeText(value)
      try text.bind(doc: document, id: id)
      return text
    }
  }

  package func boundCounter(
    _ value: Int,
    at path: [PathKey],
    by name: PlaceName
  ) throws -> any ModelCounter {
    switch name {
    case .path:
      if let written = Self.written(path) {
        return try DocumentCoding.Counter(value, doc: document, path: written)
      }
      let counter = DocumentCoding.Counter(value)
      try counter.bind(doc: document, path: path)
      return counter
    case .object:
      guard let last = path.last else { throw InvalidStep(path: path) }
      let holder = try objectID(at: path.dropLast())
      return try DocumentCoding.Counter(doc: document, objId: holder, key: last)
    }
  }

  package func bindAgain(_ instance: AnyObject, at path: [PathKey], by name: PlaceName) throws {
    guard name == .path, let text = instance as? AutomergeText else {
      return try bindAgain(instance, at: path)
    }
    guard let written = Self.written(path) else { return try text.bind(doc: document, path: path) }
    try text.bind(doc: document, path: written)
  }

  package func bindAgain(_ instance: AnyObject, at path: [PathKey]) throws {
    if let text = instance as? AutomergeText {
      try text.bind(doc: document, id: objectID(at: path))
    } else if let counter = instance as? DocumentCoding.Counter {
      try counter.bind(doc: document, path: path)
    }
  }

  /// The path as text; `nil` if it has no text that is read as the same path.
  private static func written(_ path: [PathKey]) -> String? {
    let steps = path.map { step -> AnyCodingKey in
      switch step {
      case .key(let key): AnyCodingKey(key)
      case .index(let index): AnyCodingKey(UInt64(clamping: index))
      }
    }
    let text = steps.stringPath()
    return (try? AnyCodingKey.parsePath(text)) == steps ? text : nil
  }

  package func objectName(of instance: AnyObject) throws -> String? {
    let id =
      (instance as? AutomergeText)?.objId ?? (instance as? DocumentCoding.Counter)?.objId
    return id?.engineID.description
  }

  /// An object that no document of a law has: an app may have kept the id of another document.
  private static let stranger = ObjId(
    ObjectID(OpID(counter: 1, actor: ActorID([UInt8](repeating: 255, count: 16)))),
    .map
  )

  /// The object at a path, looked up by its text where it has one; one of another document where nothing stands.
  private func objectID(at path: some Collection<PathKey>) throws -> ObjId {
    let path = Array(path)
    if let written = Self.written(path) {
      return try document.lookupPath(path: written) ?? Self.stranger
    }
    return try document.reading { engine in
      let object = try Self.object(path, engine)
      return ObjId(object, try engine.kind(of: object))
    }
  }

  // MARK: - Reading

  package func tree() throws -> Tree {
    try document.reading { try Self.tree(.object(.root, .map), $0) }
  }

  private static func tree(_ value: MergeEngine.Value, _ engine: MergeDocument) throws -> Tree {
    switch value {
    case .scalar(let scalar): Tree(scalar)
    case .object(let object, .map), .object(let object, .table):
      .map(
        of: try engine.mapEntries(object).map { key, entry in
          Tree.Entry(key, try tree(entry.value, engine))
        }
      )
    case .object(let object, .list):
      .list(try engine.values(object).map { try tree($0.value, engine) })
    case .object(let object, .text): .text(try engine.text(object))
    }
  }

  package func values(at path: [PathKey]) throws -> [Tree] {
    try document.reading { engine in
      guard let last = path.last else { return [try Self.tree(.object(.root, .map), engine)] }
      let holder = try Self.object(path.dropLast(), engine)
      return try engine.getAll(holder, last.prop).map { try Self.tree($0.value, engine) }
    }
  }

  package func objectName(at path: [PathKey]) throws -> String? {
    try document.reading { engine in
      guard let last = path.last else { return ObjectID.root.description }
      let holder = try Self.object(path.dropLast(), engine)
      guard case .object(let object, _)? = try engine.get(holder, last.prop)?.value else {
        return nil
      }
      return object.description
    }
  }

  private static func object(
    _ path: some Sequence<PathKey>,
    _ engine: MergeDocument
  ) throws -> ObjectID {
    var object = ObjectID.root
    for step in path {
      guard case .object(let next, _)? = try engine.get(object, step.prop)?.value else {
        throw InvalidStep(path: Array(path))
      }
      object = next
    }
    return object
  }

  // MARK: - Writing

  /// Edits the holder of the place that a path names.
  private func edit(
    _ path: [PathKey],
    _ body: (MergeDocument, ObjectID, PathKey) throws -> Void
  ) throws {
    guard let last = path.last else { throw InvalidStep(path: path) }
    try document.transaction { engine in
      try body(engine, try Self.object(path.dropLast(), engine), last)
    }
  }

  package func put(_ tree: Tree, at path: [PathKey]) throws {
    try edit(path) { engine, holder, step in
      try Self.put(tree, into: holder, at: step.prop, of: engine)
    }
  }

  private static func put(
    _ tree: Tree,
    into holder: ObjectID,
    at prop: MergeEngine.Prop,
    of engine: MergeDocument
  ) throws {
    if let kind = tree.objectKind {
      try fill(engine.putObject(holder, prop, kind), with: tree, engine)
    } else {
      try engine.put(holder, prop, try tree.scalar())
    }
  }

  package func insert(_ tree: Tree, at path: [PathKey]) throws {
    try edit(path) { engine, holder, step in
      guard case .index(let index) = step else { throw InvalidStep(path: path) }
      try Self.insert(tree, into: holder, at: index, of: engine)
    }
  }

  private static func insert(
    _ tree: Tree,
    into list: ObjectID,
    at index: Int,
    of engine: MergeDocument
  ) throws {
    if let kind = tree.objectKind {
      try fill(engine.insertObject(list, at: index, kind), with: tree, engine)
    } else {
      try engine.insert(list, at: index, try tree.scalar())
    }
  }

  private static func fill(
    _ object: ObjectID,
    with tree: Tree,
    _ engine: MergeDocument
  ) throws {
    switch tree {
    case .map(let entries):
      for entry in entries { try put(entry.value, into: object, at: .key(entry.key), of: engine) }
    case .list(let elements):
      for (index, element) in elements.enumerated() {
        try insert(element, into: object, at: index, of: engine)
      }
    case .text(let text): try engine.spliceText(object, at: 0, delete: 0, insert: text)
    default: break
    }
  }

  package func delete(at path: [PathKey]) throws {
    try edit(path) { engine, holder, step in try engine.delete(holder, step.prop) }
  }

  package func increment(at path: [PathKey], by amount: Int64) throws {
    try edit(path) { engine, holder, step in
      try engine.increment(holder, step.prop, by: amount)
    }
  }

  package func spliceText(
    at path: [PathKey],
    index: Int,
    deleting: Int,
    inserting: String
  ) throws {
    try document.transaction { engine in
      let text = try Self.object(path, engine)
      try engine.spliceText(text, at: index, delete: deleting, insert: inserting)
    }
  }

  /// What ends a transaction that is to be taken back.
  private struct End: Error {}

  package func takenBack(_ body: () throws -> Void) throws {
    do {
      try document.transaction { _ in
        try body()
        throw End()
      }
    } catch is End {}
  }

  // MARK: - Replicas

  package func heads() throws -> [String] { document.heads().sorted().map { $0.debugDescription } }

  package func operationCount() throws -> Int {
    document.reading { engine in engine.changes().reduce(0) { $0 + $1.opCount } }
  }

  package func fork(actor: UInt8) throws -> any CodingDocument {
    CoderDocument(document.fork(), actor: actor)
  }

  package func merge(_ other: any CodingDocument) throws {
    guard let other = other as? CoderDocument else { throw InvalidStep(path: []) }
    try document.merge(other: other.document)
  }

  package func reloaded(actor: UInt8) throws -> any CodingDocument {
    CoderDocument(try Document(document.save()), actor: actor)
  }
}

extension SchemaStrategy {
  fileprivate init(_ strategy: EncodingSettings.Strategy) {
    self =
      switch strategy {
      case .createWhenNeeded: .createWhenNeeded
      case .readonly: .readonly
      case .override: .override
      }
  }
}

/// A step of a path as a caller's own type of keys spells it: an index is its integer, and its string another word.
private struct SpelledKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(_ step: PathKey) {
    intValue = step.intValue
    stringValue = step.intValue.map { "Index \($0)" } ?? step.stringValue
  }

  init(stringValue: String) { self.init(.key(stringValue)) }

  init?(intValue: Int) { self.init(.index(intValue)) }
}

extension PathKey {
  fileprivate var prop: MergeEngine.Prop {
    switch self {
    case .key(let key): .key(key)
    case .index(let index): .index(index)
    }
  }
}

extension Tree {
  fileprivate init(_ scalar: Scalar) {
    self =
      switch scalar {
      case .null: .null
      case .bool(let value): .boolean(value)
      case .int(let value): .int(value)
      case .uint(let value): .uint(value)
      case .double(let value): .float(value)
      case .string(let value): .string(value)
      case .bytes(let value): .bytes(value)
      case .counter(let value): .counter(value)
      case .timestamp(let value): .timestamp(value)
      case .unknown(let code, let value): .unknown(code, value)
      }
  }

  fileprivate var objectKind: MergeEngine.ObjectKind? {
    switch self {
    case .map: .map
    case .list: .list
    case .text: .text
    default: nil
    }
  }

  fileprivate func scalar() throws -> Scalar {
    switch self {
    case .null: .null
    case .boolean(let value): .bool(value)
    case .int(let value): .int(value)
    case .uint(let value): .uint(value)
    case .float(let value): .double(value)
    case .string(let value): .string(value)
    case .bytes(let value): .bytes(value)
    case .counter(let value): .counter(value)
    case .timestamp(let value): .timestamp(value)
    case .unknown(let code, let value): .unknown(code: code, bytes: value)
    case .date, .text, .list, .map: throw CoderDocument.InvalidStep(path: [])
    }
  }
}
