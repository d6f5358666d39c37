import Foundation
import PastRuns
import TestSupport
import Testing
import Texts

@testable import Reporting

@Suite("Earlier runs on the page")
struct EarlierRunsTests {
  /// A run on some day whose failures are those of `numbers` among the samples, with as many cases of each law as
  /// the failing sample, or `share` of them.
  private static func report(
    day: Int,
    failures numbers: [Int],
    share: Int = 1,
    _ change: (inout Report) -> Void = { _ in }
  ) -> Report {
    var report = SampleReports.failing
    report.failures = numbers.map { SampleFailures.all[$0] }
    report.clock.startedAt = "2025-03-\(day < 10 ? "0" : "")\(day)T02:11:09Z"
    for index in report.cells.indices {
      let failing = report.failures.contains {
        $0.law == report.cells[index].law && $0.subject == report.cells[index].subject
      }
      if !failing { (report.cells[index].violated, report.cells[index].errored) = (0, 0) }
      report.cells[index].known = 0
      report.cells[index].held =
        1000 / share - report.cells[index].violated - report.cells[index].errored
    }
    change(&report)
    return report
  }

  private static func past(
    day: Int,
    _ numbers: [Int],
    word: Report.RunOutcome.Word = .violated
  ) -> PastRun {
    let report = report(day: day, failures: numbers) { $0.outcome.word = word }
    return PastRun(report, commit: String(repeating: "\(day % 10)", count: 40))
  }

  private static let later = report(day: 20, failures: [0, 1])

  /// The page of the later run after one with failures 1, 2 and 3.
  private static func page(
    _ report: Report = later,
    history: [PastRun] = [past(day: 19, [1, 2, 3])]
  ) throws -> MarkupTree {
    try MarkupTree.read(HTMLReport(report, earlier: EarlierRuns(in: history, before: report)).text)
  }

  /// Terms and entries of the comparison.
  private static func entries(_ page: MarkupTree) throws -> [String: [MarkupTree]] {
    let list = try #require(page.all(ofClass: "fates").first)
    return Dictionary(
      uniqueKeysWithValues: zip(list.all("dt").map(\.text), list.all("dd").map { $0.all("li") })
    )
  }

  @Test("A report without earlier runs has no such section, and the same bytes as ever")
  func none() throws {
    let report = Self.later
    let plain = HTMLReport(report).text
    #expect(try MarkupTree.read(plain).first(id: "earlier") == nil)
    let histories = [
      [],
      // Itself, a later one, and one of other subjects.
      [
        PastRun(report, commit: nil), Self.past(day: 21, [0]),
        PastRun(
          Self.report(day: 19, failures: []) { $0.cells.removeAll { $0.subject == "loro" } },
          commit: nil
        ),
      ],
    ]
    for history in histories {
      let earlier = EarlierRuns(in: history, before: report)
      #expect(earlier == nil)
      #expect(HTMLReport(report, earlier: earlier).text == plain)
    }
  }

  @Test("What is new, remains and is fixed leads to its failure or its law")
  func fates() throws {
    let page = try Self.page()
    let fates = try Self.entries(page)
    #expect(Set(fates.keys) == ["New", "Still failing", "Fixed"])
    let names = { (number: Int) in
      let failure = SampleFailures.all[number]
      return "\(failure.law) on \(failure.subject), \(failure.differenceKind)"
    }
    #expect(fates["New"]?.map(\.text) == ["✕ \(names(0))"])
    #expect(fates["Still failing"]?.map(\.text) == ["✕ \(names(1))"])
    let fixed = try #require(fates["Fixed"])
    #expect(fixed.map { $0.text.hasPrefix("✓ ") } == [true, true])
    for (entry, number) in zip(fixed, [2, 3]) {
      let summary = SampleFailures.all[number].summary
      #expect(entry.text.contains(names(number)) && entry.text.contains("It was: \(summary)"))
    }
    let anchors = Anchors(Self.later)
    let links = { (term: String) in
      fates[term]?.compactMap { $0.all("a").first?.attributes["href"] }
    }
    #expect(links("New") == ["#\(anchors.failures[0])"])
    #expect(links("Still failing") == ["#\(anchors.failures[1])"])
    #expect(links("Fixed") == [2, 3].map { "#law/\(SampleFailures.all[$0].law)" })
    // The card says it, too.
    let tags = (1...2).map { page.first(id: "f\($0)")?.all(ofClass: "class").first?.text }
    #expect(tags[0] == "new" && tags[1] != "new")
    // Every link leads somewhere.
    let ids = Set(page.all.compactMap { $0.attributes["id"] })
    for link in page.all("a").compactMap({ $0.attributes["href"] }) where link.hasPrefix("#") {
      #expect(ids.contains(String(link.dropFirst())), "\(link)")
    }
  }

