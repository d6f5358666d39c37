import CodingSupport
import Foundation
import Texts

struct NestedKeyedWriting<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let place: NestedPlace

  var codingPath: [any CodingKey] { place.path.codingKeys }

  private func child(_ key: String, isFresh: Bool = true) -> NestedPlace {
    NestedPlace(
      graph: place.graph,
      node: isFresh ? place.node.freshChild(key) : place.node.child(key),
      path: place.path.appending(.key(key))
    )
  }

  private func child(_ key: Key) -> NestedPlace { child(key.stringValue) }

  func encodeNil(forKey key: Key) { child(key).node.finish(.null) }
  func encode<T: Encodable>(_ value: T, forKey key: Key) throws { try child(key).write(value) }
  func encode(_ value: Bool, forKey key: Key) { child(key).node.finish(.boolean(value)) }
  func encode(_ value: String, forKey key: Key) { child(key).node.finish(.string(value)) }
  func encode(_ value: Double, forKey key: Key) throws { try child(key).write(double: value) }
  func encode(_ value: Float, forKey key: Key) throws {
    try child(key).write(double: Double(value))
  }
  func encode(_ value: Int, forKey key: Key) { child(key).write(integer: value) }
  func encode(_ value: Int8, forKey key: Key) { child(key).write(integer: value) }
  func encode(_ value: Int16, forKey key: Key) { child(key).write(integer: value) }
  func encode(_ value: Int32, forKey key: Key) { child(key).write(integer: value) }
  func encode(_ value: Int64, forKey key: Key) { child(key).write(integer: value) }
  func encode(_ value: UInt, forKey key: Key) { child(key).write(integer: value) }
  func encode(_ value: UInt8, forKey key: Key) { child(key).write(integer: value) }
  func encode(_ value: UInt16, forKey key: Key) { child(key).write(integer: value) }
  func encode(_ value: UInt32, forKey key: Key) { child(key).write(integer: value) }
  func encode(_ value: UInt64, forKey key: Key) { child(key).write(integer: value) }

  /// Asked for twice, a container goes on where it was.
  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type,
    forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    NestedEncoding(place: child(key.stringValue, isFresh: false)).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    NestedEncoding(place: child(key.stringValue, isFresh: false)).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { NestedEncoding(place: child("super")) }

  func superEncoder(forKey key: Key) -> any Encoder { NestedEncoding(place: child(key)) }
}

struct NestedUnkeyedWriting: UnkeyedEncodingContainer {
  let place: NestedPlace

  var codingPath: [any CodingKey] { place.path.codingKeys }
  var count: Int { place.node.elements.count }

  private func next() -> NestedPlace {
    let path = place.path.appending(.index(count))
    return NestedPlace(graph: place.graph, node: place.node.append(), path: path)
  }

  func encodeNil() { next().node.finish(.null) }
  func encode<T: Encodable>(_ value: T) throws { try next().write(value) }
  func encode(_ value: Bool) { next().node.finish(.boolean(value)) }
  func encode(_ value: String) { next().node.finish(.string(value)) }
  func encode(_ value: Double) throws { try next().write(double: value) }
  func encode(_ value: Float) throws { try next().write(double: Double(value)) }
  func encode(_ value: Int) { next().write(integer: value) }
  func encode(_ value: Int8) { next().write(integer: value) }
  func encode(_ value: Int16) { next().write(integer: value) }
  func encode(_ value: Int32) { next().write(integer: value) }
  func encode(_ value: Int64) { next().write(integer: value) }
  func encode(_ value: UInt) { next().write(integer: value) }
  func encode(_ value: UInt8) { next().write(integer: value) }
  func encode(_ value: UInt16) { next().write(integer: value) }
  func encode(_ value: UInt32) { next().write(integer: value) }
  func encode(_ value: UInt64) { next().write(integer: value) }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> {
    NestedEncoding(place: next()).container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    NestedEncoding(place: next()).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { NestedEncoding(place: next()) }
}

struct NestedSingleWriting: SingleValueEncodingContainer {
  let place: NestedPlace

  var codingPath: [any CodingKey] { place.path.codingKeys }

  /// The place, where nothing stands yet.
  private func free(_ value: Any) throws -> NestedPlace {
    guard place.node.isEmpty else {
      throw refusal(value, at: place.path, "a single-value container takes one value")
    }
    return place
  }

  func encodeNil() throws { try free(Any?.none as Any).node.finish(.null) }
  func encode<T: Encodable>(_ value: T) throws { try free(value).write(value) }
  func encode(_ value: Bool) throws { try free(value).node.finish(.boolean(value)) }
  func encode(_ value: String) throws { try free(value).node.finish(.string(value)) }
  func encode(_ value: Double) throws { try free(value).write(double: value) }
  func encode(_ value: Float) throws { try free(value).write(double: Double(value)) }
  func encode(_ value: Int) throws { try free(value).write(integer: value) }
  func encode(_ value: Int8) throws { try free(value).write(integer: value) }
  func encode(_ value: Int16) throws { try free(value).write(integer: value) }
  func encode(_ value: Int32) throws { try free(value).write(integer: value) }
  func encode(_ value: Int64) throws { try free(value).write(integer: value) }
  func encode(_ value: UInt) throws { try free(value).write(integer: value) }
  func encode(_ value: UInt8) throws { try free(value).write(integer: value) }
  func encode(_ value: UInt16) throws { try free(value).write(integer: value) }
  func encode(_ value: UInt32) throws { try free(value).write(integer: value) }
  func encode(_ value: UInt64) throws { try free(value).write(integer: value) }
}
