import Foundation
import MergeEngine

/// One value of a staged tree.
///
/// What a model wrote, before anything is decided about the document: the kinds that are stored
/// alike and compared in different ways (`date`, `url`, `uuid`, `float`) are still apart here.
///
/// Made when it is asked for, out of a node of the draft, and small: maps and lists are two words
/// that name the node, so that passing one on copies no content.
enum StagedValue {
  /// A key that the type named, with nothing to write: `encodeIfPresent` of `nil`.
  case absent
  /// Nil from `encodeNil(forKey:)`, which cautious writing never checks.
  case keyedNil
  case scalar(Scalar)
  /// Apart from doubles, since it reads more stored numbers as itself.
  case float(Float)
  case date(Date, milliseconds: Int64)
  case url(String)
  case uuid(UUID)
  case text(AutomergeText)
  case counter(Counter)
  case map(StagedMap)
  case list(StagedList)
  /// An element of the document that stays as it is.
  case kept
}

/// A keyed container of a staged tree.
///
/// Nodes and not copies: what is written to the draft later shows here.
///
/// Two containers that a model asked for under one key are one node, so that both see what either
/// writes.
struct StagedMap {
  let tree: StagedTree
  let node: Draft.Node

  init(_ tree: StagedTree, _ node: Draft.Node) {
    self.tree = tree
    self.node = node
  }

  /// What asked for the container.
  enum Owner {
    /// A struct or class.
    case type
    case dictionary
    /// An enum, or what its case nests.
    case enumeration
    /// A value whose parts belong together.
    case whole
  }

  var owner: Owner {
    let marks = marks
    if marks.contains(.dictionary) { return .dictionary }
    if marks.contains(.whole) { return .whole }
    return marks.contains(.enumeration) ? .enumeration : .type
  }

  var marks: Draft.Marks { tree.draft.marks(node) }

  /// Whether its parts mean something together alone, whatever asked for it.
  var isWhole: Bool { marks.contains(.whole) }

  /// Whether its keys come in no order of their own.
  var isDictionary: Bool { marks.contains(.dictionary) }

  var count: Int { tree.draft.count(node) }

  /// The entries in the order in which the keys were first written.
  var entries: StagedNodes { StagedNodes(in: node, of: tree.draft) }

  /// The entries in an order that is the same in every run: a dictionary has none of its own, and
  /// gives the bytes of its keys'.
  var steadyEntries: StagedNodes {
    let draft = tree.draft
    guard isDictionary else { return entries }
    return StagedNodes(
      sorted: entries.sorted {
        draft.key($0).utf8.lexicographicallyPrecedes(draft.key($1).utf8)
      },
      of: draft
    )
  }

  func value(of key: String) -> StagedValue? {
    tree.draft.entry(of: key, in: node).map { tree.value($0) }
  }

  /// Marks the map, and what belongs to it, as an enum's.
  ///
  /// The payload belongs to the enumeration and has no unknown keys of its own: an old case's key
  /// must go when another case is written.
  func markEnumeration() {
    let draft = tree.draft
    draft.mark(node, .enumeration)
    for entry in entries where draft.kind(entry) == .map && draft.marks(entry).contains(.nested) {
      StagedMap(tree, entry).markEnumeration()
    }
  }
}

/// An unkeyed container of a staged tree; a sequence of its elements.
struct StagedList: Sequence {
  let tree: StagedTree
  let node: Draft.Node

  init(_ tree: StagedTree, _ node: Draft.Node) {
    self.tree = tree
    self.node = node
  }

  /// Whether the order of elements means something.
  ///
  /// An odd number of elements is no list of pairs, whatever the type was: it is then compared in
  /// order.
  enum Order {
    case fixed
    /// A set's elements come in any order.
    case any
    /// A dictionary's keys and values alternate, pairs in any order.
    case anyPairs
  }

  var order: Order {
    let marks = tree.draft.marks(node)
    // A model that asks for the list again may append what has no pair.
    if marks.contains(.pairs) { return count.isMultiple(of: 2) ? .anyPairs : .fixed }
    return marks.contains(.unordered) ? .any : .fixed
  }

  /// Whether what its elements are is known by their places, as in a vector.
  var isRow: Bool { tree.draft.marks(node).contains(.row) }

  /// Whether its elements mean something together alone.
  var isWhole: Bool { tree.draft.marks(node).contains(.whole) }

  var count: Int { tree.draft.count(node) }

  /// The elements, by index.
  var elements: ContiguousArray<StagedValue> {
    var result: ContiguousArray<StagedValue> = []
    result.reserveCapacity(count)
    for element in self { result.append(element) }
    return result
  }

  func makeIterator() -> Iterator {
    Iterator(tree: tree, nodes: StagedNodes(in: node, of: tree.draft))
  }

  struct Iterator: IteratorProtocol {
    fileprivate let tree: StagedTree
    fileprivate var nodes: StagedNodes

    mutating func next() -> StagedValue? { nodes.next().map { tree.value($0) } }
  }
}

/// Nodes of a container.
struct StagedNodes: Sequence, IteratorProtocol {
  private let draft: Draft
  private var following: Draft.Node?
  private var sorted: ArraySlice<Draft.Node> = []

  init(in container: Draft.Node, of draft: Draft) {
    self.draft = draft
    following = draft.first(in: container)
  }

  init(sorted: [Draft.Node], of draft: Draft) {
    self.draft = draft
    self.sorted = sorted[...]
  }

  mutating func next() -> Draft.Node? {
    guard let node = following else { return sorted.popFirst() }
    following = draft.next(node)
    return node
  }
}

/// A key that equals another if the bytes do, as in a document: "\u{E9}" and "e\u{301}" are two,
/// which `String` takes for one.
struct ExactKey: Hashable {
  let key: String

  init(_ key: String) {
    self.key = key
  }

  static func == (left: Self, right: Self) -> Bool {
    left.key == right.key && left.key.utf8.elementsEqual(right.key.utf8)
  }

  // Strings that are equal by bytes are equal, so their own hash serves.
  func hash(into hasher: inout Hasher) {
    hasher.combine(key)
  }
}
