import AutomergeDocument
import DocumentCoding
import Foundation
import Testing

/// Every type in every position.
///
/// Source: Specification/Codable.md, "Shapes", "Encoding by type".
@Suite("Types in every position")
struct PositionTests {
  @Test("ENC-01: booleans and numbers") func numbers() throws {
    try checkEveryPosition(true, .scalar(.Boolean(true)))
    try checkEveryPosition(Int.min, .scalar(.Int(.min)))
    try checkEveryPosition(Int8(-128), .scalar(.Int(-128)))
    try checkEveryPosition(Int16.max, .scalar(.Int(32_767)))
    try checkEveryPosition(Int32.min, .scalar(.Int(-2_147_483_648)))
    try checkEveryPosition(Int64.max, .scalar(.Int(.max)))
    try checkEveryPosition(UInt.max, .scalar(.Uint(.max)))
    try checkEveryPosition(UInt8.max, .scalar(.Uint(255)))
    try checkEveryPosition(UInt16(7), .scalar(.Uint(7)))
    try checkEveryPosition(UInt32.max, .scalar(.Uint(4_294_967_295)))
    try checkEveryPosition(UInt64.max, .scalar(.Uint(.max)))
    try checkEveryPosition(1.25, .scalar(.F64(1.25)))
    try checkEveryPosition(Float(0.1), .scalar(.F64(0.10000000149011612)))
  }

  @Test("ENC-02: a string is a scalar") func strings() throws {
    try checkEveryPosition("", .scalar(.String("")))
    try checkEveryPosition("a\u{301}\0\u{1F468}", .scalar(.String("a\u{301}\0\u{1F468}")))
  }

  @Test("ENC-03, ENC-06 to ENC-08: dates, bytes, URLs, UUIDs") func foundation() throws {
    let date = Date(timeIntervalSince1970: 1_700_000_000)
    try checkEveryPosition(date, .scalar(.Timestamp(date)))
    try checkEveryPosition(Data([0, 255]), .scalar(.Bytes(Data([0, 255]))))
    let url = try #require(URL(string: "https://example.com/a?b=c#d"))
    try checkEveryPosition(url, .scalar(.String("https://example.com/a?b=c#d")))
    let uuid = try #require(UUID(uuidString: "0af6d1d0-5d3c-4f0e-9b4a-000000000001"))
    try checkEveryPosition(uuid, .scalar(.String("0AF6D1D0-5D3C-4F0E-9B4A-000000000001")))
  }

  @Test("A relative URL keeps what it resolves to") func relativeURL() throws {
    let base = try #require(URL(string: "https://example.com/a/"))
    let url = try #require(URL(string: "b", relativeTo: base))
    let doc = Document()
    try doc.encode(Keyed(v: url))
    #expect(try doc.tree() == .dict(["v": .scalar(.String("https://example.com/a/b"))]))
    #expect(try doc.decode(Keyed<URL>.self).v.absoluteString == url.absoluteString)
  }

  struct Point: Codable, Hashable {
    var x = 1
    var y: Int?
  }

  enum Raw: String, Codable {
    case first = "1st"
    case second
  }
  enum Number: Int, Codable {
    case one = 1
    case two
  }
  enum Plain: Codable, Equatable { case todo, done }
  enum Rich: Codable, Equatable {
    case point(Point)
    case maybe(Point?)
    case several(Point, [Int], Plain)
    case list([Rich])
    case when(at: Date, link: URL, id: UUID, data: Data)
  }

  @Test("ENC-14 to ENC-16, DEC-01: structs, arrays, sets, ranges, dictionaries") func containers()
    throws
  {
    let point = Tree.dict(["x": .scalar(.Int(1))])
    try checkEveryPosition(Point(), point)
    try checkEveryPosition([Point()], .array([point]))
    try checkEveryPosition([Int](), .array([]))
    try checkEveryPosition([String: Int](), .dict([:]))
    try checkEveryPosition(Set([5]), .array([.scalar(.Int(5))]))
    try checkEveryPosition(1..<4, .array([.scalar(.Int(1)), .scalar(.Int(4))]))
    try checkEveryPosition(["a": ["b": [Point()]]], .dict(["a": .dict(["b": .array([point])])]))
  }

