import AutomergeDocument
import Foundation
import Testing

@Suite("Paths")
struct PathTests {
  @Test(
    "A path is steps between dots (PTH-01)",
    arguments: [
      ("", "."), (".", "."), ("...", "."), ("..a..b", ".a.b"), (".a.b.", ".a.b"), ("a.b", ".a.b"),
      ("a b", ".a b"), ("a-1", ".a-1"), ("A_9\u{e9}", ".A_9\u{e9}"), ("a[0]", ".a[0]"),
      ("[1]", ".[1]"), ("[01]", ".[1]"), (".list.[45].notes", ".list.[45].notes"),
      ("[18446744073709551615]", ".[18446744073709551615]"),
    ]
  )
  func grammar(_ text: String, _ rendered: String) throws {
    let path = try AnyCodingKey.parsePath(text)
    #expect(path.stringPath() == rendered)
    #expect(path.map { $0 as any CodingKey }.stringPath() == rendered)
    #expect(try AnyCodingKey.parsePath(rendered) == path)
  }

  @Test("Steps are keys or indexes (PTH-01)")
  func steps() throws {
    let path = try AnyCodingKey.parsePath("a[0].[7].Z")
    #expect(path == [AnyCodingKey("a[0]"), AnyCodingKey(7), AnyCodingKey("Z")])
    #expect(path.map(\.intValue) == [nil, 7, nil])
  }

  @Test(
    "A step that is neither key nor index is refused (PTH-02)",
    arguments: ["1", "_x", "\u{e9}", "/", "[1", " a", "a.1", "]"]
  )
  func badKeys(_ text: String) throws {
    let step = String(try #require(text.split(separator: ".").last))
    #expect(throws: PathParseError.InvalidPathElement(step)) {
      try AnyCodingKey.parsePath(text)
    }
    #expect(PathParseError.InvalidPathElement(step).errorDescription == step)
  }

