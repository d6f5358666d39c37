package import PastRuns
import Texts

/// What became of failures and laws from one run to a later one.
///
/// A failure is the same in both if law, subject and kind of difference are. That one is not seen again
/// proves little by itself: with it goes in how many cases its law was judged by either run, and only
/// where the later run has judged it in at least as many is it called fixed.
package struct ReportComparison: Codable, Hashable, Sendable {
  /// What became of a failure.
  package enum Fate: String, Codable, Hashable, Sendable, CaseIterable {
    /// The later run alone has it.
    case new
    /// Both runs have it.
    case remaining
    /// Not seen again in at least as many cases of its law as the earlier run tried.
    case fixed
    /// Not seen again, but the later run judged its law in fewer cases than the earlier one tried it in.
    case fewerCases
    /// Not seen again; violations of its law on its subject are listed as known divergences.
    case known
    /// Not seen again; the later run came to no result.
    case noResult
    /// The later run did not judge its law on its subject.
    case unjudged
  }

  /// A failure of either run.
  package struct Entry: Codable, Hashable, Sendable {
    package let law: String
    package let subject: String
    package let differenceKind: String
    package let summary: String
    /// The path of the case file, below the folder of the run that has the failure last.
    package let file: String
    package let fate: Fate
    /// Cases in which the earlier run tried the law on the subject, with or without a verdict; 0 if it was not
    /// asked there.
    package let casesBefore: Int
    /// Cases in which the law was judged on the subject by the later run; 0 if it was not asked there.
    package let casesAfter: Int
    /// Whether the later run judged any law on the subject.
    package let isSubjectJudged: Bool
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
    self.init(from: PastRun(earlier, commit: nil), to: later)
  }

  /// Compares a report with a run that a history keeps.
  package init(from earlier: PastRun, to later: Report) {
    let (before, after) = (earlier.judgedCases, later.judgedCases)
    let known = later.knownQuestions
    let judgedSubjects = Set(after.keys.map(\.subject))
    let isComplete = later.outcome.word != .failed
    func entry(_ failure: PastFailure, _ fate: (Question, Int, Int) -> Fate) -> Entry {
      let question = failure.question
      let casesBefore = (before[question] ?? 0)
        .addingSaturated(earlier.errored?[failure.subject]?[failure.law] ?? 0)
      let casesAfter = after[question] ?? 0
      return Entry(
        law: failure.law,
        subject: failure.subject,
        differenceKind: failure.differenceKind,
        summary: failure.summary,
        file: Report.Failure.file(of: failure.id),
        fate: fate(question, casesBefore, casesAfter),
        casesBefore: casesBefore,
        casesAfter: casesAfter,
        isSubjectJudged: judgedSubjects.contains(failure.subject)
      )
    }
    let found = later.allFailures
    let keys = Set(earlier.failures.map(\.key))
    let foundKeys = Set(found.map(\.key))
    new = found.filter { !keys.contains($0.key) }.map { entry($0) { _, _, _ in .new } }
    remaining = found.filter { keys.contains($0.key) }.map { entry($0) { _, _, _ in .remaining } }
    gone = earlier.failures.filter { !foundKeys.contains($0.key) }.map { failure in
      entry(failure) { question, before, after in
        if after == 0 { return .unjudged }
        if !isComplete { return .noResult }
        if known.contains(question) { return .known }
        // A run without counts, of a fuzzer say, gives nothing to compare with.
        return before > 0 && after >= before ? .fixed : .fewerCases
      }
    }
    noLongerJudged = before.keys.filter { after[$0] == nil }.sorted()
    newlyJudged = after.keys.filter { before[$0] == nil }.sorted()
    self.isComplete = isComplete
  }

  /// Failures of the earlier run whose law the later one did not judge on the subject.
  private var unjudgedCount: Int { gone.count { $0.fate == .unjudged } }

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
    part("new", new, limit)
      + part("still failing", remaining, limit)
      + part("fixed", gone.filter { $0.fate == .fixed }, limit)
      + part("not seen again", gone.filter { $0.fate != .fixed }, limit)
      + part("no longer judged", noLongerJudged, limit)
      + part("judged for the first time", newlyJudged, limit)
      + [headline]
  }

  /// The comparison in one line.
  package var headline: String {
    "\(new.isEmpty && isConclusive ? "✓" : "✕") \(counts)\(ending)"
  }

  /// How many failures there are of each fate that counts.
  var counts: String {
    let fixed = gone.count { $0.fate == .fixed }
    let parts = [
      (fixed, "fixed"), (unjudgedCount, "no longer judged"),
      (gone.count - fixed - unjudgedCount, "not fixed for certain"),
    ]
    let details = parts.filter { $0.0 > 0 }.map { "\(grouped($0.0)) \($0.1)" }
    return "\(grouped(new.count)) new, \(grouped(remaining.count)) still failing, "
      + "\(grouped(gone.count)) not seen again"
      + (details.isEmpty ? "" : " (\(details.joined(separator: ", ")))")
  }

  private var ending: String { isComplete ? "" : "; the later run came to no result" }

  private func part(
    _ title: String,
    _ entries: [Entry],
    _ limit: Int
  ) -> [String] {
    list(
      title,
      count: entries.count,
      limit: limit,
      lines: entries.prefix(limit).flatMap { entry in
        [
          "  \(entry.law) on \(entry.subject), \(entry.differenceKind)\(entry.note.map { "; \($0)" } ?? "")",
          "    \(entry.summary)", "    \(entry.file)",
        ]
      }
    )
  }

  private func part(_ title: String, _ questions: [Question], _ limit: Int) -> [String] {
    list(
      title,
      count: questions.count,
      limit: limit,
      lines: questions.prefix(limit).map { "  \($0.law) on \($0.subject)" }
    )
  }

  private func list(_ title: String, count: Int, limit: Int, lines: [String]) -> [String] {
    guard count > 0 else { return [] }
    let rest = count > limit ? ["  and \(counted(count - limit, "other"))"] : []
    return ["\(title):"] + lines + rest + [""]
  }
}

