import CodingSupport

struct UnkeyedRecording: UnkeyedEncodingContainer, LeafRecording {
  let recorder: TreeRecorder
  let node: RecordingNode
  let path: CodingPath

  var codingPath: [any CodingKey] { path.codingKeys }
  var count: Int { node.elements.count }

  private func place() -> (node: RecordingNode, path: CodingPath) {
    let path = path.appending(.index(count))
    return (node.append(), path)
  }

  func set(_ leaf: Recorded) {
    node.append().content = .finished(leaf)
  }

  func float(_ value: Double, _ original: Any) throws -> Tree {
    try recorder.float(value, original, path.appending(.index(count)))
  }

  func encodeNil() { set(.leaf(.null)) }

  func encode<T: Encodable>(_ value: T) throws {
    let (node, path) = place()
    try recorder.record(value, into: node, at: path)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> {
    let (node, path) = place()
    return RecordingEncoder(recorder: recorder, node: node, path: path).container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    let (node, path) = place()
    return RecordingEncoder(recorder: recorder, node: node, path: path).unkeyedContainer()
  }

  func superEncoder() -> any Encoder {
    let (node, path) = place()
    return RecordingEncoder(recorder: recorder, node: node, path: path)
  }
}

struct SingleRecording: SingleValueEncodingContainer, LeafRecording {
  let recorder: TreeRecorder
  let node: RecordingNode
  let path: CodingPath

  var codingPath: [any CodingKey] { path.codingKeys }

  func set(_ leaf: Recorded) {
    if takesValue() { node.content = .finished(leaf) }
  }

  /// Whether no value stands there yet: a second one is refused when the whole value has returned.
  private func takesValue() -> Bool {
    guard recorder.refusesSecondValues else { return true }
    let words: String
    switch node.content {
    case .nothing: return true
    case .keyed, .unkeyed: words = RecordingRefusal.twoKinds
    case .finished:
      words = "one value encoded a second value through its single-value container"
    }
    node.refusals.note(RecordingRefusal.invalid("", path, words))
    return false
  }

  func float(_ value: Double, _ original: Any) throws -> Tree {
    try recorder.float(value, original, path)
  }

  func encodeNil() { set(.leaf(.null)) }

  func encode<T: Encodable>(_ value: T) throws {
    // Beside the place first: a model that catches what its value throws may encode another.
    let attempt = node.beside()
    try recorder.record(value, into: attempt, at: path)
    // A value that asked for no container is an empty map.
    if case .nothing = attempt.content { attempt.content = .keyed }
    if takesValue() { node.adopt(attempt) }
  }
}
