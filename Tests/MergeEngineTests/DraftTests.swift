import Testing

@testable import MergeEngine

/// What a container shows, in order: keys or indexes with what stands there, containers in brackets.
private func shown(_ draft: Draft, _ container: Draft.Node) throws -> String {
  var parts: [String] = []
  var count = 0
  var last: Draft.Node?
  var scan = draft.first(in: container)
  while let node = scan {
    #expect(draft.parent(node) == container)
    if draft.kind(container) == .list { #expect(draft.index(node) == count) }
    let name = draft.kind(container) == .list ? "\(draft.index(node))" : draft.key(node)
    let isContainer = draft.kind(node) == .map || draft.kind(node) == .list
    parts.append(
      isContainer
        ? "\(name): [\(try shown(draft, node))]" : "\(name): \(try #require(draft.scalar(node)))"
    )
    count += 1
    last = node
    scan = draft.next(node)
  }
  // The invariants that `DraftStore` states.
  #expect(draft.count(container) == count)
  let record = draft.store.nodes[container]
  #expect(record.last == last ?? .none)
  return parts.joined(separator: ", ")
}

@Suite("Drafts")
struct DraftTests {
  private let draft = Draft()
  private let root: Draft.Node

  init() {
    root = draft.open()
    draft.begin(.map, at: root)
  }

  private func set(_ key: String, _ number: Int64, in map: Draft.Node) {
    draft.set(Draft.Content(.int, UInt64(bitPattern: number)), in: map, key)
  }

  private func map(_ key: String, in holder: Draft.Node) -> Draft.Node {
    let node = draft.open(in: holder, key)
    draft.begin(.map, at: node)
    draft.link(node)
    return node
  }

  @Test("Of two values for one key the later counts, and stands where the first did")
  func replacing() throws {
    for key in ["a", "b", "c", "d"] { set(key, 1, in: root) }
    #expect(try shown(draft, root) == "a: int(1), b: int(1), c: int(1), d: int(1)")
    // The first, one in the middle, those behind it in order, the last, and back to the front.
    for key in ["a", "b", "c", "d", "b", "d", "a"] { set(key, 2, in: root) }
    #expect(try shown(draft, root) == "a: int(2), b: int(2), c: int(2), d: int(2)")
    set("e", 3, in: root)
    #expect(try shown(draft, root) == "a: int(2), b: int(2), c: int(2), d: int(2), e: int(3)")
  }

  @Test("A key that another map had first is found new here, and found again")
  func keysOfSiblings() throws {
    let (left, right) = (map("left", in: root), map("right", in: root))
    for key in ["x", "y", "z"] { set(key, 1, in: left) }
    for key in ["z", "x", "z"] { set(key, 2, in: right) }
    #expect(try shown(draft, left) == "x: int(1), y: int(1), z: int(1)")
    #expect(try shown(draft, right) == "z: int(2), x: int(2)")
    let entry = try #require(draft.entry(of: "x", in: right))
    #expect(draft.key(entry) == "x")
    #expect(draft.entry(of: "y", in: right) == nil)
  }

  @Test("A large map finds its keys by an index, which stays right")
  func largeMap() throws {
    let count = Sizes.scannedMapCount * 3
    for number in 0..<count { set("k\(number)", 0, in: root) }
    for number in (0..<count).reversed() { set("k\(number)", Int64(number), in: root) }
    for number in 0..<count {
      let entry = try #require(draft.entry(of: "k\(number)", in: root))
      #expect(draft.scalar(entry) == .int(Int64(number)))
    }
    set("new", 1, in: root)
    set("new", 2, in: root)
    let entry = try #require(draft.entry(of: "new", in: root))
    #expect(draft.scalar(entry) == .int(2))
    #expect(draft.count(root) == count + 1)
    _ = try shown(draft, root)
  }

  @Test("What stands beside a node moves to it whole, and leaves nothing behind")
  func adopting() throws {
    set("a", 1, in: root)
    let node = draft.open(in: root, "b")
    draft.link(node)
    set("c", 1, in: root)
    let place = draft.open(beside: node)
    draft.begin(.map, at: place)
    set("x", 7, in: place)
    draft.adopt(place, at: node)
    let inner = try #require(draft.entry(of: "b", in: root))
    #expect(inner == node)
    #expect(draft.kind(node) == .map)
    #expect(draft.count(node) == 1)
    let first = try #require(draft.first(in: node))
    #expect(draft.key(first) == "x")
    #expect(draft.first(in: place) == nil)
    #expect(draft.count(place) == 0)
    let next = try #require(draft.next(node))
    #expect(draft.key(next) == "c")
  }

  @Test("Elements have their indexes, values their bits, and notes are kept or none")
  func values() throws {
    let list = draft.open(in: root, "l")
    draft.begin(.list, at: list)
    draft.link(list)
    let bits: [UInt64] = [0, 1, 1 << 32, UInt64(UInt32.max), .max]
    for number in bits { draft.append(Draft.Content(.uint, number, note: Draft.Note(3)), to: list) }
    draft.append("text", to: list)
    var scan = draft.first(in: list)
    for (index, number) in bits.enumerated() {
      let node = try #require(scan)
      #expect(draft.index(node) == index)
      #expect(draft.scalar(node) == .uint(number))
      #expect(draft.plainScalar(node) == nil)
      #expect(draft.note(node)?.index == 3)
      #expect(draft.first(in: node) == nil)
      scan = draft.next(node)
    }
    let last = try #require(scan)
    #expect(draft.plainScalar(last) == .string("text"))
    #expect(draft.note(last) == nil)
    #expect(draft.next(last) == nil)
    #expect(draft.note(list) == nil)
  }

  @Test("A comparison finds what a document has under each key, and again after a rebuilt store")
  func comparing() throws {
    let document = MergeDocument(actor: actor(1))
    for key in ["c", "b", "a"] { try document.put(.root, .key(key), .int(1)) }
    for key in ["a", "b"] { set(key, 1, in: root) }
    set("c", 2, in: root)
    func shows() throws -> [Bool] {
      try ["a", "b", "c"].map {
        try document.shows(.root, try #require(draft.entry(of: $0, in: root)), of: draft)
      }
    }
    #expect(try shows() == [true, true, false])
    // Another document has other handles for the same keys.
    let other = MergeDocument(actor: actor(2))
    for key in ["x", "a", "c"] { try other.put(.root, .key(key), .int(2)) }
    let entries = try ["a", "b", "c"].map { try #require(draft.entry(of: $0, in: root)) }
    #expect(try entries.map { try other.shows(.root, $0, of: draft) } == [false, false, true])
    #expect(try shows() == [true, true, false])
    // A document that takes in another's content in place of its own has other handles, too.
    let third = MergeDocument(actor: actor(3))
    for (key, number) in [("x", 5), ("a", 1), ("c", 2)] {
      try third.put(.root, .key(key), .int(Int64(number)))
    }
    document.restore(third)
    #expect(try shows() == [true, false, true])
    let empty = MergeDocument(actor: actor(4))
    for key in ["c", "b", "a"] { try empty.put(.root, .key(key), .int(1)) }
    #expect(try entries.map { try empty.shows(.root, $0, of: draft) } == [true, true, false])
    empty.rollback()
    try empty.loadIncremental(third.save())
    #expect(try entries.map { try empty.shows(.root, $0, of: draft) } == [true, false, true])
  }

  @Test("A draft shows what was last put under each key, wherever it was opened", arguments: 0..<30)
  func draft(_ seed: Int) throws {
    var random = SplitMix(UInt64(seed))
    let draft = Draft()
    let root = draft.open()
    draft.begin(.map, at: root)
    /// By map, its entries in order.
    var maps: [(node: Draft.Node, entries: [(key: String, value: Int64)])] = [(root, [])]
    // Enough keys for some maps to get an index.
    let keyCount = 2 * Sizes.scannedMapCount
    for number in 0..<300 {
      let place = random.below(maps.count)
      let key = "k\(random.below(keyCount))"
      let content = Draft.Content(.int, UInt64(number))
      switch random.below(20) {
      case 0:
        // Its entries move to another node.
        let node = draft.open(in: root, "map\(maps.count)")
        draft.link(node)
        let beside = draft.open(beside: node)
        draft.begin(.map, at: beside)
        for inner in ["x", "y", "x"] {
          draft.set(Draft.Content(.int, UInt64(number)), in: beside, inner)
        }
        draft.adopt(beside, at: node)
        maps[0].entries.append(("map\(maps.count)", -1))
        maps.append((node, [("x", Int64(number)), ("y", Int64(number))]))
        continue
      case 1, 2:
        let node = draft.open()
        draft.fill(node, with: content)
        draft.link(node, to: maps[place].node, key)
      case 3, 4:
        let node = draft.open(in: maps[place].node, key)
        if random.below(3) == 0 { continue }
        draft.fill(node, with: content)
        draft.link(node)
      default: draft.set(content, in: maps[place].node, key)
      }
      if let known = maps[place].entries.firstIndex(where: { $0.key == key }) {
        maps[place].entries[known].value = Int64(number)
      } else {
        maps[place].entries.append((key, Int64(number)))
      }
      if random.below(20) > 0 { continue }
      for map in maps {
        var shown: [(key: String, value: Int64)] = []
        var scan = draft.first(in: map.node)
        while let node = scan {
          let number: Int64 = if case .int(let number)? = draft.scalar(node) { number } else { -1 }
          shown.append((draft.key(node), number))
          scan = draft.next(node)
        }
        #expect(shown.map(\.key) == map.entries.map(\.key))
        #expect(shown.map(\.value) == map.entries.map(\.value))
        #expect(draft.count(map.node) == map.entries.count)
      }
      let found = draft.entry(of: key, in: maps[place].node)
      #expect(found.map { draft.scalar($0) } == .int(Int64(number)))
    }
  }

  /// One key in each way in which Swift keeps strings: as it stands, and as copies made at run time.
  private static func copies(of key: String) -> [String] {
    var grown = ""
    for scalar in key.unicodeScalars { grown.unicodeScalars.append(scalar) }
    return [
      key, grown, String(("<" + key + ">").dropFirst().dropLast()),
      String(decoding: Array(key.utf8), as: UTF8.self),
    ]
  }

  // Guesses compare the words of two strings (`DraftKeys.isIdentical`).
  @Test("Keys are told apart by their bytes, however Swift keeps them and whatever was guessed")
  func keysInMemory() throws {
    var state: UInt64 = 7
    func random(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % count
    }
    // Up to 15 bytes stand in the string itself; pairs that `==` takes for one are among them.
    let keys = [
      "", "a", "title", "\u{e9}", "e\u{301}", "\u{1100}\u{1161}", "\u{ac00}", "fifteen bytes !",
      "sixteen bytes !!", "a key that is longer than a string has room for",
      "a key that is longer than a string has room for\u{e9}",
      "a key that is longer than a string has room fore\u{301}", "\u{1f468}\u{200d}\u{1f469}",
    ].flatMap(Self.copies)
    let list = draft.open(in: root, "list")
    draft.begin(.list, at: list)
    draft.link(list)
    var expected: [[(key: [UInt8], number: Int64)]] = []
    for _ in 0..<2_000 {
      let map = draft.open(in: list)
      draft.begin(.map, at: map)
      draft.link(map)
      var entries: [(key: [UInt8], number: Int64)] = []
      // Mostly in one order, as a model's fields are, from places that differ.
      var place = random(keys.count)
      for number in 0..<Int64(random(16)) {
        place = random(4) == 0 ? random(keys.count) : (place + 1) % keys.count
        set(keys[place], number, in: map)
        let bytes = Array(keys[place].utf8)
        if let known = entries.firstIndex(where: { $0.key == bytes }) {
          entries[known].number = number
        } else {
          entries.append((bytes, number))
        }
      }
      expected.append(entries)
    }
    var element = draft.first(in: list)
    for entries in expected {
      let map = try #require(element)
      var found: [(key: [UInt8], number: Int64)] = []
      var scan = draft.first(in: map)
      while let node = scan {
        guard case .int(let number)? = draft.scalar(node) else { break }
        found.append((Array(draft.key(node).utf8), number))
        scan = draft.next(node)
      }
      #expect(found.map(\.key) == entries.map(\.key))
      #expect(found.map(\.number) == entries.map(\.number))
      element = draft.next(map)
    }
    #expect(element == nil)
  }
}
