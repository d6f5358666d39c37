/// What a document is to show, before anything of it is compared or written: a tree in flat memory.
///
/// A caller that gathers values by running others' code, as a coder does, puts them here, one node
/// a value and none of them an object of its own; `MergeDocument.resume(_:)` compares the tree with
/// the document without a look back at its owner. No node is ever taken away: what is replaced or
/// was never linked stays where it is, and is not seen, so that a container may still write to it.
///
/// One thread at a time may call.
///
///     root     map      first -> "title": string 0    next -> "tags": list    next -> "due": absent
///                                                               |
///                                                             first -> 0: string 1    next -> 1: string 2
package final class Draft {
  /// A place in the tree; it names nothing in another draft.
  package typealias Node = Handle<DraftNode>

  /// What stands at a node.
  package enum Kind: UInt8, BitwiseCopyable, Sendable {
    /// A place that nothing has been put into; it reads as an empty map.
    case open
    /// A key that is named, with nothing to stand there; a stored null is nothing, too.
    case absent
    case null, bool, int, uint, double, timestamp, string, bytes
    case map, list
    /// What the draft's owner alone understands.
    case foreign
  }

  /// What is known of a node beside its content.
  ///
  /// The lowest bit is explained here; the others are the owner's.
  package struct Marks: OptionSet, BitwiseCopyable, Sendable {
    package let rawValue: UInt16

    @inlinable
    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The list's elements come in any order, so that only its owner can compare it.
    package static let unordered = Marks(rawValue: 1)
  }

  /// What the owner keeps for a value: one of the owner's own numbers, from 0; or none.
  package struct Note: BitwiseCopyable, Equatable, Sendable {
    /// `UInt32.max` for none.
    @usableFromInline let number: UInt32

    @inlinable init(number: UInt32) { self.number = number }

    /// The note with a number below 2^32 - 1.
    @inlinable
    package init(_ index: Int) { number = UInt32(index) }

    @inlinable package static var none: Note { Note(number: .max) }
    @inlinable package var index: Int { Int(number) }
  }

  /// A value that is no container.
  package struct Content: BitwiseCopyable, Sendable {
    package let kind: Kind
    package let note: Note
    /// The number as it is, or which of the draft's strings.
    package let bits: UInt64

    @inlinable
    package init(_ kind: Kind, _ bits: UInt64 = 0, note: Note = .none) {
      self.kind = kind
      self.note = note
      self.bits = bits
    }
  }

  // As in `MergeDocument`: no call hands control to its caller while it changes the tree.
  @exclusivity(unchecked)
  private var storage = DraftStore()

  var store: DraftStore {
    @inline(__always) _read { yield unsafe storage }
    @inline(__always) _modify { yield unsafe &storage }
  }

  package init() {}

  // MARK: - Building

  /// A new place that belongs to no container.
  package func open() -> Node { store.add(DraftNode(.open, parent: .none)) }

  /// A new place under a key, which the map gets by ``link(_:)``.
  package func open(in map: Node, _ key: String) -> Node {
    let key = store.key(key, in: map)
    return store.add(DraftNode(.open, parent: map, key: key))
  }

  /// A new place behind the last element, which the list gets by ``link(_:)``.
  package func open(in list: Node) -> Node {
    store.add(DraftNode(.open, parent: list, index: store.nodes[list].count))
  }

  /// A new place that looks as if it were where a node is, and is not seen there unless the node
  /// adopts what it gets.
  package func open(beside node: Node) -> Node {
    let record = store.nodes[node]
    var beside = DraftNode(.open, parent: record.parent, key: record.key)
    beside.marks = record.marks
    return store.add(beside)
  }

  /// Moves what stands at a place that was opened beside a node to the node itself, which is open.
  ///
  /// What is written to the place afterwards is not seen.
  package func adopt(_ place: Node, at node: Node) { store.adopt(place, at: node) }

  /// Puts a place into the container it was made for; of two for one key the later counts, and
  /// stands where the first did.
  package func link(_ node: Node) { store.link(node) }

  /// Puts a place under a key of another map.
  package func link(_ node: Node, to map: Node, _ key: String) {
    let key = store.key(key, in: map)
    store.nodes[node].parent = map
    store.nodes[node].key = key
    store.link(node)
  }

  /// Makes an open place a container.
  package func begin(_ kind: Kind, at node: Node) { store.begin(kind, at: node) }

  /// Puts a value into an open place.
  package func fill(_ node: Node, with content: Content) { store.fill(node, content) }

  /// Sets a key of a map.
  package func set(_ content: Content, in map: Node, _ key: String) {
    store.set(content, in: map, key)
  }

  /// Sets a key of a map to a string.
  package func set(_ text: String, in map: Node, _ key: String) {
    store.set(Content(.string, store.keep(text)), in: map, key)
  }

  /// Appends to a list.
  package func append(_ content: Content, to list: Node) { store.append(content, to: list) }

  /// Appends a string to a list.
  package func append(_ text: String, to list: Node) {
    store.append(Content(.string, store.keep(text)), to: list)
  }

  /// A string as a value.
  package func content(_ text: String, note: Note = .none) -> Content {
    Content(.string, store.keep(text), note: note)
  }

  /// Bytes as a value.
  package func content(_ bytes: [UInt8]) -> Content { Content(.bytes, store.keep(bytes)) }

  package func mark(_ node: Node, _ marks: Marks) { store.nodes[node].marks.formUnion(marks) }

  package func unmark(_ node: Node, _ marks: Marks) { store.nodes[node].marks.subtract(marks) }
}

