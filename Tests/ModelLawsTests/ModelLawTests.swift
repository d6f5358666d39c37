import Foundation
import ModelGeneration
import ModelLaws
import ModelZoo
import PropertyEngine
import Synchronization
import TestSupport
import Testing

@Suite("Laws of models")
struct ModelLawTests {
  /// The first failure of the catalogue on a source's values, as a test of a user finds it.
  private func failure<Value>(
    _ source: ModelSource<Value>,
    tolerance: Tolerance = .exact
  ) throws -> Failure? {
    for law in ModelLaws(source, tolerance: tolerance).all {
      var run = LawRun([LawGroup(law)], on: ["model"], seed: 1, startsSimple: true)
      run.run(cases: max(2, 60 / law.costs), shrinkLimit: 2000, failureLimit: 1)
      if let failure = run.failures.values.first { return failure }
      if let (_, error) = run.totals.drawError { throw error }
    }
    return nil
  }

  /// The first failure of the catalogue on a type that can be derived.
  private func failure<Value: Codable & SendableMetatype>(
    _ type: Value.Type,
    tolerance: Tolerance = .exact
  ) throws -> Failure? {
    try failure(ModelSource(deriving: type, DerivationOptions()), tolerance: tolerance)
  }

  @Test("Every law of the catalogue is lowered, in its order, under a proper name")
  func catalogue() throws {
    let laws = try ModelLaws(ModelSource(deriving: Fields.self, DerivationOptions())).all
    #expect(laws.map(\.statement) == ModelLaw.all)
    for law in laws {
      #expect(lawNameProblem(law.name) == nil)
      #expect(law.statement.advice != nil)
    }
  }

