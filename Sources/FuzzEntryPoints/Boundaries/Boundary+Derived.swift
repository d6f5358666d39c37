import DocumentLaws
package import PropertyEngine

extension Boundary {
  /// The percentage of derived inputs whose entrance is made right.
  private static let repairedPercent = 85

  /// An input made of the seeds by a few wounds, decided by `choices`.
  ///
  /// `seeds`: what ``seeds`` gave, at least one.
  package func derived(from seeds: [Seed], _ choices: inout Choices) -> [UInt8] {
    let all = seeds.map(\.bytes)
    var bytes = choices.element(of: all)
    choices.repeated(upTo: 8, averaging: 3, "wound") { choices in
      wound(&bytes, all, &choices)
    }
    // Long inputs cost time and reach no more.
    if bytes.count > byteLimit { bytes.removeLast(bytes.count - byteLimit) }
    guard let entrance, choices.flag(percent: Self.repairedPercent) else { return bytes }
    let repaired = entrance.repaired(bytes)
    return repaired.count > byteLimit ? bytes : repaired
  }

  /// The percentage of changes for which compressed parts are inflated before, of those of one value of a column,
  /// and of those behind which parts are compressed.
  private static let columnPercent = 25

  /// Changes bytes in one place.
  func wound(_ bytes: inout [UInt8], _ others: [[UInt8]], _ choices: inout Choices) {
    switch notation {
    case .binary:
      guard let columns = entrance?.columns else {
        _ = DamagedBytes.wound(&bytes, others, &choices)
        return
      }
      if choices.flag(percent: Self.columnPercent), let opened = columns.opened(bytes) {
        bytes = opened
      }
      if choices.flag(percent: Self.columnPercent), let other = columns.wounded(bytes, &choices) {
        bytes = other
      } else {
        _ = DamagedBytes.wound(&bytes, others, &choices)
      }
      if choices.flag(percent: Self.columnPercent), let closed = columns.closed(bytes, &choices) {
        bytes = closed
      }
    case .text(let words):
      if choices.flag(percent: 80) {
        TextDamage(words: words).wound(&bytes, others, &choices)
      } else {
        _ = DamagedBytes.wound(&bytes, others, &choices)
      }
    }
  }
}

/// Changes to texts that keep most of a text what it was: whole lines and words move, and numbers grow.
struct TextDamage {
  /// Words of the form, which are put in the place of others.
  let words: [String]

  /// Numbers at edges: of bytes, of 31 to 64 bits, of what a double tells apart, and beyond all.
  static let numbers = [
    "0", "1", "-1", "2", "255", "256", "65536", "100000", "2147483647", "2147483648", "4294967295",
    "4294967296", "9007199254740993", "9223372036854775807", "9223372036854775808",
    "-9223372036854775808", "-9223372036854775809", "18446744073709551615",
    "18446744073709551616", "1e308", "1e309", "1e999999999", "0.1", "-0", "00", "+1",
  ]

  /// Texts that readers take apart wrongly: ends of lines, invisible letters, letters of several scalars.
  private static let marks = [
    "\n", "\r\n", "\r", "\t", " ", "\\", "\"", "\\u0000", "\\ud800", "\u{0}", "\u{85}", "\u{2028}",
    "\u{feff}", "\u{301}", "\u{202e}", "é", "👩‍👩‍👧", "\u{10ffff}", "%", ",", ":", "[", "]", "{", "}",
    "/", "..", ".", "@", "-", "x", "/*",
  ]

  func wound(_ bytes: inout [UInt8], _ others: [[UInt8]], _ choices: inout Choices) {
    guard !bytes.isEmpty else {
      bytes = choices.element(of: others)
      return
    }
    switch choices.pick(weights: [3, 2, 2, 2, 4, 4, 3, 1]) {
    case 0: doubleLine(&bytes, &choices)
    case 1: removeLine(&bytes, &choices)
    case 2: swapLines(&bytes, &choices)
    case 3: takeLine(of: choices.element(of: others), into: &bytes, &choices)
    case 4: replaceNumber(&bytes, &choices)
    case 5: replaceWord(&bytes, &choices)
    case 6:
      let mark = choices.element(of: Self.marks)
      bytes.insert(contentsOf: mark.utf8, at: choices.index(below: bytes.count + 1))
    default: removeWord(&bytes, &choices)
    }
  }

