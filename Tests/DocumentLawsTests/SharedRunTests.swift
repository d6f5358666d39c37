import DocumentLaws
import DocumentModel
import Histories
import PropertyEngine
import Subjects
import Testing

/// What a run leaves out shows nowhere: states that are shared, and what an oracle is not asked.
@Suite("What a run leaves out")
struct SharedRunTests {
  private func trials(
    _ stream: Int,
    of subject: any DocumentSubject = engineSubject,
    count: Int = 40
  ) -> [Trial] {
    let shared = DocumentLaw.all.filter { if case .any = $0.samples { true } else { false } }
    return (0..<count).map { index in
      var choices = Choices(seed: Seed(value: UInt64(stream)).stream(UInt64(index)))
      return Trial(
        normalise(Generator.histories().draw(&choices)),
        laws: shared,
        subject: subject.capabilities,
        oracle: naiveSubject.capabilities
      )
    }
  }

  @Test("Shared states show what states of their own show", arguments: 0..<4)
  func sharedStates(stream: Int) {
    checkSharing(EngineReplica.self, trials(stream))
    checkSharing(
      DocumentReplica<ScalarUnits>.self,
      trials(stream, of: documentSubject, count: 8)
    )
  }

  private func checkSharing<R: Replica>(_ type: R.Type, _ trials: [Trial]) {
    for trial in trials {
      let program = trial.plan.program
      let alone = Interpreter<R>.run(program, sharesStates: false).outcomes
      let shared = Interpreter<R>.run(program, sharesStates: true).outcomes
      for (index, instruction) in program.instructions.enumerated()
      where alone[index] != shared[index] {
        Issue.record("\(instruction)\n\(trial.plan.history.history.text)")
        return
      }
    }
  }

  @Test("An oracle answers what laws compare as if it were asked everything", arguments: 0..<4)
  func oracleProgram(stream: Int) throws {
    for trial in trials(stream) {
      let subject = try engineSubject.session().run(trial.plan.program)
      let whole = try naiveSubject.session().run(trial.plan.program)
      let asked = try naiveSubject.session().run(trial.plan.oracleProgram)
      let spread = trial.plan.spread(asked)
      #expect(spread.outcomes.count == whole.outcomes.count)
      #expect(asked.outcomes.count < whole.outcomes.count)
      // What it was asked, it answers the same: whatever a law of agreement looks at.
      for (left, right) in zip(spread.outcomes, whole.outcomes) where left != .done {
        #expect(left == right, "\(trial.plan.history.history.text)")
      }
      let verdicts = trial.verdicts(subject: subject, oracle: spread).map(\.verdict)
      #expect(verdicts == trial.verdicts(subject: subject, oracle: whole).map(\.verdict))
    }
  }
}
