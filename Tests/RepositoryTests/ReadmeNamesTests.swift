import Testing

@Suite("Names in READMEs")
struct ReadmeNamesTests {
  private func breaches(
    _ readme: String,
    _ exceptions: [String: String] = [:]
  ) throws -> [String] {
    try withPlanted([
      "Sources/A/README.md": readme, "Sources/A/Core+Paths.swift": "let a = Leaf.self // Gone\n",
      "Sources/A/Store/OpLog.txt": "Other\n", "Tests/RepositoryTests/a.swift": "Planted\n",
    ]) {
      try readmeNameBreaches(in: $0, exceptions: exceptions).map(\.description)
    }
  }

  @Test("READMEs of modules and of tests name what there is, and each exception is needed")
  func repository() throws {
    let found = try readmeNameBreaches(in: .current(), exceptions: [:])
    let excused = Set(readmeNameExceptions.keys.map { "nothing is called \($0)" })
    expectNone(found.filter { !excused.contains($0.message) })
    #expect(excused.isSubset(of: found.map(\.message)))
  }

  @Test("Files, folders, words of code and placeholders are allowed")
  func allows() throws {
    let readme = """
      `Core+Paths.swift`, `Core+Paths`, `Paths`, `A`, `Store/`, `OpLog`, `Leaf.self`, `x.leaf`,
      `Missing<Topic>Laws.swift`, Missing, `missing`

      ```swift
      `Missing`
      ```

      """
    #expect(try breaches(readme) == [])
    #expect(try breaches("`Missing`", ["Missing": "a reason"]) == [])
  }

  @Test("A name that is gone is found, though a comment or this folder still says it")
  func finds() throws {
    #expect(
      try breaches("`Leaf`\n`Gone`, `touchstone Missing --all`\n`Planted.swift`, `Other`") == [
        "Sources/A/README.md:2: nothing is called Gone",
        "Sources/A/README.md:2: nothing is called Missing",
        "Sources/A/README.md:3: nothing is called Planted",
        "Sources/A/README.md:3: nothing is called Other",
      ]
    )
  }
}
