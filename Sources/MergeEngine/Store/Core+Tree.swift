/// The B+-tree of one sequence: widths, room, splits and the skip of the insert rule.
///
///     object.root        inner   [ 40 | 25 ]              widths: units below each child
///                                 /       \
///     level 1       inner [ 30 | 10 ]     inner [ 25 ]    minima: no element below has a lesser id
///                         /     \              |
///     level 0        leaf A <-> leaf B  <->  leaf C       next, previous: list order
///                    runs..     runs..       runs..
///
/// Invariants, checked by `Core+Invariants`:
/// - leaf order, then slot order is list order, tombstones and marks included;
/// - `widths` of a run is its visible units; a parent's width is its child's sum;
/// - a node's minimum is not above any element id below it;
/// - the id index, once built, names the leaf of every element.
///
/// A node is a block of `fanout` slots in the arenas, from `fanout * handle` on; the first `count`
/// of them are in use:
///
///     runs       [ leaf 0: r r r - ] [ leaf 1: r r - - ] [ leaf 2: r r r r ] ...
///     widths     [         w w w - ] [         w w - - ] [         w w w w ] ...
///
/// Nodes are only split, never joined: undoing may leave leaves without runs, which reads pass. An
/// inner node has at least one child.
///
/// Every function that changes a tree keeps the first three: a call that moves runs ends with sums
/// and minima right up to the root; between its steps they need not be. A cursor is not kept so: a
/// function that moves the run which it names clears it, or sets it again.
extension Core {
  @inline(__always) static var fanout: Int { LeafRecord.capacity }

  /// Where slot `slot` of a leaf stands in `runs` and `widths`.
  @inline(__always)
  func at(_ leaf: LeafHandle, _ slot: Int) -> Int { Int(leaf.place) * Self.fanout + slot }

  @inline(__always)
  func at(_ place: RunPlace) -> Int { at(place.leaf, place.slot) }

  /// Where child `slot` of a node stands in `children`, `childWidths` and `childMinima`.
  @inline(__always)
  func at(_ node: InnerHandle, _ slot: Int) -> Int { Int(node.place) * Self.fanout + slot }

  /// The slots in use of a leaf.
  @inline(__always)
  func slots(of leaf: LeafHandle) -> Range<Int> { 0..<Int(leaves[leaf].count) }

  @inline(__always)
  func slots(of node: InnerHandle) -> Range<Int> { 0..<Int(inners[node].count) }

  // MARK: Units

  /// Units of one visible element of a simple run.
  @inline(__always)
  func unitWidth(_ run: ElementRun, in object: ObjectHandle) -> UInt32 {
    if objects[object].kind != .text { return 1 }
    if run.isPlain {
      switch unit {
      case .scalar, .grapheme: return 1
      case .utf8: return run.byteCount
      case .utf16: return run.byteCount == 4 ? 2 : 1
      }
    }
    return textWidth(action: run.action, meta: run.meta, value: run.value)
  }

  /// Units of a value in a text: of its string, or of U+FFFC.
  func textWidth(action: Action, meta: ValueMeta, value: UInt32) -> UInt32 {
    guard action == .set && meta.type == TypeCode.string else {
      return unit == .utf8 ? 3 : 1
    }
    return width(of: values.view(from: Int(value), length: Int(meta.byteCount)))
  }

  /// Units of a string of well-formed UTF-8.
  func width(of text: ByteView) -> UInt32 { unit.width(of: text) }

  // MARK: Sums and minima

  /// Adds units to a run and to all nodes above it.
  ///
  ///     inner   [ 40 | 25 ]        [ 43 | 25 ]
  ///                |         +3       |
  ///     leaf    [ 4 7 2 ]          [ 4 10 2 ]
  ///
  /// A negative change is added by its two's complement: `0 &- units`.
  @inline(__always)
  mutating func addWidth(_ place: RunPlace, _ delta: UInt32) {
    widths[at(place)] &+= delta
    addWidthAbove(place.leaf, delta)
  }

