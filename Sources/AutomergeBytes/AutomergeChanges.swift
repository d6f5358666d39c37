public import Foundation
import MergeEngine

/// What Automerge's bytes say that its public calls do not.
public enum AutomergeChanges {
  /// Bytes were refused, as a document or a series of changes.
  public struct Unreadable: Error, Hashable, Sendable, CustomStringConvertible {
    /// Why, and at which byte.
    public let description: String
  }

  /// Number of operations in all changes of a saved document.
  ///
  /// - Throws: ``Unreadable`` for what is no document.
  public static func operationCount(savedDocument bytes: Data) throws(Unreadable) -> Int {
    let document = MergeDocument(actor: ActorID([]))
    do throws(ChunkError) {
      try document.loadIncremental(Array(bytes))
    } catch {
      throw Unreadable(description: "\(error)")
    }
    return document.changes().reduce(0) { $0 + $1.opCount }
  }
}
