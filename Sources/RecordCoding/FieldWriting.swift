import CodingSupport
import Foundation
import RecordModel
import Texts

/// The keyed container of a value that becomes a record: each key is a field.
struct FieldWriting<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let writing: RecordWriting

  var codingPath: [any CodingKey] { [] }

  private func put(_ value: RecordValue, _ key: Key) throws {
    guard let name = try writing.fieldKey(key.stringValue) else {
      return try checkSystemFields(value, key)
    }
    writing.put(value, name)
  }

  private func clear(_ key: Key, _ kind: @autoclosure () -> RecordFieldKind?) throws {
    guard let key = try writing.fieldKey(key.stringValue) else { return }
    writing.note(kind(), key)
    writing.clear(key)
  }

  private func putInteger<T: FixedWidthInteger>(_ value: T, _ key: Key) throws {
    if writing.isJSON(T.self), let name = try writing.fieldKey(key.stringValue) {
      return try writing.putJSON(JSONValue(UInt64(truncatingIfNeeded: value)), name)
    }
    guard let exact = Int64(exactly: value) else {
      throw wideInteger(value, CodingPath.root.appending(PathKey(keyed: key)))
    }
    try put(.int64(exact), key)
  }

  private func putDouble(_ value: Double, _ key: Key) throws {
    guard value.isFinite || writing.options.validation != .server else {
      throw notFinite(value, CodingPath.root.appending(PathKey(keyed: key)))
    }
    try put(.double(value), key)
  }

  func encodeNil(forKey key: Key) throws { try clear(key, nil) }
  func encode(_ value: Bool, forKey key: Key) throws { try put(.int64(value ? 1 : 0), key) }
  func encode(_ value: String, forKey key: Key) throws { try put(.string(value), key) }
  func encode(_ value: Double, forKey key: Key) throws { try putDouble(value, key) }
  func encode(_ value: Float, forKey key: Key) throws { try putDouble(Double(value), key) }
  func encode(_ value: Int, forKey key: Key) throws { try put(.int64(Int64(value)), key) }
  func encode(_ value: Int8, forKey key: Key) throws { try put(.int64(Int64(value)), key) }
  func encode(_ value: Int16, forKey key: Key) throws { try put(.int64(Int64(value)), key) }
  func encode(_ value: Int32, forKey key: Key) throws { try put(.int64(Int64(value)), key) }
  func encode(_ value: Int64, forKey key: Key) throws { try put(.int64(value), key) }
  func encode(_ value: UInt, forKey key: Key) throws { try putInteger(value, key) }
  func encode(_ value: UInt8, forKey key: Key) throws { try put(.int64(Int64(value)), key) }
  func encode(_ value: UInt16, forKey key: Key) throws { try put(.int64(Int64(value)), key) }
  func encode(_ value: UInt32, forKey key: Key) throws { try put(.int64(Int64(value)), key) }
  func encode(_ value: UInt64, forKey key: Key) throws { try putInteger(value, key) }

  func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    guard let name = try writing.fieldKey(key.stringValue) else {
      // The value there is not a field; a value that is not system fields was refused before.
      return try checkSystemFields(value, key)
    }
    try writing.write(value, name, .root.appending(PathKey(keyed: key)))
  }

  private func checkSystemFields<T>(_ value: T, _ key: Key) throws {
    guard key.stringValue == "cloudKitSystemFields", !(value is Data) else { return }
    throw CloudKitRecordEncodingError.systemFieldsDecode("expected Data, found \(type(of: value))")
  }

  // MARK: - Optionals

  // The defaults of these pass over nil without a word, and a server would keep the old value.

  func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws {
    guard let value else { return try clear(key, writing.kind(of: T.self)) }
    try encode(value, forKey: key)
  }

  private func integer<T: FixedWidthInteger>(_ value: T?, _ key: Key) throws {
    guard let value else { return try clear(key, writing.kind(of: T.self)) }
    try putInteger(value, key)
  }

  func encodeIfPresent(_ value: Bool?, forKey key: Key) throws {
    try integer(value.map { $0 ? 1 : 0 }, key)
  }

  func encodeIfPresent(_ value: String?, forKey key: Key) throws {
    guard let value else { return try clear(key, RecordFieldKind(.string)) }
    try encode(value, forKey: key)
  }

  func encodeIfPresent(_ value: Double?, forKey key: Key) throws {
    guard let value else { return try clear(key, RecordFieldKind(.double)) }
    try encode(value, forKey: key)
  }

  func encodeIfPresent(_ value: Float?, forKey key: Key) throws {
    try encodeIfPresent(value.map { Double($0) }, forKey: key)
  }

  func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try integer(value, key) }
  func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try integer(value, key) }
  func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try integer(value, key) }
  func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try integer(value, key) }
  func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try integer(value, key) }
  func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try integer(value, key) }
  func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try integer(value, key) }
  func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try integer(value, key) }
  func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try integer(value, key) }
  func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try integer(value, key) }

  // MARK: - Containers

  private func place(_ key: String, isFresh: Bool = true) -> NestedPlace {
    NestedPlace(
      graph: writing.graph,
      node: writing.nested(key, isFresh: isFresh),
      path: .root.appending(.key(key))
    )
  }

  /// Asked for twice, a container goes on where it was.
  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type,
    forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    NestedEncoding(place: place(key.stringValue, isFresh: false)).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    NestedEncoding(place: place(key.stringValue, isFresh: false)).unkeyedContainer()
  }

  /// A superclass that asks for an encoder of its own is a nested value under `super`.
  func superEncoder() -> any Encoder { NestedEncoding(place: place("super")) }

  func superEncoder(forKey key: Key) -> any Encoder {
    NestedEncoding(place: place(key.stringValue))
  }
}

func wideInteger(_ value: some FixedWidthInteger, _ path: CodingPath) -> EncodingError {
  refusal(value, at: path, "expected an integer of 64 bits with a sign, found one that is greater")
}

func notFinite(_ value: Double, _ path: CodingPath) -> EncodingError {
  refusal(value, at: path, "expected a finite number, found \(value)")
}
