import DocumentModel
import NaiveModel

private enum TransactionNotSaved: Rules {
  static func commits(before call: CommittingCall) -> Bool { call != .save }
}

private enum LastChangeNotSaved: Rules {
  static func saved(_ history: [NaiveChange]) -> [NaiveChange] { history.dropLast() }
}

/// An app that was ended between two messages then never asks for them again.
private enum WaitingNotSaved: Rules {
  static func savedWaiting(_ waiting: [NaiveChange]) -> [NaiveChange] { [] }
}

private enum LosersNotSaved: Rules {
  static func isSaved(_ op: NaiveOp, losesConflict: () -> Bool) -> Bool { !losesConflict() }
}

/// Deletions have no row of their own in a document; they are only successors of what they delete.
private enum DeletesNotSaved: Rules {
  static func isSaved(_ op: NaiveOp, losesConflict: () -> Bool) -> Bool { op.action != .delete }
}

private enum SecondsSaved: Rules {
  static func stored(_ value: Scalar) -> Scalar {
    guard case .timestamp(let milliseconds) = value else { return value }
    return .timestamp(milliseconds / 1000 * 1000)
  }
}

private enum BytesEmptied: Rules {
  static func stored(_ value: Scalar) -> Scalar {
    if case .bytes = value { .bytes([]) } else { value }
  }
}

private enum BooleansInverted: Rules {
  static func restored(_ value: Scalar) -> Scalar {
    if case .boolean(let value) = value { .boolean(!value) } else { value }
  }
}

private enum CountersReset: Rules {
  static func restored(_ value: Scalar) -> Scalar {
    if case .counter = value { .counter(0) } else { value }
  }
}

/// Type codes 3 and 4 differ, the bytes of small numbers do not.
private enum UnsignedSavedAsSigned: Rules {
  static func stored(_ value: Scalar) -> Scalar {
    guard case .uint(let value) = value else { return value }
    return .int(Int64(bitPattern: value))
  }
}

private enum IncrementHasOwnChanges: Rules {
  static func incremented(_ new: [NaiveChange], by actor: ActorID) -> [NaiveChange] {
    new.filter { $0.id.actor == actor }
  }
}

private enum ForkAtFirstHead: Rules {
  static func headsToForkAt(_ heads: [NaiveChange.ID]) -> [NaiveChange.ID] {
    Array(heads.prefix(1))
  }
}

/// A file is all that is left after a restart.
///
/// These mutants show the right state as long as the document stays in memory, which is why many
/// laws load what they have saved. Real ones come from a kind of value or change that the writer of
/// the format forgot.
let savingMutants = [
  NaiveMutant(
    "increment-has-own-changes",
    IncrementHasOwnChanges.self,
    "Saving what is new leaves out the changes of other writers."
  ),
  NaiveMutant(
    "fork-at-first-head",
    ForkAtFirstHead.self,
    "A fork at several heads has the changes of the first alone."
  ),
  NaiveMutant(
    "save-drops-open-transaction",
    TransactionNotSaved.self,
    "What was edited since the last commit is not saved."
  ),
  NaiveMutant(
    "save-drops-last-change",
    LastChangeNotSaved.self,
    "The last change applied is not saved."
  ),
  NaiveMutant(
    "save-drops-waiting-changes",
    WaitingNotSaved.self,
    "Changes that wait for their dependencies are not saved."
  ),
  NaiveMutant(
    "save-drops-conflict-losers",
    LosersNotSaved.self,
    "Of values in conflict only the winner is saved."
  ),
  NaiveMutant(
    "save-drops-deletes",
    DeletesNotSaved.self,
    "Deletes are not saved: after loading, everything deleted is back."
  ),
  NaiveMutant(
    "save-truncates-timestamps",
    SecondsSaved.self,
    "Timestamps are saved in whole seconds."
  ),
  NaiveMutant(
    "save-empties-bytes",
    BytesEmptied.self,
    "Bytes are saved without their contents."
  ),
  NaiveMutant(
    "load-inverts-booleans",
    BooleansInverted.self,
    "Booleans are loaded inverted."
  ),
  NaiveMutant(
    "load-resets-counters",
    CountersReset.self,
    "Counters are loaded with a start of 0."
  ),
  NaiveMutant(
    "save-forgets-signedness",
    UnsignedSavedAsSigned.self,
    "Unsigned integers are saved as signed ones."
  ),
]