  @Test("Failures stand first, and the verdict leads to what has changed")
  func order() throws {
    let page = try Self.page()
    let sections = page.all("section").compactMap { $0.attributes["id"] }
    #expect(sections.prefix(3) == ["failures", "earlier", "subjects"])
    let verdict = try #require(page.all(ofClass: "verdict").first)
    let lines = verdict.all(ofClass: "facts").map(\.text)
    #expect(
      lines.contains { $0.hasPrefix("Since 2025-03-19") && $0.contains("1 new, 1 still failing") }
    )
    #expect(verdict.all("a").contains { $0.attributes["href"] == "#earlier" })
  }

  @Test("A run with fewer cases, or without a result, calls nothing fixed")
  func fewer() throws {
    let few = Self.report(day: 20, failures: [0], share: 10)
    let interrupted = Self.report(day: 20, failures: [0]) { $0.outcome.word = .failed }
    for (report, words) in [(few, "judged in 100 cases only"), (interrupted, "came to no result")] {
      let fates = try Self.entries(try Self.page(report))
      #expect(fates["Fixed"] == nil)
      #expect(fates["Not seen again"]?.count == 3)
      #expect(fates["Not seen again"]?.allSatisfy { $0.text.contains(words) } == true, "\(words)")
    }
  }

  @Test("Many failures of one fate stand in a fold, and are counted")
  func folded() throws {
    var many = Self.report(day: 20, failures: [0])
    many.failures = (0..<200).map { number in
      var failure = many.failures[0]
      failure.differenceKind = "kind\(number)"
      return failure
    }
    let list = try #require(try Self.page(many).all(ofClass: "fates").first).all("dd")[0]
    let fold = try #require(list.all("details").first)
    #expect(list.all("li").count - fold.all("li").count == 6)
    #expect(fold.all("summary").map(\.text) == ["194 more"])
    let left = 200 - list.all("li").count
    #expect(left >= 94 && list.text.contains("and \(left) more failures in report.json"))
  }

  @Test("It is compared with the last earlier run that came to a result")
  func chosen() throws {
    let runs = [
      Self.past(day: 18, [0]), Self.past(day: 19, [], word: .failed), Self.past(day: 17, [2]),
      Self.past(day: 21, [3]),
    ]
    let earlier = try #require(EarlierRuns(in: runs, before: Self.later))
    #expect(earlier.compared == runs[0])
    #expect(earlier.trend.map(\.startedAt) == [2, 0, 1].map { runs[$0].startedAt })
    let failed = try #require(EarlierRuns(in: [runs[1]], before: Self.later))
    #expect(failed.compared == nil)
    let page = try MarkupTree.read(HTMLReport(Self.later, earlier: failed).text)
    #expect(page.first(id: "earlier")?.text.contains("None of them came to a result.") == true)
    #expect(page.all(ofClass: "fates").isEmpty)
  }

  @Test(
    "The trend has a column for each run, as high as its failures, and a gap where nothing was judged"
  )
  func trend() throws {
    let law = SampleFailures.all[0]
    var unasked = Self.report(day: 18, failures: [])
    unasked.cells.removeAll { $0.law == law.law && $0.subject == law.subject }
    let runs = [
      Self.past(day: 17, []), PastRun(unasked, commit: nil), Self.past(day: 19, [0, 1, 2]),
    ]
    let page = try Self.page(Self.later, history: runs)
    let rows = try #require(page.all(ofClass: "trend").first).all("tr")
    #expect(
      rows.map { $0.all("th")[0].text } == ["Cases", "Failures"]
        + [0, 1, 2].map { number in
          let failure = SampleFailures.all[number]
          return "\(failure.law) on \(failure.subject)"
        }
    )
    #expect(
      rows.map { $0.all("td").last?.text } == [
        "1,200 now", "2 now", "in 2 of 3", "in 2 of 4", "in 1 of 4",
      ]
    )
    // Of 24 at most: 0, 0, 3 and 2 failures.
    #expect(rows[1].all(ofClass: "value").map { $0.attributes["height"] } == ["24", "16"])
    #expect(rows[2].all(ofClass: "track").map { $0.attributes["x"] } == ["1", "21", "31"])
    #expect(rows[2].all(ofClass: "value").map { $0.attributes["x"] } == ["21", "31"])
    // One law on one subject was asked again.
    let earlier = try MarkupTree.read(
      HTMLReport(Self.later, earlier: EarlierRuns(chosen: [runs[1]], before: Self.later)).text
    )
    let fold = try #require(earlier.first(id: "earlier")?.all("details").first)
    #expect(fold.all("summary").map(\.text) == ["Judged for the first time (1)"])
    #expect(fold.all("p").map(\.text) == ["\(law.law) on \(law.subject)"])
    let table = try #require(page.all(ofClass: "runs").first)
    #expect(
      table.all("tr").dropFirst().map { $0.all("th")[0].text } == [
        "2025-03-20T02:11, this run", "2025-03-19T02:11", "2025-03-18T02:11", "2025-03-17T02:11",
      ]
    )
    #expect(table.all("tr").dropFirst().map { $0.all("td").last?.text } == ["2", "3", "0", "0"])
  }

  @Test("Of many runs the last 29 are kept, and of what they judged what failed in any")
  func limits() throws {
    let runs = (0..<60).map { number in
      let report = Self.report(day: 1, failures: number == 45 ? [2] : []) {
        $0.clock.startedAt = "2025-02-01T00:\(number + 10):00Z"
      }
      return PastRun(report, commit: nil)
    }
    let earlier = try #require(EarlierRuns(in: runs.reversed(), before: Self.later))
    #expect(earlier.trend.map(\.id) == runs.suffix(29).map(\.id))
    #expect(earlier.compared == runs.last)
    let questions = Set([0, 1, 2].map { SampleFailures.all[$0].law })
    #expect(earlier.trend.allSatisfy { Set($0.judged.values.flatMap(\.keys)) == questions })
    #expect(RunTrend(earlier, to: Self.later).rows.map(\.judgedCount) == [30, 30, 30])
  }

  @Test(
    "Rendering is a function of the report and the runs before it, which come back as they were stored"
  )
  func deterministic() throws {
    let history = [Self.past(day: 18, [0, 2]), Self.past(day: 19, [1, 2, 3])]
    let earlier = try #require(EarlierRuns(in: history, before: Self.later))
    #expect(EarlierRuns(in: history.reversed(), before: Self.later) == earlier)
    let data = try JSONEncoder().encode(earlier)
    let read = try JSONDecoder().decode(EarlierRuns.self, from: data)
    #expect(read == earlier)
    #expect(
      HTMLReport(Self.later, earlier: read).text == HTMLReport(Self.later, earlier: earlier).text
    )
  }

  @Test("Texts of an earlier run stay inert", arguments: HostileReports.Payload.all.indices)
  func hostile(_ index: Int) throws {
    let report = try HostileReports.all.get()[index]
    var other = report
    other.clock.startedAt = "2025"
    for place in other.failures.indices { other.failures[place].differenceKind += " of old" }
    let run = PastRun(other, commit: HostileReports.Payload.all[index].after)
    for (earlier, later) in [(run, SampleReports.failing), (run, report)] {
      let runs = try #require(EarlierRuns(chosen: [earlier], before: later))
      let page = HTMLReport(later, earlier: runs).text
      #expect(page.contains("id=\"earlier\""))
      #expect(Inertness.violations(inPage: page) == [])
    }
  }

  @Test("Long texts, many failures and numbers that no run has fill no page")
  func extremes() throws {
    var long = try HostileReports.report(
      HostileReports.Payload(
        name: "long",
        before: "",
        after: String(repeating: "<\u{202E}\u{301}&`@", count: 200)
      )
    )
    long.failures = (0..<400).map { number in
      var failure = long.failures[0]
      failure.differenceKind = "\(number) \(failure.differenceKind)"
      failure.law = "\(number) \(failure.law)"
      return failure
    }
    let run = PastRun(long, commit: long.failures[0].law)
    for number in [Int.max, Int.min, -1, 0] {
      var other = Self.report(day: 2, failures: [0])
      other.run.cases = number
      for index in other.cells.indices {
        (other.cells[index].held, other.cells[index].errored) = (number, number)
      }
      let runs = [run, PastRun(other, commit: nil)]
      let earlier = try #require(EarlierRuns(chosen: runs, before: Self.later))
      let page = HTMLReport(Self.later, earlier: earlier).text
      #expect(page.utf8.count < 1_000_000)
      #expect(Inertness.violations(inPage: page) == [])
    }
    let earlier = try #require(EarlierRuns(chosen: [run], before: Self.later))
    let page = HTMLReport(Self.later, earlier: earlier).text
    #expect(page.utf8.count < 1_000_000)
    #expect(page.contains(" more failures in <a href=\"./earlier-runs.json\">"))
  }
}
