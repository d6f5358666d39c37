import Foundation

enum Status: String, Codable, CaseIterable {
  case open
  case done
  case onHold = "on hold"
}

enum Priority: Int, Codable {
  case low = -7
  case high = 100
  case urgent = 3000
}

struct RawEnums: Codable, Equatable {
  var status: Status
  var priority: Priority
  var statuses: [Status]
  var priorities: [String: Priority]
  var maybe: Status?
  var byStatus: [Status: Int]
}

enum Phase: Codable, Equatable {
  case todo
  case doing
  case done
}

struct PlainEnums: Codable, Equatable {
  var phase: Phase
  var phases: [Phase]
  var map: [String: Phase]
  var maybe: Phase?
}

struct Point: Codable, Equatable {
  var x: Int
  var y: Int
}

enum Shape: Codable, Equatable {
  case nothing
  case circle(radius: Double)
  case line(Int, Int)
  case point(Point)
  case maybe(Point?)
  case points([Point])
  case labelled(String, at: Point, tags: [String: Int])
  case phase(Phase)
}

struct Shapes: Codable, Equatable {
  var shape: Shape
  var shapes: [Shape]
  var map: [String: Shape]
  var maybe: Shape?
}

/// Every leaf as a payload.
enum Payload: Codable, Equatable {
  case date(Date)
  case data(Data)
  case url(URL)
  case uuid(UUID)
  case decimal(Decimal)
  case optional(Int?)
  case list([Int8])
  case map([String: Bool])

  enum CodingKeys: String, CodingKey {
    case date = "when"
    case data, url, uuid, decimal, optional, list
    case map = "the map"
  }
}

struct Payloads: Codable, Equatable {
  var payload: Payload
  var payloads: [Payload]
}

indirect enum Expression: Codable, Equatable {
  case number(Int)
  case sum(Expression, Expression)
  case list([Expression])
}

struct Formula: Codable, Equatable {
  var expression: Expression
}

/// Which case it is stands in a field of its own.
enum Tagged: Codable, Equatable {
  case square(side: Double)
  case title(String)

  enum Kind: String, Codable {
    case square
    case title
  }

  enum CodingKeys: CodingKey {
    case kind
    case value
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    switch try container.decode(Kind.self, forKey: .kind) {
    case .square: self = .square(side: try container.decode(Double.self, forKey: .value))
    case .title: self = .title(try container.decode(String.self, forKey: .value))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .square(let side):
      try container.encode(Kind.square, forKey: .kind)
      try container.encode(side, forKey: .value)
    case .title(let title):
      try container.encode(Kind.title, forKey: .kind)
      try container.encode(title, forKey: .value)
    }
  }
}

struct TaggedList: Codable, Equatable {
  var items: [Tagged]
  var first: Tagged
  var box: Boxed
}

/// Which case it is stands in a field of its own, and what belongs to it in a container beside that.
enum Boxed: Codable, Equatable {
  case circle(radius: Double)
  case line(from: Int, to: Int)

  enum Kind: String, Codable {
    case circle
    case line
  }

  enum CodingKeys: CodingKey {
    case kind
    case body
  }

  enum BodyKeys: CodingKey {
    case radius
    case from
    case to
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let kind = try container.decode(Kind.self, forKey: .kind)
    let body = try container.nestedContainer(keyedBy: BodyKeys.self, forKey: .body)
    switch kind {
    case .circle: self = .circle(radius: try body.decode(Double.self, forKey: .radius))
    case .line:
      self = .line(
        from: try body.decode(Int.self, forKey: .from),
        to: try body.decode(Int.self, forKey: .to)
      )
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    var body = container.nestedContainer(keyedBy: BodyKeys.self, forKey: .body)
    switch self {
    case .circle(let radius):
      try container.encode(Kind.circle, forKey: .kind)
      try body.encode(radius, forKey: .radius)
    case .line(let from, let to):
      try container.encode(Kind.line, forKey: .kind)
      try body.encode(from, forKey: .from)
      try body.encode(to, forKey: .to)
    }
  }
}

/// An int, a string, a list of itself, or null.
enum Loose: Codable, Equatable {
  case int(Int)
  case string(String)
  case list([Loose])
  case null

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let int = try? container.decode(Int.self) {
      self = .int(int)
    } else if let string = try? container.decode(String.self) {
      self = .string(string)
    } else if let list = try? container.decode([Loose].self) {
      self = .list(list)
    } else if container.decodeNil() {
      self = .null
    } else {
      throw DecodingError.typeMismatch(
        Loose.self,
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "none of them")
      )
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .int(let int): try container.encode(int)
    case .string(let string): try container.encode(string)
    case .list(let list): try container.encode(list)
    case .null: try container.encodeNil()
    }
  }
}

struct LooseList: Codable, Equatable {
  var values: [Loose]
}

/// One of two structs with nothing that says which: it hands itself on to a single-value container.
///
/// What a struct stored stays the struct's: its unknown keys, and its place.
enum Untagged: Codable, Equatable {
  case point(Point)
  case named(Named)

  struct Named: Codable, Equatable {
    var name: String
    var count: Int?
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let point = try? container.decode(Point.self) {
      self = .point(point)
    } else {
      self = .named(try container.decode(Named.self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .point(let point): try container.encode(point)
    case .named(let named): try container.encode(named)
    }
  }
}

struct UntaggedList: Codable, Equatable {
  var first: Untagged
  var others: [Untagged]
}
