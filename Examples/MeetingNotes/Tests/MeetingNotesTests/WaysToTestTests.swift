import MeetingNotes
import Testing
import Touchstone

/// A trait says how much all tests of a suite try, and a test with arguments judges a model with many coders.
///
/// What fails is attached: its case file opens from the results of Xcode and VS Code, and
/// `swift test --attachments-path` keeps it.
@Suite("One test, many coders", .laws(cases: 60, seed: 3))
struct WaysToTestTests {
  @Test(
    "A recipe is kept by every coder",
    arguments: [CodingSubject.automerge, .foundationJSON, .foundationPropertyList]
  )
  func recipe(coder: CodingSubject) async throws {
    try await expectLaws(of: Recipe.self, with: coder)
  }
}
