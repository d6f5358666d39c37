import CodingSupport
import MergeEngine

/// Stages the elements of an array or set; as for maps, no method changes the container.
///
/// Elements are appended in the order of the calls, and none can be replaced: two containers for
/// one list, as a superclass makes them, append in turns.
struct UnkeyedStaging: UnkeyedEncodingContainer {
  let session: StagingSession
  let list: Draft.Node
  let depth: Int32

  var codingPath: [any CodingKey] { session.tree.path(to: list).codingKeys }
  var count: Int { session.draft.count(list) }

  @inline(__always)
  private func append(_ content: Draft.Content) { session.draft.append(content, to: list) }

  func encodeNil() { append(.null) }

  func encode(_ value: Bool) { append(.bool(value)) }
  func encode(_ value: String) { session.draft.append(value, to: list) }
  func encode(_ value: Int8) { append(.int(Int64(value))) }
  func encode(_ value: Int16) { append(.int(Int64(value))) }
  func encode(_ value: Int32) { append(.int(Int64(value))) }
  func encode(_ value: Int64) { append(.int(Int64(value))) }
  func encode(_ value: Int) { append(.int(Int64(value))) }
  func encode(_ value: UInt8) { append(.uint(UInt64(value))) }
  func encode(_ value: UInt16) { append(.uint(UInt64(value))) }
  func encode(_ value: UInt32) { append(.uint(UInt64(value))) }
  func encode(_ value: UInt64) { append(.uint(UInt64(value))) }
  func encode(_ value: UInt) { append(.uint(UInt64(value))) }

  func encode(_ value: Double) throws {
    append(try session.number(value, at: .behind(list)))
  }

  func encode(_ value: Float) throws {
    append(try session.number(value, at: .behind(list)))
  }

  func encode<Value: Encodable>(_ value: Value) throws {
    if let content = try session.content(of: value, at: .behind(list)) { return append(content) }
    let node = session.draft.open(in: list)
    try session.stage(value, at: node, depth)
    session.draft.link(node)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> {
    KeyedEncodingContainer(
      KeyedStaging<Nested>(session: session, map: nest(.map), depth: depth + 1)
    )
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    UnkeyedStaging(session: session, list: nest(.list), depth: depth + 1)
  }

  private func nest(_ kind: Draft.Kind) -> Draft.Node {
    session.nest(kind, at: session.draft.open(in: list), depth)
  }

  func superEncoder() -> any Encoder {
    let node = session.draft.open(in: list)
    session.link(node, depth)
    return StagingEncoder(session: session, node: node, depth: depth + 1)
  }
}

/// Stages a value that stands for itself, without a container.
struct SingleStaging: SingleValueEncodingContainer {
  let encoder: StagingEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }

  func encodeNil() { encoder.set(.null) }

  func encode(_ value: Bool) { encoder.set(.bool(value)) }
  func encode(_ value: String) { encoder.set(encoder.session.draft.content(value)) }
  func encode(_ value: Int8) { encoder.set(.int(Int64(value))) }
  func encode(_ value: Int16) { encoder.set(.int(Int64(value))) }
  func encode(_ value: Int32) { encoder.set(.int(Int64(value))) }
  func encode(_ value: Int64) { encoder.set(.int(Int64(value))) }
  func encode(_ value: Int) { encoder.set(.int(Int64(value))) }
  func encode(_ value: UInt8) { encoder.set(.uint(UInt64(value))) }
  func encode(_ value: UInt16) { encoder.set(.uint(UInt64(value))) }
  func encode(_ value: UInt32) { encoder.set(.uint(UInt64(value))) }
  func encode(_ value: UInt64) { encoder.set(.uint(UInt64(value))) }
  func encode(_ value: UInt) { encoder.set(.uint(UInt64(value))) }

  func encode(_ value: Double) throws {
    encoder.set(try encoder.session.number(value, at: .node(encoder.node)))
  }

  func encode(_ value: Float) throws {
    encoder.set(try encoder.session.number(value, at: .node(encoder.node)))
  }

  func encode<Value: Encodable>(_ value: Value) throws {
    try encoder.pass(value)
  }
}
