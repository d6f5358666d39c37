package import DocumentModel

/// The executable specification of a document: small, slow, and meant to be obviously right.
///
/// A document is the list of its operations, and what it shows is worked out from that list at
/// each call. What an operation means is decided by `R`: ``AutomergeRules`` is the specification, any
/// other rules are a mutant.
///
/// Read it as if each call scanned the whole list. ``RowIndex`` leads to the same rows in the same
/// order, faster, and has no other rule; `positions` does the same for changes and their ids.
///
/// Nothing traps: each call is carried out, or refused with the document as it was.
///
/// Cost: for n operations in o objects, entering one takes O(n + o), a look at one value O(its rows),
/// at all O(n + o^2).
///
/// Source: Specification/Semantics.md, all but blocks and patches; where versions
/// differ, the last column of "Version differences".
package struct NaiveModel<R: Rules>: Sendable {
  /// The writer of the next change.
  package internal(set) var actor: ActorID
  /// The changes applied, in the order that they were.
  var history: [NaiveChange] = []
  /// The position of each change in `history`.
  var positions: [NaiveChange.ID: Int] = [:]
  /// Changes that no other change depends on, ascending.
  var headIDs: [NaiveChange.ID] = []
  /// Changes whose dependencies are not all here, in the order they came.
  var waiting: [NaiveChange] = []
  /// The operations of the open transaction.
  var open: [NaiveOp] = []

  /// Waiting changes that turned out bad when their dependencies came.
  var droppedCount = 0

  /// Calls that this document has refused, and rollbacks: what no rule but a wrong one asks for.
  var refusalCount = 0
  var rollbackCount = 0

  /// The operations of `history` and of `open`, in the order they entered.
  var rows: [NaiveOp] = []
  /// Leads to the rows of a register, and to those that replace an operation.
  var rowIndex = RowIndex()
  /// The root, and the object of each row that makes one.
  var objects = [NaiveObject(id: .root, kind: .map)]

  @specialized(where R == AutomergeRules)
  package init(actor: ActorID) {
    self.actor = actor
  }

  /// Enters one operation, a local or a remote one.
  ///
  /// Every object that it names is there already: changes are applied after their dependencies. (Only
  /// wrong rules break that; what then names nothing has no effect.)
  mutating func enter(_ op: NaiveOp) {
    var row = op
    row.predecessors = R.overwritten(by: op) {
      values(of: op.register, in: op.object).map(\.id)
    }
    rows.append(row)
    rowIndex.add(row, at: rows.count - 1, R.isSameKey)
    if case .make(let kind) = op.action {
      objects.append(NaiveObject(id: .made(op.id), kind: kind))
    }
    guard let holder = objects.firstIndex(where: { $0.id == op.object }) else { return }
    switch op.place {
    case .key:
      break
    case .after(let reference):
      Self.place(op.id, after: reference, in: &objects[holder])
      if op.isMark { objects[holder].hasMarks = true }
    case .element(let element):
      guard !R.keepsTombstones(), values(of: op.register, in: op.object).isEmpty else { break }
      objects[holder].sequence.removeAll { $0 == element }
    }
  }

  /// Places a new element by the insert rule.
  ///
  /// Source: Specification/Semantics.md, "Lists".
  private static func place(_ new: OpID, after reference: OpID?, in object: inout NaiveObject) {
    var position = R.firstPosition(after: nil)
    if let reference {
      // Mostly the element that came last, and an element stands in one place: no other rule.
      let last = object.lastPlace
      let isLast = last < object.sequence.count && object.sequence[last] == reference
      let found = isLast ? last : object.sequence.firstIndex(of: reference)
      position = found.map { R.firstPosition(after: $0) } ?? object.sequence.count
    }
    while position < object.sequence.count, R.skips(object.sequence[position], placing: new) {
      position += 1
    }
    object.sequence.insert(new, at: position)
    object.lastPlace = position
  }

  /// Undoes the open transaction.
  ///
  /// Source: Specification/Semantics.md, "Transactions and commits".
  package mutating func rollback() {
    let undone = Set(open.map(\.id))
    guard !undone.isEmpty else { return }
    open = []
    rollbackCount += 1
    rows.removeAll { undone.contains($0.id) }
    rowIndex = RowIndex(rows, R.isSameKey)
    objects.removeAll { object in
      if case .made(let id) = object.id { undone.contains(id) } else { false }
    }
    for index in objects.indices {
      objects[index].sequence.removeAll { undone.contains($0) }
    }
  }
}
