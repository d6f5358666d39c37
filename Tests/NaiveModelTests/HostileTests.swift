import DocumentModel
import Testing

@testable import NaiveModel

@Suite("Hostile peers and the specification")
struct HostileTests {
  private func writer(_ actor: ActorID, writes count: Int) throws -> Model {
    var model = Model(actor: actor)
    for number in 0..<count {
      _ = try model.apply(.put(.root, .key("k"), .int(Int64(number))))
      model.commit()
    }
    return model
  }

  @Test("What is bad is refused when it comes, or dropped when what it waited for comes")
  func poison() throws {
    var honest = try writer(.a, writes: 2)
    var reader = try writer(.b, writes: 0)
    let forged = reader.hear(Attack(.forge, knowing: 0, pick: 0), from: &honest)
    #expect(forged.isRefused == true && forged.droppedCount == 0)
    // About the first change: its number, and the place behind it.
    for kind in [Attack.Kind.poison, .impostor] {
      let report = reader.hear(Attack(kind, knowing: 0, pick: 0), from: &honest)
      #expect(report.isRefused == false && report.droppedCount == 0, "\(kind)")
    }
    #expect(reader.waiting.count == 2 && reader.history.isEmpty)
    try reader.apply(honest.changes(since: []))
    #expect(reader.waiting.isEmpty && reader.droppedCount == 2)
    #expect(reader.heads() == honest.heads())
    #expect(try reader.shown == honest.shown)
    for kind in [Attack.Kind.poison, .impostor] {
      let report = reader.hear(Attack(kind, knowing: 0, pick: 0), from: &honest)
      #expect(report.isRefused == true && report.droppedCount == 2, "\(kind)")
    }
  }

  @Test("What waits for ever shows nothing, and takes no number")
  func waiting() throws {
    var honest = try writer(.a, writes: 1)
    var reader = try writer(.b, writes: 1)
    let before = try reader.shown
    let flood = Attack(.flood, knowing: 0, pick: 7)
    for attack in [Attack(.withhold, knowing: 0, pick: 7), flood, flood] {
      #expect(reader.hear(attack, from: &honest).isRefused == false)
    }
    #expect(reader.waiting.count == 1 + flood.flood.count)
    #expect(try reader.shown == before)
    try reader.merge(&honest)
    try honest.merge(&reader)
    #expect(try reader.shown == honest.shown)
    #expect(honest.waiting.isEmpty)
  }

  @Test("What waits in vain is dropped when its number is taken, and the document loads")
  func vain() throws {
    for pick in 0...1 {
      var honest = try writer(.a, writes: 1)
      var reader = try writer(.b, writes: 0)
      let report = reader.hear(Attack(.impostor, knowing: 0, pick: pick), from: &honest)
      #expect(report.isRefused == false && reader.waiting.count == 1)
      let saved = reader.save()
      try reader.merge(&honest)
      #expect(reader.waiting.isEmpty && reader.droppedCount == 1)
      for file in [reader.save(), reader.append(to: saved)] {
        let loaded = try Model.load(file, actor: .c)
        #expect(try loaded.shown == honest.shown)
      }
    }
  }

  @Test("What waits under an author's next number is dropped when the author takes it")
  func ahead() throws {
    var author = try writer(.a, writes: 1)
    var (informant, reader) = (author, author.fork(actor: .b))
    let attack = Attack(.impostor, knowing: 0, pick: 3)
    #expect(author.hear(attack, from: &informant).isRefused == false)
    #expect(reader.hear(attack, from: &informant).isRefused == false)
    #expect(author.waiting.count == 1 && reader.waiting.count == 1)
    _ = try author.apply(.put(.root, .key("k"), .int(7)))
    author.commit()
    try reader.merge(&author)
    for var model in [author, reader] {
      #expect(model.waiting.isEmpty && model.droppedCount == 1)
      #expect(try Model.load(model.save(), actor: .c).shown == author.shown)
    }
  }

  @Test("A replayed change is applied once")
  func replay() throws {
    var honest = try writer(.a, writes: 2)
    var reader = try writer(.b, writes: 0)
    for pick in [1, 0, 1, 0] {
      let report = reader.hear(Attack(.replay, knowing: 0, pick: pick), from: &honest)
      #expect(report.isRefused == false)
    }
    #expect(reader.history.count == 2 && reader.heads() == honest.heads())
  }

