import AutomergeDocument
import DocumentCoding
import Foundation
import Testing

/// The BND rows of counters.
///
/// Source: Specification/Codable.md, "Counter".
@Suite("Counters")
struct CounterTests {
  private func values(_ doc: Document) throws -> [Int] {
    try AutomergeDecoder(doc: doc).decode([Counter].self, from: path(key("v"))).map(\.value)
  }

  private func document(counter: Int64) throws -> Document {
    try DocumentCodingTests.document([("v", .Counter(counter))])
  }

  struct Box: Codable, Equatable {
    var counter: Counter

    init(_ counter: Counter) { self.counter = counter }

    init(from decoder: any Decoder) throws {
      counter = try decoder.singleValueContainer().decode(Counter.self)
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(counter)
    }
  }

  private struct Places: Codable {
    var first: Counter
    var second: Counter
    var above: AutomergeText
    var below: AutomergeText
  }

  @Test("Counters and texts that change places keep what they hold") func placesChange() throws {
    let doc = Document()
    var places = Places(
      first: Counter(1),
      second: Counter(2),
      above: AutomergeText("x"),
      below: AutomergeText("y")
    )
    try AutomergeEncoder(doc: doc).encode(places)
    swap(&places.first, &places.second)
    swap(&places.above, &places.below)
    for _ in 1...2 { try AutomergeEncoder(doc: doc).encode(places) }
    let read = try AutomergeDecoder(doc: doc).decode(Places.self)
    #expect(read.first.value == 2 && read.second.value == 1)
    #expect([read.above.value, read.below.value] == ["y", "x"])
    places.first.increment(by: 10)
    places.above.value = "z"
    #expect(read.first.value == 12 && read.second.value == 1)
    #expect([read.above.value, read.below.value] == ["z", "x"])
  }

  @Test("A counter whose key is gone keeps its count where another one is written first")
  func lostPlace() throws {
    struct Model: Encodable {
      var first: Counter?
      var second: Counter?
    }
    let doc = Document()
    let counter = Counter(5)
    try doc.encode(Model(first: counter))
    try doc.delete(obj: .ROOT, key: "first")
    try doc.encode(Model(first: Counter(0), second: counter))
    #expect(try doc.get(obj: .ROOT, key: "first") == .Scalar(.Counter(0)))
    #expect(try doc.get(obj: .ROOT, key: "second") == .Scalar(.Counter(5)))
    #expect(counter.value == 5)
    counter.increment(by: 1)
    #expect(try doc.get(obj: .ROOT, key: "second") == .Scalar(.Counter(6)))
  }

  @Test("A counter that was never read before its place went knows its count")
  func lostUnread() throws {
    let doc = Document()
    try doc.encode(["a": Counter(5), "b": Counter(6), "c": Counter(7)])
    let decoded = try #require(try doc.decode([String: Counter].self)["a"])
    let made = try Counter(doc: doc, objId: .ROOT, key: AnyCodingKey("b"))
    let bound = Counter(1)
    try bound.bind(doc: doc, path: ".c")
    for key in ["a", "b", "c"] { try doc.delete(obj: .ROOT, key: key) }
    #expect([decoded, made, bound].map(\.value) == [5, 6, 8])
    try doc.encode(["a": Counter(100), "d": decoded])
    #expect(try doc.get(obj: .ROOT, key: "d") == .Scalar(.Counter(5)))
  }

  @Test("A counter whose element is another value now keeps its count, too") func lostElement()
    throws
  {
    let doc = Document()
    let counter = Counter(5)
    try doc.encode(["l": [counter]])
    let list = try #require(try doc.get(obj: .ROOT, key: "l"))
    guard case .Object(let id, _) = list else { return }
    try doc.put(obj: id, index: 0, value: .Int(7))
    try doc.encode(["l": [Counter(3), counter]])
    #expect(try doc.tree() == .dict(["l": .array([.scalar(.Counter(3)), .scalar(.Counter(5))])]))
    #expect(counter.value == 5)
  }

