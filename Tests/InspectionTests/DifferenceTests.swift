import MergeEngine
import Testing
import Texts

@testable import Inspection

@Suite("Marks and differences for the eye")
struct DifferenceTests {
  private func states() throws -> (before: MergeDocument, after: MergeDocument) {
    let before = MergeDocument(actor: ActorID([1]))
    try before.put(.root, .key("title"), .string("Plan A"))
    try before.put(.root, .key("gone"), .null)
    try before.put(.root, .key("count"), .counter(1))
    let text = try before.putObject(.root, .key("text"), .text)
    try before.spliceText(text, at: 0, delete: 0, insert: "hello")
    let list = try before.putObject(.root, .key("a list"), .list)
    for number in 0..<3 as Range<Int64> {
      try before.insert(list, at: Int(number), .int(number))
    }
    let after = before.fork(actor: ActorID([2]))
    try after.put(.root, .key("title"), .string("Plan\nB"))
    try after.delete(.root, .key("gone"))
    try after.increment(.root, .key("count"), by: 4)
    try after.mark(text, 1..<3, expand: .after, name: "bold", value: .bool(true))
    try after.spliceText(text, at: 3, delete: 0, insert: "XY")
    try after.delete(list, .index(0))
    let map = try after.insertObject(list, at: 2, .map)
    try after.put(map, .key("k"), .double(.nan))
    after.commit()
    return (before, after)
  }

  @Test("A difference has a line for each patch, safe for a terminal, in either direction")
  func differences() throws {
    let (before, after) = try states()
    let files = (("before", before.save()), ("after", after.save()))
    #expect(
      try DocumentDifference.lines(from: files.0, to: files.1) == [
        "count: add 4", "gone: delete", "title: put string \"Plan\\u{a}B\"",
        "text: at 3 type \"XY\" under bold boolean true", "text: mark 1..<3 bold boolean true",
        "\"a list\": at 0 delete 1", "\"a list\": at 2 insert new map",
        "\"a list\"[2].k: put double nan",
      ]
    )
    #expect(
      try DocumentDifference.lines(from: files.1, to: files.0, characterLimit: 3) == [
        "count: add -4", "gone: put null", "title: put string \"Pla\"... and 3 more",
        "text: at 3 delete 2", "text: mark 1..<3 no bold", "\"a list\": at 0 insert int 0",
        "\"a list\": at 3 delete 1",
      ]
    )
    #expect(try DocumentDifference.lines(from: files.0, to: files.0) == [])
  }

  @Test("Conflicts that come and that go are told, wherever they stand")
  func conflicts() throws {
    let one = MergeDocument(actor: ActorID([1]))
    let list = try one.putObject(.root, .key("list"), .list)
    for index in 0..<2 { try one.insert(list, at: index, .int(Int64(index))) }
    try one.put(.root, .key("title"), .string("old"))
    one.commit()
    let other = one.fork(actor: ActorID([2]))
    for (document, text) in [(one, "a"), (other, "b")] {
      try document.put(.root, .key("title"), .string(text))
      try document.put(list, .index(1), .string(text))
      document.commit()
    }
    let both = other.fork(actor: ActorID([3]))
    try both.merge(one)
    let files = (("other", other.save()), ("both", both.save()))
    #expect(
      try DocumentDifference.lines(from: files.0, to: files.1) == [
        "list[1]: now in conflict", "title: now in conflict",
      ]
    )
    #expect(
      try DocumentDifference.lines(from: files.1, to: files.0) == [
        "list[1]: no longer in conflict", "title: no longer in conflict",
      ]
    )
  }

  @Test("The tree and the full form show marks")
  func marks() throws {
    let after = try states().after
    #expect(try DocumentTree.lines(of: after).contains("  1..<5 bold: boolean true"))
    let text = try DocumentExport.full(of: after).text(.compact)
    #expect(
      text.contains(
        #""marks":[{"name":"bold","start":1,"end":5,"kind":"boolean","value":true}]"#
      )
    )
  }

  @Test("The tree and the full form say where a cursor stands, also in the past")
  func cursors() throws {
    let (before, after) = try states()
    guard case .object(let text, _) = try before.get(.root, .key("text"))?.value else {
      Issue.record("there is no text")
      return
    }
    let cursor = try before.cursor(text, at: 3)
    let places = CursorPlaces([cursor])
    #expect(try DocumentTree.lines(of: before, cursors: places).contains("  cursor \(cursor) at 3"))
    // "XY" was typed in front of it.
    #expect(try DocumentTree.lines(of: after, cursors: places).contains("  cursor \(cursor) at 5"))
    #expect(
      try DocumentExport.full(of: after, cursors: places).text(.compact)
        .contains(#""cursors":[{"cursor":"\#(cursor)","position":5}]"#)
    )
    for form in [cursor.description, ActorID(cursor.bytes).description] {
      #expect(CursorPlaces.cursor(form) == cursor)
    }
    #expect(CursorPlaces.cursor("7") == nil && CursorPlaces.cursor("0x01") == nil)
    let foreign = CursorPlaces([
      ElementCursor(.element(OpID(counter: 1, actor: ActorID([9])), .after))
    ])
    #expect(throws: InspectionError.noElement(of: "1@09")) {
      try DocumentTree.lines(of: after, cursors: foreign)
    }
    #expect(throws: InspectionError.noElement(of: "1@09")) {
      try DocumentExport.full(of: after, cursors: foreign)
    }
  }
}
