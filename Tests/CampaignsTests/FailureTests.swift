import DocumentLaws
import DocumentModel
import ForeignSubjects
import Foundation
import Histories
import PropertyEngine
import Reporting
import Subjects
import Testing

@testable import Campaigns

@Suite("From a failure to its report")
struct FailureTests {
  /// A mutant, a law that catches it, and the smallest history on which it does.
  struct Minimum: CustomStringConvertible {
    let mutant: String
    let law: String
    let base: Base
    let steps: [String]
    var size: Int
    var replicas: Int

    init(
      _ mutant: String,
      _ law: String,
      _ base: Base,
      size: Int,
      replicas: Int = 2,
      _ steps: [String]
    ) {
      self.mutant = mutant
      self.law = law
      self.base = base
      self.steps = steps
      self.size = size
      self.replicas = replicas
    }

    var description: String { "\(mutant) by \(law)" }
  }

  static let minima: [Minimum] = [
    Minimum(
      "tie-break-reversed",
      "agreement.states",
      .objects,
      size: 2,
      ["r0 type text2 0 delete 0 insert \"a\"", "r1 type text2 0 delete 0 insert \"b\""]
    ),
    Minimum(
      "delete-hides-concurrent-put",
      "agreement.states",
      .objects,
      size: 2,
      ["r1 splice list1 0 delete 1", "r0 put list1 0 int 1"]
    ),
    Minimum(
      "counter-as-register",
      "agreement.states",
      .counters,
      size: 2,
      ["r0 increment root \"n\" 1", "r0 increment root \"n\" 1"]
    ),
    Minimum(
      "siblings-reversed",
      "agreement.states",
      .objects,
      size: 1,
      ["r0 mark list1 0 to 1 \"b\" boolean true expand after"]
    ),
    Minimum(
      "text-width-utf16",
      "agreement.states",
      .objects,
      size: 1,
      ["r0 type text2 0 delete 0 insert \"\\u{1f600}\""]
    ),
    Minimum(
      "save-truncates-timestamps",
      "save.round-trips",
      .empty,
      size: 1,
      ["r0 put root \"k\" timestamp 1"]
    ),
    Minimum(
      "conflict-losers-dropped",
      "agreement.states",
      .empty,
      size: 2,
      ["r0 put root \"k\" int 0", "r1 put root \"k\" int 0"]
    ),
    Minimum(
      "waiting-forgotten",
      "delivery.any-order",
      .objects,
      size: 1,
      ["r0 put root \"k\" int 0"]
    ),
    Minimum(
      "tie-break-missing",
      "network.converges",
      .objects,
      size: 2,
      ["r0 type text2 0 delete 0 insert \"a\"", "r1 type text2 0 delete 0 insert \"b\""]
    ),
  ]

  @Test("The name of a failure is the one that corpora and past runs know it by")
  func slug() {
    let key = FailureKey(law: "merge.commutes", isError: false, kind: "map.winner")
    #expect(Failure.slug(key, "mutant:a_b", nil) == "mutant-a-b--merge.commutes--map.winner")
    #expect(Failure.slug(key, "a", naiveSubject.id) == "a--merge.commutes--map.winner")
    #expect(Failure.slug(key, "a", "b_c") == "a--b-c--merge.commutes--map.winner")
  }

  @Test("A wrong subject shrinks to the smallest history that shows it", arguments: minima)
  func minimum(_ expected: Minimum) throws {
    var configuration = configuration(
      [lane(try mutant(expected.mutant), laws(expected.law))],
      cases: 300,
      seed: 14
    )
    configuration.failureLimit = 1
    configuration.shrinkStepLimit = 4000
    let report = report(configuration)
    let failure = try #require(report.failures.first)
    #expect(failure.law == expected.law)
    #expect(failure.kind == .violated)
    #expect(failure.size == expected.size)
    #expect(failure.replicas == expected.replicas)
    #expect(failure.history[1] == "base \(expected.base)")
    #expect(Array(failure.history.dropFirst(4)) == expected.steps)
    #expect(failure.shrinkEnding == "nothing smaller that was tried fails")
  }

  @Test("A worker that was killed from outside is not said to have trapped")
  func killed() {
    func happening(_ signal: Int) -> String {
      WorkerDeath(
        failure: .init(reason: .trapped(signal: signal), lastLines: []),
        place: .init(caseIndex: nil, phase: .subject)
      ).happening
    }
    #expect(happening(9).hasPrefix("was killed (signal 9), as a system does"))
    #expect(happening(4) == "trapped (signal 4)")
  }
}
