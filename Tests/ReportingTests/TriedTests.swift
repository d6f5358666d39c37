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
    estimated.counts.samples?[0].isEstimate = true
    #expect(try tree(estimated).all(ofClass: "samples").first?.text.contains("about 298") == true)
    var older = SampleReports.green
    (older.counts.samples, older.counts.values) = (nil, nil)
    #expect(try tree(older).all(ofClass: "samples").isEmpty)
    #expect(try tree(older).all(ofClass: "values").isEmpty)
  }

  @Test("A departure is one row, whatever laws it explains and however often it is listed")
  func departures() throws {
    var report = SampleReports.green
    var known = try #require(report.knownDivergences.first)
    report.knownDivergences = [known, known]
    known.law = "reads.other"
    known.stillShows = false
    report.knownDivergences.append(known)
    let section = try #require(tree(report).first(id: "known"))
    let rows = section.all("tbody")[0].all("tr")
    #expect(rows.count == 1)
    let laws = rows[0].all(ofClass: "explained").map(\.text)
    #expect(laws.count == 2)
    #expect(laws[0].contains("\(2 * known.count) cases"))
    #expect(laws[1].contains("shows no longer"))
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
