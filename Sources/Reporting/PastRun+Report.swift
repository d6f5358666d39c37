package import PastRuns

extension PastRun {
  /// A run by its report.
  package init(_ report: Report, commit: String?) {
    func bySubject(_ cases: [ReportComparison.Question: Int]) -> [String: [String: Int]] {
      cases.reduce(into: [:]) { $0[$1.key.subject, default: [:]][$1.key.law] = $1.value }
    }
    let errored = bySubject(report.erroredCases)
    let clock = report.clock
    self.init(
      // Two runs may begin in one second, but not take the same time to a fraction.
      id: "\(clock.startedAt) \(report.run.seed) \(clock.machine) \(clock.seconds)",
      startedAt: clock.startedAt,
      machine: clock.machine,
      program: report.run.program,
      commit: commit,
      seed: report.run.seed,
      repeatCommand: report.run.repeatCommand,
      sizes: report.run.sizes,
      cases: report.run.cases,
      seconds: clock.seconds,
      word: Word(report.outcome.word),
      headline: report.headline(Report.Matrix(report)),
      failures: report.allFailures,
      judged: bySubject(report.judgedCases),
      errored: errored.isEmpty ? nil : errored
    )
  }
}

extension PastRun.Word {
  fileprivate init(_ word: Report.RunOutcome.Word) {
    self =
      switch word {
      case .held: .held
      case .violated: .violated
      case .failed: .failed
      }
  }

  var symbol: String {
    switch self {
    case .held: Report.RunOutcome.Word.held.symbol
    case .violated: Report.RunOutcome.Word.violated.symbol
    case .failed: Report.RunOutcome.Word.failed.symbol
    }
  }
}

extension PastFailure {
  init(_ failure: Report.Failure) {
    self.init(
      id: failure.id,
      law: failure.law,
      subject: failure.subject,
      differenceKind: failure.differenceKind,
      summary: failure.summary
    )
  }

  init(_ sighting: Report.Sighting) {
    self.init(
      id: sighting.id,
      law: sighting.law,
      subject: sighting.subject,
      differenceKind: sighting.differenceKind,
      summary: sighting.summary
    )
  }

  var question: ReportComparison.Question {
    ReportComparison.Question(law: law, subject: subject)
  }
}
