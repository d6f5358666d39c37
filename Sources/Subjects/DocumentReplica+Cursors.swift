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
        try document.cursor(obj: object, position: index, heads: heads.changeHashes)
      } else {
        try document.cursor(
          obj: object,
          position: index,
          moving: move == .before ? .before : .after
        )
      }
    try made.checkForms()
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
        try? document.position(obj: object, cursor: cursor, heads: heads.changeHashes)
      } else {
        try? document.position(obj: object, cursor: cursor)
      }
    return position.map { Int($0) }
  }
}

extension Cursor {
  /// Throws if a stored form of the cursor is read as another one, or a text that is not its own is
  /// read at all.
  ///
  ///     bytes          01 03 02 0a0b 07 01               the cursor
  ///     the old form   00 02 0a0b 07                     the same, which moves after
  ///     text           -7@0a0b                           the cursor
  ///     other texts    -+7@0a0b, -07@0a0b, -7@0A0B       none
  func checkForms() throws {
    try expect(Cursor(bytes: bytes) == self, "a cursor's bytes")
    try expect(Cursor(text: text) == self, "a cursor's text")
    guard case .element(let id, let move) = engineCursor.place else { return }
    try expect(
      Cursor(bytes: Data([0]) + bytes.dropFirst(2).dropLast())
        == Cursor(ElementCursor(.element(id, .after))),
      "a cursor's bytes in the old form"
    )
    let sign = move == .before ? "-" : ""
    for other in ["\(sign)+\(id)", "\(sign)0\(id)", text.uppercased()] where other != text {
      try expect(Cursor(text: other) == nil, "a cursor is read from \(other)")
    }
  }
}
