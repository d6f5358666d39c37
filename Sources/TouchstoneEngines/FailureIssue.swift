import Campaigns
import CaseFiles
import Foundation
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

  /// Law, subject, what differs, the history, how to judge it again.
  let text: String
  let attachments: [Attached]

  /// A failure that a campaign found and reported.
  init(_ failure: Failure, _ reported: Report.Failure, in report: Report) {
    let found =
      "found by case \(failure.caseIndex) of seed \(report.run.seed), shrunk to "
      + counted(failure.sample.size, "edit or exchange", "edits and exchanges")
    self.init(
      failure,
      name: failure.slug,
      origin: [found] + (failure.otherwise == nil ? [] : ["It did not repeat."]),
      reproducer: Reproducer(reported, in: report).text
    )
  }

  /// A stored case, or one that a test has written down, that fails.
  init(_ failure: Failure) {
    // The class of the difference is not known beforehand, so that it does not name the file.
    self.init(failure, name: slug("\(failure.subject)--\(failure.key.law)"))
  }

  private init(
    _ failure: Failure,
    name: String,
    origin: [String] = [],
    reproducer: String? = nil
  ) {
    let parties = failure.subjects.joined(separator: " against ")
    var facts = [
      failure.key.isError
        ? "\(failure.subject) fails (\(failure.key.law))"
        : "\(failure.key.law) is violated on \(parties)"
    ]
    if let law = Catalogue.law(failure.key.law) { facts.append(law.text) }
    facts.append(failure.difference.summary)
    if let expected = failure.difference.expected { facts.append("expected: \(expected)") }
    if let actual = failure.difference.actual { facts.append("found:    \(actual)") }
    facts += origin
    let file = failure.caseFile
    var lines: [String]
    if let history = try? Replay.history(of: file) {
      lines = facts + [""] + SpaceTimeDiagram(history).lines
    } else {
      lines = facts + failure.sample.lines.map { "  \($0)" }
    }
    let visible = VisibleText()
    lines = lines.map { visible($0) }
    // Where a reader looks first is a command that works as it stands.
    let folder = CaseFolder(
      FileManager.default.temporaryDirectory.appendingPathComponent("touchstone")
    )
    if (try? folder.write(file, name: name)) != nil {
      let path = folder.url.appendingPathComponent("\(name).case").path
      lines += ["", "replay: touchstone replay \(path)"]
    }
    text = lines.joined(separator: "\n")
    attachments =
      [Attached(name: "\(name).case", text: file.render())]
      + (reproducer.map { [Attached(name: "\(name).swift", text: $0)] } ?? [])
  }

  /// Records the issue in the current test, with its files.
  func record(in issues: inout TestIssues) {
    issues.fail(text, attaching: attachments.map { ($0.name, $0.text) })
  }
}