  @Test("Counters of one place are equal while they count the same: equal ones have one hash")
  func lostEquality() throws {
    let doc = Document()
    try doc.encode(["n": Counter(1)])
    func decoded() throws -> Counter { try #require(try doc.decode([String: Counter].self)["n"]) }
    let (one, other) = (try decoded(), try decoded())
    #expect(one == other)
    #expect(one.value == 1)
    try doc.increment(obj: .ROOT, key: "n", by: 4)
    #expect(other.value == 5)
    // Each keeps what it counted last.
    try doc.delete(obj: .ROOT, key: "n")
    #expect(one.value == 1 && other.value == 5)
    #expect(one != other)
    #expect(Set([one, other]).count == 2)
  }

  @Test("Counters at two spellings of one key are two") func spelledKeys() throws {
    let doc = try DocumentCodingTests.document([
      ("\u{e9}", .Counter(1)), ("e\u{301}", .Counter(1)),
    ])
    func counter(_ name: String) throws -> Counter {
      try Counter(doc: doc, objId: .ROOT, key: key(name))
    }
    #expect(try counter("\u{e9}") == counter("\u{e9}"))
    #expect(try counter("\u{e9}") != counter("e\u{301}"))
  }

  @Test("ENC-29: a counter stands in every position") func positions() throws {
    enum Holder: Codable { case count(Counter) }
    struct Model: Codable {
      var one = Counter(1)
      var maybe: Counter? = Counter(2)
      var list = [Counter(3), Counter(4)]
      var table = ["k": Counter(5), "1": Counter(6)]
      var payload = Holder.count(Counter(7))
      var box = Box(Counter(8))
      var boxes = [Box(Counter(9))]
    }
    let doc = Document()
    let model = Model()
    try doc.encode(model)
    func count(_ number: Int64) -> Tree { .scalar(.Counter(number)) }
    #expect(
      try doc.tree()
        == .dict([
          "one": count(1), "maybe": count(2), "list": .array([count(3), count(4)]),
          "table": .dict(["k": count(5), "1": count(6)]),
          "payload": .dict(["count": .dict(["_0": count(7)])]), "box": count(8),
          "boxes": .array([count(9)]),
        ])
    )
    #expect(model.boxes[0].counter.isBound && model.list[1].isBound)
    let decoded = try doc.decode(Model.self)
    #expect(try doc.operations { try doc.encode(decoded) } == 0)
    #expect(try doc.operations { try doc.encode(model) } == 0)
    decoded.list[1].increment(by: 10)
    decoded.boxes[0].counter.increment(by: 10)
    #expect(model.list[1].value == 14 && model.boxes[0].counter.value == 19)
    #expect(try doc.operations { try doc.encode(decoded) } == 0)
  }

  @Test("Counters at the root and at paths") func places() throws {
    let doc = Document()
    try doc.encode(Counter(4))
    #expect(try doc.tree() == .dict(["value": .scalar(.Counter(4))]))
    let counter = try doc.decode(Counter.self)
    counter.increment(by: 1)
    #expect(try doc.decode(Counter.self).value == 5)
    let place = path(key("a"), index(0))
    try AutomergeEncoder(doc: doc).encode(Counter(7), at: place)
    let read = try AutomergeDecoder(doc: doc).decode(Counter.self, from: place)
    #expect(read.value == 7 && read.isBound)
    read.increment(by: 2)
    #expect(try AutomergeDecoder(doc: doc).decode(Counter.self, from: place).value == 9)
  }

  @Test("BND-14: an unbound counter makes the document show its value, by adding") func unbound()
    throws
  {
    for value in [3, 10, 17, -5] {
      let doc = try document(counter: 10)
      let other = doc.fork()
      try other.increment(obj: .ROOT, key: "v", by: 100)
      let model = Keyed(v: Counter(value))
      try doc.encode(model)
      #expect(try doc.get(obj: .ROOT, key: "v") == .Scalar(.Counter(Int64(value))))
      try doc.merge(other: other)
      #expect(model.v.value == value + 100)
      let list = try DocumentCodingTests.document(list: "v", [.Counter(10), .Counter(1)])
      try list.encode(Keyed(v: [Counter(value), Counter(1)]))
      #expect(try values(list) == [value, 1])
      try list.encode(Keyed(v: [Box(Counter(value))]))
      #expect(try values(list) == [value])
    }
  }

