import DocumentLaws
import DocumentModel
import Histories
import PropertyEngine
import Subjects
import Testing

/// A law that read what its plan does not have would hold without having looked.
@Suite("What laws say that they read")
struct ReadStateTests {
  /// Plans a history of one commit for one law.
  private static func plan(_ law: DocumentLaw) throws -> Trial {
    let text = """
      history 1
      base empty
      replicas 2
      healing merge document changes
      r0 put root "k" int 1
      r0 commit
      """
    return Trial(
      normalise(try History(text: text)),
      laws: [law],
      subject: naiveSubject.capabilities,
      oracle: naiveSubject.capabilities
    )
  }

  private static func readingStates(saysSo: Bool) -> DocumentLaw {
    DocumentLaw(
      "test.reads-states",
      "Reads the states of the history.",
      source: .decision(1),
      needs: DocumentLaw.Needs([.history, .heads]),
      readsStates: saysSo,
      judging: .one { plan in
        let count = plan.lastingStates.count
        return { _ in
          count > 0
            ? nil : Difference(kind: "none", summary: "no state", expected: "some", actual: "none")
        }
      }
    )
  }

  private static func readingPlaces(saysSo: Bool) -> DocumentLaw {
    DocumentLaw(
      "test.reads-places",
      "Reads where cursors were.",
      source: .decision(1),
      watchesCursors: saysSo,
      judging: .one { plan in
        _ = plan.positions
        return { _ in nil }
      }
    )
  }

  @Test("A law that says what it reads is shown it")
  func shown() throws {
    let trial = try Self.plan(Self.readingStates(saysSo: true))
    let transcript = try naiveSubject.session().run(trial.plan.program)
    let verdicts = trial.verdicts(subject: transcript, oracle: nil).map(\.verdict)
    #expect(verdicts == [.held])
    #expect(try Self.plan(Self.readingPlaces(saysSo: true)).laws.count == 1)
  }

  @Test("A law that reads states and does not say so is stopped")
  func stopsReadersOfStates() async {
    await #expect(processExitsWith: .failure) {
      _ = try ReadStateTests.plan(ReadStateTests.readingStates(saysSo: false))
    }
  }

  @Test("A law that reads the places of cursors and does not say so is stopped")
  func stopsReadersOfPlaces() async {
    await #expect(processExitsWith: .failure) {
      _ = try ReadStateTests.plan(ReadStateTests.readingPlaces(saysSo: false))
    }
  }
}
