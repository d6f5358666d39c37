import MergeEngine
import Testing

@testable import Inspection

@Suite("Places of a document as people write them")
struct DocumentPathTests {
  private static let written: [(props: [Prop], text: String)] = [
    ([.key("title")], "title"), ([.key("list"), .index(0), .key("a_1")], "list[0].a_1"),
    ([.key("0"), .key("1"), .index(2), .index(3)], "0.1[2][3]"),
    ([.key("a.b"), .key("c[0]"), .key("d/e")], #""a.b"."c[0]"."d/e""#),
    ([.key(""), .key(" ")], #"""." ""#),
    ([.key(#"say "no"\"#), .index(7)], #""say \"no\"\\"[7]"#),
    ([.key("line\nfeed\u{202E}")], #""line\u{a}feed\u{202e}""#),
    ([.key("e\u{301}"), .key("\u{e9}"), .key("名")], #""e\#u{301}"."é"."名""#),
    ([.key("document")], "document"),
  ]

  @Test("What is written is read, and the other way round", arguments: written.indices)
  func inverse(_ index: Int) throws {
    let (props, text) = Self.written[index]
    #expect(DocumentPath(props).description == text)
    let read = try #require(DocumentPath(text))
    // Equal as texts is not enough: keys are told apart by their scalars.
    #expect(read.props.map(Self.scalars) == props.map(Self.scalars))
  }

  private static func scalars(_ prop: Prop) -> [UInt32] {
    switch prop {
    case .key(let key): key.unicodeScalars.map(\.value)
    case .index(let index): [UInt32.max, UInt32(index)]
    }
  }

  @Test(
    "Another text is no such path",
    arguments: [
      "", ".", "a.", ".a", "a..b", "a[", "a[]", "a[x]", "a[-1]", "a[+1]", "a[1", "a[1]b", "a b",
      "a/b", #""a"#, #""a"b"#, #""\x""#, #""\u{110000}""#, "a-b", "a[99999999999999999999]",
    ]
  )
  func refuses(_ text: String) {
    #expect(DocumentPath(text) == nil)
  }

  private static func document() throws -> MergeDocument {
    let document = MergeDocument(actor: ActorID([1]))
    let list = try document.putObject(.root, .key("list"), .list)
    let map = try document.insertObject(list, at: 0, .map)
    for (key, value) in [("a.b", 1), ("c/d", 2), ("0", 3)] as [(String, Int64)] {
      try document.put(map, .key(key), .int(value))
    }
    try document.put(.root, .key("x.y"), .int(4))
    document.commit()
    return document
  }

  @Test(
    "A place is shown by either form",
    arguments: [
      ("list[0].\"a.b\"", "\"a.b\": int 1"), ("list/0/a.b", "\"a.b\": int 1"),
      ("list[0].\"c/d\"", "\"c/d\": int 2"), ("list[0].0", "0: int 3"), ("list/0/0", "0: int 3"),
      ("\"x.y\"", "\"x.y\": int 4"), ("x.y", "\"x.y\": int 4"),
    ]
  )
  func shown(_ path: String, _ line: String) throws {
    #expect(try DocumentTree.lines(of: Self.document(), path: path) == [line])
  }

  @Test(
    "Where nothing is, that is said with both forms",
    arguments: ["list[1]", "list.0", "list[0].a", "[0]", "list/1", "x", "x.y.z", "list[0].0[0]"]
  )
  func nothing(_ path: String) throws {
    let error = #expect(throws: InspectionError.nothing(at: path)) {
      try DocumentTree.lines(of: Self.document(), path: path)
    }
    #expect(error?.description.contains("list[0].title, or keys and positions") == true)
  }

  @Test("Each place of a difference is one that is shown")
  func ofDifferences() throws {
    let empty = MergeDocument(actor: ActorID([1]))
    let document = try Self.document()
    let lines = try DocumentDifference.lines(
      from: ("empty", empty.save()),
      to: ("full", document.save())
    )
    for line in lines {
      let place = try #require(line.firstRange(of: ": ").map { String(line[..<$0.lowerBound]) })
      #expect(try !DocumentTree.lines(of: document, path: place).isEmpty, "\(line)")
    }
    #expect(lines.count >= 5)
  }
}
