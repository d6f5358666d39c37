import PastRuns

/// What failed in the last runs, law by law, ready to be drawn.
struct RunTrend {
  /// What one law on one subject came to.
  struct Row {
    let question: ReportComparison.Question
    /// Failures in each run, in their order; `nil` where the law was not judged.
    let failures: [Int?]

    /// Runs that judged it.
    var judgedCount: Int { failures.count { $0 != nil } }
    /// Runs in which it failed.
    var failingCount: Int { failures.count { ($0 ?? 0) > 0 } }
  }

  /// Oldest first; the last is the report's own.
  let runs: [PastRun]
  /// What failed latest first, then what failed most often, then by name.
  let rows: [Row]

  init(_ earlier: EarlierRuns, to report: Report) {
    let runs =
      earlier.trend.suffix(EarlierRuns.trendLimit - 1) + [PastRun(report, commit: nil)]
    self.runs = Array(runs)
    // By run, since failures of a run are many and looked up once for each row.
    let counts = runs.map { run in
      run.failures.reduce(into: [ReportComparison.Question: Int]()) {
        $0[$1.question, default: 0] += 1
      }
    }
    let rows = Set(counts.flatMap(\.keys)).map { question in
      Row(
        question: question,
        failures: zip(runs, counts).map { run, counts in
          counts[question] ?? (run.judged[question.subject]?[question.law] == nil ? nil : 0)
        }
      )
    }
    func rank(_ row: Row) -> (Int, Int) {
      (row.failures.lastIndex { ($0 ?? 0) > 0 } ?? 0, row.failingCount)
    }
    self.rows = rows.sorted { left, right in
      let (mine, theirs) = (rank(left), rank(right))
      return mine == theirs ? left.question < right.question : mine > theirs
    }
  }
}
