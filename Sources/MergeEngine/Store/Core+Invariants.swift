/// What holds of the op store between any two calls.
struct InvariantBreach: Error, CustomStringConvertible {
  let description: String
}

extension Core {
  /// In debug builds, checks a document that is small enough to be checked at every commit.
  @inline(__always)
  mutating func checkIfSmall() {
    #if DEBUG
    guard leaves.count <= 8, rows.count <= 256, history.count <= 64 else { return }
    do throws(InvariantBreach) { try checkInvariants() } catch {
      preconditionFailure("the op store is not sound: \(error)")
    }
    #endif
  }

  /// Checks the whole op store; cost: a pass over everything.
  mutating func checkInvariants() throws(InvariantBreach) {
    for object in 0..<UInt32(objects.count) {
      if objects[object].kind.isSequence {
        try checkSequence(object)
      } else {
        try checkMap(object)
      }
    }
    try checkIndex()
    try checkHistory()
  }

  private func expect(
    _ condition: Bool,
    _ what: StaticString,
    _ number: UInt32 = 0
  ) throws(InvariantBreach) {
    guard condition else { throw InvariantBreach(description: "\(what): \(number)") }
  }

  private func checkMap(_ object: UInt32) throws(InvariantBreach) {
    var register = objects[object].firstRegister
    while register != .max {
      try expect(registers[register].object == object, "register is astray", register)
      try expect(
        self.register(object, registers[register].key) == register,
        "register is not found by its key",
        register
      )
      try checkRegister(register)
      register = registers[register].next
    }
  }

  private func checkRegister(_ register: UInt32) throws(InvariantBreach) {
    var row = registers[register].first
    var last: UInt32 = .max
    var below: UInt32 = .max
    var passesNear = registers[register].near == .max
    while row != .max {
      try expect(rows[row].previous == last, "a row is linked wrong", row)
      if row == registers[register].near { passesNear = true }
      if last != .max {
        try expect(
          precedes(rows[last].id, rows[row].id),
          "the rows of a register do not rise",
          register
        )
      }
      var previous = PackedID.none
      var rises = true
      forEachSuccessor(row) { id in
        if !previous.isNone && !precedes(previous, id) { rises = false }
        previous = id
      }
      try expect(rises, "the successors of a row do not rise", row)
      if rows[row].isVisible {
        let known = below == .max ? registers[register].bottom : rows[below].above
        try expect(known == row, "a visible row is not listed at its place", row)
        try expect(rows[row].below == below, "a visible row is linked wrong", row)
        below = row
      }
      last = row
      row = rows[row].next
    }
    try expect(registers[register].last == last, "register ends elsewhere", register)
    try expect(passesNear, "a register's last entry is astray", register)
    try expect(registers[register].top == below, "a register's greatest row differs", register)
    try expect(
      below == .max
        ? registers[register].bottom == .max : rows[below].above == .max,
      "what is hidden is listed as visible",
      register
    )
  }

  private mutating func checkSequence(_ object: UInt32) throws(InvariantBreach) {
    let record = objects[object]
    var total: UInt32 = 0
    var leaf = record.firstLeaf
    var previous: UInt32 = .max
    var marks: UInt32 = 0
    var stack = OrderStack()
    while leaf != .max {
      try expect(leaves[leaf].object == object, "leaf is astray", leaf)
      try expect(leaves[leaf].previous == previous, "leaf is linked wrong", leaf)
      for slot in 0..<Int(leaves[leaf].count) {
        let run = runs[at(leaf, slot)]
        try checkRun(run, leaf, slot)
        if run.isMark { marks += 1 }
        total &+= widths[at(leaf, slot)]
        try expect(
          stack.push(run.first, count: run.count, after: run.reference(of: 0), self),
          "a run is out of list order",
          run.counter
        )
      }
      try checkPath(leaf)
      previous = leaf
      leaf = leaves[leaf].next
    }
    try expect(total == record.length, "an object's length is stale", object)
    try expect(marks == record.marks, "an object's count of marks is stale", object)
    if record.root != .max { _ = try checkNode(record.root, level: UInt32(record.height)) }
    try checkCursor(object)
  }

