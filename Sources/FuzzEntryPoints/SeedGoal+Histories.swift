import DocumentLaws
import DocumentModel
import Histories
import PropertyEngine

extension SeedGoal {
  /// Every waypoint, fault, transport and edit of document histories, and every scenario law.
  package static let histories = waypoints + faults + transports + edits + scenarios

  /// A situation in a history that all laws on any history judge.
  private init(
    shared name: String,
    _ sentence: String,
    isReached: @escaping @Sendable (NormalisedHistory) -> Bool
  ) {
    self.init(name, sentence) { input in
      input.group.isShared && input.history.map(isReached) ?? false
    }
  }

  private static let waypoints = Waypoint.documents.filter {
    !Waypoint.ofLargeWorlds.contains($0)
  }.map { waypoint in
    SeedGoal(shared: waypoint.name, waypoint.sentence) {
      HistoryFacts($0).waypoints[waypoint.name] > 0
    }
  }

  private static let faults = Fault.allCases.map { fault in
    SeedGoal(
      shared: "fault-" + hyphenated(fault.rawValue),
      "The network or a machine does this wrong: \(hyphenated(fault.rawValue, " "))."
    ) { HistoryFacts($0).faults[fault.rawValue] > 0 }
  }

  private static let transports = Transport.allCases.map { transport in
    SeedGoal(
      shared: "transport-" + transport.rawValue,
      "A state with an edit in it travels as: \(transport.rawValue)."
    ) { HistoryFacts($0).transports[transport.rawValue] > 0 && $0.history.editCount > 0 }
  }

  private static let edits = EditKind.allCases.map { kind in
    SeedGoal(
      shared: "edit-" + hyphenated(kind.rawValue),
      "A replica makes this edit once it has heard of one: \(hyphenated(kind.rawValue, " "))."
    ) { history in
      var makers: Set<Int> = []
      var hearers: Set<Int> = []
      for step in history.history.steps {
        switch step {
        case .exchange(let from, let to, _) where makers.contains(from): hearers.insert(to)
        case .edit(let replica, let edit) where edit.kind == kind:
          if hearers.contains(replica) { return true }
          makers.insert(replica)
        default: break
        }
      }
      return false
    }
  }

  private static let scenarios = FuzzTarget.scenarioLaws.map { law in
    SeedGoal(
      "law-\(name(ofLaw: law))",
      "Two replicas edit what the law \(law) speaks of."
    ) { input in
      var replicas: Set<Int> = []
      for case .edit(let replica, _) in input.history?.history.steps ?? [] {
        replicas.insert(replica)
      }
      return input.group.laws.map(\.name) == [law] && replicas.count > 1
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
