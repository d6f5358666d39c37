import AutomergeDocument
import DocumentCoding
import Foundation
import MergeEngine
import Synchronization
import Testing

typealias Tree = AutomergeValue

extension Document {
  /// Operations of the document, those of the open change included.
  var operationCount: Int {
    reading { engine in
      let open = engine.pendingOpCount
      let history = open > 0 ? engine.fork(actor: ActorID([9])) : engine
      return open > 0
        ? history.changes().reduce(0) { $0 + $1.opCount }
        : engine.changes().reduce(0) { $0 + $1.opCount }
    }
  }

  /// Operations that `body` adds to the open change.
  func operations(_ body: () throws -> Void) rethrows -> Int {
    let before = reading(\.pendingOpCount)
    try body()
    return reading(\.pendingOpCount) - before
  }

  func tree() throws -> Tree { try schema() }

  func encode(_ value: some Encodable) throws {
    try AutomergeEncoder(doc: self).encode(value)
  }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try AutomergeDecoder(doc: self).decode(type)
  }
}

/// A document with one map of scalars at the root.
func document(_ entries: [(String, ScalarValue)]) throws -> Document {
  let doc = Document()
  for (key, value) in entries { try doc.put(obj: .ROOT, key: key, value: value) }
  return doc
}

/// A document with a list of scalars under a key.
func document(list key: String, _ values: [ScalarValue]) throws -> Document {
  let doc = Document()
  let list = try doc.putObject(obj: .ROOT, key: key, ty: .List)
  try doc.splice(obj: list, start: 0, delete: 0, values: values)
  return doc
}

func path(_ keys: any CodingKey...) -> [any CodingKey] { keys }

func key(_ text: String) -> AnyCodingKey { AnyCodingKey(text) }
func index(_ number: UInt64) -> AnyCodingKey { AnyCodingKey(number) }

/// Runs `body` on a thread with a stack of `bytes` bytes, and waits for it.
@discardableResult
func onStack<Value: Sendable>(
  of bytes: Int,
  _ body: @escaping @Sendable () throws -> Value
) throws -> Value {
  let outcome = Mutex<Result<Value, any Error>?>(nil)
  let isDone = DispatchSemaphore(value: 0)
  let thread = Thread {
    let result = Result<Value, any Error> { try body() }
    outcome.withLock { $0 = result }
    isDone.signal()
  }
  thread.stackSize = bytes
  thread.start()
  isDone.wait()
  return try #require(outcome.withLock { $0 }).get()
}

// MARK: - Positions

struct Keyed<Value: Codable & Equatable>: Codable, Equatable {
  var v: Value
}

struct MaybeKeyed<Value: Codable & Equatable>: Codable, Equatable {
  var v: Value?
}

enum Payload<Value: Codable & Equatable>: Codable, Equatable {
  case one(Value)
  case labelled(x: Value, y: Int)
}

/// A type that stands for another, through a single-value container.
struct Single<Value: Codable & Equatable>: Codable, Equatable {
  var value: Value

  init(_ value: Value) { self.value = value }

  init(from decoder: any Decoder) throws {
    value = try decoder.singleValueContainer().decode(Value.self)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}

extension Single: Sendable where Value: Sendable {}

/// Writes and reads two elements by hand, through an unkeyed container.
struct ByHand<Value: Codable & Equatable>: Codable, Equatable {
  var first: Value
  var second: Value

  init(_ first: Value, _ second: Value) {
    self.first = first
    self.second = second
  }

  init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    first = try container.decode(Value.self)
    second = try container.decode(Value.self)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    try container.encode(first)
    try container.encode(second)
  }
}

/// Encodes a value in every position, and expects `tree` where it stands and itself back.
func checkEveryPosition<Value: Codable & Equatable>(
  _ value: Value,
  _ tree: Tree,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  func check<Model: Codable & Equatable>(_ model: Model, _ expected: Tree) throws {
    let doc = Document()
    let encoder = AutomergeEncoder(doc: doc, dateTruncation: .milliseconds)
    try encoder.encode(model)
    #expect(try doc.tree() == expected, sourceLocation: sourceLocation)
    let decoded = try doc.decode(Model.self)
    #expect(decoded == model, sourceLocation: sourceLocation)
    let added = try doc.operations {
      try encoder.encode(decoded)
      try encoder.encode(model)
    }
    #expect(added == 0, "re-encoding \(Model.self)", sourceLocation: sourceLocation)
  }
  try check(Keyed(v: value), .dict(["v": tree]))
  try check(MaybeKeyed(v: value), .dict(["v": tree]))
  try check(Keyed(v: [value, value]), .dict(["v": .array([tree, tree])]))
  try check(Keyed(v: [value, nil] as [Value?]), .dict(["v": .array([tree, .scalar(.Null)])]))
  try check(Keyed(v: [[value]]), .dict(["v": .array([.array([tree])])]))
  try check(Keyed(v: ["k": value]), .dict(["v": .dict(["k": tree])]))
  try check(Keyed(v: ["2024": value]), .dict(["v": .dict(["2024": tree])]))
  try check(["k": value, "1": value], .dict(["k": tree, "1": tree]))
  try check(Keyed(v: Single(value)), .dict(["v": tree]))
  try check(Keyed(v: [Single(value)]), .dict(["v": .array([tree])]))
  try check(Keyed(v: ByHand(value, value)), .dict(["v": .array([tree, tree])]))
  try check(
    Keyed(v: Payload.one(value)),
    .dict(["v": .dict(["one": .dict(["_0": tree])])])
  )
  try check(
    Keyed(v: [Payload.labelled(x: value, y: 1)]),
    .dict([
      "v": .array([.dict(["labelled": .dict(["x": tree, "y": .scalar(.Int(1))])])])
    ])
  )

  let doc = Document()
  let encoder = AutomergeEncoder(doc: doc, dateTruncation: .milliseconds)
  let decoder = AutomergeDecoder(doc: doc)
  for place in [path(key("a"), key("b")), path(key("l"), index(0))] {
    try encoder.encode(value, at: place)
    #expect(try decoder.decode(Value.self, from: place) == value, sourceLocation: sourceLocation)
    #expect(
      try decoder.decode(Value?.self, from: place) == value,
      sourceLocation: sourceLocation
    )
    let added = try doc.operations { try encoder.encode(value, at: place) }
    #expect(added == 0, "at a path", sourceLocation: sourceLocation)
  }
  #expect(
    try doc.tree() == .dict(["a": .dict(["b": tree]), "l": .array([tree])]),
    sourceLocation: sourceLocation
  )
}

struct Missing: Error {
  let path: String
}

extension Document {
  /// The object at a path that must lead to one.
  func object(_ path: String) throws -> ObjId {
    guard let object = try lookupPath(path: path) else { throw Missing(path: path) }
    return object
  }
}
