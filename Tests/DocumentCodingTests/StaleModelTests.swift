import AutomergeDocument
import DocumentCoding
import Foundation
import Testing

/// A model that is older than the document it is encoded into.
@Suite("Stale models")
struct StaleModelTests {
  struct Item: Codable, Equatable {
    var id: Int
    var title: String
    var done = false
  }

  struct Model: Codable {
    var name = "n"
    var count = 1
    var items = [Item(id: 1, title: "a"), Item(id: 2, title: "b")]
    var text = AutomergeText("text")
    var likes = Counter(1)
    var tags: Set<String> = ["x"]
  }

  /// A document, a model of it that was edited, the heads it stems from, and a peer's merged edits.
  private func stale(
    local: (inout Model) -> Void
  ) throws -> (doc: Document, model: Model, heads: Set<ChangeHash>) {
    let doc = Document()
    try doc.encode(Model())
    var model = try doc.decode(Model.self)
    let heads = doc.heads()
    let peer = doc.fork()
    var theirs = try peer.decode(Model.self)
    theirs.name = "peer"
    theirs.items[1].title = "peer"
    theirs.items.append(Item(id: 3, title: "c"))
    theirs.text.value = "more text"
    theirs.likes.increment(by: 10)
    theirs.tags.insert("y")
    try peer.encode(theirs)
    local(&model)
    try doc.merge(other: peer)
    return (doc, model, heads)
  }

  private func edit(_ model: inout Model) {
    model.count = 5
    model.items[0].done = true
    model.items[1].done = true
    model.text.value += "!"
    model.likes.increment(by: 1)
    model.tags.insert("z")
  }

  @Test("Encoded plainly, a stale model takes back what was merged") func reverts() throws {
    let (doc, model, _) = try stale(local: edit)
    try doc.encode(model)
    let result = try doc.decode(Model.self)
    #expect(result.name == "n" && result.items.count == 2)
  }

