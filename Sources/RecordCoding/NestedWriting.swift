import CodingSupport
import Foundation
import Texts

// The three containers of a nested value. They hold no state of their own but the place, so that a
// copy of a container writes to the same node.

/// A map of a nested value; a key that is written twice holds what was written last.
struct NestedKeyedWriting<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let place: NestedPlace

  var codingPath: [any CodingKey] { place.path.codingKeys }

  /// `isFresh` for values, which replace what stood there; not for containers, which go on.
  private func child(_ key: String, isFresh: Bool = true) -> NestedPlace {
    NestedPlace(
      graph: place.graph,
      node: isFresh ? place.node.freshChild(key) : place.node.child(key),
      path: place.path.appending(.key(key))
    )
  }

  private func child(_ key: Key) -> NestedPlace { child(key.stringValue) }

  /// A null, and not a missing member: a decoder tells the two apart.
  func encodeNil(forKey key: Key) { child(key).node.finish(.null) }
  func encode<T: Encodable>(_ value: T, forKey key: Key) throws { try child(key).write(value) }
  @inline(__always) func encode<S: CodableScalar>(_ value: S, forKey key: Key) throws {
    try value.write(to: child(key))
  }

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

  /// A member of its own, as in Foundation's JSON.
  func superEncoder() -> any Encoder { NestedEncoding(place: child("super")) }

  func superEncoder(forKey key: Key) -> any Encoder { NestedEncoding(place: child(key)) }
}

/// A list of a nested value; each call appends.
struct NestedUnkeyedWriting: UnkeyedEncodingContainer {
  let place: NestedPlace

  var codingPath: [any CodingKey] { place.path.codingKeys }
  var count: Int { place.node.elements.count }

  // The path before the node: its index is the count without it.
  private func next() -> NestedPlace {
    let path = place.path.appending(.index(count))
    return NestedPlace(graph: place.graph, node: place.node.append(), path: path)
  }

  func encodeNil() { next().node.finish(.null) }
  func encode<T: Encodable>(_ value: T) throws { try next().write(value) }
  func encode<S: CodableScalar>(_ value: S) throws { try value.write(to: next()) }

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

/// One value in the place itself; a second one is refused (`record.one-place`).
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
  func encode<S: CodableScalar>(_ value: S) throws {
    try value.write(to: free(value))
  }
}
