import Texts

extension Report {
  /// The kinds of failure that were counted and not shrunk, by subject, in the order of the report.
  var sightingCounts: [(subject: String, count: Int)] {
    var counts: [(subject: String, count: Int)] = []
    counts.merge((sightings ?? []).map { ($0.subject, 1) }, by: \.subject) { $0.count += $1.count }
    return counts
  }

  /// What made the run other than held, beside the failures; each failure is told by itself as well.
  var otherReasons: [String] {
    let told = reasonsOfFailures
    return outcome.reasons.filter { !told.contains($0) }
  }

  /// ``otherReasons`` less those that count what was not shrunk, which ``sightingCounts`` tells.
  var furtherReasons: [String] {
    let starts = sightingCounts.map { "\($0.subject) fails in \(counted($0.count, "more way"))," }
    return otherReasons.filter { !starts.contains(where: $0.hasPrefix) }
  }

  /// So many of the outcome's reasons, in their order.
  ///
  /// Where not all have room, those that nothing else in a report tells come before those of failures.
  func reasons(upTo limit: Int) -> [String] {
    guard outcome.reasons.count > limit else { return outcome.reasons }
    let told = reasonsOfFailures
    let places = outcome.reasons.indices
    let first = places.filter { !told.contains(outcome.reasons[$0]) }
    let others = places.filter { told.contains(outcome.reasons[$0]) }
    return (first + others).prefix(limit).sorted().map { outcome.reasons[$0] }
  }

  /// Laws that were not judged in every case since the subject itself failed, by subject, with the least of
  /// the errors: such cases prove nothing.
  func unjudged(_ matrix: Matrix) -> [String] {
    matrix.subjects.compactMap { subject in
      let tallies = matrix.laws.map { matrix.tally($0, subject) }.filter { $0.standing == .errored }
      guard let most = tallies.map(\.errored).max() else { return nil }
      let reason = cells.filter { $0.subject == subject }.compactMap(\.errorReason).min()
      return
        "\(counted(tallies.count, "law")) not judged in every case: \(subject) failed in up to "
        + counted(most, "case") + (reason.map { ", in one with: \($0)" } ?? "")
    }
  }

  private var reasonsOfFailures: Set<String> {
    var told: Set<String> = []
    for failure in failures {
      let words = "\(failure.law) on \(failure.subject): \(failure.summary)"
      told.formUnion([
        words, "did not repeat: \(words)", "\(failure.subject) failed: \(failure.summary)",
      ])
    }
    return told
  }
}
