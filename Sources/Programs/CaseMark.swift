#if os(Linux) || os(macOS)
/// What a ``CaseProcess`` prints before each case, a line each, so that one which ends in a case has told how far it
/// came.
///
///     case 12            the thirteenth case begins
///     case 12 0.25       the same, after 0.25 seconds of processor time
package struct CaseMark: Hashable, Sendable, LosslessStringConvertible {
  private static let word = "case"

  /// Number of the case, from 0.
  package let index: Int
  /// Processor time until then, in seconds; `nil` where it is not measured.
  package let seconds: Double?

  package init(index: Int, seconds: Double? = nil) {
    self.index = index
    self.seconds = seconds
  }

  /// Reads a line; `nil` for one that is no mark, such as what the subject prints itself.
  package init?(_ line: String) {
    let words = line.split(separator: " ", omittingEmptySubsequences: false)
    guard (2...3).contains(words.count), words[0] == Self.word, let index = Int(words[1]),
      (0..<Int.max).contains(index)
    else { return nil }
    self.index = index
    guard words.count == 3 else {
      seconds = nil
      return
    }
    guard let seconds = Double(words[2]) else { return nil }
    self.seconds = seconds
  }

  package var description: String {
    ([Self.word, "\(index)"] + (seconds.map { ["\($0)"] } ?? [])).joined(separator: " ")
  }
}
#endif
