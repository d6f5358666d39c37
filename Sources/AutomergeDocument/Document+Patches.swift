public import Foundation
import MergeEngine

/// Differences between two states, and what calls that bring changes of others did.
///
/// Unknown hashes among heads are ignored; without any the document was empty. All calls close the open
/// change.
extension Document {
  /// The patches that lead from the state at some heads to that at others, in either direction of time.
  public func difference(from before: Set<ChangeHash>, to after: Set<ChangeHash>) -> [Patch] {
    committing { engine in
      Patch.all(engine.patches(from: before.engineHashes, to: after.engineHashes))
    }
  }

  /// The patches that lead from the state at some heads to the present one; none if those are its
  /// heads.
  public func difference(since before: Set<ChangeHash>) -> [Patch] {
    committing { engine in
      Patch.all(engine.patches(from: before.engineHashes, to: engine.heads))
    }
  }

  /// The patches that lead from the present state to that at some heads.
  public func difference(to after: Set<ChangeHash>) -> [Patch] {
    committing { engine in
      Patch.all(engine.patches(from: engine.heads, to: after.engineHashes))
    }
  }

  /// Takes in all changes of another document, and says what that did (``merge(other:)``).
  public func mergeWithPatches(other: Document) throws -> [Patch] {
    try collecting { try merge(other, $0) }
  }

  /// Takes in changes, and says what that did (``applyEncodedChanges(encoded:)``).
  public func applyEncodedChangesWithPatches(encoded: Data) throws -> [Patch] {
    try collecting { try apply(encoded, $0) }
  }

  /// Takes in a sync message, and says what that did (``receiveSyncMessage(state:message:)``).
  public func receiveSyncMessageWithPatches(state: SyncState, message: Data) throws -> [Patch] {
    try collecting { try receive(message, state, $0) }
  }

  private func collecting(_ body: (PatchCollector) throws -> Void) rethrows -> [Patch] {
    let collector = PatchCollector()
    try body(collector)
    return collector.patches
  }
}

/// Takes what a call did, under the lock of the call, so that no other thread's edit is among it.
final class PatchCollector {
  var patches: [Patch] = []
}
