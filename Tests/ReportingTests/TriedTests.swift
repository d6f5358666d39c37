import Foundation
import TestSupport
import Testing

@testable import Reporting

@Suite("What the page says was tried, and rows that stand for several")
struct TriedTests {
  private func tree(_ report: Report) throws -> MarkupTree {
    try MarkupTree.read(HTMLReport(report).text)
  }

  @Test("The page says how many samples differ, and which values none was")
  func tried() throws {
    let page = try tree(SampleReports.green)
    let samples = try #require(page.all(ofClass: "samples").first?.all("tr").last)
    #expect(samples.all("th").map(\.text) == ["histories"])
    #expect(samples.all("td").map(\.text) == ["1,200", "298"])
    let values = try #require(page.all(ofClass: "values").first?.all("tr").last)
    #expect(values.all("td").first?.text == "31,120")
    #expect(values.all(ofClass: "never").map(\.text) == ["least of 64 bits never"])
    var estimated = SampleReports.green
    estimated.counts.samples[0].isEstimate = true
    #expect(try tree(estimated).all(ofClass: "samples").first?.text.contains("about 298") == true)
    var empty = SampleReports.green
    (empty.counts.samples, empty.counts.values) = ([], [])
    #expect(try tree(empty).all(ofClass: "samples").isEmpty)
    #expect(try tree(empty).all(ofClass: "values").isEmpty)
  }

  @Test("One line says how many samples differ, the kinds with the most first")
  func distinctSamples() throws {
    var report = SampleReports.green
    let histories = try #require(report.counts.samples.first)
    #expect(report.distinctSamples == "different histories: 298 (judged 1,200 times)")
    let kinds = [("b", 30), ("a", 30), ("few", 2), ("none", 0), ("more", 3000)]
    let others = kinds.map { name, judged in
      var count = histories
      (count.name, count.judged, count.distinct) = (name, judged, 2)
      count.isEstimate = judged > 2000
      return count
    }
    report.counts.samples = [others[0]] + [histories] + others.dropFirst()
    #expect(
      report.distinctSamples
        == "different more: about 2 (judged 3,000 times), histories: 298 (1,200), a: 2 (30), and samples of 2 more kinds"
    )
    report.counts.samples = []
    #expect(report.distinctSamples == nil)
  }

  @Test("The top of a green page says what was not judged, and leads to what was tried")
  func greenVerdict() throws {
    var report = SampleReports.green
    let law = report.laws[0].name
    for index in report.cells.indices where report.cells[index].law == law {
      let reason = report.cells[index].skipReason
      report.cells[index] = Report.Cell(law: law, subject: report.cells[index].subject)
      report.cells[index].skipped = 1
      report.cells[index].skipReason = reason
    }
    let failed = try #require(report.cells.firstIndex { $0.law != law && $0.held > 0 })
    report.cells[failed].errored = 2
    let verdict = try #require(try tree(report).all(ofClass: "verdict").first)
    let lines = verdict.all(ofClass: "reasons").flatMap { $0.all("li") }.map(\.text)
    #expect(lines.first == "1 law was judged on no subject: 1 skipped")
    #expect(lines.contains { $0.hasPrefix("1 law not judged in every case: ") })
    let tried = "What the cases tried: different histories: 298 (judged 1,200 times)"
    #expect(verdict.text.contains(tried))
    let links = verdict.all("a").compactMap { $0.attributes["href"] }
    #expect(links.contains("#counts"))
  }

  @Test("A departure is one row, whatever laws it explains and however often it is listed")
  func departures() throws {
    var report = SampleReports.green
    var known = try #require(report.knownDivergences.first)
    report.knownDivergences = [known, known]
    let cases = 2 * known.count
    known.law = "reads.other"
    known.stillShows = false
    report.knownDivergences.append(known)
    known.law = "reads.third"
    (known.stillShows, known.unjudged, known.count) = (true, "does not write counters", 0)
    report.knownDivergences.append(known)
    #expect(MarkdownReport(report).text.contains("`reads.third`, **cannot be judged**"))
    let section = try #require(tree(report).first(id: "known"))
    let rows = section.all("tbody")[0].all("tr")
    #expect(rows.count == 1)
    let laws = rows[0].all(ofClass: "explained").map(\.text)
    #expect(laws.count == 3)
    #expect(laws[0].contains("\(cases) cases"))
    #expect(laws[1].contains("shows no longer"))
    #expect(laws[2].contains("cannot be judged"))
  }

  @Test("The row of a family whose laws all came out alike names them, for paper")
  func evenFamilies() throws {
    var report = SampleReports.green
    report.cells = report.cells.map { cell in
      var cell = cell
      (cell.held, cell.violated, cell.known, cell.errored, cell.skipped) = (9, 0, 0, 0, 0)
      return cell
    }
    let even = try tree(report).all(ofClass: "even")
    #expect(!even.isEmpty)
    for family in even {
      let names = family.all(ofClass: "members").first?.text.components(separatedBy: ", ") ?? []
      #expect(names.count == family.all(ofClass: "law").count)
    }
    let first = try #require(even.first?.all(ofClass: "law").first?.all("code").first?.text)
    report.cells = report.cells.map { cell in
      var cell = cell
      if cell.law == first { cell.violated = 1 }
      return cell
    }
    #expect(try tree(report).all(ofClass: "even").count == even.count - 1)
  }
}
