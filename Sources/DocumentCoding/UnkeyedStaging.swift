import CodingSupport
import MergeEngine

/// Stages the elements of an array or set; as for maps, no method changes the container.
///
/// Elements are appended in the order of the calls, and none can be replaced: two containers for
/// one list, as a superclass makes them, append in turns.
///
///     encode(1)                       [1]
///     encode(value) that throws       [1]         its place is not linked, and `count` is 1 still
///     encodeNil()                     [1, null]
///     nestedContainer()               [1, null, {}]
struct UnkeyedStaging: UnkeyedEncodingContainer, ScalarWriting {
  let session: StagingSession
  let list: Draft.Node
  let depth: Int32

  var codingPath: [any CodingKey] { session.tree.path(to: list).codingKeys }
  var count: Int { session.draft.count(list) }

  @inline(__always)
  private func append(_ content: Draft.Content) { session.draft.append(content, to: list) }

  func encodeNil() { append(.null) }

  func encode<S: CodableScalar>(_ value: S) throws { try value.write(to: self) }

  func write(boolean value: Bool) { append(.bool(value)) }

  func write(string value: String) { session.draft.append(value, to: list) }

  func write(double value: Double) throws {
    append(try session.number(value, at: .behind(list)))
  }

  func write(float value: Float) throws {
    append(try session.number(value, at: .behind(list)))
  }

  func write(integer value: some FixedWidthInteger) { append(Draft.Content(integer: value)) }

  func encode<Value: Encodable>(_ value: Value) throws {
    if let content = try session.content(of: value, at: .behind(list)) { return append(content) }
    let node = session.draft.open(in: list)
    try session.stage(value, at: node, depth)
    session.draft.link(node)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> {
    let map = nest(.map)
    session.mark(map, keys: type, isNew: true)
    return KeyedEncodingContainer(
      KeyedStaging<Nested>(session: session, map: map, depth: depth + 1)
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
///
/// One value for one place: a second is refused when the encode ends, since most of these calls
/// cannot throw.
struct SingleStaging: SingleValueEncodingContainer, ScalarWriting {
  let encoder: StagingEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }

  func encodeNil() { encoder.set(.null) }

  func encode<S: CodableScalar>(_ value: S) throws { try value.write(to: self) }

  func write(boolean value: Bool) { encoder.set(.bool(value)) }
  func write(string value: String) { encoder.set(encoder.session.draft.content(value)) }

  func write(double value: Double) throws {
    encoder.set(try encoder.session.number(value, at: .node(encoder.node)))
  }

  func write(float value: Float) throws {
    encoder.set(try encoder.session.number(value, at: .node(encoder.node)))
  }

  func write(integer value: some FixedWidthInteger) { encoder.set(Draft.Content(integer: value)) }

  func encode<Value: Encodable>(_ value: Value) throws {
    try encoder.pass(value)
  }
}

extension Draft.Content {
  /// A number without fraction, signed as its type is.
  init<Number: FixedWidthInteger>(integer value: Number) {
    self = Number.isSigned ? .int(Int64(value)) : .uint(UInt64(value))
  }
}
