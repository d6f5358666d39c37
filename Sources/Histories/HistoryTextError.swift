import PropertyEngine

/// Why a text is not a history.
///
/// It names the first thing that is wrong; the rest of the text is not read.
package struct HistoryTextError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was wrong with the line.
  ///
  /// Texts in the cases are words for people, such as "a transport".
  package enum Reason: Hashable, Sendable {
    /// The text ended where this line was due.
    case missingLine(String)
    /// The head names a version that this reader does not know.
    case unknownVersion(String)
    /// This was due, and the line has that.
    case expected(String, found: String)
    /// A string without its closing quote, or with an escape that means nothing.
    case badString
    /// More stands on the line than the step needs.
    case surplus(String)
  }

  package let reason: Reason
  /// Counted from 1.
  package private(set) var line: Int
  /// A sentence behind the description, with what was likely meant; empty without a guess.
  var guess = ""

  package var description: String {
    let text =
      switch reason {
      case .missingLine(let due): "the text ends where \(due) was due"
      case .unknownVersion(let version): "version \(version) of the text form is not known here"
      case .expected(let due, let found): "expected \(due), found \(found)"
      case .badString: "a string does not end, or has an unknown escape"
      case .surplus(let rest): "nothing more was due, found \(rest)"
      }
    return "line \(line): \(text)" + (guess.isEmpty ? "" : "." + guess)
  }
}

extension HistoryTextError: SampleTextError {
  package func lowered(by lineCount: Int) -> HistoryTextError {
    var error = self
    error.line += lineCount
    return error
  }
}
