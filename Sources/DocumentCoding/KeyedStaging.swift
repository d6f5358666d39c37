import CodingSupport
import MergeEngine

/// Stages the fields of a struct or class, or the entries of a dictionary.
///
/// Keys are always strings here: a key that looks like a number is a key.
struct KeyedStaging<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let session: StagingSession
  let map: StagedMap
  let path: CodingPath
  let depth: Int

  var codingPath: [any CodingKey] { path.codingKeys }

  @inline(__always)
  private func set(_ value: Scalar, _ key: Key) {
    map.set(key.stringValue, .scalar(value))
  }

  @inline(__always)
  private func setIfPresent(_ value: Scalar?, _ key: Key) {
    map.set(key.stringValue, value.map { .scalar($0) } ?? .absent)
  }

  private func path(to key: Key) -> CodingPath { path.appending(PathKey(keyed: key)) }

  mutating func encodeNil(forKey key: Key) { map.set(key.stringValue, .keyedNil) }

  mutating func encode(_ value: Bool, forKey key: Key) { set(.bool(value), key) }
  mutating func encode(_ value: String, forKey key: Key) { set(.string(value), key) }
  mutating func encode(_ value: Int8, forKey key: Key) { set(.int(Int64(value)), key) }
  mutating func encode(_ value: Int16, forKey key: Key) { set(.int(Int64(value)), key) }
  mutating func encode(_ value: Int32, forKey key: Key) { set(.int(Int64(value)), key) }
  mutating func encode(_ value: Int64, forKey key: Key) { set(.int(Int64(value)), key) }
  mutating func encode(_ value: Int, forKey key: Key) { set(.int(Int64(value)), key) }
  mutating func encode(_ value: UInt8, forKey key: Key) { set(.uint(UInt64(value)), key) }
  mutating func encode(_ value: UInt16, forKey key: Key) { set(.uint(UInt64(value)), key) }
  mutating func encode(_ value: UInt32, forKey key: Key) { set(.uint(UInt64(value)), key) }
  mutating func encode(_ value: UInt64, forKey key: Key) { set(.uint(UInt64(value)), key) }
  mutating func encode(_ value: UInt, forKey key: Key) { set(.uint(UInt64(value)), key) }

  mutating func encode(_ value: Double, forKey key: Key) throws {
    map.set(key.stringValue, try session.stage(value) { path(to: key) })
  }

  mutating func encode(_ value: Float, forKey key: Key) throws {
    map.set(key.stringValue, try session.stage(value) { path(to: key) })
  }

  mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    let staged = try session.stage(value, depth: depth, path(to: key))
    map.set(key.stringValue, staged)
  }

  // MARK: - Optional fields

  // The whole family, since a key that is named and nil differs from one never named.

  mutating func encodeIfPresent(_ value: Bool?, forKey key: Key) {
    setIfPresent(value.map { .bool($0) }, key)
  }

  mutating func encodeIfPresent(_ value: String?, forKey key: Key) {
    setIfPresent(value.map { .string($0) }, key)
  }

  mutating func encodeIfPresent(_ value: Int8?, forKey key: Key) {
    setIfPresent(value.map { .int(Int64($0)) }, key)
  }

  mutating func encodeIfPresent(_ value: Int16?, forKey key: Key) {
    setIfPresent(value.map { .int(Int64($0)) }, key)
  }

  mutating func encodeIfPresent(_ value: Int32?, forKey key: Key) {
    setIfPresent(value.map { .int(Int64($0)) }, key)
  }

  mutating func encodeIfPresent(_ value: Int64?, forKey key: Key) {
    setIfPresent(value.map { .int(Int64($0)) }, key)
  }

  mutating func encodeIfPresent(_ value: Int?, forKey key: Key) {
    setIfPresent(value.map { .int(Int64($0)) }, key)
  }

  mutating func encodeIfPresent(_ value: UInt8?, forKey key: Key) {
    setIfPresent(value.map { .uint(UInt64($0)) }, key)
  }

  mutating func encodeIfPresent(_ value: UInt16?, forKey key: Key) {
    setIfPresent(value.map { .uint(UInt64($0)) }, key)
  }

  mutating func encodeIfPresent(_ value: UInt32?, forKey key: Key) {
    setIfPresent(value.map { .uint(UInt64($0)) }, key)
  }

  mutating func encodeIfPresent(_ value: UInt64?, forKey key: Key) {
    setIfPresent(value.map { .uint(UInt64($0)) }, key)
  }

  mutating func encodeIfPresent(_ value: UInt?, forKey key: Key) {
    setIfPresent(value.map { .uint(UInt64($0)) }, key)
  }

  mutating func encodeIfPresent(_ value: Double?, forKey key: Key) throws {
    guard let value else { return map.set(key.stringValue, .absent) }
    try encode(value, forKey: key)
  }

  mutating func encodeIfPresent(_ value: Float?, forKey key: Key) throws {
    guard let value else { return map.set(key.stringValue, .absent) }
    try encode(value, forKey: key)
  }

  mutating func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
    guard let value else { return map.set(key.stringValue, .absent) }
    try encode(value, forKey: key)
  }

  // MARK: - Containers

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type,
    forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    let child: StagedMap
    if case .map(let known) = map.value(of: key.stringValue) {
      child = known
    } else {
      child = StagedMap(isNested: true)
      map.set(key.stringValue, .map(child))
    }
    return KeyedEncodingContainer(
      KeyedStaging<Nested>(session: session, map: child, path: path(to: key), depth: depth + 1)
    )
  }

  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    let child: StagedList
    if case .list(let known) = map.value(of: key.stringValue) {
      child = known
    } else {
      child = StagedList()
      map.set(key.stringValue, .list(child))
    }
    return UnkeyedStaging(session: session, list: child, path: path(to: key), depth: depth + 1)
  }

  /// The superclass writes into the same map, as in automerge-swift.
  mutating func superEncoder() -> any Encoder {
    StagingEncoder(session: session, path: path, depth: depth, result: .map(map))
  }

  /// The superclass writes under the key; the coding path stays, as in automerge-swift.
  mutating func superEncoder(forKey key: Key) -> any Encoder {
    let encoder = StagingEncoder(session: session, path: path, depth: depth + 1)
    session.hasLater = true
    map.set(key.stringValue, .later(encoder))
    return encoder
  }
}
