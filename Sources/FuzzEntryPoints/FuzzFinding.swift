import DocumentLaws
import Histories
package import PropertyEngine

/// A law that an input breaks, or a failure of the subject itself.
package struct FuzzFinding: Sendable {
  /// The pseudo-law under which a subject's own failures are filed, as campaigns do.
  package static let answers = "subject.answers"

  /// Name of the law.
  package let law: String
  /// Where the subject breaks it.
  package let difference: Difference

  /// Whether both are failures of one class: the same law, broken in the same way.
  package func isSameFailure(as other: FuzzFinding) -> Bool {
    law == other.law && difference.kind == other.difference.kind
  }
}

extension HistoryInput {
  /// The first law of the catalogue that the subject breaks on this input; nil if all hold.
  package func finding(on subject: FuzzSubject) -> FuzzFinding? {
    let trial = Trial(
      history,
      laws: laws,
      subject: subject.subject.capabilities,
      oracle: subject.oracle?.capabilities
    )
    do {
      let transcript = try subject.subject.session().run(trial.plan.program)
      let oracle = trial.needsOracle ? subject.oracle : nil
      let expected = try oracle?.session().run(trial.plan.program)
      for (law, verdict) in trial.verdicts(subject: transcript, oracle: expected) {
        if case .violated(let difference) = verdict {
          return FuzzFinding(law: law.name, difference: difference)
        }
      }
      return nil
    } catch {
      let kind = (error as? SubjectFailure)?.kind ?? "failure"
      return FuzzFinding(
        law: FuzzFinding.answers,
        difference: Difference(kind: kind, summary: "\(error)")
      )
    }
  }

  /// What a person needs to know of a finding: law, history, difference, how to replay.
  ///
  /// The file is where the input is stored; nil if the fuzzer is about to write it.
  package func words(for finding: FuzzFinding, on subject: FuzzSubject, file: String?) -> String {
    let path = file ?? "FILE"
    var lines = [
      "violated: \(finding.law) on \(subject.id)",
      "  " + (laws.first { $0.name == finding.law }?.sentence ?? "The subject answers."),
    ]
    lines += "\(finding.difference)".split(separator: "\n").map { "  \($0)" }
    lines += history.history.lines.map { "  | \($0)" }
    lines += [
      "replay: touchstone replay --target histories --subject \(subject.id) \(path)",
      "shrink: \(FuzzSubject.variable)=\(subject.id) FuzzHistories --shrink \(path) smaller.case",
    ]
    if file == nil { lines.append("FILE is what the fuzzer says it writes, below.") }
    return lines.joined(separator: "\n") + "\n"
  }
}
