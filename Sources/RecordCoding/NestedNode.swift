import CodingSupport
import Foundation
import RecordModel
import Texts

/// One place of a nested value while it is encoded.
final class NestedNode {
  private enum Content {
    case nothing
    case finished(JSONValue)
    case keyed
    case unkeyed
  }

  private var content = Content.nothing
  private var keys: [String] = []
  private var children: [PathKey: NestedNode] = [:]
  private(set) var elements: [NestedNode] = []

  func finish(_ value: JSONValue) { content = .finished(value) }

  /// Whether a container or value stands here already.
  var isEmpty: Bool { if case .nothing = content { true } else { false } }

  func makeKeyed() { if isEmpty { content = .keyed } }
  func makeUnkeyed() { if isEmpty { content = .unkeyed } }

  func child(_ key: String) -> NestedNode {
    if let child = children[.key(key)] { return child }
    let child = NestedNode()
    children[.key(key)] = child
    keys.append(key)
    return child
  }

  /// A fresh place under a key: what stood there is forgotten.
  func freshChild(_ key: String) -> NestedNode {
    let child = NestedNode()
    if children.updateValue(child, forKey: .key(key)) == nil { keys.append(key) }
    return child
  }

  func append() -> NestedNode {
    let element = NestedNode()
    elements.append(element)
    return element
  }

  /// The value; who asks for no container at all means one without keys.
  var value: JSONValue {
    switch content {
    case .finished(let value): value
    case .unkeyed: .array(elements.map(\.value))
    case .keyed, .nothing:
      .object(
        keys.compactMap { key in
          children[.key(key)].map { JSONValue.Member(key, $0.value) }
        }
      )
    }
  }
}

/// A place of a nested value, and the way to it.
struct NestedPlace: ScalarWriting {
  let graph: RecordGraph
  let node: NestedNode
  var path = CodingPath.root

  /// Containers on the way from the root at most: what the reader of JSON takes.
  static let limit = NestingLimit(depth: JSONValue.depthLimit)

  func write<T: Encodable>(_ value: T) throws {
    guard Self.limit.admits(path), graph.room.admits(path.depth) else {
      throw refusal(value, at: path, Self.limit.explanation(at: path.depth))
    }
    if T.self == Date.self, let date = value as? Date {
      let stored = try date.stored(graph, path)
      return try write(double: stored.timeIntervalSinceReferenceDate)
    }
    if T.self == Data.self, let data = value as? Data {
      return node.finish(.string(data.base64EncodedString()))
    }
    if T.self == URL.self, let url = value as? URL {
      return node.finish(.string(url.absoluteString))
    }
    try value.encode(to: NestedEncoding(place: self))
  }

  func write(boolean value: Bool) { node.finish(.boolean(value)) }
  func write(string value: String) { node.finish(.string(value)) }

  func write(float value: Float) throws { try write(double: Double(value)) }

  /// Whole numbers have no point, as Foundation writes them; the sign of a zero is kept.
  func write(double value: Double) throws {
    guard value.isFinite else { throw notFinite(value, path) }
    if let whole = Int64(exactly: value), abs(whole) < 1 << 53, whole != 0 || value.sign == .plus {
      node.finish(.int(whole))
    } else {
      node.finish(.double(value))
    }
  }

  func write(integer value: some FixedWidthInteger) {
    if let int = Int64(exactly: value) {
      node.finish(.int(int))
    } else {
      node.finish(JSONValue(UInt64(truncatingIfNeeded: value)))
    }
  }
}

/// Encodes a nested value as JSON.
struct NestedEncoding: Encoder {
  let place: NestedPlace

  var codingPath: [any CodingKey] { place.path.codingKeys }
  var userInfo: [CodingUserInfoKey: Any] { place.graph.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    place.node.makeKeyed()
    return KeyedEncodingContainer(NestedKeyedWriting<Key>(place: place))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    place.node.makeUnkeyed()
    return NestedUnkeyedWriting(place: place)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    NestedSingleWriting(place: place)
  }
}
