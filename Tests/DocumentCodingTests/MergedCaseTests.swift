import AutomergeDocument
import DocumentCoding
import Foundation
import Testing

/// Which maps show another case of an enum, and what takes the place of another value without a refusal.
@Suite("Cases that merge")
struct MergedCaseTests {
  typealias Edit = WholeValueTests.Edit
  typealias Box = WholeValueTests.Box

  struct Text: Codable, Equatable {
    var title: String
    var body: String
    var size: Int?
  }

  struct Image: Codable, Equatable {
    var title: String
    var image: String
  }

  struct Link: Codable, Equatable {
    var body: String
    var url: String
  }

  /// With the case nowhere but in the keys of what it hands on.
  enum Block: Codable, Equatable {
    case text(Text)
    case image(Image)
    case link(Link)

    init(from decoder: any Decoder) throws {
      if let text = try? Text(from: decoder) {
        self = .text(text)
      } else if let image = try? Image(from: decoder) {
        self = .image(image)
      } else {
        self = .link(try Link(from: decoder))
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .text(let text): try container.encode(text)
      case .image(let image): try container.encode(image)
      case .link(let link): try container.encode(link)
      }
    }
  }

  /// The same, but that it has the parts encode themselves; the case may stand beside them.
  struct Spread: Codable, Equatable {
    var block: Content

    enum Content: Codable, Equatable {
      case plain(Block)
      case tagged(Block)

      private enum CodingKeys: CodingKey { case kind }

      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        switch try container.decodeIfPresent(String.self, forKey: .kind) {
        case "text": self = .tagged(.text(try Text(from: decoder)))
        case "image": self = .tagged(.image(try Image(from: decoder)))
        case "link": self = .tagged(.link(try Link(from: decoder)))
        default: self = .plain(try Block(from: decoder))
        }
      }

      func encode(to encoder: any Encoder) throws {
        let (block, isTagged) =
          switch self {
          case .plain(let block): (block, false)
          case .tagged(let block): (block, true)
          }
        let kind: String
        switch block {
        case .text(let text):
          kind = "text"
          try text.encode(to: encoder)
        case .image(let image):
          kind = "image"
          try image.encode(to: encoder)
        case .link(let link):
          kind = "link"
          try link.encode(to: encoder)
        }
        guard isTagged else { return }
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(kind, forKey: .kind)
      }
    }

