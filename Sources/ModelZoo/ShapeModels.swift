import Foundation
package import ModelGeneration

// Shapes that few types have and every coder meets: containers asked for twice, written alternately or
// late, superclasses under keys, wrappers that are nothing but what they wrap, elements that move.

/// Asks for each of its containers twice, and writes to them alternately.
struct AskedTwice: Codable, Equatable {
  var name: String
  var count: Int
  var point: Point
  var left: [Int]
  var right: [Int]

  enum CodingKeys: CodingKey {
    case name, count, point, numbers, split
  }

  enum PointKeys: CodingKey {
    case x, y
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let again = try decoder.container(keyedBy: CodingKeys.self)
    name = try container.decode(String.self, forKey: .name)
    count = try again.decode(Int.self, forKey: .count)
    let map = try container.nestedContainer(keyedBy: PointKeys.self, forKey: .point)
    let same = try again.nestedContainer(keyedBy: PointKeys.self, forKey: .point)
    point = Point(x: try map.decode(Int.self, forKey: .x), y: try same.decode(Int.self, forKey: .y))
    var list = try container.nestedUnkeyedContainer(forKey: .numbers)
    var numbers: [Int] = []
    while !list.isAtEnd { numbers.append(try list.decode(Int.self)) }
    let split = min(max(0, try again.decode(Int.self, forKey: .split)), numbers.count)
    left = Array(numbers[..<split])
    right = Array(numbers[split...])
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    var again = encoder.container(keyedBy: CodingKeys.self)
    var map = container.nestedContainer(keyedBy: PointKeys.self, forKey: .point)
    var list = again.nestedUnkeyedContainer(forKey: .numbers)
    try map.encode(point.x, forKey: .x)
    for number in left { try list.encode(number) }
    try again.encode(count, forKey: .count)
    var same = again.nestedContainer(keyedBy: PointKeys.self, forKey: .point)
    var rest = container.nestedUnkeyedContainer(forKey: .numbers)
    for number in right { try rest.encode(number) }
    try same.encode(point.y, forKey: .y)
    try again.encode(left.count, forKey: .split)
  }
}

/// Writes keys, and then all of them, so that some are written again: the first, the last, or many.
struct WrittenAgain: Codable, Equatable {
  var name: String
  var count: Int
  var point: Point
  var numbers: [Int]
  /// The keys that are written before all are, by their place.
  var early: [UInt8]

  enum CodingKeys: CodingKey {
    case name, count, point, numbers, early
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    for place in early {
      switch place % 4 {
      case 0: try container.encode("early", forKey: .name)
      case 1: try container.encode(-count.signum(), forKey: .count)
      case 2: try container.encode(Point(x: 0, y: 0), forKey: .point)
      default: try container.encode([0, 0], forKey: .numbers)
      }
    }
    try container.encode(name, forKey: .name)
    try container.encode(count, forKey: .count)
    try container.encode(point, forKey: .point)
    try container.encode(numbers, forKey: .numbers)
    try container.encode(early, forKey: .early)
  }
}

/// Writes more keys than an encoder searches one by one, and many of them again: in another order, with new
/// ones between them, and with other values.
struct ManyWrittenAgain: Codable, Equatable {
  var words: [String: Int]
  /// How many keys of its own it has: none for 0, some more than 64 for all others.
  var count: UInt8
  /// The own keys that are written again, by their number.
  var again: [UInt8]

  enum CodingKeys: CodingKey {
    case words, count, again
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    words = try container.decode([String: Int].self, forKey: .words)
    count = try container.decode(UInt8.self, forKey: .count)
    again = try container.decode([UInt8].self, forKey: .again)
  }

  func encode(to encoder: any Encoder) throws {
    var own = encoder.container(keyedBy: WordKey.self)
    let ownCount = count == 0 ? 0 : 64 + Int(count) % 3
    for number in 0..<ownCount { try own.encode(number, forKey: WordKey("own \(number)")) }
    // The first is searched for in a map that is large by then, the next is new and then found, the last is
    // found where it was written over before.
    let always = ownCount == 0 ? [] : [0, ownCount, ownCount, 1, 1, 1]
    for place in always + again.map({ Int($0) % (ownCount + 4) }) {
      try own.encode("again \(place)", forKey: WordKey("own \(place)"))
    }
    var container = encoder.container(keyedBy: CodingKeys.self)
    var map = container.nestedContainer(keyedBy: WordKey.self, forKey: .words)
    let words = words.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    for word in words { try map.encode(0, forKey: WordKey(word.key)) }
    for word in words.reversed() { try map.encode(word.value, forKey: WordKey(word.key)) }
    try container.encode(again, forKey: .again)
    try container.encode(count, forKey: .count)
  }

