/// A name with a value over a stretch of a text or list.
package struct Mark: Hashable, Sendable {
  /// The units (of a list: elements) that it covers; never empty.
  package let range: Range<Int>
  package let name: String
  /// What the name has here; null where it was taken away, which ``MergeDocument/marks(_:at:)`` leaves out.
  package let value: Scalar
}

/// Which text that is typed at a mark's ends becomes part of it.
package enum MarkExpansion: Hashable, Sendable, CaseIterable {
  /// What is typed at the start.
  case before
  /// What is typed at the end.
  case after
  case both
  case none

  var atStart: Bool { self == .before || self == .both }
  var atEnd: Bool { self == .after || self == .both }
}