    init(_ block: Content) { self.block = block }
  }

  /// With the case in a field, and a value of its own kind under another.
  enum Field: Codable, Equatable {
    case none
    case word(String)
    case number(Double)
    case text(Text)
    case image(Image)
    case link(Link)

    private enum CodingKeys: CodingKey { case kind, value }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      switch try container.decode(String.self, forKey: .kind) {
      case "word": self = .word(try container.decode(String.self, forKey: .value))
      case "number": self = .number(try container.decode(Double.self, forKey: .value))
      case "text": self = .text(try container.decode(Text.self, forKey: .value))
      case "image": self = .image(try container.decode(Image.self, forKey: .value))
      case "link": self = .link(try container.decode(Link.self, forKey: .value))
      default: self = .none
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      switch self {
      case .none: try container.encode("none", forKey: .kind)
      case .word(let word):
        try container.encode("word", forKey: .kind)
        try container.encode(word, forKey: .value)
      case .number(let number):
        try container.encode("number", forKey: .kind)
        try container.encode(number, forKey: .value)
      case .text(let text):
        try container.encode("text", forKey: .kind)
        try container.encode(text, forKey: .value)
      case .image(let image):
        try container.encode("image", forKey: .kind)
        try container.encode(image, forKey: .value)
      case .link(let link):
        try container.encode("link", forKey: .kind)
        try container.encode(link, forKey: .value)
      }
    }
  }

  /// As a list, the case first.
  enum Outline: Codable, Equatable {
    case circle(Double)
    case polygon([Double])

    init(from decoder: any Decoder) throws {
      var list = try decoder.unkeyedContainer()
      self =
        try list.decode(String.self) == "circle"
        ? .circle(try list.decode(Double.self)) : .polygon(try list.decode([Double].self))
    }

    func encode(to encoder: any Encoder) throws {
      var list = encoder.unkeyedContainer()
      switch self {
      case .circle(let radius):
        try list.encode("circle")
        try list.encode(radius)
      case .polygon(let points):
        try list.encode("polygon")
        try list.encode(points)
      }
    }
  }

  /// A whole value that is stored as its dictionary is.
  struct Shares: Codable, Equatable, WholeValue {
    var parts: [String: Int]

    init(_ parts: [String: Int]) { self.parts = parts }

    init(from decoder: any Decoder) throws { parts = try [String: Int](from: decoder) }

    func encode(to encoder: any Encoder) throws { try parts.encode(to: encoder) }
  }

  private static let text = Text(title: "t", body: "b", size: nil)
  private static let image = Image(title: "t", image: "i")
  private static let link = Link(body: "b", url: "u")

  static let edits: [Edit] = [
    Edit("handed on", Block.text(text), .image(image), .link(link)),
    Edit(
      "encoded in place",
      Spread(.plain(.text(text))),
      Spread(.plain(.image(image))),
      Spread(.plain(.link(link)))
    ),
    Edit(
      "encoded in place, with the case beside",
      Spread(.tagged(.text(text))),
      Spread(.tagged(.image(image))),
      Spread(.tagged(.link(link)))
    ),
    Edit("a value of another kind", Field.number(1), .word("a"), .none),
    Edit("a value at last", Field.none, .word("a"), .number(2)),
    Edit("a struct of another type", Field.text(text), .image(image), .link(link)),
    Edit("a list", Outline.circle(1), .polygon([1, 2]), .polygon([3])),
    Edit(
      "a whole dictionary",
      Shares(["a": 50, "b": 50]),
      Shares(["a": 70, "b": 30]),
      Shares(["a": 50, "c": 50])
    ),
    Edit(
      "a whole dictionary, handed on",
      Single(Shares(["a": 50, "b": 50])),
      Single(Shares(["a": 70, "b": 30])),
      Single(Shares(["a": 50, "c": 50]))
    ),
    Edit("a wrapped decimal", Box(Decimal(1.5)), Box(Decimal(12_345_678.25)), Box(Decimal(7000))),
    Edit(
      "a wrapped interval",
      Box(DateInterval(start: .distantPast, duration: 10)),
      Box(DateInterval(start: .distantPast, duration: 99)),
      Box(DateInterval(start: .distantFuture, duration: 10))
    ),
  ]

  @Test("A merge keeps what one of two writers wrote, whole", arguments: edits)
  func keepsOne(edit: Edit) throws { try edit.check() }

  enum Note: Codable, Equatable {
    case note(title: String, isPinned: Bool?, size: Int)
  }

  enum Status: Codable, Equatable {
    case done(by: String?, at: Int, place: String)
  }

  /// Stored as ``Note`` would be by hand, flat.
  enum Job: Codable, Equatable {
    case job(title: String, due: Int?, isDone: Bool)

    private enum CodingKeys: CodingKey { case kind, title, due, isDone }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      self = .job(
        title: try container.decode(String.self, forKey: .title),
        due: try container.decodeIfPresent(Int.self, forKey: .due),
        isDone: try container.decode(Bool.self, forKey: .isDone)
      )
    }

    func encode(to encoder: any Encoder) throws {
      guard case .job(let title, let due, let isDone) = self else { return }
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode("job", forKey: .kind)
      try container.encode(title, forKey: .title)
      try container.encodeIfPresent(due, forKey: .due)
      try container.encode(isDone, forKey: .isDone)
    }
  }

  /// One nested container for each key, and keys of any name.
  struct Registry: Codable, Equatable {
    var counts: [String: Int]

    private enum Part: CodingKey { case count }

    init(_ counts: [String: Int]) { self.counts = counts }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: AnyCodingKey.self)
      counts = [:]
      for name in container.allKeys {
        let part = try container.nestedContainer(keyedBy: Part.self, forKey: name)
        counts[name.stringValue] = try part.decode(Int.self, forKey: .count)
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: AnyCodingKey.self)
      for (name, count) in counts {
        var part = container.nestedContainer(keyedBy: Part.self, forKey: AnyCodingKey(name))
        try part.encode(count, forKey: .count)
      }
    }
  }

  /// A whole value beside fields of its own, in one map.
  struct Item: Codable, Equatable {
    var price: Decimal
    var title: String
    var count: Int

    private enum CodingKeys: CodingKey { case title, count }

    init(_ price: Decimal, _ title: String, _ count: Int) {
      (self.price, self.title, self.count) = (price, title, count)
    }

    init(from decoder: any Decoder) throws {
      price = try Decimal(from: decoder)
      let container = try decoder.container(keyedBy: CodingKeys.self)
      title = try container.decode(String.self, forKey: .title)
      count = try container.decode(Int.self, forKey: .count)
    }

    func encode(to encoder: any Encoder) throws {
      try price.encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(title, forKey: .title)
      try container.encode(count, forKey: .count)
    }
  }

  /// What two writers change at once of one value, each another part.
  struct Parts: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let check: @Sendable () throws -> Void

    init<Value: Codable & Equatable & Sendable>(
      _ name: String,
      _ first: Value,
      edits: (Value, Value),
      both: Value
    ) {
      testDescription = name
      check = {
        for (left, right) in [edits, (edits.1, edits.0)] {
          let doc = try WholeValueTests.merged(first, left, right)
          #expect(try doc.decode(Keyed<Value>.self).v == both)
        }
      }
    }
  }

  static let parts: [Parts] = [
    Parts(
      "a part with its first value",
      Note.note(title: "a", isPinned: nil, size: 0),
      edits: (
        .note(title: "b", isPinned: true, size: 0), .note(title: "a", isPinned: nil, size: 9)
      ),
      both: .note(title: "b", isPinned: true, size: 9)
    ),
    Parts(
      "the first label",
      Status.done(by: nil, at: 1, place: "here"),
      edits: (.done(by: "x", at: 2, place: "here"), .done(by: nil, at: 1, place: "there")),
      both: .done(by: "x", at: 2, place: "there")
    ),
    Parts(
      "by hand",
      Job.job(title: "a", due: nil, isDone: false),
      edits: (.job(title: "b", due: 3, isDone: false), .job(title: "a", due: nil, isDone: true)),
      both: .job(title: "b", due: 3, isDone: true)
    ),
    Parts(
      "handed on",
      Block.text(text),
      edits: (
        .text(Text(title: "u", body: "b", size: 1)), .text(Text(title: "t", body: "c", size: nil))
      ),
      both: .text(Text(title: "u", body: "c", size: 1))
    ),
    Parts(
      "keys of any name",
      Registry(["a": 1]),
      edits: (Registry(["b": 2]), Registry(["a": 1, "c": 3])),
      both: Registry(["b": 2, "c": 3])
    ),
    Parts(
      "beside a whole value",
      Item(1, "a", 1),
      edits: (Item(1, "b", 1), Item(1, "a", 2)),
      both: Item(1, "b", 2)
    ),
  ]

  @Test("A merge keeps what each of two writers wrote into one case", arguments: parts)
  func keepsBoth(parts: Parts) throws { try parts.check() }

  /// A string or a list of them.
  enum Loose: Codable, Equatable {
    case word(String)
    case words([String])

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let word = try? container.decode(String.self) {
        self = .word(word)
      } else {
        self = .words(try container.decode([String].self))
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .word(let word): try container.encode(word)
      case .words(let words): try container.encode(words)
      }
    }
  }

  struct Whole: Codable, Equatable, WholeValue {
    var value: Loose
    var items: [Loose]
  }

  @Test("A whole value takes the place of one with other kinds in it, unless writing is cautious")
  func otherKinds() throws {
    let doc = Document()
    for value in [
      Whole(value: .word("a"), items: [.word("b"), .words(["c"])]),
      Whole(value: .words(["a"]), items: [.words(["c"])]),
      Whole(value: .word("a"), items: []),
    ] {
      try doc.encode(Keyed(v: value))
      #expect(try doc.decode(Keyed<Whole>.self).v == value)
    }
    #expect(throws: CodingKeyLookupError.self) {
      let value = Whole(value: .words(["a"]), items: [])
      try AutomergeEncoder(doc: doc, cautiousWrite: true).encode(Keyed(v: value))
    }
    #expect(try doc.decode(Keyed<Whole>.self).v.value == .word("a"))
  }

  /// What one version of a type nests under one key, and the next under another.
  struct Page: Encodable {
    var id: Int
    let key: AnyKey

    enum AnyKey: String, CodingKey { case old, new }
    enum Part: CodingKey { case id }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: AnyKey.self)
      var part = container.nestedContainer(keyedBy: Part.self, forKey: key)
      try part.encode(id, forKey: .id)
    }
  }

  @Test("With unknown keys kept, a struct's nested map of another version stays")
  func otherVersion() throws {
    let doc = Document()
    let encoder = AutomergeEncoder(doc: doc, unknownKeys: .preserve)
    try encoder.encode(["v": Page(id: 1, key: .old)])
    try encoder.encode(["v": Page(id: 2, key: .new)])
    let part = { (id: Int64) in Tree.dict(["id": .scalar(.Int(id))]) }
    #expect(try doc.tree() == .dict(["v": .dict(["old": part(1), "new": part(2)])]))
  }
}
