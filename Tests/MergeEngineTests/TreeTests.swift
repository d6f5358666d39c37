import Testing

@testable import MergeEngine

/// A list whose elements never join, so that each is a run of its own.
private struct ListUnderTest {
  let document: MergeDocument
  let list: ObjectID

  init() throws {
    document = MergeDocument(actor: actor(1))
    list = try document.putObject(.root, .key("l"), .list)
  }

  init(_ document: MergeDocument, _ list: ObjectID) {
    self.document = document
    self.list = list
  }

  /// Inserts `count` numbers of alternating size from `index` on, at each step `by` further.
  func insert(_ count: Int, at index: Int, by step: Int = 1) throws {
    for number in 0..<count {
      try document.insert(list, at: index + number * step, .int(number % 2 == 0 ? 1 : 1_000))
    }
  }

  /// Runs in each leaf, in list order.
  func leafCounts() throws -> [Int] {
    try document.core.checkInvariants()
    return try picture(document, list).split(separator: " | ").map {
      $0.split(separator: " ").count
    }
  }

  func object() throws -> ObjectHandle { try document.core.resolve(list) }
  func record() throws -> ObjectRecord { try document.core.objects[object()] }
  func height() throws -> UInt8 { try record().height }

  /// Whether every node names its children, and has their exact sums and minima.
  func isExact() throws -> Bool {
    let core = document.core.copy()
    let record = core.objects[try core.resolve(list)]
    return core.summary(of: record.root, level: Int(record.height)).isExact
  }
}

extension Core {
  /// What a node's entry in its parent must say, worked out from the runs below it.
  fileprivate struct Summary {
    var units: UInt32 = 0
    var least = PackedID.above
    /// Whether all nodes below say so of their children, and their children name them.
    var isExact = true

    mutating func add(_ units: UInt32, _ least: PackedID, in core: borrowing Core) {
      self.units += units
      if least != .above, core.isAbove(self.least, least) { self.least = least }
    }
  }

  /// A sequence's leaves in list order.
  fileprivate func leaves(of object: ObjectHandle) -> [LeafHandle] {
    var found: [LeafHandle] = []
    var leaf = objects[object].firstLeaf
    while !leaf.isNone {
      found.append(leaf)
      leaf = leaves[leaf].next
    }
    return found
  }

  /// What an inner node holds, slot by slot.
  fileprivate func entries(
    of node: InnerHandle
  ) -> (children: [NodeHandle], units: [UInt32], least: [PackedID]) {
    let places = slots(of: node).map { at(node, $0) }
    return (
      places.map { children[$0] }, places.map { childWidths[$0] }, places.map { childMinima[$0] }
    )
  }

  fileprivate func summary(of node: NodeHandle, level: Int) -> Summary {
    var summary = Summary()
    if level == 0 {
      for slot in slots(of: node.leaf) {
        let place = at(node.leaf, slot)
        summary.add(widths[place], runs[place].first, in: self)
      }
      summary.isExact = leaves[node.leaf].minimum == summary.least
      return summary
    }
    for slot in slots(of: node.inner) {
      let place = at(node.inner, slot)
      let child = children[place]
      let below = self.summary(of: child, level: level - 1)
      let (parent, ownSlot) =
        level == 1
        ? (leaves[child.leaf].parent, leaves[child.leaf].slot)
        : (inners[child.inner].parent, inners[child.inner].slot)
      let isTold = parent == node.inner && Int(ownSlot) == slot
      let agrees = childWidths[place] == below.units && childMinima[place] == below.least
      if !isTold || !agrees || !below.isExact { summary.isExact = false }
      summary.add(below.units, below.least, in: self)
    }
    return summary
  }
}

@Suite("Operations on the tree of a sequence")
struct TreeTests {
  @Test("Typing at the end leaves full leaves behind")
  func splitLeafAtEnd() throws {
    let list = try ListUnderTest()
    try list.insert(16, at: 0)
    #expect(try list.leafCounts() == [16])
    #expect(try list.height() == 0)
    try list.insert(1, at: 16)
    #expect(try list.leafCounts() == [15, 2])
    #expect(try list.height() == 1)
  }

  @Test("An insertion elsewhere halves a full leaf")
  func splitLeafInMiddle() throws {
    for (index, counts) in [(0, [9, 8]), (5, [9, 8]), (8, [9, 8]), (9, [8, 9]), (15, [8, 9])] {
      let list = try ListUnderTest()
      try list.insert(16, at: 0)
      try list.document.insert(list.list, at: index, .string("x"))
      #expect(try list.leafCounts() == counts, "at \(index)")
    }
  }

