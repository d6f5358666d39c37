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

/// A set in which increments are told apart by their amounts: +1 on two devices is +1.
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

/// A sum that is kept as a number and not brought up to date by a merge.
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

/// An increment taken for a write: it has an id that is greater, and must not give that to its
/// counter.
private enum IncrementRenews: Rules {
  static func rank(of value: NaiveValue) -> OpID {
    value.increments.max { AutomergeRules.precedes($0, $1) } ?? value.id
  }
}

/// Visible is a counter whose successors are increments alone; here one increment is enough.
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

/// A counter is its start and all increments that name it, each counted once, no matter who made it.
///
/// Implementations err by keeping the sum as a value (a register), by telling increments apart by
/// what they add, or by letting an increment count as a write.
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
