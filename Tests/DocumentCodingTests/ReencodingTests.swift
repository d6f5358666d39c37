import AutomergeDocument
import DocumentCoding
import Foundation
import Testing

/// Encoding over what is there.
///
/// Source: Specification/Codable.md, "Encoding over existing data", "Requirements".
@Suite("Encoding again")
struct ReencodingTests {
  struct Item: Codable, Equatable {
    var id = 0
    var title = ""
    var tags: [String] = []
    var note: String?
  }

  struct Model: Codable, Equatable {
    var name = "n"
    var count = 1
    var ratio = 0.5
    var when = Date(timeIntervalSince1970: 7)
    var items = [Item(id: 1, title: "a"), Item(id: 2, title: "b"), Item(id: 3, title: "c")]
    var numbers = [1, 2, 2, 3]
    var table = ["x": [1], "y": []]
    var maybe: Int? = 4
    var pairs = [UUID(): Item(), UUID(): Item(id: 9)]
    var set: Set<String> = ["p", "q", "r", "s"]
  }

  @Test("REN-01: an unchanged model adds no operation, and heads stay") func unchanged() throws {
    let doc = Document()
    let model = Model()
    try doc.encode(model)
    let heads = doc.heads()
    try doc.encode(model)
    let decoded = try doc.decode(Model.self)
    #expect(decoded == model)
    try doc.encode(decoded)
    for unknownKeys in [UnknownKeys.remove, .preserve] {
      for strategy in [SchemaStrategy.createWhenNeeded, .override, .readonly] {
        try AutomergeEncoder(doc: doc, strategy: strategy, unknownKeys: unknownKeys)
          .encode(decoded)
      }
    }
    try AutomergeEncoder(doc: doc, cautiousWrite: true).encode(decoded)
    #expect(doc.heads() == heads)
  }

