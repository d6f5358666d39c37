/// Finding, inserting, hiding and removing elements of a sequence.
extension Core {
  // MARK: Finding

  /// The visible run that holds `unit`, which must be below the object's length.
  @inline(__always)
  mutating func locate(_ object: UInt32, _ unit: UInt32) -> Place {
    precondition(unit < objects[object].length)
    let cursor = objects[object].cursor
    if cursor.leaf != .max, let place = near(cursor, unit) { return place }
    return descend(object, unit)
  }

  /// Looks for `unit` in the cursor's leaf.
  @inline(__always)
  private func near(_ cursor: Place, _ unit: UInt32) -> Place? {
    let count = Int(leaves[cursor.leaf].count)
    var place = cursor
    if place.slot >= count { return nil }
    if unit >= place.start {
      while true {
        let width = widths[at(place.leaf, place.slot)]
        if unit &- place.start < width { return place }
        place.start &+= width
        place.slot += 1
        if place.slot == count { return nil }
      }
    }
    while place.slot > 0 {
      place.slot -= 1
      place.start &-= widths[at(place.leaf, place.slot)]
      if unit >= place.start { return place }
    }
    return nil
  }

  private func descend(_ object: UInt32, _ unit: UInt32) -> Place {
    var node = objects[object].root
    var start: UInt32 = 0
    var height = objects[object].height
    while height > 0 {
      var slot = 0
      var width = childWidths[at(node, 0)]
      while unit &- start >= width {
        start &+= width
        slot += 1
        width = childWidths[at(node, slot)]
      }
      node = children[at(node, slot)]
      height -= 1
    }
    var slot = 0
    var width = widths[at(node, 0)]
    while unit &- start >= width {
      start &+= width
      slot += 1
      width = widths[at(node, slot)]
    }
    return Place(leaf: node, slot: slot, start: start)
  }

  /// Visible units before a run.
  func start(ofLeaf leaf: UInt32, slot: Int) -> UInt32 {
    var total: UInt32 = 0
    for before in 0..<slot { total &+= widths[at(leaf, before)] }
    var place = Int(leaves[leaf].slot)
    var parent = leaves[leaf].parent
    while parent != .max {
      for before in 0..<place { total &+= childWidths[at(parent, before)] }
      place = Int(inners[parent].slot)
      parent = inners[parent].parent
    }
    return total
  }

  /// Leaf and slot of an element; nil if `object` has no such element.
  mutating func find(_ id: PackedID, in object: UInt32) -> (leaf: UInt32, slot: Int)? {
    if !isIndexed { buildIndex() }
    guard let leaf = index.leaf(of: id), leaves[leaf].object == object else { return nil }
    let start = at(leaf, 0)
    for slot in 0..<Int(leaves[leaf].count) where runs[start + slot].contains(id) {
      return (leaf, slot)
    }
    preconditionFailure("the id index names leaf \(leaf) for an element it lacks")
  }

  /// Enters every element of every sequence into the id index.
  private mutating func buildIndex() {
    for leaf in 0..<UInt32(leaves.count) {
      for slot in 0..<Int(leaves[leaf].count) {
        let run = runs[at(leaf, slot)]
        index.set(run.counter, run.actor, count: run.count, leaf: leaf)
      }
    }
    isIndexed = true
  }

  // MARK: Inserting

  /// Puts a run behind element `offset` of the run at (leaf, slot); `slot` -1 is the head.
  ///
  /// Returns where the new run is; it may have joined the one before.
  @inline(__always)
  mutating func insert(
    _ run: ElementRun,
    width: UInt32,
    _ leaf: UInt32,
    _ slot: Int,
    offset: UInt32
  ) -> (leaf: UInt32, slot: Int) {
    if slot >= 0 {
      let place = at(leaf, slot)
      let before = runs[place]
      if offset &+ 1 == before.count {
        let joins =
          before.actor == run.actor && before.end == run.counter
          && before.meta == run.meta && before.flags == run.flags
          && before.flags & (ElementRun.Flag.hidden | ElementRun.Flag.complex) == 0
          && before.value &+ before.count &* before.byteCount == run.value
          && (run.isPlain || run.meta & 15 != TypeCode.string
            || objects[leaves[leaf].object].kind != .text)
          && run.referenceActor == run.actor && run.reference == before.end &- 1
        if joins {
          runs[place].count &+= run.count
          addWidth(leaf, slot, width)
          if isIndexed { index.set(run.counter, run.actor, count: run.count, leaf: leaf) }
          return (leaf, slot)
        }
      } else {
        return insertSplitting(run, width: width, leaf, slot, offset: offset)
      }
    }
    return insertBetween(run, width: width, leaf, slot)
  }

