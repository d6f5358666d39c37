package import PastRuns

/// The runs before a report's own, as its page shows them.
///
/// A report is a function of its seed; what came before is not, and is no part of it. It stands beside
/// `report.json` in a file of its own.
package struct EarlierRuns: Codable, Hashable, Sendable {
  /// Runs that a trend has at most, the report's own included.
  package static let trendLimit = 30
  /// The file beside `report.json` that holds them.
  package static let fileName = "earlier-runs.json"

  /// The run that the report is compared with; `nil` if none came to a result.
  package let compared: PastRun?
  /// The latest runs, oldest first, fewer than ``trendLimit``; of what each has judged, only what failed in any.
  package let trend: [PastRun]

  /// The runs of a history with which a report can be compared.
  ///
  /// These are those that began no later and judged the same subjects; it is compared with the last of them that
  /// came to a result.
  ///
  /// - Returns: `nil` if there is none.
  package init?(in history: [PastRun], before report: Report) {
    let own = PastRun(report, commit: nil)
    let runs = history.filter { run in
      run.id != own.id && run.startedAt <= own.startedAt && run.subjects == own.subjects
    }
    self.init(runs, before: own) { $0.word != .failed }
  }

  /// Runs that a person has chosen; the report is compared with the last, whatever they judged.
  ///
  /// - Returns: `nil` if there is none.
  package init?(chosen runs: [PastRun], before report: Report) {
    self.init(runs, before: PastRun(report, commit: nil)) { _ in true }
  }

  private init?(_ runs: [PastRun], before own: PastRun, _ isComparable: (PastRun) -> Bool) {
    guard !runs.isEmpty else { return nil }
    let sorted = runs.sorted { ($0.startedAt, $0.id) < ($1.startedAt, $1.id) }
    let latest = sorted.suffix(Self.trendLimit - 1)
    let failed = Set((latest + [own]).flatMap(\.failures).map(\.question))
    compared = sorted.last(where: isComparable)
    trend = latest.map { $0.judging(only: failed) }
  }
}

extension PastRun {
  /// The subjects on which a law was judged.
  fileprivate var subjects: Set<String> { Set(judged.filter { !$0.value.isEmpty }.keys) }

  /// The run with the counts of these laws and subjects alone.
  fileprivate func judging(only questions: Set<ReportComparison.Question>) -> PastRun {
    var rest = self
    rest.judged = [:]
    for question in questions {
      guard let cases = judged[question.subject]?[question.law] else { continue }
      rest.judged[question.subject, default: [:]][question.law] = cases
    }
    return rest
  }
}
