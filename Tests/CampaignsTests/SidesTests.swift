import DocumentLaws
import Foundation
import PropertyEngine
import Reporting
import Subjects
import Testing

@testable import Campaigns

/// Who is compared in a failure, for every law of documents.
@Suite("Sides of a difference")
struct SidesTests {
  /// Laws of sync compare copies that have no names of their own yet.
  private static let laws = DocumentLaw.all.filter { !$0.name.hasPrefix("sync.") }

  /// Laws that compare with the oracle.
  private static let agreements = Set(laws.filter(\.isAgreement).map(\.name))

  /// What the laws say of all mutants: the failures of each, hardly shrunk.
  private static let failures: [Report.Failure] = SubjectRegistry.mutants.flatMap { mutant in
    guard let subject = SubjectRegistry.mutant(mutant.id) else { return [Report.Failure]() }
    var configuration = configuration([lane(subject, laws)], cases: 12)
    configuration.shrinkStepLimit = 20
    return report(configuration).failures.filter { $0.kind == .violated }
  }

  @Test("Laws that compare states name both, and those of two subjects name the subjects")
  func named() {
    var laws: Set<String> = []
    for failure in Self.failures {
      guard let actual = failure.actualSide else {
        // Of calls that fail and edits that are refused there is no state.
        let isCall = ["calls.succeed", "edits.accepted"].contains(failure.law)
        // Nor of a cursor, of what became of an attack, or of a patch where there should be none.
        let isAnswer = failure.law.hasPrefix("cursors.") || failure.law.hasPrefix("hostile.")
        let isPatch = failure.law == "patches.none-between-equals"
        #expect(isCall || isAnswer || isPatch, "\(failure.id)")
        continue
      }
      laws.insert(failure.law)
      let oracle = failure.oracle ?? ""
      let isAgreement = Self.agreements.contains(failure.law)
      #expect(actual.name.hasPrefix("\(failure.subject), ") || !isAgreement, "\(failure.id)")
      guard let expected = failure.expectedSide else { continue }
      #expect(expected.name.hasPrefix("\(oracle), ") == isAgreement, "\(failure.id)")
      #expect(expected.name != actual.name, "\(failure.id)")
      // How a text is split into elements is no line of a state.
      let isShown = failure.subject != "mutant:text-split-by-cluster"
      let differ = expected.state != actual.state || failure.differenceKind != "value"
      #expect(differ || !isShown, "\(failure.id)")
    }
    #expect(laws.count >= 15, "\(laws.sorted())")
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
      for side in [failure.expectedSide, failure.actualSide].compactMap(\.self) {
        let isOracle = side.name.hasPrefix("\(failure.oracle ?? ""), ")
        let place = side.name.split(separator: ", ").last.map(String.init) ?? side.name
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
      guard let step = failure.timeline.last, step.kind == .heal, step.namesReplicas,
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
