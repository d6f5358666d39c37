import Texts

/// Which text typed at a mark's ends becomes part of it.
///
/// Source: Specification/Semantics.md, "Marks".
package enum MarkExpansion: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
  case after
  case before
  case both
  case none

  package var description: String { rawValue }
}

/// What an edit marks: units of a text, or elements of a list, that get a value under a name.
///
/// Null takes the name away.
package struct Marking: Hashable, Sendable {
  package var start: Int
  /// The first unit behind the mark.
  package var end: Int
  package var name: ExactString
  package var value: Scalar
  package var expand: MarkExpansion

  package init(
    _ start: Int,
    to end: Int,
    _ name: ExactString,
    _ value: Scalar,
    expand: MarkExpansion
  ) {
    self.start = start
    self.end = end
    self.name = name
    self.value = value
    self.expand = expand
  }

  package var length: Int { end - start }

  /// The same with its start behind its end.
  package var turned: Marking {
    Marking(end + 1, to: start, name, value, expand: expand)
  }

  /// The same with both ends moved up.
  package func moved(by shift: Int) -> Marking {
    var moved = self
    (moved.start, moved.end) = (start &+ shift, end &+ shift)
    return moved
  }
}

extension Scalar {
  /// The value as marks compare it: -0.0 equals 0.0, and a stretch of both shows the first of them.
  package var inMarks: Scalar { self == .float(-0.0) ? .float(0) : self }
}

/// A name that has one value over a stretch of a text or list, and over neither neighbour of it.
package struct ObservedMark: Hashable, Sendable, CustomStringConvertible {
  package let name: ExactString
  package let value: Scalar
  /// Units of a text, elements of a list; never empty.
  package var range: Range<Int>

  package init(name: ExactString, value: Scalar, range: Range<Int>) {
    self.name = name
    self.value = value
    self.range = range
  }

  /// One line, such as `2..<5 "bold" = true`.
  package var description: String { "\(range) \(quoted(name.string)) = \(value)" }
}

/// A piece of a text, as a rich-text editor shows it.
package enum ObservedSpan: Hashable, Sendable {
  /// Characters under the same marks, each with the range of these characters, by name; never empty.
  case text(ExactString, marks: [ObservedMark])
  /// A map that stands in the text.
  case block(ObjectID)
}