  @Test("BND-15: a bound counter is left alone, in lists too") func bound() throws {
    let doc = try DocumentCodingTests.document(list: "v", [.Counter(7), .Counter(7)])
    let model = try doc.decode(Keyed<[Counter]>.self)
    for _ in 0..<3 { #expect(try doc.operations { try doc.encode(model) } == 0) }
    #expect(try values(doc) == [7, 7])
  }

  @Test("A adds 3 and B adds 2 make 5, in every place") func concurrent() throws {
    struct Model: Codable {
      var one = Counter()
      var list = [Counter(), Counter()]
    }
    let first = Document()
    try first.encode(Model())
    let second = first.fork()
    for (doc, amount) in [(first, 3), (second, 2)] {
      let model = try doc.decode(Model.self)
      model.one.value += amount
      model.list[1].increment(by: amount)
      try doc.encode(model)
    }
    try first.merge(other: second)
    let model = try first.decode(Model.self)
    #expect(model.one.value == 5)
    #expect(model.list.map(\.value) == [0, 5])
  }

  @Test("A counter of a list stays itself when elements come and go") func moving() throws {
    let doc = try DocumentCodingTests.document(list: "v", [.Counter(1), .Counter(2), .Counter(3)])
    var model = try doc.decode(Keyed<[Counter]>.self)
    let last = model.v[2]
    model.v.remove(at: 0)
    #expect(try doc.operations { try doc.encode(model) } == 1)
    #expect(model.v.map(\.value) == [2, 3])
    last.increment(by: 10)
    #expect(try values(doc) == [2, 13])
    model.v.insert(Counter(5), at: 0)
    try doc.encode(model)
    #expect(try values(doc) == [5, 2, 13])
    model.v.reverse()
    try doc.encode(model)
    #expect(try values(doc) == [13, 2, 5])
    #expect(model.v.map(\.value) == [13, 2, 5])
    for counter in model.v { counter.increment(by: 100) }
    #expect(try values(doc) == [113, 102, 105])
  }

  @Test("A counter in a text stands behind characters of several units") func inText() throws {
    let doc = Document(textEncoding: .utf16)
    let text = try doc.putObject(obj: .ROOT, key: "t", ty: .Text)
    try doc.spliceText(obj: text, start: 0, delete: 0, value: "a\u{1F44D}b")
    try doc.insert(obj: text, index: 3, value: .Counter(5))
    let counter = try Counter(doc: doc, objId: text, key: AnyCodingKey(3))
    #expect(counter.value == 5)
    try doc.spliceText(obj: text, start: 0, delete: 1, value: "\u{1F44D}\u{1F44D}")
    counter.increment(by: 2)
    #expect(try doc.get(obj: text, index: 6) == .Scalar(.Counter(7)))
    #expect(counter.value == 7)
    #expect(throws: BindingError.NotCounter) {
      try Counter(doc: doc, objId: text, key: AnyCodingKey(3))
    }
    try doc.spliceText(obj: text, start: 6, delete: 1, value: "")
    #expect(counter.value == 7 && !counter.isAttached)
  }

