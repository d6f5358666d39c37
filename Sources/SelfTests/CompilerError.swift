import Texts

/// A line in which the compiler refuses a place: `/a/B.swift:12:5: error: cannot find 'x'`.
package struct CompilerError: Hashable, Sendable, CustomStringConvertible {
  /// Path as the compiler writes it.
  package let file: String
  /// From 1; columns count UTF-8 bytes.
  package let line: Int
  package let column: Int
  package let message: String

  package var description: String { "\(file):\(line):\(column): error: \(message)" }

  /// All errors in what a build printed, each once; those without a place are left out.
  package static func list(_ log: String) -> [CompilerError] {
    log.split(separator: "\n").compactMap { CompilerError(printed: $0) }.uniqued()
  }

  private init?(printed text: Substring) {
    guard let mark = text.firstRange(of: ": error: ") else { return nil }
    let place = text[..<mark.lowerBound].split(separator: ":", omittingEmptySubsequences: false)
    guard place.count >= 3, let line = Int(place[place.count - 2]), line > 0,
      let column = Int(place[place.count - 1]), column > 0
    else { return nil }
    file = place.dropLast(2).joined(separator: ":")
    self.line = line
    self.column = column
    message = String(text[mark.upperBound...])
  }
}
