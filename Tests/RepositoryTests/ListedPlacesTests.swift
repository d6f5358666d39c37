import Testing

@Suite("Listed places of sources")
struct ListedPlacesTests {
  @Test("Each is of a line that the sources still have")
  func repository() throws {
    expectNone(try stalePlaces(in: .current()))
  }

  @Test("A line that changed and a file that is gone are found")
  func finds() throws {
    let list = """
      # Comment
      file: Sources/A/a.swift
      operator: skip
      line: if a { return }
      change: a -> false

      file: Sources/A/a.swift
      operator: skip
      line: if b { return }
      change: b -> false

      file: Sources/A/b.swift
      line: if c { return }
      """
    let path = "Mutation/equivalent.txt"
    let other = "Mutation/never-entered.txt"
    let found = try withPlanted([
      path: list, other: "file: Sources/A/a.swift\nline: return 1\nwhy: It is old.\n",
      "Sources/A/a.swift": "func f() {\n  if a { return }\n}\n",
    ]) { try stalePlaces(in: $0) }
    #expect(
      found == [
        Breach(path, line: 9, "Sources/A/a.swift has no line `if b { return }`"),
        Breach(path, line: 12, "there is no Sources/A/b.swift"),
        Breach(other, line: 2, "Sources/A/a.swift has no line `return 1`"),
      ]
    )
  }
}
