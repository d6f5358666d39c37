import TestSupport
import Testing

@Suite("Regions that code writes")
struct GeneratedRegionTests {
  private static let text = "a\n<!-- generated: x -->\nold\n<!-- end -->\nb\n<!-- end -->\n"

  @Test("The region alone is replaced, and once")
  func replaces() throws {
    let region = GeneratedRegion("x")
    let once = try region.replaced(in: Self.text, with: "new\n")
    #expect(once == "a\n<!-- generated: x -->\n\nnew\n\n<!-- end -->\nb\n<!-- end -->\n")
    #expect(try region.replaced(in: once, with: "\nnew") == once)
  }

  @Test("A text without the region, or without its end, is refused")
  func refuses() {
    #expect(throws: GeneratedRegion.Unreadable.noBeginning("y")) {
      try GeneratedRegion("y").replaced(in: Self.text, with: "")
    }
    #expect(throws: GeneratedRegion.Unreadable.noEnd("x")) {
      try GeneratedRegion("x").replaced(in: "<!-- generated: x -->\n", with: "")
    }
  }

  @Test("A table keeps what would end its cells")
  func table() {
    #expect(markdownTable(["a", "b"], [["1|2", "3"]]) == "| a | b |\n|---|---|\n| 1\\|2 | 3 |")
  }
}
