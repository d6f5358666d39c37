import AutomergeDocument
import CodingSupport
import MergeEngine

/// What a value decodes itself from: one place of the document.
///
/// Containers are checked when they are asked for: a map asked for a list is refused there, and not
/// at its first element.
///
/// A table is read as a map. Nothing else is read in the place of another container, not even an
/// empty list for an empty map: which one was meant is not to be guessed.
struct DocumentReader: Decoder {
  let session: ReadingSession
  let value: MergeEngine.Value
  /// Where the value stands, for a counter to be bound to; nil where no counter can be.
  let place: CounterPlace?
  let path: CodingPath
  /// Values around this one.
  let depth: Int

  var codingPath: [any CodingKey] { path.codingKeys }
  var userInfo: [CodingUserInfoKey: Any] { session.userInfo }

  func container<Key: CodingKey>(
    keyedBy type: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    guard case .object(let object, let kind) = value, kind == .map || kind == .table else {
      throw session.mismatch([String: Any].self, value, path)
    }
    return KeyedDecodingContainer(
      KeyedReading<Key>(session: session, object: object, path: path, depth: depth)
    )
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .object(let object, .list) = value else {
      throw session.mismatch([Any].self, value, path)
    }
    return UnkeyedReading(
      session: session,
      list: try StoredList(object, session.engine),
      path: path,
      depth: depth
    )
  }

  func singleValueContainer() -> any SingleValueDecodingContainer {
    SingleReading(reader: self)
  }
}

/// Reads a value that stands for itself, without a container.
///
/// The same rules as in every other position (``ReadingSession``).
struct SingleReading: SingleValueDecodingContainer {
  let reader: DocumentReader

  private var session: ReadingSession { reader.session }
  private var value: MergeEngine.Value { reader.value }

  var codingPath: [any CodingKey] { reader.codingPath }

  func decodeNil() -> Bool { value.isNull }

  func decode(_ type: Bool.Type) throws -> Bool {
    try session.bool(value) { reader.path }
  }

  func decode(_ type: String.Type) throws -> String {
    try session.string(value) { reader.path }
  }

  func decode(_ type: Double.Type) throws -> Double {
    try session.float(Double.self, value) { reader.path }
  }

  func decode(_ type: Float.Type) throws -> Float {
    try session.float(Float.self, value) { reader.path }
  }

  func decode(_ type: Int8.Type) throws -> Int8 {
    try session.integer(Int8.self, value) { reader.path }
  }

  func decode(_ type: Int16.Type) throws -> Int16 {
    try session.integer(Int16.self, value) { reader.path }
  }

  func decode(_ type: Int32.Type) throws -> Int32 {
    try session.integer(Int32.self, value) { reader.path }
  }

  func decode(_ type: Int64.Type) throws -> Int64 {
    try session.integer(Int64.self, value) { reader.path }
  }

  func decode(_ type: Int.Type) throws -> Int {
    try session.integer(Int.self, value) { reader.path }
  }

  func decode(_ type: UInt8.Type) throws -> UInt8 {
    try session.integer(UInt8.self, value) { reader.path }
  }

  func decode(_ type: UInt16.Type) throws -> UInt16 {
    try session.integer(UInt16.self, value) { reader.path }
  }

  func decode(_ type: UInt32.Type) throws -> UInt32 {
    try session.integer(UInt32.self, value) { reader.path }
  }

  func decode(_ type: UInt64.Type) throws -> UInt64 {
    try session.integer(UInt64.self, value) { reader.path }
  }

  func decode(_ type: UInt.Type) throws -> UInt {
    try session.integer(UInt.self, value) { reader.path }
  }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try session.decode(type, value, depth: reader.depth, at: reader.place) { reader.path }
  }
}
