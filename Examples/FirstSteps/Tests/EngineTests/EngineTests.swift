import Testing
import TouchstoneEngines

@Test func engineKeepsItsLaws() async throws {
  try await expectLaws(of: "engine", cases: 200)
}
