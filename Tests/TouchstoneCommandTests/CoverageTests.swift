import Foundation
import Mutants
import Reporting
import TestSupport
import Testing

@testable import TouchstoneCommand

@Suite("Coverage of the sources")
struct CoverageTests {
  /// A function of 10 lines with a branch of 3 and one that was entered, its generic twin that entered the first,
  /// a function that never ran with a branch in it, and one of another package.
  private static let export = """
    {"data":[{"functions":[
      {"filenames":["/p/Sources/A/a.swift"],"regions":[
        [1,10,10,2,7,0,0,0],[2,5,4,6,0,0,0,0],[5,5,6,6,3,0,0,0],[7,1,7,9,0,0,0,3]]},
      {"filenames":["/p/Sources/A/a.swift"],"regions":[[1,10,10,2,0,0,0,0],[2,5,4,6,1,0,0,0]]},
      {"filenames":["/p/Sources/A/a.swift","/p/Sources/A/b.swift"],
        "regions":[[20,10,30,2,0,0,0,0],[22,3,24,4,0,0,0,0],[3,1,4,2,0,1,0,0]]},
      {"filenames":["/q/Sources/A/a.swift"],"regions":[[1,1,2,2,0,0,0,0]]}
    ]}],"type":"llvm.coverage.json.export","version":"2.0.1"}
    """

  @Test("A region is entered if any instance of its function was; gaps hold what lies within them")
  func counts() throws {
    let counts = try CoverageCounts(Data(Self.export.utf8), root: URL(fileURLWithPath: "/p"))
    #expect(counts.moduleNames == ["A"])
    let module = try #require(counts.modules(["A"]).first)
    #expect(module.regions == 6)
    #expect(module.entered == 3)
    let gaps = counts.gaps(["A"])
    #expect(
      gaps.map { "\($0.region.file):\($0.region.start.line) \($0.count)" } == [
        "Sources/A/a.swift:20 2", "Sources/A/b.swift:3 1",
      ]
    )
    #expect(counts.gaps(["B"]).isEmpty)
  }

  @Test("A package's modules are where its manifest says, one within another, too")
  func modulesByFolder() throws {
    let counts = try CoverageCounts(
      Data(Self.export.replacing("b.swift", with: "Inner/b.swift").utf8),
      root: URL(fileURLWithPath: "/p"),
      modules: ["Outer": "Sources/A", "Inner": "Sources/A/Inner", "Elsewhere": "Code"]
    )
    #expect(counts.moduleNames == ["Inner", "Outer"])
    #expect(counts.modules(["Inner", "Outer"]).map(\.regions) == [1, 5])
    #expect(counts.gaps(["Inner"]).map(\.region.file) == ["Sources/A/Inner/b.swift"])
  }

  @Test(
    "What is no export of llvm-cov is refused in words",
    arguments: [
      "", "[]", #"{"data":[{"functions":[{"filenames":[],"regions":[[1,1,1,1,0,0,0,0]]}]}]}"#,
      #"{"data":[{"functions":[{"filenames":["/p/a"],"regions":[[1,1]]}]}]}"#,
    ]
  )
  func refuses(_ text: String) {
    #expect(throws: CoverageError.self) {
      try CoverageCounts(Data(text.utf8), root: URL(fileURLWithPath: "/p"))
    }
  }

  @Test("The list of what is never entered reads, each with its reason")
  func list() throws {
    let text = try String(
      contentsOf: Program.root(NeverEntered.path),
      encoding: .utf8
    )
    for entry in try NeverEntered.list(text) {
      #expect(entry.reason.hasSuffix("."), "\(entry.file): \(entry.line)")
    }
  }

  @Test("Words name the largest gaps that have no reason, and the share last")
  func words() {
    let gap = { (line: Int, regions: Int, reason: String?) in
      SourceCoverage.Gap(
        file: "Sources/A/a.swift",
        lines: line...(line + 2),
        source: ["    guard x else {", "      return", "    }"],
        regions: regions,
        reason: reason
      )
    }
    let coverage = SourceCoverage(
      modules: [Report.CoveredModule(name: "A", regions: 2_000, entered: 1_999)],
      gaps: [gap(3, 1, nil), gap(9, 4, nil), gap(20, 8, "Never.")],
      origin: "1 case"
    )
    #expect(
      CoverageCommand.words(coverage) == """
          A  99.9 % of 2,000 regions

        never entered, and without a reason:
          Sources/A/a.swift:9  guard x else {
          Sources/A/a.swift:3  guard x else {

        99.9 % of 2,000 regions entered; 2 gaps without a reason
        """
    )
    let page = CoveragePage(coverage).text
    #expect(page.contains("3      guard x else {"))
    #expect(page.contains("Never."))
  }

  @Test("Another folder than a clone is refused, and says what shows a package's own coverage")
  func noClone() throws {
    try withFolder { folder in
      let run = try Executable.run(["coverage"], in: folder)
      #expect(run.status == 2)
      #expect(run.complaints.contains("swift test --enable-code-coverage"))
    }
  }
}
