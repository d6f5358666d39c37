import Testing

/// Words that a source yields, in order: what the checks look at.
private func names(_ source: String) -> [String] {
  swiftTokens(of: source).compactMap(\.word)
}

@Suite("Tokens of Swift source")
struct SwiftTokensTests {
  @Test(
    "Text is not taken for code",
    arguments: [
      "// b\na", "/* b /* b */ b */ a", "\"b\" a", "\"b\\\" b\" a", "#\"b\" b\"# a",
      "\"\"\"\nb \"b\" b\n\"\"\" a", "#/ b \" b /# a", "a = /b\"b/", "a(/b \\/ b\"/)",
      "##\"\"\"\nb \"\"\"# b\n\"\"\"## a",
    ]
  )
  func textIsNotCode(_ source: String) {
    #expect(names(source) == ["a"])
  }

  @Test(
    "Code is not taken for text",
    arguments: [
      ("\"b \\(a) b\" c", ["a", "c"]), ("\"\\(f(\"b\\(a)b\"))\" c", ["f", "a", "c"]),
      ("#\"b \\(b) \\#(a) b\"# c", ["a", "c"]), ("a / c / d", ["a", "c", "d"]),
      ("a/c + \"b\"", ["a", "c"]), ("(a) /c/ d", ["a", "c", "d"]), ("`a` c", ["`a`", "c"]),
      ("\"b\na", ["a"]), ("a\r\nc", ["a", "c"]),
    ]
  )
  func codeIsNotText(_ source: String, _ expected: [String]) {
    #expect(names(source) == expected)
  }

  @Test("Each token knows its line")
  func lines() {
    let tokens = swiftTokens(of: "a\n/*\n*/ b \"\"\"\n\n\"\"\"\r\nc")
    #expect(tokens.map(\.line) == [1, 3, 3, 6])
  }

  @Test(
    "A source that ends early yields what was there",
    arguments: ["a /*", "a \"", "a \"\\", "a \"\\(", "a #\"", "a \"\"\"", "a #/", "a /b", "a `"]
  )
  func endsEarly(_ source: String) {
    #expect(names(source).first == "a")
  }
}