  @Test("Before a value is encoded, the same value with all but one place simple is")
  func simplerFirst() throws {
    let document = try Tree(
      text: #"{"count": int 7, "parts": [{"share": float 0.5}], "title": "abc", "when": date 9}"#
    )
    let attempts = Mutex<[ModelAttempt]>([])
    let source = try ModelSource(deriving: Fields.self, DerivationOptions())
    let laws = ModelLaws(source, willTry: { attempt in attempts.withLock { $0.append(attempt) } })
    let law = try #require(laws.all.first)
    let sample = try ModelSample<Fields>(document: document)
    #expect(law.verdict(of: sample) == .held)
    let encoded = attempts.withLock { $0 }
      .filter { $0.law == ModelLaw.encodes && $0.description.hasPrefix("`encode(to:)`") }
    #expect(
      encoded.map(\.document.description) == [
        #"{"count": int 0, "parts": [], "title": "", "when": date 0.0}"#,
        #"{"count": int 7, "parts": [], "title": "", "when": date 0.0}"#,
        #"{"count": int 0, "parts": [], "title": "abc", "when": date 0.0}"#,
        #"{"count": int 0, "parts": [], "title": "", "when": date 9.0}"#,
        #"{"count": int 0, "parts": [{"share": float 0.0}], "title": "", "when": date 0.0}"#,
        #"{"count": int 0, "parts": [{"share": float 0.5}], "title": "", "when": date 0.0}"#,
        document.description,
      ]
    )
  }

  /// Lists within lists, where one list may not be empty.
  struct Rows: Codable {
    struct Row: Codable { var seats: [Int] }

    var name: String
    var rows: [Row]

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      name = try container.decode(String.self, forKey: .name)
      rows = try container.decode([Row].self, forKey: .rows)
      guard !rows.isEmpty else {
        throw DecodingError.dataCorruptedError(
          forKey: .rows,
          in: container,
          debugDescription: "no rows"
        )
      }
    }
  }

  @Test("A place within lists stands out with one element of each list around it")
  func simplerWithinLists() throws {
    let document = try Tree(
      text: #"{"name": "n", "rows": [{"seats": [int 1, int 2]}, {"seats": [int 3, int 4]}]}"#
    )
    let attempts = Mutex<[ModelAttempt]>([])
    let source = try ModelSource(deriving: Rows.self, DerivationOptions())
    let laws = ModelLaws(source, willTry: { attempt in attempts.withLock { $0.append(attempt) } })
    let sample = try ModelSample<Rows>(document: document)
    #expect(try #require(laws.all.first).verdict(of: sample) == .held)
    let encoded = attempts.withLock { $0 }
      .filter { $0.law == ModelLaw.encodes && $0.description.hasPrefix("`encode(to:)`") }
      .map(\.document.description)
    for number in 1...4 {
      let alone = #"{"name": "", "rows": [{"seats": [int \#(number)]}]}"#
      #expect(encoded.contains(alone), "\(encoded)")
    }
    // What is larger comes later.
    let sizes = try encoded.map { try Tree(text: $0).nodeCount }
    #expect(sizes.last == sizes.max())
    #expect(encoded.last == document.description)
    #expect(Set(encoded).count == encoded.count)
  }

  // MARK: - Right models

  @Test("Models that are right keep all laws")
  func right() throws {
    #expect(try failure(Fields.self)?.headline == nil)
    #expect(try failure(Tree2.self)?.headline == nil)
    #expect(try failure(Cached.self)?.headline == nil)
    #expect(try failure(Sorted.self)?.headline == nil)
    #expect(try failure(Migrating.self)?.headline == nil)
  }

  // MARK: - Wrong models

  @Test("A key that is not written is named, with the smallest value that shows it")
  func lossy() throws {
    let found = try #require(try failure(Lossy.self))
    #expect(found.key.law == "model.lossless")
    #expect(found.difference.summary == "`encode(to:)` does not write `items[0].done`")
    #expect(found.sample.form == FormName("model", version: 1))
    #expect(found.sample.text == #"{"items": [{"done": true, "title": ""}]}"# + "\n")
    #expect(found.difference.expected == "true")
    #expect(found.difference.actual == "false")
  }

  @Test("A required key that is not written is named")
  func unwritten() throws {
    let found = try #require(try failure(Unwritten.self))
    #expect(found.key.law == "model.lossless")
    #expect(
      found.difference.summary
        == "`encode(to:)` does not write `when`, which `init(from:)` requires"
    )
  }

  /// Writes what it never reads.
  struct Unread: Codable {
    var title: String
    var count = 0
    var version = 1

    enum CodingKeys: CodingKey { case title, count, version }

    init(from decoder: any Decoder) throws {
      title = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .title)
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(title, forKey: .title)
      try container.encode(count, forKey: .count)
      try container.encode(version, forKey: .version)
    }
  }

  @Test("A key that is written and never read is named, within lists and options too")
  func unread() throws {
    let declared = Tolerance(unreadKeys: ["version"])
    let found = try #require(try failure(Unread.self, tolerance: declared))
    #expect(found.key.law == "model.reads-all")
    #expect(
      found.difference.summary == "`init(from:)` never asks for `count`, which `encode(to:)` writes"
    )
    #expect(found.sample.text == #"{"title": ""}"# + "\n")
    let within = try #require(try failure([String: [Unread?]].self, tolerance: declared))
    #expect(within.difference.summary.contains("[0].count`, which"))
    let all = Tolerance(unreadKeys: ["version", "count"])
    #expect(try failure(Unread.self, tolerance: all)?.headline == nil)
  }

  @Test("A loss is seen where `==` does not look, and a cache is none")
  func equality() throws {
    let found = try #require(try failure(EqualByID.self))
    #expect(found.difference.summary == "`encode(to:)` does not write `note`")
    #expect(try failure(Cached.self)?.headline == nil)
  }

  @Test("A NaN, which does not equal itself, is no loss; the loss of one is")
  func notReflexive() throws {
    struct Reading: Codable, Equatable {
      var value = Double.nan
      var more: [Double] = [1, .nan]
    }
    struct Clumsy: Codable, Equatable {
      var value = Double.nan

      init() {}
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        value = try container.decode(Double.self, forKey: .value)
        if value.isNaN { value = 0 }
      }
    }
    let found = try failure(ModelSource(mutating: [Reading()]))
    let told = found?.headline ?? ""
    #expect(told == "")
    #expect(try failure(ModelSource(mutating: [Clumsy()])) != nil)
  }

  @Test("A value that is made again at each decode or encode is not deterministic")
  func random() throws {
    let decoding = try #require(try failure(FreshID.self))
    #expect(decoding.key.law == "model.deterministic")
    #expect(decoding.difference.summary.contains("`id` differs"))
    let encoding = try #require(try failure(Stamped.self))
    #expect(encoding.key.law == "model.deterministic")
    #expect(encoding.difference.summary.contains("the same value becomes something else"))
  }

  @Test("A set that is written in the order it happens to have is the model's own fault")
  func setOrder() throws {
    let found = try #require(try failure(ListedSet.self))
    #expect(found.key.law == "model.deterministic")
    #expect(found.difference.summary.hasPrefix("an equal value is encoded as something else: "))
    #expect(try failure(PlainSet.self)?.headline == nil)
    #expect(try failure(SortedSet.self)?.headline == nil)
  }

  @Test("A value that depends on the order of keys is found")
  func ordered() throws {
    let found = try #require(try failure(FirstKey.self))
    #expect(found.key.law == "model.key-order")
  }

  @Test("A date that loses more than declared is found, and tolerated once that is declared")
  func tolerance() throws {
    let found = try #require(try failure(RoundedDate.self))
    #expect(found.key.law == "model.lossless")
    #expect(found.difference.summary == "`when` comes back as something else")
    #expect(try failure(RoundedDate.self, tolerance: Tolerance(dateSeconds: 1))?.headline == nil)
  }

  @Test("An old document that is decoded to a value that does not last is found")
  func drifted() throws {
    let found = try #require(try failure(Forgiving.self))
    #expect(found.key.law == "model.old-data")
    #expect(found.difference.summary.contains("is decoded to a value that does not last"))
  }

  // MARK: - Samples

  @Test("Samples are mutated, and the mutants are decodable")
  func samples() throws {
    let sample = Checked(words: ["a", "b"])
    let source = try ModelSource(mutating: [sample])
    var seen: Set<Tree> = []
    for index in 0..<200 {
      var choices = Choices(seed: Seed(value: 7).stream(UInt64(index)))
      seen.insert(try source.draw(&choices).document)
    }
    // The sum must fit: only what keeps it is a sample.
    #expect(seen.count > 1)
    #expect(try failure(source)?.headline == nil)
  }

  @Test("Traits are found out by trying")
  func traits() throws {
    func traits<Value: Codable & SendableMetatype>(_ type: Value.Type) throws -> Set<Model.Trait> {
      try ModelTraits(ModelSource(deriving: type, DerivationOptions())).traits
    }
    #expect(try traits(Fields.self) == [.keyedRoot, .lists, .dates, .plainStruct])
    #expect(try traits([Int].self) == [.lists, .plainLists])
    #expect(try traits([String: [String]].self).contains(.plainLists))
    #expect(try traits([[String: Int]].self).contains(.plainLists) == false)
    #expect(try traits([[[Int: Int]]].self).contains(.plainLists) == false)
    #expect(try traits(Sets.self).contains(.unordered))
    #expect(try traits(IntegerNamed.self).contains(.integerKeys))
    // In a dictionary, a list or an optional of the root.
    #expect(try traits([String: [Int: Bool]].self).contains(.integerKeys))
    #expect(try traits([[Int: Bool]].self).contains(.integerKeys))
    #expect(try traits(NestedIntegerNames.self).contains(.integerKeys))
    #expect(try traits([String: [String: Int]].self).contains(.integerKeys) == false)
    #expect(try traits(Open.self).contains(.plainStruct) == false)
    // Samples have no schema: what decoding asks for tells it as well.
    let samples = try ModelSource(mutating: [PlainSet(tags: ["a", "b"])])
    #expect(try ModelTraits(samples).traits.contains(.unordered))
  }
}

