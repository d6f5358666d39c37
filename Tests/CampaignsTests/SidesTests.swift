import DocumentLaws
import Foundation
import Mutants
import PropertyEngine
import Reporting
import Subjects
import Testing
import Texts

@testable import Campaigns

/// The sides that are compared in a failure, for the laws of every catalogue.
@Suite("Sides of a difference")
struct SidesTests {
  private static let laws = DocumentLaw.all

  /// Laws that compare with the oracle.
  private static let agreements = Set(laws.filter(\.isAgreement).map(\.name))

  /// What the laws say of all mutants: the failures of each, hardly shrunk.
  private static let failures: [Report.Failure] = SubjectRegistry.mutants.flatMap { mutant in
    guard let subject = SubjectRegistry.mutant(mutant.id) else { return [Report.Failure]() }
    var configuration = configuration([lane(subject, laws)], cases: 12, seed: 8)
    configuration.shrinkStepLimit = 20
    return report(configuration).failures.filter { $0.kind == .violated }
  }

  @Test("Laws that compare states name both, and those of two subjects name the subjects")
  func named() {
    var laws: Set<String> = []
    for failure in Self.failures {
      guard let actual = failure.actualSide else { continue }
      laws.insert(failure.law)
      let oracle = failure.oracle ?? ""
      let isAgreement = Self.agreements.contains(failure.law)
      #expect(actual.name.hasPrefix("\(failure.subject), ") || !isAgreement, "\(failure.id)")
      #expect(actual.party == .subject || !isAgreement, "\(failure.id)")
      guard let expected = failure.expectedSide else { continue }
      // Of two replicas neither is known to be right; the oracle is.
      if isAgreement { #expect(failure.isOfPeers == nil, "\(failure.id)") }
      let isOfReplicas = ["merge.commutes", "network.converges"].contains(failure.law)
      if isOfReplicas { #expect(failure.isOfPeers == true, "\(failure.id)") }
      #expect(expected.name.hasPrefix("\(oracle), ") == isAgreement, "\(failure.id)")
      #expect((expected.party == .oracle) == isAgreement, "\(failure.id)")
      #expect(expected.name != actual.name, "\(failure.id)")
      // How a text is split into elements is no line of a state.
      let isShown = failure.subject != "mutant:text-split-by-cluster"
      let differ = expected.state != actual.state || failure.differenceKind != "value"
      #expect(differ || !isShown, "\(failure.id)")
    }
    #expect(laws.count >= 15, "\(laws.sorted())")
  }

  /// A wrong implementation and a law that catches it.
  private struct Proof: Sendable {
    let law: String
    let mutant: Mutant<ListedSubject>
  }

  /// Laws of documents that so few cases of all laws together do not show broken.
  private static let rareProofs = [
    "agreement.marks": "mark-text-behind-all",
    "counter.increments-add": "counter-as-register",
    "delivery.any-number": "counter-own-increments-only",
    "hostile.is-told": "hostile-drops-in-silence",
    "hostile.keeps-nothing-out": "hostile-waiting-refuses-calls",
    "hostile.shows-nothing": "hostile-numbers-may-skip",
    "hostile.twins-stay-apart": "hostile-twins-are-one",
    "merge.associates": "merge-takes-heads-only",
    "merge.idempotent": "fork-shares-open-transaction",
    "patches.marks": "patch-forgets-marks-of-kept",
    "refusals.are-refused": "splice-past-the-end",
    "refusals.leave-no-trace": "refusal-takes-number",
    "rollback.undoes": "rollback-takes-number",
    "text.insertions-meet-runs": "siblings-as-they-arrive",
  ]

  private static let proofs: [Proof] = Catalogue.all.flatMap { catalogue in
    catalogue.mutants.flatMap { mutant in
      (mutant.laws + rareProofs.filter { $0.value == mutant.id.description }.map(\.key))
        .map { Proof(law: $0, mutant: mutant) }
    }
  }

  /// What laws say of the first case of each wrong implementation that they catch.
  private static let others: [Report.Failure] = inParallel(proofs.count, jobs: 2) { index in
    let lane = proofs[index].mutant.subject.lane([proofs[index].law])
    var run = lane.run(seed: 5)
    run.run(cases: 3000, shrinkLimit: 20, failureLimit: 1)
    return run.failures.values.map { $0.reported(in: lane) }.filter { $0.kind == .violated }
  }.flatMap(\.self)

  /// Laws that say in words alone what is wrong: there are no two texts that would need to be told
  /// apart by side.
  ///
  /// By the reason.
  private static let wordless: [String: Set<String>] = [
    "what should have been refused was taken, or the reverse, and the summary says what": [
      "cautious.refuses", "counter.over-other", "damage.read-only", "date.refuses-impossible",
      "depth.limited",
      "devices.batch-whole", "devices.expired-told", "devices.old-tag-refused",
      "floats.non-finite", "keys.integers-refused", "place.links-refused", "place.one-opener",
      "record.archives-extend", "record.damage-refused", "record.hostile-typed",
      "record.keys-guarded", "record.one-form", "record.one-place", "record.reasons-named",
      "record.size-guarded", "root.keyed",
      "server.kind-fixed", "store.limits-exact", "store.reopens", "strategy.create-refuses",
      "version.later-refused", "version.migrates-whole",
    ],
    "something is there, or is not, and the summary says what": [
      "damage.kept-aside", "damage.kept-when-refused",
      "devices.changes-complete", "devices.clears-arrive",
      "devices.edit-alone", "devices.no-dangling-owner", "devices.retry-once",
      "place.contained", "place.off-the-pool", "record.unchanged-unmarked", "seed.foreign-left",
      "server.keeps-apart",
    ],
    "one object or tag stays, or becomes bound": [
      "counter.binds", "counter.bound-by-encode", "counter.bound-in-lists", "devices.tags-move",
      "list.other-identity",
    ],
  ]

  @Test("What shows two texts says whose they are, whatever the law; who says nothing is listed")
  func everyCatalogue() {
    let all = Self.failures + Self.others
    for failure in all where failure.expected != nil || failure.actual != nil {
      #expect(failure.actualSide != nil, "\(failure.id)")
      #expect(failure.comparison != nil, "\(failure.id)")
      #expect(failure.expectedSide?.name != failure.actualSide?.name, "\(failure.id)")
      // A reader who sees the same twice learns nothing.
      let isAlike = failure.expected == failure.actual && failure.expected != nil
      #expect(!isAlike, "\(failure.id): \(failure.expected ?? "")")
    }
    let failed = Set(all.map(\.law))
    let named = Set(all.filter { $0.actualSide != nil }.map(\.law))
    let unnamed = failed.subtracting(named)
    let listed = Set(Self.wordless.values.joined())
    #expect(unnamed.subtracting(listed) == [])
    #expect(listed.subtracting(unnamed) == [])
    // Every law that a mutant breaks: those of stored bytes, and some others, only bugs of the sources break.
    for catalogue in Catalogue.all where !catalogue.mutants.isEmpty {
      let names = Set(catalogue.laws.map(\.name))
      let laws =
        catalogue.topic == .documents
        ? names : names.intersection(catalogue.mutants.flatMap(\.laws))
      let unseen = laws.subtracting(failed)
      // No mutant of documents has bytes that another subject reads, and none of a few thousand
      // cases has a file that a hostile peer spoils.
      #expect(unseen.subtracting(["agreement.saved-bytes", "hostile.files-load"]) == [])
    }
  }

  @Test("A side shows what the pane of the same place shows")
  func panes() throws {
    var places: [String: Int] = [:]
    // To look at a state commits it: these mutants show another state because they are looked at.
    let shy = [
      "mutant:save-drops-open-transaction", "mutant:fork-shares-open-transaction",
      "mutant:duplicate-by-actor",
    ]
    for failure in Self.failures where !shy.contains(failure.subject) {
      for side in [failure.expectedSide, failure.actualSide].compactMap(\.self)
      where !side.state.isEmpty {
        let isOracle = side.name.hasPrefix("\(failure.oracle ?? ""), ")
        let place = side.name.split(separator: ", ").last.map(String.init) ?? side.name
        // What a law made of a replica for itself stands beside no history.
        if place.hasPrefix("a copy") { continue }
        guard let pane = pane(place, of: failure) else { continue }
        var shown = isOracle ? pane.oracleState ?? pane.state : pane.state
        if pane.kind == .heal { shown = Self.state(of: place.prefix { $0 != " " }, in: shown) }
        #expect(Self.content(side.state) == Self.content(shown), "\(failure.id): \(side.name)")
        places[place.filter(\.isLetter), default: 0] += 1
      }
    }
    // Healed replicas and states in the middle of a history were compared, not only one of both.
    #expect(places.count >= 2 && places.values.reduce(0, +) >= 40, "\(places)")
  }

  @Test("After healing, both sides name the same replicas, in one order")
  func healed() throws {
    var count = 0
    for failure in Self.failures {
      guard let step = failure.timeline.last, step.namesReplicas == true,
        let oracle = step.oracleState
      else { continue }
      func names(_ lines: [String]) -> [String] { lines.filter { $0.hasPrefix("r") } }
      #expect(names(oracle) == names(step.state), "\(failure.id)")
      #expect(names(oracle).count >= 2, "\(failure.id)")
      count += 1
    }
    #expect(count >= 10, "\(count)")
  }

  /// A state without its heads: the diagram looks after each step, which commits, so that its
  /// changes are more and smaller.
  private static func content(_ state: [String]) -> [String] {
    state.filter { !$0.hasPrefix("heads ") }
  }

  /// What one replica shows after healing: replicas that differ stand below their names.
  private static func state(of replica: Substring, in lines: [String]) -> [String] {
    func names(_ line: String) -> [Substring]? {
      guard line.wholeMatch(of: /r\d+(, r\d+)*:/) != nil else { return nil }
      return line.dropLast().split(separator: ", ")
    }
    guard let first = lines.first, names(first) != nil else { return lines }
    let start = lines.firstIndex { names($0)?.contains(replica) == true }
    return lines[((start ?? 0) + 1)...].prefix { names($0) == nil }.map { String($0.dropFirst(2)) }
  }

  /// The step of the diagram beside which a place stands.
  private func pane(_ place: String, of failure: Report.Failure) -> Report.TimelineStep? {
    if place.hasSuffix(" after healing") { return failure.timeline.last }
    guard let match = place.wholeMatch(of: /r(\d+) after step (\d+)/),
      let replica = Int(match.1), let step = Int(match.2)
    else { return nil }
    let pane = failure.timeline[step - 1]
    return pane.replicas.last == replica && !pane.state.isEmpty ? pane : nil
  }
}
