/// Taking in changes as bytes: order, checks, and undoing a batch that turns out damaged.
extension Core {
  /// One chunk to apply: a plain change, by its place in some bytes.
  struct Incoming {
    var hash: ChangeHash
    /// The plain chunk.
    var bytes: ByteView
    var contentStart: Int
    /// Where the chunk stands in the caller's input, for error offsets.
    var offset: Int
    /// Whether it comes from another document in memory, or waited in this one: its form was checked, and its bytes
    /// were counted as work.
    var isChecked = false
  }

  /// Applies changes in the order given; those whose dependencies are missing wait.
  ///
  /// Known changes are skipped. If any change is refused, the document is as before the call. A
  /// change that waited before and is refused now is dropped, and is no reason to refuse the call. Of a
  /// document's file (`isFile`) all that waits has waited before: what stands behind it may have come later.
  ///
  ///     begin        marks: history, queue, values, actors, maxOp
  ///     each         applied, or queued, or known already
  ///     applyReady   what waited and can go now; what now waits in vain is dropped
  ///     keep         or, after an error: operations undone newest first, and everything cut back to the marks
  ///
  /// Keys and list trees may stay larger than they were: neither shows in a read or in saved bytes,
  /// and ``giveBackMemory()`` bounds them.
  ///
  /// A mark per kind of memory, and no copy of the document: what an attacker can make the engine
  /// do twice is bounded by what was applied.
  mutating func receive(_ changes: [Incoming], isFile: Bool = false) throws(ChunkError) {
    commit()
    let mark = history.begin()
    let firstOwn = isFile ? .max : history.waiting.nextNumber
    let workCount = history.workCount
    defer { meter.add(history.workCount - workCount) }
    let valueCount = values.count
    let actorCount = actors.count
    let oldMaxOp = maxOp
    do {
      let droppedCount = history.droppedCount
      try receiveAll(changes, firstOwn: firstOwn)
      history.keep()
      if history.droppedCount > droppedCount {
        forgetUnusedActors()
        giveBackMemory()
      }
      checkIfSmall()
    } catch {
      rewind(to: mark)
      values.truncate(to: valueCount)
      truncateActors(to: actorCount)
      maxOp = oldMaxOp
      giveBackMemory()
      throw error
    }
  }

  /// Applies or queues changes, then applies what waited for them.
  ///
  /// `inbox` lends its buffers for all of them, and has them back before anything is given back.
  private mutating func receiveAll(_ changes: [Incoming], firstOwn: Int) throws(ChunkError) {
    var decoded = DecodedChange()
    swap(&decoded, &inbox)
    defer { swap(&decoded, &inbox) }
    let first = history.count
    let isMerge = changes.allSatisfy(\.isChecked)
    if isMerge && changes.count <= Sizes.fewChanges && history.waiting.isEmpty {
      return try receiveFew(changes, &decoded)
    }
    for change in changes { try receive(change, &decoded) }
    try applyReady(firstOwn: firstOwn, &decoded)
    try dropVainChanges(after: first, firstOwn: firstOwn)
  }

  /// Applies a few changes of another document, which holds all that they depend on.
  ///
  /// The order is that of ``applyReady(firstOwn:_:)``. What comes too early is tried again instead of
  /// queued: the queue's tables and copies cost W8 2.6 % of its instructions.
  private mutating func receiveFew(
    _ changes: [Incoming],
    _ decoded: inout DecodedChange
  ) throws(ChunkError) {
    var early: [Incoming] = []
    for change in changes where try !receive(change, queues: false, &decoded) {
      early.append(change)
    }
    var place = 0
    while place < early.count {
      if try receive(early[place], queues: false, &decoded) {
        early.swapAt(place, early.count - 1)
        early.removeLast()
        place = 0
      } else {
        place += 1
      }
    }
    precondition(early.isEmpty, "a change of another document lacks a dependency")
  }

  /// Forgets the actors from a number on; no operation of theirs is left.
  private mutating func truncateActors(to count: Int) {
    if actors.count > count {
      actors.truncate(to: count)
      // Minima may still name the actors that are gone.
      resetMinima()
    }
  }

  /// Forgets the last actors of whom no change is here: those that dropped changes alone have named.
  ///
  /// An actor in the middle stays: numbers of those behind it must not change.
  ///
  /// Without it, dropped changes of new actors would fill the table of actors, which has room for
  /// 65,535.
  private mutating func forgetUnusedActors() {
    var count = actors.count
    while count > 0, history.sequence(of: UInt16(count - 1)) == 0 { count -= 1 }
    truncateActors(to: count)
  }

