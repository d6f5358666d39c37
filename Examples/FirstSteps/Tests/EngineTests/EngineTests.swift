import Testing
import Touchstone

@Test func engineKeepsItsLaws() async throws {
  try await expectLaws(of: "engine", cases: 200)
}
