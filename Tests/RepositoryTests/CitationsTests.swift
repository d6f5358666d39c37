import Testing

@Suite("Sources that can be opened")
struct CitationsTests {
  private static let articles = [
    "Documentation/Specification/Codable.md":
      "# C\n\n## Dates\n\n## Requirements\n\n1. a\n2. b\n\n```\n## Code\n```\n",
    "Documentation/Decisions/0003-x.md": "# 3", "Documentation/Engine.md": "## Store\n",
    "fixtures/vectors/a.bin": "",
  ]

  private func breaches(_ source: String) throws -> [String] {
    try withPlanted(Self.articles.merging(["Sources/A/a.swift": source]) { $1 }) {
      try citationBreaches(in: $0).map(\.description)
    }
  }

  @Test("Every law, comment and article cites what is there")
  func repository() throws {
    let repository = try Repository.current()
    let laws = repository.paths.filter { $0.hasPrefix("Sources/CodingLaws/") }
    #expect(try laws.contains { try repository.text(at: $0).contains(".specification(.codable,") })
    expectNone(try citationBreaches(in: repository))
  }

  @Test(
    "Sources that can be opened are left alone",
    arguments: [
      "/// Source: Specification/Codable.md, \"Dates\", \"Requirements\".",
      "/// Source: Specification/Codable.md,\n/// \"Dates\".", "// Source: Engine.md, \"Store\".",
      "/// Source: Decisions/0003-x.md.", "/// Source: RFC 1951, section 3.2.6.",
      "/// Source: Myers, \"An O(ND) Difference Algorithm\", 1986.",
      "/// Source: the repository `a/b`.",
      "/// Source: automerge-swift #54.",
      "let a = [.specification(.codable, \"Dates\"), .decision(3)]",
      "x(.specification(.codable, \"Requirements\", item: 2), .requirement(1))",
      ".document(\"Engine.md\", \"Store\"), .fixtures(\"vectors\")", "x.decision(y)",
      "let source: Source", "/// As `Engine.md` says, and Documentation/Engine.md.",
      "/// Writes `summary.md`, in the form of `000N-....md`.",
    ]
  )
  func allows(_ source: String) throws {
    #expect(try breaches(source) == [])
  }

  @Test(
    "Sources that are not there are found, with line and reason",
    arguments: [
      (
        "\n/// Source: Specification/Codable.md,\n/// \"Data\".",
        "2: Specification/Codable.md has no heading \"Data\""
      ),
      (
        "/// As in Specification/Codable.md, \"Code\".",
        "1: Specification/Codable.md has no heading \"Code\""
      ),
      ("// Source: `plan.md`, part 2", "1: there is no Documentation/plan.md"),
      ("/// The models: `data/MODELS.md`\n/// has them.", "1: there is no data/MODELS.md"),
      ("// As ine.md says.", "1: there is no ine.md"),
      ("// Lists: section 4.", "1: 'section 4' of no document: name its heading"),
      ("/// Source: the usual rules.", "1: a source that cannot be opened: the usual rules."),
      (
        "x(.specification(.codable, \"Dates\",\n \"Data\"))",
        "1: Specification/Codable.md has no heading \"Data\""
      ),
      ("x(.specification(.format, \"A\"))", "1: there is no Documentation/Specification/Format.md"),
      (
        ".requirement(3) as A",
        "1: Specification/Codable.md, \"Requirements\" has 2 items, no item 3"
      ),
      (
        ".specification(.codable, \"Dates\", item: 1)",
        "1: Specification/Codable.md, \"Dates\" has 0 items, no item 1"
      ),
      (".decision(7) as A", "1: there is no decision 7"),
      (".fixtures(\"x\") as A", "1: there is nothing at fixtures/x"),
      (".document(\"Engine.md\", \"X\")", "1: Engine.md has no heading \"X\""),
    ]
  )
  func finds(_ source: String, _ message: String) throws {
    #expect(try breaches(source) == ["Sources/A/a.swift:" + message])
  }

  @Test("An article is held to it as well")
  func findsInArticles() throws {
    let files = Self.articles.merging([
      "README.md": "a\nSpecification/Codable.md, \"Data\"\n"
    ]) { $1 }
    let found = try withPlanted(files) { try citationBreaches(in: $0).map(\.description) }
    #expect(found == ["README.md:2: Specification/Codable.md has no heading \"Data\""])
  }
}