  @Test("Of two changes under one name and number the first stays")
  func twins() throws {
    var honest = try writer(.a, writes: 0)
    var reader = try writer(.b, writes: 0)
    let twins = (0...1).map { Attack(.equivocate, knowing: 0, pick: $0) }
    #expect(reader.hear(twins[1], from: &honest).isRefused == false)
    let shown = try reader.shown
    #expect(reader.hear(twins[0], from: &honest).isRefused == true)
    #expect(reader.hear(twins[1], from: &honest).isRefused == false)
    #expect(try reader.shown == shown)
    #expect(honest.hear(twins[0], from: &reader).isRefused == false)
    #expect(throws: NaiveRefusal.self) { try honest.merge(&reader) }
  }
}

@Suite("Cursors of the specification")
struct CursorTests {
  private struct Text {
    var model = Model(actor: .a)
    let id: ObjectID

    init(_ text: ExactString) throws {
      let made = try model.apply(.putObject(.root, .key("t"), .text)).made
      id = try #require(made)
      _ = try model.apply(.spliceText(id, index: 0, deleting: 0, inserting: text))
      model.commit()
    }

    mutating func type(_ index: Int, _ count: Int, _ text: ExactString) throws {
      _ = try model.apply(.spliceText(id, index: index, deleting: count, inserting: text))
    }

    func at(_ index: Int, _ move: CursorMove) throws -> ObservedCursor {
      try #require(model.cursor(in: id, at: index, moving: move))
    }

    func position(_ cursor: ObservedCursor) -> Int? { model.position(of: cursor, in: id) }
  }

  @Test("A cursor stays with its element, and goes behind or before it when that is deleted")
  func moves() throws {
    var text = try Text("abcd")
    let (behind, before) = (try text.at(2, .after), try text.at(2, .before))
    #expect(text.position(behind) == 2 && text.position(before) == 2)
    try text.type(0, 0, "xy")
    #expect(text.position(behind) == 4 && text.position(before) == 4)
    // "xyabcd" without "bc".
    try text.type(3, 2, "")
    #expect(text.position(behind) == 3 && text.position(before) == 2)
  }

  @Test("The way back leads to what an element was inserted behind, not to its neighbour")
  func reference() throws {
    var text = try Text("ad")
    try text.type(1, 0, "c")
    try text.type(1, 0, "b")
    // "abcd"; c was typed behind a, and b later at the same place.
    let before = try text.at(2, .before)
    try text.type(2, 1, "")
    #expect(text.position(before) == 0)
  }

  @Test("From the length on a cursor is at the end, whatever comes there")
  func end() throws {
    var text = try Text("ab")
    let end = try text.at(2, .after)
    #expect(end == .end)
    try text.type(2, 0, "c")
    #expect(text.position(end) == 3)
  }

  @Test("An element that was overwritten is named by what overwrote it")
  func overwritten() throws {
    var text = try Text("ab")
    let old = try text.at(1, .after)
    _ = try text.model.apply(.put(text.id, .index(1), .string("z")))
    let new = try text.at(1, .after)
    #expect(new != old)
    #expect(text.position(old) == 1 && text.position(new) == 1)
  }

  @Test("At heads a cursor stands where it stood, and nowhere before its element was there")
  func past() throws {
    var text = try Text("ab")
    let early = text.model.heads()
    try text.type(0, 1, "xyz")
    let late = text.model.heads()
    let (old, new) = (try text.at(3, .after), try text.at(0, .after))
    let unknown = ObservedHeads(scheme: early.scheme, ids: ["0c#1"])
    func position(_ cursor: ObservedCursor, _ heads: ObservedHeads) -> Int? {
      text.model.position(of: cursor, in: text.id, at: heads)
    }
    #expect(position(old, early) == 1 && position(old, late) == 3)
    #expect(position(new, early) == nil && position(new, late) == 0)
    #expect(position(.end, early) == 2 && position(.end, unknown) == 0)
    #expect(position(old, unknown) == nil)
    let made = text.model.cursor(in: text.id, at: 1, moving: .after, heads: early)
    #expect(made == old)
    #expect(text.model.cursor(in: text.id, at: 2, moving: .after, heads: early) == .end)
  }

  @Test("A map has no cursors, and elements of others are not known")
  func unknown() throws {
    let text = try Text("ab")
    #expect(text.model.cursor(in: .root, at: 0, moving: .after) == nil)
    #expect(text.position(.element(OpID(counter: 9, actor: .b), .after)) == nil)
    #expect(text.model.position(of: .end, in: .root) == nil)
  }
}