  // MARK: Lines

  /// The ranges of all lines with their ends; texts of one line have parts between commas in their place.
  private func lines(_ bytes: [UInt8]) -> [Range<Int>] {
    let separator: UInt8 = bytes.dropLast().contains(0x0a) ? 0x0a : 0x2c
    var ranges: [Range<Int>] = []
    var start = 0
    for (index, byte) in bytes.enumerated() where byte == separator {
      ranges.append(start..<index + 1)
      start = index + 1
    }
    if start < bytes.count { ranges.append(start..<bytes.count) }
    return ranges
  }

  private func doubleLine(_ bytes: inout [UInt8], _ choices: inout Choices) {
    let lines = lines(bytes)
    let line = choices.element(of: lines)
    bytes.insert(contentsOf: bytes[line], at: choices.element(of: lines).lowerBound)
  }

  private func removeLine(_ bytes: inout [UInt8], _ choices: inout Choices) {
    bytes.removeSubrange(choices.element(of: lines(bytes)))
  }

  private func swapLines(_ bytes: inout [UInt8], _ choices: inout Choices) {
    let lines = lines(bytes)
    let (one, two) = (choices.index(below: lines.count), choices.index(below: lines.count))
    guard one != two else { return }
    let (first, second) = (lines[min(one, two)], lines[max(one, two)])
    let (early, late) = (Array(bytes[first]), Array(bytes[second]))
    bytes.replaceSubrange(second, with: early)
    bytes.replaceSubrange(first, with: late)
  }

  private func takeLine(
    of other: [UInt8],
    into bytes: inout [UInt8],
    _ choices: inout Choices
  ) {
    let theirs = lines(other)
    guard !theirs.isEmpty else { return }
    let line = choices.element(of: theirs)
    bytes.insert(contentsOf: other[line], at: choices.element(of: lines(bytes)).lowerBound)
  }

  // MARK: Words

  /// The longest stretches of bytes of one class.
  private func stretches(_ bytes: [UInt8], _ isMember: (UInt8) -> Bool) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var start: Int?
    for (index, byte) in bytes.enumerated() {
      if isMember(byte) {
        start = start ?? index
      } else if let begun = start {
        ranges.append(begun..<index)
        start = nil
      }
    }
    if let begun = start { ranges.append(begun..<bytes.count) }
    return ranges
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (0x61...0x7a).contains(byte) || (0x41...0x5a).contains(byte) || isDigit(byte) || byte == 0x2d
  }

  private func replaceNumber(_ bytes: inout [UInt8], _ choices: inout Choices) {
    let numbers = stretches(bytes, Self.isDigit)
    guard !numbers.isEmpty else { return }
    bytes.replaceSubrange(
      choices.element(of: numbers),
      with: choices.element(of: Self.numbers).utf8
    )
  }

  /// Another word of the text, or of the form, in the place of one.
  private func replaceWord(_ bytes: inout [UInt8], _ choices: inout Choices) {
    let places = stretches(bytes, Self.isLetter)
    guard !places.isEmpty else { return }
    let place = choices.element(of: places)
    let own = Array(bytes[choices.element(of: places)])
    let isKnown = !words.isEmpty && choices.flag(percent: 60)
    bytes.replaceSubrange(place, with: isKnown ? Array(choices.element(of: words).utf8) : own)
  }

  private func removeWord(_ bytes: inout [UInt8], _ choices: inout Choices) {
    let places = stretches(bytes, Self.isLetter)
    guard !places.isEmpty else { return }
    bytes.removeSubrange(choices.element(of: places))
  }
}
