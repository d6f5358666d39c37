import CodingLaws
import Foundation
import ModelGeneration
import PropertyEngine
import Reporting
import Subjects
import Testing

@testable import Campaigns

@Suite("Our coder and another Automerge")
struct PeerTests {
  private static let adapters = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Adapters")

  private static let laws = CodingLaw.all.filter { $0.name.hasPrefix("peer.") }

  /// What a run of the laws of peers on our coder comes to.
  private func run(_ lane: Lane, cases: Int) -> LawRun {
    var run = lane.run(seed: 1)
    run.run(cases: cases, shrinkLimit: 1000)
    return run
  }

  @Test("The engine, asked as a foreign subject is, reads and writes what our coder does")
  func engine() {
    let ours = JudgedCoder.ours(peer: .available(SubjectPeer(engineSubject)))
    let outcome = run(Lane(ours, laws: Self.laws), cases: 40)
    for failure in outcome.failures.values {
      Issue.record("\(failure.headline)\n\(failure.sample.text)")
    }
    for law in Self.laws { #expect((outcome.totals.laws[law.name]?.held ?? 0) > 10, "\(law.name)") }
  }

  @Test("The real Automerge reads and writes what our coder does, where it is set up")
  func realAutomerge() throws {
    let found = try SubjectRegistry(adapters: Self.adapters).find(["document-coder"])
    let coder = try #require(found.listed[.coders]?.first)
    let lane = coder.lane(Set(Self.laws.map(\.name)))
    guard !lane.groups.isEmpty else {
      // The report says so, too.
      let reason = "the real Automerge does not start here"
      #expect(found.absentPeers.map(\.id) == ["automerge"])
      #expect(lane.entries.map(\.inapplicable) == [reason, reason])
      return
    }
    let outcome = run(lane, cases: 40)
    for failure in outcome.failures.values {
      Issue.record("\(failure.headline)\n\(failure.sample.text)")
    }
    for law in Self.laws { #expect((outcome.totals.laws[law.name]?.held ?? 0) > 10, "\(law.name)") }
  }

  @Test("Without another implementation the laws are not asked, and say why")
  func absent() {
    let reason = "no other Automerge was looked for"
    let lane = Lane(JudgedCoder.ours(), laws: Self.laws)
    #expect(lane.entries.map(\.inapplicable) == [reason, reason])
    #expect(lane.groups.isEmpty)
  }

  @Test("A document that a peer refuses is a broken law, and bytes that no peer was given are not")
  func refusals() throws {
    let peer = SubjectPeer(engineSubject)
    #expect(throws: PeerRefusal.self) { try peer.read(.bytes([1, 2, 3])) }
    #expect(throws: UnsupportedByCoder.self) { try peer.read(.other(1)) }
    #expect(peer.obstacle(toWriting: .map([Tree.Entry("", .int(1))])) != nil)
    #expect(peer.obstacle(toReading: .timestamp(.max)) != nil)
    #expect(peer.obstacle(toWriting: .list([.counter(1)])) == nil)
  }
}
