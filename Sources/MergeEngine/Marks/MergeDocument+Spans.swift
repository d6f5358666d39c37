/// A piece of a text, as a rich-text editor shows it.
package enum TextSpan: Hashable, Sendable {
  /// Characters under the same marks, each with the range of these characters, by name; never empty.
  case text(String, marks: [Mark])
  /// A map that stands in the text, such as a paragraph's head.
  case block(ObjectID)
}

extension MergeDocument {
  /// A text as runs of characters under the same marks, and blocks.
  ///
  ///     h e l l o [block] w    bold over 1..<4    ->    "h"  "ell" bold  "o"  block  "w"
  ///
  /// A block ends a run, and no mark. What is neither a string nor a map reads as U+FFFC.
  ///
  /// Cost: that of reading the text and its marks; and for each run, which a block ends as well, the marks over it.
  ///
  /// Source: Specification/Semantics.md, "Block markers".
  package func spans(
    _ object: ObjectID,
    at heads: [ChangeHash]? = nil
  ) throws(EditError) -> [TextSpan] {
    let pieces = try textPieces(object, at: heads)
    let marks = try marks(object, at: heads)
    var cutter = SpanCutter(try text(object, at: heads), marks)
    for piece in pieces { cutter.pass(piece) }
    return cutter.finish()
  }
}

/// Cuts a text where marks begin and end, and where blocks stand.
private struct SpanCutter {
  private let utf8: [UInt8]
  private let beginning: [Int: [Mark]]
  /// The units at which marks begin or end, ascending, from the next one on.
  private var cuts: ArraySlice<Int>
  private var open: [Mark] = []
  private var spans: [TextSpan] = []
  /// Units and bytes that were passed, and those that are in spans.
  private var (position, byte) = (0, 0)
  private var (start, firstByte) = (0, 0)

  init(_ text: String, _ marks: [Mark]) {
    utf8 = Array(text.utf8)
    beginning = Dictionary(grouping: marks) { $0.range.lowerBound }
    cuts = Set(marks.flatMap { [$0.range.lowerBound, $0.range.upperBound] }).sorted()[...]
  }

  mutating func pass(_ piece: TextPiece) {
    if let block = piece.block {
      cut()
      endRun()
      spans.append(.block(block))
      advance(piece, 1)
      (start, firstByte) = (position, byte)
      return
    }
    // What has no width belongs to what is before it.
    if piece.width == 0 { return advance(piece, piece.count) }
    var left = piece.count
    while left > 0 {
      cut()
      // Where a mark begins or ends an element stands, but each element has its own mark of NaN.
      let next = cuts.first.map { ($0 - position + piece.width - 1) / piece.width } ?? left
      let count = min(left, max(next, 1))
      advance(piece, count)
      left -= count
    }
  }

  mutating func finish() -> [TextSpan] {
    endRun()
    return spans
  }

  private mutating func advance(_ piece: TextPiece, _ count: Int) {
    position += count * piece.width
    byte += count * piece.byteCount
  }

  /// Ends the run if marks begin or end at this unit, and takes in those that begin.
  private mutating func cut() {
    while let next = cuts.first, next <= position {
      endRun()
      cuts.removeFirst()
      open.removeAll { $0.range.upperBound <= next }
      open += beginning[next] ?? []
    }
  }

  private mutating func endRun() {
    defer { (start, firstByte) = (position, byte) }
    guard byte > firstByte else { return }
    let text = String(decoding: utf8[firstByte..<byte], as: UTF8.self)
    let marks = open.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }.map {
      Mark(range: start..<position, name: $0.name, value: $0.value)
    }
    spans.append(.text(text, marks: marks))
  }
}
