import Foundation
import ModelGeneration
import ModelZoo
import PropertyEngine
import TestSupport
import Testing

@Suite("Deriving values")
struct DerivationTests {
  static let models = ModelZoo.models(text: PlainText.self, counter: PlainCounter.self)

  @Test("The zoo has at least 40 models, each under a name of its own")
  func zoo() {
    #expect(Self.models.count >= 40)
    #expect(Set(Self.models.map(\.name)).count == Self.models.count)
  }

  @Test(
    "Every model of the zoo derives, and its values survive their recorded tree",
    arguments: models
  )
  func derives(model: Model) throws {
    var distinct: Set<Tree> = []
    for index in 0..<60 {
      var choices = Choices(seed: Seed(value: 1).stream(UInt64(index)))
      guard let tree = model.treeUnlessRefused(&choices) else { continue }
      distinct.insert(tree)
      let again = try TreeRecorder.tree(of: model.value(of: tree))
      if !model.traits.contains(.lossy) { #expect(again.difference(from: tree) == nil) }
      var replayed = Choices(replaying: choices.recordedValues)
      #expect(model.treeUnlessRefused(&replayed) == tree)
      #expect(choices.recorded.count <= 2100)
    }
    #expect(distinct.count >= (["Empty", "Phase"].contains(model.name) ? 1 : 8))
  }

  @Test("No choices at all give the simplest value", arguments: models)
  func simplest(model: Model) throws {
    var none = Choices(replaying: [])
    let tree = try model.tree(&none)
    // Lists are empty and optionals nil, but for lists whose length the type prescribes.
    #expect(tree.nodeCount <= 60)
    var again = Choices(replaying: [])
    #expect(try model.tree(&again) == tree)
  }
}

extension Model {
  /// A drawn value's tree; nil if a model that refuses some of its values refused this one.
  fileprivate func treeUnlessRefused(_ choices: inout Choices) -> Tree? {
    do {
      return try tree(&choices)
    } catch {
      if !traits.contains(.refuses) { Issue.record("\(name): \(error)") }
      return nil
    }
  }
}

private typealias Returning = Codable & Equatable & SendableMetatype

@Suite("What cannot be derived, and what is added for it")
struct RefusalTests {
  final class Loop: Codable {
    let next: Loop
  }

  struct Nothing: Decodable {
    var never: Never
  }

  struct MaybeNothing: Decodable, Equatable {
    var never: Never?
    var number: Int
  }

  struct Odd: Codable, Equatable {
    var kind: String
    var value: Int

    enum CodingKeys: CodingKey { case kind, value }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      kind = try container.decode(String.self, forKey: .kind)
      value = try container.decode(Int.self, forKey: .value)
      guard kind == "alpha" || kind == "beta" else {
        throw DecodingError.dataCorruptedError(
          forKey: .kind,
          in: container,
          debugDescription: "unknown kind"
        )
      }
    }
  }

  enum Hidden: Decodable {
    case a(Int)

