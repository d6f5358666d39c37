import Campaigns
import Histories
import Inspection
import PropertyEngine
import Reporting
import Texts
import Touchstone

/// A failure of a subject as an issue of a test: what a person reads, and what is attached.
struct FailureIssue: Sendable {
  struct Attached: Sendable {
    let name: String
    let text: String
  }

  /// What makes two failures of the subject the same.
  let key: FailureKey
  /// Law, subject, what differs, the history, how to judge it again.
  let text: String
  let attachments: [Attached]

  /// A failure that a campaign found and reported.
  init(
    _ failure: Failure,
    _ reported: Report.Failure,
    in report: Report,
    repeatedBy repetition: Repetition
  ) {
    let found =
      "found by case \(failure.caseIndex) of seed \(report.run.seed), shrunk to "
      + counted(failure.sample.size, "edit or exchange", "edits and exchanges")
    self.init(
      failure,
      origin: [found] + (failure.otherwise == nil ? [] : ["It did not repeat."]),
      reproducer: Reproducer(reported, in: report).text,
      repeatedBy: repetition
    )
  }

  /// A stored case, or one that a test has written down, that fails.
  init(_ failure: Failure, repeatedBy repetition: Repetition) {
    self.init(failure, origin: [], reproducer: nil, repeatedBy: repetition)
  }

  private init(
    _ failure: Failure,
    origin: [String],
    reproducer: String?,
    repeatedBy repetition: Repetition
  ) {
    key = failure.key
    let parties = failure.subjects.joined(separator: " against ")
    let law =
      failure.key.law == FailureKey.answers ? Catalogue.answers : Catalogue.law(failure.key.law)
    var layout = FailureLayout(
      title: failure.key.isError
        ? "\(failure.subject) fails (\(failure.key.law))"
        : "\(failure.key.law) is violated on \(parties)",
      law: law?.text,
      difference: failure.difference,
      sides: failure.difference.comparison(of: failure.subject, with: failure.oracle)
    )
    let history = try? Replay.history(of: failure.caseFile)
    layout.judged =
      history.map { SpaceTimeDiagram($0).lines } ?? failure.sample.lines.map { "  \($0)" }
    layout.origin = origin
    layout.commands = repetition.lines
    text = layout.text
    let name = failure.slug
    attachments =
      [Attached(name: "\(name).case", text: failure.caseFile.render())]
      + (reproducer.map { [Attached(name: "\(name).swift", text: $0)] } ?? [])
  }

  /// Records the issue in the current test, with its files.
  func record(in issues: inout TestIssues) {
    issues.fail(text, attaching: attachments.map { ($0.name, $0.text) })
  }
}
