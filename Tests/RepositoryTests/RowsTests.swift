import Testing

@Suite("Rows of automerge-swift")
struct RowsTests {
  private static let list = """
    | row | what | | tests |
    |---|---|---|---|
    | ENC-01 | numbers | K | `ATests` |
    | ENC-03 | dates | F | `ATests`, `BTests` |

    | what | title | tests |
    |---|---|---|
    | urls | A URL is kept | `BTests` |

    | row | what | why |
    |---|---|---|
    | PAT-01 to PAT-03 | patches | none |

    """

  private func breaches(_ a: String, _ b: String) throws -> [String] {
    try withPlanted([
      "Documentation/Rows.md": Self.list, "Tests/ATests/ATests.swift": a,
      "Tests/BTests/BTests.swift": b,
    ]) {
      try rowBreaches(in: $0).map(\.description)
    }
  }

  @Test("Each row has the test that the list names, and no other row is named")
  func repository() throws {
    let repository = try Repository.current()
    #expect(try repository.text(at: "Documentation/Rows.md").contains("| ENC-01 |"))
    expectNone(try rowBreaches(in: repository))
  }

  @Test("A file whose name several targets have is named with its target")
  func sharedNames() throws {
    func breaches(_ test: String) throws -> [String] {
      let row = "| ENC-01 | numbers | K | `\(test)` |"
      return try withPlanted([
        "Documentation/Rows.md": "| row | what | | tests |\n|---|---|---|---|\n\(row)\n",
        "Tests/ATests/ATests.swift": "ENC-01", "Tests/BTests/ATests.swift": "none",
      ]) {
        try rowBreaches(in: $0).map(\.description)
      }
    }
    #expect(try breaches("ATests/ATests") == [])
    for name in ["ATests", "BTests/ATests"] {
      #expect(
        try breaches(name) == ["Documentation/Rows.md:3: \(name) does not name ENC-01"]
      )
    }
  }

  @Test("A list that is true is left alone; ranges name what lies between, other ids do not count")
  func allows() throws {
    #expect(
      try breaches("ENC-01 to ENC-03 SHA-25", "(ENC-03) A URL is kept")
        == ["ENC-02"].map {
          "Documentation/Rows.md: \($0) is not listed, and ATests names it"
        }
    )
    #expect(try breaches("ENC-01, ENC-03", "ENC-03: A URL is kept") == [])
  }

  @Test(
    "A row without its test, a title that is gone and a row that has a test after all are found"
  )
  func finds() throws {
    #expect(
      try breaches("ENC-01, PAT-02", "ENC-03") == [
        "Documentation/Rows.md:4: ATests does not name ENC-03",
        "Documentation/Rows.md:8: BTests has no such test",
        "Documentation/Rows.md: PAT-02 is said to have no test, and ATests names it",
      ]
    )
  }
}