// MARK: - Models

private struct Fields: Codable, Equatable {
  var title: String
  var count: Int
  var when: Date
  var parts: [Part]

  struct Part: Codable, Equatable {
    var share: Double
    var isDone: Bool?
  }
}

private indirect enum Tree2: Codable {
  case leaf(Int)
  case pair(left: Tree2, right: Tree2)
}

/// Has a property that no document holds.
private final class Cached: Codable, Equatable {
  var text: String
  var token = UUID()

  private enum CodingKeys: CodingKey { case text }

  static func == (left: Cached, right: Cached) -> Bool { left.text == right.text }
}

private struct Sorted: Codable, Equatable {
  var tags: [String]

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    tags = try container.decode([String].self, forKey: .tags).sorted()
  }
}

/// Reads an older key, and writes the newer one.
private struct Migrating: Codable, Equatable {
  var title: String

  private enum CodingKeys: CodingKey { case title, name }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    title =
      try container.decodeIfPresent(String.self, forKey: .title)
      ?? container.decodeIfPresent(String.self, forKey: .name) ?? ""
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(title, forKey: .title)
  }
}

private struct Lossy: Codable {
  var items: [Item]

  struct Item: Codable {
    var title: String
    var done: Bool

    private enum CodingKeys: CodingKey { case title, done }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      title = try container.decode(String.self, forKey: .title)
      done = try container.decodeIfPresent(Bool.self, forKey: .done) ?? false
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(title, forKey: .title)
    }
  }
}

