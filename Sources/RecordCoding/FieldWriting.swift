import CodingSupport
import Foundation
import RecordModel
import Texts

// The root's keyed container, by which `encode(to:)` of a value writes fields. Scalars take a short
// way (`WrittenField`), as most properties are scalars; everything else goes through
// `RecordWriting.write`.

/// The keyed container of a value that becomes a record: each key is a field.
///
/// It holds a reference to the one writing, so that containers that are asked for twice write into
/// one record.
struct FieldWriting<Key: CodingKey>: KeyedOptionalScalarEncoding {
  let writing: RecordWriting

  var codingPath: [any CodingKey] { [] }

  private func field(_ key: Key) -> WrittenField {
    WrittenField(writing: writing, key: key.stringValue)
  }

  /// Clears a field, or does nothing where the key is no field; notes its kind for a schema.
  private func clear(_ key: Key, _ kind: @autoclosure () -> RecordFieldKind?) throws {
    guard let key = try writing.fieldKey(key.stringValue) else { return }
    writing.note(kind(), key)
    writing.clear(key)
  }

  func encodeNil(forKey key: Key) throws { try clear(key, nil) }
  @inline(__always) func encode<S: CodableScalar>(_ value: S, forKey key: Key) throws {
    try value.write(to: field(key))
  }

  func encode<T: Encodable>(_ value: T, forKey key: Key) throws { try field(key).write(value) }

  // MARK: - Optionals

  // The defaults of these pass over nil without a word, and a server would keep the old value.

  func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws {
    guard let value else { return try clear(key, writing.kind(of: T.self)) }
    try encode(value, forKey: key)
  }

  @inline(__always) func optionalScalar<S: CodableScalar>(_ value: S?, forKey key: Key) throws {
    guard let value else { return try clear(key, writing.kind(of: S.self)) }
    try encode(value, forKey: key)
  }

  // MARK: - Containers

  /// A nested container of a field, at the field's path.
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

/// One field while its value is encoded.
///
/// Written inline for each scalar type: no conformance is looked up, and no value is boxed.
private struct WrittenField: ScalarWriting {
  let writing: RecordWriting
  let key: String

  private var path: CodingPath { .root.appending(.key(key)) }

  /// Sets the field, where the key is one.
  ///
  /// - Throws: ``CloudKitRecordEncodingError/systemFieldsDecode(_:)`` for a `cloudKitSystemFields`
  ///   that is no `Data`.
  private func put(_ value: RecordValue, of type: Any.Type) throws {
    guard let name = try writing.fieldKey(key) else { return try checkSystemFields(type) }
    writing.put(value, name)
  }

  /// Sets the field to a number with a fraction.
  ///
  /// - Throws: `EncodingError` for infinity and NaN, where what servers refuse is checked.
  private func put(_ value: Double, of type: Any.Type) throws {
    guard value.isFinite || writing.options.validation != .server else {
      throw notFinite(value, path)
    }
    try put(.double(value), of: type)
  }

  func write(boolean value: Bool) throws { try put(.int64(value ? 1 : 0), of: Bool.self) }
  func write(string value: String) throws { try put(.string(value), of: String.self) }
  func write(float value: Float) throws { try put(Double(value), of: Float.self) }
  func write(double value: Double) throws { try put(value, of: Double.self) }

  /// Sets the field to an integer, or to its JSON where wide ones are that.
  ///
  /// - Throws: `EncodingError` for what 64 bits with a sign do not hold.
  func write<Number: FixedWidthInteger & CodableScalar>(integer value: Number) throws {
    if writing.isJSON(Number.self), let name = try writing.fieldKey(key) {
      return try writing.putJSON(JSONValue(UInt64(truncatingIfNeeded: value)), name)
    }
    guard let exact = Int64(exactly: value) else { throw wideInteger(value, path) }
    try put(.int64(exact), of: Number.self)
  }

  func write<T: Encodable>(_ value: T) throws {
    guard let name = try writing.fieldKey(key) else {
      // The value there is not a field; a value that is not system fields was refused before.
      return try checkSystemFields(type(of: value))
    }
    // Before a conformance is looked for, which takes longer than the rest.
    if T.self == URL.self, let url = value as? URL { return try write(url, name) }
    try writing.write(value, name, path)
  }

  private func write(_ url: URL, _ name: String) throws {
    guard url.isFile else { return writing.put(.string(url.absoluteString), name) }
    let asset = try url.asset(writing.graph) { path }
    try writing.putChecked(.asset(asset), key: name, at: path, of: url)
  }

  /// Refuses a property of this name with another type, whose content no decode would read.
  private func checkSystemFields(_ type: Any.Type) throws {
    guard key == "cloudKitSystemFields", type != Data.self, type != Data?.self else { return }
    throw CloudKitRecordEncodingError.systemFieldsDecode("expected Data, found \(type)")
  }
}

func wideInteger(_ value: some FixedWidthInteger, _ path: CodingPath) -> EncodingError {
  refusal(value, at: path, "expected an integer of 64 bits with a sign, found one that is greater")
}

func notFinite(_ value: Double, _ path: CodingPath) -> EncodingError {
  refusal(value, at: path, "expected a finite number, found \(value)")
}
