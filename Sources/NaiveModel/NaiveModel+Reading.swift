import DocumentModel

// All reads are of the present, or with a clock of the past at that clock.
extension NaiveModel {
  /// The visible values of a register, ascending; the last is the winner.
  ///
  /// Source: Specification/Semantics.md, "Registers and conflicts", "Visibility", "Counters".
  func values(
    of register: Register,
    in object: ObjectID,
    at clock: NaiveClock? = nil
  ) -> [NaiveValue] {
    var visible: [NaiveValue] = []
    for position in rowIndex.rows(of: register, in: object, R.isSameKey) {
      if let value = value(of: rows[position], at: clock) { visible.append(value) }
    }
    // Nearly every register has one value: sorting it would cost as much as finding it.
    if visible.count > 1 { visible.sort { R.precedes(R.rank(of: $0), R.rank(of: $1)) } }
    return R.conflictSet(visible)
  }

  /// The value that an operation shows; nil when it shows none.
  private func value(of row: NaiveOp, at clock: NaiveClock?) -> NaiveValue? {
    guard isCovered(row.id, by: clock) else { return nil }
    let successors = successors(of: row.id, at: clock)
    guard R.isVisible(row.action, successors: successors.map(\.action), atHeads: clock != nil)
    else { return nil }
    guard case .set(.counter(let start)) = row.action else {
      return NaiveValue(id: row.id, action: row.action, increments: [])
    }
    let increments: [(id: OpID, amount: Int64)] = successors.compactMap { successor in
      guard case .increment(let amount) = successor.action else { return nil }
      return (successor.id, amount)
    }
    let sum = R.counterValue(start: start, increments: increments, reader: actor)
    return NaiveValue(id: row.id, action: .set(.counter(sum)), increments: increments.map(\.id))
  }

  /// The operations that name this one as a predecessor, in the order they entered.
  private func successors(
    of id: OpID,
    at clock: NaiveClock?
  ) -> [(id: OpID, action: NaiveOp.Action)] {
    var successors: [(id: OpID, action: NaiveOp.Action)] = []
    for position in rowIndex.rows(replacing: id) {
      let (id, action) = (rows[position].id, rows[position].action)
      let isCovered = isCovered(id, by: clock)
      if R.counts(successor: action, isCovered: isCovered, atHeads: clock != nil) {
        successors.append((id, action))
      }
    }
    return successors
  }

  /// Every key that an operation of the map ever named, ascending by bytes.
  func keys(of map: ObjectID) -> [ExactString] {
    rowIndex.keys(of: map).sorted()
  }

  /// The visible elements of a list or text, in order, with the units that each takes.
  ///
  /// Source: Specification/Semantics.md, "Lists", "Text".
  func elements(of object: NaiveObject, at clock: NaiveClock? = nil) -> [NaiveElement] {
    var elements: [NaiveElement] = []
    for id in object.sequence {
      let values = values(of: .element(id), in: object.id, at: clock)
      let registers = R.registers(ofElement: values) {
        successors(of: id, at: clock).map(\.action)
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

  /// How far some changes reach, which are all with their ancestors.
  func clock(of past: [NaiveChange]) -> NaiveClock {
    var clock = NaiveClock()
    for change in past {
      clock.raise(change.id.actor, to: R.clockEntry(of: change))
    }
    return clock
  }

  func isCovered(_ id: OpID, by clock: NaiveClock?) -> Bool {
    guard let clock else { return true }
    guard let entry = clock.counter(of: id.actor) else { return false }
    return R.covers(entry, id.counter)
  }
}
