import CodingSupport
package import ModelGeneration
import PropertyEngine

// Selections of a bound text that another writer edits; part of `reference.binds-to-places`.

/// A text whose selections stay with their characters, whatever is typed and deleted.
///
/// A subject's text may conform or not; the law asks only those that do.
package protocol AnchoredText: ModelText {
  associatedtype Anchor

  /// What a selection of the bound text is kept as; `nil` if the text is not bound.
  func anchor(_ selection: Range<String.Index>) -> Anchor?
  /// Where the characters stand now.
  func selection(of anchor: Anchor) -> Range<String.Index>?
}

/// A selection of a bound text, and one edit of another writer.
///
///     characters   a b c d e      selected  b c d
///     edit         d e -> X       shown     a [b c X]: up to what stands behind the last, which is gone
///
/// In numbers: of 5 characters 1..<4 are selected and 3..<5 deleted; one is typed before the first
/// deleted one. The selection is then 1..<4 of the 4 characters that are left: its last character
/// is gone, so it ends where the first one behind it stands, which here is the end.
///
/// Some neighbouring characters may be one element, as a peer may insert them. A selection may
/// begin or end within it; the edit deletes all of it or nothing.
///
///     characters   a bcd e        selected  c d      begins a byte behind the element's start
///     edit         b c d -> X     shown     a X | e  a caret before e, and not a byte behind that
///
/// A selection of a text that has become shorter since ends at its end, and what is typed there later is behind it.
///
///     characters   a b c d        selected  b c d of what was shown; d is deleted before it is kept
///     edit         X at the end   shown     a [b c] X
struct SelectedText {
  /// Characters of one scalar and of several; the edit types none of them.
  ///
  /// A coder that counts UTF-16 units as characters is off behind the second, one that counts
  /// scalars behind the third.
  private static let letters: [Character] = ["a", "\u{1f600}", "e\u{301}", "b", "\u{e9}", "c", "d"]
  private static let typed: [Character] = ["X", "\u{1f601}"]

  private let letters: [Character]
  /// By the characters' numbers.
  ///
  /// As numbers of `letters`; may be empty, as may `deleted`.
  private let selected: Range<Int>
  private let deleted: Range<Int>
  private let typed: [Character]
  /// What is one element of the text; empty if each scalar is one.
  private let joined: Range<Int>

  /// Everything follows from one number, by a generator of its own: one choice of the sample
  /// chooses letters, selection, deletion and typing.
  ///
  /// The constants are those of Knuth's MMIX; the upper bits are used, as the lower ones repeat.
  init(_ number: Int) {
    var number = UInt64(number.magnitude)
    func take(below limit: Int) -> Int {
      number = number &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(number >> 33) % limit
    }
    let count = 1 + take(below: Self.letters.count)
    func range() -> Range<Int> {
      let (first, second) = (take(below: count + 1), take(below: count + 1))
      return min(first, second)..<max(first, second)
    }
    letters = Array(Self.letters.prefix(count))
    selected = range()
    let cut = range()
    typed = Array(Self.typed.prefix(take(below: 3)))
    joined = range()
    deleted = Self.whole(cut, joined)
  }

  /// A range that holds an element whole or not at all: it grows, and an empty one moves to the
  /// element's start.
  ///
  ///     element 2..<5     3..<6 becomes 2..<6     1..<3 becomes 1..<5     4..<4 becomes 2..<2
  private static func whole(_ range: Range<Int>, _ element: Range<Int>) -> Range<Int> {
    func isWithin(_ index: Int) -> Bool { element.contains(index) && index > element.lowerBound }
    let start = isWithin(range.lowerBound) ? element.lowerBound : range.lowerBound
    if range.isEmpty { return start..<start }
    return start..<(isWithin(range.upperBound) ? element.upperBound : range.upperBound)
  }

  /// Where a character stands after the edit, or the first behind it that is left.
  ///
  /// What is typed stands before what the same edit deletes.
  private func place(of letter: Int) -> Int {
    if letter < deleted.lowerBound { return letter }
    return max(letter, deleted.upperBound) - deleted.count + typed.count
  }