  private func checkRun(
    _ run: ElementRun,
    _ leaf: UInt32,
    _ slot: Int
  ) throws(InvariantBreach) {
    try expect(run.count > 0, "an empty run in leaf", leaf)
    let object = leaves[leaf].object
    if run.isComplex {
      try expect(run.count == 1, "a complex run has several elements", run.count)
      try checkRegister(run.successor)
      try expect(
        registers[run.successor].first != .max
          && rows[registers[run.successor].first].id == run.first,
        "a register does not begin with its element",
        run.counter
      )
      try expect(
        widths[at(leaf, slot)] == width(ofRegister: run.successor),
        "the width of a complex run is stale",
        run.counter
      )
    } else {
      let width = run.isHidden ? 0 : unitWidth(run, in: object) &* run.count
      try expect(widths[at(leaf, slot)] == width, "the width of a simple run is stale", run.counter)
      try expect(
        run.flags & ElementRun.Flag.hidden != ElementRun.Flag.hidden,
        "two directions"
      )
    }
    try expect(
      !precedes(run.first, leaves[leaf].minimum),
      "leaf has too great a minimum",
      leaf
    )
  }

  private func checkPath(_ leaf: UInt32) throws(InvariantBreach) {
    let parent = leaves[leaf].parent
    guard parent != .max else { return }
    let slot = Int(leaves[leaf].slot)
    try expect(children[at(parent, slot)] == leaf, "leaf is not its parent's child", leaf)
    try expect(
      childMinima[at(parent, slot)] == leaves[leaf].minimum,
      "leaf's minimum differs",
      leaf
    )
  }

  /// Sums the units below a node.
  private func checkNode(_ node: UInt32, level: UInt32) throws(InvariantBreach) -> UInt32 {
    var total: UInt32 = 0
    if level == 0 {
      for slot in 0..<Int(leaves[node].count) { total &+= widths[at(node, slot)] }
      return total
    }
    try expect(inners[node].level == level, "node is at the wrong level", node)
    for slot in 0..<Int(inners[node].count) {
      let child = children[at(node, slot)]
      let below = try checkNode(child, level: level - 1)
      try expect(childWidths[at(node, slot)] == below, "node has a stale sum", node)
      if level > 1 {
        try expect(
          inners[child].parent == node && Int(inners[child].slot) == slot,
          "node does not know its parent",
          child
        )
        for inner in 0..<Int(inners[child].count) {
          let minimum = childMinima[at(child, inner)]
          try expect(
            minimum.raw == .max || !precedes(minimum, childMinima[at(node, slot)]),
            "node has too great a minimum",
            node
          )
        }
      }
      total &+= below
    }
    return total
  }

  private func checkCursor(_ object: UInt32) throws(InvariantBreach) {
    let cursor = objects[object].cursor
    guard cursor.leaf != .max else { return }
    try expect(
      leaves[cursor.leaf].object == object && cursor.slot < Int(leaves[cursor.leaf].count),
      "a cursor points nowhere",
      object
    )
    try expect(
      start(ofLeaf: cursor.leaf, slot: cursor.slot) == cursor.start,
      "a cursor counts wrong",
      object
    )
  }

  private mutating func checkIndex() throws(InvariantBreach) {
    guard isIndexed else { return }
    for leaf in 0..<UInt32(leaves.count) {
      for slot in 0..<Int(leaves[leaf].count) {
        let run = runs[at(leaf, slot)]
        for offset in 0..<run.count {
          let id = PackedID(run.counter &+ offset, run.actor)
          let found = index.leaf(of: id)
          try expect(found == leaf, "the index has element elsewhere", id.counter)
        }
      }
    }
  }

  private func checkHistory() throws(InvariantBreach) {
    for position in 0..<UInt32(history.count) {
      let record = history.records[position]
      try expect(history.find(history.hashes[position]) == position, "a change is not found")
      for entry in 0..<record.dependencyCount {
        try expect(
          history.dependencies[record.dependencyStart + entry] < position,
          "change comes before what it depends on",
          position
        )
      }
    }
    for pair in zip(history.heads, history.heads.dropFirst()) {
      try expect(pair.0 < pair.1, "heads are not in order")
    }
  }
}
