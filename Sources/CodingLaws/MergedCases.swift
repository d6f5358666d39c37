import Foundation

// Enums as people write them, and what is told from an enum by little: what two writers make of each at once has to be
// a value, and what they write into one case of it has to stay.

/// One of each.
///
///             first                   one writer                  the other
///     note    a, unpinned, 0          b, pinned, 0                a, unpinned, 9
///     task    a, not due, to do       b, due 9, to do             a, not due, done
///     block   the text t, b           the text u, b               the text t, c
///     counts  a: 1                    b: 2                        a: 1, c: 3
struct MergedCases: Codable, Equatable {
  var note: Note
  var task: Job
  var block: Block
  var counts: Registry

  /// As Swift writes it; a part has no value at first.
  enum Note: Codable, Equatable {
    case note(title: String, isPinned: Bool?, size: Int)
  }

  /// With the case in a field, beside its parts.
  enum Job: Codable, Equatable {
    case job(title: String, due: Int?, isDone: Bool)

    private enum CodingKeys: CodingKey {
      case kind, title, due, isDone
    }

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

  struct Text: Codable, Equatable {
    var title: String
    var body: String
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
      let container = try decoder.singleValueContainer()
      if let text = try? container.decode(Text.self) {
        self = .text(text)
      } else if let image = try? container.decode(Image.self) {
        self = .image(image)
      } else {
        self = .link(try container.decode(Link.self))
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

  /// With the case in a field, and its parts in a struct under another.
  enum Section: Codable, Equatable {
    case text(Text)
    case image(Image)
    case link(Link)

    private enum Kind: String, Codable {
      case text, image, link
    }

    private enum CodingKeys: CodingKey {
      case kind, content
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      switch try container.decode(Kind.self, forKey: .kind) {
      case .text: self = .text(try container.decode(Text.self, forKey: .content))
      case .image: self = .image(try container.decode(Image.self, forKey: .content))
      case .link: self = .link(try container.decode(Link.self, forKey: .content))
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      switch self {
      case .text(let text):
        try container.encode(Kind.text, forKey: .kind)
        try container.encode(text, forKey: .content)
      case .image(let image):
        try container.encode(Kind.image, forKey: .kind)
        try container.encode(image, forKey: .content)
      case .link(let link):
        try container.encode(Kind.link, forKey: .kind)
        try container.encode(link, forKey: .content)
      }
    }
  }

  /// As a list, the case first; what follows is of one kind or another.
  enum Outline: Codable, Equatable {
    case circle(Double)
    case polygon([Double])

    private enum Kind: String, Codable {
      case circle, polygon
    }

    init(from decoder: any Decoder) throws {
      var list = try decoder.unkeyedContainer()
      switch try list.decode(Kind.self) {
      case .circle: self = .circle(try list.decode(Double.self))
      case .polygon: self = .polygon(try list.decode([Double].self))
      }
    }

    func encode(to encoder: any Encoder) throws {
      var list = encoder.unkeyedContainer()
      switch self {
      case .circle(let radius):
        try list.encode(Kind.circle)
        try list.encode(radius)
      case .polygon(let points):
        try list.encode(Kind.polygon)
        try list.encode(points)
      }
    }
  }

  /// No enum: one nested container for each key, and keys of any name.
  struct Registry: Codable, Equatable {
    var counts: [String: Int]

    private struct Name: CodingKey {
      let stringValue: String
      var intValue: Int? { nil }

      init(stringValue: String) { self.stringValue = stringValue }

      init?(intValue: Int) { nil }
    }

    private enum Part: CodingKey {
      case count
    }

    init(_ counts: [String: Int]) { self.counts = counts }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Name.self)
      counts = [:]
      for name in container.allKeys {
        let part = try container.nestedContainer(keyedBy: Part.self, forKey: name)
        counts[name.stringValue] = try part.decode(Int.self, forKey: .count)
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Name.self)
      for (name, count) in counts.sorted(by: { $0.key < $1.key }) {
        var part = container.nestedContainer(keyedBy: Part.self, forKey: Name(stringValue: name))
        try part.encode(count, forKey: .count)
      }
    }
  }

  /// A wrapper that has its value encode itself into the same place.
  struct Price: Codable, Equatable {
    var value: Decimal

    init(_ value: Decimal) { self.value = value }

    init(from decoder: any Decoder) throws { value = try Decimal(from: decoder) }

    func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
  }

  /// The value that both writers start from, what each of them makes of it, and both together.
  static func edits(_ number: Int) -> (first: Self, one: Self, other: Self, both: Self) {
    let first = MergedCases(
      note: .note(title: "a", isPinned: nil, size: 0),
      task: .job(title: "a", due: nil, isDone: false),
      block: .text(Text(title: "t", body: "b")),
      counts: Registry(["a": 1])
    )
    let one = MergedCases(
      note: .note(title: "b", isPinned: true, size: 0),
      task: .job(title: "b", due: number, isDone: false),
      block: .text(Text(title: "u", body: "b")),
      counts: Registry(["b": 2])
    )
    let other = MergedCases(
      note: .note(title: "a", isPinned: nil, size: number),
      task: .job(title: "a", due: nil, isDone: true),
      block: .text(Text(title: "t", body: "c")),
      counts: Registry(["a": 1, "c": 3])
    )
    let both = MergedCases(
      note: .note(title: "b", isPinned: true, size: number),
      task: .job(title: "b", due: number, isDone: true),
      block: .text(Text(title: "u", body: "c")),
      counts: Registry(["b": 2, "c": 3])
    )
    return (first, one, other, both)
  }
}
