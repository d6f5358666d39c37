import Foundation
import Reporting
import TestSupport
import Testing

@Suite("Large reports")
struct LargeReportTests {
  /// 90,000 cells and 500 failures of 40 steps.
  private static let report = {
    var report = SampleReports.failing
    report.subjects = (0..<300).map {
      Report.Subject(id: "subject\($0)", version: "\($0)", capabilities: ["map", "text"])
    }
    report.laws = (0..<300).map {
      Report.Law(
        name: "family\($0 / 10).law\($0)",
        sentence: "Whatever happens, \($0) holds.",
        source: ""
      )
    }
    report.cells = report.laws.flatMap { law in
      report.subjects.map { subject in
        var cell = Report.Cell(law: law.name, subject: subject.id)
        cell.held = 1000
        return cell
      }
    }
    let steps = Array(repeating: SampleFailures.counter.timeline, count: 4).flatMap(\.self).prefix(
      40
    )
    report.failures = (0..<500).map { number in
      var failure = SampleFailures.counter
      failure.id = "failure-\(number)"
      failure.law = report.laws[number % 300].name
      failure.subject = report.subjects[number * 7 % 300].id
      failure.timeline = Array(steps)
      failure.history = steps.map(\.text)
      return failure
    }
    for (number, failure) in report.failures.enumerated() {
      let place = (number % 300) * 300 + number * 7 % 300
      report.cells[place].violated = failure.caseCount
    }
    return report
  }()

  @Test("A hundred thousand results make a page of at most 2 MB")
  func large() throws {
    let page = HTMLReport(Self.report).text
    #expect(page.utf8.count <= HTMLReport.byteLimit)
    let tree = try MarkupTree.read(page)
    let articles = tree.all("article").count
    let rows = tree.all(ofClass: "further").first?.all("tbody").first?.elements.count ?? 0
    #expect(articles >= 10)
    #expect(rows > 0)
    let left = 500 - articles - rows
    if left > 0 { #expect(tree.text.contains("and \(left) more failures in report.json")) }
    // Laws that are violated come before those that hold, in the report's order.
    let matrix = try #require(tree.all(ofClass: "matrix").first)
    let shown = matrix.all(ofClass: "law").count
    #expect(tree.text.contains("and \(300 - shown) more laws in report.json"))
    #expect(tree.text.contains("and 276 more subjects in report.json"))
  }

  @Test("Every rendering of a hundred thousand results keeps its limit")
  func others() throws {
    let report = Self.report
    #expect(MarkdownReport(report).text.utf8.count <= MarkdownReport.byteLimit)
    let lines = TerminalReport(report, hasColour: false).text.split(separator: "\n")
    #expect(lines.count < 1500)
    #expect(SARIFReport(report).runs[0].results.count == 500)
    let junit = try MarkupTree.read(JUnitReport(report).text)
    #expect(junit.all("testcase").count == 90_001)
  }

  @Test("Texts of kilobytes fill neither page nor summary")
  func longTexts() throws {
    let payload = HostileReports.Payload(
      name: "long",
      before: "",
      after: String(repeating: "<\u{202E}&`@", count: 2000)
    )
    let report = try HostileReports.report(payload)
    let page = HTMLReport(report).text
    #expect(page.utf8.count <= HTMLReport.byteLimit)
    #expect(Inertness.violations(inPage: page) == [])
    #expect(MarkdownReport(report).text.utf8.count <= MarkdownReport.byteLimit)
    let text = TerminalReport(report, hasColour: true).text
    #expect(text.utf8.count < 200_000)
    #expect(Inertness.violations(inTerminal: text, width: 80) == [])
  }

  @Test("Numbers that no run has are rendered, too")
  func extremes() throws {
    for number in [Int.max, Int.min, -1, 0] {
      var report = SampleReports.failing
      report.selfTest = SampleReports.selfTest.selfTest
      report.run.cases = number
      for index in report.cells.indices {
        report.cells[index].held = number
        report.cells[index].violated = number
        report.cells[index].skipped = number
      }
      for index in report.failures.indices {
        report.failures[index].size = number
        report.failures[index].replicas = number
        report.failures[index].caseIndex = number
        report.failures[index].timeline[0].replicas = [number]
        report.failures[index].timeline[0].message = number
      }
      for index in report.counts.edits.indices { report.counts.edits[index].count = number }
      for index in report.counts.sizes.indices { report.counts.sizes[index].count = number }
      report.selfTest?.medianSizeTenths = number
      report.clock.seconds = number == 0 ? .nan : Double(number) * 1e300
      report.clock.casesPerSecond = .infinity
      report.clock.lawSeconds["x"] = -.infinity
      report.clock.lawSeconds["y"] = 1e308
      #expect(Inertness.violations(inPage: HTMLReport(report).text) == [])
      #expect(Inertness.violations(inJUnit: JUnitReport(report).text) == [])
      #expect(!MarkdownReport(report).text.isEmpty)
      #expect(!TerminalReport(report, hasColour: false).text.isEmpty)
      #expect(SARIFReport(report).runs.count == 1)
    }
  }
}
