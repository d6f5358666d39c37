/// Visible neighbouring elements of a text that are alike.
package struct TextPiece: Hashable, Sendable {
  /// Elements, all of one width and one number of bytes.
  package let count: Int
  /// UTF-8 bytes that one element adds to the text.
  package let byteCount: Int
  /// Units of one element.
  package let width: Int
}

extension MergeDocument {
  /// What a text's elements add to the text, and to its length.
  ///
  /// Splices take whole elements: who wants to cut a text by its characters looks here where
  /// that can be done.
  package func textPieces(_ object: ObjectID) throws(EditError) -> [TextPiece] {
    let number = try core.resolve(object)
    let kind = core.objects[number].kind
    guard kind == .text else { throw .invalidOperation(kind: kind) }
    var result: [TextPiece] = []
    core.forEachStretch(number, at: nil) { stretch in
      let width = Int(core.width(stretch, in: number))
      switch stretch {
      case .simple(let run, let from, let to):
        let count = Int(to &- from)
        let isString = run.action == .set && run.meta.type == TypeCode.string
        result.append(
          TextPiece(
            count: count,
            byteCount: isString ? Int(run.byteCount) : 3,
            width: width / count
          )
        )
      case .complex(_, _, let row):
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
