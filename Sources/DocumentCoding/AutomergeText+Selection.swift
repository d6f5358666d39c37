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
  /// At the last character; nil for a caret.
  fileprivate let last: Cursor?
}

extension AutomergeText {
  /// Ties a selection to the characters that it holds.
  ///
  /// `selection` is one of ``value``. Nil if the text is bound to no document, or the document does not
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
      func cursor(at offset: Int) -> Cursor? {
        let position = UInt64(pieces.units(beforeByte: offset))
        return try? document.cursor(obj: binding.object, position: position)
      }
      let (first, end) = (offset(selection.lowerBound), offset(selection.upperBound))
      guard let start = cursor(at: first) else { return nil }
      guard first < end else { return TextAnchor(object: binding.object, start: start, last: nil) }
      // Of a character that several elements make, the last: what is typed behind it is outside.
      return TextAnchor(object: binding.object, start: start, last: cursor(at: end - 1))
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
      func index(_ cursor: Cursor) -> (index: String.Index, isThere: Bool)? {
        guard let position = try? document.position(obj: binding.object, cursor: cursor) else {
          return nil
        }
        // A cursor whose character is gone stands at the next one, which has a cursor of its own.
        let own = try? document.cursor(obj: binding.object, position: position)
        let offset = pieces.bytes(beforeUnit: Int(clamping: position))
        return (text.utf8.index(text.startIndex, offsetBy: offset), own == cursor)
      }
      guard let start = index(anchor.start) else { return nil }
      guard let last = anchor.last else { return start.index..<start.index }
      guard let last = index(last) else { return nil }
      let end =
        last.isThere && last.index < text.endIndex ? text.index(after: last.index) : last.index
      return start.index..<max(start.index, end)
    }
  }
}
