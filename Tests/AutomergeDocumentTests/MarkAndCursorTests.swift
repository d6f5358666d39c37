import AutomergeDocument
import Foundation
import Testing

@Suite("Marks and cursors of documents")
struct MarkAndCursorTests {
  private func text(
    _ content: String,
    _ encoding: TextEncoding = .unicodeScalar
  ) throws -> (Document, ObjId) {
    let document = Document(textEncoding: encoding)
    let text = try document.putObject(obj: .ROOT, key: "text", ty: .Text)
    try document.spliceText(obj: text, start: 0, delete: 0, value: content)
    return (document, text)
  }

  // MARK: - Cursors

  @Test("TXT-04: A cursor follows its character")
  func follows() throws {
    let (document, text) = try text("hello world!")
    let heads = document.heads()
    let cursor = try document.cursor(obj: text, position: 6)
    #expect(try document.position(obj: text, cursor: cursor) == 6)
    try document.spliceText(obj: text, start: 3, delete: 3)
    #expect(try document.position(obj: text, cursor: cursor) == 3)
    let other = document.fork()
    try other.spliceText(obj: text, start: 0, delete: 0, value: "Well, ")
    try document.merge(other: other)
    #expect(try document.position(obj: text, cursor: cursor) == 9)
    #expect(try document.position(obj: text, cursor: cursor, heads: heads) == 6)
    // Deleted, it goes to what comes next, or before where it was told to.
    let before = try document.cursor(obj: text, position: 9, moving: .before)
    try document.spliceText(obj: text, start: 8, delete: 2)
    #expect(try document.position(obj: text, cursor: cursor) == 8)
    #expect(try document.position(obj: text, cursor: before) == 7)
  }

  @Test("TXT-05: A cursor at the length or beyond stays at the end")
  func end() throws {
    let (document, text) = try text("hi")
    let end = try document.cursor(obj: text, position: 2)
    #expect(try end == document.cursor(obj: text, position: .max))
    try document.spliceText(obj: text, start: 2, delete: 0, value: " there")
    #expect(try document.position(obj: text, cursor: end) == 8)
  }

  @Test("TXT-06: Cursors are made and read at heads, by the length there")
  func past() throws {
    let (document, text) = try text("abc")
    let heads = document.heads()
    try document.spliceText(obj: text, start: 0, delete: 0, value: "12345")
    let cursor = try document.cursor(obj: text, position: 1, heads: heads)
    #expect(try document.position(obj: text, cursor: cursor) == 6)
    #expect(try document.position(obj: text, cursor: cursor, heads: heads) == 1)
    let end = try document.cursor(obj: text, position: 4, heads: heads)
    #expect(try document.position(obj: text, cursor: end, heads: heads) == 3)
    #expect(try document.position(obj: text, cursor: end) == 8)
  }

  @Test("TXT-11: A cursor of another object or of later is refused, and so are other bytes")
  func refused() throws {
    let (document, text) = try text("abc")
    let heads = document.heads()
    let other = try document.putObject(obj: .ROOT, key: "other", ty: .Text)
    try document.spliceText(obj: text, start: 3, delete: 0, value: "d")
    let cursor = try document.cursor(obj: text, position: 3)
    for attempt in [
      { try document.position(obj: other, cursor: cursor) },
      { try document.position(obj: .ROOT, cursor: cursor) },
      { try document.position(obj: text, cursor: cursor, heads: heads) },
    ] {
      #expect(throws: DocError(kind: .invalidCursor(cursor))) { try attempt() }
    }
    #expect(throws: DocError(kind: .invalidCursor(cursor))) {
      try document.marksAt(obj: other, position: .cursor(cursor))
    }
    #expect(throws: DocError.self) { try document.cursor(obj: .ROOT, position: 0) }
    #expect(cursor.description == cursor.description.uppercased())
    #expect(Cursor(bytes: cursor.bytes) == cursor && Cursor(text: cursor.text) == cursor)
    #expect(Cursor(bytes: Data()) == nil && Cursor(text: "x") == nil)
  }

  // MARK: - Marks

  @Test("TXT-07: A null value takes a mark away, and heads before that show it still")
  func unmark() throws {
    let (document, text) = try text("Hello World!")
    try document.mark(
      obj: text,
      start: 0,
      end: 5,
      expand: .both,
      name: "bold",
      value: .Boolean(true)
    )
    let heads = document.heads()
    let bold = Mark(start: 0, end: 5, name: "bold", value: .Boolean(true))
    #expect(try document.marks(obj: text) == [bold])
    try document.mark(obj: text, start: 0, end: 5, expand: .both, name: "bold", value: .Null)
    #expect(try document.marks(obj: text) == [])
    #expect(try document.marksAt(obj: text, heads: heads) == [bold])
    #expect(try document.marksAt(obj: text, heads: []) == [])
  }

  @Test("TXT-08: The marks over one position start and end there, by name")
  func position() throws {
    let (document, text) = try text("Hello World!")
    for (name, start, end) in [("italic", 2, 9), ("bold", 0, 5)] as [(String, UInt64, UInt64)] {
      try document.mark(
        obj: text,
        start: start,
        end: end,
        expand: .none,
        name: name,
        value: .Boolean(true)
      )
    }
    let heads = document.heads()
    func marks(_ names: String..., at index: UInt64) -> [Mark] {
      names.map { Mark(start: index, end: index, name: $0, value: .Boolean(true)) }
    }
    #expect(try document.marksAt(obj: text, position: .index(3)) == marks("bold", "italic", at: 3))
    let cursor = try document.cursor(obj: text, position: 5)
    #expect(try document.marksAt(obj: text, position: .cursor(cursor)) == marks("italic", at: 5))
    #expect(try document.marksAt(obj: text, position: .index(99)) == [])
    try document.spliceText(obj: text, start: 0, delete: 0, value: "__")
    #expect(try document.marksAt(obj: text, position: .cursor(cursor)) == marks("italic", at: 7))
    let past = try document.marksAt(obj: text, position: .cursor(cursor), heads: heads)
    #expect(past == marks("italic", at: 5))
  }

  @Test(
    "TXT-09: A mark grows by what is typed at the ends where it expands",
    arguments: [
      (ExpandMark.before, 1, 4), (.after, 2, 5), (.both, 1, 5), (.none, 2, 4),
    ] as [(ExpandMark, UInt64, UInt64)]
  )
  func expands(_ expand: ExpandMark, _ start: UInt64, _ end: UInt64) throws {
    let (document, text) = try text("hello")
    try document.mark(
      obj: text,
      start: 1,
      end: 3,
      expand: expand,
      name: "b",
      value: .Boolean(true)
    )
    try document.spliceText(obj: text, start: 3, delete: 0, value: "Y")
    try document.spliceText(obj: text, start: 1, delete: 0, value: "X")
    #expect(
      try document.marks(obj: text)
        == [Mark(start: start, end: end, name: "b", value: .Boolean(true))]
    )
  }

  @Test("A mark out of bounds, or with its end before its start, is refused and makes nothing")
  func bounds() throws {
    let (document, text) = try text("abc")
    let heads = document.heads()
    for (start, end) in [(2, 1), (0, 4), (4, 4), (UInt64.max, UInt64.max)] as [(UInt64, UInt64)] {
      #expect(throws: DocError.self) {
        try document.mark(
          obj: text,
          start: start,
          end: end,
          expand: .both,
          name: "b",
          value: .Null
        )
      }
    }
    #expect(document.heads() == heads)
  }
}