  /// Puts a run directly behind `slot`.
  @inline(never)
  private mutating func insertBetween(
    _ run: ElementRun,
    width: UInt32,
    _ leaf: UInt32,
    _ slot: Int
  ) -> (leaf: UInt32, slot: Int) {
    var (leaf, slot) = (leaf, slot)
    makeRoom(&leaf, &slot, 1)
    openSlots(leaf, slot + 1, 1)
    place(run, width: width, leaf, slot + 1)
    return (leaf, slot + 1)
  }

  /// Cuts a run in two behind `offset` and puts another between.
  @inline(never)
  private mutating func insertSplitting(
    _ run: ElementRun,
    width: UInt32,
    _ leaf: UInt32,
    _ slot: Int,
    offset: UInt32
  ) -> (leaf: UInt32, slot: Int) {
    var (leaf, slot) = (leaf, slot)
    makeRoom(&leaf, &slot, 2)
    openSlots(leaf, slot + 1, 2)
    cut(leaf, slot, at: offset &+ 1, into: slot + 2)
    place(run, width: width, leaf, slot + 1)
    return (leaf, slot + 1)
  }

  /// Shifts the runs from `slot` on by `room` slots.
  @inline(__always)
  private mutating func openSlots(_ leaf: UInt32, _ slot: Int, _ room: Int) {
    let count = Int(leaves[leaf].count)
    precondition(count + room <= Self.fanout)
    var from = count - 1
    while from >= slot {
      let source = at(leaf, from)
      runs[source + room] = runs[source]
      widths[source + room] = widths[source]
      from -= 1
    }
    leaves[leaf].count = UInt32(count + room)
  }

  /// Moves the elements from `offset` on into the free slot `target`; sums are unchanged.
  private mutating func cut(_ leaf: UInt32, _ slot: Int, at offset: UInt32, into target: Int) {
    let source = at(leaf, slot)
    var tail = runs[source]
    let unitWidth = widths[source] / tail.count
    let count = tail.count
    tail.dropFirst(offset)
    runs[source].count = offset
    if runs[source].flags & ElementRun.Flag.descending != 0 && offset == 1 {
      // A single element's direction is free; rising is the canonical one.
      runs[source].flags ^= ElementRun.Flag.hidden
    }
    widths[source] = unitWidth &* offset
    runs[at(leaf, target)] = tail
    widths[at(leaf, target)] = unitWidth &* (count &- offset)
  }

  /// Fills a free slot and counts its units.
  private mutating func place(_ run: ElementRun, width: UInt32, _ leaf: UInt32, _ slot: Int) {
    runs[at(leaf, slot)] = run
    widths[at(leaf, slot)] = width
    addWidthAbove(leaf, width)
    lowerMinimum(leaf, run.first)
    if isIndexed { index.set(run.counter, run.actor, count: run.count, leaf: leaf) }
  }

  /// Makes the elements `offset..<offset + count` a run of their own; returns its place.
  mutating func isolate(
    _ leaf: UInt32,
    _ slot: Int,
    offset: UInt32,
    count: UInt32
  ) -> (leaf: UInt32, slot: Int) {
    var (leaf, slot) = (leaf, slot)
    if offset + count < runs[at(leaf, slot)].count {
      makeRoom(&leaf, &slot, 1)
      openSlots(leaf, slot + 1, 1)
      cut(leaf, slot, at: offset + count, into: slot + 1)
    }
    if offset > 0 {
      makeRoom(&leaf, &slot, 1)
      openSlots(leaf, slot + 1, 1)
      cut(leaf, slot, at: offset, into: slot + 1)
      slot += 1
    }
    return (leaf, slot)
  }