  struct WordKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ word: String) { stringValue = word }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}

/// A list that is asked for twice on one encoder, and read by two containers of one decoder.
struct ListAskedTwice: Codable, Equatable {
  var pairs: [Pair]
  var last: Pair

  struct Pair: Codable, Equatable {
    var first: String
    var second: Point

    init(from decoder: any Decoder) throws {
      var front = try decoder.unkeyedContainer()
      first = try front.decode(String.self)
      var whole = try decoder.unkeyedContainer()
      _ = try whole.decode(String.self)
      second = try whole.decode(Point.self)
    }

    func encode(to encoder: any Encoder) throws {
      var front = encoder.unkeyedContainer()
      try front.encode(first)
      var back = encoder.unkeyedContainer()
      try back.encode(second)
    }
  }
}

/// What asks for its containers twice, not at the root but in a field, a list and a dictionary.
struct ShapesInside: Codable, Equatable {
  var asked: AskedTwice
  var list: [AskedTwice]
  var written: [String: WrittenAgain]
  var pairs: ListAskedTwice?
}

/// Elements that are asked for as one type, and where that refuses as another.
struct TriedTwice: Codable, Equatable {
  var shares: [Share]

  enum Share: Equatable {
    case percentage(Percentage)
    case number(Int)
  }

  enum CodingKeys: CodingKey {
    case shares
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    var list = try container.nestedUnkeyedContainer(forKey: .shares)
    shares = []
    while !list.isAtEnd {
      if let percentage = try? list.decode(Percentage.self) {
        shares.append(.percentage(percentage))
      } else {
        shares.append(.number(try list.decode(Int.self)))
      }
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    var list = container.nestedUnkeyedContainer(forKey: .shares)
    for share in shares {
      switch share {
      case .percentage(let percentage): try list.encode(percentage)
      case .number(let number): try list.encode(number)
      }
    }
  }
}

/// Rows that are written element by element, with a call of the container for each type.
struct RowsByHand: Codable, Equatable {
  var rows: [Row]

  struct Row: Codable, Equatable {
    var flag: Bool
    var text: String
    var double: Double
    var float: Float
    var ints: [Int]
    var int8: Int8
    var int64: Int64
    var uint8: UInt8
    var uint64: UInt64
    var last: String?

    init(from decoder: any Decoder) throws {
      var row = try decoder.unkeyedContainer()
      flag = try row.decode(Bool.self)
      text = try row.decode(String.self)
      double = try row.decode(Double.self)
      float = try row.decode(Float.self)
      var list = try row.nestedUnkeyedContainer()
      ints = []
      while !list.isAtEnd { ints.append(try list.decode(Int.self)) }
      int8 = try row.decode(Int8.self)
      int64 = try row.decode(Int64.self)
      uint8 = try row.decode(UInt8.self)
      uint64 = try row.decode(UInt64.self)
      last = try row.decodeNil() ? nil : try row.decode(String.self)
    }

    func encode(to encoder: any Encoder) throws {
      var row = encoder.unkeyedContainer()
      try row.encode(flag)
      try row.encode(text)
      try row.encode(double)
      try row.encode(float)
      var list = row.nestedUnkeyedContainer()
      for int in ints { try list.encode(int) }
      try row.encode(int8)
      try row.encode(int64)
      try row.encode(uint8)
      try row.encode(uint64)
      if let last { try row.encode(last) } else { try row.encodeNil() }
    }
  }
}

/// Containers within a list and a map that are all open at once, and filled last to first.
struct Woven: Codable, Equatable {
  var x: Int
  var y: Int
  var names: [String]
  var inner: [Int]
  var last: Bool

  enum CodingKeys: CodingKey {
    case parts, map
  }

