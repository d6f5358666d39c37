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
      failure.file = "failures/\(law)-\(kind).case"
      return failure
    }
    report.cells = laws.map { law in
      var cell = Report.Cell(law: law, subject: "engine")
      cell.held = cases
      return cell
    }
    return report
  }

  @Test("A failure is new, remains, or is not seen again in so many cases of its law")
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
    #expect(comparison.new.map(\.casesOfOther) == [12, 0])
    #expect(comparison.remaining.map(\.file) == ["failures/a-state.case"])
    #expect(comparison.gone.map(\.law) == ["b", "c"])
    #expect(comparison.gone.map(\.casesOfOther) == [30, 0])
    #expect(comparison.noLongerJudged.map(\.law) == ["c", "d"])
    #expect(comparison.newlyJudged.map(\.law) == ["e"])
    #expect(comparison.exitStatus == 1)
    let text = comparison.lines().joined(separator: "\n")
    #expect(text.contains("  e on engine, state; its law was not judged before\n"))
    #expect(text.contains("  b on engine, heads; judged in 30 cases\n"))
    #expect(text.contains("  c on engine, state; its law is no longer judged\n"))
    #expect(
      text.hasSuffix("✕ 2 new, 1 still failing, 2 not seen again, 1 of these no longer judged")
    )
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
    later.outcome = Report.RunOutcome(word: .failed, reasons: ["nothing ran"])
    let comparison = ReportComparison(from: earlier, to: later)
    #expect(comparison.exitStatus == 2)
    #expect(comparison.lines().last?.hasSuffix("; the later run came to no result") == true)
  }

  @Test("Long lists are cut, and say so")
  func limited() {
    let many = (0..<50).map { ("law\($0)", "state") }
    let comparison = ReportComparison(from: report([], judging: []), to: report(many, judging: []))
    #expect(comparison.lines(limit: 10).contains("  and 40 others"))
  }
}
