/// A place in a list or text that stays with its element while others edit.
///
/// Source: Specification/Semantics.md, "Cursors".
package enum ObservedCursor: Hashable, Sendable, CustomStringConvertible {
  /// Behind the last element, whichever that is.
  case end
  /// At the element that this operation made or overwrote.
  case element(OpID, CursorMove)

  package var description: String {
    switch self {
    case .end: "the end"
    case .element(let id, let move): "\(id), moving \(move)"
    }
  }
}

/// Where a cursor goes whose element is deleted.
package enum CursorMove: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
  /// To the nearest visible element that the deleted one was inserted behind.
  case before
  /// To what comes next.
  case after

  package var description: String { rawValue }
}
