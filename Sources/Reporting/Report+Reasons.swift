import Texts

extension Report {
  /// The kinds of failure that were counted and not shrunk, by subject, in the order of the report.
  var sightingCounts: [(subject: String, count: Int)] {
    var counts: [(subject: String, count: Int)] = []
    counts.merge((sightings ?? []).map { ($0.subject, 1) }, by: \.subject) { $0.count += $1.count }
    return counts
  }

  /// What made the run other than held, beside what violations and ``sightingCounts`` tell.
  var furtherReasons: [String] {
    outcome.reasons.filter { $0.kind != .failure && $0.kind != .sightings }.map(\.text)
  }

  /// At most `limit` of the outcome's reasons, in their order.
  ///
  /// Where not all have room, those that nothing else in a report tells come before those of failures.
  func reasons(upTo limit: Int) -> [String] {
    let reasons = outcome.reasons
    guard reasons.count > limit else { return reasons.map(\.text) }
    let first = reasons.indices.filter { reasons[$0].kind != .failure }
    let others = reasons.indices.filter { reasons[$0].kind == .failure }
    return (first + others).prefix(limit).sorted().map { reasons[$0].text }
  }

  /// Laws that were not judged in every case since the subject itself failed, by subject, with the least of
  /// the errors: such cases prove nothing.
  func unjudged(_ matrix: Matrix) -> [String] {
    matrix.subjects.compactMap { subject in
      // That the subject does not answer is why, and no law of its own.
      let tallies = matrix.laws.filter { $0 != Self.answers }.map { matrix.tally($0, subject) }
        .filter { $0.standing == .errored }
      guard let most = tallies.map(\.errored).max() else { return nil }
      let reason = cells.filter { $0.subject == subject }.compactMap(\.errorReason).min()
      return
        "\(counted(tallies.count, "law")) not judged in every case: \(subject) failed in "
        + (most > 1 ? "up to " : "") + counted(most, "case")
        + (reason.map { ", in one with: \($0)" } ?? "")
    }
  }
}
