import Foundation
import PastRuns
import Reporting
import Testing

@Suite("Two runs compared")
struct ComparisonTests {
  private func report(
    _ failures: [(law: String, kind: String)],
    judging laws: [String],
    cases: Int = 12
  ) -> Report {
    var report = SampleReports.failing
    let sample = report.failures[0]
    report.failures = failures.map { law, kind in
      var failure = sample
      (failure.law, failure.differenceKind, failure.subject) = (law, kind, "engine")
      failure.id = "\(law)-\(kind)"
      failure.file = Report.Failure.file(of: failure.id)
      return failure
    }
    report.cells = laws.map { law in
      var cell = Report.Cell(law: law, subject: "engine")
      cell.held = cases
      return cell
    }
    return report
  }

  @Test("A failure is new, remains, or is not seen again in a number of cases of its law")
  func fates() {
    let comparison = ReportComparison(
      from: report(
        [("a", "state"), ("b", "heads"), ("c", "state")],
        judging: ["a", "b", "c", "d"]
      ),
      to: report(
        [("a", "state"), ("a", "heads"), ("e", "state")],
        judging: ["a", "b", "e"],
        cases: 30
      )
    )
    #expect(comparison.new.map(\.file) == ["failures/a-heads.case", "failures/e-state.case"])
    #expect(comparison.new.map(\.casesBefore) == [12, 0])
    #expect(comparison.remaining.map(\.file) == ["failures/a-state.case"])
    #expect(comparison.gone.map(\.law) == ["b", "c"])
    #expect(comparison.gone.map(\.file) == ["failures/b-heads.case", "failures/c-state.case"])
    #expect(comparison.gone.map(\.casesAfter) == [30, 0])
    #expect(comparison.gone.map(\.fate) == [.fixed, .unjudged])
    #expect(comparison.noLongerJudged.map(\.law) == ["c", "d"])
    #expect(comparison.newlyJudged.map(\.law) == ["e"])
    #expect(comparison.exitStatus == 1)
    let text = comparison.lines().joined(separator: "\n")
    #expect(text.contains("  e on engine, state; its law was not judged before\n"))
    #expect(text.contains("  b on engine, heads; not seen in 30 cases, 12 before\n"))
    #expect(text.contains("  c on engine, state; its law is no longer judged\n"))
    #expect(
      text.hasSuffix(
        "✕ 2 new, 1 still failing, 2 not seen again (1 fixed, 1 no longer judged)"
      )
    )
  }

  /// What became of a failure under `a` that the later run does not have.
  private func fate(
    casesBefore: Int = 12,
    casesAfter: Int,
    _ change: (inout Report, inout Report) -> Void = { _, _ in }
  ) -> ReportComparison.Fate? {
    var earlier = report([("a", "state")], judging: ["a"], cases: casesBefore)
    var later = report([], judging: ["a"], cases: casesAfter)
    change(&earlier, &later)
    return ReportComparison(from: earlier, to: later).gone.first?.fate
  }

  @Test("Fixed is what as many cases of its law do not show again, and nothing else")
  func fixed() {
    #expect(fate(casesAfter: 12) == .fixed)
    #expect(fate(casesAfter: 11) == .fewerCases)
    #expect(fate(casesAfter: 0) == .unjudged)
    #expect(fate(casesAfter: 99) { $1.outcome.word = .failed } == .noResult)
    // What is listed as known is no longer a failure, and violated as ever.
    #expect(fate(casesAfter: 99) { $1.cells[0].known = 1 } == .known)
    // Cases that came to no verdict showed the failure, too.
    #expect(fate(casesAfter: 20) { earlier, _ in earlier.cells[0].errored = 9 } == .fewerCases)
    #expect(fate(casesAfter: 21) { earlier, _ in earlier.cells[0].errored = 9 } == .fixed)
    #expect(fate(casesAfter: 99) { earlier, _ in earlier.cells = [] } == .fewerCases)
  }

  @Test("Fewer cases are told in words, and are never called fixed")
  func fewer() {
    let earlier = report([("a", "state"), ("b", "state")], judging: ["a", "b"], cases: 1200)
    let later = report([], judging: ["a", "b"], cases: 30)
    let text = ReportComparison(from: earlier, to: later).lines().joined(separator: "\n")
    #expect(
      text.contains(
        "not seen again:\n  a on engine, state; judged in 30 cases only, 1,200 before\n"
      )
    )
    #expect(!text.contains("fixed:") && !text.contains("2 fixed"))
    #expect(
      text.hasSuffix("✓ 0 new, 0 still failing, 2 not seen again (2 not fixed for certain)")
    )
  }

  @Test("A run of a history is compared as its report is")
  func past() throws {
    let earlier = report([("a", "state"), ("b", "heads")], judging: ["a", "b"])
    let later = report([("a", "state")], judging: ["a", "b", "c"])
    let past = try JSONDecoder().decode(
      PastRun.self,
      from: try JSONEncoder().encode(PastRun(earlier, commit: nil))
    )
    #expect(ReportComparison(from: past, to: later) == ReportComparison(from: earlier, to: later))
  }

  @Test("A run that still fails is no worse; one that came to no result proves nothing")
  func statuses() {
    let earlier = report([("a", "state")], judging: ["a"])
    #expect(ReportComparison(from: earlier, to: earlier).exitStatus == 0)
    #expect(ReportComparison(from: earlier, to: earlier).lines().last?.hasPrefix("✓ 0 new") == true)
    let unasked = ReportComparison(from: earlier, to: report([], judging: ["b"]))
    #expect(unasked.exitStatus == 2)
    #expect(unasked.lines().last?.hasPrefix("✕ 0 new") == true)
    #expect(ReportComparison(from: earlier, to: report([], judging: ["a"])).exitStatus == 0)
    var later = report([], judging: [])
    later.outcome = Report.RunOutcome(word: .failed, reasons: [Report.Reason("nothing ran")])
    let comparison = ReportComparison(from: earlier, to: later)
    #expect(comparison.exitStatus == 2)
    #expect(comparison.lines().last?.hasSuffix("; the later run came to no result") == true)
  }

  @Test("Where the subject was not judged at all, that is said, and not of its law alone")
  func absentSubject() {
    let earlier = report([("a", "state")], judging: ["a", "b"])
    func text(judging laws: [String]) -> String {
      ReportComparison(from: earlier, to: report([], judging: laws)).lines().joined(separator: "\n")
    }
    #expect(text(judging: []).contains("  a on engine, state; engine is no longer judged\n"))
    #expect(text(judging: ["b"]).contains("  a on engine, state; its law is no longer judged\n"))
  }

  @Test("Long lists are cut, and say so")
  func limited() {
    let many = (0..<50).map { ("law\($0)", "state") }
    let comparison = ReportComparison(from: report([], judging: []), to: report(many, judging: []))
    #expect(comparison.lines(limit: 10).contains("  and 40 others"))
  }
}
