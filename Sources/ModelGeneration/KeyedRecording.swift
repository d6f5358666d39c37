import CodingSupport

struct KeyedRecording<Key: CodingKey>: KeyedLeafRecording {
  let recorder: TreeRecorder
  let node: RecordingNode
  let path: CodingPath

  var codingPath: [any CodingKey] { path.codingKeys }

  private func path(to key: Key) -> CodingPath { path.appending(PathKey(keyed: key)) }

  func set(_ leaf: Recorded, _ key: Key) {
    node.child(key.stringValue).content = .finished(leaf)
  }

  func float(_ value: Double, _ original: Any, _ key: Key) throws -> Tree {
    try recorder.float(value, original, path(to: key))
  }

  func encodeNil(forKey key: Key) {
    node.child(key.stringValue).content = .finished(.keyedNil)
  }

  func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    // Of two values for one key the later counts, as a whole.
    try recorder.record(value, into: node.freshChild(key.stringValue), at: path(to: key))
  }

  func noteAbsent(_ key: Key) { node.noteAbsent(key.stringValue) }

  func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws {
    guard let value else { return noteAbsent(key) }
    try encode(value, forKey: key)
  }

  /// Asked twice for one key, it gives the same container.
  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type,
    forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    let child = node.childMap(key.stringValue)
    child.owner = node.owner == .enumeration ? .enumeration : .type
    child.isNested = true
    return encoder(child, key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    encoder(node.childList(key.stringValue), key).unkeyedContainer()
  }

  private func encoder(_ child: RecordingNode, _ key: Key) -> RecordingEncoder {
    RecordingEncoder(recorder: recorder, node: child, path: path(to: key))
  }

  /// A superclass shares the map of its subclass.
  func superEncoder() -> any Encoder {
    RecordingEncoder(recorder: recorder, node: node, path: path)
  }

  func superEncoder(forKey key: Key) -> any Encoder {
    encoder(node.freshChild(key.stringValue), key)
  }
}
