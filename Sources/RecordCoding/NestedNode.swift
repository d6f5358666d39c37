import CodingSupport
import Foundation
import RecordModel
import Texts

// A nested value while it is encoded: a tree of nodes that containers write into, which becomes
// JSON when the value is complete. A tree and no text, since containers may be asked for in any
// order and written in turns:
//
//     var a = c.nestedUnkeyedContainer(forKey: .a), b = c.nestedUnkeyedContainer(forKey: .b)
//     a.encode(1); b.encode(2); a.encode(3)              {"a":[1,3],"b":[2]}

/// One place of a nested value while it is encoded.
final class NestedNode {
  /// What was asked for here first; `finish` alone replaces it.
  private enum Content {
    case nothing
    case finished(JSONValue)
    case keyed
    case unkeyed
  }

  /// Which order the elements of a list have in the JSON.
  enum ElementOrder {
    /// That in which they were written.
    case written
    /// That of their JSON: a set has no order, and would mark its field in each process.
    case sorted
    /// Key, value, key, value ..., by the JSON of the keys.
    case sortedPairs
  }

  private var content = Content.nothing
  /// In the order in which they were first written; the JSON sorts them.
  private var keys: [String] = []
  /// By `PathKey`, whose equality is that of bytes: two spellings of a letter are two keys.
  private var children: [PathKey: NestedNode] = [:]
  private(set) var elements: [NestedNode] = []
  var elementOrder = ElementOrder.written

  /// Puts a value here, whatever stood here before; callers that may not replace one ask `isEmpty`.
  func finish(_ value: JSONValue) { content = .finished(value) }

  /// Whether a container or value stands here already.
  var isEmpty: Bool { if case .nothing = content { true } else { false } }

  /// Makes a container with keys of this place; false where a value or a list stands.
  func makeKeyed() -> Bool {
    if isEmpty { content = .keyed }
    return if case .keyed = content { true } else { false }
  }

  /// Makes a list of this place; false where a value or a container with keys stands.
  func makeUnkeyed() -> Bool {
    if isEmpty { content = .unkeyed }
    return if case .unkeyed = content { true } else { false }
  }

  /// The place under a key, the one that is there if there is one: a container that is asked for
  /// twice goes on.
  func child(_ key: String) -> NestedNode {
    if let child = children[.key(key)] { return child }
    let child = NestedNode()
    children[.key(key)] = child
    keys.append(key)
    return child
  }

  /// Puts a place under a key: what stood there is forgotten.
  func put(_ child: NestedNode, _ key: String) {
    if children.updateValue(child, forKey: .key(key)) == nil { keys.append(key) }
  }

  /// Puts a place behind the last element.
  func append(_ element: NestedNode) { elements.append(element) }

  /// Makes this place what another one is.
  func become(_ other: NestedNode) {
    content = other.content
    keys = other.keys
    children = other.children
    elements = other.elements
    elementOrder = other.elementOrder
  }

  /// The value; who asks for no container at all means one without keys.
  var value: JSONValue {
    switch content {
    case .finished(let value): value
    case .unkeyed: .array(orderedElements)
    case .keyed, .nothing:
      .object(
        keys.compactMap { key in
          children[.key(key)].map { JSONValue.Member(key, $0.value) }
        }
      )
    }
  }
}

extension NestedNode {
  private var orderedElements: [JSONValue] {
    let values = elements.map(\.value)
    // A dictionary has a value for each key; a list that does not is none of its making.
    let size = elementOrder == .sortedPairs ? 2 : 1
    guard elementOrder != .written, values.count % size == 0 else { return values }
    let groups = stride(from: 0, to: values.count, by: size).map { start in
      (bytes: values[start].sortedBytes, values: values[start..<start + size])
    }
    return groups.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }.flatMap(\.values)
  }
}

extension JSONValue {
  /// The value as a text without white space, the members of all objects in order.
  var sortedBytes: [UInt8] {
    var writer = JSONWriter(.compact)
    writer.value(sorted)
    return writer.bytes
  }
}

/// A type that writes its elements in the order of their hashes, another one in each process.
private protocol HashedElements {
  static var elementOrder: NestedNode.ElementOrder { get }
}

extension Set: HashedElements {
  fileprivate static var elementOrder: NestedNode.ElementOrder { .sorted }
}

// With keys that are texts or integers it is a map, and has no elements here.
extension Dictionary: HashedElements {
  fileprivate static var elementOrder: NestedNode.ElementOrder {
    NestedNode.ElementOrder.sortedPairs
  }
}

/// The orders of the types that one call met: a conformance is looked up once for each.
struct ElementOrders {
  private var known: [ObjectIdentifier: NestedNode.ElementOrder] = [:]

  mutating func order(of type: Any.Type) -> NestedNode.ElementOrder {
    let id = ObjectIdentifier(type)
    if let order = known[id] { return order }
    let order = (type as? any HashedElements.Type)?.elementOrder ?? .written
    known[id] = order
    return order
  }
}

/// A place of a nested value, and the way to it.
///
/// Rules of JSON here: dates are seconds since 2001, data base64, URLs their text, decimals
/// numbers, as Foundation writes them; all else is followed through its own `encode(to:)`.
struct NestedPlace: ScalarWriting {
  let graph: RecordGraph
  let node: NestedNode
  var path = CodingPath.root

  /// A place one step further in, which its holder does not know yet.
  func below(_ key: PathKey) -> NestedPlace {
    NestedPlace(graph: graph, node: NestedNode(), path: path.appending(key))
  }

  /// Containers on the way from the root at most: what the reader of JSON takes.
  ///
  /// 500 (`JSONValue.depthLimit`): to write deeper would be to write what no reader takes.
  static let limit = NestingLimit(depth: JSONValue.depthLimit)

  /// Writes a value of any type.
  ///
  /// - Throws: `EncodingError` for a value that nests too deep, for the limit or the thread's
  ///   stack.
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
    if T.self == Decimal.self, let decimal = value as? Decimal, let number = JSONValue(decimal) {
      return node.finish(number)
    }
    try graph.passing { try value.encode(to: NestedEncoding(place: self)) }
    // An optional passes its place on: what it holds has said its order.
    guard node.elements.count > 1, node.elementOrder == .written else { return }
    node.elementOrder = graph.elementOrders.order(of: T.self)
  }

  func write(boolean value: Bool) { node.finish(.boolean(value)) }
  func write(string value: String) { node.finish(.string(value)) }

  func write(float value: Float) throws { try write(double: Double(value)) }

  /// Whole numbers have no point, as Foundation writes them; the sign of a zero is kept.
  ///
  /// Below 2^53 alone, where each whole number is one double: 1e300 stays a number with an
  /// exponent.
  ///
  /// - Throws: `EncodingError` for NaN and infinities, for which JSON has no number, whatever is
  ///   checked.
  func write(double value: Double) throws {
    guard value.isFinite else { throw notFinite(value, path) }
    if let whole = Int64(exactly: value), whole.magnitude < 1 << 53,
      whole != 0 || value.sign == .plus
    {
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
    if !place.node.makeKeyed() { place.graph.noteClash(at: place) }
    return KeyedEncodingContainer(NestedKeyedWriting<Key>(place: place))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    if !place.node.makeUnkeyed() { place.graph.noteClash(at: place) }
    return NestedUnkeyedWriting(place: place)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    NestedSingleWriting(place: place)
  }
}
