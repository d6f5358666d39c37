/// A node of a draft.
///
///     field      kind  marks  key  next  parent  first  last  count  bound
///     map        map   -      3    17    0       21     24    4      9
///     element    map   -      0    18    5       30     31    2      4          key is the index 0
///     string     str   -      5    18    0       number of the string, as 64 bits   note   -
///
/// Fields serve two kinds of nodes where both never have them at once: a comparison reads all nodes
/// of a model, 32 bytes each.
package struct DraftNode: BitwiseCopyable {
  var kind: Draft.Kind
  var marks: Draft.Marks = []
  /// The key under which a map has the node; of an element of a list see ``index``.
  var key: DraftKeyHandle
  /// The next node of the same container; none for the last, and for a node that is not linked.
  var next = Draft.Node.none
  /// The container around it; none for the root, and for what belongs nowhere.
  var parent: Draft.Node
  /// A container's first and last node, none if it is empty; of a value see ``bits``.
  var first = Draft.Node.none
  var last = Draft.Node.none
  /// How many nodes a container has; of a value see ``note``.
  var count: UInt32 = 0
  /// Of a map, a key behind all of its own; of a list see ``shape``.
  ///
  /// A key from here on is new to the map.
  var bound = DraftKeyHandle(place: 0)

  init(_ kind: Draft.Kind, parent: Draft.Node, key: DraftKeyHandle = .none) {
    self.kind = kind
    self.parent = parent
    self.key = key
  }

  /// An element of a list.
  init(_ kind: Draft.Kind, parent: Draft.Node, index: UInt32) {
    self.init(kind, parent: parent, key: DraftKeyHandle(place: index))
  }

  @inline(__always)
  init(_ content: Draft.Content, parent: Draft.Node, key: DraftKeyHandle) {
    self.init(content.kind, parent: parent, key: key)
    put(content)
  }

  @inline(__always)
  mutating func put(_ content: Draft.Content) {
    kind = content.kind
    first = Draft.Node(place: UInt32(truncatingIfNeeded: content.bits))
    last = Draft.Node(place: UInt32(truncatingIfNeeded: content.bits >> 32))
    count = content.note.number
  }

  /// The index of a list's element, in place of a key.
  @inline(__always)
  var index: UInt32 {
    get { key.place }
    set { key = DraftKeyHandle(place: newValue) }
  }

  /// What tells a list's maps apart from others (``DraftStore/shape(_:)``), in place of a bound.
  @inline(__always) var shape: DraftKeyHandle { bound }
  /// A value's number, or the number of its string or bytes, in place of first and last node.
  @inline(__always) var bits: UInt64 { UInt64(first.place) | UInt64(last.place) << 32 }
  /// What the owner keeps for a value, in place of a count.
  @inline(__always) var note: Draft.Note { Draft.Note(number: count) }

  @inline(__always)
  var isContainer: Bool { kind == .map || kind == .list || kind == .open }
}

/// All that a draft holds.
///
/// What always holds: from a container's `first` along `next` one comes to `last`, over `count` nodes
/// with the container as `parent`; those of a list have the indexes 0, 1, 2, and those of a map keys
/// that differ and lie below its `bound`. A node that is not linked has a parent, too: the container
/// that it is meant for.
struct DraftStore: ~Copyable {
  var nodes = Arena<DraftNode>()
  var strings: ContiguousArray<String> = []
  var blobs: ContiguousArray<[UInt8]> = []
  var keys = DraftKeys()
  /// How many entries of maps there are with something to stand there, and how many containers, lists among
  /// them; some may have been replaced since.
  private(set) var entryCount = 0
  private(set) var containerCount = 0
  private(set) var listCount = 0
  /// Entries by key of the large maps in which a key was looked for.
  private var indexes: [Draft.Node: [DraftKeyHandle: Draft.Node]] = [:]
  /// The node that last took another's place, none at first: a model that sets its keys again mostly
  /// does so in their order.
  private var replaced = Draft.Node.none

  /// Maps up to this size are searched from their first entry on.
  private static let scanLimit = Sizes.scannedMapCount

  @inline(__always)
  mutating func add(_ node: DraftNode) -> Draft.Node {
    let added = nodes.nextHandle
    nodes.append(node)
    return added
  }

  @inline(__always)
  mutating func keep(_ text: String) -> UInt64 {
    strings.append(text)
    return UInt64(strings.count &- 1)
  }

  mutating func keep(_ bytes: [UInt8]) -> UInt64 {
    blobs.append(bytes)
    return UInt64(blobs.count &- 1)
  }

  mutating func set(_ content: Draft.Content, in map: Draft.Node, _ key: String) {
    let key = self.key(key, in: map)
    link(add(DraftNode(content, parent: map, key: key)))
  }

  /// The element gets its index when it is linked.
  mutating func append(_ content: Draft.Content, to list: Draft.Node) {
    link(add(DraftNode(content, parent: list, key: .none)))
  }

