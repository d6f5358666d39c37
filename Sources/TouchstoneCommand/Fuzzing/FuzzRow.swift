import FuzzSessions
import Reporting

/// What became of one target of a fuzzer's run.
struct FuzzRow {
  /// As the report has it.
  var figures: Report.FuzzedTarget
  /// What went wrong with the fuzzer itself.
  var breakdowns: [String] = []
  private var tally = FuzzTally.Counts()

  init(target: String, subject: String) {
    figures = Report.FuzzedTarget(target: target, subject: subject)
  }

  /// Adds what one run of libFuzzer came to, but for the inputs that failed: they are counted as they are
  /// judged.
  mutating func add(_ result: FuzzSlice.Result) {
    figures.executions += result.executions
    figures.edges = max(figures.edges, result.edges)
    figures.seconds += result.seconds
    if let counts = result.tally {
      tally.judged += counts.judged
      tally.passed += counts.passed
      figures.passedPerThousand = tally.passed * 1000 / tally.judged
    }
    if let words = result.breakdown { breakdowns.append(words) }
  }
}
