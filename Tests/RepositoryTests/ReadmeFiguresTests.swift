import Testing

@Suite("Figures of the project's README")
struct ReadmeFiguresTests {
  @Test("They are those of the page of benchmarks")
  func repository() throws {
    expectNone(try ReadmeFigures.breaches(in: .current()))
  }

  private static let page = """
    | W1: an essay typed, 259,778 edits, one commit | 8.62 | 10: met | 1,592 (69x) | - |
    | W1: an essay typed, 259,778 edits, one commit | 20.0 | 21.0 | 5 % | 10 %: met |
    | `swift build --build-tests`, from nothing | 56.1 | 90: met | 81.8 |
    """

  private func breaches(_ readme: String) throws -> [String] {
    try withPlanted([ReadmeFigures.readme: readme, ReadmeFigures.page: Self.page]) {
      try ReadmeFigures.breaches(in: $0).map(\.description)
    }
  }

  private func readme(_ milliseconds: String, _ ratio: String, _ seconds: String) -> String {
    "takes [some \(seconds) seconds](x). It replays in \(milliseconds) ms of processor time; "
      + "the other takes \(ratio) times as long."
  }

  @Test("Figures that are rounded, or of another run, may stay")
  func allows() throws {
    #expect(try breaches(readme("9", "70", "55")) == [])
  }

  @Test("Figures of before, and those that are gone, are found")
  func finds() throws {
    #expect(
      try breaches(readme("14", "57", "75")) == [
        "README.md: W1: an essay typed, 259,778 edits, one commit: 14.0, where "
          + "Documentation/Benchmarks.md has 8.62",
        "README.md: W1: an essay typed, 259,778 edits, one commit: 57.0, where "
          + "Documentation/Benchmarks.md has 69.0",
        "README.md: `swift build --build-tests`, from nothing: 75.0, where "
          + "Documentation/Benchmarks.md has 56.1",
      ]
    )
    #expect(try breaches("").count == 3)
  }
}
