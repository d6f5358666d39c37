import AutomergeDocument
import DocumentCoding
import Foundation
import Testing

/// Nested containers, super encoders, classes.
///
/// Source: Specification/Codable.md, "Nested containers".
@Suite("Containers")
struct ContainerTests {
  enum Key: String, CodingKey { case a, b, c, d }

  /// Writes through nested containers of every kind, three levels deep.
  struct Nested: Codable, Equatable {
    var number = 1
    var dropsKeys = false

    init(_ number: Int, dropsKeys: Bool = false) {
      self.number = number
      self.dropsKeys = dropsKeys
    }

    func encode(to encoder: any Encoder) throws {
      var root = encoder.container(keyedBy: Key.self)
      if !dropsKeys { try root.encode(number, forKey: .d) }
      var inner = root.nestedContainer(keyedBy: Key.self, forKey: .a)
      try inner.encode(number, forKey: .a)
      if !dropsKeys { try inner.encode(["x": number], forKey: .b) }
      var innermost = inner.nestedContainer(keyedBy: Key.self, forKey: .c)
      try innermost.encode([number], forKey: .a)
      var list = root.nestedUnkeyedContainer(forKey: .b)
      try list.encode(number)
      try list.encode(Date(timeIntervalSince1970: 0))
      var first = list.nestedContainer(keyedBy: Key.self)
      try first.encode(number, forKey: .a)
      var second = list.nestedUnkeyedContainer()
      try second.encode(number)
      try second.encode(["y"])
      var third = list.nestedContainer(keyedBy: Key.self)
      try third.encode(Keyed(v: number), forKey: .a)
      // Asking again gives the same container.
      var again = root.nestedContainer(keyedBy: Key.self, forKey: .a)
      try again.encode(true, forKey: .d)
      #expect(list.count == 5)
      #expect(innermost.codingPath.map(\.stringValue).suffix(2) == ["a", "c"])
    }

    init(from decoder: any Decoder) throws {
      let root = try decoder.container(keyedBy: Key.self)
      let inner = try root.nestedContainer(keyedBy: Key.self, forKey: .a)
      number = try inner.decode(Int.self, forKey: .a)
      let innermost = try inner.nestedContainer(keyedBy: Key.self, forKey: .c)
      #expect(try innermost.decode([Int].self, forKey: .a) == [number])
      var list = try root.nestedUnkeyedContainer(forKey: .b)
      #expect(try list.decode(Int.self) == number)
      #expect(try list.decode(Date.self) == Date(timeIntervalSince1970: 0))
      let first = try list.nestedContainer(keyedBy: Key.self)
      #expect(try first.decode(Int.self, forKey: .a) == number)
      var second = try list.nestedUnkeyedContainer()
      #expect(try second.decode(Int.self) == number)
      #expect(try second.decode([String].self) == ["y"])
      let third = try list.nestedContainer(keyedBy: Key.self)
      #expect(try third.decode(Keyed<Int>.self, forKey: .a) == Keyed(v: number))
      #expect(list.isAtEnd)
    }
  }

  @Test("ENC-26: nested containers, at any depth, with clean-up of each") func nested() throws {
    try checkEveryPosition(
      Nested(7),
      .dict([
        "d": .scalar(.Int(7)),
        "a": .dict([
          "a": .scalar(.Int(7)), "b": .dict(["x": .scalar(.Int(7))]),
          "c": .dict(["a": .array([.scalar(.Int(7))])]), "d": .scalar(.Boolean(true)),
        ]),
        "b": .array([
          .scalar(.Int(7)), .scalar(.Timestamp(Date(timeIntervalSince1970: 0))),
          .dict(["a": .scalar(.Int(7))]),
          .array([.scalar(.Int(7)), .array([.scalar(.String("y"))])]),
          .dict(["a": .dict(["v": .scalar(.Int(7))])]),
        ]),
      ])
    )
    let doc = Document()
    try doc.encode(Nested(1))
    try doc.encode(Nested(1, dropsKeys: true))
    guard case .dict(let root) = try doc.tree(), case .dict(let inner)? = root["a"] else {
      Issue.record("no map")
      return
    }
    #expect(root.keys.sorted() == ["a", "b"])
    #expect(inner.keys.sorted() == ["a", "c", "d"])
  }