  mutating func begin(_ kind: Draft.Kind, at node: Draft.Node) {
    let bound = kind == .list ? shape(node) : DraftKeyHandle(place: 0)
    nodes[node].kind = kind
    nodes[node].bound = bound
    containerCount &+= 1
    if kind == .list { listCount &+= 1 }
  }

  mutating func fill(_ node: Draft.Node, _ content: Draft.Content) { nodes[node].put(content) }

  /// A container's entries stay where they are, and are reached through the node from now on.
  ///
  ///     before    node: open, behind a        place: map { x, y }        x, y have the parent `place`
  ///     after     node: map { x, y }          place: map, empty          x, y still have it
  mutating func adopt(_ place: Draft.Node, at node: Draft.Node) {
    var adopted = nodes[place]
    adopted.next = nodes[node].next
    adopted.parent = nodes[node].parent
    adopted.key = nodes[node].key
    nodes[node] = adopted
    if adopted.isContainer {
      nodes[place].first = .none
      nodes[place].last = .none
      nodes[place].count = 0
    }
    if !indexes.isEmpty { indexes[place] = nil }
  }

  /// Puts a node into its parent: behind the last, or where its key is already.
  ///
  ///     map { a, c }, bound d       link d    [a] -> [c] -> [d]            no search: d is at the bound
  ///                                 link b    [a] -> [c] -> [b]            searched, and not found
  ///                                 link c    [a] -> [new c]               the old c is seen no more
  @inline(__always)
  mutating func link(_ node: Draft.Node) {
    let (key, holder) = (nodes[node].key, nodes[node].parent)
    let record = nodes[holder]
    if record.kind == .list {
      nodes[node].index = record.count
    } else {
      if nodes[node].kind != .absent { entryCount &+= 1 }
      if key >= record.bound {
        // Keys ascend in the order in which they were first met: most types name theirs so.
        nodes[holder].bound = key.next
      } else if let twin = find(key, in: holder) {
        return replace(twin, by: node, in: holder)
      }
    }
    if record.last.isNone { nodes[holder].first = node } else { nodes[record.last].next = node }
    nodes[holder].last = node
    nodes[holder].count = record.count &+ 1
    if !indexes.isEmpty { indexes[holder]?[key] = node }
  }

  /// The entry of a key in a map.
  ///
  /// The first search in a large map builds an index of it, which is kept up to date from then on.
  mutating func find(_ key: DraftKeyHandle, in map: Draft.Node) -> Draft.Node? {
    if nodes[map].count <= Self.scanLimit {
      var scan = nodes[map].first
      while !scan.isNone, nodes[scan].key != key { scan = nodes[scan].next }
      return scan.isNone ? nil : scan
    }
    if indexes[map] == nil {
      var index: [DraftKeyHandle: Draft.Node] = [:]
      var scan = nodes[map].first
      while !scan.isNone {
        index[nodes[scan].key] = scan
        scan = nodes[scan].next
      }
      indexes[map] = index
    }
    return indexes[map]?[key]
  }

  /// Puts a node where another is, which the owner may still be writing to.
  ///
  ///     before    [a] -> [old] -> [c]            replaced: a, or none
  ///     after     [a] -> [node] -> [c]           replaced: node; old has no next, and is in no map
  ///
  /// Cost: the entries before it, counted from the one that was replaced last.
  private mutating func replace(_ old: Draft.Node, by node: Draft.Node, in map: Draft.Node) {
    nodes[node].next = nodes[old].next
    if nodes[map].first == old {
      nodes[map].first = node
    } else {
      let isHere = !replaced.isNone && nodes[replaced].parent == map
      var before = isHere ? replaced : nodes[map].first
      while nodes[before].next != old {
        before = nodes[before].next
        // The nodes before the one that was replaced last; it may have been replaced itself.
        if before.isNone { before = nodes[map].first }
      }
      nodes[before].next = node
    }
    if nodes[map].last == old { nodes[map].last = node }
    nodes[old].next = .none
    replaced = node
    let key = nodes[node].key
    if !indexes.isEmpty { indexes[map]?[key] = node }
  }

  // MARK: - Keys

  /// The handle of a key that a map has, or is about to get behind its last.
  @inline(__always)
  mutating func key(_ key: String, in map: Draft.Node) -> DraftKeyHandle {
    let last = nodes[map].last
    return last.isNone
      ? keys.intern(key, openingUnder: shape(map)) : keys.intern(key, behind: nodes[last].key)
  }

  /// What tells maps apart that likely have the same keys: the key under which they stand, or the
  /// list of theirs does; none for the root.
  ///
  ///     { tasks: [ { title }, { title } ], owner: { name } }        tasks, tasks, tasks and owner
  private func shape(_ node: Draft.Node) -> DraftKeyHandle {
    let (parent, key) = (nodes[node].parent, nodes[node].key)
    if parent.isNone { return .none }
    return nodes[parent].kind == .list ? nodes[parent].shape : key
  }
}

