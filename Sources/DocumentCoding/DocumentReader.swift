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
///
/// A class, so that the containers of one value share it: the standard library copies a container for
/// each field that it decodes.
final class DocumentReader: Decoder {
  /// How the value was come to.
  enum Origin {
    /// As the place that the decode begins at.
    case start(CodingPath)
    /// Within another value, by a key or an index; without one it is the same place.
    case within(DocumentReader, PathKey?)
  }

  let session: ReadingSession
  let value: MergeEngine.Value
  /// Where the value stands, for a counter to be bound to; `nil` where no counter can be.
  let place: CounterPlace?
  let origin: Origin
  /// Values around this one.
  let depth: Int

  init(
    session: ReadingSession,
    value: MergeEngine.Value,
    place: CounterPlace?,
    origin: Origin,
    depth: Int
  ) {
    self.session = session
    self.value = value
    self.place = place
    self.origin = origin
    self.depth = depth
  }

  /// The way from the root of the document; made when something fails, and for models.
  var path: CodingPath {
    switch origin {
    case .start(let path): path
    case .within(let reader, let step): reader.path(step)
    }
  }

  /// The way to what stands within, or to the value itself.
  func path(_ step: PathKey?) -> CodingPath { step.map { path.appending($0) } ?? path }

  var codingPath: [any CodingKey] { path.codingKeys }
  var userInfo: [CodingUserInfoKey: Any] { session.userInfo }

  func container<Key: CodingKey>(
    keyedBy type: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    guard case .object(_, let kind) = value, kind == .map || kind == .table else {
      throw session.mismatch([String: Any].self, value, path)
    }
    try FoundationTraps.check(keys: ObjectIdentifier(type), from: self)
    return KeyedDecodingContainer(KeyedReading<Key>(reader: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .object(let object, .list) = value else {
      throw session.mismatch([Any].self, value, path)
    }
    return UnkeyedReading(reader: self, list: try StoredList(object, session.engine))
  }

  func singleValueContainer() -> any SingleValueDecodingContainer {
    SingleReading(reader: self)
  }

  /// The text that stands there, or in the map that it has at the root.
  func text() throws -> ObjectID? {
    switch value {
    case .object(let object, .text): return object
    case .object(let map, .map):
      let inner = try session.engine.value(map, key: AutomergeEncoder.referenceKey)
      if case .object(let object, .text)? = inner { return object }
    default: break
    }
    return nil
  }

  /// The counter that stands there, or in the map that it has at the root; its place is known to containers.
  func counter() throws -> (count: Int64, place: CounterPlace?)? {
    switch value {
    case .scalar(.counter(let count)): return (count, place)
    case .object(let map, .map):
      let key = AutomergeEncoder.referenceKey
      if case .scalar(.counter(let count))? = try session.engine.value(map, key: key) {
        return (count, CounterPlace(holder: map, step: .key(key)))
      }
    default: break
    }
    return nil
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
    try S.read(from: StoredScalar(reader: reader, value: value, step: nil))
  }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try session.decode(type, value, in: reader, nil, at: reader.place)
  }
}

/// A value of the document that is read as a scalar; its path is asked for only by an error.
struct StoredScalar: ScalarReading {
  /// The reader of the container around, or of the value itself.
  let reader: DocumentReader
  let value: MergeEngine.Value
  /// From the container to the value; `nil` for the value itself.
  let step: PathKey?

  private var session: ReadingSession { reader.session }

  private func path() -> CodingPath { reader.path(step) }

  func boolean() throws -> Bool { try session.bool(value, path) }

  func string() throws -> String { try session.string(value, path) }

  func float<Number: BinaryFloatingPoint>(_ type: Number.Type) throws -> Number {
    try session.float(type, value, path)
  }

  func integer<Number: FixedWidthInteger>(_ type: Number.Type) throws -> Number {
    try session.integer(type, value, path)
  }
}
