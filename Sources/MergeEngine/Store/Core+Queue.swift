/// Waiting changes: entering those whose dependencies are missing, and applying them later.
extension Core {
  /// Puts a change into the queue, in which the caller has not found it, unless a limit is reached.
  ///
  /// The change's form was checked; whether its operations fit the document shows when it is
  /// applied. Its bytes are copied, since the caller's end with the call.
  ///
  /// A change from another document in memory comes with all that it waits for, in an order that the
  /// call has chosen: no limit refuses it.
  ///
  /// - Throws: `limitExceeded` with the name of one of three limits; the queue is then as it was.
  mutating func enqueue(_ change: Incoming, header: ChangeHeader) throws(Fault) {
    if !change.isChecked { try checkRoom(for: change, of: header.actor) }
    let dependencies = (0..<header.dependencyCount).map(header.dependency)
    history.waiting.enter(
      WaitingChange(
        hash: change.hash,
        author: header.actor,
        seq: header.seq,
        dependencies: dependencies,
        bytes: change.bytes.array
      ),
      missing: dependencies.filter { dependency in history.find(dependency) == nil }
    )
  }

  /// Refuses a change for which the queue has no room.
  private mutating func checkRoom(for change: Incoming, of author: ActorID) throws(Fault) {
    guard history.waiting.count < limits.waitingChangeLimit else {
      throw Fault(.limitExceeded(.waitingChangeLimit), 0, .dependencies)
    }
    guard history.waiting.byteCount + change.bytes.count <= limits.waitingByteLimit else {
      throw Fault(.limitExceeded(.waitingByteLimit), 0, .dependencies)
    }
    guard history.waiting.count(of: author) < limits.waitingChangePerActorLimit else {
      throw Fault(.limitExceeded(.waitingChangePerActorLimit), 0, .dependencies)
    }
  }

  /// Drops waiting changes whose number another change of the same author has taken since place
  /// `first`.
  ///
  /// They could never be applied, and a load would refuse them, and the document with them. One from number
  /// `firstOwn` on came with the call, and refuses it. One that is the change which has the number, made here
  /// once more, has not waited in vain: it is here.
  mutating func dropVainChanges(after first: Int, firstOwn: Int) throws(ChunkError) {
    if history.waiting.isEmpty { return }
    for change in history.changes(from: first) {
      let record = history.records[change]
      let author = actors.ids[Int(record.actor)]
      while let (vain, number) = history.waiting.takeNumbered(upTo: record.seq, of: author) {
        if history.find(vain.hash) != nil { continue }
        let fault = Fault(.duplicateSequence(actor: author, seq: vain.seq), 0, .seq)
        let error = fault.error(base: 0, in: ["waiting change"])
        if number >= firstOwn { throw error }
        history.drop(DroppedChange(hash: vain.hash, reason: error))
      }
    }
  }

  /// Applies every waiting change that has become ready, and what that makes ready.
  ///
  /// The changes with numbers below `firstOwn` waited when the call began. Should one of them turn
  /// out bad, it is dropped (``History/dropped``): another's earlier input must not undo this call.
  /// What depends on it goes on waiting. A bad change behind them is the call's own, and refuses it.
  ///
  /// The order is the reference's, since it shows in saved bytes: the first ready change of the
  /// queue, then again from the start, the last of the queue taking the place of the one taken.
  /// Cost: logarithmic for each change applied. What the known changes cost is not taken from the
  /// bytes of the call.
  mutating func applyReady(
    firstOwn: Int,
    _ decoded: inout DecodedChange
  ) throws(ChunkError) {
    // One free amount for all changes that waited before, and not one for each.
    var pool = max(limits.freeWorkLimit, 0)
    while let (change, number) = history.waiting.takeReady() {
      guard number < firstOwn else {
        // Should it be refused, the caller restores the queue as it was.
        try applyWaiting(change, &decoded)
        continue
      }
      do throws(ChunkError) {
        let own = limits.work(ofByteCount: change.bytes.count)
        try meter.apart(own: own, pool: &pool) { () throws(ChunkError) in
          try applyWaiting(change, &decoded)
        }
      } catch {
        history.drop(DroppedChange(hash: change.hash, reason: error))
      }
    }
  }

  private mutating func applyWaiting(
    _ change: WaitingChange,
    _ decoded: inout DecodedChange
  ) throws(ChunkError) {
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
        ),
        &decoded
      )
    }
  }
}
