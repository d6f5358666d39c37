/// Frontiers of the change graph: clocks, and the changes beyond some heads.
extension Core {
  /// Which changes are `hashes` or their ancestors, by position; unknown hashes are ignored.
  ///
  /// Cost: a step for each change up to the newest of `hashes`, and for each of their dependencies.
  func ancestors(of hashes: [ChangeHash]) -> ContiguousArray<Bool> {
    var covered = ContiguousArray(repeating: false, count: history.count)
    var top = -1
    for hash in hashes {
      guard let position = history.find(hash) else { continue }
      covered[Int(position)] = true
      top = max(top, Int(position))
    }
    // Dependencies come before their dependents: one pass downward reaches all.
    while top >= 0 {
      if covered[top] {
        let record = history.records[top]
        for entry in 0..<record.dependencyCount {
          covered[Int(history.dependencies[record.dependencyStart + entry])] = true
        }
      }
      top -= 1
    }
    return covered
  }

  /// The clock of some heads.
  ///
  /// Of each actor the last covered operation stands for all before it, as in the real core:
  /// writers make each change depend on their last one.
  func frontier(_ heads: [ChangeHash]) -> Clock {
    var limits = ContiguousArray(repeating: UInt32(0), count: actors.count)
    let covered = ancestors(of: heads)
    for position in 0..<covered.count where covered[position] {
      let record = history.records[position]
      let actor = Int(record.actor)
      limits[actor] = max(limits[actor], record.maxOp)
    }
    return Clock(limits: limits)
  }

  /// nil, for now, where no heads are given.
  func clock(at heads: [ChangeHash]?) -> Clock? {
    guard let heads else { return nil }
    return frontier(heads)
  }

  /// Positions of the changes which are not `heads` or their ancestors, in history order.
  func positions(since heads: [ChangeHash]) -> [UInt32] {
    if heads.isEmpty { return Array(0..<UInt32(history.count)) }
    let known = Set(heads)
    if history.heads.allSatisfy({ known.contains(history.hashes[$0]) }) { return [] }
    let covered = ancestors(of: heads)
    return (0..<UInt32(covered.count)).filter { !covered[Int($0)] }
  }
}