  /// The place behind which `id` belongs, given its reference: the insert rule's skip.
  ///
  /// Source: Automerge semantics, "Lists".
  mutating func insertionPoint(
    for id: PackedID,
    _ leaf: UInt32,
    _ slot: Int,
    offset: UInt32
  ) -> (leaf: UInt32, slot: Int, offset: UInt32) {
    var (leaf, slot, offset) = (leaf, slot, offset)
    if slot >= 0 {
      let run = runs[at(leaf, slot)]
      if offset &+ 1 < run.count {
        if precedes(PackedID(run.counter &+ offset &+ 1, run.actor), id) {
          return (leaf, slot, offset)
        }
        offset = run.count &- 1
      }
    }
    // Element ids rise within a run: a run whose first is greater is greater as a whole.
    var scan = slot + 1
    var current = leaf
    while true {
      let count = Int(leaves[current].count)
      while scan < count {
        let next = runs[at(current, scan)]
        if precedes(next.first, id) { return (leaf, slot, offset) }
        meter.add(1)
        leaf = current
        slot = scan
        offset = next.count &- 1
        scan += 1
      }
      let following = leaves[current].next
      if following == .max { return (leaf, slot, offset) }
      if isAbove(leaves[following].minimum, id) {
        if let landing = leafNotAbove(id, after: current) {
          // All that was passed stays before: continue at the end of the leaf before it.
          current = leaves[landing].previous
          (leaf, slot, offset) = endOfLeaf(current)
          scan = Int(leaves[current].count)
          continue
        }
        return endOfSequence(from: current)
      }
      current = following
      scan = 0
    }
  }

  /// The last element at or before the end of a leaf.
  private func endOfLeaf(_ leaf: UInt32) -> (leaf: UInt32, slot: Int, offset: UInt32) {
    var leaf = leaf
    while leaves[leaf].count == 0 && leaves[leaf].previous != .max {
      leaf = leaves[leaf].previous
    }
    let slot = Int(leaves[leaf].count) - 1
    return (leaf, slot, slot < 0 ? 0 : runs[at(leaf, slot)].count &- 1)
  }

  private func endOfSequence(
    from leaf: UInt32
  ) -> (leaf: UInt32, slot: Int, offset: UInt32) {
    var node = leaf
    while leaves[node].parent != .max {
      // Climb to the root, then follow the last children.
      var parent = leaves[node].parent
      while inners[parent].parent != .max { parent = inners[parent].parent }
      var child = parent
      while inners[child].level > 1 {
        child = children[at(child, Int(inners[child].count) - 1)]
      }
      node = children[at(child, Int(inners[child].count) - 1)]
      break
    }
    return endOfLeaf(node)
  }

  // MARK: Hiding and removing

