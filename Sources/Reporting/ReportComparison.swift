import Texts

/// What became of failures and laws from one run to a later one.
///
/// A failure is the same in both if law, subject and kind of difference are. That one is not seen again
/// proves little by itself: with it goes in how many cases its law was judged since.
package struct ReportComparison: Codable, Hashable, Sendable {
  /// A failure of either run.
  package struct Entry: Codable, Hashable, Sendable {
    package let law: String
    package let subject: String
    package let differenceKind: String
    package let summary: String
    /// The path of the case file, below the folder of the run that has the failure last.
    package let file: String
    /// Cases in which the law was judged on the subject by the other run; 0 if it was not asked there.
    package let casesOfOther: Int
  }

  /// A law on a subject.
  package struct Question: Codable, Hashable, Comparable, Sendable {
    package let law: String
    package let subject: String

    package static func < (left: Self, right: Self) -> Bool {
      (left.subject, left.law) < (right.subject, right.law)
    }
  }

  /// Failures of the later run alone.
  package let new: [Entry]
  /// Failures of both runs, as the later one has them.
  package let remaining: [Entry]
  /// Failures of the earlier run alone.
  package let gone: [Entry]
  /// What the earlier run judged and the later one did not.
  package let noLongerJudged: [Question]
  /// What the later run judged and the earlier one did not.
  package let newlyJudged: [Question]
  /// Whether the later run came to a result.
  package let isComplete: Bool

  package init(from earlier: Report, to later: Report) {
    let (before, after) = (earlier.judgedCases, later.judgedCases)
    let (known, found) = (earlier.distinctFailures, later.distinctFailures)
    let keys = Set(known.map(\.key))
    let foundKeys = Set(found.map(\.key))
    new = found.filter { !keys.contains($0.key) }.map { Entry($0, before) }
    remaining = found.filter { keys.contains($0.key) }.map { Entry($0, before) }
    gone = known.filter { !foundKeys.contains($0.key) }.map { Entry($0, after) }
    noLongerJudged = before.keys.filter { after[$0] == nil }.sorted()
    newlyJudged = after.keys.filter { before[$0] == nil }.sorted()
    isComplete = later.outcome.word != .failed
  }

  /// Failures of the earlier run whose law the later one did not judge on the subject.
  private var unjudgedCount: Int { gone.count { $0.casesOfOther == 0 } }

  /// Whether the later run can tell that nothing is worse: it came to a result, and judged what failed.
  private var isConclusive: Bool { isComplete && unjudgedCount == 0 }

  /// 0 if nothing new fails, 1 if something does, 2 if the later run came to no result or did not judge
  /// what failed before.
  package var exitStatus: Int32 {
    if !new.isEmpty { return 1 }
    return isConclusive ? 0 : 2
  }

  /// The comparison in lines for a person, at most `limit` entries of each part.
  package func lines(limit: Int = 40) -> [String] {
    part("new", new, limit) { entry in
      entry.casesOfOther == 0 ? "; its law was not judged before" : ""
    }
      + part("still failing", remaining, limit) { _ in "" }
      + part("not seen again", gone, limit) { entry in
        entry.casesOfOther == 0
          ? "; its law is no longer judged" : "; judged in \(counted(entry.casesOfOther, "case"))"
      }
      + part("no longer judged", noLongerJudged, limit)
      + part("judged for the first time", newlyJudged, limit)
      + [headline]
  }

  /// The comparison in one line.
  private var headline: String {
    let counts =
      "\(grouped(new.count)) new, \(grouped(remaining.count)) still failing, "
      + "\(grouped(gone.count)) not seen again"
    let unjudged =
      unjudgedCount == 0 ? "" : ", \(grouped(unjudgedCount)) of these no longer judged"
    let ending = isComplete ? "" : "; the later run came to no result"
    return "\(new.isEmpty && isConclusive ? "✓" : "✕") \(counts)\(unjudged)\(ending)"
  }

  private func part(
    _ title: String,
    _ entries: [Entry],
    _ limit: Int,
    _ note: (Entry) -> String
  ) -> [String] {
    list(
      title,
      entries.count,
      limit,
      entries.prefix(limit).flatMap { entry in
        [
          "  \(entry.law) on \(entry.subject), \(entry.differenceKind)\(note(entry))",
          "    \(entry.summary)", "    \(entry.file)",
        ]
      }
    )
  }

  private func part(_ title: String, _ questions: [Question], _ limit: Int) -> [String] {
    list(
      title,
      questions.count,
      limit,
      questions.prefix(limit).map { "  \($0.law) on \($0.subject)" }
    )
  }

  private func list(_ title: String, _ count: Int, _ limit: Int, _ lines: [String]) -> [String] {
    guard count > 0 else { return [] }
    let rest = count > limit ? ["  and \(counted(count - limit, "other"))"] : []
    return ["\(title):"] + lines + rest + [""]
  }
}

/// What makes two failures of two runs the same.
struct FailureKey: Hashable, Sendable {
  let law: String
  let subject: String
  let differenceKind: String
}

extension Report.Failure {
  fileprivate var key: FailureKey {
    FailureKey(law: law, subject: subject, differenceKind: differenceKind)
  }
}

extension Report {
  /// The failures, one of each key.
  var distinctFailures: [Failure] {
    var seen: Set<FailureKey> = []
    return failures.filter { seen.insert($0.key).inserted }
  }

  /// In how many cases each law was judged on each subject, where it was in any.
  var judgedCases: [ReportComparison.Question: Int] {
    cells.reduce(into: [:]) { cases, cell in
      let judged = [cell.held, cell.violated, cell.known].saturatedSum
      guard judged > 0 else { return }
      let question = ReportComparison.Question(law: cell.law, subject: cell.subject)
      cases[question] = [cases[question] ?? 0, judged].saturatedSum
    }
  }
}

extension ReportComparison.Entry {
  fileprivate init(_ failure: Report.Failure, _ cases: [ReportComparison.Question: Int]) {
    law = failure.law
    subject = failure.subject
    differenceKind = failure.differenceKind
    summary = failure.summary
    file = failure.file
    casesOfOther =
      cases[ReportComparison.Question(law: failure.law, subject: failure.subject)] ?? 0
  }
}
