import Reporting
import TestSupport
import Testing
import Texts

@Suite("The page of what was never entered")
struct CoveragePageTests {
  private static func coverage(_ line: String, reason: String?) -> SourceCoverage {
    let gap = SourceCoverage.Gap(
      file: "Sources/A/a.swift",
      lines: 3...40,
      source: ["  func f() {", line],
      regions: 4,
      reason: reason
    )
    return SourceCoverage(
      modules: [Report.CoveredModule(name: "A", regions: 3_000, entered: 2_999)],
      gaps: [gap],
      origin: "12 cases"
    )
  }

  @Test("It stays inert, whatever the sources hold", arguments: HostileReports.Payload.all.indices)
  func inert(_ index: Int) {
    let payload = HostileReports.Payload.all[index]
    let text = "\(payload.before)return\(payload.after)"
    for reason in [nil, text] {
      let page = CoveragePage(Self.coverage(text, reason: reason)).text
      #expect(Inertness.violations(inPage: page) == [])
    }
  }

  @Test("It shows modules, and gaps with and without a reason apart, with their source")
  func shows() throws {
    let open = CoveragePage(Self.coverage("return 1", reason: nil)).text
    let tree = try MarkupTree.read(open)
    #expect(tree.first(id: "verdict-title")?.text.contains("1 gap without a reason") == true)
    #expect(tree.first(id: "modules")?.text.contains("99.9 %") == true)
    #expect(tree.first(id: "gaps")?.text.contains("4  return 1") == true)
    #expect(tree.first(id: "gaps")?.text.contains("36 more lines") == true)
    #expect(tree.first(id: "explained") == nil)
    let explained = try MarkupTree.read(
      CoveragePage(Self.coverage("return 1", reason: "Never.")).text
    )
    #expect(explained.first(id: "gaps") == nil)
    #expect(explained.first(id: "explained")?.text.contains("Never.") == true)
  }
}
