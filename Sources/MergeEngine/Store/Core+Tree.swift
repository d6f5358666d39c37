/// The B+-tree of one sequence: widths, room, splits and the skip of the insert rule.
///
/// Invariants, checked by `CoreInvariants`:
/// - leaf order, then slot order is list order, tombstones and marks included;
/// - `widths` of a run is its visible units; a parent's width is its child's sum;
/// - a node's minimum is not above any element id below it;
/// - the id index, once built, names the leaf of every element.
extension Core {
  @inline(__always) static var fanout: Int { LeafRecord.capacity }

  @inline(__always)
  func at(_ leaf: UInt32, _ slot: Int) -> Int { Int(leaf) * Self.fanout + slot }

  /// Units of one visible element of a simple run.
  @inline(__always)
  func unitWidth(_ run: ElementRun, in object: UInt32) -> UInt32 {
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
  func textWidth(action: UInt8, meta: UInt32, value: UInt32) -> UInt32 {
    guard action == Action.set && meta & 15 == TypeCode.string else {
      return unit == .utf8 ? 3 : 1
    }
    return width(of: values.view(from: Int(value), length: Int(meta >> 4)))
  }

  /// Units of a string of well-formed UTF-8.
  func width(of text: ByteView) -> UInt32 {
    switch unit {
    case .utf8: return UInt32(text.count)
    case .grapheme: return UInt32(text.string.count)
    case .scalar, .utf16:
      var total: UInt32 = 0
      for at in 0..<text.count {
        let byte = text[at]
        if byte & 0xC0 != 0x80 { total += 1 }
        if byte >= 0xF0 && unit == .utf16 { total += 1 }
      }
      return total
    }
  }

  /// Adds units to a run and to all nodes above it.
  @inline(__always)
  mutating func addWidth(_ leaf: UInt32, _ slot: Int, _ delta: UInt32) {
    widths[at(leaf, slot)] &+= delta
    addWidthAbove(leaf, delta)
  }

  /// Adds units to the nodes above a leaf and to the object's length.
  @inline(__always)
  mutating func addWidthAbove(_ leaf: UInt32, _ delta: UInt32) {
    if delta == 0 { return }
    let record = leaves[leaf]
    objects[record.object].length &+= delta
    var parent = record.parent
    var slot = Int(record.slot)
    while parent != .max {
      childWidths[at(parent, slot)] &+= delta
      slot = Int(inners[parent].slot)
      parent = inners[parent].parent
    }
  }

  /// Lowers the minima from a leaf upward.
  @inline(__always)
  mutating func lowerMinimum(_ leaf: UInt32, _ id: PackedID) {
    if !precedesOrUnset(id, leaves[leaf].minimum) { return }
    leaves[leaf].minimum = id
    var parent = leaves[leaf].parent
    var slot = Int(leaves[leaf].slot)
    while parent != .max && precedesOrUnset(id, childMinima[at(parent, slot)]) {
      childMinima[at(parent, slot)] = id
      slot = Int(inners[parent].slot)
      parent = inners[parent].parent
    }
  }

  @inline(__always)
  func precedesOrUnset(_ id: PackedID, _ minimum: PackedID) -> Bool {
    minimum.raw == .max || precedes(id, minimum)
  }

  /// Whether everything below a minimum comes after `id`; true of an empty node.
  @inline(__always)
  func isAbove(_ minimum: PackedID, _ id: PackedID) -> Bool {
    minimum.raw == .max || precedes(id, minimum)
  }

  /// A new, empty leaf.
  mutating func addLeaf(_ object: UInt32) -> UInt32 {
    let leaf = UInt32(leaves.count)
    leaves.append(LeafRecord(object: object))
    let blank = ElementRun(
      counter: 0,
      count: 0,
      reference: 0,
      value: 0,
      meta: 0,
      actor: 0,
      referenceActor: 0,
      flags: 0
    )
    runs.append(repeating: blank, count: Self.fanout)
    widths.append(repeating: 0, count: Self.fanout)
    return leaf
  }

  private mutating func addInner(level: UInt32) -> UInt32 {
    let node = UInt32(inners.count)
    inners.append(InnerRecord(level: level))
    children.append(repeating: .max, count: Self.fanout)
    childWidths.append(repeating: 0, count: Self.fanout)
    childMinima.append(repeating: PackedID(raw: .max), count: Self.fanout)
    return node
  }

  /// The object's first leaf, made if there is none.
  mutating func firstLeaf(_ object: UInt32) -> UInt32 {
    if objects[object].firstLeaf == .max {
      let leaf = addLeaf(object)
      objects[object].firstLeaf = leaf
      objects[object].root = leaf
    }
    return objects[object].firstLeaf
  }

  /// Makes sure that `room` runs fit into a leaf behind `slot`; the place may move.
  @inline(__always)
  mutating func makeRoom(_ leaf: inout UInt32, _ slot: inout Int, _ room: Int) {
    if Int(leaves[leaf].count) + room <= Self.fanout { return }
    let count = Int(leaves[leaf].count)
    // Typing at the end leaves full leaves behind; anything else halves them.
    let middle = leaves[leaf].next == .max && slot >= count - 1 ? count - 1 : count / 2
    let fresh = splitLeaf(leaf, at: middle)
    if slot >= middle {
      leaf = fresh
      slot -= middle
    }
  }

  /// Moves the runs from `middle` on into a new leaf behind; returns it.
  @inline(never)
  mutating func splitLeaf(_ leaf: UInt32, at middle: Int) -> UInt32 {
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
      if isIndexed {
        index.set(
          runs[target].counter,
          runs[target].actor,
          count: runs[target].count,
          leaf: fresh
        )
      }
    }
    leaves[leaf].count = UInt32(middle)
    leaves[fresh].count = UInt32(count - middle)
    leaves[leaf].minimum = minimum(ofLeaf: leaf)
    leaves[fresh].minimum = minimum(ofLeaf: fresh)
    let next = leaves[leaf].next
    leaves[fresh].next = next
    leaves[fresh].previous = leaf
    leaves[leaf].next = fresh
    if next != .max { leaves[next].previous = fresh }

    if leaves[leaf].parent == .max {
      growRoot(object, over: leaf, level: 1)
    }
    let parent = leaves[leaf].parent
    let slot = Int(leaves[leaf].slot)
    childWidths[at(parent, slot)] &-= moved
    childMinima[at(parent, slot)] = leaves[leaf].minimum
    insertChild(parent, after: slot, fresh, width: moved, minimum: leaves[fresh].minimum)
    if objects[object].cursor.leaf == leaf { objects[object].cursor.leaf = .max }
    return fresh
  }