    struct Key: CodingKey {
      var stringValue: String
      var intValue: Int? { nil }
      init?(intValue: Int) { nil }
      init?(stringValue: String) {
        guard stringValue == "zebra" else { return nil }
        self.stringValue = stringValue
      }
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      guard let key = container.allKeys.first else {
        throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "no case"))
      }
      self = .a(try container.decode(Int.self, forKey: key))
    }
  }

  private func refusal<Value: Decodable>(_ type: Value.Type) -> NotDerivable? {
    #expect(throws: NotDerivable.self) { try Derived<Value>() }
  }

  @Test("A type without a finite value is named")
  func endless() throws {
    #expect(refusal(Loop.self)?.reason == .noFiniteValue)
    // Whatever can do without it derives.
    let derived = try Derived<[String: Loop]>()
    var choices = Choices(seed: 1)
    #expect(try derived.value(&choices).isEmpty)
  }

  @Test("A type without any value is named, and where it stands")
  func uninhabited() throws {
    let error = try #require(refusal(Nothing.self))
    #expect(error.type == "Never")
    #expect(error.path == SchemaSlot([.key("never")]))
    let derived = try Derived<MaybeNothing>()
    for index in 0..<20 {
      var choices = Choices(seed: Seed(value: 2).stream(UInt64(index)))
      #expect(try derived.value(&choices).never == nil)
    }
  }

  @Test("A magic word is asked for in words, and taken when it is given")
  func asksForWords() throws {
    let error = try #require(refusal(Odd.self))
    #expect(error.description.contains("`kind`: String"))
    #expect(error.description.contains("unknown kind"))
    #expect(error.description.contains("words: [\"key\": [\"word\"]]"))
    var options = DerivationOptions()
    options.words["kind"] = ["alpha", "beta"]
    let derived = try Derived(Odd.self, options)
    let kinds = try (0..<40).map { index in
      var choices = Choices(seed: Seed(value: 3).stream(UInt64(index)))
      return try derived.value(&choices).kind
    }
    #expect(Set(kinds) == ["alpha", "beta"])
  }

  @Test("Words for a key that nothing asks for are refused, and the key that is meant is named")
  func misspeltWords() throws {
    var options = DerivationOptions()
    options.words["knd"] = ["alpha", "beta"]
    let refused = try #require(throws: NotDerivable.self) { try Derived(Odd.self, options) }
    #expect(
      refused.description == """
        `words:` has "knd", and `Odd` decodes no string under such a key, and no enumeration of such a name. \
        Did you mean 'kind'? It has `kind`.
        """
    )
    // Also where the type has values without them.
    options.words = ["titel": ["a"]]
    let free = try #require(throws: NotDerivable.self) { try Derived(Booking.self, options) }
    #expect(free.description.contains("Did you mean 'title'?"))
    options.words = ["title": ["a"], "colour": ["red"]]
    let unlike = try #require(throws: NotDerivable.self) { try Derived(Booking.self, options) }
    #expect(unlike.description.hasSuffix("It has `day`, `id`, `title`."))
    // What hides behind a refusal may be asked for once the refusal is fixed.
    options.words = ["colour": ["red"]]
    let other = try #require(throws: NotDerivable.self) { try Derived(Odd.self, options) }
    #expect(other.description.contains("unknown kind"))
    options.words = ["title": ["a"], "id": ["F47AC10B-58CC-4372-A567-0E02B2C3D479"]]
    #expect(throws: Never.self) { try Derived(Booking.self, options) }
  }

  /// Refuses a string at once unless it is a date; and two others only when all are there.
  struct Booking: Decodable {
    let day: Date
    let id: UUID
    let title: String

    enum CodingKeys: CodingKey { case day, id, title }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      func refused(_ key: CodingKeys) -> DecodingError {
        DecodingError.dataCorruptedError(forKey: key, in: container, debugDescription: "refused")
      }
      let text = try container.decode(String.self, forKey: .day)
      guard let day = try? Date(text, strategy: .iso8601) else { throw refused(.day) }
      let name = try container.decode(String.self, forKey: .id)
      guard let id = UUID(uuidString: name) else { throw refused(.id) }
      (self.day, self.id) = (day, id)
      title = try container.decode(String.self, forKey: .title)
    }
  }

  /// Reads both before it looks at either.
  struct Stay: Decodable {
    let nights: Int

    enum CodingKeys: CodingKey { case from, to }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      let from = try container.decode(String.self, forKey: .from)
      let to = try container.decode(String.self, forKey: .to)
      guard let from = try? Date(from, strategy: .iso8601),
        let to = try? Date(to, strategy: .iso8601)
      else {
        let explanation = "no dates"
        throw DecodingError.dataCorruptedError(
          forKey: .from,
          in: container,
          debugDescription: explanation
        )
      }
      nights = Int(to.timeIntervalSince(from) / 86_400)
    }
  }

  @Test("Strings that must be dates, identifiers or addresses are found without words")
  func formats() throws {
    let derived = try Derived<Booking>()
    let bookings = try (0..<40).map { index in
      var choices = Choices(seed: Seed(value: 3).stream(UInt64(index)))
      return try derived.value(&choices)
    }
    #expect(Set(bookings.map(\.day)).count == 5)
    #expect(Set(bookings.map(\.id)).count == 3)
    // What takes any string gets any.
    #expect(Set(bookings.map(\.title)).count > 20)
    var choices = Choices(seed: 1)
    #expect(throws: Never.self) { try Derived<Stay>().value(&choices) }
  }

  /// Refuses a string unless it is a date, if it is there at all.
  private struct Task: Decodable {
    let due: Date?
    let done: Date?
    let title: String

    enum CodingKeys: CodingKey { case title, due, done }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      func date(_ key: CodingKeys) throws -> Date? {
        guard let text = try container.decodeIfPresent(String.self, forKey: key) else { return nil }
        guard let date = try? Date(text, strategy: .iso8601) else {
          throw DecodingError.dataCorruptedError(
            forKey: key,
            in: container,
            debugDescription: "no date"
          )
        }
        return date
      }
      title = try container.decode(String.self, forKey: .title)
      due = try date(.due)
      done = try date(.done)
    }
  }

  @Test("An optional string that must be a date is there in about three of four values")
  func optionalFormats() throws {
    let derived = try Derived<Task>()
    let tasks = try (0..<200).map { index in
      var choices = Choices(seed: Seed(value: 3).stream(UInt64(index)))
      return try derived.value(&choices)
    }
    #expect((120...180).contains(tasks.count { $0.due != nil }))
    #expect((120...180).contains(tasks.count { $0.done != nil }))
    // What takes any string gets any.
    #expect(Set(tasks.map(\.title)).count > 80)
  }

  /// Asks for another type only where a number is odd, which the simplest is not.
  private struct Versions: Decodable {
    enum Content: Decodable { case plain(Int) }

    let content: Content?

    enum CodingKeys: CodingKey { case version, content }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      let isNew = try container.decode(Int.self, forKey: .version) & 1 == 1
      content = isNew ? try container.decode(Content.self, forKey: .content) : nil
    }
  }

  @Test("A type that only random answers lead to has values as well")
  func askedForLate() throws {
    let derived = try Derived<Versions>()
    let contents = try (0..<40).map { index in
      var choices = Choices(seed: Seed(value: 1).stream(UInt64(index)))
      return try derived.value(&choices).content
    }
    #expect(contents.contains { $0 == nil } && contents.contains { $0 != nil })
  }

  @Test(
    "Parts of a locale are such as Foundation makes, and come back",
    arguments: [
      Locale.Collation.self, Locale.Components.self, Locale.Currency.self, Locale.Language.self,
      Locale.LanguageCode.self, Locale.MeasurementSystem.self, Locale.NumberingSystem.self,
      Locale.Region.self, Locale.Script.self, Locale.Subdivision.self, Locale.Variant.self,
    ] as [any Returning.Type]
  )
  private func partsOfLocales(type: any Returning.Type) throws {
    func comeBack<Value: Codable & Equatable>(_ type: Value.Type) throws {
      let derived = try Derived(type)
      for index in 0..<40 {
        var choices = Choices(seed: Seed(value: 1).stream(UInt64(index)))
        let value = try derived.value(&choices)
        let tree = try TreeRecorder.tree(of: value)
        #expect(try TreeDecoder().decode(type, from: tree) == value)
      }
    }
    try comeBack(type)
  }

  private struct Parcel: Codable {
    var name: String
    var count: Int
    var small: UInt8
    var weight: Double
    var isPaid: Bool
  }

  @Test("A field is a literal one time in two, if one of them is such a scalar")
  func literals() throws {
    var options = DerivationOptions()
    options.literals = Literals(
      words: ["a word of the sources"],
      numbers: [70_001, -70_001],
      decimals: [19.99]
    )
    let parcels = try Derived(Parcel.self, options)
    var values: [Parcel] = []
    for index in 0..<200 {
      var choices = Choices(seed: Seed(value: 1).stream(UInt64(index)))
      let value = try parcels.value(&choices)
      var replayed = Choices(replaying: choices.recordedValues)
      #expect(try parcels.value(&replayed).count == value.count)
      values.append(value)
    }
    #expect((60...140).contains(values.count { $0.name == "a word of the sources" }))
    #expect((60...140).contains(values.count { $0.count.magnitude == 70_001 }))
    #expect((40...100).contains(values.count { $0.weight.magnitude == 70_001 }))
    #expect((15...60).contains(values.count { $0.weight == 19.99 }))
    #expect(Set(values.map(\.small)).count > 20)
    #expect(Set(values.map(\.count)).count > 40)
  }

  @Test("A generator takes the place of a type that cannot be derived")
  func generator() throws {
    #expect(refusal(Hidden.self) != nil)
    var options = DerivationOptions()
    options.value(Hidden.self) { .a($0.number(in: 0...9)) }
    let derived = try Derived([Hidden].self, options)
    var choices = Choices(seed: 1)
    #expect(throws: Never.self) { try derived.value(&choices) }
  }
}

