/// One place of a source text that reads one way or another, as the patched program decides.
///
/// `f(a + b)` with the wrong text `a - b` for `a + b` becomes
/// `f((isMutant(7) ? (a - b) : (a + b)))`.
package struct PatchedChoice: Hashable, Sendable {
  /// What the text is, and so how the choice is written.
  package enum Form: String, Codable, Hashable, Sendable {
    /// Statements in front of a place, which is empty: `if isMutant(n) { wrong }`.
    case insertion
    /// Statements that declare nothing which is used behind them: `if isMutant(n) { wrong } else
    /// { right }`.
    case statements
    /// An expression: `(isMutant(n) ? (wrong) : (right))`.
    case expression
  }

  /// The number by which the program knows the bug.
  package let number: UInt64
  package let form: Form
  /// UTF-8 offsets of the right text; empty for an insertion.
  package let range: Range<Int>
  package let wrong: String

  package init(number: UInt64, form: Form, range: Range<Int>, wrong: String) {
    self.number = number
    self.form = form
    self.range = range
    self.wrong = wrong
  }

  /// What is written in front of the right text, and behind it.
  ///
  /// Each keeps the text itself as it is, byte for byte, so that a choice within it finds its
  /// place.
  fileprivate var opening: String {
    switch form {
    case .insertion: "if isMutant(\(number)) {\n\(wrong)\n}\n"
    case .statements: "if isMutant(\(number)) {\n\(wrong)\n} else {\n"
    case .expression: "(isMutant(\(number)) ? (\(wrong)) : ("
    }
  }

  fileprivate var closing: String {
    switch form {
    case .insertion: ""
    case .statements: "\n}"
    case .expression: "))"
    }
  }

  /// What stands around other choices: first what is in front of a place, then what is longer.
  ///
  /// Why this order works: an insertion at a place comes before whatever begins there, the longer
  /// range holds the shorter one, and of two with the same range the statement holds the
  /// expression. So a walk in this order never has to go back.
  ///
  ///      source      a ; f ( b )
  ///      ranges      |     [ b ]        expression, within
  ///                  |  [ f ( b ) ]     statements, around it
  ///                  ^                  insertion, in front
  fileprivate static func isOutside(_ one: PatchedChoice, _ other: PatchedChoice) -> Bool {
    if one.range.lowerBound != other.range.lowerBound {
      return one.range.lowerBound < other.range.lowerBound
    }
    if one.range.isEmpty != other.range.isEmpty { return one.range.isEmpty }
    if one.range.upperBound != other.range.upperBound {
      return one.range.upperBound > other.range.upperBound
    }
    return one.form == .statements && other.form == .expression
  }
}

/// A source text with choices in it.
package struct ChoiceText: Sendable {
  package let text: String
  /// Where each choice stands in the text, in UTF-8 offsets, by its number.
  package let places: [UInt64: Range<Int>]

  /// Writes choices into a text: several of one place one around the other, in their order, and one
  /// within another into the right part of that.
  ///
  /// - Precondition: Two ranges are disjoint, or one holds the other; all lie within the text.
  package init(_ text: String, _ choices: [PatchedChoice]) {
    var writer = Writer(source: Array(text.utf8), choices: choices.stablySorted())
    writer.write(through: writer.source.count)
    self.text = String(decoding: writer.result, as: UTF8.self)
    places = writer.places
  }

  /// Copies the source once, from the left to the right, and opens and closes choices on the way.
  ///
  /// `position` is what was copied of the source, `next` the first choice not yet opened; both only
  /// rise.
  private struct Writer {
    let source: [UInt8]
    let choices: [PatchedChoice]
    var position = 0
    var next = 0
    var result: [UInt8] = []
    var places: [UInt64: Range<Int>] = [:]

    /// Writes the source up to an offset, with the choices that end before it.
    mutating func write(through end: Int) {
      while next < choices.count, choices[next].range.lowerBound <= end,
        choices[next].range.upperBound <= end
      {
        let choice = choices[next]
        next += 1
        copy(to: choice.range.lowerBound)
        let start = result.count
        result += choice.opening.utf8
        write(through: choice.range.upperBound)
        result += choice.closing.utf8
        places[choice.number] = start..<result.count
      }
      copy(to: end)
    }

    private mutating func copy(to end: Int) {
      precondition(position <= end, "choices overlap: \(position) is behind \(end)")
      result += source[position..<end]
      position = end
    }
  }
}

extension [PatchedChoice] {
  fileprivate func stablySorted() -> [PatchedChoice] {
    enumerated().sorted { one, other in
      if PatchedChoice.isOutside(one.element, other.element) { return true }
      if PatchedChoice.isOutside(other.element, one.element) { return false }
      return one.offset < other.offset
    }
    .map(\.element)
  }
}
