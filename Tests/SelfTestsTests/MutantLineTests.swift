import Mutants
import PropertyEngine
import Reporting
import Testing

@testable import SelfTests

@Suite("Mutants in lines and reports")
struct MutantLineTests {
  private static let history = StoredSample(
    form: FormName("history", version: 1),
    text: "history 1\nbase empty\nreplicas 2\nhealing merge\nr0 put root \"a\" int 0\n",
    size: 1,
    measure: "1 edit"
  )
  private static let numbers = StoredSample(
    form: FormName("numbers", version: 1),
    text: "1\n2\n",
    size: 2,
    measure: "2 numbers"
  )
  private static let printed = StoredSample(
    form: MutantProcess.printedForm,
    text: "case 1",
    size: 0,
    measure: "what it printed last"
  )

  private func mutant(_ law: String?, _ sample: StoredSample?) -> Report.Mutant {
    Report.Mutant(
      id: "m",
      sentence: "It is wrong.",
      killedBy: law,
      finding: "the keys differ",
      sample: sample,
      cases: 2
    )
  }

  @Test("A line says what became of a mutant, by which law, and how small it was shown")
  func lines() {
    #expect(mutant(nil, nil).line(seconds: 1) == "m: ALIVE after 2 cases")
    #expect(
      mutant("a.b", Self.history).line(seconds: 0.125)
        == "m: killed by a.b after 2 cases, 0.13 s; 1 step on 2 replicas"
    )
    #expect(
      mutant("a.b", Self.numbers).line(seconds: 1, notBy: "c.d")
        == "m: killed by a.b and not by c.d after 2 cases, 1.0 s; size 2"
    )
    #expect(
      mutant("a.b", Self.printed).line(seconds: 1) == "m: killed by a.b after 2 cases, 1.0 s"
    )
  }

  @Test("A report has what was found and the sample; of one that lives, neither")
  func rows() {
    #expect(mutant("a.b", Self.numbers).history == ["the keys differ", "1", "2"])
    #expect(mutant("a.b", Self.numbers).replicas == nil)
    #expect(mutant("a.b", Self.history).replicas == 2)
    #expect(mutant("a.b", Self.printed).size == nil)
    let living = mutant(nil, Self.history)
    #expect(living.history == [] && living.size == nil && living.replicas == nil)
  }

  @Test("False alarms stand in one line")
  func alarms() {
    #expect(SelfTestLines.result(alarms: []) == "  no false alarm")
    let finding = Finding(
      key: FailureKey(law: "a.b", isError: false, kind: "k"),
      difference: Difference(kind: "k", summary: "it differs")
    )
    let alarm = SelfTestLines.alarm(finding, on: .engine)
    #expect(SelfTestLines.result(alarms: [alarm, "x"]) == "  engine: a.b: it differs, x")
  }

  @Test("A mutant that was not run is named by its id")
  func notRun() {
    let named = MutantProcess.NotRun(target: .coder, mutantID: "coder-x", reason: "no memory")
    #expect("\(named)" == "the mutant coder-x was not run: no memory")
    let correct = MutantProcess.NotRun(target: .coder, mutantID: nil, reason: "no memory")
    #expect("\(correct)" == "coder without a bug was not run: no memory")
  }
}
