import CodingSupport
import Foundation
import Texts

// The three containers of a nested value. They hold no state of their own but the place, so that a
// copy of a container writes to the same node. A value is written to a place of its own, which joins the
// container's when it is complete: a model may pass over what is refused (`try?`), or write another value then.

/// A map of a nested value; a key that is written twice holds what was written last.
struct NestedKeyedWriting<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let place: NestedPlace

  var codingPath: [any CodingKey] { place.path.codingKeys }

  /// Writes a value that stands under its key once it is written: one that is refused leaves what was there.
  @inline(__always)
  private func put(_ key: Key, _ write: (NestedPlace) throws -> Void) rethrows {
    let child = place.below(.key(key.stringValue))
    try write(child)
    place.node.put(child.node, key.stringValue)
  }

  /// The place under a key, the one that is there if there is one.
  private func open(_ key: Key) -> NestedEncoding {
    let name = key.stringValue
    return NestedEncoding(
      place: NestedPlace(
        graph: place.graph,
        node: place.node.child(name),
        path: place.path.appending(.key(name))
      )
    )
  }

  /// A fresh place under a key.
  private func fresh(_ key: String) -> NestedEncoding {
    let child = place.below(.key(key))
    place.node.put(child.node, key)
    return NestedEncoding(place: child)
  }

  /// A null, and not a missing member: a decoder tells the two apart.
  func encodeNil(forKey key: Key) { put(key) { $0.node.finish(.null) } }
  func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    try put(key) { try $0.write(value) }
  }
  @inline(__always) func encode<S: CodableScalar>(_ value: S, forKey key: Key) throws {
    try put(key) { try value.write(to: $0) }
  }

  /// Asked for twice, a container goes on where it was.
  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type,
    forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    open(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    open(key).unkeyedContainer()
  }

  /// A member of its own, as in Foundation's JSON.
  func superEncoder() -> any Encoder { fresh("super") }

  func superEncoder(forKey key: Key) -> any Encoder { fresh(key.stringValue) }
}

/// A list of a nested value; each call appends.
struct NestedUnkeyedWriting: UnkeyedEncodingContainer {
  let place: NestedPlace

  var codingPath: [any CodingKey] { place.path.codingKeys }
  var count: Int { place.node.elements.count }

  /// A place for the next element, which is none yet.
  private var next: NestedPlace { place.below(.index(count)) }

  /// Writes an element that is one once it is written: one that is refused leaves no gap.
  @inline(__always)
  private func put(_ write: (NestedPlace) throws -> Void) rethrows {
    let element = next
    try write(element)
    place.node.append(element.node)
  }

  /// The next element, which is there at once: containers are written by and by.
  private func open() -> NestedEncoding {
    let element = next
    place.node.append(element.node)
    return NestedEncoding(place: element)
  }

  func encodeNil() { put { $0.node.finish(.null) } }
  func encode<T: Encodable>(_ value: T) throws { try put { try $0.write(value) } }
  func encode<S: CodableScalar>(_ value: S) throws { try put { try value.write(to: $0) } }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> {
    open().container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    open().unkeyedContainer()
  }

  func superEncoder() -> any Encoder { open() }
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
  // In a place of its own first: what is refused leaves this one free for another value.
  func encode<T: Encodable>(_ value: T) throws {
    let place = try free(value)
    let attempt = NestedPlace(graph: place.graph, node: NestedNode(), path: place.path)
    try attempt.write(value)
    place.node.become(attempt.node)
  }
  func encode<S: CodableScalar>(_ value: S) throws {
    try value.write(to: free(value))
  }
}