  @Test(
    "Brackets hold an index (PTH-03)",
    arguments: ["[]", "[x]", "[foo]", "[-1]", "[-0]", "[+3]", "[ 1]", "[18446744073709551616]"]
  )
  func badIndexes(_ text: String) {
    #expect(throws: PathParseError.EmptyListIndex(text)) {
      try AnyCodingKey.parsePath(text)
    }
    #expect(PathParseError.EmptyListIndex(text).errorDescription == text)
  }

  @Test("Paths of keys and of path elements are written alike (PTH-04, PTH-11)")
  func rendering() {
    #expect([AnyCodingKey]().stringPath() == ".")
    #expect([AnyCodingKey("a"), AnyCodingKey(3)].stringPath() == ".a.[3]")
    let elements = [
      PathElement(obj: .ROOT, prop: .Key("a")), PathElement(obj: .ROOT, prop: .Index(3)),
    ]
    #expect(elements.stringPath() == ".a.[3]")
    #expect(elements.map { AnyCodingKey($0) } == [AnyCodingKey("a"), AnyCodingKey(3)])
  }

  @Test("A key shows its text, an index itself in brackets (PTH-05)")
  func descriptions() {
    #expect(AnyCodingKey("a.b").description == "a.b")
    #expect(AnyCodingKey(.Index(4)).description == "[4]")
    #expect(AnyCodingKey.ROOT.description == "")
    #expect(AnyCodingKey.ROOT == AnyCodingKey(""))
  }

  @Test("No key traps: negative and huge indexes, text of an index (PTH-06)")
  func totality() {
    #expect(AnyCodingKey(intValue: -1) == nil)
    #expect(AnyCodingKey(intValue: 3)?.stringValue == "3")
    #expect(AnyCodingKey(stringValue: "1")?.intValue == nil)
    #expect(AnyCodingKey(UInt64.max).intValue == nil)
    #expect(AnyCodingKey(UInt64.max).stringValue == "18446744073709551615")
    struct Odd: CodingKey {
      var intValue: Int? = -1
      var stringValue = "odd"
      init() {}
      init?(intValue: Int) { nil }
      init?(stringValue: String) { nil }
    }
    #expect(AnyCodingKey(Odd()) == AnyCodingKey("odd"))
    #expect(AnyCodingKey(AnyCodingKey(UInt64.max)) == AnyCodingKey(UInt64.max))
    #expect(AnyCodingKey("1") != AnyCodingKey(1))
  }

  /// The document `{l: [{}], s: 1, t: Text}`.
  private func sample() throws -> (document: Document, ids: [String: ObjId]) {
    let document = Document()
    let list = try document.putObject(obj: .ROOT, key: "l", ty: .List)
    let inner = try document.insertObject(obj: list, index: 0, ty: .Map)
    try document.put(obj: .ROOT, key: "s", value: .Int(1))
    let text = try document.putObject(obj: .ROOT, key: "t", ty: .Text)
    return (document, ["": .ROOT, ".": .ROOT, "l": list, "t": text, "l.[0]": inner])
  }

  @Test("A path finds its object; an absent leaf or a scalar is none (PTH-07, PTH-08)")
  func lookup() throws {
    let (document, ids) = try sample()
    for (path, id) in ids { #expect(try document.lookupPath(path: path) == id, "\(path)") }
    for path in ["x", "s", "l.[0].q", "l.[1]"] {
      #expect(try document.lookupPath(path: path) == nil, "\(path)")
    }
    let heads = document.heads()
    _ = try? document.lookupPath(path: "x.y.z")
    #expect(document.heads() == heads)
  }

  @Test("A path that leads through nothing, a text or a scalar says so (PTH-08 to PTH-10)")
  func blocked() throws {
    let (document, _) = try sample()
    func failure(_ path: String) -> CodingKeyLookupError? {
      #expect(throws: CodingKeyLookupError.self) { _ = try document.lookupPath(path: path) }
    }
    let blocks = [
      ("IndexOutOfBounds", ["l.[2]", "l.[2].q", "l.[18446744073709551615]"]),
      ("SchemaMissing", ["x.y", "l.[1].q"]),
      ("PathExtendsThroughScalar", ["s.x", "s.[0]"]),
      ("PathExtendsThroughText", ["t.x", "t.[0]"]),
    ]
    for (name, paths) in blocks {
      for path in paths {
        let kind = failure(path).flatMap { Mirror(reflecting: $0).children.first?.label }
        #expect(kind == name, "\(path)")
      }
    }
    #expect(
      failure("l.[0].q.r")
        == .SchemaMissing("Nothing exists at .l.[0].q: the remaining path is .r")
    )
    for path in ["l.q", "[0]"] {
      #expect(throws: DocError.self) { _ = try document.lookupPath(path: path) }
    }
    #expect(throws: PathParseError.self) { _ = try document.lookupPath(path: "1") }
  }

  @Test("Errors of lookup are equal by their words, also those that nothing throws any more")
  func lookupErrors() {
    let cases: [(String) -> CodingKeyLookupError] = [
      CodingKeyLookupError.UnexpectedLookupFailure, CodingKeyLookupError.InvalidPathElement,
      CodingKeyLookupError.EmptyListIndex, CodingKeyLookupError.IndexOutOfBounds,
      CodingKeyLookupError.InvalidValueLookup, CodingKeyLookupError.InvalidIndexLookup,
      CodingKeyLookupError.PathExtendsThroughText, CodingKeyLookupError.PathExtendsThroughScalar,
      CodingKeyLookupError.MismatchedSchema, CodingKeyLookupError.SchemaMissing,
      CodingKeyLookupError.NoPathForSingleValue,
    ]
    for make in cases {
      #expect(make("words").errorDescription == "words")
      #expect(make("words").localizedDescription == "words")
      #expect(make("words").failureReason == nil)
      #expect("\(make("words"))" == "words")
      #expect(make("words") == make("words") && make("words") != make("others"))
    }
    let inner = DocError(kind: .wrongObjectType(.List))
    let outer = CodingKeyLookupError.AutomergeDocError(inner)
    #expect(
      outer.errorDescription == "An underlying Automerge error: \(inner.localizedDescription)"
    )
    #expect(outer == CodingKeyLookupError.AutomergeDocError(inner))
  }

  @Test("Errors are printed as sentences, not as names of cases")
  func printedErrors() {
    let element = PathParseError.InvalidPathElement("1\n")
    #expect(
      "\(element)"
        == #"The step "1\n" of a path is neither an index in brackets nor a key that begins with an ASCII letter."#
    )
    #expect(
      "\(PathParseError.EmptyListIndex("[]"))"
        == #"The step "[]" of a path has no index in its brackets."#
    )
    let errors: [any Error] = [
      BooleanScalarConversionError.notboolScalarValue(.Null),
      StringScalarConversionError.notstringScalarValue(.Null),
      URLScalarConversionError.notStringScalarValue(.Null),
      BytesScalarConversionError.notbytesScalarValue(.Null),
      TimestampScalarConversionError.notTimetampScalarValue(.Null),
      UIntScalarConversionError.notUIntScalarValue(.Null),
      IntScalarConversionError.notIntScalarValue(.Null),
      FloatingPointScalarConversionError.notF64ScalarValue(.Null),
    ]
    for error in errors {
      #expect("\(error)" == error.localizedDescription)
      #expect("\(error)".hasPrefix("Failed to read the scalar value"))
    }
  }

  @Test("An object tells its path, outermost step first (CRUD-14)")
  func objectPath() throws {
    let (document, ids) = try sample()
    let list = try #require(ids["l"])
    let inner = try #require(ids["l.[0]"])
    let leaf = try document.putObject(obj: inner, key: "leaf", ty: .Text)
    try document.insert(obj: list, index: 0, value: .Null)
    #expect(try document.path(obj: .ROOT).isEmpty)
    let path = try document.path(obj: leaf)
    #expect(
      path == [
        PathElement(obj: .ROOT, prop: .Key("l")), PathElement(obj: list, prop: .Index(1)),
        PathElement(obj: inner, prop: .Key("leaf")),
      ]
    )
    #expect(try document.lookupPath(path: path.stringPath()) == leaf)
    #expect(document.objectType(obj: path[1].obj) == .List)
  }
}
