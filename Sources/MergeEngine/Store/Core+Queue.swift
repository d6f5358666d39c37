/// Waiting changes: applying those whose dependencies have arrived.
extension Core {
  /// Applies every waiting change that has become ready, and what that makes ready.
  ///
  /// The first `known` changes of the queue waited when the call began. Should one of them turn out
  /// bad, it is dropped (``History/dropped``): another's earlier input must not undo this call. What
  /// depends on it goes on waiting. A bad change behind them is the call's own, and refuses it.
  ///
  /// The order is the reference's, since it shows in saved bytes: the first ready change of the
  /// queue, then again from the start, the last of the queue taking the place of the one taken.
  /// Cost: one pass over the queue, and logarithmic for each change applied. What the known changes
  /// cost is not taken from the bytes of the call.
  mutating func applyReady(known: Int) throws(ChunkError) {
    if history.waiting.isEmpty { return }
    var queue: [WaitingChange] = []
    swap(&queue, &history.waiting)
    /// Place in the queue by entry, entry by place.
    var places = Array(queue.indices)
    var entries = Array(queue.indices)
    var missing = [Int](repeating: 0, count: queue.count)
    var wanted: [ChangeHash: [Int]] = [:]
    var ready = PlaceHeap()
    var pool = Limits.freeWorkCount
    for (entry, change) in queue.enumerated() {
      for dependency in change.dependencies where history.find(dependency) == nil {
        missing[entry] += 1
        wanted[dependency, default: []].append(entry)
      }
      if missing[entry] == 0 { ready.push(entry, entry) }
    }
    while let (place, entry) = ready.pop() {
      guard place < entries.count, entries[place] == entry else { continue }
      let moved = entries.removeLast()
      if moved != entry {
        entries[place] = moved
        places[moved] = place
        if missing[moved] == 0 { ready.push(place, moved) }
      }
      let change = queue[entry]
      if entry < known {
        do throws(ChunkError) {
          try meter.apart(byteCount: change.bytes.count, pool: &pool) { () throws(ChunkError) in
            try applyWaiting(change)
          }
        } catch {
          history.drop(DroppedChange(hash: change.hash, reason: error))
          continue
        }
      } else {
        // Should it be refused, the caller restores the queue as it was.
        try applyWaiting(change)
      }
      for waiting in wanted[change.hash] ?? [] {
        missing[waiting] -= 1
        if missing[waiting] == 0 { ready.push(places[waiting], waiting) }
      }
    }
    history.waiting = entries.map { queue[$0] }
  }

  private mutating func applyWaiting(_ change: WaitingChange) throws(ChunkError) {
    try withView(of: change.bytes) { (view) throws(ChunkError) in
      var cursor = ByteCursor(view)
      let frame: ChunkFrame
      do throws(Fault) { frame = try ChunkFrame(&cursor) } catch {
        throw error.error(base: 0, in: ["waiting change"])
      }
      try receive(
        Incoming(
          hash: change.hash,
          bytes: view,
          contentStart: frame.contentStart,
          offset: 0,
          // Its form was checked before it was queued.
          isChecked: true
        )
      )
    }
  }
}

/// A heap of queue places, smallest first.
private struct PlaceHeap {
  private var items: [(place: Int, entry: Int)] = []

  mutating func push(_ place: Int, _ entry: Int) {
    items.append((place, entry))
    var child = items.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      if items[parent].place <= items[child].place { break }
      items.swapAt(parent, child)
      child = parent
    }
  }

  mutating func pop() -> (place: Int, entry: Int)? {
    guard let first = items.first else { return nil }
    let last = items.removeLast()
    if items.isEmpty { return first }
    items[0] = last
    var parent = 0
    while true {
      var child = parent * 2 + 1
      if child >= items.count { break }
      if child + 1 < items.count && items[child + 1].place < items[child].place { child += 1 }
      if items[parent].place <= items[child].place { break }
      items.swapAt(parent, child)
      parent = child
    }
    return first
  }
}
