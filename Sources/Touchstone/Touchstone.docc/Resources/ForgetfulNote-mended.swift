import Testing
import Touchstone

struct ForgetfulNote: Codable {
  var title: String
  var isDone = false

  enum CodingKeys: CodingKey { case title, isDone }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    title = try container.decode(String.self, forKey: .title)
    isDone = try container.decodeIfPresent(Bool.self, forKey: .isDone) ?? false
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(title, forKey: .title)
    try container.encode(isDone, forKey: .isDone)
  }
}

@Test func forgetfulNoteIsSafe() async throws {
  try await expectLaws(of: ForgetfulNote.self)
}
