import CodingSupport

struct UnkeyedRecording: UnkeyedEncodingContainer {
  let recorder: TreeRecorder
  let node: RecordingNode
  let path: CodingPath

  var codingPath: [any CodingKey] { path.codingKeys }
  var count: Int { node.elements.count }

  private func place() -> (node: RecordingNode, path: CodingPath) {
    let path = path.appending(.index(count))
    return (node.append(), path)
  }

  private func append(_ tree: Tree) {
    node.append().content = .finished(.leaf(tree))
  }

  func encodeNil() { append(.null) }

  func encode<T: Encodable>(_ value: T) throws {
    let (node, path) = place()
    try recorder.record(value, into: node, at: path)
  }

  func encode(_ value: Double) throws {
    append(try recorder.float(value, value, path.appending(.index(count))))
  }

  func encode(_ value: Float) throws {
    append(try recorder.float(Double(value), value, path.appending(.index(count))))
  }

  func encode(_ value: Bool) { append(.boolean(value)) }
  func encode(_ value: String) { append(.string(value)) }
  func encode(_ value: Int) { append(.int(Int64(value))) }
  func encode(_ value: Int8) { append(.int(Int64(value))) }
  func encode(_ value: Int16) { append(.int(Int64(value))) }
  func encode(_ value: Int32) { append(.int(Int64(value))) }
  func encode(_ value: Int64) { append(.int(value)) }
  func encode(_ value: UInt) { append(.uint(UInt64(value))) }
  func encode(_ value: UInt8) { append(.uint(UInt64(value))) }
  func encode(_ value: UInt16) { append(.uint(UInt64(value))) }
  func encode(_ value: UInt32) { append(.uint(UInt64(value))) }
  func encode(_ value: UInt64) { append(.uint(value)) }

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

struct SingleRecording: SingleValueEncodingContainer {
  let recorder: TreeRecorder
  let node: RecordingNode
  let path: CodingPath

  var codingPath: [any CodingKey] { path.codingKeys }

  private func set(_ tree: Tree) { node.content = .finished(.leaf(tree)) }

  func encodeNil() { set(.null) }

  func encode<T: Encodable>(_ value: T) throws {
    try recorder.record(value, into: node, at: path)
  }

  func encode(_ value: Double) throws { set(try recorder.float(value, value, path)) }
  func encode(_ value: Float) throws { set(try recorder.float(Double(value), value, path)) }
  func encode(_ value: Bool) { set(.boolean(value)) }
  func encode(_ value: String) { set(.string(value)) }
  func encode(_ value: Int) { set(.int(Int64(value))) }
  func encode(_ value: Int8) { set(.int(Int64(value))) }
  func encode(_ value: Int16) { set(.int(Int64(value))) }
  func encode(_ value: Int32) { set(.int(Int64(value))) }
  func encode(_ value: Int64) { set(.int(value)) }
  func encode(_ value: UInt) { set(.uint(UInt64(value))) }
  func encode(_ value: UInt8) { set(.uint(UInt64(value))) }
  func encode(_ value: UInt16) { set(.uint(UInt64(value))) }
  func encode(_ value: UInt32) { set(.uint(UInt64(value))) }
  func encode(_ value: UInt64) { set(.uint(value)) }
}
