import DocumentModel
import NaiveModel

// MARK: - Identity

private enum ReversedTieBreak: Rules {
  static func precedes(_ left: OpID, _ right: OpID) -> Bool {
    left.counter != right.counter ? left.counter < right.counter : right.actor < left.actor
  }
}

private enum ActorBeforeCounter: Rules {
  static func precedes(_ left: OpID, _ right: OpID) -> Bool {
    left.actor != right.actor ? left.actor < right.actor : left.counter < right.counter
  }
}

/// Equal counters keep the order of arrival, which differs from replica to replica.
private enum NoTieBreak: Rules {
  static func precedes(_ left: OpID, _ right: OpID) -> Bool { left.counter < right.counter }
}

/// A device whose document has grown by merges then writes ids below those that it has seen, so
/// that its newer edit loses to an older one.
private enum StuckLamportClock: Rules {
  static func firstCounter(highest: UInt32, ownHighest: UInt32) -> UInt64 {
    UInt64(ownHighest) + 1
  }
}

/// What all replicas must agree on without talking: which of two operations is the later one.
///
/// Ids are pairs of counter and actor; an order by arrival gives each replica its own winners, and
/// another fixed order converges, but reads the same file differently from other engines.
let identityMutants = [
  NaiveMutant(
    "tie-break-reversed",
    ReversedTieBreak.self,
    "Of two operations with one counter, the smaller actor's is the greater."
  ),
  NaiveMutant(
    "actor-before-counter",
    ActorBeforeCounter.self,
    "Operations are ordered by actor first, then by counter."
  ),
  NaiveMutant(
    "tie-break-missing",
    NoTieBreak.self,
    "Operations with one counter are ordered as they happened to arrive."
  ),
  NaiveMutant(
    "lamport-clock-stuck",
    StuckLamportClock.self,
    "Counters go on from the actor's own last operation, not from the document's."
  ),
]

// MARK: - Registers

private enum OnlyWinnerReplaced: Rules {
  static func predecessors(visible: [OpID], author: ActorID) -> [OpID] { visible.suffix(1) }
}

private enum OnlyOwnReplaced: Rules {
  static func predecessors(visible: [OpID], author: ActorID) -> [OpID] {
    visible.filter { $0.actor == author }
  }
}

private enum NothingReplaced: Rules {
  static func predecessors(visible: [OpID], author: ActorID) -> [OpID] { [] }
}

private enum LosersDropped: Rules {
  static func conflictSet(_ ascending: [NaiveValue]) -> [NaiveValue] { ascending.suffix(1) }
}

private enum LosersEmptied: Rules {
  static func showsContents(ofWinner isWinner: Bool) -> Bool { isWinner }
}

private enum LastArrivalWins: Rules {
  static func overwritten(by op: NaiveOp, present: () -> [OpID]) -> [OpID] {
    switch op.action {
    case .set, .make: present()
    case .delete, .increment, .beginMark, .endMark: op.predecessors
    }
  }
}

private enum DeleteTakesAll: Rules {
  static func overwritten(by op: NaiveOp, present: () -> [OpID]) -> [OpID] {
    op.action == .delete ? present() : op.predecessors
  }
}

/// What Swift's `==` of strings does: an engine in Swift that uses a dictionary of `String` has it.
private enum EquivalentKeys: Rules {
  static func isSameKey(_ left: ExactString, _ right: ExactString) -> Bool {
    left.string == right.string
  }
}

/// Which values an operation replaces.
///
/// Its author lists those that it has seen (predecessors); values that it has not seen stay, and
/// make a conflict. Most wrong registers either replace more than was seen, which loses a
/// concurrent edit, or less, which brings back what was replaced.
///
///      A: put 1 ---- put 2 (replaces 1) ------ merge: 2 and 3 in conflict
///         \                                   /
///          B: put 3 (replaces 1) ------------
let registerMutants = [
  NaiveMutant(
    "predecessors-winner-only",
    OnlyWinnerReplaced.self,
    "A put or delete replaces only the winner; the losers of the conflict stay."
  ),
  NaiveMutant(
    "predecessors-own-only",
    OnlyOwnReplaced.self,
    "A put or delete replaces only values of its own author."
  ),
  NaiveMutant(
    "predecessors-none",
    NothingReplaced.self,
    "A put or delete replaces nothing."
  ),
  NaiveMutant(
    "conflict-losers-dropped",
    LosersDropped.self,
    "A register holds only its winner."
  ),
  NaiveMutant(
    "conflict-losers-emptied",
    LosersEmptied.self,
    "An object that loses a conflict loses its contents."
  ),
  NaiveMutant(
    "last-arrival-wins",
    LastArrivalWins.self,
    "A put that arrives replaces whatever it meets, seen by its author or not."
  ),
  NaiveMutant(
    "delete-hides-concurrent-put",
    DeleteTakesAll.self,
    "A delete that arrives removes concurrent values as well."
  ),
  NaiveMutant(
    "keys-canonically-equal",
    EquivalentKeys.self,
    "Keys that Unicode calls canonically equivalent are one key."
  ),
]
