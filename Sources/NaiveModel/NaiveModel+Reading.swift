// What is visible: the heart of the specification. `values` looks at one register, `elements` at a
// sequence, and the clocks at the end say what was there at earlier heads.
//
//     1@a  set counter 10        over nothing
//     2@a  increment 5           over 1@a       1@a stays visible: an increment does not hide a counter
//     3@b  set int 1             over 1@a       hides 1@a; 2@a is no value, so that int 1 is all that shows

import DocumentModel

// All reads are of the present, or with a clock of the past at that clock.
extension NaiveModel {
  /// The visible values of a register, ascending; the last is the winner.
  ///
  /// Cost: the rows of the register and of what replaces them.
  ///
  /// Source: Specification/Semantics.md, "Registers and conflicts", "Visibility", "Counters".
  func values(
    of register: Register,
    in object: ObjectID,
    at clock: NaiveClock? = nil
  ) -> [NaiveValue] {
    var visible: [NaiveValue] = []
    // One list for all rows: most rows of a register that is written often are hidden by others.
    var successors: [NaiveOp.Action] = []
    for position in rowIndex.rows(of: register, in: object, R.isSameKey) {
      let (id, action) = (rows[position].id, rows[position].action)
      guard isCovered(id, by: clock) else { continue }
      while successors.popLast() != nil {}
      forEachSuccessor(of: id, at: clock) { successors.append($0.action) }
      guard R.isVisible(action, successors: successors, atHeads: clock != nil) else { continue }
      visible.append(value(action, of: id, at: clock))
    }
    // Nearly every register has one value: sorting it would cost as much as finding it.
    if visible.count > 1 { visible.sort { R.precedes(R.rank(of: $0), R.rank(of: $1)) } }
    return R.conflictSet(visible)
  }

  /// The value that a visible operation shows.
  private func value(
    _ action: NaiveOp.Action,
    of id: OpID,
    at clock: NaiveClock?
  ) -> NaiveValue {
    guard case .set(.counter(let start)) = action else {
      return NaiveValue(id: id, action: action, increments: [])
    }
    var increments: [(id: OpID, amount: Int64)] = []
    forEachSuccessor(of: id, at: clock) { successor in
      guard case .increment(let amount) = successor.action else { return }
      increments.append((successor.id, amount))
    }
    let sum = R.counterValue(start: start, increments: increments, reader: actor)
    return NaiveValue(id: id, action: .set(.counter(sum)), increments: increments.map(\.id))
  }

  /// Calls `body` with each operation that names this one as a predecessor, and that counts, in the
  /// order they entered.
  private func forEachSuccessor(
    of id: OpID,
    at clock: NaiveClock?,
    _ body: ((id: OpID, action: NaiveOp.Action)) -> Void
  ) {
    for position in rowIndex.rows(replacing: id) {
      let (id, action) = (rows[position].id, rows[position].action)
      let isCovered = isCovered(id, by: clock)
      if R.counts(successor: action, isCovered: isCovered, atHeads: clock != nil) {
        body((id, action))
      }
    }
  }

  /// Every key that an operation of the map ever named, ascending by bytes.
  func keys(of map: ObjectID) -> [ExactString] {
    rowIndex.keys(of: map).sorted()
  }

  /// The visible elements of a list or text, in order, with the units that each takes.
  ///
  /// Cost: a look at the register of each element, deleted ones included.
  ///
  /// Source: Specification/Semantics.md, "Lists", "Text".
  func elements(of object: NaiveObject, at clock: NaiveClock? = nil) -> [NaiveElement] {
    var elements: [NaiveElement] = []
    for id in object.sequence {
      let values = values(of: .element(id), in: object.id, at: clock)
      let registers = R.registers(ofElement: values) {
        var actions: [NaiveOp.Action] = []
        forEachSuccessor(of: id, at: clock) { actions.append($0.action) }
        return actions
      }
      for values in registers {
        guard let winner = values.last else { continue }
        let start = length(of: elements)
        let width = R.width(of: winner.action, in: object.kind)
        let span = start..<(start + width)
        elements.append(NaiveElement(id: id, values: values, winner: winner, span: span))
      }
    }
    return elements
  }

  /// The length of a list or text with these elements.
  func length(of elements: [NaiveElement]) -> Int {
    elements.last?.span.upperBound ?? 0
  }

  func object(_ id: ObjectID) -> NaiveObject? {
    objects.first { $0.id == id }
  }
}

// The past. Source: Specification/Semantics.md, "History and clocks".
extension NaiveModel {
  /// The changes named, as far as they are known, and all their ancestors.
  func ancestry(of ids: [NaiveChange.ID]) -> [NaiveChange] {
    var wanted = Set(ids)
    var found: [NaiveChange] = []
    // Dependencies stand before what depends on them: one walk backward meets all.
    for change in history.reversed() where wanted.contains(change.id) {
      found.append(change)
      wanted.formUnion(R.ancestors(toFollowFrom: change))
    }
    return found.reversed()
  }

  /// How far heads reach; unknown heads are ignored; `nil` for the present.
  func clock(at heads: ObservedHeads?) -> NaiveClock? {
    guard let heads else { return nil }
    let past = ancestry(of: heads.ids.compactMap(NaiveChange.ID.init))
    let isUnknown = past.isEmpty && !heads.ids.isEmpty
    return R.readsPresent(atUnknownHeads: isUnknown) ? nil : clock(of: past)
  }

  /// How far some changes reach, which are all with their ancestors.
  ///
  /// For each writer the greatest counter of its operations among those changes.
  func clock(of past: [NaiveChange]) -> NaiveClock {
    var clock = NaiveClock()
    for change in past {
      clock.raise(change.id.actor, to: R.clockEntry(of: change))
    }
    return clock
  }

  /// Without a clock everything is.
  func isCovered(_ id: OpID, by clock: NaiveClock?) -> Bool {
    guard let clock else { return true }
    guard let entry = clock.counter(of: id.actor) else { return false }
    return R.covers(entry, id.counter)
  }
}
