/// A moment of the open transaction to which edits can be taken back.
///
/// Good until the next commit. It names places in the log and no rows or runs: what the edits after
/// it have made of the store, undoing takes back.
///
///     log        [run 1] [run 2, 3 ops]          at the savepoint: logCount 2, last = run 2 of 3 ops
///     later      [run 1] [run 2, 5 ops] [run 3]  run 3 is undone, and 2 ops of run 2
package struct Savepoint: Sendable {
  let changeCount: Int
  let isOpen: Bool
  /// The writer of the open transaction, and its first operation.
  let actor: UInt16
  let startOp: UInt32
  let logCount: Int
  /// The last run of the log, which later edits may lengthen.
  let last: OpRun?
  let predecessorCount: Int
  let maxOp: UInt32
}

extension Core {
  /// What has to be remembered now to come back.
  var savepoint: Savepoint {
    let logCount = transaction.log.count
    return Savepoint(
      changeCount: history.count,
      isOpen: transaction.isOpen,
      actor: transaction.actor,
      startOp: transaction.startOp,
      logCount: logCount,
      last: logCount > 0 ? transaction.log[logCount - 1] : nil,
      predecessorCount: transaction.preds.count,
      maxOp: maxOp
    )
  }

  /// Undoes the operations made after `savepoint`, newest first.
  ///
  /// Twice to one savepoint is sound: the second finds nothing to undo. A savepoint taken after
  /// this one must not be used any more.
  mutating func rollback(to savepoint: Savepoint) {
    precondition(
      history.count == savepoint.changeCount,
      "\(history.count) changes, \(savepoint.changeCount) at the savepoint: a commit lies between"
    )
    guard savepoint.isOpen else { return rollback() }
    var preds = Arena<PackedID>()
    swap(&preds, &transaction.preds)
    var entry = transaction.log.count
    while entry > savepoint.logCount {
      entry -= 1
      undo(transaction.log[entry], preds)
    }
    transaction.log.truncate(to: savepoint.logCount)
    if let last = savepoint.last {
      undo(transaction.log[savepoint.logCount - 1], preds, keeping: last.count)
      transaction.log[savepoint.logCount - 1] = last
    }
    swap(&preds, &transaction.preds)
    transaction.preds.truncate(to: savepoint.predecessorCount)
    maxOp = savepoint.maxOp
    checkIfSmall()
  }

  /// The objects whose operations came after `savepoint`, each once, in the order of the first.
  ///
  /// An operation that was open at the savepoint does not count, also if it has been committed since: the first
  /// change after the savepoint then begins with it.
  ///
  /// Cost: the changes since are decoded again, from their chunks; their keys are known here, and
  /// their values are dropped again.
  mutating func objectsChanged(since savepoint: Savepoint) -> [ObjectHandle] {
    var seen = Set<ObjectHandle>()
    var result: [ObjectHandle] = []
    func note(_ object: PackedID, _ core: borrowing Core) {
      guard let number = core.objectHandle(object), seen.insert(number).inserted else { return }
      result.append(number)
    }
    let valueCount = values.count
    var decoded = DecodedChange()
    for change in history.changes(from: savepoint.changeCount) {
      if history.records[change].chunkLength == 0 { materializeChunks() }
      let record = history.records[change]
      let chunk = history.chunks.view(from: record.chunkStart, length: Int(record.chunkLength))
      decodeAgain(chunk, by: record.actor, into: &decoded)
      let wasOpen =
        savepoint.isOpen && change.index == savepoint.changeCount
        && record.actor == savepoint.actor && record.startOp == savepoint.startOp
      for entry in 0..<decoded.runs.count
      where !wasOpen || decoded.runs[entry].end &- 1 > savepoint.maxOp {
        note(decoded.runs[entry].object, self)
      }
      values.truncate(to: valueCount)
    }
    guard transaction.isOpen else { return result }
    let isSame = history.count == savepoint.changeCount
    let from = isSame ? savepoint.logCount : 0
    if isSame, from > 0, let last = savepoint.last, transaction.log[from - 1].count > last.count {
      note(last.object, self)
    }
    for entry in from..<max(from, transaction.log.count) {
      note(transaction.log[entry].object, self)
    }
    return result
  }
}
