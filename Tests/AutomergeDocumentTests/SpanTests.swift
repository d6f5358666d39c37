import AutomergeDocument
import Testing

@Suite("Spans of texts")
struct SpanTests {
  private func text(
    _ content: String,
    _ encoding: TextEncoding
  ) throws -> (Document, ObjId) {
    let document = Document(textEncoding: encoding)
    let text = try document.putObject(obj: .ROOT, key: "text", ty: .Text)
    try document.spliceText(obj: text, start: 0, delete: 0, value: content)
    return (document, text)
  }

  private func bold(_ start: UInt64, _ end: UInt64) -> Mark {
    Mark(start: start, end: end, name: "bold", value: .Boolean(true))
  }

  @Test(
    "Runs end where marks do, and at blocks, which end no mark",
    arguments: TextEncoding.allCases
  )
  func spans(_ encoding: TextEncoding) throws {
    let (document, text) = try text("hello world", encoding)
    let before = document.heads()
    try document.mark(
      obj: text,
      start: 1,
      end: 8,
      expand: .none,
      name: "bold",
      value: .Boolean(true)
    )
    try document.mark(obj: text, start: 3, end: 5, expand: .none, name: "a", value: .Int(1))
    let block = try document.insertObject(obj: text, index: 6, ty: .Map)
    try document.put(obj: block, key: "type", value: .String("paragraph"))
    // The block is as wide as U+FFFC, which it reads as.
    let width: UInt64 = encoding == .utf8 ? 3 : 1
    let spans = try document.spans(obj: text)
    #expect(
      spans == [
        .text("h", marks: []), .text("el", marks: [bold(1, 3)]),
        .text("lo", marks: [Mark(start: 3, end: 5, name: "a", value: .Int(1)), bold(3, 5)]),
        .text(" ", marks: [bold(5, 6)]), .block(block),
        .text("wo", marks: [bold(6 + width, 8 + width)]), .text("rld", marks: []),
      ]
    )
    #expect(try document.spansAt(obj: text, heads: before) == [.text("hello world", marks: [])])
    #expect(try document.spansAt(obj: text, heads: []) == [])
    try document.delete(obj: text, index: 6)
    #expect(try document.spans(obj: text).count == 5)
  }

  @Test("Marks whose names Swift holds to be equal stay two")
  func names() throws {
    let (document, text) = try text("ab", .unicodeScalar)
    for (name, number) in [("\u{e9}", Int64(1)), ("e\u{301}", 2)] {
      try document.mark(obj: text, start: 0, end: 2, expand: .none, name: name, value: .Int(number))
    }
    guard case .text("ab", let marks)? = try document.spans(obj: text).first else {
      Issue.record("no run")
      return
    }
    #expect(marks.map(\.value) == [.Int(2), .Int(1)])
  }

  @Test("Only texts have spans; what is no string and no map is a character of them")
  func others() throws {
    let (document, text) = try text("a", .utf16)
    try document.insert(obj: text, index: 1, value: .Int(7))
    _ = try document.insertObject(obj: text, index: 2, ty: .List)
    #expect(try document.spans(obj: text) == [.text("a\u{fffc}\u{fffc}", marks: [])])
    #expect(throws: DocError.self) { try document.spans(obj: .ROOT) }
    let list = try document.putObject(obj: .ROOT, key: "list", ty: .List)
    #expect(throws: DocError.self) { try document.spans(obj: list) }
  }
}