/// A key of a draft, beside its name.
struct DraftKey: BitwiseCopyable {
  /// The key that last came behind it, none if it was the last: sibling structs name theirs in one
  /// order, so that a key is found by one comparison, without a hash.
  var follower = DraftKeyHandle.none
  /// The key that last came first in a map under this one, or in a list's map; none so far.
  var opener = DraftKeyHandle.none
  /// The key's handle in the document that was last compared with, none where not known.
  var stored = KeyHandle.none
}

/// The keys of a draft, each once, named by handles in the order in which they were first met.
///
/// Two keys are equal exactly when their bytes are.
///
///     { tasks: [ { title, due }, { title, due } ], owner: { name } }
///
///     place        0 "tasks"   1 "title"   2 "due"   3 "owner"   4 "name"
///     follower     owner       due         none      none        none
///     opener       title       none        none      name        none
///     rootOpener   tasks
struct DraftKeys: ~Copyable {
  private var table = KeyTable()
  /// By key.
  private var names: ContiguousArray<String> = []
  private var records = Arena<DraftKey>()
  /// The root's first key when last met; what ``DraftKey/opener`` is to other maps.
  private var rootOpener = DraftKeyHandle.none
  private var reader: (document: ObjectIdentifier, compactions: UInt32)?

  init() {}

  @inline(__always)
  func name(_ key: DraftKeyHandle) -> String { names[key.index] }

  /// The handle of a key that comes behind another in its map.
  @inline(__always)
  mutating func intern(_ key: String, behind last: DraftKeyHandle) -> DraftKeyHandle {
    let guess = records[last].follower
    if !guess.isNone, Self.isIdentical(name(guess), key) { return guess }
    let found = intern(key)
    records[last].follower = found
    return found
  }

  /// The handle of a key that comes first in a map of a shape (``DraftStore/shape(_:)``).
  @inline(__always)
  mutating func intern(_ key: String, openingUnder shape: DraftKeyHandle) -> DraftKeyHandle {
    let guess = shape.isNone ? rootOpener : records[shape].opener
    if !guess.isNone, Self.isIdentical(name(guess), key) { return guess }
    let found = intern(key)
    if shape.isNone { rootOpener = found } else { records[shape].opener = found }
    return found
  }

  private mutating func intern(_ key: String) -> DraftKeyHandle {
    var text = key
    let place = text.withUTF8 { utf8 in unsafe withView(of: utf8) { table.intern($0)?.place } }
    guard let place else { preconditionFailure("the keys of one model take 4 GB") }
    let found = DraftKeyHandle(place: place)
    if found == records.nextHandle {
      names.append(key)
      records.append(DraftKey())
    }
    return found
  }

  /// Whether two strings are one in memory, and so in their bytes; others may be equal, too.
  ///
  /// The keys of a struct are literals: its next instance brings the same two words, and a field costs
  /// one comparison in place of a hash of its name. `==` would not do: it takes canonically equivalent
  /// keys for one.
  ///
  /// What it earns: without it a first encode of the records of W10 executes 8 % more instructions, one that
  /// changes nothing 20 % (callgrind). What holds it: the law `strings.exact`, and `DraftTests`, "Keys are told
  /// apart by their bytes, however Swift keeps them and whatever was guessed".
  @inline(__always)
  private static func isIdentical(_ left: String, _ right: String) -> Bool {
    unsafe unsafeBitCast(left, to: (UInt64, UInt64).self)
      == unsafeBitCast(right, to: (UInt64, UInt64).self)
  }

  // MARK: - The document's keys

  /// Forgets the handles of another document, or of the same before its store was rebuilt.
  ///
  /// The document must live as long as the draft is compared with it: an object's address may be
  /// given again. What is remembered is of one store, and is forgotten when another document, or a
  /// rebuilt store, is compared with.
  mutating func read(by document: ObjectIdentifier, _ compactions: UInt32) {
    if let reader, reader == (document, compactions) { return }
    reader = (document, compactions)
    for key in records.handles { records[key].stored = .none }
  }

  /// The handle of a key in the document that is compared with; `nil` if it never had the key.
  @inline(__always)
  mutating func stored(
    _ key: DraftKeyHandle,
    in document: borrowing KeyTable
  ) -> KeyHandle? {
    let known = records[key].stored
    if !known.isNone { return known }
    // The draft's own table has it at the same place.
    guard let found = document.find(table.view(KeyHandle(place: key.place))) else { return nil }
    records[key].stored = found
    return found
  }
  /// The handle of a key in the document that is written, which gets the key if it never had it; `nil` if its
  /// table is full.
  @inline(__always)
  mutating func intern(_ key: DraftKeyHandle, into document: inout KeyTable) -> KeyHandle? {
    let known = records[key].stored
    if !known.isNone { return known }
    guard let made = document.intern(table.view(KeyHandle(place: key.place))) else { return nil }
    records[key].stored = made
    return made
  }
}