  @Test("ENC-21 to ENC-24: enums") func enums() throws {
    try checkEveryPosition(Raw.first, .scalar(.String("1st")))
    try checkEveryPosition(Number.two, .scalar(.Int(2)))
    try checkEveryPosition(Plain.todo, .dict(["todo": .dict([:])]))
    let point = Tree.dict(["x": .scalar(.Int(1))])
    try checkEveryPosition(Rich.point(Point()), .dict(["point": .dict(["_0": point])]))
    try checkEveryPosition(Rich.maybe(Point()), .dict(["maybe": .dict(["_0": point])]))
    try checkEveryPosition(Rich.maybe(nil), .dict(["maybe": .dict([:])]))
    try checkEveryPosition(
      Rich.several(Point(), [1], .done),
      .dict([
        "several": .dict([
          "_0": point, "_1": .array([.scalar(.Int(1))]), "_2": .dict(["done": .dict([:])]),
        ])
      ])
    )
    try checkEveryPosition(
      Rich.list([.point(Point()), .list([])]),
      .dict([
        "list": .dict([
          "_0": .array([
            .dict(["point": .dict(["_0": point])]), .dict(["list": .dict(["_0": .array([])])]),
          ])
        ])
      ])
    )
    let date = Date(timeIntervalSince1970: 5)
    let url = try #require(URL(string: "a:b"))
    let uuid = UUID()
    try checkEveryPosition(
      Rich.when(at: date, link: url, id: uuid, data: Data([1])),
      .dict([
        "when": .dict([
          "at": .scalar(.Timestamp(date)), "link": .scalar(.String("a:b")),
          "id": .scalar(.String(uuid.uuidString)), "data": .scalar(.Bytes(Data([1]))),
        ])
      ])
    )
  }

  @Test("ENC-19: keys that are no strings become an alternating list") func pairs() throws {
    let uuid = UUID()
    try checkEveryPosition(
      [uuid: Point()],
      .array([.scalar(.String(uuid.uuidString)), .dict(["x": .scalar(.Int(1))])])
    )
  }

  /// One value of each Foundation type that asks for containers of its own.
  @Test("Foundation's own coding is followed") func requests() throws {
    func check<Value: Codable & Equatable>(_ value: Value) throws {
      for model in [Keyed(v: [value]), Keyed(v: [value, value])] {
        let doc = Document()
        try doc.encode(model)
        #expect(try doc.decode(Keyed<[Value]>.self) == model)
        #expect(try doc.operations { try doc.encode(model) } == 0, "\(Value.self)")
      }
    }
    try check(Decimal(string: "-12345678901234567890.125") ?? 0)
    try check(Locale(identifier: "de_DE"))
    try check(TimeZone(identifier: "Europe/Berlin") ?? .gmt)
    try check(IndexSet([1, 2, 3, 9]))
    try check(IndexPath(indexes: [1, 2]))
    try check(DateComponents(year: 2024, month: 2))
    try check(DateInterval(start: Date(timeIntervalSince1970: 0), duration: 5))
    try check(CharacterSet(charactersIn: "abc"))
    try check(PersonNameComponents(givenName: "A", familyName: "B"))
    try check(1...3)
    try check(Measurement(value: 1.5, unit: UnitLength.meters))
  }

  #if canImport(Darwin)
  @Test("An attributed string is followed, too, as far as it has a coding: on Apple systems")
  func attributedString() throws {
    for text in ["", "a\u{301}", "plain"] {
      let model = Keyed(v: [AttributedString(text)])
      let doc = Document()
      try doc.encode(model)
      #expect(try doc.decode(Keyed<[AttributedString]>.self) == model)
      #expect(try doc.operations { try doc.encode(model) } == 0)
    }
  }
  #endif

  @Test("ENC-20: integer coding keys name keys, with containers too") func integerKeys() throws {
    struct Model: Codable, Equatable {
      var a = 1
      var b = [1, 2]
      var c = ["x": 1]

      enum CodingKeys: Int, CodingKey { case a, b, c }
    }
    try checkEveryPosition(
      Model(),
      .dict([
        "a": .scalar(.Int(1)), "b": .array([.scalar(.Int(1)), .scalar(.Int(2))]),
        "c": .dict(["x": .scalar(.Int(1))]),
      ])
    )
  }

