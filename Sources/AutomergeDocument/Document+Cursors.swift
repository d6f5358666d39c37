import MergeEngine

/// Cursors: places that stay with their elements.
///
/// Unknown hashes among `heads` are ignored.
extension Document {
  /// A cursor at a position of a text or list; at its end from the length on.
  ///
  /// When its element is deleted, it goes to what comes next.
  public func cursor(obj: ObjId, position: UInt64) throws -> Cursor {
    try cursor(obj, position, .after, at: nil)
  }

  /// A cursor at a position that a text or list had at `heads`.
  public func cursor(obj: ObjId, position: UInt64, heads: Set<ChangeHash>) throws -> Cursor {
    try cursor(obj, position, .after, at: heads)
  }

  /// A cursor that goes where `moving` says when its element is deleted.
  public func cursor(obj: ObjId, position: UInt64, moving: CursorMove) throws -> Cursor {
    try cursor(obj, position, moving == .before ? .before : .after, at: nil)
  }

  private func cursor(
    _ obj: ObjId,
    _ position: UInt64,
    _ move: ElementCursor.Move,
    at heads: Set<ChangeHash>?
  ) throws -> Cursor {
    let hashes = heads?.engineHashes
    return Cursor(
      try read { engine throws(EditError) in
        try engine.cursor(
          obj.engineID,
          at: Int(clamping: position),
          moving: move,
          heads: hashes
        )
      }
    )
  }

  /// The index of a cursor.
  ///
  /// - Throws: ``DocError`` of kind `invalidCursor` for a cursor of another object.
  public func position(obj: ObjId, cursor: Cursor) throws -> UInt64 {
    try position(obj, cursor, at: nil)
  }

  /// The index that a cursor had at `heads`.
  ///
  /// - Throws: ``DocError`` of kind `invalidCursor`, also if its element was not there yet.
  public func position(obj: ObjId, cursor: Cursor, heads: Set<ChangeHash>) throws -> UInt64 {
    try position(obj, cursor, at: heads)
  }

  func position(_ obj: ObjId, _ cursor: Cursor, at heads: Set<ChangeHash>?) throws -> UInt64 {
    let hashes = heads?.engineHashes
    return UInt64(
      clamping: try read { engine throws(EditError) in
        try engine.position(obj.engineID, of: cursor.engineCursor, at: hashes)
      }
    )
  }
}
