/// Finding, inserting, hiding and removing elements of a sequence.
///
/// In the pictures `[abc]` is a run of three elements in one slot, `[---]` one of hidden elements.
///
/// What holds before and after each call, and who sees to it:
/// - slots `0..<count` of a leaf hold runs in list order (`openSlots`, which makes the gap where it
///   belongs);
/// - a hidden run has width 0, any other simple run a multiple of its `count` (`cut`, `hide`);
/// - sums, minima and the index know what moved (`fill`, `addWidth`, ``splitLeaf(_:at:)``);
/// - an element keeps its id, its reference and its value: cutting and joining runs changes how
///   they are written down, and nothing else.
extension Core {
  // MARK: Finding

  /// The visible run that holds `unit`, which must be below the object's length.
  ///
  ///     unit 12     cursor in this leaf:   [ 4 | 7 | 0 | 2 ]   slot 3, start 11     `near`
  ///     unit 45     in another leaf:       [ 40 | 25 ]         down from the root   `descend`
  ///
  /// The cursor itself stays: the caller sets it to what it does there. Cost: the slots between, or
  /// half a node for each level.
  @inline(__always)
  mutating func locate(_ object: ObjectHandle, _ unit: UInt32) -> UnitPlace {
    precondition(unit < objects[object].length)
    let cursor = objects[object].cursor
    if !cursor.isNone, let place = near(cursor, unit) { return place }
    return descend(object, unit)
  }

  /// Looks for `unit` in the cursor's leaf.
  ///
  ///     widths      [ 4 | 7 | 0 | 2 ]      from start 4, slot 1, to unit 12: forward,
  ///     starts        0   4   11  11       past 11 and the hidden run, to slot 3
  ///
  /// `nil` if the unit is not in this leaf. Cost: the slots between.
  @inline(__always)
  private func near(_ cursor: UnitPlace, _ unit: UInt32) -> UnitPlace? {
    let leaf = cursor.run.leaf
    let count = Int(leaves[leaf].count)
    var place = cursor
    if place.run.slot >= count { return nil }
    if unit >= place.start {
      while true {
        let width = widths[at(leaf, place.run.slot)]
        if unit &- place.start < width { return place }
        place.start &+= width
        place.run.slot += 1
        if place.run.slot == count { return nil }
      }
    }
    while place.run.slot > 0 {
      place.run.slot -= 1
      place.start &-= widths[at(leaf, place.run.slot)]
      if unit >= place.start { return place }
    }
    return nil
  }

  /// Goes down from the root to `unit`, by the widths.
  ///
  ///     unit 45     [ 40 | 25 ]       45 is behind the first 40: second child, 5 left
  ///                         \
  ///                    [ 3 | 9 | 13 ] 5 is behind the first 3: second slot, start 43
  ///
  /// Cost: half a node for each level. Hidden runs have width 0 and are passed, since `left >= 0` holds
  /// for them.
  private func descend(_ object: ObjectHandle, _ unit: UInt32) -> UnitPlace {
    var node = objects[object].root
    // Units that are still to be passed.
    var left = unit
    var height = objects[object].height
    while height > 0 {
      node = children[pass(&left, childWidths, from: at(node.inner, 0))]
      height -= 1
    }
    let first = at(node.leaf, 0)
    let slot = pass(&left, widths, from: first) - first
    return UnitPlace(run: RunPlace(leaf: node.leaf, slot: slot), start: unit &- left)
  }

  /// Passes the widths of a node that lie before a unit; returns the place of the one that holds it.
  @inline(__always)
  private func pass(
    _ left: inout UInt32,
    _ widths: borrowing Arena<UInt32>,
    from first: Int
  ) -> Int {
    var place = first
    var width = widths[place]
    while left >= width {
      left &-= width
      place += 1
      width = widths[place]
    }
    return place
  }

  /// Visible units before a run: the widths to the left of the path from it to the root.
  ///
  ///              [ 40 | 25 ]         40
  ///                      |         +  3
  ///                 [ 3 | 9 | 13 ] = 43 before the run of 9 units
  ///
  /// Cost: half a node for each level.
  func start(of place: RunPlace) -> UInt32 {
    var total: UInt32 = 0
    for before in 0..<place.slot { total &+= widths[at(place.leaf, before)] }
    var slot = Int(leaves[place.leaf].slot)
    var parent = leaves[place.leaf].parent
    while !parent.isNone {
      for before in 0..<slot { total &+= childWidths[at(parent, before)] }
      slot = Int(inners[parent].slot)
      parent = inners[parent].parent
    }
    return total
  }

