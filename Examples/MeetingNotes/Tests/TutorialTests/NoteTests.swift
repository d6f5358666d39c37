import Testing
import Touchstone

@Test func noteIsSafe() async throws {
  try await expectLaws(of: Note.self)
}
