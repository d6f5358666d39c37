package import MergeEngine

/// A name with a value over a stretch of a text.
public struct Mark: Hashable, Sendable {
  /// The first unit that it covers.
  public let start: UInt64
  /// The first unit behind it.
  public let end: UInt64
  public let name: String
  public let value: ScalarValue

  public init(start: UInt64, end: UInt64, name: String, value: ScalarValue) {
    self.start = start
    self.end = end
    self.name = name
    self.value = value
  }

  package init(_ mark: MergeEngine.Mark) {
    self.init(
      start: UInt64(clamping: mark.range.lowerBound),
      end: UInt64(clamping: mark.range.upperBound),
      name: mark.name,
      value: ScalarValue(mark.value)
    )
  }
}

/// Which text that is typed at a mark's ends becomes part of it.
///
///     "b" of "abc" is marked, "X" is typed at 1, or at 2
///     before   a[Xb]c   a[b]Xc          after   aX[b]c   a[bX]c
///     both     a[Xb]c   a[bX]c          none    aX[b]c   a[b]Xc
public enum ExpandMark: Hashable, Sendable {
  /// What is typed at its start.
  case before
  /// What is typed at its end.
  case after
  case both
  case none

  var engineExpansion: MarkExpansion {
    switch self {
    case .before: .before
    case .after: .after
    case .both: .both
    case .none: .none
    }
  }
}