  /// The run of an element; `nil` if `object` has no such element.
  ///
  ///     id 9@a  ->  page of (a, 0...63)  ->  leaf 4  ->  [7...8@a] [9...12@a] [5@b]
  ///                                                          no        yes: slot 1
  ///
  /// Builds the id index on the first call. Cost: constant, and a look at the runs of one leaf.
  /// Of an element of another object the answer is `nil`, too: an id alone says nothing of its object.
  mutating func find(_ id: PackedID, in object: ObjectHandle) -> RunPlace? {
    indexElements()
    guard let leaf = index.leaf(of: id), leaves[leaf].object == object else { return nil }
    let start = at(leaf, 0)
    for slot in slots(of: leaf) where runs[start + slot].contains(id) {
      return RunPlace(leaf: leaf, slot: slot)
    }
    preconditionFailure("the id index names leaf \(leaf.place) for an element it lacks")
  }

  /// Builds the id index, unless it is built.
  @inline(__always)
  mutating func indexElements() {
    if !isIndexed { buildIndex() }
  }

  /// Enters every element of every sequence into the id index.
  ///
  ///     leaves   4: [7...8@a] [5@b]   9: [9...12@a]
  ///     index    (a, 7), (a, 8), (b, 5) -> 4    (a, 9), ..., (a, 12) -> 9
  ///
  /// Cost: a step for each element that the document ever had. From then on every call that adds,
  /// moves or removes elements enters it, until the store is rebuilt (``compact()``).
  private mutating func buildIndex() {
    for leaf in leaves.handles {
      for slot in slots(of: leaf) { index.set(runs[at(leaf, slot)], leaf: leaf) }
    }
    isIndexed = true
  }

  // MARK: Inserting

  /// Puts a run behind an element, or at the head.
  ///
  /// Returns where the new run is; it may have joined the one before.
  ///
  /// The run is visible or complex, its ids are new, and `width` are the units of all its elements.
  /// The place is the caller's to know: what the insert rule puts between a reference and a new
  /// element has been passed already (``insertionPoint(for:after:)``).
  ///
  ///     behind the last of a run, which goes on          `append`             no slot more
  ///     behind the last of a run, or at the head         `insertBetween`      1
  ///     behind any other element of a run                `insertSplitting`    2
  ///
  /// Cost: half a leaf is shifted, the height is gone up, and rarely a leaf is split.
  @inline(__always)
  mutating func insert(
    _ run: ElementRun,
    width: UInt32,
    after place: ElementPlace
  ) -> RunPlace {
    if !place.isHead {
      let before = runs[at(place.run)]
      if place.offset &+ 1 == before.count {
        if joins(run, before, in: place.run.leaf) {
          return append(run, width: width, to: place.run)
        }
      } else {
        return insertSplitting(run, width: width, after: place)
      }
    }
    return insertBetween(run, width: width, after: place.run)
  }

  /// Whether a visible run can lengthen the visible run before it.
  ///
  ///     [abc] + d     typed behind c by the same actor, next id, next byte          [abcd]
  ///     [abc] + é     another size                                                  [abc] [é]
  ///     [---] + d     a tombstone before                                            [---] [d]
  ///
  /// Strings of a text that are not single scalars may differ in width: each is its own run.
  ///
  /// Equal flags say that both are plain, or neither.
  @inline(__always)
  private func joins(_ run: ElementRun, _ before: ElementRun, in leaf: LeafHandle) -> Bool {
    run.continues(before) && before.flags == run.flags
      && before.flags.isDisjoint(with: [.hidden, .complex])
      && (run.isPlain || run.meta.type != TypeCode.string
        || objects[leaves[leaf].object].kind != .text)
  }

  /// Lengthens a run: what typing does.
  ///
  ///     [abc] + d     ->     [abcd]            width 3 -> 4, and so in each node above
  ///
  /// No slot, minimum or other run changes: ids rise within a run, so that the first stays the
  /// least.
  @inline(__always)
  private mutating func append(
    _ run: ElementRun,
    width: UInt32,
    to place: RunPlace
  ) -> RunPlace {
    runs[at(place)].count &+= run.count
    addWidth(place, width)
    if isIndexed { index.set(run, leaf: place.leaf) }
    return place
  }

