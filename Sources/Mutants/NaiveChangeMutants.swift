import DocumentModel
import NaiveModel

// MARK: - The past

private enum CounterHiddenAtHeads: Rules {
  static func isVisible(
    _ action: NaiveOp.Action,
    successors: [NaiveOp.Action],
    atHeads: Bool
  ) -> Bool {
    atHeads && !successors.isEmpty
      ? false : AutomergeRules.isVisible(action, successors: successors, atHeads: atHeads)
  }
}

private enum DeletesIgnoredAtHeads: Rules {
  static func counts(successor: NaiveOp.Action, isCovered: Bool, atHeads: Bool) -> Bool {
    isCovered && !(atHeads && successor == .delete)
  }
}

/// A cached sum, shown for the past as well.
private enum LaterIncrementsAtHeads: Rules {
  static func counts(successor: NaiveOp.Action, isCovered: Bool, atHeads: Bool) -> Bool {
    if case .increment = successor { true } else { isCovered }
  }
}

private enum LaterWritesAtHeads: Rules {
  static func counts(successor: NaiveOp.Action, isCovered: Bool, atHeads: Bool) -> Bool { true }
}

private enum ClockOffByOne: Rules {
  static func covers(_ entry: UInt32, _ counter: UInt32) -> Bool { counter < entry }
}

private enum ClockOfFirstOps: Rules {
  static func clockEntry(of change: NaiveChange) -> UInt32 { change.startOp }
}

/// A clock must also cover actors whose last change is not among the heads, since another one
/// followed it.
private enum ClockOfHeadsOnly: Rules {
  static func ancestors(toFollowFrom change: NaiveChange) -> [NaiveChange.ID] { [] }
}

/// Right for all heads that are known here.
private enum UnknownHeadsShowNow: Rules {
  static func readsPresent(atUnknownHeads isUnknown: Bool) -> Bool { isUnknown }
}

/// A state at heads is made of the same operations, less those that came later.
///
/// Each mutant leaves out too many or too few: of operations, of their successors, of increments.
/// Engines have these bugs where the past is read with code, or a cache, that was made for the
/// present.
let pastMutants = [
  NaiveMutant(
    "unknown-heads-show-now",
    UnknownHeadsShowNow.self,
    "At heads that are all unknown the present is shown."
  ),
  NaiveMutant(
    "counter-hidden-at-heads",
    CounterHiddenAtHeads.self,
    "A counter that has been incremented by then is missing at heads."
  ),
  NaiveMutant(
    "past-ignores-deletes",
    DeletesIgnoredAtHeads.self,
    "What was deleted by then is still there at heads."
  ),
  NaiveMutant(
    "past-shows-later-increments",
    LaterIncrementsAtHeads.self,
    "A counter shows at heads what was added to it later."
  ),
  NaiveMutant(
    "past-hides-what-was-replaced-later",
    LaterWritesAtHeads.self,
    "A value that was overwritten or deleted later is missing at heads."
  ),
  NaiveMutant(
    "clock-off-by-one",
    ClockOffByOne.self,
    "The last operation of each author is missing at heads."
  ),
  NaiveMutant(
    "clock-of-first-operations",
    ClockOfFirstOps.self,
    "Of each author's latest change, only the first operation is there at heads."
  ),
  NaiveMutant(
    "clock-without-ancestors",
    ClockOfHeadsOnly.self,
    "Only the authors of the heads themselves are there at heads."
  ),
]

// MARK: - Changes

private enum ForkSharesTransaction: Rules {
  static func commits(before call: CommittingCall) -> Bool { call != .fork }
}

private enum OwnDependenciesOnly: Rules {
  static func dependencies(
    heads: [NaiveChange.ID],
    previous: NaiveChange.ID?
  ) -> [NaiveChange.ID] {
    previous.map { [$0] } ?? []
  }
}

private enum HeadsStay: Rules {
  static func heads(
    _ heads: [NaiveChange.ID],
    after change: NaiveChange
  ) -> [NaiveChange.ID] {
    let replaced = change.dependencies.filter { $0.actor == change.id.actor }
    return (heads.filter { !replaced.contains($0) } + [change.id]).sorted()
  }
}

private enum ReadyByAuthor: Rules {
  static func isReady(_ change: NaiveChange, isKnown: (NaiveChange.ID) -> Bool) -> Bool {
    change.dependencies.filter { $0.actor == change.id.actor }.allSatisfy(isKnown)
  }
}

private enum WaitingForgotten: Rules {
  static func stillWaiting(_ waiting: [NaiveChange]) -> [NaiveChange] { [] }
}

/// Two actors both have a change 1: a table with the wrong key.
private enum DuplicateBySequence: Rules {
  static func isDuplicate(_ change: NaiveChange, of known: NaiveChange) -> Bool {
    change.id.seq == known.id.seq
  }
}

private enum DuplicateByActor: Rules {
  static func isDuplicate(_ change: NaiveChange, of known: NaiveChange) -> Bool {
    change.id.actor == known.id.actor
  }
}

/// With two replicas all changes are the other's own; the third shows it.
private enum MergeOfOwnOnly: Rules {
  static func merged(
    _ history: [NaiveChange],
    of other: ActorID,
    heads: [NaiveChange.ID]
  ) -> [NaiveChange] {
    history.filter { $0.id.actor == other }
  }
}

private enum MergeOfOthersOnly: Rules {
  static func merged(
    _ history: [NaiveChange],
    of other: ActorID,
    heads: [NaiveChange.ID]
  ) -> [NaiveChange] {
    history.filter { $0.id.actor != other }
  }
}

private enum MergeOfHeadsOnly: Rules {
  static func merged(
    _ history: [NaiveChange],
    of other: ActorID,
    heads: [NaiveChange.ID]
  ) -> [NaiveChange] {
    history.filter { heads.contains($0.id) }
  }
}

/// The graph of changes: what a change depends on, when it may be applied, which is known already,
/// and what a merge takes.
///
/// Most wrong ones pass as long as two replicas exchange everything in order; a third replica, or
/// changes out of order, shows them.
let changeMutants = [
  NaiveMutant(
    "fork-shares-open-transaction",
    ForkSharesTransaction.self,
    "A fork takes the open transaction along, and both commit it."
  ),
  NaiveMutant(
    "dependency-dropped",
    OwnDependenciesOnly.self,
    "A change depends on its author's previous change only."
  ),
  NaiveMutant(
    "heads-of-others-stay",
    HeadsStay.self,
    "A change replaces only its own author's head."
  ),
  NaiveMutant(
    "applied-before-dependencies",
    ReadyByAuthor.self,
    "A change is applied as soon as its author's previous one is there."
  ),
  NaiveMutant(
    "waiting-forgotten",
    WaitingForgotten.self,
    "A change that comes before its dependencies is dropped."
  ),
  NaiveMutant(
    "duplicate-by-sequence",
    DuplicateBySequence.self,
    "A change is taken for a duplicate if any author's change has its number."
  ),
  NaiveMutant(
    "duplicate-by-actor",
    DuplicateByActor.self,
    "A change is taken for a duplicate if any change of its author is there."
  ),
  NaiveMutant(
    "merge-skips-relayed-changes",
    MergeOfOwnOnly.self,
    "A merge takes only what the other replica wrote itself."
  ),
  NaiveMutant(
    "merge-skips-own-changes",
    MergeOfOthersOnly.self,
    "A merge takes all but what the other replica wrote itself."
  ),
  NaiveMutant(
    "merge-takes-heads-only",
    MergeOfHeadsOnly.self,
    "A merge takes the other's heads without what they depend on."
  ),
]
