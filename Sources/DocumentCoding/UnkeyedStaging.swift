import CodingSupport
import MergeEngine

/// Stages the elements of an array or set.
struct UnkeyedStaging: UnkeyedEncodingContainer {
  let session: StagingSession
  let list: StagedList
  let path: CodingPath
  let depth: Int

  var codingPath: [any CodingKey] { path.codingKeys }
  var count: Int { list.elements.count }

  private func append(_ value: Scalar) { list.append(.scalar(value)) }

  private var nextPath: CodingPath { path.appending(.index(count)) }

  mutating func encodeNil() { append(.null) }

  mutating func encode(_ value: Bool) { append(.bool(value)) }
  mutating func encode(_ value: String) { append(.string(value)) }
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
    list.append(try session.stage(value) { nextPath })
  }

  mutating func encode(_ value: Float) throws {
    list.append(try session.stage(value) { nextPath })
  }

  mutating func encode<Value: Encodable>(_ value: Value) throws {
    let staged = try session.stage(value, depth: depth, nextPath)
    list.append(staged)
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> {
    let child = StagedMap(isNested: true)
    let container = KeyedStaging<Nested>(
      session: session,
      map: child,
      path: nextPath,
      depth: depth + 1
    )
    list.append(.map(child))
    return KeyedEncodingContainer(container)
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    let child = StagedList()
    let container = UnkeyedStaging(
      session: session,
      list: child,
      path: nextPath,
      depth: depth + 1
    )
    list.append(.list(child))
    return container
  }

  mutating func superEncoder() -> any Encoder {
    let encoder = StagingEncoder(session: session, path: nextPath, depth: depth + 1)
    session.hasLater = true
    list.append(.later(encoder))
    return encoder
  }
}

/// Stages a value that stands for itself, without a container.
struct SingleStaging: SingleValueEncodingContainer {
  let encoder: StagingEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }

  mutating func encodeNil() { encoder.set(.scalar(.null)) }

  mutating func encode(_ value: Bool) { encoder.set(.scalar(.bool(value))) }
  mutating func encode(_ value: String) { encoder.set(.scalar(.string(value))) }
  mutating func encode(_ value: Int8) { encoder.set(.scalar(.int(Int64(value)))) }
  mutating func encode(_ value: Int16) { encoder.set(.scalar(.int(Int64(value)))) }
  mutating func encode(_ value: Int32) { encoder.set(.scalar(.int(Int64(value)))) }
  mutating func encode(_ value: Int64) { encoder.set(.scalar(.int(Int64(value)))) }
  mutating func encode(_ value: Int) { encoder.set(.scalar(.int(Int64(value)))) }
  mutating func encode(_ value: UInt8) { encoder.set(.scalar(.uint(UInt64(value)))) }
  mutating func encode(_ value: UInt16) { encoder.set(.scalar(.uint(UInt64(value)))) }
  mutating func encode(_ value: UInt32) { encoder.set(.scalar(.uint(UInt64(value)))) }
  mutating func encode(_ value: UInt64) { encoder.set(.scalar(.uint(UInt64(value)))) }
  mutating func encode(_ value: UInt) { encoder.set(.scalar(.uint(UInt64(value)))) }

  mutating func encode(_ value: Double) throws {
    encoder.set(try encoder.session.stage(value) { encoder.path })
  }

  mutating func encode(_ value: Float) throws {
    encoder.set(try encoder.session.stage(value) { encoder.path })
  }

  mutating func encode<Value: Encodable>(_ value: Value) throws {
    encoder.set(try encoder.session.stage(value, depth: encoder.depth, encoder.path))
  }
}
