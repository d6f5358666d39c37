import DocumentLaws
import DocumentModel
import Foundation
import Histories
import PropertyEngine
import Reporting
import Subjects
import Testing

@testable import Campaigns

@Suite("Lanes")
struct LaneTests {
  @Test(
    "A star stands for any characters, and all others for themselves",
    arguments: [
      ("", "", true), ("", "a", false), ("*", "", true), ("*", "merge.commutes", true),
      ("merge.*", "merge.commutes", true), ("merge.*", "merge", false),
      ("merge.*", "unmerge.x", false), ("*.commutes", "merge.commutes", true),
      ("m*e.*s", "merge.commutes", true), ("m*x*s", "merge.commutes", false),
      ("a*b*c", "abbbc", true), ("a*b*c", "acb", false), ("**", "ab", true),
      ("merge.commutes", "merge.commutes", true), ("merge.commute", "merge.commutes", false),
      ("Merge.*", "merge.commutes", false), ("a?c", "abc", false), ("a?c", "a?c", true),
      ("*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", false),
    ]
  )
  func globs(pattern: String, text: String, matches: Bool) {
    #expect(Glob(pattern).matches(text) == matches)
  }

  /// The laws with histories of their own that say something of the specification alone.
  private static let own = DocumentLaw.all.filter { law in
    guard case .own = law.samples else { return false }
    return law.reasonToSkip(subject: naiveSubject.capabilities, oracle: nil) == nil
  }

  @Test("Laws on any history share four cases in five; scenarios take turns in the fifth")
  func groups() throws {
    let lane = Lane(naiveSubject, oracle: nil, laws: DocumentLaw.all)
    let own = Self.own
    #expect(own.count == 8)
    let names = (0..<90).map { lane.run(seed: 1).group(ofCase: $0)?.laws.map(\.name) ?? [] }
    let shared = DocumentLaw.all.filter { if case .any = $0.samples { true } else { false } }
      .map(\.name)
    for index in 0..<90 {
      #expect(names[index] == (index % 5 == 4 ? [own[index / 5 % own.count].name] : shared))
    }
    #expect(Set(lane.laws.map(\.name)) == Set(DocumentLaw.all.map(\.name)))
    for count in 0...90 {
      let expected = names[..<count].count { $0 == shared }
      #expect(LawRun.sharedCount(ofFirst: count, lane.groups) == expected)
    }
  }

  @Test("Without laws on any history every case is a scenario; without laws there is none")
  func groupsAlone() throws {
    let own = Self.own
    let scenarios = Lane(naiveSubject, oracle: nil, laws: own)
    let found = (0..<2 * own.count).map {
      scenarios.run(seed: 1).group(ofCase: $0)?.laws.first?.name
    }
    #expect(found == (own + own).map(\.name))
    #expect(Lane(naiveSubject, oracle: nil, laws: []).run(seed: 1).group(ofCase: 0) == nil)
    #expect(LawRun.sharedCount(ofFirst: 10, scenarios.groups) == 0)
    let one = Lane(naiveSubject, oracle: nil, laws: laws("merge.commutes"))
    #expect(
      (0..<10).allSatisfy {
        one.run(seed: 1).group(ofCase: $0)?.laws.map(\.name) == ["merge.commutes"]
      }
    )
    #expect(LawRun.sharedCount(ofFirst: 10, one.groups) == 10)
  }

  @Test("A subject is compared with the oracle if it follows its rules and is not the oracle")
  func oracles() {
    #expect(Lane(naiveSubject, oracle: naiveSubject, laws: []).oracle == nil)
    var subject = ScriptedSubject("other") { _, program in ScriptedSubject.right(program) }
    #expect(Lane(subject, oracle: naiveSubject, laws: []).oracle == "naive")
    subject.capabilities.features.remove(.automergeSemantics)
    #expect(Lane(subject, oracle: naiveSubject, laws: []).oracle == nil)
  }

  @Test("Histories of a lane ask for nothing that its subject lacks")
  func limits() throws {
    var subject = ScriptedSubject("small") { _, program in ScriptedSubject.right(program) }
    subject.capabilities.edits = [.put, .delete]
    subject.capabilities.transports = [.document]
    let report = report(configuration([lane(subject, laws("network.converges"))], cases: 30))
    #expect(report.counts.edits.filter { $0.count > 0 }.map(\.name) == ["put", "delete"])
    #expect(report.counts.transports.map(\.name) == ["small document"])
    #expect(report.outcome.word == .held)
  }
}
