import MeetingNotes
import Testing
import Touchstone
import XCTest

/// The same in XCTest: what fails is thrown, since XCTest shows no issue of Swift Testing.
final class MeetingTestCase: XCTestCase {
  func testMeetingIsSafe() async throws {
    try await expectLaws(of: Meeting.self, cases: 120)
  }

  /// Each failure by itself, at the line of this test.
  func testRecipeIsSafe() async throws {
    for failure in try await lawFailures(of: Recipe.self, with: .foundationJSON, cases: 120) {
      XCTFail("\(failure)")
    }
  }
}
