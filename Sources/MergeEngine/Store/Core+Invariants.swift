/// What holds of the op store between any two calls.
///
/// Checks are for debug builds, and for tests and fuzzing, which call them. A new derived number in
/// the store (a sum, a count, a link back, a cache) needs its check here first.
///
///     what holds                           is kept by
///     rows rise and are linked             `addRow`, `removeRow`
///     visible rows are linked once more    `show`, `conceal`
///     successors rise, each once           `addSuccessor`, `removeSuccessor`
///     long registers are indexed right     the same four, by `RowIndex`
///     objects know where they stand        `addObject`, and `RowStore` for what is read
///     registers name a living object       `removeObject`, `removeElement`
///     widths of runs are their units       `fill`, `append`, `cut`, `hide`, `refreshWidth`
///     sums above them agree                `addWidth`, `addWidthAbove`, the splits
///     minima are not above their elements  `lowerMinimum`, the splits, `resetMinima`
///     list order                           `insertionPoint`, and `RowStore` for what is read
///     a cursor counts right                edits that move it; all others clear it
///     the index knows each element's leaf  `fill`, `append`, `splitLeaf`, `removeElement`
///     marks, elements without bytes        `place`, the insertions, `RowStore`, `removeElement`
///     changes, heads, the queue            `History`, `WaitingQueue`
struct InvariantBreach: Error, CustomStringConvertible {
  let description: String
}

