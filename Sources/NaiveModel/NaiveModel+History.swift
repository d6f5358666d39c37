package import DocumentModel

// Source: Specification/Semantics.md, "Transactions and commits", "History and clocks", "Fork,
// merge, duplicates".
extension NaiveModel: Replica {
  /// Makes one change of the open transaction; without operations there is none to make.
  package mutating func commit() {
    if open.isEmpty { return }
    let own = history.filter { $0.id.actor == actor }
    let change = NaiveChange(
      id: NaiveChange.ID(actor: actor, seq: own.count + 1),
      dependencies: R.dependencies(heads: headIDs, previous: own.last?.id),
      ops: open
    )
    open = []
    record(change)
  }

  private mutating func commit(before call: CommittingCall) {
    if R.commits(before: call) { commit() }
  }

  /// Counts a change as applied, its operations being entered.
  private mutating func record(_ change: NaiveChange) {
    history.append(change)
    headIDs = R.heads(headIDs, after: change)
  }

  /// The changes that no other change depends on.
  package mutating func heads() -> ObservedHeads {
    commit(before: .heads)
    return observed(headIDs)
  }

  /// A copy of everything, waiting changes included, to be written by `actor`.
  package mutating func fork(actor: ActorID) -> Self {
    commit(before: .fork)
    var copy = self
    copy.actor = actor
    return copy
  }

  /// Takes in the other's changes that are missing here; its waiting changes are not among them.
  ///
  /// - Throws: ``NaiveRefusal``; the document is then as it was, but for its closed transaction.
  @specialized(where R == AutomergeRules)
  package mutating func merge(_ other: inout Self) throws(NaiveRefusal) {
    commit(before: .merge)
    other.commit(before: .merge)
    try take(R.merged(other.history, of: other.actor, heads: other.headIDs))
  }

  /// The changes that are neither `heads` nor their ancestors, in the order they were applied;
  /// heads not known here are ignored.
  package mutating func changes(since heads: [String]) -> [NaiveChange] {
    commit(before: .changes)
    let known = ancestry(of: heads.compactMap(NaiveChange.ID.init)).map(\.id)
    return history.filter { !known.contains($0.id) }
  }

  /// The same, by generation and actor.
  package mutating func parts(since heads: [String]) -> [NaiveChange] {
    let changes = changes(since: heads)
    return changes.count < 2 ? changes : byGeneration(history).filter(changes.contains)
  }

  /// Peels off what depends on nothing that is left, until nothing is left.
  private func byGeneration(_ changes: [NaiveChange]) -> [NaiveChange] {
    var (ordered, left) = ([NaiveChange](), changes)
    while !left.isEmpty {
      let pending = left.map(\.id)
      let next = left.filter { $0.dependencies.allSatisfy { !pending.contains($0) } }
      ordered += next.sorted { $0.id < $1.id }
      let taken = next.map(\.id)
      left.removeAll { taken.contains($0.id) }
    }
    return ordered
  }

  /// Takes in changes in any order.
  ///
  /// - Throws: ``NaiveRefusal``; the document is then as it was, but for its closed transaction.
  package mutating func apply(_ changes: [NaiveChange]) throws(NaiveRefusal) {
    commit(before: .apply)
    try take(changes)
  }

  /// Applies what is ready, until nothing more is; the rest waits.
  ///
  /// All or nothing: a refused change keeps the others away, too.
  @specialized(where R == AutomergeRules)
  private mutating func take(_ changes: [NaiveChange]) throws(NaiveRefusal) {
    var result = self
    for change in changes {
      if result.knows({ R.isDuplicate(change, of: $0) }) { continue }
      // Of two different changes with one id, the second is refused (section 13).
      if result.knows({ $0.id == change.id }) { throw .duplicateSequence(change.id) }
      result.waiting.append(change)
    }
    while let index = result.waiting.firstIndex(where: { result.isReady($0) }) {
      let change = result.waiting.remove(at: index)
      // A change that skips one of its author's is an error (section 18).
      let expected = result.history.count { $0.id.actor == change.id.actor } + 1
      guard change.id.seq == expected else { throw .sequenceGap(change.id, expected: expected) }
      for op in change.ops { result.enter(op) }
      result.record(change)
    }
    result.waiting = R.stillWaiting(result.waiting)
    self = result
  }

  /// Whether such a change is here, applied or waiting.
  private func knows(_ isSuch: (NaiveChange) -> Bool) -> Bool {
    history.contains(where: isSuch) || waiting.contains(where: isSuch)
  }

  private func isReady(_ change: NaiveChange) -> Bool {
    R.isReady(change) { id in history.contains { $0.id == id } }
  }
}

// Saving keeps the changes only; loading applies them to an empty document.
extension NaiveModel {
  package mutating func save() -> NaiveSaved {
    commit(before: .save)
    return NaiveSaved(
      changes: R.saved(history).map { stored($0) },
      waiting: R.savedWaiting(waiting).map { stored($0) }
    )
  }

  /// The document in `saved`, written on by `actor`.
  ///
  /// - Throws: ``NaiveRefusal`` when the changes contradict each other.
  package static func load(
    _ saved: NaiveSaved,
    actor: ActorID
  ) throws(NaiveRefusal) -> Self {
    var model = Self(actor: actor)
    try model.take((saved.changes + saved.waiting).map { Self.restored($0) })
    return model
  }

  /// Nil: nobody else reads this form.
  package static func bytes(of saved: NaiveSaved) -> [UInt8]? { nil }

  private func stored(_ change: NaiveChange) -> NaiveChange {
    var stored = change
    stored.ops = change.ops.compactMap { op in
      guard R.isSaved(op, losesConflict: { losesConflict(op) }) else { return nil }
      return Self.mapping(op, R.stored)
    }
    return stored
  }

  private static func restored(_ change: NaiveChange) -> NaiveChange {
    var restored = change
    restored.ops = change.ops.map { mapping($0, R.restored) }
    return restored
  }

  private static func mapping(_ op: NaiveOp, _ transform: (Scalar) -> Scalar) -> NaiveOp {
    guard case .set(let value) = op.action else { return op }
    var mapped = op
    mapped.action = .set(transform(value))
    return mapped
  }

  /// Whether the operation is visible behind a winner.
  private func losesConflict(_ op: NaiveOp) -> Bool {
    values(of: op.register, in: op.object).dropLast().contains { $0.id == op.id }
  }
}
