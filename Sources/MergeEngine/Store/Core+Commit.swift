/// Ends of a transaction: commit and rollback.
///
///      transaction   log   | run | run | run |     startOp ... maxOp, every number in one run
///                    preds | p p | p |             predecessors that the runs name
///      commit        encode -> hash -> history;    log and preds are emptied, and keep their memory
///      rollback      undo from the last run on;    maxOp goes back, the numbers are used again
extension Core {
  /// Operations of the open transaction.
  var pendingCount: Int {
    transaction.isOpen ? Int(maxOp &- transaction.startOp &+ 1) : 0
  }

  /// Makes the open transaction a change; `nil` if it has no operations.
  ///
  /// Called twice in a row, the second call makes nothing. Most public calls that look at the
  /// history begin with it.
  @discardableResult
  mutating func commit(message: String? = nil, time: Int64 = 0) -> ChangeHash? {
    guard transaction.isOpen else { return nil }
    transaction.isOpen = false
    if transaction.log.isEmpty { return nil }
    return appendLocalChange(
      actor: transaction.actor,
      startOp: transaction.startOp,
      opCount: maxOp &- transaction.startOp &+ 1,
      message: message,
      time: time
    )
  }

  /// Makes a change without operations, on top of all heads.
  ///
  /// - Throws: `limitExceeded` where the document has no room for the writer, `counterOverflow`
  ///   where no number is left for a next operation.
  mutating func commitEmpty(
    message: String?,
    time: Int64
  ) throws(EditError) -> ChangeHash {
    guard let number = actors.intern(actor) else { throw .limitExceeded(.actorLimit) }
    guard maxOp < .max else { throw .counterOverflow }
    return appendLocalChange(
      actor: number,
      startOp: maxOp &+ 1,
      opCount: 0,
      message: message,
      time: time
    )
  }

  /// Encodes the log, hashes it and enters the change; nothing can fail from here on.
  ///
  ///     encoder     begin, depend on each head, note and add the log, finish: chunk and hash
  ///     history     message and chunk behind the others, one record, one hash; the only head now
  ///     transaction log and preds emptied
  ///
  /// A waiting change that has the same number of this actor can never be applied any more, and is
  /// dropped.
  private mutating func appendLocalChange(
    actor: UInt16,
    startOp: UInt32,
    opCount: UInt32,
    message: String?,
    time: Int64
  ) -> ChangeHash {
    encoder.begin(author: actor, actorCount: actors.count)
    let dependencyStart = history.dependencies.nextHandle
    appendHeads(and: history.latest(of: actor))
    let messageStart = history.text.count
    if let message { history.text.append(Array(message.utf8)) }
    let messageLength = history.text.count - messageStart

    // The encoder's order of calls: first all runs are noted, since the columns name actors by
    // their place among all that any run names.
    for entry in 0..<transaction.log.count {
      encoder.note(transaction.log[entry], from: 0, transaction.preds)
    }
    encoder.addAll(
      transaction.log,
      opCount: opCount,
      preds: transaction.preds,
      ranks: actors.ranks,
      keys: keys,
      values: values
    )
    // The format stores differences of times: keep each below 2^62 in size.
    let time = min(max(time, 1 - Limits.timeLimit), Limits.timeLimit - 1)
    let seq = history.sequence(of: actor) + 1
    let chunkStart = history.chunks.count
    let hash = encoder.finish(
      into: &history.chunks,
      actors: actors,
      seq: UInt64(seq),
      startOp: startOp,
      time: time,
      message: history.text.view(from: messageStart, length: messageLength),
      extra: history.text.view(from: 0, length: 0),
      keys
    )
    history.append(
      ChangeRecord(
        actor: actor,
        seq: seq,
        startOp: startOp,
        opCount: opCount,
        time: time,
        messageStart: UInt32(messageStart),
        messageLength: UInt32(messageLength),
        extraStart: 0,
        extraLength: 0,
        dependencyStart: dependencyStart,
        dependencyCount: history.dependencies.nextHandle.place - dependencyStart.place,
        chunkStart: chunkStart,
        chunkLength: UInt32(history.chunks.count - chunkStart)
      ),
      hash
    )
    transaction.log.truncate(to: 0)
    transaction.preds.truncate(to: 0)
    // Nothing refuses here: no change came with the call.
    try? dropVainChanges(after: history.count - 1, firstOwn: .max)
    checkIfSmall()
    return hash
  }

  /// Makes the heads the dependencies of the change at hand, and `own` as well if it is not a head.
  ///
  /// With one head, which is also the last own change, there is nothing to sort: the usual way.
  private mutating func appendHeads(and own: ChangeHandle) {
    if let head = history.soleHead, own.isNone || own == head {
      history.dependencies.append(head)
      encoder.depend(on: history.hashes[head])
      return
    }
    // The actor's own last change counts even where a head includes it.
    var changes = history.heads
    if !own.isNone && !changes.contains(own) { changes.append(own) }
    sortByHash(&changes)
    for change in changes {
      history.dependencies.append(change)
      encoder.depend(on: history.hashes[change])
    }
  }

  /// Heads and dependencies are written in this order, by hash, and not in that of handles, which
  /// differs between replicas.
  func sortByHash(_ changes: inout ContiguousArray<ChangeHandle>) {
    if changes.count < 2 { return }
    if changes.count == 2 {
      if history.hashes[changes[1]] < history.hashes[changes[0]] { changes.swapAt(0, 1) }
      return
    }
    changes.sort { history.hashes[$0] < history.hashes[$1] }
  }

  /// Undoes every operation of the open transaction, newest first.
  ///
  /// The predecessors are taken out while the log is undone: `undo` reads them, and changes the
  /// rest of the core.
  mutating func rollback() {
    guard transaction.isOpen else { return }
    transaction.isOpen = false
    var preds = Arena<PackedID>()
    swap(&preds, &transaction.preds)
    var entry = transaction.log.count
    while entry > 0 {
      entry -= 1
      undo(transaction.log[entry], preds)
    }
    transaction.log.truncate(to: 0)
    transaction.preds.truncate(to: 0)
    maxOp = transaction.startOp &- 1
    checkIfSmall()
  }
}
