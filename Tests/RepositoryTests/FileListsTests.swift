import Testing

@Suite("Lists of files in READMEs")
struct FileListsTests {
  private func breaches(_ readme: String) throws -> [String] {
    try withPlanted([
      "Sources/A/README.md": readme, "Sources/A/Core.swift": "", "Sources/A/Core+Paths.swift": "",
      "Sources/A/Store/Leaf.swift": "", "Sources/A/OpRunEncoder.swift": "",
      "Sources/A/A.docc/x.md": "",
    ]) {
      try fileListBreaches(in: $0).map(\.description)
    }
  }

  @Test("Lists name what is there, and indexes all of it")
  func repository() throws {
    expectNone(try fileListBreaches(in: .current()))
  }

  @Test("Names, patterns, folders and continued names are found; other tables do not count")
  func allows() throws {
    let list = """
      | files | topic |
      |---|---|
      | `Core`, `+Paths` | `Nothing` |
      | `*Encoder`, `Op*Enc*` | |
      | `A.docc`, `Store/` | |

      | what | where |
      |---|---|
      | `Missing` | |

      """
    #expect(try breaches(list) == [])
  }

  @Test("A file that is gone is found, and one that an index does not name")
  func finds() throws {
    let list = """
      | file | topic |
      |---|---|
      | `Core`, `Core+*`, `OpRunEncoder`, `Leaf.swift` | |
      | `Cores`, `Leaf*x`, `+Way` | |

      """
    #expect(
      try breaches(list) == [
        "Sources/A/README.md:4: there is no Cores", "Sources/A/README.md:4: there is no Leaf*x",
        "Sources/A/README.md:4: there is no Leaf+Way",
      ]
    )
    let found = try withPlanted([
      "Scripts/README.md": "`a.sh`", "Scripts/a.sh": "", "Scripts/b.sh": "", "Scripts/C/c.sh": "",
    ]) { try fileListBreaches(in: $0).map(\.description) }
    #expect(found == ["Scripts/README.md: does not name b.sh"])
  }

  @Test("A file that a list leaves out is found, and a README without a list names none")
  func findsUnnamed() throws {
    #expect(
      try breaches("| file | topic |\n|---|---|\n| `Core`, `Store` | |\n").sorted() == [
        "Sources/A/README.md: does not name Core+Paths.swift",
        "Sources/A/README.md: does not name OpRunEncoder.swift",
      ]
    )
    #expect(try breaches("| what | where |\n|---|---|\n| `Missing` | |\n") == [])
  }
}
