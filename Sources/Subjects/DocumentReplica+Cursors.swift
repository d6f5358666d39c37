import AutomergeDocument
package import DocumentModel
import Foundation
import MergeEngine

/// Cursors of a `Document`.
extension DocumentReplica {
  /// Bytes and text of the cursor are read back on the way.
  ///
  /// The public call makes cursors of the past that move after, and no others.
  package mutating func cursor(
    in object: DocumentModel.ObjectID,
    at index: Int,
    moving move: DocumentModel.CursorMove,
    heads: ObservedHeads?
  ) throws -> ObservedCursor? {
    let (object, index) = (id(of: object), UInt64(index))
    let made =
      if let heads {
        try document.cursor(obj: object, position: index, heads: Self.hashes(heads))
      } else {
        try document.cursor(
          obj: object,
          position: index,
          moving: move == .before ? .before : .after
        )
      }
    try expect(Cursor(bytes: made.bytes) == made, "a cursor's bytes")
    try expect(Cursor(text: made.text) == made, "a cursor's text")
    return EngineReplica.cursor(made.engineCursor)
  }

  package mutating func position(
    of cursor: ObservedCursor,
    in object: DocumentModel.ObjectID,
    at heads: ObservedHeads?
  ) throws -> Int? {
    let (object, cursor) = (id(of: object), Cursor(EngineReplica.cursor(cursor)))
    let position =
      if let heads {
        try? document.position(obj: object, cursor: cursor, heads: Self.hashes(heads))
      } else {
        try? document.position(obj: object, cursor: cursor)
      }
    return position.map { Int($0) }
  }

  private static func hashes(_ heads: ObservedHeads) -> Set<AutomergeDocument.ChangeHash> {
    Set(heads.ids.compactMap(EngineReplica.hash).map { ChangeHash($0) })
  }
}
