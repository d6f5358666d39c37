import DocumentLaws
import DocumentModel
import Histories
import PropertyEngine
import Subjects
import Testing

@testable import Campaigns

/// Subjects that do less than they say, or less than is asked: no run over them is green.
@Suite("Subjects that do nothing")
struct IdleSubjectTests {
  /// A subject of rules of its own that answers as the specification, but for some edits.
  private static func idle(
    lacking lost: Set<EditKind> = [],
    refusing refused: @escaping @Sendable (EditKind) -> Bool
  ) -> ScriptedSubject {
    var subject = ScriptedSubject("idle") { _, program in
      var done = Program()
      var places: [Int?] = []
      for instruction in program.instructions {
        if case .edit(_, let edit, _) = instruction, refused(edit.kind) {
          places.append(nil)
        } else {
          places.append(done.instructions.count)
          done.instructions.append(instruction)
        }
      }
      let outcomes = ScriptedSubject.right(done).outcomes
      return Transcript(outcomes: places.map { $0.map { outcomes[$0] } ?? .refused("no") })
    }
    subject.capabilities.features.remove(.automergeSemantics)
    subject.capabilities.edits.subtract(lost)
    return subject
  }

  private func violated(by subject: any DocumentSubject, _ names: String...) -> Set<String> {
    let asked = DocumentLaw.all.filter { names.contains($0.name) }
    var run = lane(subject, asked).run(seed: 1)
    run.runBatch(of: 60)
    return Set(run.totals.sightings.keys.filter { !$0.isError }.map(\.law))
  }

  @Test("An engine of any rules that refuses its edits, or those of a kind, is found")
  func refuses() {
    #expect(violated(by: Self.idle { _ in true }, "edits.alone") == ["edits.alone"])
    #expect(violated(by: Self.idle { $0 == .delete }, "edits.alone") == ["edits.alone"])
    #expect(violated(by: Self.idle { _ in false }, "edits.alone") == [])
  }

  @Test("A small world that asks for what a subject lacks is not walked in vain")
  func worlds() {
    func result(_ subject: any DocumentSubject, _ world: SmallWorld) -> WorldRun.Result {
      WorldRun(DocumentJudge(subject, oracle: naiveSubject), replicas: 2, edits: 1)
        .run(world, onProgress: { _ in }, isInterrupted: { false })
    }
    let lacking = result(Self.idle(lacking: [.insert]) { _ in false }, .list)
    #expect(lacking.violation == nil && !lacking.holds)
    #expect(lacking.laws.contains { $0.reason == "does not start from the base objects" })
    #expect(result(Self.idle { _ in false }, .counter).holds)
  }

  @Test("A violation in a small world says who is compared, and calls things as a replay does")
  func sides() throws {
    let judge = DocumentJudge(try mutant("delete-hides-concurrent-put"), oracle: naiveSubject)
    let result = WorldRun(judge, replicas: 2, edits: 3)
      .run(.key, onProgress: { _ in }, isInterrupted: { false })
    let summary = try #require(result.violation).summary
    #expect(summary.contains("\n  Compared: "), "\(summary)")
    #expect(!summary.contains("actual:"), "\(summary)")
  }

  @Test("A history of more than a subject can do is skipped, with what it lacks")
  func history() throws {
    let history = try History(
      text: """
        history 1
        base empty
        replicas 2
        healing merge
        r0 put root "k" int 1
        """
    )
    let subject = Self.idle(lacking: [.put]) { _ in false }
    let judged = DocumentJudge(subject, oracle: nil)
      .judge(normalise(history), DocumentLaw.all.filter { $0.name == "merge.commutes" })
    #expect(judged.verdicts.map { $0.judgement.verdict } == [.skipped("has no edits of kind put")])
  }

  @Test("What an oracle did not answer is an error of the laws that compare, and of no other")
  func oracle() throws {
    let oracle = ScriptedSubject("silent") { _, _ in
      throw SubjectFailure(kind: "exit", description: "ended with status 3")
    }
    let judge = DocumentJudge(
      ScriptedSubject("right") { _, program in ScriptedSubject.right(program) },
      oracle: oracle
    )
    let history = try History(text: "history 1\nbase empty\nreplicas 2\nhealing merge\n")
    let asked = laws("merge.commutes", DocumentLaw.statesAgree.name)
    let judged = judge.judge(normalise(history), asked)
    let key = FailureKey(law: DocumentLaw.statesAgree.name, isError: true, kind: "errored")
    #expect(judged.findings.map(\.key) == [key])
    let verdicts = Dictionary(
      uniqueKeysWithValues: judged.verdicts.map { ($0.law, $0.judgement.verdict) }
    )
    #expect(
      verdicts == [
        "merge.commutes": .held,
        DocumentLaw.statesAgree.name:
          .errored("the oracle, silent, did not answer: ended with status 3"),
      ]
    )
  }
}