extension Core {
  /// In debug builds, checks a document that is small enough to be checked at every commit.
  ///
  /// Limited by size, since it is called at each commit and costs a pass over everything.
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
  ///
  /// Mutating for the page that the index remembers; nothing that shows changes.
  mutating func checkInvariants() throws(InvariantBreach) {
    for object in objects.handles {
      if objects[object].kind.isSequence {
        try checkSequence(object)
      } else {
        try checkMap(object)
      }
    }
    try checkEmptyElements()
    try checkElementRegisters()
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

  private func expect<Record>(
    _ condition: Bool,
    _ what: StaticString,
    _ handle: Handle<Record>
  ) throws(InvariantBreach) {
    try expect(condition, what, handle.place)
  }

  private func checkMap(_ object: ObjectHandle) throws(InvariantBreach) {
    var register = objects[object].firstRegister
    while !register.isNone {
      try expect(registers[register].object == object, "register is astray", register)
      try expect(
        self.register(object, registers[register].key) == register,
        "register is not found by its key",
        register
      )
      try checkRegister(register)
      try checkObjects(of: register, in: object, at: .none)
      register = registers[register].next
    }
  }

  /// Objects that a register's rows made name it: their parent, and the key or the element there.
  private func checkObjects(
    of register: RegisterHandle,
    in parent: ObjectHandle,
    at element: PackedID
  ) throws(InvariantBreach) {
    var row = registers[register].first
    while !row.isNone {
      if rows[row].action.made != nil {
        guard let made = objectHandle(rows[row].id) else {
          throw InvariantBreach(description: "a row made an object that is not there: \(row.place)")
        }
        try expect(objects[made].parent == parent, "an object has another parent", made)
        try expect(objects[made].key == registers[register].key, "an object has another key", made)
        try expect(objects[made].element == element, "an object is at another element", made)
      }
      row = rows[row].next
    }
  }

  /// Rows rise by id and are linked both ways; visible ones are linked once more; chains rise; an
  /// index of the register lists the same.
  ///
  ///      rows       first -> r5 <-> r7 <-> r9 <- last          all, linked by next and previous
  ///      visible    bottom -> r5 <-------> r9 <- top           linked by above and below
  ///      near       r7                                         any of the rows, or none
  private func checkRegister(_ register: RegisterHandle) throws(InvariantBreach) {
    var row = registers[register].first
    var last = RowHandle.none
    var below = RowHandle.none
    var passesNear = registers[register].near.isNone
    while !row.isNone {
      try expect(rows[row].previous == last, "a row is linked wrong", row)
      if row == registers[register].near { passesNear = true }
      if !last.isNone {
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
        let known = below.isNone ? registers[register].bottom : rows[below].above
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
    if let indexed = rowIndex.rows(register, .all) {
      var listed: [RowHandle] = []
      row = registers[register].first
      while !row.isNone {
        listed.append(row)
        row = rows[row].next
      }
      try expect(
        listed.starts(with: indexed),
        "the index of a register has other rows",
        register
      )
      listed = []
      forEachVisible(register) { listed.append($0) }
      try expect(
        rowIndex.rows(register, .visible).map(listed.starts(with:)) ?? false,
        "the index of a register shows other rows",
        register
      )
    }
    try expect(
      below.isNone
        ? registers[register].bottom.isNone : rows[below].above.isNone,
      "what is hidden is listed as visible",
      register
    )
  }

  /// Walks the leaves, which must give list order, the object's length and its number of marks.
  ///
  /// List order is checked with a stack of the elements whose descendants may still come
  /// (``OrderStack``), so that the tree of references is never built.
  private mutating func checkSequence(_ object: ObjectHandle) throws(InvariantBreach) {
    let record = objects[object]
    var total: UInt32 = 0
    var leaf = record.firstLeaf
    var previous = LeafHandle.none
    var marks: UInt32 = 0
    var stack = OrderStack()
    while !leaf.isNone {
      try expect(leaves[leaf].object == object, "leaf is astray", leaf)
      try expect(leaves[leaf].previous == previous, "leaf is linked wrong", leaf)
      for slot in slots(of: leaf) {
        let run = runs[at(leaf, slot)]
        try checkRun(run, RunPlace(leaf: leaf, slot: slot))
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
    if !record.root.isNone { _ = try checkNode(record.root, level: UInt32(record.height)) }
    try checkCursor(object)
  }

  /// What a run and its width say must agree: a complex run is one element with a register that
  /// begins with its insertion, and a simple run is hidden in one direction at most.
  private func checkRun(
    _ run: ElementRun,
    _ place: RunPlace
  ) throws(InvariantBreach) {
    let leaf = place.leaf
    try expect(run.count > 0, "an empty run in leaf", leaf)
    let object = leaves[leaf].object
    if run.isComplex {
      try expect(run.count == 1, "a complex run has several elements", run.count)
      try checkRegister(run.register)
      try checkObjects(of: run.register, in: object, at: run.first)
      try expect(
        !registers[run.register].first.isNone
          && rows[registers[run.register].first].id == run.first,
        "a register does not begin with its element",
        run.counter
      )
      try expect(
        widths[at(place)] == width(ofRegister: run.register),
        "the width of a complex run is stale",
        run.counter
      )
    } else {
      let width = run.isHidden ? 0 : unitWidth(run, in: object) &* run.count
      try expect(widths[at(place)] == width, "the width of a simple run is stale", run.counter)
      try expect(
        !run.flags.isSuperset(of: .hidden),
        "two directions"
      )
    }
    try expect(
      !precedes(run.first, leaves[leaf].minimum),
      "leaf has too great a minimum",
      leaf
    )
  }

  /// A leaf and its parent name each other, and agree on the minimum.
  private func checkPath(_ leaf: LeafHandle) throws(InvariantBreach) {
    let parent = leaves[leaf].parent
    guard !parent.isNone else { return }
    let slot = Int(leaves[leaf].slot)
    try expect(
      children[at(parent, slot)] == NodeHandle(leaf),
      "leaf is not its parent's child",
      leaf
    )
    try expect(
      childMinima[at(parent, slot)] == leaves[leaf].minimum,
      "leaf's minimum differs",
      leaf
    )
  }

  /// Sums the units below a node.
  ///
  /// A minimum may be too small, never too great: a removed run leaves its leaf's minimum as it
  /// was, which costs a search a useless step and hides nothing.
  private func checkNode(_ node: NodeHandle, level: UInt32) throws(InvariantBreach) -> UInt32 {
    var total: UInt32 = 0
    if level == 0 {
      for slot in slots(of: node.leaf) { total &+= widths[at(node.leaf, slot)] }
      return total
    }
    let node = node.inner
    try expect(inners[node].level == level, "node is at the wrong level", node)
    for slot in slots(of: node) {
      let child = children[at(node, slot)]
      let below = try checkNode(child, level: level - 1)
      try expect(childWidths[at(node, slot)] == below, "node has a stale sum", node)
      if level > 1 {
        let child = child.inner
        try expect(
          inners[child].parent == node && Int(inners[child].slot) == slot,
          "node does not know its parent",
          child
        )
        for inner in slots(of: child) {
          let minimum = childMinima[at(child, inner)]
          try expect(
            minimum == .above || !precedes(minimum, childMinima[at(node, slot)]),
            "node has too great a minimum",
            node
          )
        }
      }
      total &+= below
    }
    return total
  }

  /// A cursor may be stale nowhere: edits clear it where they do not move it.
  private func checkCursor(_ object: ObjectHandle) throws(InvariantBreach) {
    let cursor = objects[object].cursor
    guard !cursor.isNone else { return }
    let leaf = cursor.run.leaf
    try expect(
      leaves[leaf].object == object && cursor.run.slot < Int(leaves[leaf].count),
      "a cursor points nowhere",
      object
    )
    try expect(start(of: cursor.run) == cursor.start, "a cursor counts wrong", object)
  }

  /// Counts the elements of all leaves, those of objects that are shown nowhere among them.
  private func checkEmptyElements() throws(InvariantBreach) {
    var count = 0
    for leaf in leaves.handles {
      for slot in slots(of: leaf) where runs[at(leaf, slot)].byteCount == 0 {
        count += Int(runs[at(leaf, slot)].count)
      }
    }
    try expect(count == emptyElementCount, "elements without bytes", UInt32(clamping: count))
  }

  /// A register names its object exactly while an element has it: the number of an object that is taken back
  /// is used again.
  private func checkElementRegisters() throws(InvariantBreach) {
    var count = 0
    for leaf in leaves.handles {
      for slot in slots(of: leaf) where runs[at(leaf, slot)].isComplex {
        let register = runs[at(leaf, slot)].register
        let isHere = registers[register].object == leaves[leaf].object
        try expect(isHere, "register is astray", register)
        count += 1
      }
    }
    for register in registers.handles
    where registers[register].key.isNone && !registers[register].object.isNone {
      count -= 1
    }
    try expect(count == 0, "registers without an element name an object", UInt32(clamping: -count))
  }

  /// Every element is found by its id; the other direction, an entry without its element, shows in
  /// ``find(_:in:)``.
  private mutating func checkIndex() throws(InvariantBreach) {
    guard isIndexed else { return }
    for leaf in leaves.handles {
      for slot in slots(of: leaf) {
        let run = runs[at(leaf, slot)]
        for offset in 0..<run.count {
          let id = run.id(of: offset)
          let found = index.leaf(of: id)
          try expect(found == leaf, "the index has element elsewhere", id.counter)
        }
      }
    }
  }

  /// Changes come behind what they depend on, heads are what nothing depends on, and the queue is
  /// sound.
  private func checkHistory() throws(InvariantBreach) {
    for change in history.changes {
      try expect(history.find(history.hashes[change]) == change, "a change is not found")
      for entry in history.records[change].dependencies {
        try expect(
          history.dependencies[entry] < change,
          "change comes before what it depends on",
          change.place
        )
      }
    }
    for pair in zip(history.heads, history.heads.dropFirst()) {
      try expect(pair.0 < pair.1, "heads are not in order")
    }
    try expect(history.heads.count == history.headCount, "heads are counted wrong")
    let covered = ancestors(of: history.headHashes)
    try expect(history.changes.allSatisfy { covered[$0] }, "a change is no ancestor of a head")
    if let breach = history.waiting.breach(isKnown: { history.find($0) != nil }) {
      throw InvariantBreach(description: "the queue is not sound: \(breach)")
    }
  }
}
