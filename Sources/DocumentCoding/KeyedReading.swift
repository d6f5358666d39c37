import CodingSupport
import MergeEngine

/// Reads the fields of a struct or class, or the entries of a dictionary.
///
/// Nothing is read ahead: each field is one look-up in the engine, so that a type with few fields
/// does not pay for a map with many keys.
///
///     stands there      decode          decodeIfPresent   decodeNil        contains
///     nothing           keyNotFound     nil               keyNotFound      false
///     null              valueNotFound   nil               true             true
///     the right kind    the value       the value         false            true
///     another kind      typeMismatch    typeMismatch      false            true
///
/// A field of an optional type that is read by `decode` is `nil` where nothing or null stands.
struct KeyedReading<Key: CodingKey>: KeyedDecodingContainerProtocol {
  /// Of the map: one reference, since the standard library copies the container for each field.
  let reader: DocumentReader

  private var session: ReadingSession { reader.session }

  var codingPath: [any CodingKey] { reader.codingPath }

  /// For dictionaries and enumerations, which cannot know their keys.
  ///
  /// A key that `Key` has no value for is left out, as a later version's case.
  var allKeys: [Key] {
    reader.keys.compactMap { Key(stringValue: $0) }
  }

  /// True of a null as well: `decodeNil(forKey:)` tells the two apart.
  func contains(_ key: Key) -> Bool { stored(key) != nil }

  @inline(__always)
  private func stored(_ key: Key) -> MergeEngine.Value? { reader.stored(key.stringValue) }

  private func path(to key: Key) -> CodingPath { reader.path(PathKey(keyed: key)) }

  /// The path is the container's, and the key stands beside it.
  private func missing(_ key: Key) -> DecodingError {
    let words = "Nothing exists at \(path(to: key))"
    return .keyNotFound(
      key,
      DecodingError.Context(
        codingPath: codingPath,
        debugDescription: words,
        underlyingError: CodingKeyLookupErrors.missing(words)
      )
    )
  }

  @inline(__always)
  private func required(_ key: Key) throws -> MergeEngine.Value {
    guard let value = stored(key) else { throw missing(key) }
    return value
  }

  /// Nil for a null as well: a document of another language says "no value" either way.
  @inline(__always)
  private func present(_ key: Key) -> MergeEngine.Value? {
    guard let value = stored(key), !value.isNull else { return nil }
    return value
  }

  func decodeNil(forKey key: Key) throws -> Bool { try required(key).isNull }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
    try session.bool(try required(key)) { path(to: key) }
  }

  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    try session.string(try required(key)) { path(to: key) }
  }

  @inline(__always)
  func decode<Number: BinaryFloatingPoint & CodableScalar>(
    _ type: Number.Type,
    forKey key: Key
  ) throws -> Number {
    try session.float(type, try required(key)) { path(to: key) }
  }

  @inline(__always)
  func decode<Number: FixedWidthInteger & CodableScalar>(
    _ type: Number.Type,
    forKey key: Key
  ) throws -> Number {
    try session.integer(type, try required(key)) { path(to: key) }
  }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    let name = key.stringValue
    guard let value = reader.stored(name) else { return try absent(key) }
    return try reader.decode(type, value, name)
  }

  /// An optional field is `nil` where nothing is.
  @inline(never)
  private func absent<Value: Decodable>(_ key: Key) throws -> Value {
    if let optional = Value.self as? any OptionalType.Type, let none = optional.none as? Value {
      return none
    }
    throw missing(key)
  }

  // MARK: - Optional fields

  // The whole family, so that each field is looked up once.

  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    try present(key).map { try session.bool($0) { path(to: key) } }
  }

  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    try present(key).map { try session.string($0) { path(to: key) } }
  }

  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    try present(key).map { try session.float(Double.self, $0) { path(to: key) } }
  }

  func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
    try present(key).map { try session.float(Float.self, $0) { path(to: key) } }
  }

  @inline(__always)
  private func integer<Number: FixedWidthInteger>(_ key: Key) throws -> Number? {
    try present(key).map { try session.integer(Number.self, $0) { path(to: key) } }
  }

  func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try integer(key) }
  func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try integer(key) }
  func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try integer(key) }
  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try integer(key) }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try integer(key) }
  func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try integer(key) }
  func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try integer(key) }
  func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try integer(key) }
  func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try integer(key) }
  func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try integer(key) }

  func decodeIfPresent<Value: Decodable>(
    _ type: Value.Type,
    forKey key: Key
  ) throws -> Value? {
    let name = key.stringValue
    guard let value = reader.stored(name), !value.isNull else { return nil }
    return try reader.decode(type, value, name)
  }

  // MARK: - Containers

  /// For containers within, and for superclasses under a key.
  private func reader(_ key: Key) throws -> DocumentReader {
    let value = try required(key)
    let name = key.stringValue
    return try session.reader(value, in: reader, .key(name), at: reader.place(name))
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type,
    forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try reader(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try reader(key).unkeyedContainer()
  }

  /// The superclass reads from the same map, as in automerge-swift.
  func superDecoder() throws -> any Decoder { itself }

  /// The superclass reads what stands under the key; from the same map if nothing does, as
  /// automerge-swift wrote it.
  ///
  ///     {"name": "a", "super": {"id": 1}}     the superclass reads {"id": 1}
  ///     {"name": "a", "id": 1}                it reads this map
  func superDecoder(forKey key: Key) throws -> any Decoder {
    stored(key) == nil ? itself : try reader(key)
  }

  private var itself: DocumentReader { reader.asMap }
}

/// What maps of all types of keys have in common.
extension DocumentReader {
  /// The map that is read; `nil` for any other value.
  private var object: ObjectID? {
    if case .object(let object, _) = value { object } else { nil }
  }

  fileprivate var keys: [String] {
    object.flatMap { try? session.engine.keys($0) } ?? []
  }

  /// The winner under a key; a failure of the engine reads as nothing there.
  ///
  /// The winner alone: values that lose a conflict are invisible to a model, and stay in the
  /// document.
  fileprivate func stored(_ key: String) -> MergeEngine.Value? {
    guard case .object(let object, _) = value else { return nil }
    return (try? session.engine.value(object, key: key)) ?? nil
  }

  /// Used for counters alone: a counter under a key is found again by holder and key.
  fileprivate func place(_ key: String) -> CounterPlace? {
    object.map { CounterPlace(holder: $0, step: .key(key)) }
  }

  fileprivate func decode<Value: Decodable>(
    _ type: Value.Type,
    _ value: MergeEngine.Value,
    _ key: String
  ) throws -> Value {
    try session.decode(type, value, in: self, .key(key), at: place(key))
  }

  /// The same place once more, as a map.
  fileprivate var asMap: DocumentReader {
    DocumentReader(
      session: session,
      value: object.map { .object($0, .map) } ?? value,
      place: nil,
      origin: origin,
      depth: depth
    )
  }
}
