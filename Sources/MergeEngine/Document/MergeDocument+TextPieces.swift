/// Visible neighbouring elements of a text that are alike.
///
///     "hé" in UTF-16, then a map    [count 1, 1 byte, width 1] [count 1, 2 bytes, width 1]
///                                   [count 1, 3 bytes (U+FFFC), width 1, block]
package struct TextPiece: Hashable, Sendable {
  /// Elements, all of one width and one number of bytes.
  package let count: Int
  /// UTF-8 bytes that one element adds to the text.
  package let byteCount: Int
  /// Units of one element.
  package let width: Int
  /// The map that the one element is, which is a block; `nil` for anything else.
  package var block: ObjectID?
}

extension [TextPiece] {
  /// The units before the element that holds a UTF-8 byte of the text; all of them from the end on.
  ///
  /// Cost: a step for each piece.
  package func units(beforeByte offset: Int) -> Int {
    var (rest, sum) = (offset, 0)
    for piece in self {
      let size = piece.byteCount
      if rest < size * piece.count { return sum + rest / size * piece.width }
      rest -= size * piece.count
      sum += piece.count * piece.width
    }
    return sum
  }
}

extension MergeDocument {
  /// What a text's elements add to the text, and to its length.
  ///
  /// Splices take whole elements: who wants to cut a text by its characters looks here where
  /// that can be done.
  ///
  /// In list order; the sum of `count * width` is the text's length, that of `count * byteCount`
  /// its bytes. Cost: a step for each visible run, and for each map among the elements.
  ///
  /// - Throws: `invalidOperation` but for a text.
  package func textPieces(
    _ object: ObjectID,
    at heads: [ChangeHash]? = nil
  ) throws(EditError) -> [TextPiece] {
    let number = try core.resolve(object)
    let kind = core.objects[number].kind
    guard kind == .text else { throw .invalidOperation(kind: kind) }
    let clock = core.clock(at: heads)
    var result: [TextPiece] = []
    func addBlock(_ entry: Entry, _ width: Int) {
      guard case .object(let id, .map) = entry.value else { return }
      result.append(TextPiece(count: 1, byteCount: 3, width: width, block: id))
    }
    core.forEachStretch(number, at: clock) { stretch in
      let width = Int(core.width(stretch, in: number))
      switch stretch {
      case .simple(let run, let from, let to):
        let count = Int(to &- from)
        if run.action.made == .map {
          for offset in from..<to { addBlock(core.entry(run, offset), width / count) }
          return true
        }
        let isString = run.action == .set && run.meta.type == TypeCode.string
        result.append(
          TextPiece(
            count: count,
            byteCount: isString ? Int(run.byteCount) : 3,
            width: width / count
          )
        )
      case .complex(_, let register, let row):
        if core.rows[row].action.made == .map {
          addBlock(core.entry(row, in: register, at: clock), width)
          return true
        }
        let isString =
          core.rows[row].action == .set && core.rows[row].meta.type == TypeCode.string
        result.append(
          TextPiece(
            count: 1,
            byteCount: isString ? Int(core.rows[row].meta.byteCount) : 3,
            width: width
          )
        )
      }
      return true
    }
    return result
  }
}