  @Test("Based on its heads, both sides' edits survive") func basedOnHeads() throws {
    let (doc, model, heads) = try stale(local: edit)
    try AutomergeEncoder(doc: doc).encode(model, basedOn: heads)
    let result = try doc.decode(Model.self)
    #expect(result.name == "peer" && result.count == 5)
    #expect(
      result.items == [
        Item(id: 1, title: "a", done: true), Item(id: 2, title: "peer", done: true),
        Item(id: 3, title: "c"),
      ]
    )
    #expect(result.text.value == "more text!")
    #expect(result.likes.value == 12)
    #expect(result.tags == ["x", "y", "z"])
    #expect(model.text.isAttached && model.likes.value == 12)
  }

  @Test("A stale model that was not edited changes nothing") func unedited() throws {
    let (doc, model, heads) = try stale { _ in }
    let before = doc.heads()
    try AutomergeEncoder(doc: doc).encode(model, basedOn: heads)
    #expect(doc.heads() == before)
  }

  @Test("The document's own writer goes on, where it has not gone on already") func writer() throws
  {
    let (doc, model, heads) = try stale { $0.count = 9 }
    try AutomergeEncoder(doc: doc).encode(model, basedOn: heads)
    let last = try #require(doc.getHistory().last.flatMap { doc.change(hash: $0) })
    #expect(last.actorId == doc.actor)
    // Once more from the same heads: now the writer has gone on.
    var again = model
    again.count = 10
    try AutomergeEncoder(doc: doc).encode(again, basedOn: heads)
    #expect(doc.heads().count == 3)
    try doc.put(obj: .ROOT, key: "count", value: .Int(1))
    #expect(try doc.decode(Model.self).name == "peer")
  }

  @Test("With the document's present heads it is a plain encode of the open change") func current()
    throws
  {
    let doc = Document()
    try doc.encode(Model())
    let heads = doc.heads()
    var model = try doc.decode(Model.self)
    model.count = 2
    #expect(
      try doc.operations { try AutomergeEncoder(doc: doc).encode(model, basedOn: heads) } == 1
    )
  }

  @Test("At a path, and new texts are bound to the document itself") func atPath() throws {
    let doc = Document()
    let encoder = AutomergeEncoder(doc: doc)
    try encoder.encode(["a": 1], at: path(key("m")))
    let heads = doc.heads()
    try encoder.encode(["a": 1, "b": 2], at: path(key("m")))
    let text = AutomergeText("t")
    try encoder.encode(["a": 5], basedOn: heads, at: path(key("m")))
    try encoder.encode(text, basedOn: heads, at: path(key("t")))
    #expect(
      try doc.tree()
        == .dict([
          "m": .dict(["a": .scalar(.Int(5)), "b": .scalar(.Int(2))]), "t": .text("t"),
        ])
    )
    text.value = "tt"
    #expect(try AutomergeDecoder(doc: doc).decode(String.self, from: path(key("t"))) == "tt")
  }

  @Test("A text of a set that was typed in since stays the same text, in the set and for others")
  func textsOfSets() throws {
    struct Line: Codable, Hashable {
      var id: Int
      var text: AutomergeText
    }
    struct Page: Codable {
      var name = "n"
      var texts: Set<AutomergeText> = [AutomergeText("a"), AutomergeText("b")]
      var lines: Set<Line> = [Line(id: 1, text: AutomergeText("c"))]
    }
    let doc = Document()
    try doc.encode(Page())
    var page = try doc.decode(Page.self)
    let heads = doc.heads()
    let peer = doc.fork()
    page.name = "own"
    let texts = Array(page.texts) + page.lines.map(\.text)
    for text in texts { text.value += "!" }
    try AutomergeEncoder(doc: doc).encode(page, basedOn: heads)
    for text in texts {
      try peer.spliceText(obj: #require(text.objId), start: 0, delete: 0, value: "peer's ")
    }
    try doc.merge(other: peer)
    let merged = try doc.decode(Page.self)
    #expect(merged.name == "own")
    #expect(merged.texts.map(\.value).sorted() == ["peer's a!", "peer's b!"])
    #expect(merged.lines.map(\.text.value) == ["peer's c!"])
  }

  @Test("Observers hear of what the encode wrote, and not of what was open before it")
  func events() throws {
    final class Events: @unchecked Sendable {
      var changed: [Set<ObjId>] = []
    }
    let (doc, model, heads) = try stale(local: { _ in })
    var edited = model
    let text = try #require(model.text.objId)
    try doc.spliceText(obj: text, start: 0, delete: 0, value: "open ")
    let events = Events()
    let token = doc.observe { if $0.phase == .did { events.changed.append($0.changed) } }
    try AutomergeEncoder(doc: doc).encode(model, basedOn: heads)
    edited.count = 9
    model.text.value = "open again"
    try AutomergeEncoder(doc: doc).encode(edited, basedOn: heads)
    #expect(events.changed == [[], [text], [.ROOT]])
    token.cancel()
  }

  @Test("Limits for what others send refuse no own edits") func loweredLimits() throws {
    let (doc, model, heads) = try stale(local: edit)
    doc.limits.receivedActorLimit = 0
    doc.limits.waitingChangeLimit = 0
    doc.limits.operationGapLimit = 0
    let lowered = doc.limits
    #expect(try doc.forkAt(heads: heads).limits == lowered)
    let encoder = AutomergeEncoder(doc: doc)
    try encoder.encode(model, basedOn: heads)
    // Once more: a branch has a writer of its own, whom the document has not met.
    var again = model
    again.count = 10
    try encoder.encode(again, basedOn: heads)
    #expect(try doc.decode(Model.self).name == "peer")
    #expect(doc.limits == lowered)
  }

  @Test("Refused as a whole: unknown heads, and models that do not fit") func refused() throws {
    let (doc, model, heads) = try stale(local: edit)
    let before = doc.heads()
    let foreign = Document()
    try foreign.encode(["x": 1])
    #expect(throws: DocError.self) {
      try AutomergeEncoder(doc: doc).encode(model, basedOn: foreign.heads())
    }
    #expect(throws: CodingKeyLookupError.self) {
      try AutomergeEncoder(doc: doc).encode(["items": ["x": 1]], basedOn: heads)
    }
    #expect(doc.heads() == before)
  }
}