  /// Adds units to the nodes above a leaf and to the object's length.
  ///
  ///     object    length 65             length 68
  ///     inner     [ 40 | 25 ]    +3     [ 43 | 25 ]
  ///                 |                     |
  ///     leaf      [ 4 10 2 .. ]         [ 4 10 2 .. ]     the caller has set the 10, which was 7
  ///
  /// For a run whose own width the caller has set: until this call the leaf's widths and its entry
  /// in the parent differ by `delta`. Cost: the height.
  @inline(__always)
  mutating func addWidthAbove(_ leaf: LeafHandle, _ delta: UInt32) {
    if delta == 0 { return }
    let record = leaves[leaf]
    objects[record.object].length &+= delta
    var parent = record.parent
    var slot = Int(record.slot)
    while !parent.isNone {
      childWidths[at(parent, slot)] &+= delta
      slot = Int(inners[parent].slot)
      parent = inners[parent].parent
    }
  }

  /// Lowers the minima from a leaf upward, as far as they are above `id`.
  ///
  ///     level 2   [ 2 | 7 ]                 [ 2 | 4 ]     7 is above 4, and lowered
  ///                     |        4@a             |
  ///     level 1      [ 9 | 7 ]     ->         [ 4 | 7 ]   9 likewise
  ///                    |                        |
  ///     leaf         [ 12 9 ]                 [ 12 9 4 ]  minimum 4
  ///
  /// Stops at the first entry that is not above `id`: no entry above that one is, since it is a
  /// minimum of more. Removing an element leaves minima too low, which costs the skip a detour and
  /// no more. Cost: the height at most; mostly nothing, as new ids are greater.
  @inline(__always)
  mutating func lowerMinimum(_ leaf: LeafHandle, _ id: PackedID) {
    if !isAbove(leaves[leaf].minimum, id) { return }
    leaves[leaf].minimum = id
    lowerMinimum(above: leaves[leaf].parent, Int(leaves[leaf].slot), id)
  }

  @inline(__always)
  private mutating func lowerMinimum(above parent: InnerHandle, _ slot: Int, _ id: PackedID) {
    var (parent, slot) = (parent, slot)
    while !parent.isNone && isAbove(childMinima[at(parent, slot)], id) {
      childMinima[at(parent, slot)] = id
      slot = Int(inners[parent].slot)
      parent = inners[parent].parent
    }
  }

  /// Whether everything below a minimum comes after `id`; true of an empty node.
  @inline(__always)
  func isAbove(_ minimum: PackedID, _ id: PackedID) -> Bool {
    minimum == .above || precedes(id, minimum)
  }

  /// The exact minimum of a leaf's runs.
  ///
  ///     [7...9@a] [5@b] [6...8@b]     5@b: of each run its first, since ids rise within a run
  func minimum(of leaf: LeafHandle) -> PackedID {
    var least = PackedID.above
    for slot in slots(of: leaf) {
      let first = runs[at(leaf, slot)].first
      if isAbove(least, first) { least = first }
    }
    return least
  }

  /// The least of a node's entries: not above any element below, and exact if the entries are.
  ///
  ///     minima   [ 9@a | above | 5@b ]     5@b; the second child is empty, and passed
  private func minimum(of node: InnerHandle) -> PackedID {
    var least = PackedID.above
    for slot in slots(of: node) {
      let entry = childMinima[at(node, slot)]
      if entry != .above && isAbove(least, entry) { least = entry }
    }
    return least
  }

