import CodingSupport

struct KeyedRecording<Key: CodingKey>: KeyedLeafRecording {
  let recorder: TreeRecorder
  let node: RecordingNode
  let path: CodingPath

  var codingPath: [any CodingKey] { path.codingKeys }

  private func place(_ key: Key) -> (node: RecordingNode, path: CodingPath) {
    (node.child(key.stringValue), path.appending(PathKey(keyed: key)))
  }

  func set(_ leaf: Recorded, _ key: Key) {
    node.child(key.stringValue).content = .finished(leaf)
  }

  func float(_ value: Double, _ original: Any, _ key: Key) throws -> Tree {
    try recorder.float(value, original, path.appending(PathKey(keyed: key)))
  }

  func encodeNil(forKey key: Key) {
    node.child(key.stringValue).content = .finished(.keyedNil)
  }

  func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    // Of two values for one key the later counts, as a whole.
    let place = node.freshChild(key.stringValue)
    try recorder.record(value, into: place, at: path.appending(PathKey(keyed: key)))
  }

  func noteAbsent(_ key: Key) { node.noteAbsent(key.stringValue) }

  func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws {
    guard let value else { return noteAbsent(key) }
    try encode(value, forKey: key)
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
