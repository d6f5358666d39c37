import AutomergeDocument
package import DocumentModel
import Foundation
import MergeEngine

/// Cursors of a `Document`.
extension DocumentReplica {
  /// Bytes and text of the cursor are read back on the way.
  package mutating func cursor(
    in object: DocumentModel.ObjectID,
    at index: Int,
    moving move: DocumentModel.CursorMove
  ) throws -> ObservedCursor? {
    let made = try document.cursor(
      obj: id(of: object),
      position: UInt64(index),
      moving: move == .before ? .before : .after
    )
    try expect(Cursor(bytes: made.bytes) == made, "a cursor's bytes")
    try expect(Cursor(text: made.text) == made, "a cursor's text")
    return EngineReplica.cursor(made.engineCursor)
  }

  package mutating func position(
    of cursor: ObservedCursor,
    in object: DocumentModel.ObjectID
  ) throws -> Int? {
    let cursor = Cursor(EngineReplica.cursor(cursor))
    let position = try? document.position(obj: id(of: object), cursor: cursor)
    return position.map { Int($0) }
  }
}
