import Foundation
import Testing
import Touchstone

struct Note: Codable {
  var title: String
  var due: Date?
  var tags: [String]
}

@Test func noteIsSafe() async throws {
  try await expectLaws(of: Note.self)
}