  class Base: Codable {
    var base = 1

    init() {}

    enum CodingKeys: CodingKey { case base }
  }

  final class Derived: Base {
    var own = 2

    enum CodingKeys: CodingKey { case own, other }

    override init() { super.init() }

    override func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(own, forKey: .own)
      let superEncoder = container.superEncoder()
      #expect(superEncoder.codingPath.isEmpty == encoder.codingPath.isEmpty)
      #expect(container.superEncoder(forKey: .other).codingPath.count == encoder.codingPath.count)
      try super.encode(to: superEncoder)
    }

    required init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      own = try container.decode(Int.self, forKey: .own)
      try super.init(from: container.superDecoder())
    }
  }

  @Test("ENC-27, DEC-14: a superclass shares the map of its subclass") func inheritance() throws {
    let doc = Document()
    let derived = Derived()
    derived.base = 5
    derived.own = 6
    try doc.encode(derived)
    #expect(
      try doc.tree()
        == .dict(["base": .scalar(.Int(5)), "own": .scalar(.Int(6)), "other": .dict([:])])
    )
    let decoded = try doc.decode(Derived.self)
    #expect(decoded.base == 5 && decoded.own == 6)
    #expect(try doc.operations { try doc.encode(decoded) } == 0)
  }

  /// Two superclasses' worth of fields, each under a key of its own, with equal names.
  struct TwoSupers: Codable, Equatable {
    var left = Keyed(v: 1)
    var right = Keyed(v: 2)

    init() {}

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try left.encode(to: container.superEncoder(forKey: .a))
      try right.encode(to: container.superEncoder(forKey: .b))
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      left = try Keyed(from: container.superDecoder(forKey: .a))
      right = try Keyed(from: container.superDecoder(forKey: .b))
    }
  }

  @Test("A super encoder with a key writes under it; 0.6.1's shared map is read too")
  func keyedSuper() throws {
    try checkEveryPosition(
      TwoSupers(),
      .dict(["a": .dict(["v": .scalar(.Int(1))]), "b": .dict(["v": .scalar(.Int(2))])])
    )
    let doc = try document([("v", .Int(9))])
    #expect(try doc.decode(TwoSupers.self).left == Keyed(v: 9))
  }

  struct UnkeyedSuper: Codable, Equatable {
    var first = Keyed(v: 1)
    var second = [2]

    init() {}

    func encode(to encoder: any Encoder) throws {
      var container = encoder.unkeyedContainer()
      try container.encode("x")
      try first.encode(to: container.superEncoder())
      try second.encode(to: container.superEncoder())
      try container.encode("y")
    }

    init(from decoder: any Decoder) throws {
      var container = try decoder.unkeyedContainer()
      #expect(try container.decode(String.self) == "x")
      first = try Keyed(from: container.superDecoder())
      second = try [Int](from: container.superDecoder())
      #expect(try container.decode(String.self) == "y")
    }
  }

  struct Empty: Codable, Equatable {
    func encode(to encoder: any Encoder) throws {}
    init() {}
    init(from decoder: any Decoder) throws {}
  }

  @Test("ENC-28: unkeyed super encoders, and types that ask for no container")
  func oddRequests() throws {
    try checkEveryPosition(
      UnkeyedSuper(),
      .array([
        .scalar(.String("x")), .dict(["v": .scalar(.Int(1))]), .array([.scalar(.Int(2))]),
        .scalar(.String("y")),
      ])
    )
    try checkEveryPosition(Empty(), .dict([:]))
    let doc = Document()
    try doc.encode(Empty())
    #expect(try doc.isEmpty())
    for strategy in [SchemaStrategy.override, .readonly] {
      try AutomergeEncoder(doc: doc, strategy: strategy).encode(Empty())
    }
    #expect(throws: CodingKeyLookupError.self) {
      try AutomergeEncoder(doc: doc, strategy: .readonly).encode(Empty(), at: path(key("x")))
    }
  }

  struct TwoKinds: Encodable {
    func encode(to encoder: any Encoder) throws {
      var map = encoder.container(keyedBy: Key.self)
      try map.encode(1, forKey: .a)
      var list = encoder.unkeyedContainer()
      try list.encode(1)
    }
  }

  @Test("Containers of two kinds for one value are refused") func twoKinds() throws {
    let doc = Document()
    #expect(throws: EncodingError.self) { try doc.encode(TwoKinds()) }
    #expect(try doc.isEmpty())
  }

  struct Twice: Encodable {
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(1)
      try container.encode(2)
    }
  }

  @Test("A second value through one single-value container is refused")
  func singleTwice() throws {
    let doc = Document()
    let error = #expect(throws: EncodingError.self) { try doc.encode(["a": Twice()]) }
    guard case .invalidValue(_, let context)? = error else {
      Issue.record("refused with \(String(describing: error))")
      return
    }
    #expect(context.codingPath.map(\.stringValue) == ["a"])
    #expect(
      context.debugDescription.hasPrefix(
        "one value encoded a second value through its single-value container"
      )
    )
    #expect(try doc.isEmpty())
  }

  struct SameKeyTwice: Encodable {
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(1, forKey: .a)
      try container.encode("x", forKey: .b)
      try container.encode(2, forKey: .a)
    }
  }

  @Test("Of two values for one key the later counts, and re-encoding adds nothing")
  func sameKeyTwice() throws {
    let doc = Document()
    try doc.encode(SameKeyTwice())
    #expect(try doc.tree() == .dict(["a": .scalar(.Int(2)), "b": .scalar(.String("x"))]))
    #expect(try doc.operations { try doc.encode(SameKeyTwice()) } == 0)
  }

  @Test("Keys that look alike but differ in bytes stay apart") func exactKeys() throws {
    struct Model: Encodable {
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: AnyCodingKey.self)
        try container.encode(1, forKey: AnyCodingKey("e\u{301}"))
        try container.encode(2, forKey: AnyCodingKey("\u{e9}"))
        for number in 0..<100 { try container.encode(number, forKey: AnyCodingKey("k\(number)")) }
        try container.encode(3, forKey: AnyCodingKey("e\u{301}"))
      }
    }
    let doc = Document()
    try doc.encode(Model())
    #expect(try doc.get(obj: .ROOT, key: "e\u{301}") == .Scalar(.Int(3)))
    #expect(try doc.get(obj: .ROOT, key: "\u{e9}") == .Scalar(.Int(2)))
    #expect(doc.length(obj: .ROOT) == 102)
    #expect(try doc.operations { try doc.encode(Model()) } == 0)
  }

  final class Chain: Codable {
    var next: Chain?

    init(length: Int) {
      var chain: Chain?
      for _ in 1..<length {
        let link = Chain(next: chain)
        chain = link
      }
      next = chain
    }

    private init(next: Chain?) { self.next = next }
  }

  @Test("Nesting is limited on both sides: at the limit it works, beyond it is refused")
  func depth() throws {
    // Threads of tests have less on some systems.
    try onStack(of: 8 << 20) { try Self.checkDepth() }
  }

  private static func checkDepth() throws {
    let doc = Document()
    try doc.encode(Chain(length: 512))
    let before = doc.heads()
    #expect(throws: EncodingError.self) { try doc.encode(Chain(length: 513)) }
    #expect(doc.heads() == before)
    _ = try doc.decode(Chain.self)
    var map = ObjId.ROOT
    for _ in 0..<600 { map = try doc.putObject(obj: map, key: "next", ty: .Map) }
    let error = #expect(throws: DecodingError.self) { try doc.decode(Chain.self) }
    guard case .dataCorrupted(let context)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(context.codingPath.count == 512)
  }
}
