import AutomergeDocument
import DocumentLaws
import DocumentModel
import Histories
import PropertyEngine
import Subjects
import Testing

@Suite("Document as a subject")
struct DocumentSubjectTests {
  @Test("Document obeys every law on random histories", arguments: 0..<4)
  func obeys(stream: Int) throws {
    let laws = DocumentLaw.all.filter {
      if case .any = $0.samples { !$0.isCrossing } else { false }
    }
    for index in 0..<15 {
      var choices = Choices(seed: Seed(value: UInt64(stream)).stream(UInt64(index)))
      let limits = HistoryLimits(capabilities: documentSubject.capabilities)
      let history = normalise(Generator.histories(limits).draw(&choices))
      try expectHolds(history, laws, documentSubject, naiveSubject)
    }
  }

  @Test("Document obeys each law that brings its own histories")
  func scenarios() throws {
    for law in DocumentLaw.all {
      guard case .own(let samples) = law.samples else { continue }
      for index in 0..<8 {
        var choices = Choices(seed: Seed(value: 7).stream(UInt64(index)))
        let limits = HistoryLimits(capabilities: documentSubject.capabilities)
        let history = normalise(samples(limits).draw(&choices))
        try expectHolds(history, [law], documentSubject, naiveSubject)
      }
    }
  }

  @Test("In every text unit, Document agrees with the specification", arguments: 0..<4)
  func units(stream: Int) throws {
    let laws = DocumentLaw.all.filter { $0.isAgreement && !$0.isCrossing }
    let encoding = TextEncoding.allCases[stream]
    for index in 0..<25 {
      var choices = Choices(seed: Seed(value: UInt64(stream) + 100).stream(UInt64(index)))
      let subject = documentSubject(encoding)
      let limits = HistoryLimits(capabilities: subject.capabilities)
      let history = normalise(Generator.histories(limits).draw(&choices))
      try expectHolds(history, laws, subject, naiveSubject(encoding))
    }
  }

  @Test(
    "Conflicting values that Swift calls equal are one member of a set, and two in the state",
    arguments: [#"string "\u{e9}""#, "float 0.0"],
    [#"string "e\u{301}""#, "float -0.0"]
  )
  func equalConflicts(first: String, second: String) throws {
    let text = """
      history 1
      base empty
      replicas 2
      healing merge
      r0 put root "k" \(first)
      r1 put root "k" \(second)
      r0 -> r1 merge
      """
    let laws = DocumentLaw.all.filter {
      if case .any = $0.samples { !$0.isCrossing } else { false }
    }
    try expectHolds(normalise(History(text: text)), laws, documentSubject, naiveSubject)
  }

  @Test("The parts of a message come in one order, whichever replica heard of another first")
  func parts() throws {
    let laws = DocumentLaw.all.filter { $0.isAgreement && !$0.isCrossing }
    for writers in [[0, 2, 3], [2, 3, 0], [3, 0, 2]] {
      let heard = writers.map { "r\($0) -> r1 merge" }.joined(separator: "\n")
      for part in 0..<4 {
        let text = """
          history 1
          base objects
          replicas 4
          healing merge
          r0 put root "k" int 0
          r0 commit
          r0 put root "k0" int 1
          r2 put root "l" int 0
          r3 put root "m" int 0
          \(heard)
          r1 -> r0 send m1 changes
          m1 deliver part \(part)
          """
        let history = normalise(try History(text: text))
        try expectHolds(history, laws, documentSubject, naiveSubject)
        try expectHolds(history, laws, engineSubject, naiveSubject)
      }
    }
  }

  private func expectHolds(
    _ history: NormalisedHistory,
    _ laws: [DocumentLaw],
    _ subject: any DocumentSubject,
    _ oracle: any DocumentSubject
  ) throws {
    let trial = Trial(
      history,
      laws: laws,
      subject: subject.capabilities,
      oracle: oracle.capabilities
    )
    let ours = try subject.session().run(trial.plan.program)
    let theirs = try oracle.session().run(trial.plan.program)
    for (law, verdict) in trial.verdicts(subject: ours, oracle: theirs) {
      #expect(verdict == .held, "\(law.name)\n\(history.history.text)")
    }
  }
}
