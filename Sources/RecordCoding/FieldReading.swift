import CodingSupport
import Foundation
import RecordModel

// A record's fields as the keyed container that `init(from:)` asks. A field may be plain or
// encrypted, or one of the two that every record has: `cloudKitSystemFields` (the archive) and
// `cloudKitIdentifier` (the name).

/// The fields of a record as a keyed container.
///
/// It reads nothing ahead: a field that the type does not ask for may hold anything.
struct FieldReading<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let reading: RecordReading
  let record: Record
  let path: CodingPath

  private static var systemFields: String { "cloudKitSystemFields" }
  private static var identifier: String { "cloudKitIdentifier" }

  var codingPath: [any CodingKey] { path.codingKeys }

  /// The keys of all fields; system fields are none.
  var allKeys: [Key] {
    let keys = Set(record.fields.keys).union(record.encryptedFields.keys).sorted()
    return keys.compactMap { Key(stringValue: unescaped($0)) }
  }

  private func unescaped(_ key: String) -> String {
    reading.options.keys == .escaped ? RecordNames.unescaped(key) : key
  }

  /// What stands under a key: a field, an encrypted one, or what every record has.
  ///
  /// A plain field wins over an encrypted one; a server keeps a key on one side.
  private func find(_ key: String) -> RecordValue? {
    if let value = field(reading.options.keys == .escaped ? RecordNames.escaped(key) : key) {
      return value
    }
    // Another writer's key that is no spelling is told as it is, and stands under itself.
    if reading.options.keys == .escaped, RecordNames.unescaped(key) == key, let value = field(key) {
      return value
    }
    guard key.utf8.first == UInt8(ascii: "c") else { return nil }
    if key == Self.systemFields, reading.options.readsSystemFieldsFromField { return nil }
    if key == Self.systemFields { return .bytes(record.systemFields.archived()) }
    return key == Self.identifier ? .string(record.recordID.recordName) : nil
  }

  private func field(_ name: String) -> RecordValue? {
    record.fields[name] ?? (record.encryptedFields.isEmpty ? nil : record.encryptedFields[name])
  }

  private func place(_ key: Key) -> CodingPath { path.appending(PathKey(keyed: key)) }

  /// What stands under a key that must be there.
  ///
  /// - Throws: `keyNotFound` at the container, with the key, as Swift's decoders have it.
  private func value(_ key: Key, _ type: Any.Type) throws -> RecordValue {
    if let value = find(key.stringValue) { return value }
    throw DecodingError.keyNotFound(
      key,
      DecodingError.Context(
        codingPath: codingPath,
        debugDescription: "expected \(type) for '\(key.stringValue)', found no such field"
      )
    )
  }

  func contains(_ key: Key) -> Bool { find(key.stringValue) != nil }

  /// A field that is not there was cleared, or never set.
  ///
  /// So is the JSON `null` in bytes, which an optional that is nested was encoded as.
  func decodeNil(forKey key: Key) -> Bool {
    switch find(key.stringValue) {
    case nil: true
    case .bytes(let bytes)?: bytes.elementsEqual("null".utf8)
    default: false
    }
  }

  /// A value of a type of Foundation that is a field, where the field is of its kind: before a conformance is looked for,
  /// which takes longer than the rest.
  ///
  /// - Returns: `nil` where the types differ; ``RecordReading`` has the last word then.
  private func plain<T>(_ type: T.Type, _ value: RecordValue, _ key: Key) throws -> T? {
    switch value {
    case .string(let text) where T.self == URL.self: try url(text) { place(key) } as? T
    case .asset(let asset) where T.self == URL.self: asset.fileURL as? T
    case .bytes(let bytes) where T.self == Data.self: bytes as? T
    case .timestamp(let date) where T.self == Date.self: date as? T
    default: nil
    }
  }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    if let value = find(key.stringValue), let found = try plain(type, value, key) { return found }
    // `decode(Int?.self, forKey:)`, as generic models ask: a key that is not there is nil and no
    // error.
    guard let optional = T.self as? any OptionalField.Type else {
      return try reading.read(type, value(key, type), place(key))
    }
    // A field that was cleared is what a nil was encoded as.
    guard let value = find(key.stringValue), optional.wrappedType is any Decodable.Type else {
      return try T(from: NoValue(codingPath: place(key).codingKeys, userInfo: reading.userInfo))
    }
    return try reading.read(type, value, place(key))
  }

  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    guard let value = find(key.stringValue) else { return nil }
    if let found = try plain(type, value, key) { return found }
    return try reading.readOptional(type, value, place(key))
  }

  @inline(__always) func decode<S: CodableScalar>(_ type: S.Type, forKey key: Key) throws -> S {
    let value = try value(key, type)
    // JSON: the field was nested once, and the property is a scalar now.
    if case .bytes = value { return try reading.read(type, value, place(key)) }
    return try S.read(from: StoredField(value: value, holder: path, key: key.stringValue))
  }

  private func nested(_ key: Key, _ type: Any.Type) throws -> NestedDecoding {
    try reading.nested(value(key, type), type, place(key))
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type,
    forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try nested(key, [String: Any].self).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try nested(key, [Any].self).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { try superDecoder(named: "super") }

  func superDecoder(forKey key: Key) throws -> any Decoder {
    try superDecoder(named: key.stringValue)
  }

  /// Where nothing is stored, a superclass that asks for more than `nil` is refused.
  private func superDecoder(named key: String) throws -> any Decoder {
    let path = path.appending(.key(key))
    guard let value = find(key) else {
      return NoValue(codingPath: path.codingKeys, userInfo: reading.userInfo)
    }
    return try reading.nested(value, (any Decoder).self, path)
  }
}

/// One field whose value is read as a scalar.
///
/// It holds the container's path and the key, and joins them for an error only.
private struct StoredField: ScalarReading {
  let value: RecordValue
  let holder: CodingPath
  let key: String

  /// Made only for an error.
  private func path() -> CodingPath { holder.appending(.key(key)) }

  func boolean() throws -> Bool { try exactBool(value, path) }
  func string() throws -> String { try exactString(value, path) }

  func float<Number: BinaryFloatingPoint>(_ type: Number.Type) throws -> Number {
    try exactFloat(type, value, path)
  }

  func integer<Number: FixedWidthInteger>(_ type: Number.Type) throws -> Number {
    try exactInteger(type, value, path)
  }
}

/// A decoder at a place where nothing is: an optional is `nil` there, anything else is refused.
///
/// Each request but `decodeNil` throws `valueNotFound` at the place.
struct NoValue: Decoder, SingleValueDecodingContainer {
  let codingPath: [any CodingKey]
  let userInfo: [CodingUserInfoKey: Any]

  private func absent(_ type: Any.Type) -> DecodingError {
    DecodingError.valueNotFound(
      type,
      DecodingError.Context(
        codingPath: codingPath,
        debugDescription: "expected \(type), found nothing"
      )
    )
  }

  func container<Key: CodingKey>(
    keyedBy type: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    throw absent([String: Any].self)
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw absent([Any].self) }
  func singleValueContainer() -> any SingleValueDecodingContainer { self }
  func decodeNil() -> Bool { true }
  func decode<T: Decodable>(_ type: T.Type) throws -> T { throw absent(type) }
}
