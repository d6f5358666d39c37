import Foundation
import Reporting
import TestSupport
import Testing
import Texts

@Suite("Hostile texts")
struct HostileTests {
  typealias Payload = HostileReports.Payload

  @Test("A page stays inert", arguments: Payload.all.indices)
  func page(_ index: Int) throws {
    let report = try HostileReports.all.get()[index]
    #expect(Inertness.violations(inPage: HTMLReport(report).text) == [])
  }

  @Test("An ordinary page is inert", arguments: SampleReports.all.indices)
  func ordinary(_ index: Int) {
    #expect(Inertness.violations(inPage: HTMLReport(SampleReports.all[index].report).text) == [])
  }

  @Test("A page shows entities as they were written, and lines of a tip as lines")
  func unchanged() throws {
    let isFaithful = try Self.isFaithful(MarkupRules())
    #expect(isFaithful)
  }

  /// Whether text and attributes read back as what was written.
  private static func isFaithful(_ rules: MarkupRules) throws -> Bool {
    let index = try #require(Payload.all.firstIndex { $0.name == "entities" })
    let payload = Payload.all[index]
    let page = HTMLReport(try HostileReports.all.get()[index], rules: rules).text
    guard let tree = try? MarkupTree.read(page) else { return false }
    let title = tree.first(id: "verdict-title")?.text ?? ""
    let reasons = tree.all(ofClass: "reasons").map(\.text).joined()
    let tips = tree.all.compactMap { $0.attributes["data-tip"] }
    return !title.isEmpty && reasons.contains("merge.commutes is violated by loro" + payload.after)
      && tips.contains { $0.contains("skipped, against naive") && $0.contains("\nskipped: lacks") }
  }

  @Test("A page with any rule taken away is caught", arguments: MarkupRules.Escape.allCases)
  func mutants(_ escape: MarkupRules.Escape) throws {
    var rules = MarkupRules()
    rules.escapes.remove(escape)
    #expect(try isCaught(rules))
  }

  @Test(
    "A page that shows any kind of hidden scalar is caught",
    arguments: VisibleText.Kind.allCases
  )
  func mutants(_ kind: VisibleText.Kind) throws {
    var rules = MarkupRules()
    rules.visible.spelled.remove(kind)
    #expect(try isCaught(rules))
  }

  private func isCaught(_ rules: MarkupRules) throws -> Bool {
    for report in try HostileReports.all.get() {
      let page = HTMLReport(report, rules: rules).text
      if !Inertness.violations(inPage: page).isEmpty { return true }
    }
    return try !Self.isFaithful(rules)
  }

  @Test("junit.xml stays inert", arguments: Payload.all.indices)
  func junit(_ index: Int) throws {
    let report = try HostileReports.all.get()[index]
    #expect(Inertness.violations(inJUnit: JUnitReport(report).text) == [])
  }

  @Test(
    "junit.xml with a rule taken away is caught",
    arguments: [MarkupRules.Escape.ampersand, .less, .greater, .quote]
  )
  func junitMutants(_ escape: MarkupRules.Escape) throws {
    var rules = MarkupRules()
    rules.escapes.remove(escape)
    let found = try HostileReports.all.get().flatMap {
      Inertness.violations(inJUnit: JUnitReport($0, rules: rules).text)
    }
    #expect(!found.isEmpty)
  }

  @Test(
    "A terminal gets text and our own colours only",
    arguments: Payload.all.indices,
    [60, 80, 100]
  )
  func terminal(_ index: Int, _ width: Int) throws {
    let report = try HostileReports.all.get()[index]
    for hasColour in [false, true] {
      let text = TerminalReport(report, hasColour: hasColour, columns: width, folder: "out").text
      #expect(Inertness.violations(inTerminal: text, width: width) == [])
      #expect(hasColour || !text.contains("\u{1B}"))
    }
  }

  @Test(
    "A terminal that gets a kind of hidden scalar is caught",
    arguments: VisibleText.Kind.allCases
  )
  func terminalMutants(_ kind: VisibleText.Kind) throws {
    var visible = VisibleText()
    visible.spelled.remove(kind)
    let found = try HostileReports.all.get().flatMap { report in
      let text = TerminalReport(report, hasColour: true, visible: visible).text
      return Inertness.violations(inTerminal: text, width: 80)
    }
    #expect(!found.isEmpty)
  }

  @Test("SARIF messages hold no link and no placeholder", arguments: Payload.all.indices)
  func sarif(_ index: Int) throws {
    let report = try HostileReports.all.get()[index]
    let value = try JSONValue(data: JSONEncoder().encode(SARIFReport(report)))
    let results = try #require(value["runs"]?[0]?["results"]?.array)
    #expect(results.count == report.failures.count)
    for result in results {
      let text = try #require(result["message"]?["text"]?.string)
      #expect(Inertness.strayScalars(in: text, allowing: ["\n", "\t"]) == [])
      // What is left without escaped signs has no bracket at all.
      let bare = text.replacing("\\\\", with: "").replacing("\\[", with: "").replacing(
        "\\]",
        with: ""
      )
      .replacing("{{", with: "").replacing("}}", with: "")
      #expect(!bare.contains { "[]{}\\".contains($0) }, "\(text)")
      let path = result["locations"]?[0]?["physicalLocation"]?["artifactLocation"]?["uri"]?.string
      let uri = try #require(path)
      #expect(!uri.hasPrefix("/") && !uri.contains(":") && !uri.contains(".."), "\(uri)")
    }
  }
}