  /// Applies one change, or queues it.
  ///
  /// In this order: known already, or another change with that number; a dependency is missing;
  /// apply. A change whose form is bad is refused even if it would have to wait.
  /// `decoded` lends its buffers. A change that has to wait and is not queued is the caller's.
  ///
  /// - Returns: False if a dependency is missing.
  @discardableResult
  mutating func receive(
    _ change: Incoming,
    queues: Bool = true,
    _ decoded: inout DecodedChange
  ) throws(ChunkError) -> Bool {
    do throws(Fault) {
      var cursor = ByteCursor(
        change.bytes.part(
          from: change.contentStart,
          length: change.bytes.count - change.contentStart
        )
      )
      let header = try ChangeHeader(&cursor)
      // A number the actor has not reached yet is new; the hash need not be looked up.
      let author = actors.find(header.actorBytes)
      if let author, header.seq <= UInt64(history.sequence(of: author)) {
        if history.find(change.hash) != nil { return true }
        // Whatever it waits for, it will never be the actor's next.
        throw Fault(.duplicateSequence(actor: header.actor, seq: header.seq), 0, .seq)
      }
      for index in 0..<header.dependencyCount
      where history.find(header.dependency(index)) == nil {
        if queues && !history.waiting.contains(change.hash) {
          try checkForm(of: change, header: header, cursor: &cursor, &decoded)
          try enqueue(change, header: header)
        }
        return false
      }
      try apply(change, header, of: author, &cursor, &decoded)
      return true
    } catch {
      throw error.error(base: change.offset + change.contentStart, in: ["change"])
    }
  }

  /// Reads a change that will wait, as far as its dependencies do not matter.
  ///
  /// Nothing of it stays but the names of actors and keys.
  private mutating func checkForm(
    of change: Incoming,
    header: ChangeHeader,
    cursor: inout ByteCursor,
    _ decoded: inout DecodedChange
  ) throws(Fault) {
    if change.isChecked { return }
    let valueCount = values.count
    defer { values.truncate(to: valueCount) }
    _ = try read(change, header, &cursor, into: &decoded)
  }

  /// Reads a change's rows and holds them to the canonical form.
  ///
  /// Its values then stand at the end of `values`, and are the caller's to take back.
  ///
  /// - Returns: The author's number.
  private mutating func read(
    _ change: Incoming,
    _ header: ChangeHeader,
    of known: UInt16? = nil,
    _ cursor: inout ByteCursor,
    into decoded: inout DecodedChange
  ) throws(Fault) -> UInt16 {
    guard
      let author = known ?? actors.intern(header.actorBytes, limit: limits.receivedActorLimit)
    else {
      throw Fault(.limitExceeded(.receivedActorLimit), 0, .changeActor)
    }
    var offset = header.otherActorStart
    for _ in 0..<header.otherActorCount {
      let other = try header.otherActor(at: &offset)
      guard actors.intern(other, limit: limits.receivedActorLimit) != nil else {
        throw Fault(.limitExceeded(.receivedActorLimit), 0, .otherActors)
      }
    }
    decoded.entryLimit =
      memoryCeiling == .max
      ? .max : max(memoryCeiling - byteCount, 0) / MemoryLayout<OpRun>.stride
    decoded.rowLimit = meter.left / WorkMeter.joinedRow
    decoded.isTrusted = change.isChecked
    defer {
      decoded.entryLimit = .max
      decoded.rowLimit = .max
      decoded.isTrusted = false
    }
    do throws(Fault) {
      try decoded.read(
        header,
        from: &cursor,
        author: author,
        table: actors,
        keys: &keys,
        values: &values
      )
    } catch {
      // What was read in vain was read all the same: a file may hold such a change any number of times.
      meter.add(Self.work(of: change, header, decoded))
      throw error
    }
    // Counted, and not only asked for: it is done.
    meter.add(Self.work(of: change, header, decoded))
    try meter.check(.content)
    // A document saves extra bytes as a value.
    let extraCount = change.bytes.count - change.contentStart - decoded.extraStart
    guard extraCount <= Limits.valueByteLimit else {
      throw Fault(.limitExceeded(.valueByteLimit), decoded.extraStart, .content)
    }
    // Changes from a document in memory were checked when they came in.
    if change.isChecked { return author }
    if decoded.isCanonical {
      assert(isWrittenAlike(change, header: header, decoded: decoded, author: author))
    } else if !isWrittenAlike(change, header: header, decoded: decoded, author: author) {
      throw Fault(.notCanonical, 0, .content)
    }
    return author
  }

