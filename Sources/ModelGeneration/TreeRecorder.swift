package import CodingSupport
import Foundation

/// Encodes a value into what it asked for, without any format's rules.
///
/// `Date`, `Data`, `URL` and `UUID` are leaves, so are texts and counters; everything else is followed
/// through its own `encode(to:)`. A superclass that asks for `superEncoder()` writes into the map of
/// its subclass, as it does in a document.
///
/// What has no order, a set or a dictionary that is encoded as a list, is recorded in an order of its
/// elements' own, so that equal values give equal trees.
///
/// A second value for one place, or a container of a second kind, is refused: containers cannot refuse when they
/// are asked for, so that the first such refusal is thrown when the value has returned.
///
/// Source: Specification/Codable.md, "Nested containers".
package struct TreeRecorder {
  package var userInfo: [CodingUserInfoKey: Any] = [:]
  package var limit = NestingLimit.standard
  /// Asked first for every value; what it gives stands for the value.
  package var intercept: (any Encodable, CodingPath) throws -> Recorded? = { _, _ in nil }
  /// Whether infinite and undefined floats are recorded; refused as `EncodingError` if not.
  package var recordsNonFinite = true
  /// Whether one place takes one value; if not, the last one counts, and what goes into a container of a second
  /// kind is dropped.
  package var refusesSecondValues = true

  package init() {}

  /// The tree of a value.
  package static func tree(of value: any Encodable) throws -> Tree {
    try TreeRecorder().record(value).tree
  }

  package func record(_ value: any Encodable) throws -> Recorded {
    let node = RecordingNode(RecordingRefusals())
    try record(value, into: node, at: .root)
    if let refusal = node.refusals.first { throw refusal }
    return node.recorded
  }

  func record(_ value: any Encodable, into node: RecordingNode, at path: CodingPath) throws {
    guard limit.admits(path) else {
      throw RecordingRefusal.invalid(value, path, "it nests deeper than \(limit.depth) containers")
    }
    let kind = TypeKind.of(type(of: value))
    if let recorded = try intercept(value, path) ?? Self.leaf(value, kind) {
      node.content = .finished(recorded)
      return
    }
    // What an optional holds is recorded into the same node.
    let isDictionary = kind == .dictionary || kind == .optional && value is any AnyDictionary
    let isSet = kind == .set || kind == .optional && value is any AnySet
    node.owner = isDictionary ? .dictionary : kind.owner(of: value)
    try value.encode(to: RecordingEncoder(recorder: self, node: node, path: path))
    if node.isWrappedCase, Self.wrapsEnumeration(value) { node.markEnumeration() }
    if isSet {
      node.sortElements(by: 1)
      node.isSet = true
    }
    if isDictionary { node.sortElements(by: 2) }
  }

  /// What is recorded of a value that is followed no further.
  ///
  /// The type is looked at before the value is cast: a cast to a class bridges Foundation's values, which ends
  /// the process for URL components that make no URL.
  private static func leaf(_ value: any Encodable, _ kind: TypeKind) -> Recorded? {
    switch kind {
    case .string: (value as? String).map { .leaf(.string($0)) }
    case .int: (value as? Int).map { .leaf(.int(Int64($0))) }
    case .boolean: (value as? Bool).map { .leaf(.boolean($0)) }
    case .text: (value as? any ModelText).map { .reference($0, .text($0.value)) }
    case .counter:
      (value as? any ModelCounter).map { .reference($0, .counter(Int64($0.value))) }
    case .date, .data, .url, .uuid, .optional: foundationLeaf(value)
    case .list, .set, .dictionary, .reflecting, .other: nil
    }
  }

  /// Whether a value holds nothing but an enumeration, and so may have handed on its encoder to that.
  private static func wrapsEnumeration(_ value: any Encodable) -> Bool {
    let mirror = Mirror(reflecting: value)
    guard mirror.superclassMirror == nil, mirror.children.count == 1,
      let wrapped = mirror.children.first?.value
    else { return false }
    // One with raw values asks for no map.
    return TypeFacts.isEnumeration(type(of: wrapped)) && !(wrapped is any RawRepresentable)
  }

  private static func foundationLeaf(_ value: any Encodable) -> Recorded? {
    switch value {
    case let date as Date: .leaf(.date(date.timeIntervalSinceReferenceDate))
    case let data as Data: .leaf(.bytes(Array(data)))
    case let url as URL: .spelled(.string(url.absoluteString), .url)
    case let uuid as UUID: .spelled(.string(uuid.uuidString), .uuid)
    default: nil
    }
  }

  func float(_ value: Double, _ original: Any, _ path: CodingPath) throws -> Tree {
    guard recordsNonFinite || value.isFinite else {
      throw RecordingRefusal.invalid(original, path, "\(value) is not a number that is stored")
    }
    return .float(value)
  }
}

/// What was refused of a value in calls that cannot throw: the first counts.
final class RecordingRefusals {
  private(set) var first: EncodingError?

  func note(_ refusal: EncodingError) { first = first ?? refusal }
}

/// One place of the tree while it is recorded.
final class RecordingNode {
  enum Content {
    case nothing
    case finished(Recorded)
    case keyed
    case unkeyed
  }

