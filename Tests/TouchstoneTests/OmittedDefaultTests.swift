import CodingLaws
import Foundation
import ModelGeneration
import ModelLaws
import PropertyEngine
import ReferenceAutomerge
import Testing
import Touchstone

/// Models whose `encode(to:)` leaves out a default that `init(from:)` puts back.
///
/// They are right: no law may blame them, or the coder for what they leave out.
@Suite("Models that leave out defaults")
struct OmittedDefaultTests {
  private func laws<Value: Codable & SendableMetatype>(
    _ type: Value.Type,
    cases: Int
  ) async throws -> [String] {
    try await lawFailures(of: type, cases: cases, file: TemporaryFolder().file)
      .map(\.description)
  }

  @Test("All laws hold for defaults of each kind, in structs, lists and dictionaries")
  func holds() async throws {
    let failures =
      try await laws(Sheet.self, cases: 1200) + laws(Job.self, cases: 1200)
      + laws(Shelf.self, cases: 1200)
    #expect(failures == [])
  }

  @Test("A key that another key decides about is the type's own affair")
  func dependent() async throws {
    #expect(try await laws(Order.self, cases: 1200) == [])
  }

  /// Judges one hand-written sample of the user's model.
  private func verdict<Value: Codable & SendableMetatype>(
    _ law: String,
    of type: Value.Type,
    _ values: [String],
    numbers: [Int] = [],
    trees: [Tree] = []
  ) throws -> Verdict {
    let source = try ModelSource(deriving: type, DerivationOptions())
    let model = Model(source, traits: [.keyedRoot, .lists, .plainStruct])
    var sample = CodingSample(model: model.name)
    sample.values = try values.map { try Tree(text: $0) }
    sample.numbers = numbers
    sample.trees = trees
    let found = try #require(CodingLaw.all.first { $0.name == law })
    return found.judgement(
      on: sample,
      subject: CodingSubject.automerge.subject,
      pool: ModelPool([model])
    ).verdict
  }

  @Test("An edit that becomes the default survives another element's removal as the missing key")
  func removal() throws {
    // Element 0 goes, and of element 1 the first field that can change does, which is `billable`.
    let items = #"[{"cents": int 1}, {"billable": false, "cents": int 2}]"#
    let value = "{\"items\": \(items), \"limits\": {}}"
    let law = "merge.remove-and-edit"
    let verdict = try self.verdict(law, of: Sheet.self, [value], numbers: [0, 0, 0])
    #expect(verdict == .held)
  }

  @Test("With `.preserve` no one is blamed for a key that the type does not name this time")
  func preserved() throws {
    let verdict = try self.verdict(
      "unknown.preserved",
      of: Job.self,
      [#"{"step": {"done": true}, "title": ""}"#, #"{"step": {}, "title": ""}"#],
      trees: [.int(1)]
    )
    guard case .skipped(let reason) = verdict else {
      Issue.record("it is not skipped: \(verdict)")
      return
    }
    #expect(reason.contains("write each key always"))
    // Over any document, too.
    let document = try Tree(text: #"{"step": {"done": true}, "title": ""}"#)
    let written = try self.verdict(
      "arbitrary.written",
      of: Job.self,
      [#"{"step": {}, "title": ""}"#],
      numbers: [0, 0, 1, 0],
      trees: [document]
    )
    #expect(written == .held)
  }

  @Test("A float that the model writes as another one is no refusal that the coder owes")
  func clamped() throws {
    let verdict = try self.verdict(
      "floats.non-finite-below",
      of: Gauge.self,
      [#"{"levels": [], "top": float nan}"#],
      trees: [.list([.string("top")])]
    )
    guard case .skipped = verdict else {
      Issue.record("it is not skipped: \(verdict)")
      return
    }
  }

  @Test("A user's type with the name of one of the zoo's is not asked what only that one is")
  func name() throws {
    let source = try ModelSource(deriving: Shapes.self, DerivationOptions())
    let model = Model(source, traits: [.keyedRoot, .lists])
    #expect(model.name == "Shapes")
    let law = try #require(CodingLaw.all.first { $0.name == "unknown.not-in-dictionaries" })
    #expect(!law.models(model))
  }
}

/// Writes an element's `billable` unless it is true, and reads true where it is missing.
private struct Sheet: Codable, Equatable, Sendable {
  struct Item: Codable, Equatable, Sendable {
    var billable: Bool
    var cents: Int

    private enum CodingKeys: CodingKey { case billable, cents }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      billable = try container.decodeIfPresent(Bool.self, forKey: .billable) ?? true
      cents = try container.decodeIfPresent(Int.self, forKey: .cents) ?? 0
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      if !billable { try container.encode(billable, forKey: .billable) }
      if cents != 0 { try container.encode(cents, forKey: .cents) }
    }
  }

  var items: [Item]
  var limits: [String: Item]
}

/// Writes a nested `done` if it is true, and reads false where it is missing.
private struct Job: Codable, Equatable, Sendable {
  struct Step: Codable, Equatable, Sendable {
    var done: Bool

    private enum CodingKeys: CodingKey { case done }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      done = try container.decodeIfPresent(Bool.self, forKey: .done) ?? false
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      if done { try container.encode(done, forKey: .done) }
    }
  }

  var title: String
  var step: Step
}

/// Leaves out an empty list, an empty string and 0, at the root and in the elements of a list.
private struct Shelf: Codable, Equatable, Sendable {
  struct Book: Codable, Equatable, Sendable {
    var tags: [String]
    var name: String
    var pages: Int

    private enum CodingKeys: CodingKey { case tags, name, pages }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      tags = try container.decodeIfPresent([String].self, forKey: .tags) ?? []
      name = try container.decodeIfPresent(String.self, forKey: .name) ?? ""
      pages = try container.decodeIfPresent(Int.self, forKey: .pages) ?? 0
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      if !tags.isEmpty { try container.encode(tags, forKey: .tags) }
      if !name.isEmpty { try container.encode(name, forKey: .name) }
      if pages != 0 { try container.encode(pages, forKey: .pages) }
    }
  }

  var books: [Book]
  var room: Int

  private enum CodingKeys: CodingKey { case books, room }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    books = try container.decodeIfPresent([Book].self, forKey: .books) ?? []
    room = try container.decodeIfPresent(Int.self, forKey: .room) ?? 7
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    if !books.isEmpty { try container.encode(books, forKey: .books) }
    if room != 7 { try container.encode(room, forKey: .room) }
  }
}

/// Writes how many lines there are beside the lines, and reads it without using it.
private struct Order: Codable, Equatable, Sendable {
  struct Line: Codable, Equatable, Sendable {
    var cents: Int
    var name: String
  }

  var lines: [Line]

  private enum CodingKeys: CodingKey { case lines, count }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    lines = try container.decode([Line].self, forKey: .lines)
    _ = try container.decodeIfPresent(Int.self, forKey: .count)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(lines, forKey: .lines)
    try container.encode(lines.count, forKey: .count)
  }
}

/// Writes 0 for what is no number.
private struct Gauge: Codable, Equatable, Sendable {
  var levels: [Double]
  var top: Double

  private enum CodingKeys: CodingKey { case levels, top }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(levels, forKey: .levels)
    try container.encode(top.isFinite ? top : 0, forKey: .top)
  }
}

/// A dictionary that is open to any key, under a name that the zoo has.
private struct Shapes: Codable, Equatable, Sendable {
  var names: [String]
}
