// Rules of changes on their way and in storage: dependencies, heads, clocks, waiting, refusing,
// saving. The model asks them in `NaiveModel+History.swift`.

package import DocumentModel

extension Rules {
  /// Every call that looks at changes closes the open transaction first.
  ///
  /// Source: Specification/Semantics.md, "Transactions and commits".
  package static func commits(before call: CommittingCall) -> Bool {
    true
  }

  /// A change depends on the current heads, and on its author's previous change even where a
  /// head includes that already.
  ///
  /// Source: Specification/Semantics.md, "Transactions and commits".
  package static func dependencies(
    heads: [NaiveChange.ID],
    previous: NaiveChange.ID?
  ) -> [NaiveChange.ID] {
    guard let previous, !heads.contains(previous) else { return heads.sorted() }
    return (heads + [previous]).sorted()
  }

  /// A change takes the place of those it depends on.
  ///
  /// Source: Specification/Semantics.md, "History and clocks".
  package static func heads(
    _ heads: [NaiveChange.ID],
    after change: NaiveChange
  ) -> [NaiveChange.ID] {
    (heads.filter { !change.dependencies.contains($0) } + [change.id]).sorted()
  }

  /// The ancestors of a change are its dependencies and theirs.
  ///
  /// Source: Specification/Semantics.md, "History and clocks".
  package static func ancestors(toFollowFrom change: NaiveChange) -> [NaiveChange.ID] {
    change.dependencies
  }

  /// A clock reaches to the last operation of an author's latest change.
  ///
  /// Source: Specification/Semantics.md, "History and clocks".
  package static func clockEntry(of change: NaiveChange) -> UInt32 {
    change.maxOp
  }

  /// An operation is covered if its counter is not above the clock's for its author.
  ///
  /// Source: Specification/Semantics.md, "History and clocks".
  package static func covers(_ entry: UInt32, _ counter: UInt32) -> Bool {
    counter <= entry
  }

  /// A change that is here already is ignored.
  ///
  /// Source: Specification/Semantics.md, "Fork, merge, duplicates".
  package static func isDuplicate(_ change: NaiveChange, of known: NaiveChange) -> Bool {
    change == known
  }

  /// A change is applied once all its dependencies are; until then it waits.
  ///
  /// Source: Specification/Semantics.md, "History and clocks", "Fork, merge, duplicates".
  package static func isReady(
    _ change: NaiveChange,
    isKnown: (NaiveChange.ID) -> Bool
  ) -> Bool {
    change.dependencies.allSatisfy(isKnown)
  }

  /// What is not ready stays until it is.
  ///
  /// Source: Specification/Semantics.md, "Fork, merge, duplicates".
  package static func stillWaiting(_ waiting: [NaiveChange]) -> [NaiveChange] {
    waiting
  }

  /// A change that waits does not take its author's number: who wrote it is not known before it is
  /// applied.
  ///
  /// Source: Decisions/0047-a-hostile-peer-is-a-step.md.
  package static func isTaken(_ id: NaiveChange.ID, byWaiting waiting: [NaiveChange]) -> Bool {
    false
  }

  /// A change waits in vain once another change of its author has its number: it can never be applied.
  ///
  /// It is dropped, as a load would refuse it, and the document with it.
  ///
  /// Source: Decisions/0047-a-hostile-peer-is-a-step.md.
  package static func isInVain(_ change: NaiveChange, isTaken: Bool) -> Bool {
    isTaken
  }

  /// A change is its author's next, or bad.
  ///
  /// Source: Specification/Semantics.md, "Fork, merge, duplicates".
  package static func isNext(_ seq: Int, expected: Int) -> Bool {
    seq == expected
  }

  /// A bad change refuses the call that brought it.
  ///
  /// One that had waited is dropped: the call that brings its dependencies is another's.
  ///
  /// Source: Decisions/0047-a-hostile-peer-is-a-step.md.
  package static func dropsBad(isOwn: Bool) -> Bool {
    !isOwn
  }

  /// Every change that was dropped is told.
  ///
  /// Source: Decisions/0047-a-hostile-peer-is-a-step.md.
  package static func told(dropped count: Int) -> Int {
    count
  }

  /// A merge takes the other's whole history, and ignores what is known here; the
  /// other's waiting changes are not merged.
  ///
  /// Source: Specification/Semantics.md, "Fork, merge, duplicates".
  package static func merged(
    _ history: [NaiveChange],
    of other: ActorID,
    heads: [NaiveChange.ID]
  ) -> [NaiveChange] {
    history
  }
}

// A document reads after loading as it did before saving. Source: Specification/Semantics.md,
// "History and clocks".
extension Rules {
  /// All changes are saved, in the order they were applied.
  package static func saved(_ history: [NaiveChange]) -> [NaiveChange] {
    history
  }

  /// Waiting changes are saved, too.
  package static func savedWaiting(_ waiting: [NaiveChange]) -> [NaiveChange] {
    waiting
  }

  /// Every operation is saved, whether it can be seen or not.
  package static func isSaved(_ op: NaiveOp, losesConflict: () -> Bool) -> Bool {
    true
  }

  /// A scalar is stored as it is.
  package static func stored(_ value: Scalar) -> Scalar {
    value
  }

  /// A scalar is loaded as it was stored.
  package static func restored(_ value: Scalar) -> Scalar {
    value
  }

  /// A save of what is new holds every change applied since the last one, of every writer.
  package static func incremented(_ new: [NaiveChange], by actor: ActorID) -> [NaiveChange] {
    new
  }

  /// A fork at heads has the changes named, all of them, and their ancestors.
  package static func headsToForkAt(_ heads: [NaiveChange.ID]) -> [NaiveChange.ID] {
    heads
  }
}