  /// Makes every minimum exact again; cost: a pass over all runs.
  ///
  ///     level 2   [ 4 | 7 ]         [ 4 | 7 ]         [ 5 | 7 ]      4 was an id of an actor
  ///                 |                 |                 |            that is forgotten
  ///     level 1   [ 4 | 9 ]    ->   [ 5 | 9 ]    ->   [ 5 | 9 ]
  ///                 |                 |
  ///     leaf      [ 12 5 ]  4       [ 12 5 ]  5       leaves first, then level by level
  ///
  /// Needed where actors are forgotten: a minimum may name one of them, and then has no order any
  /// more. The inner nodes are gone through once for each level.
  mutating func resetMinima() {
    for leaf in leaves.handles {
      leaves[leaf].minimum = minimum(of: leaf)
      let parent = leaves[leaf].parent
      if !parent.isNone {
        childMinima[at(parent, Int(leaves[leaf].slot))] = leaves[leaf].minimum
      }
    }
    var level: UInt32 = 1
    var isDone = false
    while !isDone {
      isDone = true
      for node in inners.handles where inners[node].level == level {
        isDone = false
        let parent = inners[node].parent
        if !parent.isNone {
          childMinima[at(parent, Int(inners[node].slot))] = minimum(of: node)
        }
      }
      level += 1
    }
  }

  // MARK: New nodes

  /// A new, empty leaf, which belongs to no tree yet: the caller links it.
  ///
  ///     leaves   [ 0 | 1 ]             [ 0 | 1 | 2 ]
  ///     runs     [ rrr- | rr-- ]       [ rrr- | rr-- | ---- ]     a block of `fanout` each
  ///     widths   [ www- | ww-- ]       [ www- | ww-- | ---- ]
  mutating func addLeaf(_ object: ObjectHandle) -> LeafHandle {
    let leaf = leaves.nextHandle
    leaves.append(LeafRecord(object: object))
    runs.append(repeating: .blank, count: Self.fanout)
    widths.append(repeating: 0, count: Self.fanout)
    return leaf
  }

  /// A new inner node without children; the caller gives it some before anything reads it.
  ///
  ///     inners     [ 0 | 1 ]           [ 0 | 1 | 2 ]
  ///     children   [ ccc- | cc-- ]     [ ccc- | cc-- | ---- ]     widths 0, minima `above`
  private mutating func addInner(level: UInt32) -> InnerHandle {
    let node = inners.nextHandle
    inners.append(InnerRecord(level: level))
    children.append(repeating: .none, count: Self.fanout)
    childWidths.append(repeating: 0, count: Self.fanout)
    childMinima.append(repeating: .above, count: Self.fanout)
    return node
  }

  /// The object's first leaf, made if there is none.
  ///
  ///     before   root none, firstLeaf none, height 0
  ///     after    root = firstLeaf = leaf 7, height 0: one leaf is a tree, without inner nodes
  mutating func firstLeaf(_ object: ObjectHandle) -> LeafHandle {
    if objects[object].firstLeaf.isNone {
      let leaf = addLeaf(object)
      objects[object].firstLeaf = leaf
      objects[object].root = NodeHandle(leaf)
    }
    return objects[object].firstLeaf
  }

  /// Tells a child its parent and slot.
  ///
  ///     node 3   [ A | X | B ]      B gets: parent 3, slot 2; its own slot was 1 before X came
  ///
  /// Leaves and inner nodes keep it in arenas of their own; the node's level says which are meant.
  private mutating func adopt(_ node: InnerHandle, _ slot: Int) {
    let child = children[at(node, slot)]
    if inners[node].level == 1 {
      leaves[child.leaf].parent = node
      leaves[child.leaf].slot = UInt32(slot)
    } else {
      inners[child.inner].parent = node
      inners[child.inner].slot = UInt32(slot)
    }
  }

  /// Puts a child into a free slot, and tells it so.
  ///
  ///     children   [ A  | B  | -  ]    C into slot 2    [ A  | B  | C  ]    C gets: this parent,
  ///     widths     [ 30 | 10 | 0  ]    ->               [ 30 | 10 | 25 ]    slot 2
  ///     minima     [ 3  | 9  | -  ]                     [ 3  | 9  | 5  ]
  ///
  /// Link, width and minimum go in together, so that no entry is ever half new.
  private mutating func setChild(
    _ node: InnerHandle,
    _ slot: Int,
    _ child: NodeHandle,
    width: UInt32,
    minimum: PackedID
  ) {
    let place = at(node, slot)
    children[place] = child
    childWidths[place] = width
    childMinima[place] = minimum
    adopt(node, slot)
  }