  @Test("An empty leaf has room for its runs, and belongs to no tree")
  func addLeaf() throws {
    let list = try ListUnderTest()
    try list.insert(20, at: 0)
    var core = list.document.core.copy()
    let object = try core.resolve(list.list)
    let before = core.leaves(of: object)
    let (runCount, widthCount) = (core.runs.count, core.widths.count)
    let leaf = core.addLeaf(object)
    let isFresh =
      !before.contains(leaf) && core.slots(of: leaf).isEmpty && core.leaves[leaf].object == object
      && core.leaves[leaf].minimum == .above
    #expect(isFresh)
    let isAlone =
      core.leaves[leaf].parent.isNone && core.leaves[leaf].next.isNone
      && core.leaves[leaf].previous.isNone && core.leaves(of: object) == before
    #expect(isAlone)
    let roomForRuns = core.runs.count - runCount
    let roomForWidths = core.widths.count - widthCount
    #expect(roomForRuns == Core.fanout && roomForWidths == Core.fanout)
    let isLast = core.at(leaf, 0) == runCount
    #expect(isLast)
  }

  @Test("A root grows over the one before, whose units and least id it has")
  func growRoot() throws {
    let cases: [(full: Int, units: [UInt32], least: [UInt32])] = [
      // A full leaf, which is the tree; a full inner node over full leaves.
      (16, [15, 2], [2, 17]), (241, [225, 17], [2, 227]),
    ]
    for (full, units, least) in cases {
      let list = try ListUnderTest()
      try list.insert(full, at: 0)
      let before = try list.record()
      try list.document.insert(list.list, at: full, .string("x"))
      let after = try list.record()
      #expect(after.height == before.height + 1)
      #expect(after.firstLeaf == before.firstLeaf)
      #expect(after.length == UInt32(full + 1))

      let core = list.document.core.copy()
      let root = core.inners[after.root.inner]
      #expect(root.parent.isNone && root.level == UInt32(after.height))
      let entries = core.entries(of: after.root.inner)
      #expect(entries.children.first == before.root)
      #expect(entries.units == units)
      #expect(entries.least == least.map { PackedID($0, 0) })
      #expect(try list.isExact())
    }
  }

  @Test("A child goes behind its neighbour, and those behind it move up")
  func insertChild() throws {
    let list = try ListUnderTest()
    try list.insert(46, at: 0)
    #expect(try list.leafCounts() == [15, 15, 16])
    let root = try list.record().root.inner
    let before = list.document.core.copy().entries(of: root)
    // The first fills the first leaf, the second halves it.
    for _ in 0..<2 { try list.document.insert(list.list, at: 5, .string("x")) }
    #expect(try list.leafCounts() == [9, 8, 15, 16])
    #expect(try list.record().root.inner == root)

    let after = list.document.core.copy().entries(of: root)
    #expect(after.children.count == 4)
    #expect(after.children.first == before.children.first)
    #expect(after.children.suffix(2) == before.children.suffix(2))
    #expect(!before.children.contains(after.children[1]))
    #expect(after.units == [9, 8, 15, 16])
    #expect(after.least.suffix(2) == before.least.suffix(2))
    #expect(try list.isExact())
  }

  @Test("Children that move to another slot or node are told so", arguments: [0, 1])
  func adopt(_ step: Int) throws {
    let list = try ListUnderTest()
    try list.insert(600, at: 0, by: step)
    let core = list.document.core.copy()
    let record = try list.record()
    #expect(record.height == 2)
    var met: [LeafHandle] = []
    for (slot, node) in core.entries(of: record.root.inner).children.enumerated() {
      let inner = core.inners[node.inner]
      #expect(inner.parent == record.root.inner && Int(inner.slot) == slot)
      for (slot, child) in core.entries(of: node.inner).children.enumerated() {
        let leaf = core.leaves[child.leaf]
        #expect(leaf.parent == node.inner && Int(leaf.slot) == slot)
        met.append(child.leaf)
      }
    }
    let inOrder = core.leaves(of: try core.resolve(list.list))
    #expect(met == inOrder)
  }