  @Test("BND-11, BND-12: binding adds what was counted; nothing else can be bound") func bind()
    throws
  {
    let doc = try DocumentCodingTests.document([("n", .Int(1)), ("views", .Counter(5))])
    let counter = Counter(2)
    try counter.bind(doc: doc, path: [AnyCodingKey("views")])
    #expect(counter.value == 7 && counter.isBound)
    try counter.bind(doc: doc, path: ".views")
    #expect(counter.value == 7)
    #expect(try Counter(3, doc: doc, path: "views").value == 10)
    let again = try Counter(doc: doc, objId: .ROOT, key: AnyCodingKey("views"))
    #expect(again == counter && again.value == 10)
    let heads = doc.heads()
    #expect(throws: BindingError.NotCounter) { try Counter(1).bind(doc: doc, path: "x") }
    #expect(throws: BindingError.NotCounter) { try Counter(1).bind(doc: doc, path: "n") }
    #expect(throws: BindingError.NotCounter) {
      try Counter(doc: doc, objId: .ROOT, key: AnyCodingKey("n"))
    }
    #expect(throws: PathParseError.self) { try Counter(1).bind(doc: doc, path: "1") }
    for path in ["", "x.y", "n.y"] {
      let error = #expect(throws: CodingKeyLookupError.self) {
        try Counter(1).bind(doc: doc, path: path)
      }
      switch (path, error) {
      case ("", .InvalidIndexLookup), ("x.y", .SchemaMissing), ("n.y", .PathExtendsThroughScalar):
        break
      default: Issue.record("\(path): \(String(describing: error))")
      }
    }
    #expect(doc.heads() == heads)
  }

  @Test("BND-13: setting adds the difference, so that concurrent sets add up") func set() throws {
    let first = try document(counter: 0)
    let second = first.fork()
    let one = try first.decode(Keyed<Counter>.self).v
    let two = try second.decode(Keyed<Counter>.self).v
    one.value = 3
    two.value = 2
    try first.merge(other: second)
    #expect(one.value == 5)
    #expect(first.operations { one.value = 5 } == 0)
  }

  @Test("Sums beyond 64 bits wrap, and come out exactly") func overflow() throws {
    let doc = try document(counter: .max)
    let counter = try doc.decode(Keyed<Counter>.self).v
    counter.increment(by: 1)
    #expect(counter.value == .min)
    counter.value = .max
    #expect(counter.value == .max)
    let unbound = Counter(.max)
    unbound.increment(by: 1)
    #expect(unbound.value == .min)
    unbound.value = 4
    try doc.encode(Keyed(v: unbound))
    #expect(try doc.get(obj: .ROOT, key: "v") == .Scalar(.Counter(4)))
    try doc.encode(Keyed(v: Counter(.min)))
    #expect(try doc.get(obj: .ROOT, key: "v") == .Scalar(.Counter(.min)))
  }

  @Test("BND-16: counters of one map are different counters") func equality() throws {
    let doc = try DocumentCodingTests.document([("a", .Counter(1)), ("b", .Counter(1))])
    let table = try doc.decode([String: Counter].self)
    let again = try doc.decode([String: Counter].self)
    #expect(table["a"] != table["b"])
    #expect(table["a"] == again["a"])
    #expect(table["a"]?.hashValue == again["a"]?.hashValue)
    #expect(table["a"] == Counter(1) && table["a"]?.hashValue == Counter(1).hashValue)
  }

  @Test("BND-17: a counter that is gone reads what it knew, and drops what is added") func gone()
    throws
  {
    let doc = try document(counter: 4)
    let counter = try doc.decode(Keyed<Counter>.self).v
    #expect(counter.value == 4)
    try doc.delete(obj: .ROOT, key: "v")
    counter.increment(by: 1)
    #expect(counter.value == 4 && counter.isBound && !counter.isAttached)
    try doc.put(obj: .ROOT, key: "v", value: .String("other"))
    counter.value = 9
    #expect(counter.value == 4)
    #expect(try doc.get(obj: .ROOT, key: "v") == .Scalar(.String("other")))
    // Encoding puts it back.
    try doc.encode(Keyed(v: counter))
    #expect(try doc.get(obj: .ROOT, key: "v") == .Scalar(.Counter(4)))
    counter.increment(by: 1)
    #expect(counter.value == 5)
  }

  @Test("A counter bound elsewhere gives its value") func elsewhere() throws {
    struct Model: Codable {
      var a: Counter
      var b: Counter
    }
    let doc = try DocumentCodingTests.document([("a", .Counter(1)), ("b", .Counter(2))])
    var model = try doc.decode(Model.self)
    model.b = model.a
    try doc.encode(model)
    #expect(try doc.get(obj: .ROOT, key: "b") == .Scalar(.Counter(1)))
    model.a.increment(by: 5)
    #expect(try doc.get(obj: .ROOT, key: "a") == .Scalar(.Counter(6)))
    let other = Document()
    try other.encode(model)
    #expect(try other.get(obj: .ROOT, key: "a") == .Scalar(.Counter(6)))
    model.a.increment(by: 1)
    #expect(try other.get(obj: .ROOT, key: "a") == .Scalar(.Counter(6)))
  }

  @Test("BND-22: other coders see a map with one key") func otherCoders() throws {
    let data = try JSONEncoder().encode(Counter(3))
    #expect(String(decoding: data, as: UTF8.self) == #"{"value":3}"#)
    let counter = try JSONDecoder().decode(Counter.self, from: data)
    #expect(counter.value == 3 && !counter.isBound && counter.description == "3")
  }
}
