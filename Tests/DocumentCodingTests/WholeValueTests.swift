import AutomergeDocument
import DocumentCoding
import Foundation
import Testing

/// Values whose parts mean something together alone, and wrappers that hand on their encoder.
@Suite("Values that merge as one")
struct WholeValueTests {
  /// What two writers make of one value at once, under a name.
  struct Edit: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let check: @Sendable () throws -> Void

    /// Either writer's value is right, whole.
    init<Value: Codable & Equatable & Sendable>(
      _ name: String,
      _ first: Value,
      _ one: Value,
      _ other: Value
    ) {
      testDescription = name
      check = {
        for (left, right) in [(one, other), (other, one)] {
          let doc = try merged(first, left, right)
          let value = try doc.decode(Keyed<Value>.self).v
          #expect(value == one || value == other, "\(value)")
          let heads = doc.heads()
          try doc.encode(Keyed(v: value))
          #expect(doc.heads() == heads)
          // As an element, and in a dictionary.
          let lists = try merged([first, first], [first, left], [first, right])
          let list = try lists.decode(Keyed<[Value]>.self).v
          #expect(list == [first, one] || list == [first, other])
          let maps = try merged(["k": first], ["k": left], ["k": right])
          let map = try maps.decode(Keyed<[String: Value]>.self).v
          #expect(map == ["k": one] || map == ["k": other])
        }
      }
    }
  }

  /// The document in which two writers have encoded two values over a first one.
  static func merged<Value: Codable & Equatable>(
    _ first: Value,
    _ one: Value,
    _ other: Value
  ) throws -> Document {
    let doc = Document()
    try doc.encode(Keyed(v: first))
    let peer = doc.fork()
    try doc.encode(Keyed(v: one))
    try peer.encode(Keyed(v: other))
    try doc.merge(other: peer)
    return doc
  }

  enum State: Codable, Equatable {
    case open
    case done(by: String)
    case cancelled(reason: String, at: Int)
  }

  /// Its case stands under a key of its own.
  enum Shape: Codable, Equatable {
    case dot(at: Int)
    case line(from: Int, to: Int)
    case title(String)

    enum CodingKeys: CodingKey { case kind, at, from, to }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      switch try container.decode(String.self, forKey: .kind) {
      case "dot": self = .dot(at: try container.decode(Int.self, forKey: .at))
      case "title": self = .title(try container.decode(String.self, forKey: .at))
      default:
        self = .line(
          from: try container.decode(Int.self, forKey: .from),
          to: try container.decode(Int.self, forKey: .to)
        )
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      switch self {
      case .dot(let place):
        try container.encode("dot", forKey: .kind)
        try container.encode(place, forKey: .at)
      case .title(let title):
        try container.encode("title", forKey: .kind)
        try container.encode(title, forKey: .at)
      case .line(let from, let to):
        try container.encode("line", forKey: .kind)
        try container.encode(from, forKey: .from)
        try container.encode(to, forKey: .to)
      }
    }
  }

  struct Booking: Codable, Equatable, WholeValue {
    var start: Int
    var end: Int
  }

  /// A wrapper that hands on its encoder, as many property wrappers do.
  struct Box<Value: Codable & Equatable>: Codable, Equatable {
    var value: Value

    init(_ value: Value) { self.value = value }

    init(from decoder: any Decoder) throws { value = try Value(from: decoder) }

    func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
  }

  private static func price(_ text: String) -> Decimal { Decimal(string: text) ?? 0 }
  private static func time(_ seconds: Double) -> Date { Date(timeIntervalSince1970: seconds) }

  static let edits: [Edit] = [
    Edit("Range", 1..<10, 8..<10, 1..<3),
    Edit("ClosedRange", 1...10, 8...10, 1...3),
    Edit("SIMD3", SIMD3(1, 2, 3), SIMD3(2, 3, 7), SIMD3(2, 3, 8)),
    Edit("Duration", Duration.seconds(5), .seconds(-7), .nanoseconds(9)),
    Edit("Decimal", price("12.5"), price("1.25"), price("19.5")),
    Edit("signs of Decimal", price("100"), price("-100"), price("250")),
    Edit(
      "DateInterval",
      DateInterval(start: time(0), duration: 10),
      DateInterval(start: time(5), duration: 10),
      DateInterval(start: time(0), duration: 99)
    ),
    Edit(
      "DateComponents",
      DateComponents(year: 2026, month: 1, day: 30),
      DateComponents(year: 2026, month: 2, day: 28),
      DateComponents(year: 2026, month: 1, day: 31)
    ),
    Edit(
      "Measurement",
      Measurement(value: 5, unit: UnitLength.kilometers),
      Measurement(value: 7, unit: UnitLength.kilometers),
      Measurement(value: 5, unit: UnitLength.miles)
    ),
    Edit(
      "CGRect",
      CGRect(x: 0, y: 0, width: 9, height: 9),
      CGRect(x: 5, y: 0, width: 9, height: 9),
      CGRect(x: 0, y: 0, width: 2, height: 2)
    ),
    Edit("IndexPath", IndexPath(indexes: [0, 3]), [1, 3], [0, 4]),
    Edit("IndexSet", IndexSet(0..<10), IndexSet([0, 1, 7]), IndexSet(0..<11)),
    Edit(
      "NSRange",
      NSRange(location: 0, length: 9),
      NSRange(location: 5, length: 9),
      NSRange(location: 0, length: 2)
    ),
    Edit(
      "a type of the app's",
      Booking(start: 1, end: 9),
      Booking(start: 7, end: 9),
      Booking(start: 1, end: 3)
    ),
    Edit("cases", State.open, .done(by: "ada"), .cancelled(reason: "late", at: 3)),
    Edit("cases and a payload", State.done(by: "ada"), .open, .done(by: "bob")),
    Edit("cases by hand", Shape.dot(at: 1), .line(from: 2, to: 3), .title("t")),
  ]

  @Test("A merge keeps what one of two writers wrote, whole", arguments: edits)
  func keepsOne(edit: Edit) throws { try edit.check() }

  @Test("Edits within the payload of one case merge, and another case is another object")
  func payloads() throws {
    let first = State.cancelled(reason: "a", at: 1)
    let doc = try Self.merged(first, .cancelled(reason: "b", at: 1), .cancelled(reason: "a", at: 2))
    #expect(try doc.decode(Keyed<State>.self).v == .cancelled(reason: "b", at: 2))
    let object = try doc.object("v")
    try doc.encode(Keyed(v: State.cancelled(reason: "c", at: 2)))
    #expect(try doc.object("v") == object)
    try doc.encode(Keyed(v: State.open))
    #expect(try doc.object("v") != object)
    // By hand: a payload alone stays in its object, another word and other keys do not.
    try doc.encode(Keyed(v: Shape.dot(at: 1)))
    let dot = try doc.object("v")
    #expect(try doc.operations { try doc.encode(Keyed(v: Shape.dot(at: 2))) } == 1)
    #expect(try doc.object("v") == dot)
    try doc.encode(Keyed(v: Shape.line(from: 1, to: 2)))
    #expect(try doc.object("v") != dot)
  }

  @Test("Pairs stay whole whatever two writers do to them, and one is left of two for one key")
  func pairs() throws {
    let ids = [UUID(), UUID(), UUID()]
    func votes(_ counts: Int?...) -> [UUID: Int] {
      Dictionary(
        uniqueKeysWithValues: zip(ids, counts).compactMap { id, count in count.map { (id, $0) } }
      )
    }
    let deleted = try Self.merged(votes(1), votes(2), [:])
    #expect(try deleted.decode(Keyed<[UUID: Int]>.self).v == votes(2))
    let crossed = try Self.merged(votes(1, 1), votes(1, 2), votes(5, nil, 9))
    #expect(try crossed.decode(Keyed<[UUID: Int]>.self).v == votes(5, 2, 9))
    let changed = try Self.merged(votes(1), votes(2), votes(3))
    #expect(try changed.length(obj: changed.object("v")) == 4)
    let winner = try changed.decode(Keyed<[UUID: Int]>.self).v
    #expect(winner == votes(2) || winner == votes(3))
    try changed.encode(Keyed(v: winner))
    #expect(try changed.length(obj: changed.object("v")) == 2)
    #expect(try changed.decode(Keyed<[UUID: Int]>.self).v == winner)
    // What stands within an object merges as before.
    let first = [ids[0]: Booking(start: 1, end: 9)]
    let objects = try Self.merged(
      [ids[0]: ["a": 1, "b": 1]],
      [ids[0]: ["a": 2, "b": 1]],
      [ids[0]: ["a": 1, "b": 2]]
    )
    #expect(try objects.decode(Keyed<[UUID: [String: Int]]>.self).v == [ids[0]: ["a": 2, "b": 2]])
    let wholes = try Self.merged(first, [ids[0]: Booking(start: 7, end: 9)], [:])
    #expect(
      try wholes.decode(Keyed<[UUID: Booking]>.self).v == [ids[0]: Booking(start: 7, end: 9)]
    )
  }

  /// Three numbers in a list, as a vector is.
  struct Spot: Codable, Equatable {
    var x: Int
    var y: Int
    var z: Int

    init(_ x: Int, _ y: Int, _ z: Int) { (self.x, self.y, self.z) = (x, y, z) }

    init(from decoder: any Decoder) throws {
      var list = try decoder.unkeyedContainer()
      (x, y, z) = try (list.decode(Int.self), list.decode(Int.self), list.decode(Int.self))
    }

    func encode(to encoder: any Encoder) throws {
      var list = encoder.unkeyedContainer()
      try list.encode(x)
      try list.encode(y)
      try list.encode(z)
    }
  }

  @Test("A list that a type writes by hand keeps its elements at their places")
  func rows() throws {
    let doc = try Self.merged(Spot(1, 2, 3), Spot(2, 3, 3), Spot(1, 2, 7))
    #expect(try doc.decode(Keyed<Spot>.self).v == Spot(2, 3, 7))
    #expect(try doc.length(obj: doc.object("v")) == 3)
  }

  /// A wrapper that hands on its encoder, with a second property that is not stored.
  struct Labelled<Value: Codable & Equatable>: Codable, Equatable {
    var value: Value
    var label = "a"

    init(_ value: Value) { self.value = value }

    init(from decoder: any Decoder) throws { value = try Value(from: decoder) }

    func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
  }

  /// The same as a sequence of what it wraps.
  struct Sequenced<Value: Codable & Equatable & Collection>: Codable, Equatable, Sequence {
    var value: Value

    init(_ value: Value) { self.value = value }

    init(from decoder: any Decoder) throws { value = try Value(from: decoder) }

    func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }

    func makeIterator() -> Value.Iterator { value.makeIterator() }
  }

  typealias Wrapper = Codable & Equatable & SendableMetatype

  /// What a wrapper writes, with all that two writers and a save make of it.
  struct Wrapping: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let merges: @Sendable () throws -> Void
    let keepsSets: @Sendable () throws -> Void

    init<Strings: Wrapper, Numbers: Wrapper>(
      _ name: String,
      _ strings: @escaping @Sendable ([String]) -> Strings,
      _ numbers: @escaping @Sendable (Set<Int>) -> Numbers
    ) {
      testDescription = name
      merges = {
        for (first, one, other, merge) in [
          (["a", "b", "c"], ["x", "a", "b"], ["a", "b", "C"], ["x", "a", "b", "C"]),
          // As many elements as the wrapper has properties.
          (["a", "b"], ["x", "a", "b"], ["a", "B"], ["x", "a", "B"]),
          (["a", "b"], ["b"], ["a", "b", "c"], ["b", "c"]),
        ] {
          let doc = try merged(strings(first), strings(one), strings(other))
          #expect(try doc.decode(Keyed<[String]>.self).v == merge)
        }
      }
      keepsSets = {
        for count in [0, 1, 2, 40] {
          let set = Set(0..<count)
          // Another table of the same elements has them in another order.
          var other = Set<Int>(minimumCapacity: 4_000)
          for number in set { other.insert(number) }
          let doc = Document()
          try doc.encode(Keyed(v: numbers(set)))
          #expect(try doc.operations { try doc.encode(Keyed(v: numbers(other))) } == 0)
        }
      }
    }
  }

  static let wrappings: [Wrapping] = [
    Wrapping("nothing", { $0 }, { $0 }),
    Wrapping("one property", { Box($0) }, { Box($0) }),
    Wrapping("two properties", { Labelled($0) }, { Labelled($0) }),
    Wrapping("a sequence", { Sequenced($0) }, { Sequenced($0) }),
    Wrapping("a wrapper in a wrapper", { Labelled(Box($0)) }, { Labelled(Box($0)) }),
    Wrapping("a sequence in a wrapper", { Box(Sequenced($0)) }, { Box(Sequenced($0)) }),
    Wrapping("an optional", { Labelled(Optional($0)) }, { Labelled(Optional($0)) }),
  ]

  @Test("A list behind a wrapper merges as the list that it is", arguments: wrappings)
  func wrappedLists(wrapping: Wrapping) throws { try wrapping.merges() }

  @Test("A set behind a wrapper keeps its order in the document", arguments: wrappings)
  func wrappedSets(wrapping: Wrapping) throws { try wrapping.keepsSets() }

  /// A row one of whose elements is a list, which may have as many elements as the row.
  struct Named: Codable, Equatable {
    var numbers: [Int]
    var name: String

    init(_ numbers: [Int], _ name: String) { (self.numbers, self.name) = (numbers, name) }

    init(from decoder: any Decoder) throws {
      var list = try decoder.unkeyedContainer()
      (numbers, name) = try (list.decode([Int].self), list.decode(String.self))
      guard list.isAtEnd else {
        throw DecodingError.dataCorruptedError(in: list, debugDescription: "more than two")
      }
    }

    func encode(to encoder: any Encoder) throws {
      var list = encoder.unkeyedContainer()
      try list.encode(numbers)
      try list.encode(name)
    }
  }

  @Test("A row stays one, whatever lists are in it", arguments: [0, 1, 2, 3])
  func rowsWithLists(count: Int) throws {
    let numbers = Array(0..<count)
    let doc = try Self.merged(
      Named(numbers, "a"),
      Named(numbers + [7], "b"),
      Named([8] + numbers, "a")
    )
    #expect(try doc.decode(Keyed<Named>.self).v.name == "b")
    #expect(try doc.length(obj: doc.object("v")) == 2)
  }

  @Test("A wrapped range is written as a whole, one of all integers as well")
  func wrappedRanges() throws {
    let doc = try Self.merged(Labelled(1...10), Labelled(8...10), Labelled(1...3))
    let span = try doc.decode(Keyed<ClosedRange<Int>>.self).v
    #expect(span == 8...10 || span == 1...3)
    let all = Int.min...Int.max
    try doc.encode(Keyed(v: Box(all)))
    #expect(try doc.decode(Keyed<ClosedRange<Int>>.self).v == all)
    try doc.encode(Keyed(v: Labelled(all)))
    #expect(try doc.decode(Keyed<ClosedRange<Int>>.self).v == all)
  }

  @Test("A readonly encode writes parts in place, and a cautious one looks at them")
  func options() throws {
    let doc = Document()
    try doc.encode(Keyed(v: 1...9))
    let object = try doc.object("v")
    try AutomergeEncoder(doc: doc, strategy: .readonly).encode(Keyed(v: 2...7))
    #expect(try doc.object("v") == object)
    #expect(try doc.decode(Keyed<ClosedRange<Int>>.self).v == 2...7)
    try doc.put(obj: object, index: 1, value: .F64(7))
    #expect(throws: EncodingError.self) {
      try AutomergeEncoder(doc: doc, cautiousWrite: true).encode(Keyed(v: 2...8))
    }
    try doc.put(obj: .ROOT, key: "v", value: .Int(1))
    #expect(throws: CodingKeyLookupError.self) { try doc.encode(Keyed(v: 2...8)) }
  }

  @Test("A wrapper that hands on its encoder loses no rule of what it wraps")
  func wrappers() throws {
    let doc = Document()
    try doc.encode(Keyed(v: Box(AutomergeText("one two"))))
    let peer = doc.fork()
    for (document, text) in [(doc, "zero one two"), (peer, "one two three")] {
      let note = try document.decode(Keyed<Box<AutomergeText>>.self)
      #expect(note.v.value.isBound)
      note.v.value.value = text
      try document.encode(note)
    }
    try doc.merge(other: peer)
    #expect(try doc.decode(Keyed<Box<AutomergeText>>.self).v.value.value == "zero one two three")

    let counts = Document()
    try counts.encode(Keyed(v: Box(Counter(3))))
    #expect(try counts.tree() == .dict(["v": .scalar(.Counter(3))]))
    let count = try counts.decode(Keyed<Box<Counter>>.self).v.value
    count.increment(by: 2)
    #expect(try counts.decode(Keyed<Box<Counter>>.self).v.value.value == 5)

    let sets = Document()
    let numbers = Set(0..<40)
    try sets.encode(Keyed(v: Box(numbers)))
    // Another table of the same elements has them in another order.
    var other = Set<Int>(minimumCapacity: 4_000)
    for number in numbers { other.insert(number) }
    #expect(try sets.operations { try sets.encode(Keyed(v: Box(other))) } == 0)

    let spans = try Self.merged(Box(1...10), Box(8...10), Box(1...3))
    let span = try spans.decode(Keyed<Box<ClosedRange<Int>>>.self).v.value
    #expect(span == 8...10 || span == 1...3)
    let states = try Self.merged(
      Box(State.open),
      Box(.done(by: "a")),
      Box(.cancelled(reason: "b", at: 1))
    )
    #expect(try states.decode(Keyed<Box<State>>.self).v.value != .open)
  }

  @Test("With unknown keys kept, wrapped dictionaries and enums are exact")
  func wrappersKeepNothing() throws {
    let doc = Document()
    let encoder = AutomergeEncoder(doc: doc, unknownKeys: .preserve)
    try encoder.encode(Keyed(v: Box(["x": 1, "y": 2])))
    try encoder.encode(Keyed(v: Box(["x": 1])))
    #expect(try doc.decode(Keyed<[String: Int]>.self).v == ["x": 1])
    let states = Document()
    let other = AutomergeEncoder(doc: states, unknownKeys: .preserve)
    try other.encode(Keyed(v: Box(State.done(by: "a"))))
    try other.encode(Keyed(v: Box(State.open)))
    #expect(try states.decode(Keyed<State>.self).v == .open)
  }

  @Test("A text that was stored as other coders write it becomes a text")
  func earlierForm() throws {
    let doc = Document()
    try doc.encode(Keyed(v: ["value": "one"]))
    let note = try doc.decode(Keyed<Box<AutomergeText>>.self)
    #expect(note.v.value.value == "one")
    #expect(throws: CodingKeyLookupError.self) {
      try AutomergeEncoder(doc: doc, strategy: .readonly).encode(note)
    }
    try doc.encode(note)
    #expect(try doc.tree() == .dict(["v": .text("one")]))
    #expect(note.v.value.isBound)
  }
}

extension WholeValueTests.Box: Sendable where Value: Sendable {}