  /// What it cost to read a change, as far as it was read; of one that was checked its rows alone, as it was paid
  /// for as a whole before.
  private static func work(
    of change: Incoming,
    _ header: ChangeHeader,
    _ decoded: borrowing DecodedChange
  ) -> Int {
    (change.isChecked ? 0 : WorkMeter.change + change.bytes.count * WorkMeter.hashedByte)
      + decoded.runs.count * (WorkMeter.row - WorkMeter.joinedRow)
      + decoded.singleCount * WorkMeter.joinedRow + decoded.preds.count * WorkMeter.link
      + header.dependencyCount * WorkMeter.link + header.otherActorCount * WorkMeter.row
  }

  /// Encodes the change again and compares: what differs could not be rebuilt from a document.
  ///
  /// Cost: that of encoding the change.
  private mutating func isWrittenAlike(
    _ change: Incoming,
    header: ChangeHeader,
    decoded: borrowing DecodedChange,
    author: UInt16
  ) -> Bool {
    encoder.begin(author: author, actorCount: actors.count)
    for entry in 0..<decoded.runs.count {
      encoder.note(decoded.runs[entry], from: 0, decoded.preds)
    }
    for index in 0..<header.dependencyCount { encoder.depend(on: header.dependency(index)) }
    encoder.addAll(
      decoded.runs,
      opCount: decoded.opCount,
      preds: decoded.preds,
      ranks: actors.ranks,
      keys: keys,
      values: values
    )
    let content = change.bytes.part(
      from: change.contentStart,
      length: change.bytes.count - change.contentStart
    )
    encoder.writeContent(
      actors: actors,
      seq: header.seq,
      startOp: header.startOp,
      time: header.time,
      message: content.part(from: header.messageStart, length: header.messageLength),
      extra: content.part(
        from: decoded.extraStart,
        length: content.count - decoded.extraStart
      ),
      keys
    )
    return encoder.content.view.matches(content)
  }

  /// Applies a change whose dependencies are all here.
  ///
  /// `known` is the author's number, `nil` for one of whom nothing was here; `decoded` lends its buffers.
  private mutating func apply(
    _ change: Incoming,
    _ header: ChangeHeader,
    of known: UInt16?,
    _ cursor: inout ByteCursor,
    _ decoded: inout DecodedChange
  ) throws(Fault) {
    try checkSequence(header, of: known)
    let valueCount = values.count
    do throws(Fault) {
      let author = try read(change, header, of: known, &cursor, into: &decoded)
      try applyRuns(decoded)
      enter(change, header: header, decoded: decoded, author: author)
    } catch {
      values.truncate(to: valueCount)
      throw error
    }
  }

  /// The number must be the actor's next, and the first operation above all of its earlier ones.
  ///
  ///     here    3 changes of the actor, the last with operations up to 20
  ///     seq 4, startOp 21 or more     the next
  ///     seq 4, startOp 20             startOpNotAboveEarlier
  ///     seq 3, or 5                   duplicateSequence, sequenceGap
  ///
  /// Both are known before a column is read.
  private func checkSequence(_ header: ChangeHeader, of author: UInt16?) throws(Fault) {
    var known: UInt64 = 0
    var lastOp: UInt32 = 0
    if let author {
      known = UInt64(history.sequence(of: author))
      if known > 0 { lastOp = history.records[history.latest(of: author)].maxOp }
    }
    guard header.seq > known else {
      throw Fault(.duplicateSequence(actor: header.actor, seq: header.seq), 0, .seq)
    }
    guard header.seq == known + 1 else {
      throw Fault(
        .sequenceGap(actor: header.actor, expected: known + 1, found: header.seq),
        0,
        .seq
      )
    }
    guard header.time > -Limits.timeLimit, header.time < Limits.timeLimit else {
      throw Fault(.timeTooLarge, 0, .time)
    }
    guard history.text.count + header.content.count <= Limits.totalValueByteLimit else {
      throw Fault(.limitExceeded(.totalValueByteLimit), 0, .content)
    }
    guard header.startOp > lastOp else {
      throw Fault(.startOpNotAboveEarlier, 0, .startOp)
    }
    // Most documents have fewer operations than may be left out.
    guard Int(header.startOp) - 1 > limits.operationGapLimit else { return }
    var pathLength: UInt32 = 0
    for index in 0..<header.dependencyCount {
      guard let change = history.find(header.dependency(index)) else { continue }
      pathLength = max(pathLength, history.pathLength(of: change))
    }
    try checkGap(startOp: header.startOp, pathLength: pathLength, part: .startOp)
  }

  /// Refuses a change that leaves out more operation numbers than it may.
  ///
  /// `pathLength` counts the operations of the longest way through the change's dependencies: a
  /// writer who knows no more numbers on from there. The difference is what the writer left out:
  /// with 100 operations on the way, `startOp` 101 leaves out none, and 151 leaves out 50.
  func checkGap(startOp: UInt32, pathLength: UInt32, part: Fault.Part) throws(Fault) {
    guard Int(startOp) - 1 - Int(pathLength) <= limits.operationGapLimit else {
      throw Fault(.limitExceeded(.operationGapLimit), 0, part)
    }
  }

