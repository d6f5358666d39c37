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
///
///     stands there     keyed            unkeyed          single value
///     map, table       its keys         typeMismatch     the type that asks decodes itself
///     list             typeMismatch     its elements     likewise
///     text, scalar     typeMismatch     typeMismatch     by the rule of ``ReadingSession``
///     null             valueNotFound    valueNotFound    nil
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

  func decode<S: CodableScalar>(_ type: S.Type) throws -> S {
    try S.read(from: StoredScalar(session: session, value: value, holder: reader.path, step: nil))
  }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try session.decode(type, value, depth: reader.depth, at: reader.place) { reader.path }
  }
}

/// A value of the document that is read as a scalar; its path is asked for only by an error.
struct StoredScalar: ScalarReading {
  let session: ReadingSession
  let value: MergeEngine.Value
  let holder: CodingPath
  /// From the holder to the value; nil for the holder itself.
  let step: PathKey?

  private func path() -> CodingPath { step.map { holder.appending($0) } ?? holder }

  func boolean() throws -> Bool { try session.bool(value, path) }

  func string() throws -> String { try session.string(value, path) }

  func float<Number: BinaryFloatingPoint>(_ type: Number.Type) throws -> Number {
    try session.float(type, value, path)
  }

  func integer<Number: FixedWidthInteger>(_ type: Number.Type) throws -> Number {
    try session.integer(type, value, path)
  }
}
