import Foundation

/// Containers within containers, all asked for by hand.
struct NestedByHand: Codable, Equatable {
  var title: String
  var point: Point
  var names: [String]
  var inner: Point
  var rows: [Point]
  var pairs: [[Int]]

  enum CodingKeys: CodingKey {
    case title, meta, list, pairs
  }

  enum MetaKeys: CodingKey {
    case point, names, deeper
  }

  enum DeeperKeys: CodingKey {
    case inner
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    title = try container.decode(String.self, forKey: .title)
    let meta = try container.nestedContainer(keyedBy: MetaKeys.self, forKey: .meta)
    point = try meta.decode(Point.self, forKey: .point)
    var list = try meta.nestedUnkeyedContainer(forKey: .names)
    names = []
    while !list.isAtEnd { names.append(try list.decode(String.self)) }
    let deeper = try meta.nestedContainer(keyedBy: DeeperKeys.self, forKey: .deeper)
    inner = try deeper.decode(Point.self, forKey: .inner)
    var rowList = try container.nestedUnkeyedContainer(forKey: .list)
    rows = []
    while !rowList.isAtEnd { rows.append(try rowList.decode(Point.self)) }
    var pairList = try container.nestedUnkeyedContainer(forKey: .pairs)
    pairs = []
    while !pairList.isAtEnd {
      var pair = try pairList.nestedUnkeyedContainer()
      var numbers: [Int] = []
      while !pair.isAtEnd { numbers.append(try pair.decode(Int.self)) }
      pairs.append(numbers)
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(title, forKey: .title)
    var meta = container.nestedContainer(keyedBy: MetaKeys.self, forKey: .meta)
    try meta.encode(point, forKey: .point)
    var list = meta.nestedUnkeyedContainer(forKey: .names)
    for name in names { try list.encode(name) }
    var deeper = meta.nestedContainer(keyedBy: DeeperKeys.self, forKey: .deeper)
    try deeper.encode(inner, forKey: .inner)
    var rowList = container.nestedUnkeyedContainer(forKey: .list)
    for row in rows { try rowList.encode(row) }
    var pairList = container.nestedUnkeyedContainer(forKey: .pairs)
    for pair in pairs {
      var inner = pairList.nestedUnkeyedContainer()
      for number in pair { try inner.encode(number) }
    }
  }
}

/// A list of a map, a list and a null, each at its place.
struct FixedList: Codable, Equatable {
  var point: Point
  var names: [String]
  var last: Int

  enum CodingKeys: CodingKey {
    case items
  }

  enum PointKeys: CodingKey {
    case x, y
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    var items = try container.nestedUnkeyedContainer(forKey: .items)
    let map = try items.nestedContainer(keyedBy: PointKeys.self)
    point = Point(
      x: try map.decode(Int.self, forKey: .x),
      y: try map.decode(Int.self, forKey: .y)
    )
    var list = try items.nestedUnkeyedContainer()
    names = []
    while !list.isAtEnd { names.append(try list.decode(String.self)) }
    _ = try items.decodeNil()
    last = try items.decode(Int.self)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    var items = container.nestedUnkeyedContainer(forKey: .items)
    var map = items.nestedContainer(keyedBy: PointKeys.self)
    try map.encode(point.x, forKey: .x)
    try map.encode(point.y, forKey: .y)
    var list = items.nestedUnkeyedContainer()
    for name in names { try list.encode(name) }
    try items.encodeNil()
    try items.encode(last)
  }
}

/// Keys with integers, which are keys all the same.
struct IntegerNamedKeys: Codable, Equatable {
  var first: Int
  var second: Point
  var third: [String]

  enum CodingKeys: Int, CodingKey {
    case first = 1
    case second
    case third
  }
}

struct NumberLikeKeys: Codable, Equatable {
  var years: [String: Int]
  var points: [String: Point]
  var lists: [String: [Int]]
}

struct IntegerKeys: Codable, Equatable {
  var names: [Int: String]
}

struct OtherKeys: Codable, Equatable {
  var byID: [UUID: Int]
  var byPoint: [Double: String]
}

/// Any keys at all.
struct OpenKeys: Codable, Equatable {
  var values: [String: Int]

  struct AnyKey: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init?(intValue: Int) { nil }
    init(stringValue: String) { self.stringValue = stringValue }
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: AnyKey.self)
    values = [:]
    for key in container.allKeys {
      values[key.stringValue] = try container.decode(Int.self, forKey: key)
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: AnyKey.self)
    for (key, value) in values.sorted(by: { $0.key < $1.key }) {
      try container.encode(value, forKey: AnyKey(stringValue: key))
    }
  }
}

class Animal: Codable {
  var name: String

  init(name: String) { self.name = name }
}

/// A superclass by `superEncoder()`.
final class Dog: Animal {
  var tricks: [String]
  var home: Point?

  enum CodingKeys: CodingKey {
    case tricks, home
  }

  required init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    tricks = try container.decode([String].self, forKey: .tricks)
    home = try container.decodeIfPresent(Point.self, forKey: .home)
    try super.init(from: container.superDecoder())
  }

  override func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(tricks, forKey: .tricks)
    try container.encodeIfPresent(home, forKey: .home)
    try super.encode(to: container.superEncoder())
  }
}

/// A superclass on the same encoder.
final class Cat: Animal {
  var lives: Int

  enum CodingKeys: CodingKey {
    case lives
  }

  required init(from decoder: any Decoder) throws {
    lives = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .lives)
    try super.init(from: decoder)
  }

  override func encode(to encoder: any Encoder) throws {
    try super.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(lives, forKey: .lives)
  }
}

/// A super encoder within a list.
struct SuperInList: Codable, Equatable {
  var point: Point
  var number: Int

  enum CodingKeys: CodingKey {
    case list
  }

  init(from decoder: any Decoder) throws {
    var list = try decoder.container(keyedBy: CodingKeys.self).nestedUnkeyedContainer(forKey: .list)
    point = try Point(from: list.superDecoder())
    number = try list.decode(Int.self)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    var list = container.nestedUnkeyedContainer(forKey: .list)
    try point.encode(to: list.superEncoder())
    try list.encode(number)
  }
}

/// Nil written as null, told from a key that is missing.
struct ExplicitNull: Codable, Equatable {
  var name: String?
  var point: Point?
  var plain: Int?

  enum CodingKeys: CodingKey {
    case name, point, plain
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    try container.encode(point, forKey: .point)
    try container.encodeIfPresent(plain, forKey: .plain)
  }
}

/// Null, missing and a value: three different things.
struct ThreeStates: Codable, Equatable {
  enum State: Equatable {
    case missing
    case null
    case value(Int)
  }

  var state: State

  enum CodingKeys: CodingKey {
    case state
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    if !container.contains(.state) {
      state = .missing
    } else if try container.decodeNil(forKey: .state) {
      state = .null
    } else {
      state = .value(try container.decode(Int.self, forKey: .state))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch state {
    case .missing: break
    case .null: try container.encodeNil(forKey: .state)
    case .value(let value): try container.encode(value, forKey: .state)
    }
  }
}

/// Asks for no container at all.
struct Silent: Codable, Equatable {
  init(from decoder: any Decoder) throws {}
  func encode(to encoder: any Encoder) throws {}
}

struct SilentHolder: Codable, Equatable {
  var silent: Silent
  var name: String
}
