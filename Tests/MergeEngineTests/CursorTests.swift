import Testing

@testable import MergeEngine

@Suite("Cursors")
struct CursorTests {
  private func text(_ content: String) throws -> (MergeDocument, ObjectID) {
    let document = MergeDocument(actor: actor(1))
    let text = try document.putObject(.root, .key("t"), .text)
    try document.spliceText(text, at: 0, delete: 0, insert: content)
    return (document, text)
  }

  @Test("A cursor stays with its element, whatever happens around it")
  func stays() throws {
    let (document, text) = try text("hello world")
    let cursor = try document.cursor(text, at: 6)
    try document.spliceText(text, at: 0, delete: 0, insert: "Oh, ")
    #expect(try document.position(text, of: cursor) == 10)
    try document.spliceText(text, at: 0, delete: 9)
    #expect(try document.position(text, of: cursor) == 1)
    let other = document.fork(actor: actor(2))
    try other.spliceText(text, at: 0, delete: 0, insert: "abc")
    try document.merge(other)
    #expect(try document.position(text, of: cursor) == 4)
    let loaded = try MergeDocument(loading: document.save(), actor: actor(3))
    #expect(try loaded.position(text, of: cursor) == 4)
  }

  @Test("A cursor whose element is deleted moves as it was told to")
  func moves() throws {
    let (document, text) = try text("abcdef")
    let (before, after) = (
      try document.cursor(text, at: 3, moving: .before), try document.cursor(text, at: 3)
    )
    let heads = document.heads
    try document.spliceText(text, at: 2, delete: 2)
    #expect(try document.text(text) == "abef")
    #expect(try document.position(text, of: before) == 1)
    #expect(try document.position(text, of: after) == 2)
    #expect(try document.position(text, of: before, at: heads) == 3)
    #expect(try document.position(text, of: after, at: heads) == 3)
    try document.spliceText(text, at: 0, delete: 2)
    #expect(try document.position(text, of: before) == 0)
    try document.spliceText(text, at: 0, delete: 2)
    #expect(try document.position(text, of: after) == 0)
  }

  @Test("Before goes to what the element was inserted behind, not to its neighbour")
  func reference() throws {
    let (document, text) = try text("ac")
    try document.spliceText(text, at: 1, delete: 0, insert: "b")
    // "c" was typed behind "a".
    let cursor = try document.cursor(text, at: 2, moving: .before)
    try document.spliceText(text, at: 2, delete: 1)
    #expect(try document.text(text) == "ab")
    #expect(try document.position(text, of: cursor) == 0)
  }

  @Test("The end is the end, now and at heads")
  func ends() throws {
    let (document, text) = try text("abc")
    let end = try document.cursor(text, at: 3)
    #expect(end == ElementCursor(.end))
    #expect(try document.cursor(text, at: 99) == end)
    let heads = document.heads
    try document.spliceText(text, at: 3, delete: 0, insert: "def")
    #expect(try document.position(text, of: end) == 6)
    #expect(try document.position(text, of: end, at: heads) == 3)
    // The length is that at the heads.
    #expect(try document.cursor(text, at: 4, heads: heads) == end)
    #expect(try document.position(text, of: ElementCursor(.start)) == 0)
  }

  @Test("A cursor on an overwritten element names the winner")
  func overwritten() throws {
    let document = MergeDocument(actor: actor(1))
    let list = try document.putObject(.root, .key("l"), .list)
    for value in 0..<4 as Range<Int64> { try document.insert(list, at: Int(value), .int(value)) }
    try document.put(list, .index(2), .string("new"))
    let cursor = try document.cursor(list, at: 2)
    let winner = try #require(try document.get(list, .index(2))?.id)
    #expect(cursor == ElementCursor(.element(winner, .after)))
    try document.delete(list, .index(0))
    #expect(try document.position(list, of: cursor) == 1)
    try document.delete(list, .index(1))
    #expect(try document.position(list, of: cursor) == 1)
  }

  @Test("A cursor of another object, or of later, is refused")
  func refusals() throws {
    let (document, text) = try text("abc")
    let heads = document.heads
    try document.spliceText(text, at: 3, delete: 0, insert: "d")
    let other = try document.putObject(.root, .key("u"), .text)
    let cursor = try document.cursor(text, at: 3)
    #expect(throws: EditError.invalidCursor(cursor)) { try document.position(other, of: cursor) }
    #expect(throws: EditError.invalidCursor(cursor)) { try document.position(.root, of: cursor) }
    #expect(throws: EditError.invalidCursor(cursor)) {
      try document.position(text, of: cursor, at: heads)
    }
    let foreign = ElementCursor(.element(OpID(counter: 3, actor: actor(9)), .after))
    #expect(throws: EditError.invalidCursor(foreign)) { try document.position(text, of: foreign) }
    #expect(throws: EditError.invalidOperation(kind: .map)) { try document.cursor(.root, at: 0) }
    #expect(throws: EditError.indexOutOfBounds(index: -1, length: 4)) {
      try document.cursor(text, at: -1)
    }
  }

  @Test(
    "Cursors have the bytes and texts that all implementations share",
    arguments: [
      (ElementCursor(.start), [1, 1], "s"), (ElementCursor(.end), [1, 2], "e"),
      (
        ElementCursor(.element(OpID(counter: 7, actor: ActorID([0x0a, 0x0b])), .after)),
        [1, 3, 2, 0x0a, 0x0b, 7, 2], "7@0a0b"
      ),
      (
        ElementCursor(.element(OpID(counter: 300, actor: ActorID([0x0a])), .before)),
        [1, 3, 1, 0x0a, 0xac, 2, 1], "-300@0a"
      ),
    ] as [(ElementCursor, [UInt8], String)]
  )
  func forms(_ cursor: ElementCursor, _ bytes: [UInt8], _ text: String) throws {
    #expect(cursor.bytes == bytes)
    #expect(cursor.description == text)
    #expect(try ElementCursor(bytes: bytes) == cursor)
    #expect(try ElementCursor(bytes: bytes + [0]) == cursor)
    #expect(ElementCursor(text) == cursor)
    for count in 0..<bytes.count {
      #expect(throws: ChunkError.self) { try ElementCursor(bytes: Array(bytes[..<count])) }
    }
  }

  @Test("The old form moves after; what is no cursor is refused")
  func oldForm() throws {
    let id = OpID(counter: 7, actor: ActorID([0x0a, 0x0b]))
    #expect(try ElementCursor(bytes: [0, 2, 0x0a, 0x0b, 7]) == ElementCursor(.element(id, .after)))
    for bytes in [[2], [1, 4], [1, 0], [1, 3, 0, 0, 2], [1, 3, 0, 7, 3]] as [[UInt8]] {
      #expect(throws: ChunkError.self) { try ElementCursor(bytes: bytes) }
    }
    for text in ["", "x", "7", "@0a", "7@0", "7@0A", "07@0a", "+7@0a", "--7@0a", "0@0a"] {
      #expect(ElementCursor(text) == nil, "\(text)")
    }
  }
}