  /// Puts a run directly behind a slot.
  ///
  ///     [abc] [def]    x behind slot 0     ->     [abc] [x] [def]
  ///     widths 3 3                                widths 3 1 3, the nodes above 1 more
  private mutating func insertBetween(
    _ run: ElementRun,
    width: UInt32,
    after place: RunPlace
  ) -> RunPlace {
    var place = place
    makeRoom(&place, 1)
    openSlots(place.moved(by: 1), 1)
    fill(place.moved(by: 1), with: run, width: width)
    return place.moved(by: 1)
  }

  /// Cuts a run in two behind an element and puts another between.
  ///
  ///     [abc] [def]    x behind b          ->     [ab] [x] [c] [def]
  ///     widths 3 3                                widths 2 1 1 3
  ///
  /// Room, then two free slots, then the tail into the second and the new run into the first. All
  /// three runs stand in one leaf, since room for both was made at once.
  ///
  /// The tail keeps its elements' references: its first one refers to the last of the head, as the
  /// rule of runs says (``ElementRun/dropFirst(_:)``).
  private mutating func insertSplitting(
    _ run: ElementRun,
    width: UInt32,
    after place: ElementPlace
  ) -> RunPlace {
    var target = place.run
    makeRoom(&target, 2)
    openSlots(target.moved(by: 1), 2)
    cut(target, at: place.offset &+ 1, into: target.slot + 2)
    fill(target.moved(by: 1), with: run, width: width)
    return target.moved(by: 1)
  }

  /// Shifts the runs from a slot on by `room` slots.
  ///
  ///     [a] [b] [c]    two slots at 1      ->     [a] ... ... [b] [c]
  ///
  /// The caller has made room, and fills the slots: until then they repeat what stood there, and
  /// the leaf's widths add up to too much. `count` is raised here, so that a caller which stopped
  /// halfway would show elements twice: none can, as nothing throws behind this.
  @inline(__always)
  private mutating func openSlots(_ place: RunPlace, _ room: Int) {
    let count = Int(leaves[place.leaf].count)
    precondition(count + room <= Self.fanout)
    let first = at(place)
    runs.move(from: first, to: first + room, count: count - place.slot)
    widths.move(from: first, to: first + room, count: count - place.slot)
    leaves[place.leaf].count = UInt32(count + room)
  }

  /// Moves the elements from `offset` on into the free slot `target`; sums are unchanged.
  ///
  ///     [abcde] ...    at 3                ->     [abc] [de]
  ///
  /// All elements of a run are equally wide, so that the width can be divided.
  private mutating func cut(_ place: RunPlace, at offset: UInt32, into target: Int) {
    let source = at(place)
    var tail = runs[source]
    let unitWidth = tail.unitWidth(in: widths[source])
    let count = tail.count
    tail.dropFirst(offset)
    runs[source].count = offset
    // A single element's direction is free; rising is the canonical one.
    if runs[source].isDescending && offset == 1 { runs[source].setDirection(.ascending) }
    widths[source] = unitWidth.units(of: offset)
    runs[at(place.leaf, target)] = tail
    widths[at(place.leaf, target)] = unitWidth.units(of: count &- offset)
  }

  /// Fills a free slot and counts its units.
  ///
  ///     [ab] ... [c]    x of 1 unit        ->     [ab] [x] [c]
  ///                                               sums + 1, minima <= x, index x -> leaf
  ///
  /// With this a new run is known to everything that is derived from the runs.
  private mutating func fill(_ place: RunPlace, with run: ElementRun, width: UInt32) {
    runs[at(place)] = run
    widths[at(place)] = width
    addWidthAbove(place.leaf, width)
    lowerMinimum(place.leaf, run.first)
    if isIndexed { index.set(run, leaf: place.leaf) }
  }

  /// Makes `count` elements from `place` on a run of their own; returns its place.
  ///
  ///     [abcde]        two from c on       ->     [ab] [cd] [e]
  ///
  /// The tail is cut off first: cutting the head off first would move the place at which the tail
  /// begins.
  ///
  /// Elements, order and all sums are as before: only slots are added, two at most. Alone already,
  /// nothing is done. Runs that were cut are not joined again, except by a hiding that lengthens a
  /// tombstone (`hide`); saving joins them in the columns.
  mutating func isolate(_ place: ElementPlace, count: UInt32) -> RunPlace {
    var run = place.run
    let offset = place.offset
    if offset + count < runs[at(run)].count {
      makeRoom(&run, 1)
      openSlots(run.moved(by: 1), 1)
      cut(run, at: offset + count, into: run.slot + 1)
    }
    if offset > 0 {
      makeRoom(&run, 1)
      openSlots(run.moved(by: 1), 1)
      cut(run, at: offset, into: run.slot + 1)
      run.slot += 1
    }
    return run
  }

