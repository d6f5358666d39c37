import AutomergeDocument
import DocumentCoding
import Foundation
import Testing

/// The BND rows of texts.
///
/// Source: Specification/Codable.md, "AutomergeText", "Text and counter at the top level".
@Suite("Texts")
struct TextTests {
  private func texts(_ doc: Document) throws -> [String] {
    try AutomergeDecoder(doc: doc).decode([String].self, from: path(key("v")))
  }

  @Test("ENC-30: a text stands in every position, and is bound after the encode")
  func positions() throws {
    struct Model: Codable {
      var one = AutomergeText("a")
      var maybe: AutomergeText? = AutomergeText("b")
      var list: [AutomergeText?] = [AutomergeText("c"), nil]
      var table = ["k": AutomergeText("d"), "1": AutomergeText("e")]
      var payload = Holder.text(AutomergeText("f"))
      var single = Box(AutomergeText("g"))
      var boxes = [Box(AutomergeText("h"))]
    }
    enum Holder: Codable { case text(AutomergeText) }
    struct Box: Codable {
      var text: AutomergeText

      init(_ text: AutomergeText) { self.text = text }

      init(from decoder: any Decoder) throws {
        text = try decoder.singleValueContainer().decode(AutomergeText.self)
      }

      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
      }
    }
    let doc = Document()
    let model = Model()
    try doc.encode(model)
    #expect(
      try doc.tree()
        == .dict([
          "one": .text("a"), "maybe": .text("b"), "list": .array([.text("c"), .scalar(.Null)]),
          "table": .dict(["k": .text("d"), "1": .text("e")]),
          "payload": .dict(["text": .dict(["_0": .text("f")])]), "single": .text("g"),
          "boxes": .array([.text("h")]),
        ])
    )
    let all = [
      model.one, model.maybe, model.list[0], model.table["k"], model.table["1"],
      model.single.text, model.boxes[0].text,
    ]
    #expect(all.allSatisfy { $0?.isBound == true && $0?.isAttached == true })
    let decoded = try doc.decode(Model.self)
    #expect(decoded.boxes[0].text == model.boxes[0].text)
    #expect(try doc.operations { try doc.encode(decoded) } == 0)
    #expect(try doc.operations { try doc.encode(model) } == 0)
    model.table["1"]?.value = "E"
    #expect(decoded.table["1"]?.value == "E")
  }

  @Test("ENC-31: at the root under its own key, at a path in place") func root() throws {
    let doc = Document()
    let text = AutomergeText("x")
    try doc.encode(text)
    #expect(try doc.tree() == .dict(["value": .text("x")]))
    #expect(text.isBound)
    #expect(try doc.decode(AutomergeText.self).value == "x")
    let other = Document()
    let encoder = AutomergeEncoder(doc: other)
    let decoder = AutomergeDecoder(doc: other)
    try encoder.encode(AutomergeText("y"), at: path(key("a"), key("b")))
    #expect(try other.tree() == .dict(["a": .dict(["b": .text("y")])]))
    #expect(
      try decoder.decode(AutomergeText.self, from: path(key("a"), key("b"))).value == "y"
    )
    // The shape that 0.6.1 wrote.
    let map = try other.putObject(obj: .ROOT, key: "old", ty: .Map)
    _ = try other.putObject(obj: map, key: "value", ty: .Text)
    try encoder.encode(AutomergeText("z"), at: path(key("old")))
    #expect(try decoder.decode(AutomergeText.self, from: path(key("old"))).value == "z")
    #expect(
      try decoder.decode(AutomergeText.self, from: path(key("old"), key("value"))).value == "z"
    )
  }

  @Test("An unbound text replaces what is there by a diff; an empty one clears it (BND-09)")
  func replace() throws {
    let doc = Document()
    try doc.encode(Keyed(v: AutomergeText("hello world")))
    let other = doc.fork()
    let remote = try other.decode(Keyed<AutomergeText>.self).v
    remote.value = "hello brave world"
    try doc.encode(Keyed(v: AutomergeText("Hello world!")))
    try doc.merge(other: other)
    #expect(try doc.tree() == .dict(["v": .text("Hello brave world!")]))
    try doc.encode(Keyed(v: AutomergeText()))
    #expect(try doc.tree() == .dict(["v": .text("")]))
  }

  @Test("BND-07: reversing, removing and inserting in a list keep each text's own content")
  func lists() throws {
    let doc = Document()
    var model = Keyed(v: ["a", "b", "c"].map { AutomergeText($0) })
    try doc.encode(model)
    model.v.remove(at: 0)
    #expect(try doc.operations { try doc.encode(model) } == 1)
    #expect(try texts(doc) == ["b", "c"])
    #expect(model.v.map(\.value) == ["b", "c"])
    model.v.reverse()
    try doc.encode(model)
    #expect(try texts(doc) == ["c", "b"])
    #expect(model.v.map(\.value) == ["c", "b"])
    #expect(model.v.map(\.isAttached) == [true, true])
    model.v[0].value = "C"
    model.v[1].value = "B"
    #expect(try texts(doc) == ["C", "B"])
    model.v.insert(AutomergeText("new"), at: 1)
    try doc.encode(model)
    #expect(try texts(doc) == ["C", "new", "B"])
    model.v[1].value = "N"
    #expect(try texts(doc) == ["C", "N", "B"])
    #expect(try doc.operations { try doc.encode(model) } == 0)
  }

  @Test("Typing in a text survives the removal of its neighbour by another peer")
  func concurrentRemoval() throws {
    let doc = Document()
    try doc.encode(Keyed(v: ["a", "b"].map { AutomergeText($0) }))
    let other = doc.fork()
    var mine = try doc.decode(Keyed<[AutomergeText]>.self)
    let theirs = try other.decode(Keyed<[AutomergeText]>.self)
    mine.v.remove(at: 0)
    try doc.encode(mine)
    theirs.v[1].value = "bb"
    try doc.merge(other: other)
    #expect(try texts(doc) == ["bb"])
    #expect(mine.v[0].value == "bb")
  }

  @Test("Structs that hold bound texts move with their texts") func structs() throws {
    struct Note: Codable, Equatable {
      var title: String
      var body: AutomergeText
    }
    let doc = Document()
    var model = Keyed(v: (0..<3).map { Note(title: "same", body: AutomergeText("\($0)")) })
    try doc.encode(model)
    model.v.remove(at: 0)
    #expect(try doc.operations { try doc.encode(model) } == 1)
    #expect(model.v.map(\.body.value) == ["1", "2"])
    model.v.swapAt(0, 1)
    try doc.encode(model)
    #expect(model.v.map(\.body.value) == ["2", "1"])
    #expect(try doc.decode(Keyed<[Note]>.self).v.map(\.body.value) == ["2", "1"])
  }

  @Test("BND-08: a text bound in one document gives another a copy") func otherDocument() throws {
    let first = Document()
    let text = AutomergeText("shared")
    try first.encode(Keyed(v: text))
    let second = Document()
    try second.encode(Keyed(v: text))
    #expect(try second.tree() == .dict(["v": .text("shared")]))
    text.value = "mine"
    #expect(try first.tree() == .dict(["v": .text("mine")]))
    #expect(try second.tree() == .dict(["v": .text("shared")]))
  }

  @Test("One instance in two places stays bound to the first") func twice() throws {
    struct Model: Codable {
      var a: AutomergeText
      var b: AutomergeText
    }
    let doc = Document()
    let text = AutomergeText("t")
    try doc.encode(Model(a: text, b: text))
    text.value = "T"
    #expect(try doc.tree() == .dict(["a": .text("T"), "b": .text("t")]))
    try doc.encode(Model(a: text, b: text))
    #expect(try doc.tree() == .dict(["a": .text("T"), "b": .text("T")]))
  }

  @Test("Sets of texts and of counters are left alone, whichever of them are alike")
  func sets() throws {
    struct Model: Codable {
      var texts: Set<AutomergeText> = []
      var counters: Set<Counter> = []
    }
    let doc = Document()
    try doc.encode(Model())
    let (texts, counters) = (try doc.object(".texts"), try doc.object(".counters"))
    for index in 0..<6 as Range<UInt64> {
      let text = try doc.insertObject(obj: texts, index: index, ty: .Text)
      try doc.spliceText(obj: text, start: 0, delete: 0, value: "alike")
      try doc.insert(obj: counters, index: index, value: .Counter(Int64(index)))
    }
    let model = try doc.decode(Model.self)
    #expect(model.texts.count == 6 && model.counters.count == 6)
    #expect(try doc.operations { try doc.encode(model) } == 0)
  }

  @Test("A text of a set stays where it is bound, beside an unbound one that reads alike")
  func boundAndUnbound() throws {
    for _ in 0..<8 {
      let doc = Document()
      let bound = AutomergeText("b")
      var model = Keyed(v: [bound] as Set)
      try doc.encode(model)
      let object = bound.objId
      model.v.insert(AutomergeText("a"))
      bound.value = "a"
      try doc.encode(model)
      #expect(bound.objId == object)
      #expect(try doc.decode(Keyed<[String]>.self).v == ["a", "a"])
    }
  }

  @Test("A set of unbound texts takes one text for each, and no other that reads like it stays")
  func unboundSets() throws {
    let doc = Document()
    let list = try doc.putObject(obj: .ROOT, key: "v", ty: .List)
    for index in 0..<3 as Range<UInt64> {
      _ = try doc.insertObject(obj: list, index: index, ty: .Text)
    }
    try doc.encode(Keyed(v: [AutomergeText("")] as Set))
    #expect(try doc.decode(Keyed<Set<AutomergeText>>.self).v.count == 1)
  }

  @Test("Of two pairs with one key the one that is decoded stays, with its text")
  func pairs() throws {
    enum Slot: Int, Codable { case first, second }
    let doc = Document()
    try doc.encode(["v": [Slot.second: AutomergeText("b")]])
    let other = doc.fork()
    for writer in [doc, other] {
      var model = try writer.decode([String: [Slot: AutomergeText]].self)
      model["v"]?[.first] = AutomergeText("a")
      try writer.encode(model)
    }
    try doc.merge(other: other)
    let list = try doc.object(".v")
    #expect(doc.length(obj: list) == 6)
    let model = try doc.decode([String: [Slot: AutomergeText]].self)
    let text = try #require(model["v"]?[.first])
    let object = text.objId
    try doc.encode(model)
    #expect(doc.length(obj: list) == 4)
    #expect(text.isAttached && text.objId == object)
  }

  @Test("A text whose place a string takes keeps its content, and is bound where it has moved to")
  func stringInPlace() throws {
    struct Model: Encodable {
      var title: String
      var body: AutomergeText?
    }
    for title in ["title", "text"] {
      let doc = Document()
      let text = try AutomergeText("text", doc: doc, path: "title")
      try doc.encode(Model(title: title, body: text))
      let heads = doc.heads()
      #expect(text.value == "text")
      #expect(text.objId == (try doc.object(".body")))
      text.value = "more text"
      #expect(try doc.text(obj: doc.object(".title")) == title)
      // The same on a branch.
      try doc.put(obj: .ROOT, key: "other", value: .Int(1))
      let other = try AutomergeText(doc: doc, objId: doc.object(".title"))
      try AutomergeEncoder(doc: doc).encode(Model(title: "new", body: other), basedOn: heads)
      #expect(other.objId == (try doc.object(".body")))
    }
  }

  @Test("BND-01, BND-02: unbound storage; an initialiser makes text and parents") func create()
    throws
  {
    let text = AutomergeText("a")
    #expect(!text.isBound && !text.isAttached)
    text.value = "b"
    #expect(text.description == "b")
    #expect(text.debugDescription == "AutomergeText(unbound): b")
    let doc = Document()
    let made = try AutomergeText("x", doc: doc, path: "a.b.[0].c")
    #expect(
      try doc.tree() == .dict(["a": .dict(["b": .array([.dict(["c": .text("x")])])])])
    )
    #expect(made.debugDescription == "AutomergeText(.a.b.[0].c): x")
    let id = try doc.object("a.b.[0].c")
    let second = try AutomergeText(doc: doc, objId: id)
    #expect(second == made && second.value == "x")
    #expect(throws: BindingError.NotText) { try AutomergeText(doc: doc, objId: .ROOT) }
    #expect("\(BindingError.NotText)" == "The value in the document is no text.")
  }

  @Test("BND-03, BND-04: binding keeps the text that is there") func bind() throws {
    let doc = Document()
    _ = try AutomergeText("old", doc: doc, path: "t")
    let id = try doc.object("t")
    let empty = AutomergeText()
    try empty.bind(doc: doc, path: "t")
    #expect(empty.value == "old")
    let full = AutomergeText("new")
    try full.bind(doc: doc, path: [AnyCodingKey("t")])
    #expect(empty.value == "new")
    let byID = AutomergeText("newer")
    try byID.bind(doc: doc, id: id)
    #expect(empty.value == "newer")
    try AutomergeText().bind(doc: doc, id: id)
    #expect(empty.value == "newer")
    #expect(try doc.lookupPath(path: "t") == id)
    let heads = doc.heads()
    #expect(throws: BindingError.NotText) { try AutomergeText("x").bind(doc: doc, id: .ROOT) }
    #expect(doc.heads() == heads)
  }

  @Test("BND-05: paths that cannot be bound") func bindErrors() throws {
    let doc = try document([("s", .Int(1))])
    _ = try doc.putObject(obj: .ROOT, key: "l", ty: .List)
    let heads = doc.heads()
    let text = AutomergeText("x")
    for path in ["", ".", "[0]", "[0].a"] {
      let error = #expect(throws: BindingError.self) { try text.bind(doc: doc, path: path) }
      guard case .InvalidPath? = error else {
        Issue.record("\(path): \(String(describing: error))")
        continue
      }
    }
    #expect(throws: PathParseError.InvalidPathElement("1")) { try text.bind(doc: doc, path: "1") }
    #expect(throws: BindingError.NotText) { try text.bind(doc: doc, path: "s") }
    #expect(throws: BindingError.NotText) { try text.bind(doc: doc, path: "l") }
    #expect(throws: CodingKeyLookupError.self) { try text.bind(doc: doc, path: "s.x") }
    #expect(throws: DocError.self) { try text.bind(doc: doc, path: "l.[0]") }
    #expect(throws: DocError.self) { try text.bind(doc: doc, path: "m.[0]") }
    #expect(throws: CodingKeyLookupError.self) { try text.bind(doc: doc, path: "l.[1]") }
    #expect(doc.heads() == heads)
    #expect(!text.isBound)
  }

  @Test("BND-06: setting a value types the difference; an equal one adds nothing") func set() throws
  {
    let doc = Document()
    let text = try AutomergeText("abc", doc: doc, path: "t")
    #expect(doc.operations { text.value = "abc" } == 0)
    #expect(doc.operations { text.value = "abXc" } == 1)
    #expect(doc.operations { text.value = "\u{1F468}\u{200D}\u{1F469}abXc" } == 3)
    let other = doc.fork()
    let remote = try AutomergeText(doc: other, objId: try other.object("t"))
    remote.value = "Z" + remote.value
    text.value += "!"
    try doc.merge(other: other)
    #expect(text.value == "Z\u{1F468}\u{200D}\u{1F469}abXc!")
  }

  @Test("BND-10: equal texts hash alike; binding does not change the hash") func hashing() throws {
    let first = Document()
    let second = Document()
    let one = try AutomergeText("t", doc: first, path: "t")
    let same = try AutomergeText(doc: first, objId: try first.object("t"))
    let fork = first.fork()
    let forked = try AutomergeText(doc: fork, objId: try fork.object("t"))
    let other = try AutomergeText("t", doc: second, path: "t")
    let unbound = AutomergeText("t")
    #expect(one == same && one.hashValue == same.hashValue)
    #expect(one == unbound && one.hashValue == unbound.hashValue)
    #expect(one != forked && one != other)
    var set: Set = [unbound]
    try second.encode(Keyed(v: unbound))
    #expect(set.contains(unbound))
    set.insert(AutomergeText("u"))
    #expect(set.count == 2)
  }

  @Test("A text that lost its place is still read, and knows it") func detached() throws {
    let doc = Document()
    let text = try AutomergeText("a", doc: doc, path: "t")
    let other = doc.fork()
    try doc.delete(obj: .ROOT, key: "t")
    #expect(text.isBound && !text.isAttached)
    text.value = "ab"
    #expect(text.value == "ab")
    // Encoding gives it a place again.
    try doc.encode(["t": text])
    #expect(text.isAttached)
    #expect(try doc.tree() == .dict(["t": .text("ab")]))
    _ = other
  }

  @Test("Where another object won, encoding writes the content there") func losing() throws {
    let doc = Document()
    let other = doc.fork()
    let mine = AutomergeText("mine")
    let theirs = AutomergeText("theirs")
    try doc.encode(["t": mine])
    try other.encode(["t": theirs])
    try doc.merge(other: other)
    try other.merge(other: doc)
    let loser = mine.isAttached ? theirs : mine
    let place = mine.isAttached ? other : doc
    #expect(!loser.isAttached)
    let content = loser.value
    try place.encode(["t": loser])
    #expect(try place.tree() == .dict(["t": .text(content)]))
    #expect(loser.isAttached)
  }

  @Test("A text of a document that took the creation back reads what it knew") func rolledBack()
    throws
  {
    struct Failure: Error {}
    let doc = Document()
    let text = AutomergeText("a")
    #expect(throws: Failure.self) {
      try doc.transaction { _ in
        try text.bind(doc: doc, path: "t")
        #expect(text.value == "a")
        throw Failure()
      }
    }
    #expect(text.value == "a")
    // Read through another instance's writing, and not set by this one.
    let other = AutomergeText("b")
    let reader = AutomergeText("c")
    #expect(throws: Failure.self) {
      try doc.transaction { _ in
        try other.bind(doc: doc, path: "t")
        try reader.bind(doc: doc, path: "t")
        other.value = "d"
        #expect(reader.value == "d")
        throw Failure()
      }
    }
    #expect(reader.value == "d")
    text.value = "b"
    #expect(text.value == "b")
    #expect(try doc.isEmpty())
  }

  @Test("BND-22: other coders see a map with one key") func otherCoders() throws {
    let data = try JSONEncoder().encode(AutomergeText("x"))
    #expect(String(decoding: data, as: UTF8.self) == #"{"value":"x"}"#)
    let text = try JSONDecoder().decode(AutomergeText.self, from: data)
    #expect(text.value == "x" && !text.isBound)
  }
}