  enum Keys: CodingKey {
    case x, y, names
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let map = try container.nestedContainer(keyedBy: Keys.self, forKey: .map)
    var parts = try container.nestedUnkeyedContainer(forKey: .parts)
    let first = try parts.nestedContainer(keyedBy: Keys.self)
    var numbers = try parts.nestedUnkeyedContainer()
    last = try parts.decode(Bool.self)
    x = try first.decode(Int.self, forKey: .x)
    y = try map.decode(Int.self, forKey: .y)
    inner = []
    while !numbers.isAtEnd { inner.append(try numbers.decode(Int.self)) }
    var list = try map.nestedUnkeyedContainer(forKey: .names)
    names = []
    while !list.isAtEnd { names.append(try list.decode(String.self)) }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    var map = container.nestedContainer(keyedBy: Keys.self, forKey: .map)
    var parts = container.nestedUnkeyedContainer(forKey: .parts)
    var first = parts.nestedContainer(keyedBy: Keys.self)
    var numbers = parts.nestedUnkeyedContainer()
    try parts.encode(last)
    var list = map.nestedUnkeyedContainer(forKey: .names)
    for index in 0..<max(names.count, inner.count) {
      if index < names.count { try list.encode(names[index]) }
      if index < inner.count { try numbers.encode(inner[index]) }
    }
    try map.encode(y, forKey: .y)
    try first.encode(x, forKey: .x)
  }
}

/// What a superclass would write, under keys of its own: a map, a list, a single value.
struct SupersUnderKeys: Codable, Equatable {
  var point: Point
  var names: [String]
  var number: Int
  var title: String

  enum CodingKeys: CodingKey {
    case base, list, single, title
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    point = try Point(from: container.superDecoder(forKey: .base))
    names = try [String](from: container.superDecoder(forKey: .list))
    number = try Int(from: container.superDecoder(forKey: .single))
    title = try container.decode(String.self, forKey: .title)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try point.encode(to: container.superEncoder(forKey: .base))
    try names.encode(to: container.superEncoder(forKey: .list))
    try number.encode(to: container.superEncoder(forKey: .single))
    try container.encode(title, forKey: .title)
  }
}

/// Objects of a class and of its subclasses in lists and dictionaries.
struct Kennel: Codable {
  var dogs: [Dog]
  var cats: [String: Cat]
  var first: Animal?
}

/// Types that are nothing but the value they wrap, in every position.
struct Wrappers: Codable, Equatable {
  var tag: Tag
  var maybe: Tag?
  var list: [Tag]
  var map: [String: Tag]
  var tags: Tags
  var groups: [Tags]
  var scores: [Scores]

  struct Tag: Codable, Equatable {
    var name: String

    init(from decoder: any Decoder) throws {
      name = try decoder.singleValueContainer().decode(String.self)
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(name)
    }
  }

  struct Tags: Codable, Equatable {
    var tags: [Tag]

    init(from decoder: any Decoder) throws {
      tags = try decoder.singleValueContainer().decode([Tag].self)
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(tags)
    }
  }

  struct Scores: Codable, Equatable {
    var scores: [String: Int]

    init(from decoder: any Decoder) throws {
      scores = try decoder.singleValueContainer().decode([String: Int].self)
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(scores)
    }
  }
}

/// Elements with an identity, which move, within elements and in dictionaries.
struct Board: Codable, Equatable {
  var cards: [Card]
  var columns: [String: [Card]]

  struct Card: Codable, Equatable {
    var id: Int
    var title: String
    var done: Bool
    var tags: [String]
    var parts: [Card]
  }
}

/// Elements; each has all that an element may have: an identity, values that may be missing or null,
/// values within values, lists that hold nulls, a case with a payload.
///
/// What an encoder does wrong mostly needs two shapes at once; here any two meet.
struct Catalogue: Codable, Equatable {
  var items: [Item]
  var index: [String: Item]
  var spare: Item?

  struct Item: Codable, Equatable {
    var id: Int
    var title: String
    var note: String?
    var place: Point?
    /// Null where it is `nil`, and not missing.
    var origin: Point?
    var scores: [Int?]
    var spots: [Point?]
    var parts: [Part]
    var colors: [String: String]
    var state: State

