// Changes: made by a commit, taken in by a merge or an application, saved and loaded. `take` is the
// heart: it decides what is applied, what waits and what is refused.

package import DocumentModel

// Source: Specification/Semantics.md, "Transactions and commits", "History and clocks", "Fork,
// merge, duplicates".
//
// The attribute `@specialized`, on each call of a replica, changes no rule: it spares the specification
// itself the cost of being generic over its rules.
extension NaiveModel: Replica {
  /// Makes one change of the open transaction; without operations there is no change to make.
  ///
  /// Waiting changes that claim the number which this one takes can never be applied, and are
  /// dropped.
  @specialized(where R == AutomergeRules)
  package mutating func commit() {
    if open.isEmpty { return }
    let own = history.count { $0.id.actor == actor }
    let previous = history.last { $0.id.actor == actor }
    let change = NaiveChange(
      id: NaiveChange.ID(actor: actor, seq: own + 1),
      dependencies: R.dependencies(heads: headIDs, previous: previous?.id),
      ops: open
    )
    open = []
    record(change)
    let count = waiting.count
    waiting.removeAll { R.isInVain($0, isTaken: $0.id == change.id) }
    droppedCount += count - waiting.count
  }

  /// Messages and times are kept by changes and show nowhere: they are none of the model's.
  package mutating func commit(message: ExactString?, time: Int64) { commit() }

  /// A document of the changes at some heads and their ancestors, to be written by `actor`.
  ///
  /// - Throws: ``NaiveRefusal`` of kind `unknownHeads` for a head that is not here.
  package mutating func fork(at heads: ObservedHeads, actor: ActorID) throws(NaiveRefusal) -> Self {
    commit(before: .fork)
    let ids = heads.ids.compactMap(NaiveChange.ID.init)
    guard ids.count == heads.ids.count, ids.allSatisfy({ positions[$0] != nil }) else {
      throw .unknownHeads
    }
    var copy = Self(actor: actor)
    try copy.take(ancestry(of: R.headsToForkAt(ids)))
    return copy
  }

  mutating func commit(before call: CommittingCall) {
    if R.commits(before: call) { commit() }
  }

  /// Counts a change as applied, its operations being entered.
  private mutating func record(_ change: NaiveChange) {
    positions[change.id] = history.count
    history.append(change)
    headIDs = R.heads(headIDs, after: change)
  }

  /// The changes that no other change depends on.
  @specialized(where R == AutomergeRules)
  package mutating func heads() -> ObservedHeads {
    commit(before: .heads)
    return observed(headIDs)
  }

  /// A copy of everything, waiting changes included, to be written by `actor`.
  @specialized(where R == AutomergeRules)
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
  @specialized(where R == AutomergeRules)
  package mutating func changes(since heads: [String]) -> [NaiveChange] {
    commit(before: .changes)
    let known = Set(ancestry(of: heads.compactMap(NaiveChange.ID.init)).map { $0.id })
    return history.filter { !known.contains($0.id) }
  }

  /// The same, by generation and actor.
  @specialized(where R == AutomergeRules)
  package mutating func parts(since heads: [String]) -> [NaiveChange] {
    let changes = changes(since: heads)
    guard changes.count > 1 else { return changes }
    let generations = generations
    return changes.sorted { left, right in
      let (first, second) = (generations[left.id, default: 0], generations[right.id, default: 0])
      return first != second ? first < second : left.id < right.id
    }
  }

  /// How many changes lie, one behind the other, before each: 0 for those that depend on none here.
  ///
  /// The specification needs one pass, since a change stands behind those that it depends on; wrong
  /// rules may need more, and let changes stand behind one another in a circle, which never settles.
  private var generations: [NaiveChange.ID: Int] {
    var generations: [NaiveChange.ID: Int] = [:]
    for _ in 0...history.count {
      var isSettled = true
      for change in history {
        let generation = change.dependencies.reduce(0) { highest, id in
          positions[id] == nil ? highest : max(highest, generations[id, default: 0] + 1)
        }
        guard generations[change.id, default: 0] != generation else { continue }
        generations[change.id] = generation
        // A change stands behind those that it depends on, unless wrong rules let it in before.
        isSettled = false
      }
      if isSettled { break }
    }
    return generations
  }

  /// Takes in changes in any order.
  ///
  /// - Throws: ``NaiveRefusal``; the document is then as it was, but for its closed transaction.
  @specialized(where R == AutomergeRules)
  package mutating func apply(_ changes: [NaiveChange]) throws(NaiveRefusal) {
    commit(before: .apply)
    try take(changes)
  }

