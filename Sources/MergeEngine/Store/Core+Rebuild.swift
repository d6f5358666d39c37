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
    /// The next of the actor's runs, and the one behind its last.
    var run: OpRunHandle
    let end: OpRunHandle
    /// Ops of `run` that are taken already.
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
    var places = actorPlaces(collector)
    var scratch = Arena<UInt8>()
    var byteCount = 0
    var entered = ContiguousArray(repeating: UInt32(0), count: actors.count)
    history.reserve(pending.count)
    for change in pending.handles {
      var record = pending[change]
      // A reader does not know where a change begins: until here the field holds where it ends.
      let last = record.startOp
      let author = Int(record.actor)
      let from = places[author]
      encoder.begin(author: record.actor, actorCount: actors.count)
      let count = try noteOps(
        collector,
        &places[author],
        upTo: last,
        of: change,
        behind: entered
      )
      entered[author] = last
      guard count <= last else { throw Fault(.opCountersNotConsecutive, change.index, .maxOp) }
      record.opCount = count
      record.startOp = last &- count &+ 1
      if record.startOp == 0 { throw Fault(.startOpZero, change.index, .maxOp) }
      addOps(collector, from, count, upTo: last)
      try sortDependencies(record, of: change)
      if Int(record.startOp) - 1 > limits.operationGapLimit {
        var pathLength: UInt32 = 0
        for entry in record.dependencies {
          pathLength = max(pathLength, history.pathLength(of: history.dependencies[entry]))
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
        throw Fault(.limitExceeded(.memoryPerByteLimit), change.index, .rows)
      }
      // No two changes here have the same hash: each has its own actor and number.
      history.append(record, hash)
      maxOp = max(maxOp, last)
    }
    for place in places where place.run < place.end {
      let run = collector.runs[place.run]
      throw Fault(.opOutsideChanges, Int(run.counter), .rows)
    }
  }

  /// Each actor's stretch of the sorted ops.
  ///
  /// Empty for an actor without operations.
  private func actorPlaces(
    _ collector: borrowing OpCollector
  ) -> ContiguousArray<OpPlace> {
    let none = OpPlace(run: OpRunHandle(place: 0), end: OpRunHandle(place: 0))
    var places = ContiguousArray(repeating: none, count: actors.count)
    var run = OpRunHandle(place: 0)
    while collector.runs.contains(run) {
      let actor = collector.runs[run].actor
      let start = run
      while collector.runs.contains(run) && collector.runs[run].actor == actor { run = run.next }
      places[Int(actor)] = OpPlace(run: start, end: run)
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
  ///
  /// `entered` has each actor's last operation in the changes before; the operations may name no others but
  /// those of their own change. `nil` asks nothing.
  @inline(__always)
  private mutating func noteOps(
    _ collector: borrowing OpCollector,
    _ place: inout OpPlace,
    upTo last: UInt32,
    of change: ChangeHandle,
    behind entered: ContiguousArray<UInt32>? = nil
  ) throws(Fault) -> UInt32 {
    var count: UInt32 = 0
    var next: UInt32 = 0
    while place.run < place.end {
      let run = collector.runs[place.run]
      let first = run.counter &+ place.offset
      if first > last { break }
      if count > 0 && first != next {
        throw Fault(.opCountersNotConsecutive, change.index, .maxOp)
      }
      encoder.note(run, from: place.offset, collector.preds)
      let left = run.count &- place.offset
      let taken = min(left, last &- first &+ 1)
      if let entered {
        let ops = place.offset..<place.offset &+ taken
        try Self.checkNames(of: run, ops, collector.preds, behind: entered, in: change)
      }
      count &+= taken
      next = first &+ taken
      if taken == left {
        place.run = place.run.next
        place.offset = 0
      } else {
        place.offset &+= taken
      }
    }
    if count > 0 && next != last &+ 1 {
      throw Fault(.opCountersNotConsecutive, change.index, .maxOp)
    }
    return count
  }

  /// Refuses operations that stand before one that they name: a replica which takes the changes one by one,
  /// in the order of the file, would not know it yet.
  ///
  ///     changes        a: 1...3      b: 4, put in 2@a      `entered` at b's change: a 3, b 0
  ///     in this order  2@a is known
  ///     b's first      refused: `entered` is a 0, b 0, and 2@a no operation of b's own
  ///
  /// All that is named is there: the rows have shown it. Of what an operation's own author made, all that is
  /// below it is known. Elements of a run go on by one, as its operations do, or go down: its first
  /// answers for all that its author made, and the greatest for all of another.
  @inline(__always)
  private static func checkNames(
    of run: OpRun,
    _ ops: Range<UInt32>,
    _ preds: borrowing Arena<PackedID>,
    behind entered: ContiguousArray<UInt32>,
    in change: ChangeHandle
  ) throws(Fault) {
    let first = run.counter &+ ops.lowerBound
    func isKnown(_ id: PackedID) -> Bool {
      id.counter <= entered[Int(id.actor)] || (id.actor == run.actor && id.counter < first)
    }
    guard run.object.isNone || isKnown(run.object) else {
      throw Fault(.unknownObject, change.index, .rows)
    }
    if run.key.isNone {
      var element = run.element(of: ops.lowerBound)
      if run.isPlainDelete && run.step > 0 && run.elementActor != run.actor {
        element = run.element(of: ops.upperBound &- 1)
      }
      guard element.isNone || isKnown(element) else {
        throw Fault(.unknownElement, change.index, .rows)
      }
    }
    for entry in run.preds where !isKnown(preds[entry]) {
      throw Fault(.predecessorInvalid, change.index, .rows)
    }
  }

  /// The same operations as ``noteOps(_:_:upTo:of:behind:)`` has counted, from the place before it moved.
  @inline(__always)
  private mutating func addOps(
    _ collector: borrowing OpCollector,
    _ start: OpPlace,
    _ count: UInt32,
    upTo last: UInt32
  ) {
    var place = start
    if count == 1 {
      let run = collector.runs[place.run]
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
    while place.run < place.end {
      let run = collector.runs[place.run]
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
      place.run = place.run.next
      place.offset = 0
    }
  }

  /// A change's dependency hashes, ascending; brings its entries into the same order.
  ///
  /// The file's order is by place; the hash needs the order of hashes. Two of one are refused.
  @inline(__always)
  private mutating func sortDependencies(
    _ record: ChangeRecord,
    of change: ChangeHandle
  ) throws(Fault) {
    if record.dependencyCount == 1 {
      encoder.depend(on: history.hashes[history.dependencies[record.dependencyStart]])
      return
    }
    var sorted: ContiguousArray<ChangeHandle> = []
    sorted.reserveCapacity(Int(record.dependencyCount))
    for entry in record.dependencies { sorted.append(history.dependencies[entry]) }
    sortByHash(&sorted)
    var last = ChangeHandle.none
    for (entry, dependency) in zip(record.dependencies, sorted) {
      if dependency == last { throw Fault(.dependencyIndexInvalid, change.index, .depIndex) }
      encoder.depend(on: history.hashes[dependency])
      history.dependencies[entry] = dependency
      last = dependency
    }
  }

  /// Brings back the chunks of changes that came with a document.
  ///
  /// One pass over the whole document, when the bytes of an old change are first asked for.
  ///
  /// Commits what is open. Called again it costs a look at each change. Changes that have their
  /// bytes are encoded, too: the operations of each actor have to be passed in order.
  ///
  /// What it adds is the document's own, and counts as settled. Otherwise a peer that asks for all changes
  /// would make the next refusal throw them away, and could ask again.
  mutating func materializeChunks() {
    if history.changes.allSatisfy({ history.records[$0].chunkLength > 0 }) { return }
    commit()
    let byteCapacityBefore = byteCapacity
    defer { settledByteCapacity += byteCapacity - byteCapacityBefore }
    var collector = OpCollector()
    collector.collect(self)
    var places = actorPlaces(collector)
    for change in history.changes {
      let record = history.records[change]
      let author = Int(record.actor)
      let from = places[author]
      encoder.begin(author: record.actor, actorCount: actors.count)
      guard (try? noteOps(collector, &places[author], upTo: record.maxOp, of: change)) != nil
      else { preconditionFailure("the ops of change \(change.place) are not whole") }
      addOps(collector, from, record.opCount, upTo: record.maxOp)
      for entry in record.dependencies {
        encoder.depend(on: history.hashes[history.dependencies[entry]])
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
      precondition(hash == history.hashes[change], "change \(change.place) rebuilt otherwise")
      if record.chunkLength > 0 {
        history.chunks.truncate(to: start)
      } else {
        history.records[change].chunkStart = start
        history.records[change].chunkLength = UInt32(history.chunks.count - start)
      }
    }
  }
}
