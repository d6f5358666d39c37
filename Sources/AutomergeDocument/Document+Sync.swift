public import Foundation
import MergeEngine

/// Sync: two peers send each other messages until both have the same changes.
///
///     while let message = document.generateSyncMessage(state: state) { send(message) }
///
/// Each message that comes goes to ``receiveSyncMessage(state:message:)``, after which there may be
/// something to say again. Both sides begin with a message, and a session is over when neither has
/// one.
///
///     connected       generate, send; the other side likewise
///     a message       receive, then generate and send as long as there is one
///     edited          generate and send: the peer learns of it
///     disconnected    `state.reset()`, or store `state.encode()` and read it when the peer is back
extension Document {
  /// The next message for the peer; `nil` if there is none until the peer answers, or none at all.
  ///
  /// Closes the open change. Observers are not told.
  public func generateSyncMessage(state: SyncState) -> Data? {
    committing { engine in
      state.withState { engine.syncMessage(for: &$0) }.map { Data($0) }
    }
  }

  /// Takes in a message of the peer.
  ///
  /// Closes the open change; observers are notified.
  ///
  /// - Throws: ``ReceiveSyncError``; the document and the state are as they were.
  public func receiveSyncMessage(state: SyncState, message: Data) throws {
    try receive(message, state, nil)
  }

  func receive(_ message: Data, _ state: SyncState, _ collector: PatchCollector?) throws {
    let bytes = [UInt8](message)
    try receivingSync(bytes.count) {
      try deliver(collector) { engine throws(ChunkError) in
        try state.withState { (state) throws(ChunkError) in
          try engine.receive(syncMessage: bytes, &state)
        }
      }
    }
  }

  /// Runs a call that takes in a message, under the lock, with its own kind of error.
  private func receivingSync(_ count: Int, _ body: () throws -> Set<ObjId>) throws {
    do {
      try receiving("receiving a sync message of \(count) bytes") {
        lock.lock()
        defer { lock.unlock() }
        return try body()
      }
    } catch let error as DocError {
      guard case .refusedChanges(let reason) = error.kind else { throw error }
      throw ReceiveSyncError(reason)
    }
  }
}