  /// The place behind which `id` belongs, given its reference: the insert rule's skip.
  ///
  /// Of siblings, elements that were inserted behind the same one, the greater id comes first. So
  /// an insertion passes everything greater than itself:
  ///
  ///     reference a, id 6     [a] [9] [8] [7] [4] ...     9, 8, 7 are passed, 4 is not
  ///                                        ^ here
  ///
  /// What follows a passed element is passed with it: its descendants are younger than it is, and
  /// so above `id`, too. `reference` must be older than `id`, which ``apply(_:_:done:)`` has seen
  /// to.
  ///
  /// Cost: a step for each run passed one by one, which the meter counts, since a peer chooses how
  /// many; behind the leaf the minima pass whole subtrees (``leafNotAbove(_:after:)``).
  ///
  /// Source: Specification/Semantics.md, "Insert rule".
  mutating func insertionPoint(for id: PackedID, after reference: ElementPlace) -> ElementPlace {
    var point = reference
    if !point.isHead {
      let run = runs[at(point.run)]
      if point.offset &+ 1 < run.count {
        if precedes(run.id(of: point.offset &+ 1), id) { return point }
        point.offset = run.count &- 1
      }
    }
    // Element ids rise within a run: a run whose first is greater is greater as a whole.
    var scan = point.run.moved(by: 1)
    while true {
      let count = Int(leaves[scan.leaf].count)
      while scan.slot < count {
        let next = runs[at(scan)]
        if precedes(next.first, id) { return point }
        meter.add(1)
        point = ElementPlace(scan, offset: next.count &- 1)
        scan.slot += 1
      }
      let following = leaves[scan.leaf].next
      if following.isNone { return point }
      if isAbove(leaves[following].minimum, id) {
        guard let landing = leafNotAbove(id, after: scan.leaf) else {
          return endOfSequence(objects[leaves[scan.leaf].object])
        }
        // All that was passed stays before: continue at the end of the leaf before it.
        let last = leaves[landing].previous
        point = end(of: last)
        scan = RunPlace(leaf: last, slot: Int(leaves[last].count))
      } else {
        scan = RunPlace(leaf: following, slot: 0)
      }
    }
  }

  /// The last element at or before the end of a leaf.
  ///
  /// Leaves may be empty after undoing; of an object whose leaves all are, this is the head.
  private func end(of leaf: LeafHandle) -> ElementPlace {
    var leaf = leaf
    while leaves[leaf].count == 0 && !leaves[leaf].previous.isNone {
      leaf = leaves[leaf].previous
    }
    let run = RunPlace(leaf: leaf, slot: Int(leaves[leaf].count) - 1)
    return ElementPlace(run, offset: run.slot < 0 ? 0 : runs[at(run)].count &- 1)
  }

  /// The last element of a sequence that has a leaf; the head if no leaf has elements.
  private func endOfSequence(_ record: ObjectRecord) -> ElementPlace {
    end(of: record.height == 0 ? record.root.leaf : lastLeaf(below: record.root.inner))
  }

  // MARK: Hiding and removing

