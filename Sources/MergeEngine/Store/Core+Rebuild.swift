/// Rebuilding change chunks from the op store.
///
/// A document holds no changes: it says of each who made it and its last operation. All operations,
/// sorted by actor and counter, are dealt out to them:
///
///     actor 0    ops    1  2  3  4  5  6        changes, in document order, by their last operation:
///                       `-----'  |  `--'        0: actor 0 up to 3     2: actor 0 up to 4
///     actor 1    ops    4  5                    1: actor 1 up to 5     3: actor 0 up to 6
///                       `--'
///
/// Each actor has a place in its stretch, which only moves forward. A change has the operations
/// from there up to its last one, which must be numbered without a gap, and in the end no operation
/// may be left.
extension Core {
  /// Where an actor stands in the sorted ops while changes are rebuilt.
  ///
  /// A run may be cut by the end of a change: `offset` is then where the next one goes on in it.
  private struct OpPlace {
    var entry: Int
    let end: Int
    /// Ops of the run at `entry` that are taken already.
    var offset: UInt32 = 0
  }

  /// Rebuilds the chunk of every change in `pending`, whose actor, seq, `maxOp` (in `startOp`),
  /// time, message, extra and dependencies are known; enters them into the history.
  ///
  /// This is what proves a loaded document: ops must fill the changes without gaps.
  ///
  /// The hash of each change is computed from its dependencies' hashes, which come before it.
  /// All together they may have `byteLimit` bytes.
  mutating func rebuildHistory(
    _ pending: borrowing Arena<ChangeRecord>,
    byteLimit: Int
  ) throws(Fault) {
    var collector = OpCollector()
    collector.collect(self)
    var places = try actorPlaces(collector)
    var scratch = Arena<UInt8>()
    var byteCount = 0
    history.reserve(pending.count)
    for position in 0..<pending.count {
      var record = pending[position]
      // A reader does not know where a change begins: until here the field holds where it ends.
      let last = record.startOp
      let author = Int(record.actor)
      let from = places[author]
      encoder.begin(author: record.actor, actorCount: actors.count)
      let count = try noteOps(collector, &places[author], upTo: last, position)
      guard count <= last else { throw Fault(.opCountersNotConsecutive, position, .maxOp) }
      record.opCount = count
      record.startOp = last &- count &+ 1
      if record.startOp == 0 { throw Fault(.startOpZero, position, .maxOp) }
      addOps(collector, from, count, upTo: last)
      try sortDependencies(record, position)
      if Int(record.startOp) - 1 > limits.operationGapLimit {
        var pathLength: UInt32 = 0
        for entry in 0..<record.dependencyCount {
          let dependency = history.dependencies[record.dependencyStart + entry]
          pathLength = max(pathLength, history.pathLength(of: dependency))
        }
        try checkGap(startOp: record.startOp, pathLength: pathLength, part: .maxOp)
      }
      scratch.truncate(to: 0)
      let hash = encoder.finish(
        into: &scratch,
        record,
        text: history.text,
        actors: actors,
        keys
      )
      byteCount += scratch.count
      try meter.spend(
        WorkMeter.change + scratch.count * WorkMeter.hashedByte
          + Int(record.dependencyCount) * WorkMeter.link,
        .rows
      )
      guard byteCount <= byteLimit else {
        throw Fault(.limitExceeded("rebuiltBytesPerByteLimit"), position, .rows)
      }
      // No two changes here have the same hash: each has its own actor and number.
      history.append(record, hash)
      maxOp = max(maxOp, last)
    }
    for place in places where place.entry < place.end {
      let run = collector.runs[place.entry]
      throw Fault(.opOutsideChanges, Int(run.counter), .rows)
    }
  }

  /// Each actor's stretch of the sorted ops.
  ///
  /// Empty for an actor without operations.
  private func actorPlaces(
    _ collector: borrowing OpCollector
  ) throws(Fault) -> ContiguousArray<OpPlace> {
    var places = ContiguousArray(repeating: OpPlace(entry: 0, end: 0), count: actors.count)
    var entry = 0
    while entry < collector.runs.count {
      let actor = collector.runs[entry].actor
      let start = entry
      while entry < collector.runs.count
        && collector.runs[entry].actor == actor
      {
        entry += 1
      }
      places[Int(actor)] = OpPlace(entry: start, end: entry)
    }
    return places
  }

