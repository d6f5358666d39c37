import Automerge
import AutomergeBytes
import Foundation
import TouchstoneAdapters

/// A document of automerge-swift: the coder's side through its coder, the core's side through
/// `Document`, as a peer in another language would see and do it.
final class AutomergeSwiftDocument: CodingDocument {
  /// A step of the harness's does not fit the document.
  struct NoSuchPlace: Error {
    let path: [PathKey]
  }

  private let document: Document

  private init(_ document: Document, actor: UInt8) {
    self.document = document
    if let id = ActorId(data: Data(repeating: actor, count: 16)) { document.actor = id }
  }

  convenience init(actor: UInt8) {
    self.init(Document(), actor: actor)
  }

  // MARK: - The coder's side

  func encode<T: Encodable>(
    _ value: T,
    at path: [PathKey],
    _ settings: EncodingSettings
  ) throws {
    guard settings.basedOn == nil else { throw UnsupportedByCoder(feature: .basedOnHeads) }
    guard settings.unknownKeys == .remove else { throw UnsupportedByCoder(feature: .unknownKeys) }
    var encoder = AutomergeEncoder(
      doc: document,
      strategy: SchemaStrategy(settings.strategy),
      cautiousWrite: settings.cautiousWrite
    )
    encoder.userInfo = settings.userInfo
    if path.isEmpty {
      try encoder.encode(value)
    } else {
      try encoder.encode(value, at: path.map(\.codingKey))
    }
  }

  func decode<T: Decodable>(
    _ type: T.Type,
    at path: [PathKey],
    userInfo: [CodingUserInfoKey: any Sendable]
  ) throws -> T {
    var decoder = AutomergeDecoder(doc: document)
    decoder.userInfo = userInfo
    guard !path.isEmpty else { return try decoder.decode(type) }
    return try decoder.decode(type, from: path.map(\.codingKey))
  }

  // MARK: - Reading

  func tree() throws -> Tree { try tree(.Object(.ROOT, .Map)) }

  private func tree(_ value: Value) throws -> Tree {
    switch value {
    case .Scalar(let scalar): Tree(scalar)
    case .Object(let object, .Map):
      .map(of: try document.mapEntries(obj: object).map { Tree.Entry($0, try tree($1)) })
    case .Object(let object, .List): .list(try document.values(obj: object).map(tree))
    case .Object(let object, .Text): .text(try document.text(obj: object))
    }
  }

  /// All conflicting values, the winner last.
  ///
  /// automerge-swift gives a set: equal scalars are one, and the losers have no order, so that they
  /// stand here in the order of their texts.
  func values(at path: [PathKey]) throws -> [Tree] {
    guard let last = path.last else { return [try tree()] }
    let holder = try object(path.dropLast(), of: path)
    let winner: Value?
    let all: Set<Value>
    switch last {
    case .key(let key):
      winner = try document.get(obj: holder, key: key)
      all = try document.getAll(obj: holder, key: key)
    case .index(let index):
      winner = try document.get(obj: holder, index: UInt64(clamping: index))
      all = try document.getAll(obj: holder, index: UInt64(clamping: index))
    }
    let losers = try all.filter { $0 != winner }.map(tree)
    return try losers.sorted { $0.description < $1.description }
      + [winner].compactMap(\.self).map(tree)
  }

  func objectName(at path: [PathKey]) throws -> String? {
    guard let last = path.last else { return ObjId.ROOT.debugDescription }
    guard case .Object(let object, _)? = try value(last, of: object(path.dropLast(), of: path))
    else { return nil }
    return object.debugDescription
  }

  private func value(_ step: PathKey, of holder: ObjId) throws -> Value? {
    switch step {
    case .key(let key): try document.get(obj: holder, key: key)
    case .index(let index): try document.get(obj: holder, index: UInt64(clamping: index))
    }
  }

