/// Builds a sequence's tree from its runs in list order, without searching.
///
/// Leaves are filled to three quarters, so that the first edits find room; the levels above are
/// built when the sequence is complete.
///
///     append, append, ...     [ a b c ] <-> [ d e f ] <-> [ g h i ] <-> [ j ]
///     finish                  [    A    |      B      |      C     ]  [  D  ]    level 1
///                             [              E                     |    F   ]    level 2, root
///
/// For reading a document: the runs of one object come in list order, one `append` each, and no run
/// is split or joined here. The id index is not told: it is built later, from the leaves.
struct SequenceBuilder {
  private var object = ObjectHandle.none
  private var leaf = LeafHandle.none
  private static let fill = LeafRecord.capacity * 3 / 4

  /// Begins an object, which must have no leaves.
  mutating func begin(_ object: ObjectHandle) {
    self.object = object
    leaf = .none
  }

  /// Appends a run, and a leaf for it where the last one has its share.
  ///
  ///     [ a b - - ]              + c      [ a b c - ]                    three quarters of 4
  ///     [ a b c - ]              + d      [ a b c - ] <-> [ d - - - ]
  ///
  /// The object's length, the leaf's minimum and the links between leaves are right after each
  /// call; the root and the inner nodes come with ``finish(_:)``.
  @inline(__always)
  mutating func append(_ run: ElementRun, width: UInt32, to core: inout Core) {
    if leaf.isNone || Int(core.leaves[leaf].count) >= Self.fill {
      let fresh = core.addLeaf(object)
      if leaf.isNone {
        core.objects[object].firstLeaf = fresh
      } else {
        core.leaves[leaf].next = fresh
        core.leaves[fresh].previous = leaf
      }
      leaf = fresh
    }
    let place = core.at(leaf, Int(core.leaves[leaf].count))
    core.leaves[leaf].count += 1
    core.runs[place] = run
    core.widths[place] = width
    if core.isAbove(core.leaves[leaf].minimum, run.first) {
      core.leaves[leaf].minimum = run.first
    }
    core.objects[object].length &+= width
  }

  /// Builds the inner nodes over the leaves.
  ///
  /// Without runs the object has no tree, like one that was never written to.
  mutating func finish(_ core: inout Core) {
    guard !leaf.isNone else { return }
    var level: [NodeHandle] = []
    var scan = core.objects[object].firstLeaf
    while !scan.isNone {
      level.append(NodeHandle(scan))
      scan = core.leaves[scan].next
    }
    core.buildLevels(object, over: level)
  }
}

extension Core {
  /// Builds the inner levels over an object's leaves, which must be one or more.
  ///
  ///     leaves     A  B  C  D  E  F  G                  with nodes of 4
  ///     level 1    [ A B C ]  [ D E F ]  [ G ]          three children each
  ///     level 2    [  [ABC]    [DEF]    [G]  ]          the root
  ///
  /// Level by level, each node of the next over three quarters of `fanout` nodes of this one; the
  /// last of a level may have a single child. Each level has a third of the nodes below, rounded
  /// up, or fewer, so that `height` stays far below the 255 that it can hold.
  mutating func buildLevels(_ object: ObjectHandle, over leaves: [NodeHandle]) {
    var nodes = leaves
    var height: UInt32 = 0
    let fill = Self.fanout * 3 / 4
    while nodes.count > 1 {
      height += 1
      var parents: [NodeHandle] = []
      var start = 0
      while start < nodes.count {
        let end = min(start + fill, nodes.count)
        parents.append(NodeHandle(addParent(of: nodes[start..<end], level: height)))
        start = end
      }
      nodes = parents
    }
    objects[object].height = UInt8(height)
    objects[object].root = nodes[0]
  }
}