  /// In characters, not in indices of either string.
  private var expected: Range<Int> {
    // Where nothing follows, a selection begins at the end, whatever is typed there.
    let start = place(of: selected.lowerBound)
    guard !selected.isEmpty else { return start..<start }
    let last = selected.upperBound - 1
    return start..<max(start, place(of: last) + (deleted.contains(last) ? 0 : 1))
  }

  /// Says where the selection of a text is another; the text is bound to the place.
  func check(
    _ text: some AnchoredText,
    at path: [PathKey],
    of document: any CodingDocument
  ) throws -> Difference? {
    let whole = String(letters)
    // The core counts scalars (decision 13), the expectation characters.
    let counts = letters.map(\.unicodeScalars.count)
    // Emptied first: elements of several characters that stood there before would stay.
    text.value = ""
    text.value = whole
    if !joined.isEmpty {
      let index = counts[..<joined.lowerBound].reduce(0, +)
      let count = counts[joined].reduce(0, +)
      try document.spliceText(at: path, index: index, deleting: count, inserting: "")
      try document.insert(.string(String(letters[joined])), at: path + [.index(index)])
    }
    guard let anchor = text.anchor(Self.range(selected, in: whole)) else {
      return Difference(kind: "selection.none", summary: "a bound text keeps no selection")
    }
    try document.spliceText(
      at: path,
      index: counts[..<deleted.lowerBound].reduce(0, +),
      deleting: counts[deleted].reduce(0, +),
      inserting: String(typed)
    )
    let found = Self.characters(of: text, in: text.selection(of: anchor))
    guard found != expected else { return try checkShortened(text, at: path, of: document) }
    return Difference(
      kind: "selection.moved",
      summary: "of \(letters.count) characters \(selected) are selected, and \(deleted) become "
        + "\(typed.count) others" + (joined.isEmpty ? "" : "; one element holds \(joined)"),
      expected: "\(expected)",
      actual: found.map { "\($0)" } ?? "no selection"
    ).between(nil, "the text's selection")
  }

  /// Says where a selection that reaches beyond the text's end is another, once something is typed there.
  ///
  /// The last selected character, and all behind it, are deleted before the selection is kept, but for the first.
  private func checkShortened(
    _ text: some AnchoredText,
    at path: [PathKey],
    of document: any CodingDocument
  ) throws -> Difference? {
    let count = max(1, selected.upperBound - 1)
    guard count < letters.count else { return nil }
    text.value = ""
    text.value = String(letters)
    let range = Self.range(selected, in: String(letters))
    let counts = letters.map(\.unicodeScalars.count)
    let index = counts[..<count].reduce(0, +)
    try document.spliceText(
      at: path,
      index: index,
      deleting: counts[count...].reduce(0, +),
      inserting: ""
    )
    guard let anchor = text.anchor(range) else {
      return Difference(kind: "selection.none", summary: "a bound text keeps no selection")
    }
    try document.spliceText(at: path, index: index, deleting: 0, inserting: "X")
    // A caret at the end stays there.
    let expected =
      selected.lowerBound < count
      ? selected.lowerBound..<min(selected.upperBound, count) : count + 1..<count + 1
    let found = Self.characters(of: text, in: text.selection(of: anchor))
    guard found != expected else { return nil }
    return Difference(
      kind: "selection.beyond-end",
      summary: "of \(letters.count) characters \(selected) are selected and \(count) are left; "
        + "one is typed behind them",
      expected: "\(expected)",
      actual: found.map { "\($0)" } ?? "no selection"
    ).between(nil, "the text's selection")
  }

  /// A selection of a text, as numbers of its characters.
  private static func characters(
    of text: some AnchoredText,
    in range: Range<String.Index>?
  ) -> Range<Int>? {
    let value = text.value
    return range.map { range in
      value.distance(
        from: value.startIndex,
        to: range.lowerBound
      )..<value.distance(from: value.startIndex, to: range.upperBound)
    }
  }

  private static func range(_ range: Range<Int>, in text: String) -> Range<String.Index> {
    text.index(
      text.startIndex,
      offsetBy: range.lowerBound
    )..<text.index(text.startIndex, offsetBy: range.upperBound)
  }
}
