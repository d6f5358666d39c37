import CodingSupport
import MergeEngine

/// Stages the fields of a struct or class, or the entries of a dictionary.
///
/// Keys are always strings here: a key that looks like a number is a key.
struct KeyedStaging<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let session: StagingSession
  let map: Draft.Node
  let depth: Int32

  private var draft: Draft { session.tree.draft }

  var codingPath: [any CodingKey] { session.tree.path(to: map).codingKeys }

  @inline(__always)
  private func set(_ content: Draft.Content, _ key: Key) {
    draft.set(content, in: map, key.stringValue)
  }

  private func path(to key: Key) -> CodingPath {
    session.tree.path(to: map).appending(PathKey(keyed: key))
  }

  mutating func encodeNil(forKey key: Key) { set(.keyedNil, key) }

  mutating func encode(_ value: Bool, forKey key: Key) { set(.bool(value), key) }

  mutating func encode(_ value: String, forKey key: Key) {
    draft.set(value, in: map, key.stringValue)
  }

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
    set(try session.number(value) { path(to: key) }, key)
  }

  mutating func encode(_ value: Float, forKey key: Key) throws {
    set(try session.number(value) { path(to: key) }, key)
  }

  mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    if let content = try session.content(of: value, { path(to: key) }) { return set(content, key) }
    let node = draft.open(in: map, key.stringValue)
    try session.stage(value, at: node, depth)
    draft.link(node)
  }

  // MARK: - Optional fields

  // The whole family, since a key that is named and nil differs from one never named.

  mutating func encodeIfPresent(_ value: String?, forKey key: Key) {
    guard let value else { return set(.absent, key) }
    encode(value, forKey: key)
  }

  mutating func encodeIfPresent(_ value: Bool?, forKey key: Key) {
    set(value.map { .bool($0) } ?? .absent, key)
  }

  mutating func encodeIfPresent(_ value: Int8?, forKey key: Key) {
    set(value.map { .int(Int64($0)) } ?? .absent, key)
  }

  mutating func encodeIfPresent(_ value: Int16?, forKey key: Key) {
    set(value.map { .int(Int64($0)) } ?? .absent, key)
  }

  mutating func encodeIfPresent(_ value: Int32?, forKey key: Key) {
    set(value.map { .int(Int64($0)) } ?? .absent, key)
  }

  mutating func encodeIfPresent(_ value: Int64?, forKey key: Key) {
    set(value.map { .int(Int64($0)) } ?? .absent, key)
  }

  mutating func encodeIfPresent(_ value: Int?, forKey key: Key) {
    set(value.map { .int(Int64($0)) } ?? .absent, key)
  }

  mutating func encodeIfPresent(_ value: UInt8?, forKey key: Key) {
    set(value.map { .uint(UInt64($0)) } ?? .absent, key)
  }

  mutating func encodeIfPresent(_ value: UInt16?, forKey key: Key) {
    set(value.map { .uint(UInt64($0)) } ?? .absent, key)
  }

  mutating func encodeIfPresent(_ value: UInt32?, forKey key: Key) {
    set(value.map { .uint(UInt64($0)) } ?? .absent, key)
  }

  mutating func encodeIfPresent(_ value: UInt64?, forKey key: Key) {
    set(value.map { .uint(UInt64($0)) } ?? .absent, key)
  }

  mutating func encodeIfPresent(_ value: UInt?, forKey key: Key) {
    set(value.map { .uint(UInt64($0)) } ?? .absent, key)
  }

  mutating func encodeIfPresent(_ value: Double?, forKey key: Key) throws {
    guard let value else { return set(.absent, key) }
    try encode(value, forKey: key)
  }

  mutating func encodeIfPresent(_ value: Float?, forKey key: Key) throws {
    guard let value else { return set(.absent, key) }
    try encode(value, forKey: key)
  }

  mutating func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
    guard let value else { return set(.absent, key) }
    try encode(value, forKey: key)
  }

  // MARK: - Containers

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type,
    forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    let child: Draft.Node
    if let known = nested(.map, key) {
      child = known
    } else {
      child = nest(.map, key)
    }
    return KeyedEncodingContainer(
      KeyedStaging<Nested>(session: session, map: child, depth: depth + 1)
    )
  }

  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    let child = nested(.list, key) ?? nest(.list, key)
    return UnkeyedStaging(session: session, list: child, depth: depth + 1)
  }

  /// The container of a kind that a key has already.
  private func nested(_ kind: Draft.Kind, _ key: Key) -> Draft.Node? {
    guard let known = draft.entry(of: key.stringValue, in: map), draft.kind(known) == kind,
      !draft.marks(known).contains(.pathless)
    else { return nil }
    return known
  }

  private func nest(_ kind: Draft.Kind, _ key: Key) -> Draft.Node {
    let node = draft.open(in: map, key.stringValue)
    draft.begin(kind, at: node)
    draft.mark(node, .nested)
    draft.link(node)
    return node
  }

  /// The superclass writes into the same map, as in automerge-swift.
  mutating func superEncoder() -> any Encoder {
    StagingEncoder(session: session, node: map, depth: depth)
  }

  /// The superclass writes under the key; the coding path stays, as in automerge-swift.
  mutating func superEncoder(forKey key: Key) -> any Encoder {
    let node = draft.open(in: map, key.stringValue)
    draft.mark(node, .pathless)
    draft.link(node)
    return StagingEncoder(session: session, node: node, depth: depth + 1)
  }
}
