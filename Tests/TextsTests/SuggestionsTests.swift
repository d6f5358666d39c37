import Testing

@testable import Texts

@Suite("Suggestions")
struct SuggestionsTests {
  private static let names = [
    "merge.commutes", "merge.associates", "network.converges", "naive", "engine", "document",
  ]

  @Test(
    "The distance of two words counts letters that change",
    arguments: [
      ("", "", 0), ("a", "", 1), ("ab", "ba", 1), ("naive", "naiv", 1), ("kitten", "sitting", 3),
      ("e\u{301}", "\u{e9}", 2),
    ]
  )
  func distance(left: String, right: String, count: Int) {
    #expect(editDistance(left, right) == count)
    #expect(editDistance(right, left) == count)
  }

  @Test(
    "A misspelt name finds what it means",
    arguments: [
      ("naiev", ["naive"]), ("merge.comutes", ["merge.commutes"]), ("ENGINE", ["engine"]),
      ("converges", ["network.converges"]), ("merge", ["merge.commutes", "merge.associates"]),
      ("something else", []), ("", []),
    ] as [(String, [String])]
  )
  func finds(word: String, found: [String]) {
    #expect(Set(suggestions(for: word, among: Self.names)) == Set(found))
  }

  @Test("A refusal ends with a question, or with nothing")
  func question() {
    #expect(suggestion(for: "naiev", among: Self.names) == " Did you mean 'naive'?")
    #expect(
      suggestion(for: "merge", among: Self.names)
        == " Did you mean 'merge.commutes' or 'merge.associates'?"
    )
    #expect(suggestion(for: "xyzzy", among: Self.names) == "")
  }
}