  /// The exact minimum of a leaf's runs.
  func minimum(ofLeaf leaf: UInt32) -> PackedID {
    var least = PackedID(raw: .max)
    for slot in 0..<Int(leaves[leaf].count) {
      let first = runs[at(leaf, slot)].first
      if precedesOrUnset(first, least) { least = first }
    }
    return least
  }

  /// Puts a new root with one child over the present root.
  private mutating func growRoot(_ object: UInt32, over child: UInt32, level: UInt32) {
    let node = addInner(level: level)
    inners[node].count = 1
    children[at(node, 0)] = child
    childWidths[at(node, 0)] = objects[object].length
    if level == 1 {
      childMinima[at(node, 0)] = leaves[child].minimum
    } else {
      childMinima[at(node, 0)] = minimum(ofInner: child)
    }
    adopt(node, 0)
    objects[object].root = node
    objects[object].height += 1
  }

  /// A new inner node over children which are complete.
  mutating func addParent(of nodes: [UInt32], level: UInt32) -> UInt32 {
    let parent = addInner(level: level)
    inners[parent].count = UInt32(nodes.count)
    for (slot, child) in nodes.enumerated() {
      let place = at(parent, slot)
      children[place] = child
      var width: UInt32 = 0
      if level == 1 {
        for run in 0..<Int(leaves[child].count) { width &+= widths[at(child, run)] }
        childMinima[place] = leaves[child].minimum
      } else {
        for below in 0..<Int(inners[child].count) { width &+= childWidths[at(child, below)] }
        childMinima[place] = minimum(ofInner: child)
      }
      childWidths[place] = width
      adopt(parent, slot)
    }
    return parent
  }

  /// Tells a child its parent and slot.
  private mutating func adopt(_ node: UInt32, _ slot: Int) {
    let child = children[at(node, slot)]
    if inners[node].level == 1 {
      leaves[child].parent = node
      leaves[child].slot = UInt32(slot)
    } else {
      inners[child].parent = node
      inners[child].slot = UInt32(slot)
    }
  }

  private func minimum(ofInner node: UInt32) -> PackedID {
    var least = PackedID(raw: .max)
    for slot in 0..<Int(inners[node].count) {
      let entry = childMinima[at(node, slot)]
      if entry.raw != .max && precedesOrUnset(entry, least) { least = entry }
    }
    return least
  }

  /// Makes every minimum exact again; cost: a pass over all runs.
  mutating func resetMinima() {
    for leaf in 0..<UInt32(leaves.count) {
      leaves[leaf].minimum = minimum(ofLeaf: leaf)
      if leaves[leaf].parent != .max {
        childMinima[at(leaves[leaf].parent, Int(leaves[leaf].slot))] = leaves[leaf].minimum
      }
    }
    var level: UInt32 = 1
    var isDone = false
    while !isDone {
      isDone = true
      for node in 0..<UInt32(inners.count) where inners[node].level == level {
        isDone = false
        guard inners[node].parent != .max else { continue }
        childMinima[at(inners[node].parent, Int(inners[node].slot))] = minimum(ofInner: node)
      }
      level += 1
    }
  }