  @Test("ENC-18: a dictionary with integer keys is refused, with the reason")
  func integerDictionary() throws {
    let doc = Document()
    let error = #expect(throws: EncodingError.self) {
      try doc.encode(Keyed(v: [1: "a"]))
    }
    guard case .invalidValue(_, let context)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(context.codingPath.map(\.stringValue) == ["v"])
    #expect(context.debugDescription.contains("Int"))
    #expect(try doc.isEmpty())
  }

  @Test("ENC-10 to ENC-13: nil") func nils() throws {
    struct Explicit: Codable, Equatable {
      var v: Int?

      init(_ v: Int?) { self.v = v }

      enum CodingKeys: CodingKey { case v }

      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(v, forKey: .v)
      }
    }
    struct Elements: Encodable {
      func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encodeNil()
        try container.encode(1)
        try container.encodeNil()
        #expect(container.count == 3)
      }
    }
    let doc = Document()
    try doc.encode(MaybeKeyed<Int>(v: 1))
    try doc.encode(MaybeKeyed<Int>(v: nil))
    #expect(try doc.tree() == .dict([:]))
    #expect(try doc.decode(MaybeKeyed<Int>.self) == MaybeKeyed(v: nil))
    try doc.encode(Explicit(nil))
    #expect(try doc.tree() == .dict(["v": .scalar(.Null)]))
    #expect(try doc.decode(Explicit.self) == Explicit(nil))
    let added = try doc.operations {
      try doc.encode(Explicit(nil))
      try doc.encode(try doc.decode(MaybeKeyed<Int>.self))
    }
    #expect(added == 0)
    try AutomergeEncoder(doc: doc).encode(Elements(), at: path(key("l")))
    #expect(
      try AutomergeDecoder(doc: doc).decode([Int?].self, from: path(key("l"))) == [nil, 1, nil]
    )
  }

  @Test("ENC-32: nil at the root has no effect") func nilRoot() throws {
    let doc = Document()
    try AutomergeEncoder(doc: doc).encode(nil as Keyed<Int>?)
    #expect(try doc.isEmpty())
    try AutomergeEncoder(doc: doc).encode(Keyed(v: 1) as Keyed<Int>?)
    #expect(try doc.tree() == .dict(["v": .scalar(.Int(1))]))
  }

  @Test("ENC-33: a root value that is no map is refused") func unkeyedRoot() throws {
    let doc = Document()
    let expected = CodingKeyLookupError.InvalidIndexLookup(
      "An empty path refers to ROOT and is always a map."
    )
    #expect(throws: expected) { try doc.encode(1) }
    #expect(throws: expected) { try doc.encode([1]) }
    #expect(throws: expected) { try doc.encode("a") }
    #expect(throws: expected) { try doc.encode(Date(timeIntervalSince1970: 0)) }
    for type in [Int.self, [Int].self, String.self, Date.self] as [any Decodable.Type] {
      let error = #expect(throws: DecodingError.self) { try doc.decode(type) }
      guard case .typeMismatch(_, let context)? = error else {
        Issue.record("\(type): \(String(describing: error))")
        continue
      }
      #expect(context.underlyingError as? CodingKeyLookupError == expected)
    }
  }

  @Test("ENC-09: numbers that are no finite number are refused in every position")
  func nonFinite() throws {
    func check<Model: Encodable>(_ model: Model, _ path: [String]) {
      let doc = Document()
      let error = #expect(throws: EncodingError.self) { try doc.encode(model) }
      guard case .invalidValue(_, let context)? = error else { return }
      #expect(context.codingPath.map(\.stringValue) == path)
      #expect(doc.operationCount == 0)
    }
    for number in [Double.nan, .infinity, -.infinity] {
      check(Keyed(v: number), ["v"])
      check(MaybeKeyed(v: number), ["v"])
      check(Keyed(v: [1, number]), ["v", "1"])
      check(Keyed(v: ["a": number]), ["v", "a"])
      check(Keyed(v: ByHand(0, number)), ["v", "1"])
      check(Keyed(v: Single(number)), ["v"])
      check(Keyed(v: Float(number)), ["v"])
      check(MaybeKeyed(v: Float(number)), ["v"])
      check(Keyed(v: [Float(number)]), ["v", "0"])
      check(Keyed(v: ByHand(0, Float(number))), ["v", "1"])
      check(Keyed(v: Single(Float(number))), ["v"])
    }
  }

  @Test("ENC-34, DEC-15: userInfo reaches the model") func userInfo() throws {
    struct Model: Codable {
      static var key: CodingUserInfoKey? { CodingUserInfoKey(rawValue: "name") }
      var name = ""

      init() {}

      init(from decoder: any Decoder) throws {
        name = Self.key.flatMap { decoder.userInfo[$0] as? String } ?? "missing"
      }

      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: AnyCodingKey.self)
        let value = Self.key.flatMap { encoder.userInfo[$0] as? String } ?? "missing"
        try container.encode(value, forKey: AnyCodingKey("name"))
      }
    }
    let doc = Document()
    let name = try #require(Model.key)
    var encoder = AutomergeEncoder(doc: doc)
    encoder.userInfo[name] = "a"
    try encoder.encode(Keyed2(v: [Model()]))
    #expect(try doc.tree() == .dict(["v": .array([.dict(["name": .scalar(.String("a"))])])]))
    var decoder = AutomergeDecoder(doc: doc)
    decoder.userInfo[name] = "b"
    #expect(try decoder.decode(Keyed2<Model>.self).v[0].name == "b")
  }

  struct Keyed2<Value: Codable>: Codable {
    var v: [Value]
  }
}
