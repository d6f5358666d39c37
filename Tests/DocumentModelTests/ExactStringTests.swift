import DocumentModel
import Testing
import Texts

@Suite("Exact strings")
struct ExactStringTests {
  /// Strings that Swift or a careless eye takes for one another.
  private static let lookalikes: [ExactString] = [
    "", "\u{0}", "e", "e\u{301}", "\u{e9}", "\u{212b}", "\u{c5}", "A\u{30a}", "\u{ac00}",
    "\u{1100}\u{1161}", "a", "a\u{0}", "\u{fb01}", "fi", "\u{10ffff}", "\u{ffff}",
  ]

  @Test("Only strings of the same bytes are equal")
  func equality() {
    for (index, left) in Self.lookalikes.enumerated() {
      for (other, right) in Self.lookalikes.enumerated() {
        #expect(
          (left == right) == (index == other),
          "\(quoted(left.string)) \(quoted(right.string))"
        )
      }
    }
    #expect("e\u{301}" as String == "\u{e9}")
    #expect(ExactString("e\u{301}") != ExactString("\u{e9}"))
  }

  @Test("Canonical equivalents are different keys, and equal bytes one key")
  func hashing() {
    #expect(Set(Self.lookalikes).count == Self.lookalikes.count)
    for string in Self.lookalikes {
      // Rebuilt from its bytes, so that both share nothing but these.
      let copy = ExactString(String(decoding: Array(string.string.utf8), as: UTF8.self))
      #expect(copy == string)
      #expect(copy.hashValue == string.hashValue)
      #expect(Set(Self.lookalikes).contains(copy))
    }
  }

  @Test("The order is that of the bytes")
  func order() {
    let sorted = Self.lookalikes.sorted()
    let bytes = Self.lookalikes.map { Array($0.string.utf8) }
      .sorted { $0.lexicographicallyPrecedes($1) }
    #expect(sorted.map { Array($0.string.utf8) } == bytes)
    #expect(ExactString("z") < ExactString("\u{e9}"))
    #expect(ExactString("\u{ffff}") < ExactString("\u{10000}"))
    #expect(!(ExactString("a") < ExactString("a")))
  }
}