  /// A new inner node over children which are complete.
  ///
  ///     level 1     [ 30 | 10 | 25 ]
  ///                  /     |     \
  ///     given      A       B      C
  ///
  /// At least one and at most `fanout` children, whose own sums and minima are right. Cost: a step
  /// for each slot of each child.
  mutating func addParent(of nodes: ArraySlice<NodeHandle>, level: UInt32) -> InnerHandle {
    let parent = addInner(level: level)
    inners[parent].count = UInt32(nodes.count)
    for (slot, child) in nodes.enumerated() {
      var width: UInt32 = 0
      let minimum: PackedID
      if level == 1 {
        for run in slots(of: child.leaf) { width &+= widths[at(child.leaf, run)] }
        minimum = leaves[child.leaf].minimum
      } else {
        for below in slots(of: child.inner) { width &+= childWidths[at(child.inner, below)] }
        minimum = self.minimum(of: child.inner)
      }
      setChild(parent, slot, child, width: width, minimum: minimum)
    }
    return parent
  }

  /// Puts a new root with one child over the present root.
  ///
  ///     before              after     [ 65 ]
  ///                                      |
  ///     root  [ 40 | 25 ]             [ 40 | 25 ]
  ///
  /// The only way in which a tree gets higher. The next split gives the new root its second child.
  private mutating func growRoot(
    _ object: ObjectHandle,
    over child: NodeHandle,
    minimum: PackedID,
    level: UInt32
  ) {
    let node = addInner(level: level)
    inners[node].count = 1
    setChild(node, 0, child, width: objects[object].length, minimum: minimum)
    objects[object].root = NodeHandle(node)
    objects[object].height += 1
  }

  // MARK: Splits

  /// Makes sure that `room` runs fit into a leaf behind `place`, which may move.
  ///
  ///     at the end       [ a b c d e f g h ]   ->   [ a b c d e f g ]  [ h ]       typed on in the second
  ///     anywhere else    [ a b c d e f g h ]   ->   [ a b c d ]  [ e f g h ]
  ///
  /// `room` is 1, or 2 for a run between the halves of another; half a leaf has room for both, also
  /// of the smallest size (``Sizes/nodeCapacity``). No run is changed, so that `place`, as it is
  /// afterwards, still names the run it named.
  @inline(__always)
  mutating func makeRoom(_ place: inout RunPlace, _ room: Int) {
    let count = Int(leaves[place.leaf].count)
    if count + room <= Self.fanout { return }
    // Typing at the end leaves full leaves behind; anything else halves them.
    let middle =
      leaves[place.leaf].next.isNone && place.slot >= count - 1 ? count - 1 : count / 2
    let fresh = splitLeaf(place.leaf, at: middle)
    if place.slot >= middle { place = RunPlace(leaf: fresh, slot: place.slot - middle) }
  }

