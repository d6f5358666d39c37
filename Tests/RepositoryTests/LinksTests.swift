import Testing

@Suite("Links between articles")
struct LinksTests {
  private static let files = [
    "Documentation/A.md": "# A\n\n## Two `words`, and more\n", "Documentation/B/c.md": "# C\n",
  ]

  private func breaches(_ article: String) throws -> [String] {
    try withPlanted(Self.files.merging(["Documentation/D.md": article]) { $1 }) {
      try linkBreaches(in: $0).map(\.description)
    }
  }

  @Test("Every link of an article leads somewhere")
  func repository() throws {
    expectNone(try linkBreaches(in: .current()))
  }

  @Test(
    "What is there may be linked to",
    arguments: [
      "[a](A.md)", "[a](A.md#two-words-and-more)", "[b](B)", "[c](./B/../B/c.md)",
      "[w](https://x.y)",
      "# Here\n[h](#here)", "```\n[x](y)\n```", "[r](../Documentation/A.md)",
    ]
  )
  func allows(_ article: String) throws {
    #expect(try breaches(article) == [])
  }

  @Test("What is not there is found, with its line")
  func finds() throws {
    #expect(
      try breaches("a\n[a](E.md) [b](A.md#three)\n[c](#x)") == [
        "Documentation/D.md:2: leads to Documentation/E.md, which is not there",
        "Documentation/D.md:2: Documentation/A.md has no heading #three",
        "Documentation/D.md:3: Documentation/D.md has no heading #x",
      ]
    )
  }
}
