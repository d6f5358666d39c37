import DocumentLaws
import DocumentModel
import Foundation
import Histories
import PropertyEngine
import Subjects
import Testing

@testable import ForeignSubjects

@Suite("The template adapter", .enabled(if: TemplateAdapter.hasPython))
struct TemplateAdapterTests {
  @Test("Its toy keeps every law that it can be held to")
  func keepsLaws() throws {
    let subject = try ForeignSubject(folder: TemplateAdapter.folder, limits: .patient)
    #expect(subject.capabilities.transports == [.merge, .document])
    #expect(subject.capabilities.features == [.save, .fork])
    let generator = Generator<History>.histories(
      HistoryLimits(capabilities: subject.capabilities.intersection(naiveSubject.capabilities))
    )
    let laws = DocumentLaw.all.filter { if case .any = $0.samples { true } else { false } }
    let session = subject.session()
    var held: Set<String> = []
    for seed in 0..<200 {
      var choices = Choices(seed: Seed(value: UInt64(seed)))
      let history = normalise(generator.draw(&choices))
      let trial = Trial(history, laws: laws, subject: subject.capabilities, oracle: nil)
      let transcript = try session.run(trial.plan.program)
      for (law, verdict) in trial.verdicts(subject: transcript, oracle: nil) {
        #expect(verdict == .held, "seed \(seed), \(law.name)\n\(history.history.text)")
        held.insert(law.name)
      }
    }
    #expect(
      held == [
        "merge.commutes", "merge.associates", "merge.idempotent", "network.converges",
        "fork.independent", "transport.agree", "save.round-trips", "save.goes-on",
        "calls.succeed", "reads.agree", "edits.last-stays", "edits.alone",
      ]
    )
  }

  @Test("The document on adapters names all checks, and says how many checks and laws there are")
  func document() throws {
    let file = RealAutomerge.packageRoot.appendingPathComponent("Documentation/WritingAnAdapter.md")
    let text = try String(contentsOf: file, encoding: .utf8)
    let subject = try ForeignSubject(folder: TemplateAdapter.folder, limits: .patient)
    let laws = DocumentLaw.all.filter { $0.needs.missing(from: subject.capabilities) == nil }
    let words = text.split { $0.isWhitespace }.joined(separator: " ")
    #expect(words.contains("`merge` and `document` \(laws.count) laws apply"))
    let checks = [AdapterProbe.handshake] + AdapterProbe.all
    #expect(words.contains("All \(checks.count) pass"))
    #expect(words.contains("\(checks.count) passed, 0 failed"))
    for check in checks {
      #expect(text.contains("`\(check.name)`"), "\(check.name)")
    }
  }

  @Test("An instruction that it does not know fails, and the next is carried out")
  func outlivesUnknown() throws {
    let subject = try ForeignSubject(folder: TemplateAdapter.folder, limits: .patient)
    let program = Program([
      .create(document: 0, ActorID(repeating: 1)), .call(document: 0, .difference(from: 0, to: 1)),
      .commit(document: 0),
    ])
    let outcomes = try subject.session().run(program).outcomes
    guard case .failed(let words) = outcomes[1] else {
      Issue.record("\(outcomes)")
      return
    }
    #expect(words.contains("difference"))
    #expect(outcomes[0] == .done && outcomes[2] == .done)
  }
}
