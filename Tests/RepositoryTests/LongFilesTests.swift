import Testing

@Suite("Length of files")
struct LongFilesTests {
  @Test("No file is longer than 600 lines without saying why")
  func repository() throws {
    expectNone(try longFiles(in: .current()))
  }

  @Test("The limit is met exactly, with and without a newline at the end")
  func limit() throws {
    func text(_ lineCount: Int) -> String {
      Array(repeating: "x", count: lineCount).joined(separator: "\n")
    }
    let files = [
      "Sources/A/a.swift": text(600), "Sources/A/b.swift": text(600) + "\n",
      "Sources/A/c.swift": text(601), "Scripts/d.sh": text(601) + "\n", "fixtures/e.md": text(900),
      "LICENSE": text(900),
    ]
    let found = try withPlanted(files) { try longFiles(in: $0) }
    #expect(
      found.map(\.description) == [
        "Scripts/d.sh: 601 lines: split it, or say why in a comment `long: why`",
        "Sources/A/c.swift: 601 lines: split it, or say why in a comment `long: why`",
      ]
    )
  }

  @Test(
    "Only a reason near the top excuses",
    arguments: [
      ("// long: one table", true), ("  # long: one table", true), ("<!-- long: tables -->", true),
      ("// long:", false), ("// long: -", false), ("let long: Int", false),
      (String(repeating: "\n", count: 29) + "// long: here", true),
      (String(repeating: "\n", count: 30) + "// long: here", false),
    ]
  )
  func reasons(_ head: String, _ isExcused: Bool) throws {
    let text = head + String(repeating: "\nx", count: 700)
    let found = try withPlanted(["a.swift": text]) { try longFiles(in: $0) }
    #expect(found.isEmpty == isExcused)
  }
}
