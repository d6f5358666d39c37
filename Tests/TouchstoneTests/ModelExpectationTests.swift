import Foundation
import RecordCoding
import ReferenceAutomerge
import Testing
import Touchstone

@Suite("Expectations of models")
struct ModelExpectationTests {
  @Test("A model with all that apps have is proved by one line")
  func one() async throws {
    try await expectLaws(of: Everything.self, cases: 200)
  }

  @Test("Foundation's coders are judged on the same model")
  func foundation() async throws {
    try await expectLaws(of: Plain.self, with: .foundationJSON, cases: 100)
    try await expectLaws(of: Plain.self, with: .foundationPropertyList, cases: 100)
  }

  /// Types that Foundation's coders, or `Codable` itself, treat in ways of their own.
  private struct Invoice: Codable {
    struct Line: Codable {
      var price: Decimal
      var currency: Locale.Currency
    }

    var lines: [Line]
    var discounts: Set<Decimal>
    var page: URL
    var due: DateComponents?
  }

  /// Asks by `decode` and not by `decodeIfPresent` where its value is an optional.
  private struct Versioned<Value: Codable>: Codable {
    var value: Value
    var version: Int
  }

  @Test("No coder is blamed for forms that Foundation gives its own types, nor for generic ones")
  func ownForms() async throws {
    let coders: [CodingSubject] = [
      .automerge, .records, .foundationJSON, .foundationPropertyList,
    ]
    for coder in coders {
      try await expectLaws(of: Invoice.self, with: coder, cases: 60)
      try await expectLaws(of: Versioned<String?>.self, with: coder, cases: 60)
    }
  }

  @Test("The coder of records is judged on a model with system fields")
  func records() async throws {
    try await expectLaws(of: Contact.self, with: .records, cases: 200)
    try await expectLaws(of: Plain.self, with: .records, cases: 100)
  }

  private func notes<Value: Codable & SendableMetatype>(
    _ type: Value.Type,
    samples: [Value] = [],
    tolerance: LawTolerance = .exact
  ) async throws -> [String] {
    var notes: [String] = []
    let failures = try await lawFailures(
      of: type,
      samples: samples,
      tolerance: tolerance,
      cases: 30,
      file: TemporaryFolder().file,
      onNote: { notes.append($0) }
    )
    #expect(failures.map(\.description) == [])
    return notes
  }

  @Test("Properties that never vary are told beside a green result, and others are not")
  func variety() async throws {
    #expect(try await notes(Everything.self) == [])
    #expect(try await notes(Plain.self) == [])
    let told = try await notes(Blank.self)
    #expect(
      told == [
        "In all 100 values of Blank that were looked at, `parts[].note` was nil: the laws say nothing of others. "
          + "Pass `samples:` that have them."
      ]
    )
  }

  @Test("A key that is said to be unread and is never written is noted, with the key that is meant")
  func unwrittenKey() async throws {
    let found = try await notes(Plain.self, tolerance: LawTolerance(unreadKeys: ["titel"]))
    #expect(
      found == [
        "`unreadKeys` has \"titel\", which `encode(to:)` of Plain did not write. Did you mean 'title'?"
      ]
    )
  }

  @Test("Dates that never have a fraction are told, unless the test says something of them")
  func wholeSeconds() async throws {
    let told = try await notes(Appointment.self)
    #expect(told.count == 1)
    #expect(told.first?.contains("`day` had no fraction of a second: ") ?? false, "\(told)")
    #expect(told.first?.contains("LawTolerance(dateSeconds: 1)") ?? false, "\(told)")
    #expect(try await notes(Appointment.self, tolerance: LawTolerance(dateSeconds: 1)) == [])
    let sample = try JSONDecoder().decode(
      Appointment.self,
      from: Data(#"{"day": "2024-02-29T12:30:59Z", "title": "a"}"#.utf8)
    )
    #expect(try await notes(Appointment.self, samples: [sample]) == [])
  }
}

/// Takes no note; its version is always the same, which is no poverty, and its cache is not stored.
struct Blank: Codable, Equatable, Sendable {
  struct Part: Codable, Equatable, Sendable {
    var name: String
    var note: Int?

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      name = try container.decode(String.self, forKey: .name)
      note = try container.decodeIfPresent(Int.self, forKey: .note)
      if note != nil {
        throw DecodingError.dataCorruptedError(
          forKey: .note,
          in: container,
          debugDescription: "no note is known"
        )
      }
    }
  }

  var version: Int
  var parts: [Part]
  var cache: Int?

  private enum CodingKeys: CodingKey { case version, parts }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    version = try container.decode(Int.self, forKey: .version)
    parts = try container.decode([Part].self, forKey: .parts)
    if version != 1 {
      throw DecodingError.dataCorruptedError(
        forKey: .version,
        in: container,
        debugDescription: "the version is unknown"
      )
    }
  }
}

/// Stores its day as a string of whole seconds.
struct Appointment: Codable, Equatable, Sendable {
  var day: Date
  var title: String

  private enum CodingKeys: CodingKey { case day, title }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let text = try container.decode(String.self, forKey: .day)
    guard let day = try? Date(text, strategy: .iso8601) else {
      throw DecodingError.dataCorruptedError(
        forKey: .day,
        in: container,
        debugDescription: "no date"
      )
    }
    self.day = day
    title = try container.decode(String.self, forKey: .title)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(day.formatted(.iso8601), forKey: .day)
    try container.encode(title, forKey: .title)
  }
}

/// The model of the README of CloudKitCodable.
struct Contact: CustomCloudKitCodable {
  var cloudKitSystemFields: Data?
  let name: String
  let age: Int
  let website: URL
  let avatar: URL
  let isDeveloper: Bool
}

enum Priority: String, Codable, CaseIterable { case low, high }

enum Level: Int, Codable {
  case first = 1
  case third = 3
}

enum Attachment2: Codable {
  case link(URL)
  case image(data: Data, width: Int)
  case none
}

struct Everything: Codable {
  var id: UUID
  var title: String
  var body: AutomergeText
  var votes: ReferenceAutomerge.Counter
  var priority: Priority
  var level: Level?
  var attachments: [Attachment2]
  var created: Date
  var price: Decimal
  var names: [String: Person]
  var home: URL?

  struct Person: Codable {
    var name: String
    var age: UInt8
  }
}

struct Plain: Codable, Equatable {
  var title: String
  var priority: Priority
  var dates: [Date]
  var children: [Plain]
}