  /// Moves the runs from `middle` on into a new leaf behind; returns it.
  ///
  ///     inner   [ .. | 40 | .. ]            [ .. | 15 | 25 | .. ]
  ///                    |                           |    |
  ///     leaf    [ a b c d e f ]      ->     [ a b c ]  [ d e f ]
  ///                                          leaf  <->  fresh  <-> the leaf that was next
  ///
  /// The object's length does not change, and neither do widths above the parent. Elements that
  /// moved are entered into the index again.
  ///
  /// Until ``insertChild(_:after:_:width:minimum:)`` has entered the new leaf, the nodes above the
  /// parent count 25 units more than the parent's children. Both minima are worked out from the
  /// runs: a split also raises those that undoing has left too low.
  ///
  /// Cost: the slots of a leaf, and of an inner node for each level that splits, too; once the
  /// index is built, a step for each element that moves.
  mutating func splitLeaf(_ leaf: LeafHandle, at middle: Int) -> LeafHandle {
    let object = leaves[leaf].object
    let fresh = addLeaf(object)
    let count = Int(leaves[leaf].count)
    var moved: UInt32 = 0
    for slot in middle..<count {
      let source = at(leaf, slot)
      let target = at(fresh, slot - middle)
      runs[target] = runs[source]
      widths[target] = widths[source]
      moved &+= widths[source]
      if isIndexed { index.set(runs[target], leaf: fresh) }
    }
    leaves[leaf].count = UInt32(middle)
    leaves[fresh].count = UInt32(count - middle)
    leaves[leaf].minimum = minimum(of: leaf)
    leaves[fresh].minimum = minimum(of: fresh)
    let next = leaves[leaf].next
    leaves[fresh].next = next
    leaves[fresh].previous = leaf
    leaves[leaf].next = fresh
    if !next.isNone { leaves[next].previous = fresh }

    if leaves[leaf].parent.isNone {
      growRoot(object, over: NodeHandle(leaf), minimum: leaves[leaf].minimum, level: 1)
    }
    let parent = leaves[leaf].parent
    let slot = Int(leaves[leaf].slot)
    childWidths[at(parent, slot)] &-= moved
    childMinima[at(parent, slot)] = leaves[leaf].minimum
    insertChild(
      parent,
      after: slot,
      NodeHandle(fresh),
      width: moved,
      minimum: leaves[fresh].minimum
    )
    if objects[object].cursor.run.leaf == leaf { objects[object].cursor = .none }
    return fresh
  }

  /// Cost: the height; asked only when a root is split.
  private func object(ofInner node: InnerHandle) -> ObjectHandle {
    var node = node
    while inners[node].level > 1 { node = children[at(node, 0)].inner }
    return leaves[children[at(node, 0)].leaf].object
  }

  /// Enters a child behind another one, splitting nodes upward as needed.
  ///
  ///     [ A | B | C ]       child X after 0       [ A | X | B | C ]
  ///
  ///     [ A | B | C | D ]   after 1: [ A | B | X ] [ C | D ]    after 2: [ A | B ] [ C | X | D ]
  ///                         after 3: [ A | B | C ] [ D | X ]    as with leaves at the end
  ///
  /// The child's units are counted with its left neighbour's parent when this begins: a split of
  /// that parent moves them to where the child goes.
  private mutating func insertChild(
    _ parent: InnerHandle,
    after slot: Int,
    _ child: NodeHandle,
    width: UInt32,
    minimum least: PackedID
  ) {
    var node = parent
    var target = slot + 1
    if Int(inners[node].count) == Self.fanout {
      let middle = target == Self.fanout ? Self.fanout - 1 : Self.fanout / 2
      let fresh = splitInner(node, at: middle)
      if target > middle {
        // The split left the child's units with the left half.
        moveWidth(width, from: node, to: fresh)
        node = fresh
        target -= middle
      }
    }
    var place = Int(inners[node].count)
    inners[node].count += 1
    while place > target {
      children[at(node, place)] = children[at(node, place - 1)]
      childWidths[at(node, place)] = childWidths[at(node, place - 1)]
      childMinima[at(node, place)] = childMinima[at(node, place - 1)]
      adopt(node, place)
      place -= 1
    }
    setChild(node, target, child, width: width, minimum: least)
    if least != .above {
      lowerMinimum(above: inners[node].parent, Int(inners[node].slot), least)
    }
  }

  /// Moves units between the ancestors of two nodes of one level, up to their common one.
  ///
  ///            [ 100 ]                 [ 100 ]
  ///            /     \                 /     \
  ///       [ 60 ]   [ 40 ]   25 ->   [ 35 ]   [ 65 ]
  ///        left     right            left     right
  ///
  /// What is above the common ancestor counts both, and stays. The two are neighbours of one level,
  /// so that they meet at the root at the latest.
  private mutating func moveWidth(
    _ units: UInt32,
    from left: InnerHandle,
    to right: InnerHandle
  ) {
    var (left, right) = (left, right)
    while left != right {
      let (leftParent, rightParent) = (inners[left].parent, inners[right].parent)
      childWidths[at(leftParent, Int(inners[left].slot))] &-= units
      childWidths[at(rightParent, Int(inners[right].slot))] &+= units
      (left, right) = (leftParent, rightParent)
    }
  }

