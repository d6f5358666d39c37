import Campaigns
import Histories
import Inspection
import PropertyEngine
import Reporting
import Texts
package import Touchstone

/// A failure of a subject as an issue of a test.
package struct FailureIssue: Sendable {
  /// What makes two failures of the subject the same.
  let key: FailureKey
  /// Law, subject, what differs, the history, how to judge it again.
  package let told: TestFailure

  /// A failure that a campaign found and reported.
  init(
    _ failure: Failure,
    _ reported: Report.Failure,
    in report: Report,
    replay: ReplayHint
  ) {
    let found =
      "found by case \(failure.caseIndex) of seed \(report.run.seed), shrunk to "
      + counted(failure.sample.size, "edit or exchange", "edits and exchanges")
    self.init(
      failure,
      origin: [found] + (failure.otherwise == nil ? [] : ["It did not repeat."]),
      calls: reported.calls ?? [],
      reproducer: Reproducer(reported, in: report).text,
      replay: replay
    )
  }

  /// A stored case, or one that a test has written down, that fails.
  init(_ failure: Failure, replay: ReplayHint) {
    self.init(failure, origin: [], calls: [], reproducer: nil, replay: replay)
  }

  private init(
    _ failure: Failure,
    origin: [String],
    calls: [String],
    reproducer: String?,
    replay: ReplayHint
  ) {
    key = failure.key
    let parties = failure.subjects.joined(separator: " against ")
    let title =
      failure.key.isError
      ? "\(failure.subject) fails (\(failure.key.law))"
      : "\(failure.key.law) is violated on \(parties)"
    let law =
      failure.key.law == FailureKey.answers ? Catalogue.answers : Catalogue.law(failure.key.law)
    let difference = failure.difference.naming(failure.subject, oracle: failure.oracle)
    let diagram = (try? Replay.history(of: failure.caseFile)).map { SpaceTimeDiagram($0).lines }
    let called = FailureText.JudgedText(
      callsHeading.prefix(1).lowercased() + callsHeading.dropFirst(),
      calls.joined(separator: "\n"),
      lines: calls.map { "  \($0)" }
    )
    var text = FailureText(
      title: title,
      law: law,
      difference: difference,
      comparedSides: difference.comparison,
      judgedTexts: [
        FailureText.JudgedText(
          diagram == nil ? "sample" : "history",
          (diagram ?? failure.sample.lines).joined(separator: "\n"),
          lines: diagram ?? failure.sample.lines.map { "  \($0)" }
        )
      ] + (calls.isEmpty ? [] : [called])
    )
    text.origin = origin
    text.kept = replay.kept
    text.commands = replay.commands
    told = TestFailure(
      text,
      name: failure.slug,
      caseFile: failure.caseFile.render(),
      reproducer: reproducer
    )
  }
}