  /// Gives `count` visible elements from `place` on one successor each, rising from `op`.
  ///
  /// Extends a neighbouring tombstone where ids and successors go on linearly. The run must be
  /// simple and visible. Returns the place of the run that stands at the cut now.
  ///
  ///     delete key:       [--] [cde]   c    ->     [---] [de]         (joins the tail)
  ///     backspace key:    [abc] [--]   c    ->     [ab] [---]         (joins the head)
  ///     anything else:    [abcde]      c    ->     [ab] [-] [de]
  ///
  /// `widths` of the whole path get smaller by what went; ids, references and values stay, since
  /// later operations may name them.
  ///
  ///     [--] [cde]  c     slot 0: count 2 -> 3      slot 1: from d on, count 3 -> 2
  ///     [abc] [--]  c     slot 0: count 3 -> 2      slot 1: from c on, count 2 -> 3
  ///
  /// No element changes its leaf in either of these, and none its order: the index and the minima
  /// stay as they are.
  ///
  /// Cost: the height; for anything else also what cutting costs.
  @inline(__always)
  mutating func hide(_ place: ElementPlace, count: UInt32, by op: PackedID) -> RunPlace {
    let slot = at(place.run)
    let run = runs[slot]
    let unitWidth = run.unitWidth(in: widths[slot])
    if count < run.count {
      if place.offset == 0 && place.run.slot > 0 {
        let before = runs[slot - 1]
        if joinsTail(before, run, op) {
          runs[slot - 1].count &+= count
          if before.count == 1 { runs[slot - 1].setDirection(.ascending) }
          runs[slot].dropFirst(count)
          addWidth(place.run, 0 &- unitWidth.units(of: count))
          return place.run
        }
      }
      if count == 1 && place.offset &+ 1 == run.count
        && place.run.slot + 1 < Int(leaves[place.run.leaf].count)
      {
        let after = runs[slot + 1]
        if joinsHead(run, after, op) {
          let reference = run.reference(of: place.offset)
          runs[slot].count &-= 1
          runs[slot + 1].counter &-= 1
          runs[slot + 1].count &+= 1
          runs[slot + 1].reference = reference.counter
          runs[slot + 1].referenceActor = reference.actor
          runs[slot + 1].value &-= run.byteCount
          runs[slot + 1].successor = op.counter
          runs[slot + 1].setDirection(.descending)
          addWidth(place.run, 0 &- unitWidth.units(of: 1))
          return place.run
        }
      }
    }
    let alone = isolate(place, count: count)
    let target = at(alone)
    runs[target].successor = op.counter
    runs[target].successorActor = op.actor
    runs[target].setDirection(.ascending)
    addWidth(alone, 0 &- unitWidth.units(of: count))
    return alone
  }

  /// Whether `run`'s first element, hidden by `op`, continues the tombstone before it.
  ///
  ///     [--] [cde]      deleted by 20, 21      op 22: joins, [---] [de] by 20, 21, 22
  ///                                            op 30: not the next, [--] [-] [de]
  ///
  /// Flags of the two differ, as only one is hidden; all else must go on. A complex run is never hidden.
  @inline(__always)
  private func joinsTail(_ before: ElementRun, _ run: ElementRun, _ op: PackedID) -> Bool {
    before.isHidden && before.isHiddenUpwards(to: op) && run.continues(before)
  }

  /// Whether `run`'s last element, hidden by `op`, comes before the tombstone behind it.
  ///
  ///     [abc] [--]      deleted by 21, 20      op 22: joins, [ab] [---] by 22, 21, 20
  ///                                            op 30: not the next, [ab] [-] [--]
  @inline(__always)
  private func joinsHead(_ run: ElementRun, _ after: ElementRun, _ op: PackedID) -> Bool {
    after.isHidden && after.isHiddenDownwards(from: op) && after.continues(run)
  }

  /// Takes one element out of its sequence, as if it had never been inserted.
  ///
  ///     [abc]     c     ->     [ab]               the last of a run: the run gets shorter
  ///     [abc]     b     ->     [a] [c]            any other: isolated, and its slot closed
  ///
  /// Only for elements that nothing refers to any more: undoing goes from the newest operation to
  /// the oldest.
  ///
  /// Widths, marks, elements without bytes and the index forget it here; its leaf's minimum does
  /// not, and may name an element that is gone. A leaf may be left without runs. A complex
  /// element's register stays behind without an owner, and names no object.
  ///
  /// Cost: that of finding it, half a leaf, and the height.
  mutating func removeElement(_ id: PackedID, in object: ObjectHandle) {
    guard let place = find(id, in: object) else {
      preconditionFailure("undoing an insertion that is not there")
    }
    objects[object].cursor = .none
    index.remove(id)
    let run = runs[at(place)]
    if run.isMark { objects[object].marks -= 1 }
    // The object's number will be used again: `nextRegister` must not be believed to be one of the next.
    if run.isComplex { registers[run.register].object = .none }
    if run.byteCount == 0 { emptyElementCount -= 1 }
    let offset = id.counter &- run.counter
    if run.count > 1 && offset &+ 1 == run.count {
      let unitWidth = run.unitWidth(in: widths[at(place)])
      runs[at(place)].count &-= 1
      addWidth(place, 0 &- unitWidth.units(of: 1))
      return
    }
    let alone = isolate(ElementPlace(place, offset: offset), count: 1)
    addWidth(alone, 0 &- widths[at(alone)])
    let count = Int(leaves[alone.leaf].count)
    for slot in alone.slot..<count - 1 {
      runs[at(alone.leaf, slot)] = runs[at(alone.leaf, slot + 1)]
      widths[at(alone.leaf, slot)] = widths[at(alone.leaf, slot + 1)]
    }
    leaves[alone.leaf].count -= 1
  }
}