@Suite("Schemas, and how values shrink")
struct SchemaTests {
  struct Inner: Codable {
    var count: Int
  }

  enum Shape: Codable {
    case circle(radius: Double)
    case nothing
  }

  struct Outer: Codable {
    var name: String
    var more: [Inner]
    var map: [String: Int]
    var shape: Shape
    var when: Date?
    var option: Int?
  }

  @Test("The schema names what each type asks for")
  func schema() throws {
    let schema = try Derived<Outer>().schema
    #expect(
      schema.description == """
        Outer { name: String, more: Array<Inner>, map: Dictionary<String, Int>, shape: Shape, \
        when: Date?, option: Int?, map[]: Int }
        Shape { #case: circle|nothing, circle.radius: Double }
        Inner { count: Int }
        """
    )
  }

  /// Asks for lists and maps by hand, so that its slots have several steps.
  struct Nested: Decodable {
    var names: [String] = []

    enum CodingKeys: CodingKey { case rows, names }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      var rows = try container.nestedUnkeyedContainer(forKey: .rows)
      while !rows.isAtEnd {
        let row = try rows.nestedContainer(keyedBy: CodingKeys.self)
        names.append(try row.decode(String.self, forKey: .names))
      }
    }
  }

  @Test("A slot has a step for each container, and is stored as a text")
  func slots() throws {
    let fields = try #require(try Derived<Nested>().schema.types.first?.fields)
    let slot = SchemaSlot([.key("rows"), .element, .key("names")])
    #expect(fields.map(\.slot) == [slot])
    #expect(slot.description == ".rows[].names")
    #expect(slot.name == "rows[].names")
    #expect(slot.keys == ["rows", "names"])
    let steps: [[SchemaSlot.Step]] = [[], [.anyKey, .element, .element], [.element, .key("a")]]
    let slots = steps.map { SchemaSlot($0) } + [slot]
    let stored = try JSONEncoder().encode(slots)
    #expect(try JSONDecoder().decode([SchemaSlot].self, from: stored) == slots)
    // Keys may hold what parts steps: snapshots are compared by their texts.
    let texts = [".a[b", ".a[b].c", ".a.b", "..a", ".a[].[b[]"]
    let keys = try JSONDecoder().decode([SchemaSlot].self, from: JSONEncoder().encode(texts))
    #expect(keys.map(\.description) == texts)
    #expect(keys[0].keys == ["a[b"])
    #expect(SchemaSlot([.key(".a")]).name == ".a")
    // What no coder of ours writes is read all the same.
    let others = try JSONEncoder().encode(["a", "[", "..", "[x].y", "#"])
    #expect(throws: Never.self) { try JSONDecoder().decode([SchemaSlot].self, from: others) }
  }

  @Test("A type has one form, whether it is seen or read from a snapshot")
  func types() throws {
    let types: [Any.Type] = [
      Int8.self, UInt.self, Double.self, UUID.self, Bool.self, Outer.self, Int??.self,
      [String: [Set<UInt16>?]].self, [UUID: ContiguousArray<[Inner]>].self, ClosedRange<Int>.self,
    ]
    let seen = types.map { SchemaType($0) }
    let stored = try JSONDecoder().decode([SchemaType].self, from: JSONEncoder().encode(seen))
    #expect(stored == seen)
    for (stored, seen) in zip(stored, seen) { #expect("\(stored.form)" == "\(seen.form)") }
    let deep = String(repeating: "Array<", count: 1000) + String(repeating: ">", count: 1000)
    let others = try JSONEncoder().encode(["", "<", ">", "<>", "Array<>", "Dictionary<Int>", deep])
    let odd = try JSONDecoder().decode([SchemaType].self, from: others)
    #expect(odd.last?.name == deep)
    #expect("\(odd[5].form)" == "other")
  }

  private enum Level: Int, Codable {
    case low = 1
    case high = 7
  }

  private enum Grade: String, Codable {
    case first = "1"
    case second
  }

  @Test("A raw value is a number where it is an integer, whatever its text looks like")
  func rawValues() throws {
    let levels = try #require(try Derived<Level>().schema.types.first?.rawValues)
    #expect(levels.map(\.text) == ["1", "7"])
    #expect(levels.map(\.integer) == [1, 7])
    let grades = try #require(try Derived<Grade>().schema.types.first?.rawValues)
    #expect(grades.map(\.text) == ["1", "second"])
    #expect(grades.map(\.integer) == [nil, nil])
    let stored = try JSONEncoder().encode(levels)
    #expect(String(decoding: stored, as: UTF8.self) == #"["1","7"]"#)
    #expect(try JSONDecoder().decode([Schema.RawValue].self, from: stored) == levels)
  }

  private func minimum<Value: Codable & Equatable>(
    _ type: Value.Type,
    _ fails: @escaping @Sendable (Value) -> Bool
  ) throws -> Set<String> where Value: Sendable {
    let derived = try Derived<Value>()
    let samples = Generator<Value?> { try? derived.value(&$0) }
    let law = Law("test.shrinks", "x", source: .paper("none"), forAll: samples) { value in
      guard let value, fails(value) else { return nil }
      return Difference(kind: "found", summary: "found")
    }
    return Set(
      try (0..<8).compactMap { seed in
        try checkLaw(law, seed: Seed(value: UInt64(seed)), cases: 2000).failure?.sample.map {
          "\($0)"
        }
      }
    )
  }

  @Test("A failing value shrinks to one smallest form")
  func shrinks() throws {
    let sums = try minimum([Int].self) { $0.reduce(0, &+) > 1000 }
    #expect(sums.count <= 2 && sums.contains("[1001]"), "\(sums)")
    #expect(try minimum([String].self) { $0.count >= 2 } == ["[\"\", \"\"]"])
    let lists = try minimum([[Bool]].self) { $0.joined().contains(true) }
    #expect(lists == ["[[true]]"], "\(lists)")
  }

  @Test("One plan makes one value of one list of choices, whichever type came before")
  func determinism() throws {
    let first = try Derived<Outer>()
    _ = try Derived<[Inner]>()
    let second = try Derived<Outer>()
    for index in 0..<200 {
      var choices = Choices(seed: Seed(value: 9).stream(UInt64(index)))
      let value = try TreeRecorder.tree(of: first.value(&choices))
      var replayed = Choices(replaying: choices.recordedValues)
      #expect(try TreeRecorder.tree(of: second.value(&replayed)) == value)
      #expect(replayed.recorded == choices.recorded)
      var bytes = Choices(bytes: choices.spelledBytes)
      #expect(try TreeRecorder.tree(of: first.value(&bytes)) == value)
    }
  }
}
