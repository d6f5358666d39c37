import CodingSupport

struct KeyedRecording<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let recorder: TreeRecorder
  let node: RecordingNode
  let path: CodingPath

  var codingPath: [any CodingKey] { path.codingKeys }

  private func place(_ key: Key) -> (node: RecordingNode, path: CodingPath) {
    (node.child(key.stringValue), path.appending(PathKey(keyed: key)))
  }

  private func set(_ tree: Tree, _ key: Key) {
    node.child(key.stringValue).content = .finished(.leaf(tree))
  }

  private func float(_ value: Double, _ original: Any, _ key: Key) throws {
    let path = path.appending(PathKey(keyed: key))
    set(try recorder.float(value, original, path), key)
  }

  func encodeNil(forKey key: Key) {
    node.child(key.stringValue).content = .finished(.keyedNil)
  }

  func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    let (node, path) = place(key)
    try recorder.record(value, into: node, at: path)
  }

  func encode(_ value: Double, forKey key: Key) throws { try float(value, value, key) }
  func encode(_ value: Float, forKey key: Key) throws { try float(Double(value), value, key) }
  func encode(_ value: Bool, forKey key: Key) { set(.boolean(value), key) }
  func encode(_ value: String, forKey key: Key) { set(.string(value), key) }
  func encode(_ value: Int, forKey key: Key) { set(.int(Int64(value)), key) }
  func encode(_ value: Int8, forKey key: Key) { set(.int(Int64(value)), key) }
  func encode(_ value: Int16, forKey key: Key) { set(.int(Int64(value)), key) }
  func encode(_ value: Int32, forKey key: Key) { set(.int(Int64(value)), key) }
  func encode(_ value: Int64, forKey key: Key) { set(.int(value), key) }
  func encode(_ value: UInt, forKey key: Key) { set(.uint(UInt64(value)), key) }
  func encode(_ value: UInt8, forKey key: Key) { set(.uint(UInt64(value)), key) }
  func encode(_ value: UInt16, forKey key: Key) { set(.uint(UInt64(value)), key) }
  func encode(_ value: UInt32, forKey key: Key) { set(.uint(UInt64(value)), key) }
  func encode(_ value: UInt64, forKey key: Key) { set(.uint(value), key) }

  private func noteAbsent(_ key: Key) { node.noteAbsent(key.stringValue) }

  func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws {
    guard let value else { return noteAbsent(key) }
    try encode(value, forKey: key)
  }

  func encodeIfPresent(_ value: Bool?, forKey key: Key) {
    guard let value else { return noteAbsent(key) }
    encode(value, forKey: key)
  }

  func encodeIfPresent(_ value: String?, forKey key: Key) {
    guard let value else { return noteAbsent(key) }
    encode(value, forKey: key)
  }

  func encodeIfPresent(_ value: Double?, forKey key: Key) throws {
    guard let value else { return noteAbsent(key) }
    try encode(value, forKey: key)
  }

  func encodeIfPresent(_ value: Float?, forKey key: Key) throws {
    guard let value else { return noteAbsent(key) }
    try encode(value, forKey: key)
  }

  func encodeIfPresent(_ value: Int?, forKey key: Key) {
    guard let value else { return noteAbsent(key) }
    encode(value, forKey: key)
  }

  func encodeIfPresent(_ value: Int8?, forKey key: Key) {
    guard let value else { return noteAbsent(key) }
    encode(value, forKey: key)
  }

  func encodeIfPresent(_ value: Int16?, forKey key: Key) {
    guard let value else { return noteAbsent(key) }
    encode(value, forKey: key)
  }

  func encodeIfPresent(_ value: Int32?, forKey key: Key) {
    guard let value else { return noteAbsent(key) }
    encode(value, forKey: key)
  }

  func encodeIfPresent(_ value: Int64?, forKey key: Key) {
    guard let value else { return noteAbsent(key) }
    encode(value, forKey: key)
  }

  func encodeIfPresent(_ value: UInt?, forKey key: Key) {
    guard let value else { return noteAbsent(key) }
    encode(value, forKey: key)
  }

  func encodeIfPresent(_ value: UInt8?, forKey key: Key) {
    guard let value else { return noteAbsent(key) }
    encode(value, forKey: key)
  }

  func encodeIfPresent(_ value: UInt16?, forKey key: Key) {
    guard let value else { return noteAbsent(key) }
    encode(value, forKey: key)
  }

  func encodeIfPresent(_ value: UInt32?, forKey key: Key) {
    guard let value else { return noteAbsent(key) }
    encode(value, forKey: key)
  }

  func encodeIfPresent(_ value: UInt64?, forKey key: Key) {
    guard let value else { return noteAbsent(key) }
    encode(value, forKey: key)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type,
    forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    let (child, path) = place(key)
    child.owner = node.owner == .enumeration ? .enumeration : .type
    return RecordingEncoder(recorder: recorder, node: child, path: path).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    let (node, path) = place(key)
    return RecordingEncoder(recorder: recorder, node: node, path: path).unkeyedContainer()
  }

  /// A superclass shares the map of its subclass.
  func superEncoder() -> any Encoder {
    RecordingEncoder(recorder: recorder, node: node, path: path)
  }

  func superEncoder(forKey key: Key) -> any Encoder {
    let (node, path) = place(key)
    return RecordingEncoder(recorder: recorder, node: node, path: path)
  }
}