  @Test("A set of UUIDs that another language spelled in lower case stays as it is")
  func lowercaseUUIDs() throws {
    struct Model: Codable, Equatable {
      var ids: Set<UUID>
    }
    let spelled = (1...3).map { "0af6d1d0-5d3c-4f0e-9b4a-00000000000\($0)" }
    let doc = try document(list: "ids", spelled.map { .String($0) })
    var model = try doc.decode(Model.self)
    #expect(model.ids.count == 3)
    #expect(try doc.operations { try doc.encode(model) } == 0)
    model.ids.insert(try #require(UUID(uuidString: "0af6d1d0-5d3c-4f0e-9b4a-000000000004")))
    #expect(try doc.operations { try doc.encode(model) } == 1)
  }

  @Test("One changed scalar adds one operation, wherever it stands") func oneChange() throws {
    let doc = Document()
    var model = Model()
    try doc.encode(model)
    func expectOne(_ what: String, _ change: (inout Model) -> Void) throws {
      change(&model)
      #expect(try doc.operations { try doc.encode(model) } == 1, "\(what)")
      #expect(try doc.decode(Model.self) == model, "\(what)")
    }
    try expectOne("field") { $0.count = 2 }
    try expectOne("string") { $0.name = "m" }
    try expectOne("date") { $0.when = Date(timeIntervalSince1970: 8) }
    try expectOne("nil") { $0.maybe = nil }
    try expectOne("value again") { $0.maybe = 5 }
    try expectOne("field of an element") { $0.items[1].title = "bb" }
    try expectOne("id of an element") { $0.items[1].id = 7 }
    try expectOne("new optional of an element") { $0.items[2].note = "x" }
    try expectOne("element") { $0.numbers[1] = 5 }
    try expectOne("appended") { $0.numbers.append(6) }
    try expectOne("inserted") { $0.numbers.insert(8, at: 1) }
    try expectOne("removed") { $0.numbers.remove(at: 2) }
    try expectOne("removed key") { $0.table["y"] = nil }
    try expectOne("in a dictionary's list") { $0.table["x"] = [1, 2] }
    try expectOne("set") { $0.set.insert("z") }
    try expectOne("set shrinks") { $0.set.remove("p") }
    try expectOne("removed element") { $0.items.remove(at: 0) }
    let key = try #require(model.pairs.keys.first)
    try expectOne("value of a pair") { $0.pairs[key]?.title = "pp" }
  }

  @Test("REN-02: arrays shrink, and empty arrays clear") func shrink() throws {
    let doc = Document()
    try doc.encode(Keyed(v: [1, 2, 3]))
    try doc.encode(Keyed(v: [1]))
    #expect(try doc.tree() == .dict(["v": .array([.scalar(.Int(1))])]))
    try doc.encode(Keyed(v: [Int]()))
    #expect(try doc.tree() == .dict(["v": .array([])]))
  }

  @Test("REN-03: keys that are gone are deleted") func removedKeys() throws {
    let doc = Document()
    try doc.encode(["v": ["a": 1, "b": 2], "w": [:]])
    try doc.encode(["v": ["b": 2]])
    #expect(try doc.tree() == .dict(["v": .dict(["b": .scalar(.Int(2))])]))
  }

  /// Two peers encode what `change` makes of one model, then merge.
  private func merged<Value: Codable & Equatable>(
    _ start: Value,
    left: (inout Value) -> Void,
    right: (inout Value) -> Void
  ) throws -> Value {
    let first = Document()
    try first.encode(start)
    let second = first.fork()
    var (one, two) = (start, start)
    left(&one)
    right(&two)
    try first.encode(one)
    try second.encode(two)
    try first.merge(other: second)
    try second.merge(other: first)
    let result = try first.decode(Value.self)
    #expect(try second.decode(Value.self) == result)
    return result
  }

  @Test("REN-04: two peers that re-encode an array never duplicate it") func duplicates() throws {
    let start = Keyed(v: [1, 2, 3])
    #expect(try merged(start, left: { _ in }, right: { _ in }) == start)
    #expect(
      try merged(start, left: { $0.v.append(4) }, right: { $0.v.removeFirst() })
        == Keyed(v: [2, 3, 4])
    )
    #expect(
      try merged(start, left: { $0.v[0] = 9 }, right: { $0.v.insert(5, at: 3) })
        == Keyed(v: [9, 2, 3, 5])
    )
    let model = Model()
    let result = try merged(
      model,
      left: { $0.items.remove(at: 0) },
      right: {
        $0.items[2].title = "C"
        $0.count = 5
      }
    )
    #expect(result.items == [Item(id: 2, title: "b"), Item(id: 3, title: "C")])
    #expect(result.count == 5)
  }

  @Test("REN-05: removing an element of a list of structs touches that element alone")
  func removeStruct() throws {
    struct Plain: Codable, Equatable {
      var title: String
      var done: Bool
    }
    let start = Keyed(v: ["a", "b", "c", "d"].map { Plain(title: $0, done: false) })
    let doc = Document()
    try doc.encode(start)
    let list = try doc.object("v")
    let ids = try doc.values(obj: list)
    var model = start
    model.v.remove(at: 1)
    #expect(try doc.operations { try doc.encode(model) } == 1)
    #expect(try doc.values(obj: list) == [ids[0], ids[2], ids[3]])
    // Removed, changed and added at once: the others keep their objects.
    model.v[1].done = true
    model.v.insert(Plain(title: "e", done: true), at: 0)
    model.v.remove(at: 1)
    try doc.encode(model)
    let after = try doc.values(obj: list)
    #expect(Array(after.suffix(2)) == [ids[2], ids[3]])
    #expect(try doc.decode(Keyed<[Plain]>.self) == model)
  }

  @Test("Elements with an id keep their object, however much else changed") func identity() throws {
    let doc = Document()
    var model = Keyed(v: (0..<6).map { Item(id: $0, title: "t\($0)", tags: ["x"]) })
    try doc.encode(model)
    let list = try doc.object("v")
    let ids = try doc.values(obj: list)
    for index in model.v.indices { model.v[index].title = "changed" }
    model.v.remove(at: 2)
    model.v.insert(Item(id: 77, title: "new"), at: 0)
    try doc.encode(model)
    let after = try doc.values(obj: list)
    #expect(Array(after.dropFirst()) == [ids[0], ids[1], ids[3], ids[4], ids[5]])
    #expect(try doc.decode(Keyed<[Item]>.self) == model)
  }

  @Test("Any array becomes any other", arguments: 0..<40) func anyArray(seed: Int) throws {
    var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    let doc = Document()
    let bound = seed.isMultiple(of: 2) ? 4 : 1000
    let size = seed < 30 ? 12 : 700
    for _ in 0..<6 {
      let numbers = Keyed(v: (0..<next(size)).map { _ in next(bound) })
      let before = (try? doc.decode(Keyed<[Int]>.self))?.v ?? []
      let added = try doc.operations { try doc.encode(numbers) }
      #expect(try doc.decode(Keyed<[Int]>.self) == numbers)
      #expect(added <= before.count + numbers.v.count + 1)
      #expect(try doc.operations { try doc.encode(numbers) } == 0)
    }
    let items = Document()
    for _ in 0..<6 {
      let model = Keyed(v: (0..<next(9)).map { _ in Item(id: next(9), title: "\(next(3))") })
      try items.encode(model)
      #expect(try items.decode(Keyed<[Item]>.self) == model)
      #expect(try items.operations { try items.encode(model) } == 0)
    }
  }

  @Test("REN-06: a container becomes a scalar") func containerToScalar() throws {
    let doc = Document()
    for value in ["map", "list", "text"] {
      switch value {
      case "map": try AutomergeEncoder(doc: doc, strategy: .override).encode(Keyed(v: ["a": 1]))
      case "list": try AutomergeEncoder(doc: doc, strategy: .override).encode(Keyed(v: [1]))
      default:
        try AutomergeEncoder(doc: doc, strategy: .override)
          .encode(Keyed(v: AutomergeText("a")))
      }
      try doc.encode(Keyed(v: 1))
      #expect(try doc.tree() == .dict(["v": .scalar(.Int(1))]))
    }
  }

  @Test("REN-07: a string does not become a text, in maps and lists") func stringToText() throws {
    for doc in [try document([("v", .String("a"))]), try document(list: "v", [.String("a")])] {
      let before = doc.heads()
      #expect(throws: CodingKeyLookupError.self) { try doc.encode(Keyed(v: AutomergeText("b"))) }
      #expect(throws: CodingKeyLookupError.self) { try doc.encode(Keyed(v: [AutomergeText("b")])) }
      #expect(doc.heads() == before)
    }
  }

  @Test("REN-08: a text stays a text when a string is encoded over it") func textToString() throws {
    let doc = Document()
    try doc.encode(Keyed(v: AutomergeText("hello")))
    let other = doc.fork()
    let text = try other.object("v")
    try other.spliceText(obj: text, start: 5, delete: 0, value: " world")
    #expect(try doc.operations { try doc.encode(Keyed(v: "hello")) } == 0)
    try doc.encode(Keyed(v: "Hello"))
    try doc.merge(other: other)
    #expect(try doc.tree() == .dict(["v": .text("Hello world")]))
  }

  @Test("STR-01: maps, lists and scalars do not turn into another container")
  func mismatches() throws {
    func check(_ first: some Encodable, _ second: some Encodable) throws {
      let doc = Document()
      try doc.encode(first)
      let before = doc.heads()
      let error = #expect(throws: CodingKeyLookupError.self) { try doc.encode(second) }
      guard case .MismatchedSchema(let words)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(words.contains(".v"))
      #expect(doc.heads() == before)
    }
    try check(Keyed(v: 1), Keyed(v: ["a": 1]))
    try check(Keyed(v: 1), Keyed(v: [1]))
    try check(Keyed(v: ["a": 1]), Keyed(v: [1]))
    try check(Keyed(v: [1]), Keyed(v: ["a": 1]))
    try check(Keyed(v: AutomergeText("a")), Keyed(v: [1]))
    try check(Keyed(v: [1]), Keyed(v: AutomergeText("a")))
  }

  @Test("Elements of another kind are replaced, unless the caller writes cautiously")
  func elementsOfAnotherKind() throws {
    func check<Refusal: Error>(
      _ first: some Codable & Equatable,
      _ second: some Codable & Equatable,
      _ tree: Tree,
      throws refusal: Refusal.Type = CodingKeyLookupError.self
    ) throws {
      let doc = Document()
      try doc.encode(Keyed(v: first))
      let heads = doc.heads()
      let cautious = AutomergeEncoder(doc: doc, cautiousWrite: true)
      #expect(throws: refusal) { try cautious.encode(Keyed(v: second)) }
      #expect(doc.heads() == heads)
      try doc.encode(Keyed(v: second))
      #expect(try doc.tree() == .dict(["v": tree]))
    }
    try check([1, 2], [["a": 1]], .array([.dict(["a": .scalar(.Int(1))])]))
    try check([["a": 1]], [[1]], .array([.array([.scalar(.Int(1))])]))
    try check([1], [AutomergeText("a")], .array([.text("a")]))
    let one = Tree.scalar(.Int(1))
    try check([["a": 1]], [1], .array([one]), throws: EncodingError.self)
    try check([[2]], [1, 1], .array([one, one]), throws: EncodingError.self)
    try check([AutomergeText("a")], [1], .array([one]), throws: EncodingError.self)
  }

  enum State: Codable, Equatable {
    case todo
    case done(at: Int)
    case both(Item, [State])
  }

  @Test("ENC-25: an enum's old case goes", arguments: [UnknownKeys.remove, .preserve])
  func enumCases(unknownKeys: UnknownKeys) throws {
    let doc = Document()
    let states: [State] = [
      .todo, .done(at: 1), .both(Item(), [.todo]), .both(Item(id: 2), [.done(at: 3)]), .todo,
      .done(at: 4),
    ]
    for state in states {
      let model = Keyed(v: [state, .todo, state])
      let encoder = AutomergeEncoder(doc: doc, unknownKeys: unknownKeys)
      try encoder.encode(model)
      #expect(try doc.decode(Keyed<[State]>.self) == model)
      try encoder.encode(state, at: path(key("w")))
      #expect(try AutomergeDecoder(doc: doc).decode(State.self, from: path(key("w"))) == state)
    }
  }

  @Test("ENC-35: an encode that throws leaves the document as it was") func atomic() throws {
    struct Failing: Encodable {
      struct Refusal: Error {}

      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: AnyCodingKey.self)
        try container.encode(9, forKey: AnyCodingKey("count"))
        throw Refusal()
      }
    }
    let doc = Document()
    try doc.encode(Model())
    let before = try doc.tree()
    #expect(throws: Failing.Refusal.self) { try doc.encode(Failing()) }
    try doc.put(obj: .ROOT, key: "open", value: .Int(1))
    var model = Model()
    model.count = 77
    model.items = []
    model.table = ["q": [1]]
    // The mismatch comes last, after much has been written.
    struct Wrong: Encodable {
      var model: Model
      var open = ["no": 1]

      enum Key: CodingKey { case open }

      func encode(to encoder: any Encoder) throws {
        try model.encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(open, forKey: .open)
      }
    }
    let open = doc.operations {
      #expect(throws: CodingKeyLookupError.self) { try doc.encode(Wrong(model: model)) }
    }
    #expect(open == 0)
    // What was open before is still there.
    guard case .dict(var expected) = before else {
      Issue.record("no map")
      return
    }
    expected["open"] = .scalar(.Int(1))
    #expect(try doc.tree() == .dict(expected))
  }

  @Test("What a peer wrote as another kind of the same value is left alone") func otherKinds()
    throws
  {
    struct Numbers: Codable, Equatable {
      var int: Int
      var double: Double
      var float: Float
      var uuid: UUID
      var link: URL
      var list: [Double]
      var maybe: Int?
    }
    let doc = try document([
      ("int", .Uint(5)), ("double", .Int(6)), ("float", .F64(0.1)),
      ("uuid", .String("0af6d1d0-5d3c-4f0e-9b4a-00000000000a")),
      ("link", .String("http://a.b/c d")), ("maybe", .Null),
    ])
    let list = try doc.putObject(obj: .ROOT, key: "list", ty: .List)
    try doc.splice(obj: list, start: 0, delete: 0, values: [.Int(1), .F64(2), .Uint(3)])
    let numbers = try doc.decode(Numbers.self)
    #expect(numbers.list == [1, 2, 3])
    let added = try doc.operations {
      try doc.encode(numbers)
      try AutomergeEncoder(doc: doc, unknownKeys: .preserve).encode(numbers)
    }
    #expect(added == 0)
  }

  @Test("A conflict stays one, until the field changes") func conflict() throws {
    let doc = Document()
    try doc.encode(Keyed(v: 0))
    let other = doc.fork()
    try doc.encode(Keyed(v: 1))
    try other.encode(Keyed(v: 2))
    try doc.merge(other: other)
    let model = try doc.decode(Keyed<Int>.self)
    #expect(try doc.operations { try doc.encode(model) } == 0)
    #expect(try doc.getAll(obj: .ROOT, key: "v").count == 2)
  }

  @Test("Unknown keys: removed by default, kept when asked") func unknownKeys() throws {
    struct Old: Codable, Equatable {
      var v: Int?
      var inner: Keyed<Int>
      var list: [Item]
    }
    func makeDocument() throws -> Document {
      let doc = Document()
      try doc.encode(Old(v: 1, inner: Keyed(v: 2), list: [Item(id: 1), Item(id: 2)]))
      try doc.put(obj: .ROOT, key: "new", value: .Int(9))
      let inner = try doc.object("inner")
      try doc.put(obj: inner, key: "new", value: .Int(9))
      let element = try doc.object("list.[1]")
      try doc.put(obj: element, key: "new", value: .Int(9))
      return doc
    }
    let removing = try makeDocument()
    let old = try removing.decode(Old.self)
    #expect(try removing.operations { try removing.encode(old) } == 3)
    #expect(try removing.lookupPath(path: "new") == nil)

    let keeping = try makeDocument()
    let encoder = AutomergeEncoder(doc: keeping, unknownKeys: .preserve)
    var model = try keeping.decode(Old.self)
    #expect(try keeping.operations { try encoder.encode(model) } == 0)
    model.v = nil
    model.list.removeFirst()
    model.list[0].title = "changed"
    try encoder.encode(model)
    #expect(try keeping.get(obj: .ROOT, key: "v") == nil)
    #expect(try keeping.get(obj: .ROOT, key: "new") == .Scalar(.Int(9)))
    let element = try keeping.object("list.[0]")
    #expect(try keeping.get(obj: element, key: "new") == .Scalar(.Int(9)))
    #expect(try keeping.decode(Old.self) == model)
    // A dictionary's keys are its content.
    try encoder.encode(["a": ["x": 1, "y": 2]], at: path(key("d")))
    try encoder.encode(["a": ["x": 1]], at: path(key("d")))
    #expect(
      try AutomergeDecoder(doc: keeping).decode([String: [String: Int]].self, from: path(key("d")))
        == ["a": ["x": 1]]
    )
  }

  @Test("A set keeps the document's order, and merges without doubles in the model")
  func sets() throws {
    let doc = Document()
    try doc.encode(Keyed(v: Set(["b", "a"])))
    #expect(
      try doc.tree() == .dict(["v": .array([.scalar(.String("a")), .scalar(.String("b"))])])
    )
    let other = doc.fork()
    try doc.encode(Keyed(v: Set(["a", "b", "c"])))
    try other.encode(Keyed(v: Set(["a", "b", "c"])))
    try doc.merge(other: other)
    let model = try doc.decode(Keyed<Set<String>>.self)
    #expect(model.v == ["a", "b", "c"])
    #expect(try doc.operations { try doc.encode(model) } == 0)
  }

  @Test("Observers hear of an encode once") func observers() throws {
    final class Count: @unchecked Sendable {
      var events: [DocumentEvent.Phase] = []
    }
    let doc = Document()
    let count = Count()
    let token = doc.observe { count.events.append($0.phase) }
    try doc.encode(Model())
    #expect(count.events == [.will, .did])
    token.cancel()
  }

  @Test("A stranger's deep nesting inside a list element exhausts no stack") func deepElements()
    throws
  {
    let doc = Document()
    try doc.encode(Keyed(v: [Item(id: 1), Item(id: 2), Item(id: 3)]))
    var object = try doc.object("v.[0]")
    for _ in 0..<50_000 { object = try doc.putObject(obj: object, key: "title", ty: .Map) }
    let model = Keyed(v: [Item(id: 4), Item(id: 2), Item(id: 1), Item(id: 5)])
    try doc.encode(model)
    #expect(try doc.decode(Keyed<[Item]>.self) == model)
  }

  @Test("Structs that hold sets are matched although a set has no order") func setsInStructs()
    throws
  {
    struct Group: Codable, Equatable {
      var members: Set<String>
    }
    let doc = Document()
    var model = Keyed(
      v: (0..<5).map { group in Group(members: Set((0..<9).map { "\(group)-\($0)" })) }
    )
    try doc.encode(model)
    model.v.remove(at: 1)
    model.v.append(Group(members: ["x"]))
    let ids = try doc.values(obj: doc.object("v"))
    try doc.encode(model)
    #expect(try doc.values(obj: doc.object("v")).prefix(4) == [ids[0], ids[2], ids[3], ids[4]])
    #expect(try doc.decode(Keyed<[Group]>.self) == model)
  }

  @Test("Where null stands, an object may be made") func overNull() throws {
    struct Model: Encodable {
      var map: Keyed<Int>?
      var list: [[Int]?]
      var text: AutomergeText?

      enum CodingKeys: CodingKey { case map, list, text }

      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(map, forKey: .map)
        try container.encode(list, forKey: .list)
        try container.encode(text, forKey: .text)
      }
    }
    let doc = Document()
    try doc.encode(Model(map: nil, list: [nil, [1]], text: nil))
    try doc.encode(Model(map: Keyed(v: 1), list: [[2], [1]], text: AutomergeText("t")))
    #expect(
      try doc.tree()
        == .dict([
          "map": .dict(["v": .scalar(.Int(1))]),
          "list": .array([.array([.scalar(.Int(2))]), .array([.scalar(.Int(1))])]),
          "text": .text("t"),
        ])
    )
  }

  @Test("Unsigned integers of lists and sets are found again as others are") func unsigned() throws
  {
    let doc = Document()
    let set = Keyed(v: Set<UInt>([1, 2, .max]))
    try doc.encode(set)
    #expect(try doc.operations { try doc.encode(set) } == 0)
    let lists = Document()
    try lists.encode(Keyed(v: [0, 0, 0, 1] as [UInt64]))
    #expect(try lists.operations { try lists.encode(Keyed(v: [0, 0, 1] as [UInt64])) } == 1)
    #expect(try lists.decode(Keyed<[UInt64]>.self).v == [0, 0, 1])
  }

  @Test("A list of empty structs is read again after saving") func emptyStructs() throws {
    struct Empty: Codable, Equatable {}
    let doc = Document()
    let model = Keyed(v: [Empty](repeating: Empty(), count: 6))
    try doc.encode(model)
    let loaded = try Document(doc.save())
    #expect(try loaded.decode(Keyed<[Empty]>.self) == model)
    #expect(try loaded.operations { try loaded.encode(model) } == 0)
  }
}
