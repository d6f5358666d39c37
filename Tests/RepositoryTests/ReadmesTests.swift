import Testing

@Suite("A README in each folder")
struct ReadmesTests {
  private static let good = "# A\n\nWhat is a.\n\nMore.\n\nNothing that is b.\n"

  @Test("Each folder says what belongs there")
  func repository() throws {
    let repository = try Repository.current()
    #expect(repository.folders(in: "Tests").contains("RepositoryTests"))
    expectNone(try readmeBreaches(in: repository))
  }

  @Test("A folder without a README is found")
  func findsMissing() throws {
    let files = [
      "Sources/A/a.swift", "Tests/B/b.swift", "Adapters/c/adapter.json", "corpus/d/x.case",
      "fixtures/e/x.bin", "Documentation/F/x.md", "Fuzz/Package.swift", "Scripts/x.sh",
      "Examples/G/Package.swift", "Benchmarks/Package.swift",
    ]
    let found = try withPlanted(Dictionary(uniqueKeysWithValues: files.map { ($0, "") })) {
      try readmeBreaches(in: $0)
    }
    #expect(
      found.map(\.path) == [
        "Adapters", "Adapters/c", "Benchmarks", "Documentation", "Documentation/F", "Examples",
        "Examples/G", "Fuzz", "Scripts", "Sources/A", "Tests/B", "corpus", "corpus/d", "fixtures",
        "fixtures/e",
      ]
    )
    #expect(Set(found.map(\.message)) == ["has no README.md"])
  }

  @Test("A README that does not do its duty is found")
  func findsPoor() throws {
    let poor = [
      "": "has no title", "A": "has no title",
      "# A\n\nWhat is a.\n": "does not say first what belongs here, and last what does not",
      "# A\n\nNot b.\n\nWhat is a.\n": "does not say last what does not belong here",
    ]
    for (text, message) in poor {
      let found = try withPlanted(["Sources/A/README.md": text]) { try readmeBreaches(in: $0) }
      #expect(found == [Breach("Sources/A/README.md", message)])
    }
  }

  @Test("A folder with its README is left alone, and so is one that is ignored")
  func allows() throws {
    let files = [
      ".gitignore": ".build/\n", "Sources/A/README.md": Self.good, "Sources/A/b/c.swift": "",
      "Sources/B/README.md": "# B\n\nWhat is b.\n\nWhat is a belongs to `A`.",
      "Sources/.build/x.swift": "",
    ]
    let found = try withPlanted(files) { try readmeBreaches(in: $0) }
    #expect(found == [])
  }

  @Test("A module with unsafe code says where and why")
  func unsafeCode() throws {
    expectNone(try unsafeBreaches(in: try Repository.current()))
    let found = try withPlanted([
      "Sources/A/a.swift": "let a = unsafe b()\n", "Sources/A/README.md": Self.good,
      "Sources/B/b.swift": "// unsafe\nlet a = 1\n", "Sources/B/README.md": Self.good,
      "Sources/C/c.swift": "let a = unsafe b()\n", "Sources/C/README.md": "# C\n\nunsafe: why.\n",
    ]) { try unsafeBreaches(in: $0) }
    #expect(found.map(\.path) == ["Sources/A/README.md"])
  }
}
