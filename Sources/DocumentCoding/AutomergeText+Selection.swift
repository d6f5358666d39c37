import AutomergeDocument

/// A selection of a bound text that stays with its characters while others type.
///
/// Made by ``AutomergeText/anchor(_:)``; ``AutomergeText/selection(of:)`` says where it is now. An empty one
/// is a caret: it stays before the character that it was before.
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
    return document.reading { _ in
      guard let text = try? document.text(obj: binding.object) else { return nil }
      let unit = document.textEncoding
      func cursor(_ index: String.Index) -> Cursor? {
        let position = UInt64(text[..<min(index, text.endIndex)].width(in: unit))
        return try? document.cursor(obj: binding.object, position: position)
      }
      guard let start = cursor(selection.lowerBound) else { return nil }
      guard !selection.isEmpty, selection.lowerBound < text.endIndex else {
        return TextAnchor(object: binding.object, start: start, last: nil)
      }
      let end = min(selection.upperBound, text.endIndex)
      return TextAnchor(
        object: binding.object,
        start: start,
        last: cursor(text.index(before: end))
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
    return document.reading { _ in
      guard let text = try? document.text(obj: binding.object) else { return nil }
      func index(_ cursor: Cursor) -> (index: String.Index, isThere: Bool)? {
        guard let position = try? document.position(obj: binding.object, cursor: cursor) else {
          return nil
        }
        // A cursor whose character is gone stands at the next one, which has a cursor of its own.
        let own = try? document.cursor(obj: binding.object, position: position)
        return (text.index(at: Int(clamping: position), in: document.textEncoding), own == cursor)
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

extension StringProtocol {
  /// The number of units.
  fileprivate func width(in unit: TextEncoding) -> Int {
    switch unit {
    case .graphemeCluster: count
    case .unicodeScalar: unicodeScalars.count
    case .utf8: utf8.count
    case .utf16: utf16.count
    }
  }
}

extension String {
  /// The index of a unit; the end from the length on.
  fileprivate func index(at position: Int, in unit: TextEncoding) -> Index {
    switch unit {
    case .graphemeCluster: index(startIndex, offsetBy: position, limitedBy: endIndex) ?? endIndex
    case .unicodeScalar:
      unicodeScalars.index(startIndex, offsetBy: position, limitedBy: endIndex) ?? endIndex
    case .utf8: utf8.index(startIndex, offsetBy: position, limitedBy: endIndex) ?? endIndex
    case .utf16: utf16.index(startIndex, offsetBy: position, limitedBy: endIndex) ?? endIndex
    }
  }
}
