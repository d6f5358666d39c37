/// Taking a part of the open edits back, and telling what edits touched.
///
///     let before = document.savepoint       operations 1...3 are open
///     edits                                 operations 4...6
///     document.rollback(to: before)         1...3 are open again, and 4 is the next number
///
/// A savepoint is a value: taking one commits nothing and costs nothing to forget.
extension MergeDocument {
  /// This moment, to come back to by ``rollback(to:)``.
  ///
  /// Cost: a few numbers are copied.
  package var savepoint: Savepoint { core.savepoint }

  /// Undoes the operations made after `savepoint`, newest first.
  ///
  /// There must be no commit between the two: ``hasCommitted(since:)`` tells.
  package func rollback(to savepoint: Savepoint) {
    core.rollback(to: savepoint)
  }

  /// Whether changes were committed or received after `savepoint`.
  package func hasCommitted(since savepoint: Savepoint) -> Bool {
    core.history.count != savepoint.changeCount
  }

  /// Operations that were made or received after `savepoint`.
  package func hasChanged(since savepoint: Savepoint) -> Bool {
    hasCommitted(since: savepoint) || core.maxOp != savepoint.maxOp
  }

  /// The objects that operations after `savepoint` wrote into, each once.
  ///
  /// Cost: the changes received since are read again.
  package func objectsChanged(since savepoint: Savepoint) -> [ObjectID] {
    core.objectsChanged(since: savepoint).map { core.publicID(ofObject: $0) }
  }

  /// A copy of everything as it was at `savepoint`, by the same writer.
  ///
  /// This document does not change. Cost: that of a copy, and of undoing.
  package func copy(at savepoint: Savepoint) -> MergeDocument {
    var copy = core.copy()
    copy.rollback(to: savepoint)
    return MergeDocument(core: copy)
  }

  /// Takes the content of another document in place of its own.
  ///
  /// Handles and savepoints of before name nothing any more.
  package func restore(_ other: MergeDocument) { replaceCore(by: other.core.copy()) }

  /// What remembers handles of this document must see that its store is another one, also where that one was
  /// rebuilt as often.
  func replaceCore(by other: consuming Core) {
    other.compactions = max(other.compactions, core.compactions) + 1
    core = other
  }

  /// Makes a change of the open operations with time 0, if there are any.
  package func close() { core.commit() }
}

extension MergeDocument {
  /// The hashes of all changes, in the order of application; the open change stays open.
  package var changeHashesWithoutCommit: [ChangeHash] {
    core.history.changes.map { core.history.hashes[$0] }
  }
}