private struct Unwritten: Codable {
  var title: String
  var when: Date

  private enum CodingKeys: CodingKey { case title, when }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(title, forKey: .title)
  }
}

private struct EqualByID: Codable, Equatable {
  var id: Int
  var note: String?

  private enum CodingKeys: CodingKey { case id, note }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
  }

  static func == (left: EqualByID, right: EqualByID) -> Bool { left.id == right.id }
}

private struct FreshID: Codable, Equatable {
  var id = UUID()
  var title: String

  private enum CodingKeys: CodingKey { case title }
}

private struct Stamped: Codable {
  var title: String

  private enum CodingKeys: CodingKey { case title, written }

  init(from decoder: any Decoder) throws {
    title = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .title)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(title, forKey: .title)
    try container.encode(UUID(), forKey: .written)
  }
}

private struct PlainSet: Codable {
  var tags: Set<String>
}

private struct ListedSet: Codable {
  var tags: Set<String>

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(Array(tags), forKey: .tags)
  }

  private enum CodingKeys: CodingKey { case tags }
}

private struct SortedSet: Codable {
  var tags: Set<String>

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(tags.sorted(), forKey: .tags)
  }

  private enum CodingKeys: CodingKey { case tags }
}

private struct FirstKey: Codable {
  var first: String?
  var values: [String: Int]

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }

    init?(intValue: Int) { nil }
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    first = container.allKeys.first?.stringValue
    values = [:]
    for key in container.allKeys {
      values[key.stringValue] = try container.decode(Int.self, forKey: key)
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    for (key, value) in values { try container.encode(value, forKey: Key(stringValue: key)) }
  }
}

private struct RoundedDate: Codable {
  var when: Date

  private enum CodingKeys: CodingKey { case when }

  init(from decoder: any Decoder) throws {
    when = try decoder.container(keyedBy: CodingKeys.self).decode(Date.self, forKey: .when)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    let seconds = when.timeIntervalSinceReferenceDate.rounded()
    try container.encode(Date(timeIntervalSinceReferenceDate: seconds), forKey: .when)
  }
}

/// Falls back to a state for unknown words, which it writes as nothing.
private struct Forgiving: Codable, Equatable {
  enum State: Equatable {
    case open
    case unknown(String)
  }

  var state: State

  private enum CodingKeys: CodingKey { case state, kind }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    guard try container.decode(Int.self, forKey: .kind) == 0 else { throw CancellationError() }
    let word = try? container.decode(String.self, forKey: .state)
    state = word == "x" ? .unknown("x") : .open
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(0, forKey: .kind)
    try container.encode("open", forKey: .state)
  }
}

private struct Checked: Codable {
  var words: [String]
  var count: Int

  init(words: [String]) {
    self.words = words
    count = words.count
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    words = try container.decode([String].self, forKey: .words)
    count = try container.decode(Int.self, forKey: .count)
    guard count == words.count else { throw CancellationError() }
  }
}

private struct Sets: Codable {
  var sets: [Set<String>]
}

private struct IntegerNamed: Codable {
  var pages: [Int: String]?
}

private struct NestedIntegerNames: Codable {
  var chapters: [String: [Int: String]]
}

private struct Open: Codable {
  var values: [String: Int]

  init(from decoder: any Decoder) throws {
    values = try decoder.singleValueContainer().decode([String: Int].self)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(values)
  }
}
