import PastRuns
import Reporting
import Testing

@Suite("Runs over time")
struct RunHistoryTests {
  /// A run of one law on `engine`, with failures of some kinds.
  private func run(
    _ day: Int,
    _ kinds: [String],
    law: String = "a",
    cases: Int = 10
  ) -> PastRun {
    var report = SampleReports.failing
    let sample = report.failures[0]
    report.failures = kinds.map { kind in
      var failure = sample
      (failure.law, failure.subject, failure.differenceKind) = (law, "engine", kind)
      failure.id = "engine--\(law)--\(kind)"
      return failure
    }
    var cell = Report.Cell(law: law, subject: "engine")
    cell.held = cases - kinds.count
    cell.violated = kinds.count
    report.cells = [cell]
    report.clock.startedAt = "2026-11-0\(day)T01:02:03Z"
    return PastRun(report, commit: "\(day)\(String(repeating: "0", count: 39))")
  }

  @Test("A run is one by its time to a fraction, and its sizes are told")
  func identity() {
    var report = SampleReports.green
    report.run.sizes = RunSizes(replicas: 3, edits: 200)
    let run = PastRun(report, commit: nil)
    #expect(run.id == PastRun(report, commit: "0").id)
    report.clock.seconds += 0.001
    #expect(run.id != PastRun(report, commit: nil).id)
    let lines = RunHistory([run]).lines(last: 1) { _ in nil }
    #expect(lines[1].hasSuffix(", --replicas 3, --edits 200"), "\(lines)")
  }

  @Test("A failure lives from the first run that has it to the last, whatever order runs come in")
  func lives() throws {
    let history = RunHistory([
      run(4, ["state"]), run(1, []), run(2, ["state"]), run(3, [], law: "b"),
    ])
    #expect(history.runs.map(\.startedAt.count) == [20, 20, 20, 20])
    let life = try #require(history.lives.first)
    #expect(history.lives.count == 1)
    #expect(life.firstSeen.startedAt.hasPrefix("2026-11-02"))
    #expect(life.lastWithout?.startedAt.hasPrefix("2026-11-01") == true)
    #expect(life.lastSeen.startedAt.hasPrefix("2026-11-04"))
    // The third run did not judge its law.
    #expect(life.runCount == 2)
    #expect(life.judgedRunCount == 2)
    #expect(life.isFailing)
    #expect(history.exitStatus == 1)
  }

  @Test(
    "A failure that later runs of its law do not have is not failing; a run of other laws says nothing"
  )
  func gone() throws {
    let failing = [run(1, ["state", "heads"]), run(2, [], law: "b")]
    #expect(RunHistory(failing).lives.map(\.isFailing) == [true, true])
    let history = RunHistory(failing + [run(3, ["heads"], cases: 30), run(4, ["heads"], cases: 5)])
    #expect(history.lives.map(\.failure.differenceKind) == ["heads", "state"])
    #expect(history.lives.map(\.isFailing) == [true, false])
    #expect(history.lives.map(\.casesSince) == [0, 35])
    let lines = history.lines(last: 2) { $0.differenceKind == "heads" ? "cases/x.case" : nil }
    let text = lines.joined(separator: "\n")
    #expect(text.hasPrefix("runs:\n  and 2 earlier runs\n  ✕ 2026-11-03T01:02:03 3000000000: "))
    #expect(lines[2].hasSuffix(", of engine"), "\(lines[2])")
    #expect(
      text.contains("in 3 of 3 runs: first 2026-11-01T01:02:03 (commit 1000000000)\n")
    )
    #expect(text.contains("    touchstone replay cases/x.case\n"))
    #expect(
      text.contains(
        "last seen 2026-11-01T01:02:03 (commit 1000000000); its law was judged in 35 cases since\n"
      )
    )
    #expect(text.hasSuffix("\n✕ 1 failure in 4 runs, 1 not seen again"))
  }

  @Test("A history whose latest run came to no result is not green")
  func noResult() throws {
    var report = SampleReports.green
    report.outcome.word = .failed
    report.clock.startedAt = "2026-11-02T01:02:03Z"
    let failed = PastRun(report, commit: nil)
    let history = RunHistory([run(1, []), failed])
    #expect(history.exitStatus == 2)
    #expect(
      history.lines(last: 1) { _ in nil }.last
        == "✕ 0 failures in 2 runs; the latest run came to no result"
    )
    // What failed before fails still.
    #expect(RunHistory([run(1, ["state"]), failed]).exitStatus == 1)
    #expect(RunHistory([failed, run(3, [])]).exitStatus == 0)
  }

  @Test("What is forgotten is in no run, and the same report is one run")
  func forgotten() throws {
    let runs = [run(1, ["state", "heads"]), run(2, ["state"])]
    let state = try #require(runs[1].failures.first)
    let rest = runs.map { RunHistory.Forgotten([state]).removed(from: $0) ?? $0 }
    #expect(rest.map { $0.failures.map(\.differenceKind) } == [["heads"], []])
    #expect(RunHistory.Forgotten([state]).removed(from: rest[0]) == nil)
    #expect(run(1, []).id == run(1, []).id)
    #expect(run(1, []).id != run(2, []).id)
    #expect(RunHistory([]).exitStatus == 2)
    #expect(RunHistory([run(1, [])]).exitStatus == 0)
  }
}