  /// Takes the ops up to a counter, which must be consecutive and end there.
  ///
  /// Returns how many there are; 0 for a change without operations, which is sound.
  ///
  ///     ops of an actor   [1...6] [9]        changes up to 3, up to 6, up to 9
  ///     up to 3           3 of the first run; the place is at 4 in it
  ///     up to 6           3 more; the place is at the second run
  ///     up to 9           1: the change has the operation 9 alone
  ///     up to 9, but the runs are [1...6] [8]      refused: it would end at 8
  ///
  /// Changes of an actor come in the order of their numbers, checked before; so `place` never has
  /// to go back.
  @inline(__always)
  private mutating func noteOps(
    _ collector: borrowing OpCollector,
    _ place: inout OpPlace,
    upTo last: UInt32,
    _ position: Int
  ) throws(Fault) -> UInt32 {
    var count: UInt32 = 0
    var next: UInt32 = 0
    while place.entry < place.end {
      let run = collector.runs[place.entry]
      let first = run.counter &+ place.offset
      if first > last { break }
      if count > 0 && first != next {
        throw Fault(.opCountersNotConsecutive, position, .maxOp)
      }
      encoder.note(run, from: place.offset, collector.preds)
      let left = run.count &- place.offset
      let taken = min(left, last &- first &+ 1)
      count &+= taken
      next = first &+ taken
      if taken == left {
        place.entry += 1
        place.offset = 0
      } else {
        place.offset &+= taken
      }
    }
    if count > 0 && next != last &+ 1 {
      throw Fault(.opCountersNotConsecutive, position, .maxOp)
    }
    return count
  }

  /// The same operations as ``noteOps(_:_:upTo:_:)`` has counted, from the place before it moved.
  @inline(__always)
  private mutating func addOps(
    _ collector: borrowing OpCollector,
    _ start: OpPlace,
    _ count: UInt32,
    upTo last: UInt32
  ) {
    var place = start
    if count == 1 {
      let run = collector.runs[place.entry]
      if encoder.addOnly(
        run,
        from: place.offset,
        preds: collector.preds,
        ranks: actors.ranks,
        keys: keys,
        values: values
      ) {
        return
      }
    }
    encoder.beginColumns(actors.ranks)
    while place.entry < place.end {
      let run = collector.runs[place.entry]
      let first = run.counter &+ place.offset
      if first > last { break }
      let left = run.count &- place.offset
      let taken = min(left, last &- first &+ 1)
      encoder.add(
        run,
        from: place.offset,
        count: taken,
        preds: collector.preds,
        keys: keys,
        values: values
      )
      if taken < left { break }
      place.entry += 1
      place.offset = 0
    }
  }

  /// A change's dependency hashes, ascending; brings its positions into the same order.
  ///
  /// The file's order is by place; the hash needs the order of hashes. Two of one are refused.
  @inline(__always)
  private mutating func sortDependencies(
    _ record: ChangeRecord,
    _ position: Int
  ) throws(Fault) {
    let start = record.dependencyStart
    if record.dependencyCount == 1 {
      encoder.depend(on: history.hashes[history.dependencies[start]])
      return
    }
    var positions: ContiguousArray<UInt32> = []
    for entry in 0..<record.dependencyCount {
      positions.append(history.dependencies[start + entry])
    }
    sortByHash(&positions)
    for (entry, dependency) in positions.enumerated() {
      if entry > 0 && positions[entry - 1] == dependency {
        throw Fault(.dependencyIndexInvalid, position, .depIndex)
      }
      encoder.depend(on: history.hashes[dependency])
      history.dependencies[start + UInt32(entry)] = dependency
    }
  }

  /// Brings back the chunks of changes that came with a document.
  ///
  /// One pass over the whole document, when the bytes of an old change are first asked for.
  ///
  /// Commits what is open. Called again it costs a look at each change. Changes that have their
  /// bytes are encoded, too: the operations of each actor have to be passed in order.
  mutating func materializeChunks() {
    var isComplete = true
    for position in 0..<history.count where history.records[position].chunkLength == 0 {
      isComplete = false
      break
    }
    if isComplete { return }
    commit()
    var collector = OpCollector()
    collector.collect(self)
    guard var places = try? actorPlaces(collector) else { return }
    for position in 0..<history.count {
      let record = history.records[position]
      let author = Int(record.actor)
      let from = places[author]
      encoder.begin(author: record.actor, actorCount: actors.count)
      guard (try? noteOps(collector, &places[author], upTo: record.maxOp, position)) != nil
      else { preconditionFailure("the ops of change \(position) are not whole") }
      addOps(collector, from, record.opCount, upTo: record.maxOp)
      for entry in 0..<record.dependencyCount {
        encoder.depend(on: history.hashes[history.dependencies[record.dependencyStart + entry]])
      }
      let start = history.chunks.count
      let hash = encoder.finish(
        into: &history.chunks,
        record,
        text: history.text,
        actors: actors,
        keys
      )
      // Not reached by input: a loaded change was rebuilt once before, with this hash, and every
      // other change has its bytes.
      precondition(hash == history.hashes[position], "change \(position) rebuilt otherwise")
      if record.chunkLength > 0 {
        history.chunks.truncate(to: start)
      } else {
        history.records[position].chunkStart = start
        history.records[position].chunkLength = UInt32(history.chunks.count - start)
      }
    }
  }
}