  private func object(_ steps: some Sequence<PathKey>, of path: [PathKey]) throws -> ObjId {
    var object = ObjId.ROOT
    for step in steps {
      guard case .Object(let next, _)? = try value(step, of: object) else {
        throw NoSuchPlace(path: path)
      }
      object = next
    }
    return object
  }

  // MARK: - Writing

  func put(_ tree: Tree, at path: [PathKey]) throws {
    guard let last = path.last else { throw NoSuchPlace(path: path) }
    try put(tree, at: last, of: object(path.dropLast(), of: path))
  }

  private func put(_ tree: Tree, at step: PathKey, of holder: ObjId) throws {
    switch (step, tree.objectType) {
    case (.key(let key), let type?):
      try fill(document.putObject(obj: holder, key: key, ty: type), with: tree)
    case (.index(let index), let type?):
      try fill(
        document.putObject(obj: holder, index: UInt64(clamping: index), ty: type),
        with: tree
      )
    case (.key(let key), nil):
      try document.put(obj: holder, key: key, value: tree.scalar())
    case (.index(let index), nil):
      try document.put(obj: holder, index: UInt64(clamping: index), value: tree.scalar())
    }
  }

  func insert(_ tree: Tree, at path: [PathKey]) throws {
    guard case .index(let index)? = path.last else { throw NoSuchPlace(path: path) }
    try insert(tree, at: index, of: object(path.dropLast(), of: path))
  }

  private func insert(_ tree: Tree, at index: Int, of list: ObjId) throws {
    let index = UInt64(clamping: index)
    if let type = tree.objectType {
      try fill(document.insertObject(obj: list, index: index, ty: type), with: tree)
    } else {
      try document.insert(obj: list, index: index, value: tree.scalar())
    }
  }

  private func fill(_ object: ObjId, with tree: Tree) throws {
    switch tree {
    case .map(let entries):
      for entry in entries { try put(entry.value, at: .key(entry.key), of: object) }
    case .list(let elements):
      for (index, element) in elements.enumerated() {
        try insert(element, at: index, of: object)
      }
    case .text(let text): try document.spliceText(obj: object, start: 0, delete: 0, value: text)
    default: break
    }
  }

  func delete(at path: [PathKey]) throws {
    guard let last = path.last else { throw NoSuchPlace(path: path) }
    let holder = try object(path.dropLast(), of: path)
    switch last {
    case .key(let key): try document.delete(obj: holder, key: key)
    case .index(let index): try document.delete(obj: holder, index: UInt64(clamping: index))
    }
  }

  func increment(at path: [PathKey], by amount: Int64) throws {
    guard let last = path.last else { throw NoSuchPlace(path: path) }
    let holder = try object(path.dropLast(), of: path)
    switch last {
    case .key(let key): try document.increment(obj: holder, key: key, by: amount)
    case .index(let index):
      try document.increment(obj: holder, index: UInt64(clamping: index), by: amount)
    }
  }

  func spliceText(at path: [PathKey], index: Int, deleting: Int, inserting: String) throws {
    try document.spliceText(
      obj: object(path, of: path),
      start: UInt64(clamping: index),
      delete: Int64(deleting),
      value: inserting
    )
  }

  // MARK: - Replicas

  func heads() throws -> [String] { document.heads().map(\.debugDescription).sorted() }

  /// Counted in the saved document: no public call tells.
  func operationCount() throws -> Int {
    try AutomergeChanges.operationCount(savedDocument: document.save())
  }

  func fork(actor: UInt8) throws -> any CodingDocument {
    AutomergeSwiftDocument(document.fork(), actor: actor)
  }

  func merge(_ other: any CodingDocument) throws {
    guard let other = other as? AutomergeSwiftDocument else { throw NoSuchPlace(path: []) }
    try document.merge(other: other.document)
  }

  func reloaded(actor: UInt8) throws -> any CodingDocument {
    AutomergeSwiftDocument(try Document(document.save()), actor: actor)
  }
}