  private func objectOf(inner node: UInt32) -> UInt32 {
    var node = node
    while inners[node].level > 1 { node = children[at(node, 0)] }
    return leaves[children[at(node, 0)]].object
  }

  /// Enters a child behind another one, splitting nodes upward as needed.
  private mutating func insertChild(
    _ parent: UInt32,
    after slot: Int,
    _ child: UInt32,
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
    let count = Int(inners[node].count)
    inners[node].count += 1
    var place = count
    while place > target {
      children[at(node, place)] = children[at(node, place - 1)]
      childWidths[at(node, place)] = childWidths[at(node, place - 1)]
      childMinima[at(node, place)] = childMinima[at(node, place - 1)]
      adopt(node, place)
      place -= 1
    }
    children[at(node, target)] = child
    childWidths[at(node, target)] = width
    childMinima[at(node, target)] = least
    adopt(node, target)
    if least.raw != .max { lowerMinimum(above: node, least) }
  }

  /// Moves units between the ancestors of two nodes of one level, up to their common one.
  private mutating func moveWidth(_ units: UInt32, from left: UInt32, to right: UInt32) {
    var (left, right) = (left, right)
    while left != right {
      let (leftParent, rightParent) = (inners[left].parent, inners[right].parent)
      childWidths[at(leftParent, Int(inners[left].slot))] &-= units
      childWidths[at(rightParent, Int(inners[right].slot))] &+= units
      (left, right) = (leftParent, rightParent)
    }
  }

  private mutating func lowerMinimum(above node: UInt32, _ id: PackedID) {
    var slot = Int(inners[node].slot)
    var parent = inners[node].parent
    while parent != .max && precedesOrUnset(id, childMinima[at(parent, slot)]) {
      childMinima[at(parent, slot)] = id
      slot = Int(inners[parent].slot)
      parent = inners[parent].parent
    }
  }

  private mutating func splitInner(_ node: UInt32, at middle: Int) -> UInt32 {
    let level = inners[node].level
    if inners[node].parent == .max {
      growRoot(objectOf(inner: node), over: node, level: level + 1)
    }
    let fresh = addInner(level: level)
    let count = Int(inners[node].count)
    var moved: UInt32 = 0
    inners[fresh].count = UInt32(count - middle)
    inners[node].count = UInt32(middle)
    for slot in middle..<count {
      children[at(fresh, slot - middle)] = children[at(node, slot)]
      childWidths[at(fresh, slot - middle)] = childWidths[at(node, slot)]
      childMinima[at(fresh, slot - middle)] = childMinima[at(node, slot)]
      moved &+= childWidths[at(node, slot)]
      adopt(fresh, slot - middle)
    }
    let parent = inners[node].parent
    let slot = Int(inners[node].slot)
    childWidths[at(parent, slot)] &-= moved
    childMinima[at(parent, slot)] = minimum(ofInner: node)
    insertChild(
      parent,
      after: slot,
      fresh,
      width: moved,
      minimum: minimum(ofInner: fresh)
    )
    return fresh
  }

  /// The first leaf behind `leaf` which may hold an element that does not come after `id`.
  ///
  /// Cost: logarithmic, by the minima; without them, skipping concurrent prepends is quadratic.
  func leafNotAbove(_ id: PackedID, after leaf: UInt32) -> UInt32? {
    var parent = leaves[leaf].parent
    var slot = Int(leaves[leaf].slot)
    while parent != .max {
      var next = slot + 1
      let count = Int(inners[parent].count)
      while next < count && isAbove(childMinima[at(parent, next)], id) { next += 1 }
      if next < count {
        var node = children[at(parent, next)]
        var level = inners[parent].level - 1
        descent: while level > 0 {
          for child in 0..<Int(inners[node].count)
          where !isAbove(childMinima[at(node, child)], id) {
            node = children[at(node, child)]
            level -= 1
            continue descent
          }
          // A minimum may be too low after deletions: go on behind this node.
          slot = Int(inners[node].slot)
          return leafNotAbove(id, behind: node)
        }
        return node
      }
      slot = Int(inners[parent].slot)
      parent = inners[parent].parent
    }
    return nil
  }

  private func leafNotAbove(_ id: PackedID, behind node: UInt32) -> UInt32? {
    // Rightmost leaf of the node, then on from there.
    var last = node
    while inners[last].level > 1 { last = children[at(last, Int(inners[last].count) - 1)] }
    return leafNotAbove(id, after: children[at(last, Int(inners[last].count) - 1)])
  }
}