  @Test("Units that a run gains or loses are counted in every node above it, and in the object")
  func addWidth() throws {
    let list = try ListUnderTest()
    try list.insert(700, at: 0)
    var core = list.document.core.copy()
    let object = try core.resolve(list.list)
    let record = core.objects[object]
    #expect(record.height == 2)
    let before = core.entries(of: record.root.inner).units
    let run = core.locate(object, 350).run
    core.addWidth(run, 3)
    let (gained, more) = (core.objects[object].length, core.widths[core.at(run)])
    #expect(gained == 703 && more == 4)
    let isSum = core.summary(of: record.root, level: 2).isExact
    #expect(isSum)
    // By the two's complement; only one entry of the root had changed.
    let between = core.entries(of: record.root.inner).units
    #expect(zip(before, between).filter { $0 != $1 }.map { $1 - $0 } == [3])
    core.addWidth(run, 0 &- 3)
    let (lost, less) = (core.objects[object].length, core.widths[core.at(run)])
    #expect(lost == 700 && less == 1)
    let after = core.entries(of: record.root.inner).units
    #expect(after == before)
  }

  @Test("A lesser id lowers the minima above it, up to the first that is not above it")
  func lowerMinimum() throws {
    let list = try ListUnderTest()
    // Ids rise: a leaf's least is its first, and a node's that of its first leaf.
    try list.insert(700, at: 0)
    var core = list.document.core.copy()
    let object = try core.resolve(list.list)
    let root = core.objects[object].root.inner
    let leaf = core.leaves(of: object)[20]
    let node = core.leaves[leaf].parent
    let (slot, nodeSlot) = (Int(core.leaves[leaf].slot), Int(core.inners[node].slot))
    #expect(slot > 0 && nodeSlot > 0)
    let (least, above) = (core.entries(of: node).least, core.entries(of: root).least)

    // Between the node's least and the leaf's.
    let id = PackedID(least[slot].counter - 1, 0)
    core.lowerMinimum(leaf, id)
    var expected = least
    expected[slot] = id
    let (own, entries, entriesAbove) = (
      core.leaves[leaf].minimum, core.entries(of: node).least, core.entries(of: root).least
    )
    #expect(own == id && entries == expected && entriesAbove == above)

    // An id that is not less changes nothing; one that is less than all goes up to the root.
    core.lowerMinimum(leaf, PackedID(id.counter + 1, 0))
    let still = core.entries(of: node).least
    #expect(still == expected)
    let first = PackedID(1, 0)
    core.lowerMinimum(leaf, first)
    let (lowered, top) = (core.entries(of: node).least[slot], core.entries(of: root).least)
    var expectedAbove = above
    expectedAbove[nodeSlot] = first
    #expect(lowered == first && top == expectedAbove)
  }

  @Test("A run that comes late is counted, lowers the minima and is found by its id")
  func fill() throws {
    let list = try ListUnderTest()
    try list.insert(1, at: 0)
    list.document.commit()
    // An id that is less than all behind the first element.
    let stranger = list.document.fork(actor: actor(0))
    try stranger.insert(list.list, at: 1, .string("x"))
    try list.insert(40, at: 1, by: 0)
    list.document.commit()
    let object = try list.object()
    // Builds the index, so that the new run has to be entered.
    #expect(list.document.core.find(PackedID(2, 0), in: object) != nil)

    try list.document.merge(stranger)
    try list.document.core.checkInvariants()
    #expect(try list.document.length(list.list) == 42)
    #expect(try list.isExact())
    let core = list.document.core.copy()
    let last = try #require(core.leaves(of: object).last)
    let least = core.leaves[last].minimum
    #expect(least.counter == 3 && least.actor != 0)
    let place = list.document.core.find(least, in: object)
    #expect(place == RunPlace(leaf: last, slot: core.slots(of: last).count - 1))
  }

  @Test("Full inner nodes split, and the root grows; sums and minima stay true", arguments: [0, 1])
  func splitInner(_ step: Int) throws {
    let list = try ListUnderTest()
    // In front of all others each time, or behind: both sides of the split take the new child.
    try list.insert(3_000, at: 0, by: step)
    try list.document.core.checkInvariants()
    #expect(try list.height() >= 2)
    #expect(try list.document.length(list.list) == 3_000)
  }

