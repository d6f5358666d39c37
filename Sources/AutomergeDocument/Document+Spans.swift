import MergeEngine

/// A piece of a text, as a rich-text editor shows it.
public enum Span: Hashable, Sendable {
  /// Characters under the same marks, each with the positions of these characters, by name; never empty.
  case text(String, marks: [Mark])
  /// A block marker: a map that stands in the text, and whose keys say what the block is.
  case block(ObjId)
}

/// Spans: texts with their marks and block markers, as other implementations of Automerge write them.
///
/// automerge-swift has no such calls. A block is made with ``Document/insertObject(obj:index:ty:)`` of a
/// map, changed by the map's keys, and taken out with ``Document/delete(obj:index:)``.
extension Document {
  /// A text as runs of characters under the same marks, and blocks.
  ///
  ///     "hello", bold over 1..<4, then a map, then "w"
  ///     .text("h", marks: [])  .text("ell", marks: [bold 1..<4])  .text("o", marks: [])
  ///     .block(the map)  .text("w", marks: [])
  ///
  /// A block ends a run, and no mark. What is neither a string nor a map reads as U+FFFC.
  ///
  /// - Throws: ``DocError`` if the object is no text.
  public func spans(obj: ObjId) throws -> [Span] { try spans(obj, at: nil) }

  /// The spans that a text had at `heads`; unknown hashes among them are ignored.
  public func spansAt(obj: ObjId, heads: Set<ChangeHash>) throws -> [Span] {
    try spans(obj, at: heads)
  }

  private func spans(_ obj: ObjId, at heads: Set<ChangeHash>?) throws -> [Span] {
    let hashes = heads?.engineHashes
    return try read { engine throws(EditError) in
      try engine.spans(obj.engineID, at: hashes)
    }.map { span in
      switch span {
      case .text(let text, let marks): .text(text, marks: marks.map { Mark($0) })
      case .block(let id): .block(ObjId(id, .map))
      }
    }
  }
}
