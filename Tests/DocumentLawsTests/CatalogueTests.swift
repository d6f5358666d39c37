import DocumentLaws
import DocumentModel
import Histories
import PropertyEngine
import Subjects
import TestSupport
import Testing

@Suite("The catalogue")
struct CatalogueTests {
  @Test("Every law's name is well formed and its own")
  func names() {
    let names = DocumentLaw.all.map(\.name)
    #expect(Set(names).count == names.count)
    for name in names { #expect(lawNameProblem(name) == nil) }
  }

  @Test("The specification obeys every law on random histories", arguments: 0..<4)
  func specificationHolds(stream: Int) throws {
    let session = naiveSubject.session()
    for index in 0..<60 {
      var choices = Choices(seed: Seed(value: UInt64(stream)).stream(UInt64(index)))
      let raw = Generator.histories().draw(&choices)
      let shared = DocumentLaw.all.filter { if case .any = $0.samples { true } else { false } }
      try expectHolds(normalise(raw), laws: shared, session)
    }
  }

  @Test(
    "A law that a subject can be asked brings no edit that the subject cannot do",
    arguments: EditKind.allCases
  )
  func ownEdits(lacking kind: EditKind) {
    var limits = HistoryLimits()
    limits.capabilities.edits.remove(kind)
    for law in DocumentLaw.all {
      guard case .own(let histories) = law.samples,
        law.reasonToSkip(subject: limits.capabilities, oracle: .all) == nil
      else { continue }
      let generator = histories(limits)
      for index in UInt64(0)..<20 {
        var choices = Choices(seed: Seed(value: 3).stream(index))
        let history = normalise(generator.draw(&choices)).history
        // The base of counters may be loaded; the other is made by edits.
        let made = history.base == .objects ? history.base.edits : []
        let edits = history.steps.flatMap { $0.edits?.edits ?? [] } + made
        #expect(!edits.contains { $0.kind == kind }, "\(law.name)")
      }
    }
  }

  @Test("The specification obeys each law that brings its own histories")
  func scenariosHold() throws {
    let session = naiveSubject.session()
    for law in DocumentLaw.all {
      guard case .own(let samples) = law.samples else { continue }
      let generator = samples(HistoryLimits())
      for index in 0..<60 {
        var choices = Choices(seed: Seed(value: 7).stream(UInt64(index)))
        try expectHolds(normalise(generator.draw(&choices)), laws: [law], session)
      }
    }
  }

  private func expectHolds(
    _ history: NormalisedHistory,
    laws: [DocumentLaw],
    _ session: any SubjectSession
  ) throws {
    let trial = Trial(
      history,
      laws: laws,
      subject: naiveSubject.capabilities,
      oracle: naiveSubject.capabilities
    )
    let transcript = try session.run(trial.plan.program)
    for (law, verdict) in trial.verdicts(subject: transcript, oracle: transcript)
    where !law.isCrossing {
      #expect(verdict == .held, "\(law.name)\n\(history.history.text)")
    }
  }
}
