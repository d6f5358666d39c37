/// Frontiers of the change graph: clocks, and the changes beyond some heads.
extension Core {
  /// The changes that are `hashes` or their ancestors; unknown hashes are ignored.
  ///
  /// Cost: a step for each change up to the newest of `hashes`, and for each of their dependencies.
  func ancestors(of hashes: [ChangeHash]) -> ChangeSet {
    var covered = ChangeSet(of: history)
    // How many changes, from the first on, may be covered.
    var count = 0
    for hash in hashes {
      guard let change = history.find(hash) else { continue }
      covered[change] = true
      count = max(count, change.next.index)
    }
    // Dependencies come before their dependents: one pass downward reaches all.
    while count > 0 {
      count -= 1
      let change = ChangeHandle(count)
      guard covered[change] else { continue }
      for entry in history.records[change].dependencies {
        covered[history.dependencies[entry]] = true
      }
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
    for change in history.changes where covered[change] {
      let record = history.records[change]
      let actor = Int(record.actor)
      limits[actor] = max(limits[actor], record.maxOp)
    }
    return Clock(limits: limits)
  }

  /// `nil`, for now, where no heads are given.
  ///
  /// Callers often read the past at the same heads, so the last clock is cached.
  func clock(at heads: [ChangeHash]?) -> Clock? {
    guard let heads else { return nil }
    let state = ClockMemo.State(
      changeCount: history.count,
      actorCount: actors.count,
      compactions: compactions
    )
    if let known = clockMemo.clock(of: heads, state) { return known }
    let clock = frontier(heads)
    clockMemo.keep(clock, of: heads, state)
    return clock
  }

  /// The changes which are not `heads` or their ancestors, in history order.
  func changes(since heads: [ChangeHash]) -> [ChangeHandle] {
    if heads.isEmpty { return Array(history.changes) }
    let known = Set(heads)
    if history.heads.allSatisfy({ known.contains(history.hashes[$0]) }) { return [] }
    let covered = ancestors(of: heads)
    return history.changes.filter { !covered[$0] }
  }
}

/// The clock that was asked for last.
///
/// A class, so that reads which change nothing else can keep it.
final class ClockMemo {
  /// What a clock depends on besides the heads: a change that comes may be one of them, and the numbers
  /// of actors are those of the clock's limits.
  struct State: Equatable {
    let changeCount: Int
    let actorCount: Int
    let compactions: UInt32
  }

  private var heads: [ChangeHash] = []
  private var state: State?
  private var clock = Clock(limits: [])

  func clock(of heads: [ChangeHash], _ state: State) -> Clock? {
    self.state == state && self.heads == heads ? clock : nil
  }

  func keep(_ clock: Clock, of heads: [ChangeHash], _ state: State) {
    self.heads = heads
    self.state = state
    self.clock = clock
  }
}
