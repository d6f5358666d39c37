/// Builds a sequence's tree from its runs in list order, without searching.
///
/// Leaves are filled to three quarters, so that the first edits find room; the levels above are
/// built when the sequence is complete.
struct SequenceBuilder {
  private var object: UInt32 = .max
  private var leaf: UInt32 = .max
  private static let fill = LeafRecord.capacity * 3 / 4

  mutating func begin(_ object: UInt32) {
    self.object = object
    leaf = .max
  }

  @inline(__always)
  mutating func append(_ run: ElementRun, width: UInt32, to core: inout Core) {
    if leaf == .max || Int(core.leaves[leaf].count) >= Self.fill {
      let fresh = core.addLeaf(object)
      if leaf == .max {
        core.objects[object].firstLeaf = fresh
      } else {
        core.leaves[leaf].next = fresh
        core.leaves[fresh].previous = leaf
      }
      leaf = fresh
    }
    let slot = Int(core.leaves[leaf].count)
    core.leaves[leaf].count += 1
    core.runs[core.at(leaf, slot)] = run
    core.widths[core.at(leaf, slot)] = width
    let minimum = core.leaves[leaf].minimum
    if core.precedesOrUnset(run.first, minimum) { core.leaves[leaf].minimum = run.first }
    core.objects[object].length &+= width
  }

  /// Builds the inner nodes over the leaves.
  mutating func finish(_ core: inout Core) {
    guard leaf != .max else { return }
    var level: [UInt32] = []
    var scan = core.objects[object].firstLeaf
    while scan != .max {
      level.append(scan)
      scan = core.leaves[scan].next
    }
    core.buildLevels(object, level)
  }
}

extension Core {
  /// Builds the inner levels over an object's leaves.
  mutating func buildLevels(_ object: UInt32, _ leaves: [UInt32]) {
    var nodes = leaves
    var height: UInt32 = 0
    let fill = Self.fanout * 3 / 4
    while nodes.count > 1 {
      height += 1
      var parents: [UInt32] = []
      var start = 0
      while start < nodes.count {
        let end = min(start + fill, nodes.count)
        parents.append(addParent(of: Array(nodes[start..<end]), level: height))
        start = end
      }
      nodes = parents
    }
    objects[object].height = UInt8(height)
    objects[object].root = nodes[0]
  }
}
