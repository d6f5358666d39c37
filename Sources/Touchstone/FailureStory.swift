import Campaigns
import CodingLaws
import DocumentLaws
import Foundation
import Histories
import Inspection
import PropertyEngine
import Reporting
import Testing

/// A failure as a person reads it in the output of a test, with what is attached to it.
struct FailureStory: Sendable {
  /// The issue: law, subject, what differs, the history, how to judge it again.
  let words: String
  /// Files for whoever keeps the results of tests.
  let attachments: [Attached]

  struct Attached: Sendable {
    let name: String
    let text: String
  }

  /// A failure that a campaign found.
  init(_ failure: Report.Failure, in report: Report) {
    let history = failure.history.joined(separator: "\n") + "\n"
    var file = CaseFile(
      law: failure.law,
      subjects: [failure.subject] + (failure.oracle.map { [$0] } ?? []),
      kind: failure.differenceKind,
      seed: Seed(report.run.seed),
      choices: [],
      sampleFormat: "history \(History.textVersion)",
      sample: history
    )
    file.set("case", to: "\(failure.caseIndex)")
    file.set("shows", to: failure.summary)
    let found =
      "found by case \(failure.caseIndex) of seed \(report.run.seed), shrunk to "
      + counted(failure.size, "edit or exchange", "edits and exchanges")
    self.init(
      file,
      name: failure.id,
      verdict: failure.kind == .errored ? "fails" : "violated",
      facts: [
        failure.summary, failure.expected.map { "expected: \($0)" },
        failure.actual.map { "found:    \($0)" }, found,
        failure.kind == .flaky ? "It did not repeat." : nil,
      ],
      history: try? History(text: history),
      reproducer: Reproducer(failure, in: report).text
    )
  }

  /// A case that breaks its law.
  init(_ file: CaseFile, _ history: History, _ difference: Difference) {
    self.init(
      file,
      name: Self.name(file),
      verdict: "violated",
      facts: [
        difference.summary, difference.expected.map { "expected: \($0)" },
        difference.actual.map { "found:    \($0)" },
      ],
      history: history
    )
  }

  /// A case on which the subject itself fails.
  init(_ file: CaseFile, _ history: History, failure words: String) {
    self.init(file, name: Self.name(file), verdict: "fails", facts: [words], history: history)
  }

  /// A case of a coder that breaks its law.
  init(coder file: CaseFile, _ difference: Difference) {
    self.init(
      file,
      name: Self.name(file),
      verdict: "violated",
      facts: [
        CodingLaw.all.first { $0.name == file.law }?.sentence, difference.summary,
        difference.expected.map { "expected: \($0)" }, difference.actual.map { "found:    \($0)" },
      ] + file.sample.split(separator: "\n").map { "  \($0)" },
      history: nil
    )
  }

  private init(
    _ file: CaseFile,
    name: String,
    verdict: String,
    facts: [String?],
    history: History?,
    reproducer: String? = nil
  ) {
    let visible = VisibleText()
    let parties = file.subjects.joined(separator: " against ")
    var lines = ["\(file.law) is \(verdict) on \(parties)"]
    if verdict == "fails" {
      lines = ["\(file.subjects.first ?? "the subject") fails (\(file.law))"]
    }
    if let law = DocumentLaw.all.first(where: { $0.name == file.law }) {
      lines.append(law.sentence)
    }
    lines += facts.compactMap(\.self)
    lines = lines.map { visible($0) }
    if let history { lines += [""] + SpaceTimeDiagram(history).lines.map { visible($0) } }
    let text = file.render()
    // Where the next person looks first is a command that works as it stands.
    let folder = CaseFolder(
      FileManager.default.temporaryDirectory.appendingPathComponent("touchstone")
    )
    if (try? folder.write(file, name: name)) != nil {
      let path = folder.url.appendingPathComponent("\(name).case").path
      lines += ["", "replay: touchstone replay \(path)"]
    }
    words = lines.joined(separator: "\n")
    attachments =
      [Attached(name: "\(name).case", text: text)]
      + (reproducer.map { [Attached(name: "\(name).swift", text: $0)] } ?? [])
  }

  /// A name for the file of a case: its subject and its law.
  private static func name(_ file: CaseFile) -> String {
    let words = (file.subjects.prefix(1) + [file.law]).joined(separator: "--")
    return String(
      words.map { $0.isASCII && ($0.isLetter || $0.isNumber || ".-".contains($0)) ? $0 : "-" }
    )
  }
}

/// Records a failure as an issue of the current test, with its files.
func record(_ story: FailureStory, _ sourceLocation: SourceLocation) {
  for file in story.attachments {
    Attachment.record(file.text, named: file.name, sourceLocation: sourceLocation)
  }
  Issue.record(Comment(rawValue: story.words), sourceLocation: sourceLocation)
}