  @Test("Units move with a child that a split sends right", arguments: 0..<16)
  func moveWidth(_ leaf: Int) throws {
    let list = try ListUnderTest()
    // One inner node, full of leaves.
    try list.insert(241, at: 0)
    #expect(try list.leafCounts() == Array(repeating: 15, count: 15) + [16])
    #expect(try list.height() == 1)
    // Both go into one leaf: it is filled, and split with the node above.
    for _ in 0..<2 { try list.document.insert(list.list, at: leaf * 15 + 5, .string("x")) }
    #expect(try list.height() == 2)
    #expect(try list.isExact())

    let core = list.document.core.copy()
    let root = core.objects[try core.resolve(list.list)].root.inner
    let counts = core.slots(of: root).map { slot in
      Int(core.inners[core.children[core.at(root, slot)].inner].count)
    }
    let units = core.slots(of: root).map { slot in Int(core.childWidths[core.at(root, slot)]) }
    switch leaf {
    case 0..<8: #expect(counts == [9, 8] && units == [122, 121])
    case 8..<15: #expect(counts == [8, 9] && units == [120, 123])
    default: #expect(counts == [15, 2] && units == [225, 18])
    }
  }

  @Test("Units are found from the root and from the cursor, and counted back")
  func locate() throws {
    let list = try ListUnderTest()
    try list.insert(700, at: 0)
    // Some widths are 0.
    for index in stride(from: 600, to: 0, by: -7) {
      try list.document.delete(list.list, .index(index))
    }
    let object = try list.object()
    let length = list.document.core.objects[object].length
    for unit in 0..<length {
      list.document.core.objects[object].cursor = .none
      let place = list.document.core.locate(object, unit)
      #expect(place.start == unit)
      #expect(list.document.core.start(of: place.run) == unit)
      // From this place to both neighbours.
      list.document.core.objects[object].cursor = place
      let next = min(unit + 1, length - 1)
      #expect(list.document.core.locate(object, next).start == next)
      let previous = unit == 0 ? 0 : unit - 1
      #expect(list.document.core.locate(object, previous).start == previous)
    }
  }

  @Test("Loading fills leaves to three quarters", arguments: [1, 12, 13, 144, 145, 2_000])
  func build(_ count: Int) throws {
    let list = try ListUnderTest()
    try list.insert(count, at: 0)
    let loaded = try MergeDocument(loading: list.document.save(), actor: actor(2))
    try loaded.core.checkInvariants()
    let leaves = try picture(loaded, list.list).split(separator: " | ")
    #expect(leaves.count == (count + 11) / 12)
    #expect(leaves.dropLast().allSatisfy { $0.split(separator: " ").count == 12 })
    let height = try loaded.core.objects[loaded.core.resolve(list.list)].height
    #expect(height == (count <= 12 ? 0 : count <= 144 ? 1 : count <= 1_728 ? 2 : 3))
  }

  @Test("A level over complete children has their sums and their least ids, and they name it")
  func addParent() throws {
    let list = try ListUnderTest()
    // Ids fall from the first leaf to the last, so that each node has another minimum.
    try list.insert(2_000, at: 0, by: 0)
    // Some widths are 0.
    for index in stride(from: 1_998, to: 0, by: -3) {
      try list.document.delete(list.list, .index(index))
    }
    list.document.commit()
    let loaded = try MergeDocument(loading: list.document.save(), actor: actor(2))
    let built = ListUnderTest(loaded, list.list)
    #expect(try built.height() == 3)
    #expect(try built.isExact())
    #expect(try built.document.length(list.list) == 2_000 - 666)
  }

  @Test("Minima are exact again when actors were forgotten")
  func resetMinima() throws {
    let list = try ListUnderTest()
    try list.insert(1, at: 0)
    list.document.commit()
    // Two first changes of one actor, who is less than the other: their ids are the least of all
    // but the first element's.
    let changes = try ["x", "y"].map { text in
      let stranger = list.document.fork(actor: actor(0))
      try stranger.insert(list.list, at: 1, .string(text))
      let hash = try #require(stranger.commit())
      return try #require(stranger.changeBytes(hash))
    }
    // Each directly behind the first element, so that ids fall: the strangers' come last.
    try list.insert(600, at: 1, by: 0)
    list.document.commit()
    #expect(try list.height() == 2)
    #expect(try list.isExact())

    // One of them lowers the minima of the last nodes, up to the root.
    let reader = list.document.fork(actor: actor(9))
    try reader.applyChanges([changes[0]])
    let core = reader.core.copy()
    let root = core.objects[try core.resolve(list.list)].root.inner
    let least = core.childMinima[core.at(root, core.slots(of: root).count - 1)]
    #expect(least.counter == 3 && least.actor != 0)

    // The second is refused, and takes the first and its actor with it.
    let error = #expect(throws: ChunkError.self) { try list.document.applyChanges(changes) }
    #expect(error?.reason == .duplicateSequence(actor: actor(0), seq: 1))
    try list.document.core.checkInvariants()
    #expect(try list.isExact())
    #expect(try list.document.length(list.list) == 601)
  }

