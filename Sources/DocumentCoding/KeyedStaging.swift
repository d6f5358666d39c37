import CodingSupport
import MergeEngine

/// Stages the fields of a struct or class, or the entries of a dictionary.
///
/// Keys are always strings here: a key that looks like a number is a key. No method changes the
/// container itself, and none says so: the session need not be retained for each field.
///
/// What each call leaves in the draft, since the write asks for it later:
///
///      encode(3, forKey: a)             a: 3
///      encodeNil(forKey: b)             b: .keyedNil      null is written
///      encodeIfPresent(nil, forKey: c)  c: .absent        the key goes, unless null is there
///      (no call)                        -                 unknown: goes or stays as `unknownKeys` says
struct KeyedStaging<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let session: StagingSession
  let map: Draft.Node
  let depth: Int32

  var codingPath: [any CodingKey] { session.tree.path(to: map).codingKeys }

  /// Of two values for one key the later counts.
  @inline(__always)
  private func set(_ content: Draft.Content, _ key: Key) {
    session.draft.set(content, in: map, key.stringValue)
  }

  /// Not the same as an optional that is `nil`: this null is written.
  func encodeNil(forKey key: Key) { set(.keyedNil, key) }

  func encode(_ value: Bool, forKey key: Key) { set(.bool(value), key) }

  func encode(_ value: String, forKey key: Key) {
    session.draft.set(value, in: map, key.stringValue)
  }

  func encode(_ value: Int8, forKey key: Key) { set(.int(Int64(value)), key) }
  func encode(_ value: Int16, forKey key: Key) { set(.int(Int64(value)), key) }
  func encode(_ value: Int32, forKey key: Key) { set(.int(Int64(value)), key) }
  func encode(_ value: Int64, forKey key: Key) { set(.int(Int64(value)), key) }
  func encode(_ value: Int, forKey key: Key) { set(.int(Int64(value)), key) }
  func encode(_ value: UInt8, forKey key: Key) { set(.uint(UInt64(value)), key) }
  func encode(_ value: UInt16, forKey key: Key) { set(.uint(UInt64(value)), key) }
  func encode(_ value: UInt32, forKey key: Key) { set(.uint(UInt64(value)), key) }
  func encode(_ value: UInt64, forKey key: Key) { set(.uint(UInt64(value)), key) }
  func encode(_ value: UInt, forKey key: Key) { set(.uint(UInt64(value)), key) }

  func encode(_ value: Double, forKey key: Key) throws {
    let key = key.stringValue
    session.draft.set(try session.number(value, at: .key(key, in: map)), in: map, key)
  }

  func encode(_ value: Float, forKey key: Key) throws {
    let key = key.stringValue
    session.draft.set(try session.number(value, at: .key(key, in: map)), in: map, key)
  }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    let key = key.stringValue
    if let content = try session.content(of: value, at: .key(key, in: map)) {
      return session.draft.set(content, in: map, key)
    }
    let node = session.draft.open(in: map, key)
    try session.stage(value, at: node, depth)
    session.draft.link(node)
  }

  // MARK: - Optional fields

  // The whole family, since a key that is named and nil differs from one never named.

  @inline(__always)
  private func set(signed value: (some SignedInteger)?, _ key: Key) {
    set(value.map { .int(Int64($0)) } ?? .absent, key)
  }

  @inline(__always)
  private func set(unsigned value: (some UnsignedInteger)?, _ key: Key) {
    set(value.map { .uint(UInt64($0)) } ?? .absent, key)
  }

  func encodeIfPresent(_ value: String?, forKey key: Key) {
    guard let value else { return set(.absent, key) }
    encode(value, forKey: key)
  }

  func encodeIfPresent(_ value: Bool?, forKey key: Key) {
    set(value.map { .bool($0) } ?? .absent, key)
  }

  func encodeIfPresent(_ value: Int8?, forKey key: Key) { set(signed: value, key) }
  func encodeIfPresent(_ value: Int16?, forKey key: Key) { set(signed: value, key) }
  func encodeIfPresent(_ value: Int32?, forKey key: Key) { set(signed: value, key) }
  func encodeIfPresent(_ value: Int64?, forKey key: Key) { set(signed: value, key) }
  func encodeIfPresent(_ value: Int?, forKey key: Key) { set(signed: value, key) }
  func encodeIfPresent(_ value: UInt8?, forKey key: Key) { set(unsigned: value, key) }
  func encodeIfPresent(_ value: UInt16?, forKey key: Key) { set(unsigned: value, key) }
  func encodeIfPresent(_ value: UInt32?, forKey key: Key) { set(unsigned: value, key) }
  func encodeIfPresent(_ value: UInt64?, forKey key: Key) { set(unsigned: value, key) }
  func encodeIfPresent(_ value: UInt?, forKey key: Key) { set(unsigned: value, key) }

  func encodeIfPresent(_ value: Double?, forKey key: Key) throws {
    guard let value else { return set(.absent, key) }
    try encode(value, forKey: key)
  }

  func encodeIfPresent(_ value: Float?, forKey key: Key) throws {
    guard let value else { return set(.absent, key) }
    try encode(value, forKey: key)
  }

  func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
    guard let value else { return set(.absent, key) }
    try encode(value, forKey: key)
  }

  // MARK: - Containers

  /// Asked twice for one key, it gives the same container, as other coders do.
  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type,
    forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    let child: Draft.Node
    if let known = nested(.map, key) {
      child = known
    } else {
      child = nest(.map, key)
    }
    session.mark(child, keys: type, isNew: true)
    return KeyedEncodingContainer(
      KeyedStaging<Nested>(session: session, map: child, depth: depth + 1)
    )
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    let child = nested(.list, key) ?? nest(.list, key)
    return UnkeyedStaging(session: session, list: child, depth: depth + 1)
  }

  /// The container of a kind that a key has already.
  ///
  /// Not one that was made for a superclass under the key (`pathless`): that container says another
  /// path in its errors.
  private func nested(_ kind: Draft.Kind, _ key: Key) -> Draft.Node? {
    let draft = session.draft
    guard let known = draft.entry(of: key.stringValue, in: map), draft.kind(known) == kind,
      !draft.marks(known).contains(.pathless)
    else { return nil }
    return known
  }

  /// A container that the value around it fills: its keys belong to that value's type.
  private func nest(_ kind: Draft.Kind, _ key: Key) -> Draft.Node {
    session.nest(kind, at: session.draft.open(in: map, key.stringValue), depth)
  }

  /// The superclass writes into the same map, as in automerge-swift.
  ///
  ///     superEncoder()              {"id": 1, "name": "a"}               `id` is the superclass's
  ///     superEncoder(forKey: s)     {"s": {"id": 1}, "name": "a"}
  func superEncoder() -> any Encoder {
    StagingEncoder(session: session, node: map, depth: depth)
  }

  /// The superclass writes under the key; the coding path stays, as in automerge-swift.
  func superEncoder(forKey key: Key) -> any Encoder {
    let draft = session.draft
    let node = draft.open(in: map, key.stringValue)
    draft.mark(node, .pathless)
    session.link(node, depth)
    return StagingEncoder(session: session, node: node, depth: depth + 1)
  }
}