  /// Applies what is ready, until nothing more is; the rest waits.
  ///
  /// All or nothing: a refused change keeps the others away, too.
  ///
  /// A change that waited before and turns out bad is dropped: it refuses no other change. `waited`
  /// are the changes that a file holds as waiting; they are treated in the same way.
  ///
  /// Worked example, in an empty document: c2 follows c1, and c1 follows nothing.
  ///
  ///     take [c2]         c2 waits
  ///     take [c1]         c1 is ready, then c2: both are applied, c1 first
  ///     take [c1]         ignored, as it is here
  ///     take [another c1] refused: two changes under one id
  ///
  /// Nothing of the document is touched before all is decided, so that a refusal leaves no trace.
  mutating func take(
    _ changes: [NaiveChange],
    waited: [NaiveChange] = []
  ) throws(NaiveRefusal) {
    var waiting = waiting
    var own: [NaiveChange] = []
    for (index, change) in (changes + waited).enumerated() {
      if knows(change, waiting) { continue }
      // Of two different changes with one id, the second is refused. One that waits may be
      // no change of its author's.
      guard positions[change.id] == nil, !R.isTaken(change.id, byWaiting: waiting) else {
        throw .duplicateSequence(change.id)
      }
      waiting.append(change)
      if index < changes.count { own.append(change) }
    }
    let count = waiting.count
    let ready = try takeReady(from: &waiting, own)
    for change in waiting
    where R.isInVain(change, isTaken: ready.contains { $0.id == change.id }) {
      guard R.dropsBad(isOwn: own.contains(change)) else { throw .duplicateSequence(change.id) }
      waiting.removeAll { $0 == change }
    }
    droppedCount += count - waiting.count - ready.count
    if rows.isEmpty { reserve(for: ready) }
    for change in ready {
      for op in change.ops { enter(op) }
      record(change)
    }
    self.waiting = R.stillWaiting(waiting)
  }

  /// Makes room for the operations of changes in a new document.
  private mutating func reserve(for changes: [NaiveChange]) {
    let count = changes.reduce(0) { $0 + $1.ops.count }
    rows.reserveCapacity(count)
    rowIndex.reserveCapacity(count)
    history.reserveCapacity(changes.count)
    positions.reserveCapacity(changes.count)
  }

  /// Takes the changes that can be applied out of `waiting`, in the order in which they can, and drops
  /// those that never can be.
  private func takeReady(
    from waiting: inout [NaiveChange],
    _ ownOfCall: [NaiveChange]
  ) throws(NaiveRefusal) -> [NaiveChange] {
    var ready: [NaiveChange] = []
    var ids: Set<NaiveChange.ID> = []
    while let index = waiting.firstIndex(where: { change in
      R.isReady(change) { positions[$0] != nil || ids.contains($0) }
    }) {
      let change = waiting.remove(at: index)
      // A change that skips one of its author's is an error.
      let own = history.count { $0.id.actor == change.id.actor }
      let expected = own + ready.count { $0.id.actor == change.id.actor } + 1
      guard R.isNext(change.id.seq, expected: expected) else {
        if R.dropsBad(isOwn: ownOfCall.contains(change)) { continue }
        throw .sequenceGap(change.id, expected: expected)
      }
      ready.append(change)
      ids.insert(change.id)
    }
    return ready
  }

  /// Whether a change is here, applied or waiting.
  ///
  /// A change is known by all that it holds, not by its id: two changes under one id are two.
  private func knows(_ change: NaiveChange, _ waiting: [NaiveChange]) -> Bool {
    // First the change of the same id: nearly always it is that one.
    if let place = positions[change.id], R.isDuplicate(change, of: history[place]) { return true }
    return history.contains { R.isDuplicate(change, of: $0) }
      || waiting.contains { R.isDuplicate(change, of: $0) }
  }
}

// Saving keeps the changes only; loading applies them to an empty document.
extension NaiveModel {
  @specialized(where R == AutomergeRules)
  package mutating func save() -> NaiveSaved {
    commit(before: .save)
    return NaiveSaved(
      changes: R.saved(history).map { stored($0) },
      waiting: R.savedWaiting(waiting).map { stored($0) }
    )
  }

  /// What was saved, and the changes applied here since.
  package mutating func append(to saved: NaiveSaved) -> NaiveSaved {
    commit(before: .save)
    let known = Set(saved.changes.map(\.id))
    let new = R.incremented(history.filter { !known.contains($0.id) }, by: actor)
    return NaiveSaved(changes: saved.changes + new.map { stored($0) }, waiting: saved.waiting)
  }

  /// The document in `saved`, written on by `actor`.
  ///
  /// - Throws: ``NaiveRefusal`` when the changes contradict each other.
  @specialized(where R == AutomergeRules)
  package static func load(
    _ saved: NaiveSaved,
    actor: ActorID
  ) throws(NaiveRefusal) -> Self {
    var model = Self(actor: actor)
    try model.take(
      saved.changes.map { Self.mapping($0, R.restored) },
      waited: saved.waiting.map { Self.mapping($0, R.restored) }
    )
    return model
  }

  /// Nil: no other implementation reads this form.
  package static func bytes(of saved: NaiveSaved) -> [UInt8]? { nil }

  private func stored(_ change: NaiveChange) -> NaiveChange {
    var stored = change
    if !change.ops.allSatisfy({ isSaved($0) }) { stored.ops = change.ops.filter { isSaved($0) } }
    return Self.mapping(stored, R.stored)
  }

  private func isSaved(_ op: NaiveOp) -> Bool {
    R.isSaved(op) { losesConflict(op) }
  }

  /// The change with its scalars transformed; it shares its operations where none becomes another.
  private static func mapping(
    _ change: NaiveChange,
    _ transform: (Scalar) -> Scalar
  ) -> NaiveChange {
    var mapped = change
    for index in change.ops.indices {
      guard case .set(let value) = change.ops[index].action else { continue }
      let new = transform(value)
      if new != value { mapped.ops[index].action = .set(new) }
    }
    return mapped
  }

  /// Whether the operation is visible behind a winner.
  private func losesConflict(_ op: NaiveOp) -> Bool {
    values(of: op.register, in: op.object).dropLast().contains { $0.id == op.id }
  }
}
