import DocumentModel
import NaiveModel

private enum LastIncrementWins: Rules {
  static func counterValue(
    start: Int64,
    increments: [(id: OpID, amount: Int64)],
    reader: ActorID
  ) -> Int64 {
    let last = increments.max { AutomergeRules.precedes($0.id, $1.id) }
    return start &+ (last?.amount ?? 0)
  }
}

private enum EqualIncrementsOnce: Rules {
  static func counterValue(
    start: Int64,
    increments: [(id: OpID, amount: Int64)],
    reader: ActorID
  ) -> Int64 {
    let amounts = Set(increments.map(\.amount))
    return amounts.reduce(start) { $0 &+ $1 }
  }
}

private enum OwnIncrementsOnly: Rules {
  static func counterValue(
    start: Int64,
    increments: [(id: OpID, amount: Int64)],
    reader: ActorID
  ) -> Int64 {
    increments.filter { $0.id.actor == reader }.reduce(start) { $0 &+ $1.amount }
  }
}

private enum IncrementOfWinner: Rules {
  static func predecessorsOfIncrement(visible: [NaiveValue]) -> [OpID] {
    visible.suffix(1).map(\.id)
  }
}

private enum IncrementOfCounters: Rules {
  static func predecessorsOfIncrement(visible: [NaiveValue]) -> [OpID] {
    visible.filter(\.isCounter).map(\.id)
  }
}

private enum IncrementRenews: Rules {
  static func rank(of value: NaiveValue) -> OpID {
    value.increments.max { AutomergeRules.precedes($0, $1) } ?? value.id
  }
}

private enum IncrementRevives: Rules {
  static func isVisible(
    _ action: NaiveOp.Action,
    successors: [NaiveOp.Action],
    atHeads: Bool
  ) -> Bool {
    guard case .set(.counter) = action else {
      return AutomergeRules.isVisible(action, successors: successors, atHeads: atHeads)
    }
    let isIncremented = successors.contains { if case .increment = $0 { true } else { false } }
    return successors.isEmpty || isIncremented
  }
}

let counterMutants = [
  NaiveMutant(
    "counter-as-register",
    LastIncrementWins.self,
    "Of all increments only the last counts."
  ),
  NaiveMutant(
    "counter-equal-increments-once",
    EqualIncrementsOnce.self,
    "Increments by the same amount count once."
  ),
  NaiveMutant(
    "counter-own-increments-only",
    OwnIncrementsOnly.self,
    "A replica counts its own increments and loses those it merges."
  ),
  NaiveMutant(
    "increment-of-winner-only",
    IncrementOfWinner.self,
    "An increment names only the winner: a counter that loses the conflict does not grow."
  ),
  NaiveMutant(
    "increment-keeps-other-values",
    IncrementOfCounters.self,
    "An increment leaves a conflicting value visible that is not a counter."
  ),
  NaiveMutant(
    "increment-renews-counter",
    IncrementRenews.self,
    "An increment makes its counter newer, so that it wins a conflict that it had lost."
  ),
  NaiveMutant(
    "increment-revives-counter",
    IncrementRevives.self,
    "A counter that was overwritten or deleted stays visible once it has been incremented."
  ),
]
