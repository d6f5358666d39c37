import AutomergeDocument
import MergeEngine

/// A selection of a bound text that stays with its characters while others type.
///
/// Made by ``AutomergeText/anchor(_:)``; ``AutomergeText/selection(of:)`` says where it is now. An
/// empty one is a caret: it stays before the character that it was before.
///
///     hello [world]            a cursor at w, another at d
///     oh, hello [world]        typed before: it moves along
///     hello [wo-o-orld]        typed inside: part of it
///     hello [world]s           typed behind: not part of it
///     hello [worl]             d is deleted
///     hello |                  all is deleted: a caret
public struct TextAnchor: Hashable, Sendable {
  fileprivate let object: ObjId
  /// Before the first character; the place of a caret.
  fileprivate let start: Cursor
  /// The bytes of that element in front of the selection: an element may end one character and begin another.
  fileprivate let startOffset: Int
  /// At the last character; `nil` for a caret.
  fileprivate let last: Cursor?
  /// The bytes of the last element up to the selection's end.
  fileprivate let lastOffset: Int
}

extension AutomergeText {
  /// Ties a selection to the characters that it holds.
  ///
  /// `selection` is one of ``value``; one that reaches beyond its end, as that of a longer value before, ends there. Nil if the text is bound to no document, or the document does not
  /// have it any more.
  public func anchor(_ selection: Range<String.Index>) -> TextAnchor? {
    guard let binding else { return nil }
    let document = binding.document
    return document.reading { engine in
      guard let text = try? document.text(obj: binding.object),
        let pieces = try? engine.textPieces(binding.object.engineID)
      else { return nil }
      func offset(_ index: String.Index) -> Int {
        text.utf8.distance(from: text.startIndex, to: min(index, text.endIndex))
      }
      /// The element that holds a byte, and how much of it is in front of the byte.
      func element(at offset: Int) -> (cursor: Cursor, offset: Int)? {
        let position = pieces.units(beforeByte: offset)
        let cursor = try? document.cursor(obj: binding.object, position: UInt64(position))
        return cursor.map { ($0, offset - pieces.bytes(ofUnit: position).lowerBound) }
      }
      let (first, end) = (offset(selection.lowerBound), offset(selection.upperBound))
      guard let start = element(at: first) else { return nil }
      // Of a character that several elements make, the last: what is typed behind it is outside.
      let last = first < end ? element(at: end - 1) : nil
      return TextAnchor(
        object: binding.object,
        start: start.cursor,
        startOffset: start.offset,
        last: last?.cursor,
        lastOffset: last.map { $0.offset + 1 } ?? 0
      )
    }
  }

  /// Where an anchored selection is now, in ``value``: what was typed inside belongs to it, what was typed
  /// at its ends does not, and where all of it was deleted it is a caret.
  ///
  /// Nil if the anchor is of another text, or of one that the document does not have any more.
  public func selection(of anchor: TextAnchor) -> Range<String.Index>? {
    guard let binding, binding.object == anchor.object else { return nil }
    let document = binding.document
    return document.reading { engine in
      guard let text = try? document.text(obj: binding.object),
        let pieces = try? engine.textPieces(binding.object.engineID)
      else { return nil }
      func element(_ cursor: Cursor) -> (bytes: Range<Int>, isThere: Bool)? {
        guard let position = try? document.position(obj: binding.object, cursor: cursor) else {
          return nil
        }
        // A cursor whose character is gone stands at the next one, which has a cursor of its own.
        let own = try? document.cursor(obj: binding.object, position: position)
        return (pieces.bytes(ofUnit: Int(clamping: position)), own == cursor)
      }
      func index(_ offset: Int) -> String.Index {
        text.utf8.index(text.startIndex, offsetBy: offset)
      }
      guard let first = element(anchor.start) else { return nil }
      let start = index(
        first.bytes.lowerBound + (first.isThere ? min(anchor.startOffset, first.bytes.count) : 0)
      )
      guard let cursor = anchor.last else { return start..<start }
      guard let last = element(cursor) else { return nil }
      guard last.isThere && !last.bytes.isEmpty else {
        return start..<max(start, index(last.bytes.lowerBound))
      }
      let end = last.bytes.lowerBound + min(anchor.lastOffset, last.bytes.count)
      return start..<max(start, text.index(after: index(end - 1)))
    }
  }
}

extension [TextPiece] {
  /// The UTF-8 bytes of the element that holds a unit; none from the length on.
  fileprivate func bytes(ofUnit unit: Int) -> Range<Int> {
    var (rest, start) = (unit, 0)
    for piece in self {
      if rest < piece.width * piece.count {
        start += rest / piece.width * piece.byteCount
        return start..<start + piece.byteCount
      }
      rest -= piece.width * piece.count
      start += piece.byteCount * piece.count
    }
    return start..<start
  }
}
