import DocumentLaws
import DocumentModel
import Histories
import PropertyEngine
import Reporting
import Subjects
import Testing
import Texts

@testable import Campaigns

@Suite("Known divergences")
struct DivergenceTests {
  private func report(
    _ subject: any DocumentSubject,
    _ divergence: HistoryDivergence,
    cases: Int = 60
  ) -> Report {
    let lane = lane(subject, laws("agreement.states"), divergences: [divergence])
    var configuration = configuration([lane], cases: cases)
    configuration.shrinkStepLimit = 50
    return CampaignsTests.report(configuration)
  }

  @Test("One that is listed and shows is green, and counted")
  func known() throws {
    // Most cases keep away from the condition, so that it takes many to meet it.
    let report = report(try mutant("counter-as-register"), try divergence(), cases: 1500)
    #expect(report.outcome.word == .held)
    #expect(report.failures == [])
    let known = try #require(report.knownDivergences.first)
    #expect(known.stillShows)
    #expect(known.count > 0)
    #expect(report.cells.map(\.known) == [known.count])
    #expect(report.cells.map(\.violated) == [0])
  }

  @Test("One that no longer shows is red")
  func gone() throws {
    let subject = ScriptedSubject("fixed") { _, program in ScriptedSubject.right(program) }
    let report = report(subject, try divergence())
    #expect(report.outcome.word == .violated)
    #expect(
      report.outcome.reasons.map(\.text) == [
        "fixed no longer shows its known divergence from agreement.* (increments):"
          + " take it off the list"
      ]
    )
    #expect(report.knownDivergences.map(\.count) == [0])
  }

  @Test("A lane that cannot ask its law does not say that it is gone")
  func notAsked() throws {
    var oracle = ScriptedSubject("blind") { _, program in ScriptedSubject.right(program) }
    oracle.capabilities.features.remove(.conflictPatches)
    let lane = Lane(
      ScriptedSubject("right") { _, program in ScriptedSubject.right(program) },
      oracle: oracle,
      laws: laws("agreement.states", "patches.conflicts"),
      divergences: [try divergence("patches.conflicts")],
      limits: HistoryLimits(largeWorlds: false, impoliteCalls: false)
    )
    let report = CampaignsTests.report(configuration([lane], cases: 10))
    #expect(report.outcome.word == .held)
    #expect(report.knownDivergences.map(\.stillShows) == [true])
  }

  @Test("One whose case the subject cannot carry out any more is named, and the run fails")
  func unable() throws {
    var subject = ScriptedSubject("unable") { _, program in ScriptedSubject.right(program) }
    subject.capabilities.scalars.remove(.counter)
    // Beside an oracle that lacks more, too.
    var blind = ScriptedSubject("blind") { _, program in ScriptedSubject.right(program) }
    blind.capabilities.features.remove(.conflictPatches)
    let lanes = try [naiveSubject as any DocumentSubject, blind].map { oracle in
      Lane(
        subject,
        oracle: oracle,
        laws: laws("agreement.states"),
        divergences: [try divergence(base: "empty", first: #"put root "n" counter 1"#)],
        limits: HistoryLimits(largeWorlds: false, impoliteCalls: false)
      )
    }
    let report = CampaignsTests.report(configuration(lanes, cases: 10))
    #expect(report.outcome.word == .failed)
    let reason = try #require(report.outcome.reasons.first)
    #expect(report.outcome.reasons.count == 1, "\(report.outcome.reasons)")
    #expect(
      reason.text.hasPrefix(
        "whether unable still shows its known divergence from agreement.* (increments) cannot be judged"
          + " on its case: unable does not "
      ),
      "\(reason.text)"
    )
    #expect(report.knownDivergences.map(\.stillShows) == [true, true])
    #expect(report.knownDivergences.allSatisfy { $0.unjudged != nil })
  }

  @Test("A subject that fails does not say that it is gone")
  func failing() throws {
    struct Broken: Error {}
    let subject = ScriptedSubject("broken") { _, _ in throw Broken() }
    let report = report(subject, try divergence())
    #expect(report.knownDivergences.map(\.stillShows) == [true])
    #expect(!report.outcome.reasons.contains { $0.text.contains("take it off the list") })
    #expect(report.outcome.word == .failed)
  }

  @Test("One that is listed for another law excuses nothing")
  func otherLaw() throws {
    let report = report(try mutant("counter-as-register"), try divergence("merge.*"))
    #expect(report.outcome.word == .violated)
    #expect(report.failures.map(\.law) == ["agreement.states"])
    #expect(report.knownDivergences.map(\.stillShows) == [false])
  }

  @Test("A condition as data excuses the histories for which it holds, and no others")
  func asData() throws {
    func report(_ condition: String) throws -> Report {
      let listed = try divergence(condition: condition)
      return self.report(try mutant("counter-as-register"), listed, cases: 1500)
    }
    let known = try report(#"{"edit": {"kind": "increment"}}"#)
    #expect(known.outcome.word == .held)
    #expect(known.failures == [])
    #expect(known.cells.allSatisfy { $0.known > 0 })
    let narrow = try report(#"{"edit": {"kind": "increment"}, "atLeast": 3}"#)
    #expect(Set(narrow.failures.map(\.law)) == ["agreement.states"])
    let history = try #require(narrow.failures.first).history
    #expect((1...2).contains(history.count { $0.contains("increment") }))
  }

  @Test("A failure outside its condition is a failure")
  func otherCondition() throws {
    let report = report(try mutant("tie-break-reversed"), try divergence())
    #expect(!report.failures.isEmpty)
    #expect(report.failures.allSatisfy { $0.kind == .violated })
    let history = try #require(report.failures.first).history
    #expect(!history.contains { $0.contains("increment") })
  }
}
