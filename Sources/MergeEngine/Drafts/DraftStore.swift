/// A node of a draft.
///
///     field      kind  marks  key  next  parent  first  last  count  bound
///     map        map   -      3    17    0       21     24    4      9
///     string     str   -      5    18    0       number of the string, as 64 bits   note   -
struct DraftNode: BitwiseCopyable {
  var kind: Draft.Kind
  var marks: Draft.Marks = []
  /// In a map the number of the key, in a list the index.
  var key: UInt32
  /// The next node of the same container, or `.max`.
  var next: UInt32 = .max
  /// The container around it, or `.max`.
  var parent: UInt32
  /// A container's first and last node, or `.max`; the two halves of a value's bits.
  var first: UInt32 = .max
  var last: UInt32 = .max
  /// How many nodes a container has; a value's note.
  var count: UInt32 = 0
  /// Of a map, a number that is above those of all its keys; of a list, its own ``DraftKeys`` shape.
  var bound: UInt32 = 0

  init(_ kind: Draft.Kind, parent: UInt32, key: UInt32) {
    self.kind = kind
    self.parent = parent
    self.key = key
  }

  @inline(__always)
  init(_ content: Draft.Content, parent: UInt32, key: UInt32) {
    self.init(content.kind, parent: parent, key: key)
    put(content)
  }

  @inline(__always)
  mutating func put(_ content: Draft.Content) {
    kind = content.kind
    first = UInt32(truncatingIfNeeded: content.bits)
    last = UInt32(truncatingIfNeeded: content.bits >> 32)
    count = content.note
  }

  @inline(__always) var bits: UInt64 { UInt64(first) | UInt64(last) << 32 }
  @inline(__always) var note: UInt32 { count }

  @inline(__always)
  var isContainer: Bool { kind == .map || kind == .list || kind == .open }
}

/// All that a draft holds.
struct DraftStore: ~Copyable {
  var nodes = Arena<DraftNode>()
  var strings: ContiguousArray<String> = []
  var blobs: ContiguousArray<[UInt8]> = []
  var keys = DraftKeys()
  /// Entries by key of the large maps in which a key was looked for.
  private var indexes: [UInt32: [UInt32: UInt32]] = [:]
  /// The node that last took another's place, or `.max`: a model that sets its keys again mostly
  /// does so in their order.
  private var replaced: UInt32 = .max

  /// Maps up to this size are searched from their first entry on.
  private static let scanLimit = Sizes.scannedMapCount

  @inline(__always)
  mutating func add(_ node: DraftNode) -> UInt32 {
    let number = UInt32(nodes.count)
    nodes.append(node)
    return number
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

  mutating func set(_ content: Draft.Content, in map: UInt32, _ key: String) {
    let number = number(of: key, in: map)
    link(add(DraftNode(content, parent: map, key: number)))
  }

  mutating func append(_ content: Draft.Content, to list: UInt32) {
    link(add(DraftNode(content, parent: list, key: 0)))
  }

  mutating func begin(_ kind: Draft.Kind, at node: UInt32) {
    let shape = kind == .list ? shape(node) : 0
    nodes[node].kind = kind
    nodes[node].bound = shape
  }

  mutating func fill(_ node: UInt32, _ content: Draft.Content) { nodes[node].put(content) }

  /// A container's entries stay where they are, and are reached through the node from now on.
  mutating func adopt(_ place: UInt32, at node: UInt32) {
    var adopted = nodes[place]
    adopted.next = nodes[node].next
    adopted.parent = nodes[node].parent
    adopted.key = nodes[node].key
    nodes[node] = adopted
    if adopted.isContainer {
      nodes[place].first = .max
      nodes[place].last = .max
      nodes[place].count = 0
    }
    if !indexes.isEmpty { indexes[place] = nil }
  }

  @inline(__always)
  mutating func link(_ node: UInt32) {
    let key = nodes[node].key
    let holder = nodes[node].parent
    if nodes[holder].kind == .list {
      nodes[node].key = nodes[holder].count
    } else if key >= nodes[holder].bound {
      // Keys have numbers in the order in which they were first met: most types name theirs so.
      nodes[holder].bound = key &+ 1
    } else if let twin = find(key, in: holder) {
      return replace(twin, by: node, in: holder)
    }
    let last = nodes[holder].last
    if last == .max { nodes[holder].first = node } else { nodes[last].next = node }
    nodes[holder].last = node
    nodes[holder].count &+= 1
    if !indexes.isEmpty { indexes[holder]?[key] = node }
  }

  /// The entry of a key in a map.
  ///
  /// The first search in a large map builds an index of it, which is kept up to date from then on.
  @inline(never)
  mutating func find(_ key: UInt32, in map: UInt32) -> UInt32? {
    if nodes[map].count <= Self.scanLimit {
      var scan = nodes[map].first
      while scan != .max, nodes[scan].key != key { scan = nodes[scan].next }
      return scan == .max ? nil : scan
    }
    if indexes[map] == nil {
      var index: [UInt32: UInt32] = [:]
      var scan = nodes[map].first
      while scan != .max {
        index[nodes[scan].key] = scan
        scan = nodes[scan].next
      }
      indexes[map] = index
    }
    return indexes[map]?[key]
  }

  /// Puts a node where another is, which somebody may still be writing to.
  ///
  /// Cost: the entries before it, counted from the one that was replaced last.
  private mutating func replace(_ old: UInt32, by node: UInt32, in map: UInt32) {
    nodes[node].next = nodes[old].next
    if nodes[map].first == old {
      nodes[map].first = node
    } else {
      var before = replaced != .max && nodes[replaced].parent == map ? replaced : nodes[map].first
      while nodes[before].next != old {
        before = nodes[before].next
        // Those before the one that was replaced last; it may have been replaced itself.
        if before == .max { before = nodes[map].first }
      }
      nodes[before].next = node
    }
    if nodes[map].last == old { nodes[map].last = node }
    nodes[old].next = .max
    replaced = node
    let key = nodes[node].key
    if !indexes.isEmpty { indexes[map]?[key] = node }
  }

  // MARK: - Keys

  /// The number of a key that a map has, or is about to get behind its last.
  @inline(__always)
  mutating func number(of key: String, in map: UInt32) -> UInt32 {
    let last = nodes[map].last
    return last == .max
      ? keys.number(key, first: shape(map)) : keys.number(key, behind: nodes[last].key)
  }

  /// What tells maps apart that likely have the same keys: the key under which they stand, or the
  /// list of theirs does.
  private func shape(_ node: UInt32) -> UInt32 {
    let (parent, key) = (nodes[node].parent, nodes[node].key)
    if parent == .max { return 0 }
    return nodes[parent].kind == .list ? nodes[parent].bound : key &+ 1
  }
}

/// The keys of a draft, each once, named by small numbers in the order in which they were first met.
///
/// Two keys are equal exactly when their bytes are.
///
///     names        0 "title"   1 "due"   2 "tags"
///     followers    0 -> 1      1 -> 2    2 -> none      "due" came behind "title" when last met
///     openers      shape 0 -> 0                         the root's first key was "title"
struct DraftKeys: ~Copyable {
  private var table = KeyTable()
  private(set) var names: ContiguousArray<String> = []
  /// For each key the one that last came behind it, or `.max`: sibling structs name theirs in one
  /// order, so that a key is found by one comparison, without a hash.
  private var followers = Arena<UInt32>()
  /// The same for the first key of a map, by shape: 0 for the root's, else a key's number + 1.
  private var openers = Arena<UInt32>()
  /// The keys' handles in the document that was last compared with, none where not known.
  private var stored = Arena<KeyHandle>()
  private var reader: (document: ObjectIdentifier, compactions: UInt32)?

