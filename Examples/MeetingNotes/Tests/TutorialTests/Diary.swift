import Foundation
import Testing
import Touchstone

struct Diary: Codable {
  var day: Date

  enum CodingKeys: CodingKey { case day }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    let seconds = day.timeIntervalSinceReferenceDate.rounded()
    try container.encode(Date(timeIntervalSinceReferenceDate: seconds), forKey: .day)
  }
}

@Test func diaryIsSafe() async throws {
  try await expectLaws(of: Diary.self, tolerance: LawTolerance(dateSeconds: 1))
}
