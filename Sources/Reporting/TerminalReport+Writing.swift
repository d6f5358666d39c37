import PastRuns
import Texts

/// How lines are written: coloured, padded, cut and wrapped, with nothing in them that acts.
extension TerminalReport {
  enum Colour: String {
    case red = "31"
    case green = "32"
    case yellow = "33"
    case grey = "90"
  }

  func paint(_ text: String, _ colour: Colour, isBold: Bool = false) -> String {
    guard hasColour, !text.isEmpty else { return text }
    return "\u{1B}[\(isBold ? "1;" : "")\(colour.rawValue)m\(text)\u{1B}[0m"
  }

  /// At most `limit` scalars of the text, all of them visible.
  func plain(_ text: String, _ limit: Int) -> String {
    visible(text.clipped(limit)).clipped(limit)
  }

  func trimmed(_ line: String) -> Substring {
    var line = line[...]
    while line.last == " " { line.removeLast() }
    return line
  }

  func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.unicodeScalars.count))
  }

  func remainder(_ count: Int, _ noun: String, indent: Int) -> [String] {
    guard count > 0 else { return [] }
    let margin = String(repeating: " ", count: indent)
    let place = folder == nil ? "" : " in report.json"
    return ["\(margin)and \(counted(count, "more \(noun)"))\(place)"]
  }

  /// The first words of a text, at most `limit` scalars, all of them visible.
  ///
  /// Only what is longer than that without a space is cut inside of a word.
  func prose(_ text: String, _ limit: Int) -> String {
    visible(text.clippedBehindWord(limit)).clippedBehindWord(limit)
  }

  /// The first words of a text in lines of the width; a word that is longer has a line of its own.
  ///
  /// `mark`: Stands before the first word, and does not count.
  func wrapped(
    _ text: String,
    mark: String = "",
    upTo limit: Int = Scalars.passage,
    indent: Int
  ) -> [String] {
    let margin = String(repeating: " ", count: indent)
    let words = prose(mark + text, mark.unicodeScalars.count + limit)
    return Texts.wrapped(words, width: proseWidth - indent, hanging: "  ").map { margin + $0 }
  }
}
