import Testing
import Touchstone
import XCTest

/// Each test fails, as those of Swift Testing do.
final class BrokenTestCase: XCTestCase {
  func testExpectation() async throws {
    try await expectLaws(of: LossyTask.self, cases: 120)
  }

  func testFailuresAsValues() async throws {
    for failure in try await lawFailures(of: LossyTask.self, cases: 120) { XCTFail("\(failure)") }
  }
}
