/// Taking changes from another document in memory.
extension Core {
  /// Heads and their ancestors, in the order in which the reference finds them.
  ///
  /// Source: Specification/Semantics.md, "Fork, merge, duplicates".
  ///
  /// Newest first, roughly: each change comes before those that it depends on unless it was met
  /// on two ways. Callers apply it backwards, and what comes too early waits in the queue.
  ///
  ///      0 <- 1 <- 3         heads [3, 2]:  stack 3 2, take 2, then 0; take 3, then 1; 0 was seen
  ///      0 <- 2              order 2 0 3 1, applied backwards: 1 waits for 0, 3 for 1
  func walk(from heads: [ChangeHash]) -> [ChangeHandle] {
    var seen = ChangeSet(of: history)
    var stack: [ChangeHandle] = []
    var starts = ChangeSet(of: history)
    for hash in heads {
      if let change = history.find(hash) {
        stack.append(change)
        starts[change] = true
      }
    }
    var order: [ChangeHandle] = []
    while let change = stack.popLast() {
      if seen[change] { continue }
      seen[change] = true
      order.append(change)
      for entry in history.records[change].dependencies {
        let dependency = history.dependencies[entry]
        if !starts[dependency] { stack.append(dependency) }
      }
    }
    return order
  }

  /// The changes of `other` that are not here, as it names them, in the order of finding.
  ///
  ///     here     a b              known
  ///     other    a <- b <- d      heads c, d, by hash: order d, c, as b is known
  ///              a <- c           applied backwards: c, then d
  ///
  /// Stops at changes that are known here, whose ancestors all are. Cost: the changes that are
  /// missing, and their dependencies.
  ///
  /// A table of numbers and not a flag for each change: the other document may be large and lack
  /// little here.
  func unknown(in other: borrowing Core) -> [ChangeHandle] {
    var stack = other.history.heads
    other.sortByHash(&stack)
    var order: [ChangeHandle] = []
    // Most merges bring a few changes: arrays that grow from nothing would be moved four times.
    stack.reserveCapacity(16)
    order.reserveCapacity(16)
    var seen = NumberTable()
    while let change = stack.popLast() {
      if history.find(other.history.hashes[change]) != nil { continue }
      if seen.find(UInt64(change.place)) != nil { continue }
      seen.set(UInt64(change.place), 0)
      order.append(change)
      for entry in other.history.records[change].dependencies {
        stack.append(other.history.dependencies[entry])
      }
    }
    return order
  }

  /// Applies changes of another core, the last of a walk first, or none.
  ///
  /// A change may use what it does not depend on, as one of a hostile writer does: the walk then comes to it too
  /// early. The order in which the other core took its changes is one in which they fit.
  ///
  ///     other     1: a's first    2: a's second, which names no dependency
  ///     walk      1 2             backwards: a's second before its first
  mutating func receive(
    backwards walk: [ChangeHandle],
    from other: borrowing Core
  ) throws(ChunkError) {
    do throws(ChunkError) { try receiveChecked(walk.reversed(), from: other) } catch {
      let taken = walk.sorted()
      if taken.elementsEqual(walk.reversed()) { throw error }
      try receiveChecked(taken, from: other)
    }
  }

  /// Applies changes of another core, in the order given.
  ///
  /// Each must have its chunk (``materializeChunks()``); its form is not checked again.
  ///
  /// The other core's bytes are viewed and not copied: it must not change until this returns.
  private mutating func receiveChecked(
    _ order: some Collection<ChangeHandle>,
    from other: borrowing Core
  ) throws(ChunkError) {
    var changes: [Incoming] = []
    changes.reserveCapacity(order.count)
    for change in order {
      let record = other.history.records[change]
      let view = other.history.chunks.view(
        from: record.chunkStart,
        length: Int(record.chunkLength)
      )
      changes.append(
        Incoming(
          hash: other.history.hashes[change],
          bytes: view,
          contentStart: ChunkFrame.contentStart(of: view),
          offset: 0,
          isChecked: true
        )
      )
    }
    try receive(changes)
  }
}
