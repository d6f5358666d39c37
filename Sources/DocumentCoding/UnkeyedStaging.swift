import CodingSupport
import MergeEngine

/// Stages the elements of an array or set.
struct UnkeyedStaging: UnkeyedEncodingContainer {
  let session: StagingSession
  let list: Draft.Node
  let depth: Int32

  private var draft: Draft { session.tree.draft }

  var codingPath: [any CodingKey] { session.tree.path(to: list).codingKeys }
  var count: Int { draft.count(list) }

  @inline(__always)
  private func append(_ content: Draft.Content) { draft.append(content, to: list) }

  private var nextPath: CodingPath { session.tree.pathBehind(list) }

  mutating func encodeNil() { append(.null) }

  mutating func encode(_ value: Bool) { append(.bool(value)) }
  mutating func encode(_ value: String) { draft.append(value, to: list) }
  mutating func encode(_ value: Int8) { append(.int(Int64(value))) }
  mutating func encode(_ value: Int16) { append(.int(Int64(value))) }
  mutating func encode(_ value: Int32) { append(.int(Int64(value))) }
  mutating func encode(_ value: Int64) { append(.int(Int64(value))) }
  mutating func encode(_ value: Int) { append(.int(Int64(value))) }
  mutating func encode(_ value: UInt8) { append(.uint(UInt64(value))) }
  mutating func encode(_ value: UInt16) { append(.uint(UInt64(value))) }
  mutating func encode(_ value: UInt32) { append(.uint(UInt64(value))) }
  mutating func encode(_ value: UInt64) { append(.uint(UInt64(value))) }
  mutating func encode(_ value: UInt) { append(.uint(UInt64(value))) }

  mutating func encode(_ value: Double) throws {
    append(try session.number(value) { nextPath })
  }

  mutating func encode(_ value: Float) throws {
    append(try session.number(value) { nextPath })
  }

  mutating func encode<Value: Encodable>(_ value: Value) throws {
    if let content = try session.content(of: value, { nextPath }) { return append(content) }
    let node = draft.open(in: list)
    try session.stage(value, at: node, depth)
    draft.link(node)
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> {
    KeyedEncodingContainer(
      KeyedStaging<Nested>(session: session, map: nest(.map), depth: depth + 1)
    )
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    UnkeyedStaging(session: session, list: nest(.list), depth: depth + 1)
  }

  private func nest(_ kind: Draft.Kind) -> Draft.Node {
    let node = draft.open(in: list)
    draft.begin(kind, at: node)
    draft.mark(node, .nested)
    draft.link(node)
    return node
  }

  mutating func superEncoder() -> any Encoder {
    let node = draft.open(in: list)
    draft.link(node)
    return StagingEncoder(session: session, node: node, depth: depth + 1)
  }
}

/// Stages a value that stands for itself, without a container.
struct SingleStaging: SingleValueEncodingContainer {
  let encoder: StagingEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }

  mutating func encodeNil() { encoder.set(.null) }

  mutating func encode(_ value: Bool) { encoder.set(.bool(value)) }
  mutating func encode(_ value: String) { encoder.set(encoder.session.tree.draft.content(value)) }
  mutating func encode(_ value: Int8) { encoder.set(.int(Int64(value))) }
  mutating func encode(_ value: Int16) { encoder.set(.int(Int64(value))) }
  mutating func encode(_ value: Int32) { encoder.set(.int(Int64(value))) }
  mutating func encode(_ value: Int64) { encoder.set(.int(Int64(value))) }
  mutating func encode(_ value: Int) { encoder.set(.int(Int64(value))) }
  mutating func encode(_ value: UInt8) { encoder.set(.uint(UInt64(value))) }
  mutating func encode(_ value: UInt16) { encoder.set(.uint(UInt64(value))) }
  mutating func encode(_ value: UInt32) { encoder.set(.uint(UInt64(value))) }
  mutating func encode(_ value: UInt64) { encoder.set(.uint(UInt64(value))) }
  mutating func encode(_ value: UInt) { encoder.set(.uint(UInt64(value))) }

  mutating func encode(_ value: Double) throws {
    encoder.set(try encoder.session.number(value) { encoder.path })
  }

  mutating func encode(_ value: Float) throws {
    encoder.set(try encoder.session.number(value) { encoder.path })
  }

  mutating func encode<Value: Encodable>(_ value: Value) throws {
    try encoder.pass(value)
  }
}
