package import MergeEngine

/// A transaction that runs: where it began, and what to go back to.
///
/// Transactions nest, and each goes back by itself: an inner one that throws, and whose error is
/// caught, takes back only what it did.
struct OpenTransaction {
  let savepoint: Savepoint
  /// The document at the savepoint, kept when something commits while the transaction runs.
  var backup: MergeDocument?
}

/// What modules built on the document use: the engine itself, under the lock.
extension Document {
  /// Runs `body` with the engine; no other thread edits meanwhile.
  ///
  /// For reading alone: observers do not hear of edits made here, and nothing takes them back.
  package func reading<Result>(
    _ body: (MergeDocument) throws -> Result
  ) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(engine)
  }

  /// Runs `body` with the engine; if it throws, the document is as it was before.
  ///
  /// The operations stay in the open change. Other threads wait. Observers are notified once before
  /// and once after, also of edits that `body` makes through the public calls, which it may make;
  /// it may also nest. Nested too deep within notifications of observers it throws
  /// ``DocError`` and does not run. It must not commit through `engine`; the public calls that
  /// commit may be used, and are undone like edits.
  package func transaction<Result>(
    _ body: (MergeDocument) throws -> Result
  ) throws -> Result {
    let observed = try beginObserved(nil)
    defer { endObserved(observed, changed: nil) }
    transactions.append(OpenTransaction(savepoint: observed.before))
    do {
      let result = try body(engine)
      transactions.removeLast()
      return result
    } catch {
      let transaction = transactions.removeLast()
      if let backup = transaction.backup {
        engine.restore(backup)
      } else {
        engine.rollback(to: transaction.savepoint)
      }
      throw error
    }
  }
}
