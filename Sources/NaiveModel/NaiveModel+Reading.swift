import DocumentModel

// All reads are of the present, or with a clock of the past at that clock.
//
// The attribute `@specialized` changes no rule: it keeps the specification itself free of the cost of
// being generic over its rules, and makes a campaign's case 1.5 times faster.
extension NaiveModel {
  /// The visible values of a register, ascending; the last is the winner.
  ///
  /// Source: Specification/Semantics.md, "Registers and conflicts", "Visibility", "Counters".
  @specialized(where R == AutomergeRules)
  func values(
    of register: Register,
    in object: ObjectID,
    at clock: NaiveClock? = nil
  ) -> [NaiveValue] {
    var visible: [NaiveValue] = []
    // Rows are reached by position here and below: a copy of each row costs half of all time.
    for index in rows.indices where rows[index].object == object {
      guard isSame(rows[index].register, register) else { continue }
      if let value = value(of: rows[index], at: clock) { visible.append(value) }
    }
    return R.conflictSet(visible.sorted { R.precedes(R.rank(of: $0), R.rank(of: $1)) })
  }

  /// The value that an operation shows; nil when it shows none.
  @specialized(where R == AutomergeRules)
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
  @specialized(where R == AutomergeRules)
  private func successors(of id: OpID, at clock: NaiveClock?) -> [NaiveOp] {
    var successors: [NaiveOp] = []
    for index in rows.indices where rows[index].predecessors.contains(id) {
      let row = rows[index]
      let isCovered = isCovered(row.id, by: clock)
      if R.counts(successor: row.action, isCovered: isCovered, atHeads: clock != nil) {
        successors.append(row)
      }
    }
    return successors
  }

  @specialized(where R == AutomergeRules)
  private func isSame(_ left: Register, _ right: Register) -> Bool {
    switch (left, right) {
    case (.key(let left), .key(let right)): R.isSameKey(left, right)
    case (.element(let left), .element(let right)): left == right
    default: false
    }
  }

  /// Every key that an operation of the map ever named, ascending by bytes.
  @specialized(where R == AutomergeRules)
  func keys(of map: ObjectID) -> [ExactString] {
    var keys: [ExactString] = []
    for row in rows where row.object == map {
      guard case .key(let key) = row.place else { continue }
      if !keys.contains(where: { R.isSameKey($0, key) }) { keys.append(key) }
    }
    return keys.sorted()
  }

  /// The visible elements of a list or text, in order, with the units that each takes.
  ///
  /// Source: Specification/Semantics.md, "Lists", "Text".
  @specialized(where R == AutomergeRules)
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
    var wanted = ids
    var found: [NaiveChange] = []
    // Dependencies stand before what depends on them: one walk backward meets all.
    for change in history.reversed() where wanted.contains(change.id) {
      found.append(change)
      wanted += R.ancestors(toFollowFrom: change)
    }
    return found.reversed()
  }

  func clock(at heads: [NaiveChange.ID]) -> NaiveClock {
    var clock = NaiveClock()
    for change in ancestry(of: heads) {
      clock.raise(change.id.actor, to: R.clockEntry(of: change))
    }
    return clock
  }

  @specialized(where R == AutomergeRules)
  private func isCovered(_ id: OpID, by clock: NaiveClock?) -> Bool {
    guard let clock else { return true }
    guard let entry = clock.counter(of: id.actor) else { return false }
    return R.covers(entry, id.counter)
  }
}