  init() { openers.append(.max) }

  @inline(__always)
  mutating func number(_ key: String, behind last: UInt32) -> UInt32 {
    let guess = followers[last]
    if guess != .max, Self.isIdentical(names[Int(guess)], key) { return guess }
    let number = intern(key)
    followers[last] = number
    return number
  }

  @inline(__always)
  mutating func number(_ key: String, first shape: UInt32) -> UInt32 {
    let guess = openers[shape]
    if guess != .max, Self.isIdentical(names[Int(guess)], key) { return guess }
    let number = intern(key)
    openers[shape] = number
    return number
  }

  @inline(never)
  private mutating func intern(_ key: String) -> UInt32 {
    var text = key
    let number = text.withUTF8 { utf8 -> KeyHandle? in
      unsafe withView(of: utf8) { table.intern($0) }
    }
    guard let number = number?.place else { preconditionFailure("the keys of one model take 4 GB") }
    if number == names.count {
      names.append(key)
      followers.append(.max)
      openers.append(.max)
      stored.append(.none)
    }
    return number
  }

  /// Whether two strings are one in memory, and so in their bytes; others may be equal, too.
  ///
  /// The keys of a struct are literals: its next instance brings the same two words, and a field costs
  /// one comparison in place of a hash of its name. `==` would not do: it takes canonically equivalent
  /// keys for one.
  ///
  /// What it earns: without it a first encode of the records of W10 executes 8 % more instructions, one that
  /// changes nothing 20 % (callgrind). What holds it: the law `strings.exact`, and `EdgeTests`, "Keys that
  /// Swift holds to be one are two in a document, and neither side traps".
  @inline(__always)
  private static func isIdentical(_ left: String, _ right: String) -> Bool {
    unsafe unsafeBitCast(left, to: (UInt64, UInt64).self)
      == unsafeBitCast(right, to: (UInt64, UInt64).self)
  }

  // MARK: - The document's numbers

  /// Forgets the handles of another document, or of the same before its store was rebuilt.
  ///
  /// The document must live as long as the draft is compared with it: an object's address may be
  /// given again. What is remembered is of one store, and is forgotten when another document, or a
  /// rebuilt store, is compared with.
  mutating func read(by document: ObjectIdentifier, _ compactions: UInt32) {
    if let reader, reader == (document, compactions) { return }
    reader = (document, compactions)
    for key in 0..<stored.count { stored[key] = .none }
  }

  /// The handle of a key in the document that is compared with; nil if it never had the key.
  @inline(__always)
  mutating func number(_ key: UInt32, in document: borrowing KeyTable) -> KeyHandle? {
    let known = stored[key]
    if !known.isNone { return known }
    guard let found = document.find(table.view(KeyHandle(place: key))) else { return nil }
    stored[key] = found
    return found
  }
}