    enum CodingKeys: CodingKey {
      case id, title, note, place, origin, scores, spots, parts, colors, state
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(id, forKey: .id)
      try container.encode(title, forKey: .title)
      try container.encodeIfPresent(note, forKey: .note)
      try container.encodeIfPresent(place, forKey: .place)
      try container.encode(origin, forKey: .origin)
      try container.encode(scores, forKey: .scores)
      try container.encode(spots, forKey: .spots)
      try container.encode(parts, forKey: .parts)
      try container.encode(colors, forKey: .colors)
      try container.encode(state, forKey: .state)
    }
  }

  struct Part: Codable, Equatable {
    var name: String
    var size: Double
    var isSold: Bool
  }

  enum State: Codable, Equatable {
    case open
    case sold(price: UInt, to: String?)
  }
}

/// What has no order within elements: sets of all sizes of numbers, and of values, and keys that are none
/// of strings.
struct Inventory: Codable, Equatable {
  var shelves: [Shelf]
  var codes: Set<UInt64>
  var offsets: Set<Int64>
  var weights: Set<Double>

  struct Shelf: Codable, Equatable {
    var id: Int
    var codes: Set<UInt64>
    var spots: Set<Spot>
    var byFlag: [Bool: [Int?]]
    var label: String?
  }

  struct Spot: Codable, Hashable {
    var row: Int
    var name: String?
  }
}

/// Lists in lists, and dictionaries in them.
struct Grids: Codable, Equatable {
  var rows: [[Int]]
  var cubes: [[[Bool]]]
  var tables: [[String: [Double]]]
  var maybe: [[Int?]?]
}

/// Dictionaries by keys of every kind: those that are strings, and those that make a list of pairs.
struct KeysOfAllKinds: Codable, Equatable {
  var byWord: [Suit: Int]
  var byName: [Rank: Point]
  var byFlag: [Bool: String]
  var byKey: [Key: [Int]]

  enum Suit: String, Codable {
    case clubs, hearts, spades
  }

  enum Rank: String, Codable, CodingKeyRepresentable {
    case two, three, king
  }

  struct Key: Codable, Hashable {
    var row: Int
    var column: Int
  }
}

/// Dictionaries whose keys are of a type of their own and stand as strings.
struct RankedEntries: Codable, Equatable {
  var byName: [KeysOfAllKinds.Rank: Point]
  var scores: [KeysOfAllKinds.Rank: Int]
}

/// Sets of values of every kind that tells them exactly apart.
struct SetsOfAllKinds: Codable, Equatable {
  var flags: Set<Bool>
  var small: Set<UInt8>
  var numbers: Set<UInt>
  var signed: Set<Int64>
  var floats: Set<Float>
  var ratios: Set<Double>
  var datas: Set<Data>
  var ids: Set<UUID>
  var seconds: Set<Second>
  var labels: Set<Label>

  /// A date of a whole second: two within one would be one element once they are stored.
  struct Second: Codable, Hashable {
    var date: Date

    init(from decoder: any Decoder) throws {
      let any = try decoder.singleValueContainer().decode(Date.self)
      // The sum makes no negative zero.
      let seconds = any.timeIntervalSinceReferenceDate.rounded(.down) + 0
      date = Date(timeIntervalSinceReferenceDate: seconds)
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(date)
    }
  }

  /// Fields may be absent.
  struct Label: Codable, Hashable {
    var name: String
    var shade: Int?
  }
}

/// Elements with an identity that hold a subject's own texts and counters.
package struct Ledger<Text: ModelText, Counter: ModelCounter>: Codable {
  package var rows: [Row]
  package var counters: [Counter]
  package var texts: [Text]
  package var groups: [String: [Counter]]
  package var parts: [Part]

  /// An element; some hold a counter, others a number alone.
  package struct Part: Codable {
    package var number: Int
    package var tally: Counter?

    package init(number: Int, tally: Counter?) {
      self.number = number
      self.tally = tally
    }
  }

  package struct Row: Codable {
    package var id: Int
    package var name: Text
    package var votes: Counter

    package init(id: Int, name: Text, votes: Counter) {
      self.id = id
      self.name = name
      self.votes = votes
    }
  }

  package init(
    rows: [Row],
    counters: [Counter],
    texts: [Text],
    groups: [String: [Counter]],
    parts: [Part]
  ) {
    self.rows = rows
    self.counters = counters
    self.texts = texts
    self.groups = groups
    self.parts = parts
  }
}
