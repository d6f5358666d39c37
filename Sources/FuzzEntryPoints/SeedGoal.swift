import DocumentLaws
import DocumentModel
package import Histories
package import PropertyEngine

/// A situation that an input of the seed corpus reaches, and is named by.
package struct SeedGoal: Sendable {
  /// The name of the input's file without `.bin`: `deletes-met`, `fault-clog`.
  package let name: String
  /// The situation in one sentence.
  package let sentence: String
  /// Whether an input reaches it.
  package let isReached: @Sendable (HistoryInput) -> Bool

  /// Every waypoint, fault, transport and edit of document histories, and every scenario law.
  package static let all = waypoints + faults + transports + edits + scenarios

  private static let waypoints = Waypoint.documents.map { waypoint in
    SeedGoal(name: waypoint.name, sentence: waypoint.sentence) { input in
      input.isShared && HistoryFacts(input.history).waypoints[waypoint.name] > 0
    }
  }

  private static let faults = Fault.allCases.map { fault in
    SeedGoal(
      name: "fault-" + hyphenated(fault.rawValue),
      sentence: "The network or a machine does this wrong: \(hyphenated(fault.rawValue, " "))."
    ) { input in
      input.isShared && HistoryFacts(input.history).faults[fault.rawValue] > 0
    }
  }

  private static let transports = Transport.allCases.map { transport in
    SeedGoal(
      name: "transport-" + transport.rawValue,
      sentence: "A state with an edit in it travels as: \(transport.rawValue)."
    ) { input in
      let facts = HistoryFacts(input.history)
      return input.isShared && facts.transports[transport.rawValue] > 0
        && input.history.history.editCount > 0
    }
  }

  private static let edits = EditKind.allCases.map { kind in
    SeedGoal(
      name: "edit-" + hyphenated(kind.rawValue),
      sentence:
        "A replica makes this edit once it has heard of one: \(hyphenated(kind.rawValue, " "))."
    ) { input in
      var makers: Set<Int> = []
      var hearers: Set<Int> = []
      for step in input.history.history.steps {
        switch step {
        case .exchange(let from, let to, _) where makers.contains(from): hearers.insert(to)
        case .edit(let replica, let edit) where edit.kind == kind:
          if input.isShared, hearers.contains(replica) { return true }
          makers.insert(replica)
        default: break
        }
      }
      return false
    }
  }

  private static let scenarios = HistoryInput.scenarioLaws.map { law in
    SeedGoal(
      name: "law-" + law.name.replacing(".", with: "-"),
      sentence: "Two replicas edit what the law \(law.name) speaks of."
    ) { input in
      var replicas: Set<Int> = []
      for case .edit(let replica, _) in input.history.history.steps { replicas.insert(replica) }
      return input.laws.map(\.name) == [law.name] && replicas.count > 1
    }
  }

  /// `reorderWithinSender` as `reorder-within-sender`.
  private static func hyphenated(_ name: String, _ separator: String = "-") -> String {
    var words = ""
    for letter in name {
      if letter.isUppercase { words += separator }
      words += letter.lowercased()
    }
    return words
  }
}

extension SeedGoal {
  /// The smallest input found that reaches the goal with a history of its own; nil if no case of
  /// the seed does.
  ///
  /// Cost: at most `caseLimit` histories to find one, and `shrinkLimit` to make it small.
  package func input(
    seed: Seed,
    caseLimit: Int,
    shrinkLimit: Int,
    besides known: Set<History>
  ) -> HistoryInput? {
    func fits(_ input: HistoryInput) -> Bool {
      isReached(input) && !known.contains(input.history.history)
    }
    for index in 0..<max(0, caseLimit) {
      let input = HistoryInput(drawing: Choices(seed: seed.stream(UInt64(index))))
      if fits(input) { return input.shrunk(stepLimit: shrinkLimit, keeping: fits) }
    }
    return nil
  }
}