  var content = Content.nothing
  var owner = RecordedMap.Owner.type
  private var known = KeyList()
  /// In the order of the keys.
  private var children: [RecordingNode] = []
  private var absent: [String] = []
  private(set) var elements: [RecordingNode] = []
  var isSet = false
  /// See ``RecordedMap/isNested``.
  var isNested = false
  /// Whether a value was passed on to a single-value container.
  private(set) var isPassedOn = false
  private var isHandedOn = false
  private var hasOpenKeys = false
  private var keys: (type: Any.Type?, isKnown: Bool) = (nil, false)
  /// Of the whole value.
  let refusals: RecordingRefusals

  init(_ refusals: RecordingRefusals) {
    self.refusals = refusals
  }

  /// An empty place outside the tree.
  func beside() -> RecordingNode { RecordingNode(refusals) }

  /// Takes what was recorded beside it.
  func adopt(_ other: RecordingNode) {
    if case .finished = other.content {
      isHandedOn = false
    } else {
      isHandedOn = other.isHandedOn || owner == .enumeration
    }
    isPassedOn = true
    (hasOpenKeys, keys) = (other.hasOpenKeys, other.keys)
    (content, owner, isSet) = (other.content, other.owner, other.isSet)
    (known, children, absent, elements) = (
      other.known, other.children, other.absent, other.elements
    )
  }

  func child(_ key: String) -> RecordingNode {
    if let number = known.number(of: key) { return children[number] }
    return newChild(key)
  }

  /// An empty place under a key: what stood there is forgotten, and the key stays where it came first.
  func freshChild(_ key: String) -> RecordingNode {
    guard let number = known.number(of: key) else { return newChild(key) }
    children[number] = beside()
    return children[number]
  }

  private func newChild(_ key: String) -> RecordingNode {
    let child = beside()
    known.append(key)
    children.append(child)
    return child
  }

  /// The place of a map under a key: where anything else stood there, a new one.
  func childMap(_ key: String) -> RecordingNode {
    if case .keyed = child(key).content { return child(key) }
    return freshChild(key)
  }

  /// The place of a list under a key: where anything else stood there, a new one.
  func childList(_ key: String) -> RecordingNode {
    if case .unkeyed = child(key).content { return child(key) }
    return freshChild(key)
  }

  func noteAbsent(_ key: String) { absent.append(key) }

  /// Notes by which keys the place was asked for.
  ///
  /// An enumeration of more than two bytes holds something, as a string that names any key.
  func note<Key: CodingKey>(keys type: Key.Type) {
    if !TypeFacts.isEnumeration(type) || MemoryLayout<Key>.size > 2 { hasOpenKeys = true }
    let isOther = keys.isKnown && keys.type != type
    keys = (isOther ? nil : type, true)
  }

  /// Whether it is a map of nothing but a nested map, as an enumeration asks for that Swift has written the encoding of.
  var isWrappedCase: Bool {
    guard case .keyed = content, owner == .type, !isPassedOn, !hasOpenKeys, absent.isEmpty,
      children.count == 1, case .keyed = children[0].content
    else { return false }
    return children[0].isNested
  }

  /// Makes it an enumeration's, and what it nests.
  func markEnumeration() {
    owner = .enumeration
    for child in children where child.isNested { child.markEnumeration() }
  }

  func append() -> RecordingNode {
    let element = beside()
    elements.append(element)
    return element
  }

  /// Sorts the elements of a list in groups; the first element of a group decides.
  func sortElements(by groupSize: Int) {
    guard case .unkeyed = content, elements.count.isMultiple(of: groupSize) else { return }
    let groups = stride(from: 0, to: elements.count, by: groupSize).map { start in
      (
        name: elements[start].recorded.tree.description,
        elements: elements[start..<(start + groupSize)]
      )
    }
    elements = groups.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
      .flatMap(\.elements)
  }

  var recorded: Recorded {
    switch content {
    case .finished(let recorded): return recorded
    case .unkeyed:
      let elements = elements.map(\.recorded)
      return isSet ? .set(elements) : .list(elements)
    // A value that asks for no container at all is an empty map.
    case .keyed, .nothing:
      var map = RecordedMap(owner: owner)
      let keys = known.keys
      for number in keys.indices { map.entries.append((keys[number], children[number].recorded)) }
      map.absentKeys = absent
      (map.isNested, map.isHandedOn) = (isNested, isHandedOn)
      (map.hasOpenKeys, map.keys) = (hasOpenKeys, self.keys.type)
      return .map(map)
    }
  }
}

struct RecordingEncoder: Encoder {
  let recorder: TreeRecorder
  let node: RecordingNode
  let path: CodingPath

  var codingPath: [any CodingKey] { path.codingKeys }
  var userInfo: [CodingUserInfoKey: Any] { recorder.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    let node = container(.keyed)
    node.note(keys: type)
    return KeyedEncodingContainer(KeyedRecording(recorder: recorder, node: node, path: path))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    UnkeyedRecording(recorder: recorder, node: container(.unkeyed), path: path)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    SingleRecording(recorder: recorder, node: node, path: path)
  }

  /// The place, as a container of a kind: one outside the tree where the value has another kind already.
  private func container(_ kind: RecordingNode.Content) -> RecordingNode {
    switch (node.content, kind) {
    case (.nothing, _): node.content = kind
    case (.keyed, .keyed), (.unkeyed, .unkeyed): break
    default:
      guard recorder.refusesSecondValues else { break }
      node.refusals.note(RecordingRefusal.invalid("", path, RecordingRefusal.twoKinds))
      let hidden = node.beside()
      hidden.content = kind
      return hidden
    }
    return node
  }
}
