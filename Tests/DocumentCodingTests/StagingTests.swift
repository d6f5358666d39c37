import AutomergeDocument
import DocumentCoding
import Testing

/// What models may do to their encoder, beside what synthesized code does.
@Suite("Staging: what was asked for last counts, and what failed leaves nothing")
struct StagingTests {
  private struct Broken: Encodable {
    struct Failure: Error {}

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: AnyCodingKey.self)
      try container.encode(1, forKey: key("half"))
      throw Failure()
    }
  }

  @Test("A model that catches the failure of a part goes on without it") func caught() throws {
    struct Model: Encodable {
      struct Either: Encodable {
        func encode(to encoder: any Encoder) throws {
          var container = encoder.singleValueContainer()
          do { try container.encode(Broken()) } catch { try container.encode("instead") }
        }
      }

      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: AnyCodingKey.self)
        try? container.encode(Broken(), forKey: key("broken"))
        try container.encode(Either(), forKey: key("either"))
        var list = container.nestedUnkeyedContainer(forKey: key("list"))
        try list.encode(1)
        try? list.encode(Broken())
        try list.encode(2)
      }
    }
    let doc = Document()
    try doc.encode(Model())
    #expect(
      try doc.tree()
        == .dict([
          "either": .scalar(.String("instead")),
          "list": .array([.scalar(.Int(1)), .scalar(.Int(2))]),
        ])
    )
    #expect(try doc.operations { try doc.encode(Model()) } == 0)
  }

  @Test("A container under a key that is set again writes nowhere visible") func replaced() throws {
    struct Model: Encodable {
      let others: Int

      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: AnyCodingKey.self)
        var first = container.nestedContainer(keyedBy: AnyCodingKey.self, forKey: key("a"))
        try first.encode(1, forKey: key("seen"))
        let later = container.superEncoder(forKey: key("b"))
        for number in 0..<others { try container.encode(number, forKey: key("k\(number)")) }
        try container.encode(["x": 2], forKey: key("a"))
        try container.encode(3, forKey: key("b"))
        try first.encode(4, forKey: key("lost"))
        try ["lost": 5].encode(to: later)
      }
    }
    for others in [0, 200] {
      let doc = Document()
      try doc.encode(Model(others: others))
      guard case .Object(let map, .Map)? = try doc.get(obj: .ROOT, key: "a") else {
        Issue.record("no map")
        return
      }
      #expect(doc.keys(obj: map) == ["x"])
      #expect(try doc.get(obj: .ROOT, key: "b") == .Scalar(.Int(3)))
      #expect(doc.length(obj: .ROOT) == UInt64(others + 2))
      #expect(try doc.operations { try doc.encode(Model(others: others)) } == 0)
    }
  }

  private struct Deep: Encodable {
    let depth: Int

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: AnyCodingKey.self)
      for _ in 0..<depth {
        container = container.nestedContainer(keyedBy: AnyCodingKey.self, forKey: key("n"))
      }
      try container.encode(depth, forKey: key("end"))
    }
  }

  @Test("Nested containers without end are refused, and exhaust no stack") func endless() throws {
    try onStack(of: 8 << 20) {
      let doc = Document()
      try doc.encode(Deep(depth: 511))
      let heads = doc.heads()
      for depth in [512, 100_000] {
        for unknownKeys in [UnknownKeys.remove, .preserve] {
          #expect(throws: EncodingError.self) {
            try AutomergeEncoder(doc: doc, unknownKeys: unknownKeys).encode(Deep(depth: depth))
          }
        }
      }
      #expect(doc.heads() == heads)
      #expect(try doc.operations { try doc.encode(Deep(depth: 511)) } == 0)
    }
  }

  @Test("Fields in another order than their siblings' are found all the same") func order() throws {
    struct Model: Encodable, Equatable {
      struct Item: Encodable {
        let number: Int

        func encode(to encoder: any Encoder) throws {
          var container = encoder.container(keyedBy: AnyCodingKey.self)
          let names = ["id", "name", "a key of more than fifteen bytes", "e\u{301}", "\u{e9}"]
          let shift = number % names.count
          for name in names[shift...] + names[..<shift] where name.utf8.count != number {
            try container.encode(name.utf8.count, forKey: key(name))
          }
        }
      }

      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: AnyCodingKey.self)
        try container.encode((0..<40).map { Item(number: $0) }, forKey: key("items"))
      }
    }
    let doc = Document()
    try doc.encode(Model())
    #expect(try doc.operations { try doc.encode(Model()) } == 0)
    let again = Document()
    try again.encode(Model())
    #expect(try again.tree() == doc.tree())
  }
}
