import AutomergeDocument
import DocumentCoding
import Foundation
import Testing

/// Strategies, cautious writing, and encoding at paths.
///
/// Source: Specification/Codable.md, "Schema strategies", "Cautious writing", "Locating a path".
@Suite("Strategies, cautious writing, targets")
struct OptionTests {
  private func lookupError(_ body: () throws -> Void) throws -> CodingKeyLookupError {
    try #require(throws: CodingKeyLookupError.self) { try body() }
  }

  @Test("STR-02: read-only makes no key, no element and no object, and deletes nothing")
  func readonly() throws {
    struct Model: Codable, Equatable {
      var a = 1
      var list = [1, 2]
      var table = ["x": 1]
      var text = AutomergeText("t")
      var maybe: Int?
    }
    let doc = Document()
    try doc.encode(Model(maybe: 3))
    let encoder = AutomergeEncoder(doc: doc, strategy: .readonly)
    let heads = doc.heads()
    func refuses(_ model: Model, _ place: String) throws {
      guard case .SchemaMissing(let words) = try lookupError({ try encoder.encode(model) }) else {
        Issue.record("no missing schema")
        return
      }
      #expect(words == "Nothing exists at \(place) and schema is read-only")
      #expect(doc.heads() == heads)
    }
    try refuses(Model(list: [1, 2, 3]), ".list.[2]")
    try refuses(Model(table: ["x": 1, "y": 2]), ".table.y")
    try encoder.encode(Model(list: [7], table: [:]))
    #expect(
      try doc.tree()
        == .dict([
          "a": .scalar(.Int(1)), "list": .array([.scalar(.Int(7)), .scalar(.Int(2))]),
          "table": .dict(["x": .scalar(.Int(1))]), "text": .text("t"),
          "maybe": .scalar(.Int(3)),
        ])
    )
    let empty = Document()
    let other = AutomergeEncoder(doc: empty, strategy: .readonly)
    for model in [Keyed(v: 1), Keyed(v: 2)] {
      guard case .SchemaMissing = try lookupError({ try other.encode(model) }) else {
        Issue.record("no missing schema")
        continue
      }
    }
    _ = try lookupError { try other.encode(Keyed(v: [Int]())) }
    _ = try lookupError { try other.encode(Keyed(v: AutomergeText())) }
    _ = try lookupError { try other.encode(Keyed(v: Counter())) }
    _ = try lookupError { try other.encode(1, at: path(key("a"), key("b"))) }
    #expect(empty.operationCount == 0)
    // Values of another kind may be written, objects may not go.
    try encoder.encode("x", at: path(key("a")))
    guard case .MismatchedSchema = try lookupError({ try encoder.encode(1, at: path(key("list"))) })
    else {
      Issue.record("no mismatch")
      return
    }
  }

  @Test("STR-03: override replaces what is of another kind") func override() throws {
    let doc = Document()
    let encoder = AutomergeEncoder(doc: doc, strategy: .override)
    func check<Value: Codable & Equatable>(_ value: Value, _ tree: Tree) throws {
      try encoder.encode(Keyed(v: value))
      #expect(try doc.tree() == .dict(["v": tree]))
      #expect(try doc.operations { try encoder.encode(Keyed(v: value)) } == 0)
    }
    try check(1, .scalar(.Int(1)))
    try check([1], .array([.scalar(.Int(1))]))
    try check(["a": 1], .dict(["a": .scalar(.Int(1))]))
    try check(AutomergeText("t"), .text("t"))
    try check(["a": 1], .dict(["a": .scalar(.Int(1))]))
    try check([["a": 1]], .array([.dict(["a": .scalar(.Int(1))])]))
    try check([1], .array([.scalar(.Int(1))]))
    try check([[1]], .array([.array([.scalar(.Int(1))])]))
    try check([AutomergeText("x")], .array([.text("x")]))
    try check("s", .scalar(.String("s")))
    try check(AutomergeText("u"), .text("u"))
    try check(Counter(3), .scalar(.Counter(3)))
    try encoder.encode(5, at: path(key("v"), key("w"), index(0)))
    #expect(try doc.tree() == .dict(["v": .dict(["w": .array([.scalar(.Int(5))])])]))
  }

  @Test("CAU-01 to CAU-04: cautious writing compares kinds, in every position")
  func cautious() throws {
    func check<Value: Codable & Equatable>(
      _ value: Value,
      _ word: String,
      over stored: ScalarValue,
      _ storedWord: String
    ) throws {
      let doc = try document([("v", stored)])
      let list = try doc.putObject(obj: .ROOT, key: "l", ty: .List)
      try doc.insert(obj: list, index: 0, value: stored)
      let heads = doc.heads()
      let encoder = AutomergeEncoder(doc: doc, cautiousWrite: true, unknownKeys: .preserve)
      func refused(_ path: [String], _ body: () throws -> Void) throws {
        let error = try #require(throws: EncodingError.self) { try body() }
        guard case .invalidValue(let given, let context) = error else { return }
        // The model's value and not the stored form, but for the width of integers.
        #expect(given is Value || Value.self is any FixedWidthInteger.Type, "\(type(of: given))")
        #expect(context.codingPath.map(\.stringValue) == path)
        #expect(
          context.debugDescription.hasPrefix(
            "The type in the automerge document (\(storedWord)) doesn't match the type being "
              + "written (\(word))"
          )
        )
        #expect(doc.heads() == heads)
      }
      try refused(["v"]) { try encoder.encode(Keyed(v: value)) }
      try refused(["v"]) { try encoder.encode(Keyed(v: Single(value))) }
      try refused(["v"]) { try encoder.encode(value, at: path(key("v"))) }
      try refused(["l", "0"]) { try encoder.encode([value], at: path(key("l"))) }
      try refused(["l", "0"]) { try encoder.encode(value, at: path(key("l"), index(0))) }
      // Without caution it is overwritten.
      try AutomergeEncoder(doc: doc).encode(Keyed(v: Single(value)))
      #expect(try doc.decode(Keyed<Value>.self).v == value)
    }
    let url = try #require(URL(string: "a:b"))
    let date = Date(timeIntervalSince1970: 1)
    try check(true, "bool", over: .Int(1), "int")
    try check("a", "string", over: .Int(1), "int")
    try check(1, "int", over: .Uint(1), "uint")
    try check(UInt8(1), "uint", over: .Int(1), "int")
    try check(1.5, "double", over: .String(""), "string")
    try check(Float(1.5), "double", over: .Bytes(Data()), "bytes")
    try check(date, "timestamp", over: .Int(1), "int")
    try check(Data([1]), "bytes", over: .Timestamp(date), "timestamp")
    try check(url, "string", over: .Uint(1), "uint")
    try check(Counter(1), "counter", over: .Int(1), "int")
    try check(1, "int", over: .Counter(1), "counter")
    try check(1, "int", over: .Unknown(typeCode: 12, data: Data()), "unknown(12)")
  }

  @Test("A cautious encode of the same kinds passes, a stored null fits all") func cautiousPasses()
    throws
  {
    struct Model: Codable, Equatable {
      var link = URL(string: "a:b")
      var number = 1
      var date = Date(timeIntervalSince1970: 5)
      var list = [1, 2, 3]
      var text = AutomergeText("t")
      var counter = Counter(1)
    }
    let doc = Document()
    let encoder = AutomergeEncoder(doc: doc, cautiousWrite: true)
    try encoder.encode(Model())
    var model = Model()
    model.link = URL(string: "c:d")
    model.number = 2
    model.list = [0, 1, 4, 3]
    try encoder.encode(model)
    let empty = try document([("v", .Null)])
    try AutomergeEncoder(doc: empty, cautiousWrite: true).encode(Keyed(v: 1))
    #expect(try empty.decode(Keyed<Int>.self).v == 1)
    let nils = try document([("v", .F64(1)), ("w", .F64(1))])
    let other = AutomergeEncoder(doc: nils, cautiousWrite: true)
    #expect(throws: EncodingError.self) { try other.encode(Keyed(v: Int?.none)) }
    struct KeyedNil: Encodable {
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: AnyCodingKey.self)
        try container.encodeNil(forKey: AnyCodingKey("v"))
      }
    }
    try other.encode(KeyedNil())
    #expect(try nils.tree() == .dict(["v": .scalar(.Null)]))
    #expect(throws: EncodingError.self) {
      try other.encode(Keyed(v: Double.nan))
    }
    for kind in [ObjType.Map, .List, .Text] {
      let doc = Document()
      _ = try doc.putObject(obj: .ROOT, key: "v", ty: kind)
      #expect(throws: EncodingError.self) {
        try AutomergeEncoder(doc: doc, cautiousWrite: true).encode(Keyed(v: 1))
      }
    }
  }

  @Test("TGT-01, TGT-02: missing maps and lists are made, siblings stay") func targets() throws {
    let doc = try document([("keep", .Int(1))])
    let encoder = AutomergeEncoder(doc: doc)
    try encoder.encode(Keyed(v: 1), at: path(key("a"), index(0), key("b")))
    try encoder.encode(Keyed(v: 2), at: path(key("a"), index(0), key("c")))
    let inner = Tree.dict(["v": .scalar(.Int(1))])
    let expected = Tree.dict([
      "keep": .scalar(.Int(1)),
      "a": .array([.dict(["b": inner, "c": .dict(["v": .scalar(.Int(2))])])]),
    ])
    #expect(try doc.tree() == expected)
    try encoder.encode([1, 2, 3], at: path(key("n")))
    try encoder.encode([2], at: path(key("n")))
    #expect(try AutomergeDecoder(doc: doc).decode([Int].self, from: path(key("n"))) == [2])
    let error = #expect(throws: EncodingError.self) {
      try encoder.encode([Double.nan], at: path(key("n")))
    }
    guard case .invalidValue(_, let context)? = error else { return }
    #expect(context.codingPath.map(\.stringValue) == ["n", "0"])
  }

  @Test("TGT-03 to TGT-05: indexes replace, append, or are out of bounds") func indexes() throws {
    let doc = try document(list: "l", [.Int(1), .Int(2)])
    let encoder = AutomergeEncoder(doc: doc)
    func list() throws -> [Int] {
      try AutomergeDecoder(doc: doc).decode([Int].self, from: path(key("l")))
    }
    #expect(try doc.operations { try encoder.encode(9, at: path(key("l"), index(0))) } == 1)
    #expect(try list() == [9, 2])
    try encoder.encode(3, at: path(key("l"), index(2)))
    #expect(try list() == [9, 2, 3])
    for index_ in [4, 5, UInt64.max] {
      guard
        case .IndexOutOfBounds(let words) = try lookupError({
          try encoder.encode(1, at: path(key("l"), index(index_)))
        })
      else {
        Issue.record("no bounds")
        continue
      }
      if index_ == 5 {
        #expect(words == "Index value 5 is too far beyond the length: 3 to append a new item.")
      }
    }
    guard
      case .IndexOutOfBounds = try lookupError({
        try AutomergeEncoder(doc: doc, strategy: .readonly)
          .encode(1, at: path(key("l"), index(7)))
      })
    else {
      Issue.record("no bounds")
      return
    }
    #expect(try list() == [9, 2, 3])
  }

  @Test("What stands in the way of a path is named") func obstacles() throws {
    let doc = try document([("s", .Int(1))])
    _ = try doc.putObject(obj: .ROOT, key: "t", ty: .Text)
    _ = try doc.putObject(obj: .ROOT, key: "l", ty: .List)
    let encoder = AutomergeEncoder(doc: doc)
    let heads = doc.heads()
    guard
      case .PathExtendsThroughScalar = try lookupError({
        try encoder.encode(1, at: path(key("new"), key("x")))
        try encoder.encode(1, at: path(key("s"), key("x")))
      })
    else { throw Unexpected() }
    guard
      case .PathExtendsThroughText = try lookupError({
        try encoder.encode(1, at: path(key("t"), key("x")))
      })
    else { throw Unexpected() }
    guard
      case .AutomergeDocError = try lookupError({
        try encoder.encode(1, at: path(key("l"), key("x")))
      })
    else { throw Unexpected() }
    guard
      case .AutomergeDocError = try lookupError({
        try encoder.encode(1, at: path(index(0)))
      })
    else { throw Unexpected() }
    guard
      case .MismatchedSchema = try lookupError({
        try encoder.encode(Keyed(v: 1), at: path(key("l")))
      })
    else { throw Unexpected() }
    #expect(doc.heads() != heads)
    #expect(try doc.lookupPath(path: "new") != nil)
  }

  struct Unexpected: Error {}

  @Test("Front ends have the parameters and defaults of the original") func frontEnds() {
    let doc = Document()
    let encoder = AutomergeEncoder(
      doc: doc,
      strategy: .readonly,
      cautiousWrite: true,
      reportingLoglevel: .tracing
    )
    #expect(encoder.schemaStrategy == .readonly && encoder.cautiousWrite)
    #expect(encoder.logLevel == .tracing && encoder.doc === doc)
    let plain = AutomergeEncoder(doc: doc)
    #expect(plain.schemaStrategy == .createWhenNeeded && !plain.cautiousWrite)
    #expect(plain.unknownKeys == .remove && plain.dateTruncation == .seconds)
    #expect(plain.logLevel == .errorOnly && plain.userInfo.isEmpty)
  }
}