  /// Moves the children from `middle` on into a new node behind; returns it.
  ///
  ///     parent  [ .. | 65 | .. ]         [ .. | 40 | 25 | .. ]
  ///                    |           ->           |    |
  ///     node    [ A | B | C | D ]       [ A | B ]    [ C | D ]
  ///
  /// The units of the children that moved go to the new node's entry;
  /// ``insertChild(_:after:_:width:minimum:)`` may split the parent in turn, up to the root, which
  /// gets a parent first (`growRoot`), so that there always is an entry to divide.
  private mutating func splitInner(_ node: InnerHandle, at middle: Int) -> InnerHandle {
    let level = inners[node].level
    if inners[node].parent.isNone {
      growRoot(
        object(ofInner: node),
        over: NodeHandle(node),
        minimum: minimum(of: node),
        level: level + 1
      )
    }
    let fresh = addInner(level: level)
    let count = Int(inners[node].count)
    var moved: UInt32 = 0
    inners[fresh].count = UInt32(count - middle)
    inners[node].count = UInt32(middle)
    for slot in middle..<count {
      let source = at(node, slot)
      moved &+= childWidths[source]
      setChild(
        fresh,
        slot - middle,
        children[source],
        width: childWidths[source],
        minimum: childMinima[source]
      )
    }
    let parent = inners[node].parent
    let slot = Int(inners[node].slot)
    childWidths[at(parent, slot)] &-= moved
    childMinima[at(parent, slot)] = minimum(of: node)
    insertChild(
      parent,
      after: slot,
      NodeHandle(fresh),
      width: moved,
      minimum: minimum(of: fresh)
    )
    return fresh
  }

  // MARK: The skip

  /// The first leaf behind `leaf` which may hold an element that does not come after `id`.
  ///
  /// Climbs until a sibling's minimum is not above the id, then goes down to the first such leaf:
  ///
  ///     minima       [ 3 | 9 | 5 ]          id 6, from leaf A: 9 is above it, 5 is not
  ///                   /    |    \
  ///               ...A     B    [ 8 | 5 ]   within the node: 8 is above, 5 is not
  ///                                   |
  ///                                  found
  ///
  /// `nil` if all behind `leaf` comes after the id: the end of the sequence. Cost: logarithmic, by
  /// the minima; without them, skipping concurrent prepends is quadratic.
  func leafNotAbove(_ id: PackedID, after leaf: LeafHandle) -> LeafHandle? {
    var parent = leaves[leaf].parent
    var slot = Int(leaves[leaf].slot)
    while !parent.isNone {
      var next = slot + 1
      let count = Int(inners[parent].count)
      while next < count && isAbove(childMinima[at(parent, next)], id) { next += 1 }
      if next < count {
        var node = children[at(parent, next)]
        var level = inners[parent].level - 1
        descent: while level > 0 {
          for slot in slots(of: node.inner)
          where !isAbove(childMinima[at(node.inner, slot)], id) {
            node = children[at(node.inner, slot)]
            level -= 1
            continue descent
          }
          // A minimum may be too low after deletions: go on behind this node.
          return leafNotAbove(id, after: lastLeaf(below: node.inner))
        }
        return node.leaf
      }
      slot = Int(inners[parent].slot)
      parent = inners[parent].parent
    }
    return nil
  }

  /// The rightmost leaf below a node.
  ///
  ///     level 2   [ . | F ]           the last child of each node on the way
  ///                     |
  ///     level 1       [ A | B | C ]
  ///                             |
  ///     level 0                 C     found
  ///
  /// Cost: the height.
  func lastLeaf(below node: InnerHandle) -> LeafHandle {
    var last = node
    while inners[last].level > 1 { last = children[at(last, Int(inners[last].count) - 1)].inner }
    return children[at(last, Int(inners[last].count) - 1)].leaf
  }
}
