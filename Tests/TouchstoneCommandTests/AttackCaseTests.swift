import Foundation
import TestSupport
import Testing

/// Case files that did harm to an earlier version.
@Suite("Case files of an attacker")
struct AttackCaseTests {
  @Test("Control characters are shown, and act on no terminal, whatever looks at the file")
  func escapes() throws {
    try withFolder { folder in
      let file = Program.attack("terminal-escapes.case")
      for words in [["show", file], ["replay", file], ["shrink", file, "--output", "a.case"]] {
        let outcome = try touchstone(words, in: folder)
        for text in [outcome.output, outcome.complaints] {
          #expect(
            text.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 },
            "\(words[0]): \(text)"
          )
          #expect(!text.unicodeScalars.contains("\u{202e}"), "\(words[0])")
        }
      }
    }
  }

  /// Its cost once grew with the cube of its steps: 1,000 took 46 s.
  @Test("A history of 2,000 steps is judged within the time of a case")
  func long() throws {
    try withFolder { folder in
      let words = ["replay", Program.attack("long-history.case"), "--json"]
      let outcome = try touchstone(words, in: folder)
      #expect(outcome.status == 0, "\(outcome.output) \(outcome.complaints)")
      let rows = try #require(try outcome.json as? [[String: Any]])
      #expect(rows.map { $0["verdict"] as? String } == ["held"])
    }
  }
}