/// Reading a draft.
extension Draft {
  package func kind(_ node: Node) -> Kind { store.nodes[node].kind }

  package func marks(_ node: Node) -> Marks { store.nodes[node].marks }

  /// Entries of a map, elements of a list.
  package func count(_ node: Node) -> Int { Int(store.nodes[node].count) }

  /// What the owner keeps for a value; `nil` for nothing.
  package func note(_ node: Node) -> Note? {
    let record = store.nodes[node]
    return record.isContainer || record.note == .none ? nil : record.note
  }

  /// A container's first entry or element; `nil` if it is empty.
  package func first(in node: Node) -> Node? {
    let record = store.nodes[node]
    return record.isContainer && !record.first.isNone ? record.first : nil
  }

  /// The next entry or element of the same container.
  package func next(_ node: Node) -> Node? {
    let next = store.nodes[node].next
    return next.isNone ? nil : next
  }

  /// The container around a node.
  package func parent(_ node: Node) -> Node? {
    let parent = store.nodes[node].parent
    return parent.isNone ? nil : parent
  }

  /// The key of a map's entry.
  package func key(_ node: Node) -> String { store.keys.name(store.nodes[node].key) }

  /// The index of a list's element.
  package func index(_ node: Node) -> Int { Int(store.nodes[node].index) }

  /// The entry of a key.
  package func entry(of key: String, in map: Node) -> Node? {
    store.find(store.key(key, in: map), in: map)
  }

  /// The value of a node for which the owner keeps nothing; `nil` for what is no scalar.
  package func plainScalar(_ node: Node) -> Scalar? {
    store.nodes[node].note == .none ? scalar(node) : nil
  }

  /// The value of a node; `nil` for what is no scalar.
  package func scalar(_ node: Node) -> Scalar? {
    let record = store.nodes[node]
    switch record.kind {
    case .null: return .null
    case .bool: return .bool(record.bits != 0)
    case .int: return .int(Int64(bitPattern: record.bits))
    case .uint: return .uint(record.bits)
    case .double: return .double(Double(bitPattern: record.bits))
    case .timestamp: return .timestamp(Int64(bitPattern: record.bits))
    case .string: return .string(store.strings[Int(record.bits)])
    case .bytes: return .bytes(store.blobs[Int(record.bits)])
    case .open, .absent, .map, .list, .foreign: return nil
    }
  }
}