  /// Gives `count` visible elements from `offset` on one successor each, rising from `op`.
  ///
  /// Extends a neighbouring tombstone where ids and successors go on linearly. The run must be
  /// simple and visible. Returns the place of the run that stands at the cut now.
  @inline(__always)
  mutating func hide(
    _ leaf: UInt32,
    _ slot: Int,
    offset: UInt32,
    count: UInt32,
    by op: PackedID
  ) -> (leaf: UInt32, slot: Int) {
    let place = at(leaf, slot)
    let run = runs[place]
    let unitWidth = widths[place] / run.count
    if count < run.count {
      if offset == 0 && slot > 0 {
        let before = runs[place - 1]
        if joinsTail(before, run, op) {
          runs[place - 1].count &+= count
          if before.count == 1 { setDirection(place - 1, ElementRun.Flag.ascending) }
          runs[place].dropFirst(count)
          addWidth(leaf, slot, 0 &- unitWidth &* count)
          return (leaf, slot)
        }
      }
      if count == 1 && offset &+ 1 == run.count && slot + 1 < Int(leaves[leaf].count) {
        let after = runs[place + 1]
        if joinsHead(run, after, op) {
          let reference = run.reference(of: offset)
          runs[place].count &-= 1
          runs[place + 1].counter &-= 1
          runs[place + 1].count &+= 1
          runs[place + 1].reference = reference.counter
          runs[place + 1].referenceActor = reference.actor
          runs[place + 1].value &-= run.byteCount
          runs[place + 1].successor = op.counter
          setDirection(place + 1, ElementRun.Flag.descending)
          addWidth(leaf, slot, 0 &- unitWidth)
          return (leaf, slot)
        }
      }
    }
    let alone = isolate(leaf, slot, offset: offset, count: count)
    let target = at(alone.leaf, alone.slot)
    runs[target].successor = op.counter
    runs[target].successorActor = op.actor
    setDirection(target, ElementRun.Flag.ascending)
    addWidth(alone.leaf, alone.slot, 0 &- unitWidth &* count)
    return alone
  }

  @inline(__always)
  private mutating func setDirection(_ place: Int, _ direction: UInt16) {
    runs[place].flags = runs[place].flags & ~ElementRun.Flag.hidden | direction
  }

  private static var kindMask: UInt16 { ~ElementRun.Flag.hidden }

  /// Whether `run`'s first element, hidden by `op`, continues the tombstone before it.
  @inline(__always)
  private func joinsTail(_ before: ElementRun, _ run: ElementRun, _ op: PackedID) -> Bool {
    before.isHidden && !before.isComplex
      && (before.count == 1 || before.flags & ElementRun.Flag.ascending != 0)
      && before.actor == run.actor && before.end == run.counter
      && run.reference == before.end &- 1 && run.referenceActor == run.actor
      && before.successorActor == op.actor && before.successor &+ before.count == op.counter
      && before.meta == run.meta && (before.flags ^ run.flags) & Self.kindMask == 0
      && before.value &+ before.count &* before.byteCount == run.value
  }

  /// Whether `run`'s last element, hidden by `op`, comes before the tombstone behind it.
  @inline(__always)
  private func joinsHead(_ run: ElementRun, _ after: ElementRun, _ op: PackedID) -> Bool {
    after.isHidden && !after.isComplex
      && (after.count == 1 || after.flags & ElementRun.Flag.descending != 0)
      && after.actor == run.actor && run.end == after.counter
      && after.reference == run.end &- 1 && after.referenceActor == run.actor
      && after.successorActor == op.actor && after.successor &+ 1 == op.counter
      && after.meta == run.meta && (after.flags ^ run.flags) & Self.kindMask == 0
      && run.value &+ run.count &* run.byteCount == after.value
  }

  /// Takes one element out of its sequence, as if it had never been inserted.
  mutating func removeElement(_ id: PackedID, in object: UInt32) {
    guard let (leaf, slot) = find(id, in: object) else {
      preconditionFailure("undoing an insertion that is not there")
    }
    objects[object].cursor.leaf = .max
    index.set(id.counter, id.actor, count: 1, leaf: .max)
    let place = at(leaf, slot)
    let run = runs[place]
    if run.isMark { objects[object].marks -= 1 }
    let offset = id.counter &- run.counter
    if run.count > 1 && offset &+ 1 == run.count {
      let unitWidth = widths[place] / run.count
      runs[place].count &-= 1
      addWidth(leaf, slot, 0 &- unitWidth)
      return
    }
    let alone = isolate(leaf, slot, offset: offset, count: 1)
    addWidth(alone.leaf, alone.slot, 0 &- widths[at(alone.leaf, alone.slot)])
    let count = Int(leaves[alone.leaf].count)
    for slot in alone.slot..<count - 1 {
      runs[at(alone.leaf, slot)] = runs[at(alone.leaf, slot + 1)]
      widths[at(alone.leaf, slot)] = widths[at(alone.leaf, slot + 1)]
    }
    leaves[alone.leaf].count -= 1
  }
}
