import MeetingNotes
import Testing
import Touchstone

@Suite("Models")
struct ModelTests {
  @Test func meetingIsSafe() async throws { try await expectLaws(of: Meeting.self) }

  @Test func toDoListIsSafe() async throws { try await expectLaws(of: ToDoList.self) }

  @Test func chessGameIsSafe() async throws { try await expectLaws(of: ChessGame.self) }

  @Test func recipeIsSafe() async throws { try await expectLaws(of: Recipe.self) }

  @Test func calendarIsSafe() async throws { try await expectLaws(of: Calendar.self) }

  @Test("The same as a file", .laws(cases: 120, seed: 2))
  func jsonIsSafe() async throws {
    try await expectLaws(of: Recipe.self, with: .foundationJSON)
  }
}