  @Test("Elements are found by id after cuts and splits, and no longer once they are undone")
  func find() throws {
    let list = try ListUnderTest()
    try list.insert(40, at: 0)
    let object = try list.object()
    // Builds the index.
    #expect(list.document.core.find(PackedID(2, 0), in: object)?.slot == 0)
    list.document.commit()
    try list.insert(300, at: 20)
    try list.document.core.checkInvariants()
    let last = PackedID(list.document.core.maxOp, 0)
    #expect(list.document.core.find(last, in: object) != nil)
    #expect(list.document.core.find(last, in: .root) == nil)
    list.document.rollback()
    #expect(list.document.core.find(last, in: object) == nil)
    try list.document.core.checkInvariants()
  }

  @Test("The skip over greater ids lands on the first leaf that may hold a lesser one")
  func leafNotAbove() throws {
    let list = try ListUnderTest()
    // Each in front of all before: ids fall from the first leaf to the last.
    try list.insert(1_000, at: 0, by: 0)
    let core = list.document.core.copy()
    let first = core.objects[try core.resolve(list.list)].firstLeaf
    for counter: UInt32 in [2, 3, 100, 500, 900] {
      let id = PackedID(counter, 0)
      var expected = core.leaves[first].next
      while !expected.isNone, core.isAbove(core.leaves[expected].minimum, id) {
        expected = core.leaves[expected].next
      }
      let found = core.leafNotAbove(id, after: first)
      #expect(found == (expected.isNone ? nil : expected), "counter \(counter)")
    }
    let beyond = core.leafNotAbove(PackedID(1, 0), after: first)
    #expect(beyond == nil)
  }

  @Test("The skip goes on behind the last leaf of a node whose minimum is too low")
  func lastLeaf() throws {
    let list = try ListUnderTest()
    try list.insert(1_000, at: 0, by: 0)
    var core = list.document.core.copy()
    let record = core.objects[try core.resolve(list.list)]
    #expect(record.height == 2)
    let root = record.root.inner
    let (node, behind) = (core.children[core.at(root, 1)].inner, core.children[core.at(root, 2)])
    let last = core.lastLeaf(below: node)
    let isLast =
      core.leaves[last].parent == node
      && core.leaves[core.leaves[last].next].parent == behind.inner
    #expect(isLast)

    // As it is where undoing left the root's entry too low, and a split made those below exact.
    let id = PackedID(100, 0)
    let expected = core.leafNotAbove(id, after: record.firstLeaf)
    let place = core.at(root, 1)
    core.childMinima[place] = id
    let found = core.leafNotAbove(id, after: record.firstLeaf)
    #expect(found == expected && found != nil)
  }

  @Test("Concurrent prepends merge in logarithmic steps for each")
  func prepends() throws {
    let base = try TextUnderTest("")
    let left = base.fork(actor: 2)
    let right = base.fork(actor: 3)
    for _ in 0..<2_000 {
      try left.splice(0, "l")
      try right.splice(0, "r")
    }
    right.document.commit()
    let before = left.document.workDone
    try left.document.merge(right.document)
    try left.document.core.checkInvariants()
    #expect(left.document.workDone - before < 1_000_000)
  }

  @Test("A deletion of what others inserted empties leaves, which searches pass")
  func emptyLeaves() throws {
    let list = try ListUnderTest()
    try list.insert(100, at: 0)
    list.document.commit()
    try list.insert(200, at: 50)
    list.document.rollback()
    try list.document.core.checkInvariants()
    // An insertion at each end of the hole that the rollback left.
    let other = list.document.fork(actor: actor(9))
    try other.insert(list.list, at: 50, .string("x"))
    try other.insert(list.list, at: 101, .string("y"))
    try list.document.merge(other)
    try list.document.core.checkInvariants()
    #expect(try list.document.values(list.list) == other.values(list.list))
  }

  @Test("A handle of nothing names no element")
  func handles() {
    var rows = Arena<Row>()
    let first = rows.nextHandle
    let before = [rows.contains(.none), rows.contains(first)]
    #expect(before == [false, false])
    rows.append(Row(counter: 1, actor: 0, action: .set))
    let after = [rows.contains(.none), rows.contains(first), rows.contains(first.next)]
    #expect(after == [false, true, false])
    let all = Array(rows.handles)
    #expect(all == [first])
    #expect(RowHandle.none.isNone)
  }
}
