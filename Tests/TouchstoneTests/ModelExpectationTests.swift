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

  @Test("The coder of records is judged on a model with system fields")
  func records() async throws {
    try await expectLaws(of: Contact.self, with: .records, cases: 200)
    try await expectLaws(of: Plain.self, with: .records, cases: 100)
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
