import Reporting
import Testing

@Suite("Errors of merged reports in sentences")
struct MergeErrorTests {
  /// Every case with its sentence.
  static let errors: [(ReportMergeError, String)] = [
    (.nothing, "there is no report to merge"),
    (
      .shape(version: 2, expected: 1),
      "a report of version 2 cannot be merged: this program knows version 1"
    ),
    (
      .programs(["touchstone 1", "touchstone 2"]),
      "the reports were written by different programs: touchstone 1, touchstone 2"
    ),
    (
      .subject("engine", versions: ["0.1.0", "9"]),
      "the subject engine is not the same in all reports: 0.1.0, 9"
    ),
    (.law("merge.commutes"), "the law merge.commutes does not say the same in all reports"),
    (
      .catalogues(missing: ["a.b", "a.c", "a.d"]),
      "the reports were judged by different laws; some do not have a.b, a.c, a.d. "
        + "`touchstone report site` shows reports of different laws together"
    ),
    (
      .catalogues(missing: ["a.b", "a.c", "a.d", "a.e", "a.f"]),
      "the reports were judged by different laws; some do not have a.b, a.c, a.d and 2 more. "
        + "`touchstone report site` shows reports of different laws together"
    ),
    (
      .mutant("tie-break-reversed"),
      "more than one of the reports is of a self-test with the mutant tie-break-reversed"
    ),
    (
      .runTwice(seed: "0x1", startedAt: "2001-02-03T04:05:06Z"),
      "the run of 2001-02-03T04:05:06Z with seed 0x1 is given twice, and would count twice"
    ),
  ]

  @Test("Reports that cannot be made one say why in plain words", arguments: errors)
  func sentence(_ error: ReportMergeError, _ text: String) {
    #expect(error.description == text)
  }
}
