import MergeEngine

/// Marks: names with values over stretches of text, such as bold or a link.
///
/// Positions count units of ``textEncoding``. Unknown hashes among `heads` are ignored.
///
///     hello world      mark 0..<5 bold, expand after      "hello" bold
///     hello, world     "," typed at 5                     "hello," bold: the end takes it in
extension Document {
  /// Gives a stretch of text a value under a name; ``ScalarValue/Null`` takes the name away.
  ///
  /// Where concurrent marks of one name overlap, the one that was made later wins. `expand` says
  /// which text typed at the ends becomes part of it. An empty stretch with `none` makes nothing.
  ///
  /// - Throws: ``DocError`` if `start` is above `end`, or either is above the length.
  public func mark(
    obj: ObjId,
    start: UInt64,
    end: UInt64,
    expand: ExpandMark,
    name: String,
    value: ScalarValue
  ) throws {
    let scalar = try value.engineScalar()
    let (first, last) = (Int(clamping: start), Int(clamping: end))
    try edit("mark", obj) { engine throws(EditError) in
      guard first <= last else {
        throw .indexOutOfBounds(index: first, length: last)
      }
      try engine.mark(
        obj.engineID,
        first..<last,
        expand: expand.engineExpansion,
        name: name,
        value: scalar
      )
    }
  }

  /// The marks of a text, by name and then by start: for each name the longest stretches of equal
  /// values.
  public func marks(obj: ObjId) throws -> [Mark] { try marks(obj, at: nil) }

  /// The marks that a text had at `heads`.
  public func marksAt(obj: ObjId, heads: Set<ChangeHash>) throws -> [Mark] {
    try marks(obj, at: heads)
  }

  /// The marks over one position at `heads`, by name; each starts and ends at that position.
  ///
  /// - Throws: ``DocError`` of kind `invalidCursor` for a cursor of another object.
  public func marksAt(obj: ObjId, position: Position, heads: Set<ChangeHash>) throws -> [Mark] {
    try marks(obj, over: position, at: heads)
  }

  /// The marks over one position, by name; each starts and ends at that position.
  public func marksAt(obj: ObjId, position: Position) throws -> [Mark] {
    try marks(obj, over: position, at: nil)
  }

  private func marks(
    _ obj: ObjId,
    over position: Position,
    at heads: Set<ChangeHash>?
  ) throws -> [Mark] {
    lock.lock()
    defer { lock.unlock() }
    let index =
      switch position {
      case .index(let index): index
      case .cursor(let cursor): try self.position(obj, cursor, at: heads)
      }
    return try marks(obj, at: heads).filter { $0.start <= index && index < $0.end }
      .map { Mark(start: index, end: index, name: $0.name, value: $0.value) }
  }

  private func marks(_ obj: ObjId, at heads: Set<ChangeHash>?) throws -> [Mark] {
    let hashes = heads?.engineHashes
    return try read { engine throws(EditError) in
      try engine.marks(obj.engineID, at: hashes)
    }.map { Mark($0) }
  }
}
