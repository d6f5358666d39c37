import PastRuns
import Texts

/// A failure as a Swift file: one test that fails the same way, in any package that depends on the
/// product `TouchstoneEngines`.
///
/// The history stands in it as it is, so that it can be read, changed and run without anything
/// else. Nothing from the report acts: what cannot be seen is written as an escape, and no text
/// ends the literal or the comment that it stands in.
package struct Reproducer {
  /// The first line of every such file.
  package static let mark = "// A failure that Touchstone found, as a test."

  private let failure: Report.Failure
  private let title: String?
  private let program: String?
  private let visible = VisibleText()

  /// The failure as a test; the report says what its law demands.
  package init(_ failure: Report.Failure, in report: Report) {
    self.failure = failure
    title = report.laws.first { $0.name == failure.law }?.heading
    program = report.run.program
  }

  /// The file.
  package var text: String {
    let arguments =
      [literal(failure.law), "of: \(literal(failure.subject))"]
      + (failure.oracle.map { ["against: \(literal($0))"] } ?? []) + ["on: \(history)"]
    return """
      \(Self.mark)
      //
      \(comment.map { $0.isEmpty ? "//\n" : "// \($0)\n" }.joined())
      import Testing
      import TouchstoneEngines

      @Test(\(literal(title ?? failure.law)))
      func \(name)() async throws {
        try await expectLaw(
      \(arguments.map { "    \($0)" }.joined(separator: ",\n"))
        )
      }

      """
  }

  private var comment: [String] {
    var lines = ["\(failure.law) on \(failure.parties)", failure.summary]
    if let comparison = failure.comparison { lines.append(comparison.clippedBehindWord(400)) }
    lines += expectedAndFound(
      failure.expected?.clipped(400),
      failure.actual?.clipped(400),
      labels: failure.labels
    )
    if failure.kind == .flaky { lines.append("It did not repeat: this test may pass.") }
    lines.append("")
    lines.append("It goes into a test target that depends on the product `TouchstoneEngines`.")
    lines.append("Case file: \(failure.file)\(program.map { ", written by \($0)" } ?? "")")
    return lines.map { visible($0) }
  }

  /// A name that says which failure it is: `reproducesNaiveMergeCommutesValue`.
  private var name: String {
    let words = failure.id.clipped(100).unicodeScalars.split { scalar in
      !scalar.isASCII || !(scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
    }
    return "reproduces"
      + words.map { String($0.prefix(1)).uppercased() + String($0.dropFirst()) }
      .joined()
  }

  /// A string literal on one line.
  private func literal(_ text: String) -> String {
    let text = visible(text.clipped(400))
    let hashes = Self.hashes(for: text, terminator: "\"")
    return "\(hashes)\"\(text)\"\(hashes)"
  }

  /// The history as a literal of as many lines as it has.
  private var history: String {
    let text = failure.history.joined(separator: "\n")
    let hashes = Self.hashes(for: text, terminator: "\"\"\"")
    let lines = failure.history.map { line in
      line.isEmpty ? "" : "      " + Self.escaped(line, hashes, visible)
    }
    return (["\(hashes)\"\"\""] + lines + ["      \"\"\"\(hashes)"]).joined(separator: "\n")
  }

  /// As many number signs as a raw literal needs around this text; none if it has neither quotes
  /// nor backslashes that would mean something.
  ///
  /// Compares bytes, as Swift's lexer does: for `String` a quote behind U+0D4E is part of another
  /// character.
  private static func hashes(for text: String, terminator: String) -> String {
    let bytes = Array(text.utf8)
    var most = -1
    for mark in [Array(terminator.utf8), [UInt8(ascii: "\\")]] {
      for start in bytes.indices where bytes[start...].starts(with: mark) {
        let rest = bytes[(start + mark.count)...]
        most = max(most, rest.prefix { $0 == UInt8(ascii: "#") }.count)
      }
    }
    return String(repeating: "#", count: most + 1)
  }

  private static func escaped(_ line: String, _ hashes: String, _ visible: VisibleText) -> String {
    if line.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return line }
    var result = ""
    for scalar in line.unicodeScalars {
      let shown = visible(String(scalar))
      // The literal's own form of an escape gives back the very scalar.
      result += shown == String(scalar) ? shown : "\\\(hashes)" + shown.dropFirst()
    }
    return result
  }
}