extension Report {
  /// All that failed, made small or only counted: one of each key.
  var allFailures: [PastFailure] {
    (failures.map(PastFailure.init) + (sightings ?? []).map(PastFailure.init)).uniqued(by: \.key)
  }

  /// In how many cases each law was judged on each subject, where it was in any.
  var judgedCases: [ReportComparison.Question: Int] {
    cases { [$0.held, $0.violated, $0.known].saturatedSum }
  }

  /// In how many cases each law came to no verdict on each subject, where it did in any.
  var erroredCases: [ReportComparison.Question: Int] { cases(\.errored) }

  private func cases(_ count: (Cell) -> Int) -> [ReportComparison.Question: Int] {
    cells.reduce(into: [:]) { cases, cell in
      let judged = count(cell)
      guard judged > 0 else { return }
      let question = ReportComparison.Question(law: cell.law, subject: cell.subject)
      cases[question] = [cases[question] ?? 0, judged].saturatedSum
    }
  }

  /// What was violated in ways that are listed as known.
  fileprivate var knownQuestions: Set<ReportComparison.Question> {
    Set(
      cells.filter { $0.known > 0 }.map {
        ReportComparison.Question(law: $0.law, subject: $0.subject)
      }
    )
  }
}

extension PastRun {
  /// ``judged`` by law and subject.
  fileprivate var judgedCases: [ReportComparison.Question: Int] {
    judged.reduce(into: [:]) { cases, entry in
      for (law, count) in entry.value where count > 0 {
        cases[ReportComparison.Question(law: law, subject: entry.key)] = count
      }
    }
  }
}

extension ReportComparison.Entry {
  /// What the fate rests on, in a few words; `nil` if there is nothing to add.
  var note: String? {
    let cases = counted(casesAfter, "case")
    switch fate {
    case .new: return casesBefore == 0 ? "its law was not judged before" : nil
    case .remaining: return nil
    case .fixed: return "not seen in \(cases), \(grouped(casesBefore)) before"
    case .fewerCases:
      return casesBefore > 0
        ? "judged in \(cases) only, \(grouped(casesBefore)) before" : "judged in \(cases)"
    case .known: return "judged in \(cases), some of them known divergences"
    case .noResult: return "judged in \(cases); the run came to no result"
    case .unjudged:
      return isSubjectJudged ? "its law is no longer judged" : "\(subject) is no longer judged"
    }
  }
}