  /// Applies all runs or none.
  ///
  /// A run that was refused in the middle is undone up to where it came, then those before it.
  ///
  ///     runs      [insert 7...9] [delete 10...14] [put 15]
  ///     refused   at the third deletion: `done` is 2
  ///     undone    deletions 11, 10, then insertions 9, 8, 7
  private mutating func applyRuns(_ decoded: borrowing DecodedChange) throws(Fault) {
    for entry in 0..<decoded.runs.count {
      var done: UInt32 = 0
      do throws(Fault) {
        if entry % 256 == 255 { try checkMemory(in: .apply) }
        try apply(decoded.runs[entry], decoded.preds, done: &done)
      } catch {
        if done > 0 {
          var part = decoded.runs[entry]
          part.count = done
          undo(part, decoded.preds)
        }
        var back = entry
        while back > 0 {
          back -= 1
          undo(decoded.runs[back], decoded.preds)
        }
        throw error
      }
    }
  }

  /// Enters an applied change into the history.
  ///
  /// The chunk is kept as it came: it is canonical, so that rebuilding it would give the same
  /// bytes.
  private mutating func enter(
    _ change: Incoming,
    header: ChangeHeader,
    decoded: borrowing DecodedChange,
    author: UInt16
  ) {
    let content = change.bytes.part(
      from: change.contentStart,
      length: change.bytes.count - change.contentStart
    )
    let dependencyStart = history.dependencies.nextHandle
    for index in 0..<header.dependencyCount {
      if let dependency = history.find(header.dependency(index)) {
        history.dependencies.append(dependency)
      }
    }
    let messageStart = history.text.count
    history.text.append(
      content.part(from: header.messageStart, length: header.messageLength)
    )
    let extraStart = history.text.count
    history.text.append(
      content.part(from: decoded.extraStart, length: content.count - decoded.extraStart)
    )
    let chunkStart = history.chunks.count
    history.chunks.append(change.bytes)
    history.append(
      ChangeRecord(
        actor: author,
        seq: UInt32(header.seq),
        startOp: header.startOp,
        opCount: decoded.opCount,
        time: header.time,
        messageStart: UInt32(messageStart),
        messageLength: UInt32(header.messageLength),
        extraStart: UInt32(extraStart),
        extraLength: UInt32(history.text.count - extraStart),
        dependencyStart: dependencyStart,
        dependencyCount: UInt32(header.dependencyCount),
        chunkStart: chunkStart,
        chunkLength: UInt32(change.bytes.count)
      ),
      change.hash
    )
    maxOp = max(maxOp, header.startOp &+ decoded.opCount &- 1)
  }

  /// Takes back every change applied since `mark`, newest first.
  ///
  /// The log of what was done are the chunks themselves: each is decoded again for its operations.
  /// Their keys are all known, and their values are read again and dropped.
  ///
  /// Newest first, since an operation can only be undone when nothing refers to it. Cost: decoding
  /// again what is taken back; the way of the error pays, and not every change that is applied.
  private mutating func rewind(to mark: History.Mark) {
    var decoded = DecodedChange()
    let valueCount = values.count
    for change in history.changes(from: mark.changeCount).reversed() {
      let record = history.records[change]
      var copy = Arena<UInt8>(capacity: Int(record.chunkLength))
      copy.append(history.chunks, from: record.chunkStart, length: Int(record.chunkLength))
      decodeAgain(copy.view, by: record.actor, into: &decoded)
      values.truncate(to: valueCount)
      var entry = decoded.runs.count
      while entry > 0 {
        entry -= 1
        undo(decoded.runs[entry], decoded.preds)
      }
    }
    history.rewind(to: mark)
  }

  /// Reads the operations of a change that was applied once more, from its plain chunk.
  ///
  /// The bytes were read once already: they are whole, and their actors and keys are known. Their values go
  /// behind `values`, and are the caller's to take back.
  mutating func decodeAgain(
    _ chunk: ByteView,
    by author: UInt16,
    into decoded: inout DecodedChange
  ) {
    decoded.isTrusted = true
    defer { decoded.isTrusted = false }
    do throws(Fault) {
      var cursor = ByteCursor(chunk)
      let frame = try ChunkFrame(&cursor)
      var content = ByteCursor(
        chunk.part(from: frame.contentStart, length: frame.end - frame.contentStart)
      )
      let header = try ChangeHeader(&content)
      try decoded.read(
        header,
        from: &content,
        author: author,
        table: actors,
        keys: &keys,
        values: &values
      )
    } catch {
      preconditionFailure("a change that was applied no longer reads: \(error)")
    }
  }
}
