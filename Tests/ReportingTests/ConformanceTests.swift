import Reporting
import TestSupport
import Testing

@Suite("Conformance of implementations")
struct ConformanceTests {
  /// A run of one subject: how often each law held and was violated there.
  private func report(
    _ subject: String,
    _ version: String,
    _ counts: [(law: String, held: Int, violated: Int)],
    sizes: [Int] = []
  ) -> Report {
    var report = SampleReports.failing
    // What tells one run from another.
    report.clock.machine = "\(subject) \(version) \(counts)"
    report.subjects = [Report.Subject(id: subject, version: version, capabilities: [])]
    report.laws = counts.map {
      Report.Law(name: $0.law, sentence: "Sentence of \($0.law).", source: "Source")
    }
    report.cells = counts.map { law, held, violated in
      var cell = Report.Cell(law: law, subject: subject)
      cell.held = held
      cell.violated = violated
      return cell
    }
    let sample = report.failures[0]
    report.failures = sizes.map { size in
      var failure = sample
      (failure.law, failure.subject, failure.differenceKind) = ("b", subject, "kind-\(size)")
      failure.size = size
      return failure
    }
    return report
  }

  @Test("Verdicts of one version add up, and versions stand apart, the lowest first")
  func addsUp() throws {
    let conformance = try Conformance([
      report("core", "0.5.12", [("a", 4, 0)]),
      report("core", "0.5.7", [("a", 3, 0), ("b", 5, 1)], sizes: [9]),
      report("other", "1", [("a", 1, 0)]),
      report("core", "0.5.7", [("a", 2, 0), ("b", 6, 2)], sizes: [7, 4]),
    ])
    #expect(conformance.implementations.map(\.name) == ["core 0.5.7", "core 0.5.12", "other 1"])
    #expect(conformance.implementations.map(\.held) == [1, 1, 1])
    #expect(conformance.implementations.map(\.violated) == [1, 0, 0])
    #expect(conformance.implementations.map(\.judged) == [2, 1, 1])
    let verdicts = conformance.verdicts.filter { $0.implementation == 0 }
    #expect(verdicts.map(\.law) == ["a", "b"])
    #expect(verdicts.map(\.held) == [5, 11])
    #expect(verdicts.map(\.violated) == [0, 3])
    #expect(verdicts.map(\.failure) == [nil, "runs/4/index.html#b/core/kind-4"])
    #expect(conformance.laws.map(\.name) == ["a", "b"])
    #expect(conformance.runs.map(\.folder) == ["runs/1", "runs/2", "runs/3", "runs/4"])
  }

  @Test("A red cell leads to the smallest failure in the report of its run")
  func links() throws {
    let reports = [
      report("core", "1", [("b", 5, 1)], sizes: [3]), report("core", "2", [("b", 5, 0)]),
    ]
    let page = ConformancePage(try Conformance(reports)).text
    let tree = try MarkupTree.read(page)
    let cells = tree.all.filter { $0.attributes["data-tip"] != nil }
    #expect(cells.map(\.name) == ["a", "span"])
    #expect(cells.first?.attributes["href"] == "./runs/1/index.html#b/core/kind-3")
    #expect(HTMLReport(reports[0]).text.contains("id=\"b/core/kind-3\""))
    #expect(Inertness.violations(inPage: page) == [])
  }

  @Test("A badge says how many laws held of those that were judged")
  func badges() throws {
    let conformance = try Conformance([
      report("core", "1", [("a", 4, 0), ("b", 3, 1)]), report("core", "2", [("a", 4, 0)]),
      report("Core", "2", [("a", 4, 0)]), report("a/../b", "ü", [("a", 1, 0)]),
    ])
    #expect(
      conformance.implementations.map { Badge($0).title } == [
        "core 1: 1 of 2 laws held", "core 2: 1 law held", "Core 2: 1 law held",
        "a/../b ü: 1 law held",
      ]
    )
    // Names that some file systems do not tell apart are told apart.
    let badges = conformance.implementations.map(\.badge)
    #expect(
      badges == [
        "badges/core-1.svg", "badges/core-2.svg", "badges/core-2~2.svg", "badges/a---b--.svg",
      ]
    )
    for implementation in conformance.implementations {
      #expect(throws: Never.self) { try MarkupTree.read(Badge(implementation).text()) }
    }
    #expect(Badge(conformance.implementations[0]).text().contains("#a8261c"))
    #expect(Badge(conformance.implementations[1]).text().contains("#23683f"))
  }

  @Test("An interrupted run is told in badge, row and data, and its badge is not green")
  func interrupted() throws {
    var run = report("core", "1", [("a", 4, 0)])
    let interruption = Report.Reason.interruption(after: "336 of 200,000 cases")
    let reason = interruption.text
    run.outcome = Report.RunOutcome(
      word: .failed,
      reasons: [interruption, Report.Reason("another reason")]
    )
    let conformance = try Conformance([run, report("whole", "1", [("a", 4, 0)])])
    #expect(conformance.runs.map(\.shortfalls) == [[reason], nil])
    #expect(conformance.implementations.map(\.shortfalls) == [[reason], nil])
    #expect(conformance.implementations.map(\.isInterrupted) == [true, false])
    let badges = conformance.implementations.map { Badge($0) }
    #expect(badges.map(\.title) == ["core 1: 1 law held, interrupted", "whole 1: 1 law held"])
    #expect(badges.map { $0.text().contains("#23683f") } == [false, true])
    let page = try MarkupTree.read(ConformancePage(conformance).text)
    let rows = page.all("th").filter { $0.attributes["scope"] == "row" }.map(\.text)
    #expect(rows.contains("core 1\(reason)"), "\(rows)")
    let note = "which of its runs ended early"
    #expect(page.first(id: "implementations")?.text.contains(note) == true)
    let whole = try Conformance([report("whole", "1", [("a", 4, 0)])])
    #expect(!ConformancePage(whole).text.contains(note))
  }

  @Test("Laws that were not asked are counted apart from those that need what is lacking")
  func unasked() throws {
    var run = report("core", "1", [("a", 4, 0), ("b", 0, 0), ("c", 0, 0), ("d", 0, 0)])
    run.cells[3].skipped = 1
    let conformance = try Conformance([run])
    let implementation = conformance.implementations[0]
    #expect(implementation.unasked == 2 && implementation.skipped == 1)
    #expect(implementation.judged == 1 && implementation.applicable == 3)
    let badge = Badge(implementation)
    #expect(badge.title == "core 1: 1 of 3 laws held; 2 laws were not asked")
    #expect(!badge.text().contains("#23683f"))
    let page = try MarkupTree.read(ConformancePage(conformance).text)
    // On a narrow screen each number stands below the name of its column.
    let cells = page.all("td").compactMap { cell in
      cell.attributes["data-label"].map { "\($0): \(cell.text)" }
    }
    for cell in ["Held: ✓ 1", "Not asked: · 2", "Laws: 3", "Skipped: – 1"] {
      #expect(cells.contains(cell), "\(cells)")
    }
    let style = HTMLReport.style.description
    #expect(style.contains(".standings td::before { content: attr(data-label)"))
  }

  @Test("Nothing, a self-test, and runs without verdicts are refused")
  func refusals() {
    #expect(throws: ConformanceError.nothing) { try Conformance([]) }
    #expect(throws: ConformanceError.selfTest(report: 1)) {
      try Conformance([SampleReports.failing, SampleReports.selfTest])
    }
    #expect(throws: ConformanceError.nothingJudged) { try Conformance([SampleReports.empty]) }
  }

  @Test("A run that is in two reports is refused, inside of a merged one as well")
  func runTwice() throws {
    let monday = report("core", "1", [("a", 4, 0)])
    let tuesday = report("core", "1", [("a", 3, 0)])
    let week = try Report.merged([monday, tuesday]).report
    for reports in [[monday, tuesday, monday], [week, tuesday, monday], [monday, week]] {
      let error = #expect(throws: ConformanceError.self) { try Conformance(reports) }
      guard case .runTwice = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
    }
    let error = #expect(throws: ConformanceError.self) { try Conformance([tuesday, week]) }
    let startedAt = tuesday.clock.startedAt
    #expect(
      error?.description
        == "the run of \(startedAt) with seed \(tuesday.run.seed) is in the reports 1 and 2, and would "
        + "count twice: leave one of them out"
    )
    #expect(try Conformance([week]).verdicts.map(\.held) == [7])
  }

  /// One part of a run of two, on one subject.
  private func part(_ number: Int) -> Report {
    var part = report("core", "1", [("a", 4, 0)])
    part.outcome = Report.RunOutcome(word: .held)
    part.run.repeatCommand = "touchstone check --seed 0x1 --cases 40"
    part.run.narrow(toPart: number, of: 2)
    part.clock.seconds = Double(number)
    return part
  }

  @Test("A part of a run is not whole before the others are there, wherever they are")
  func parts() throws {
    let merged = try Report.merged([part(1)]).report
    for reports in [[part(1)], [merged]] {
      let conformance = try Conformance(reports)
      let badge = Badge(conformance.implementations[0])
      #expect(badge.title == "core 1: 1 law held, incomplete")
      #expect(!badge.text().contains("#23683f"))
      let shortfalls = conformance.runs[0].shortfalls ?? []
      #expect(shortfalls.count == 1 && shortfalls[0].contains("2/2"), "\(shortfalls)")
    }
    for reports in [[part(1), part(2)], [merged, part(2)]] {
      let conformance = try Conformance(reports)
      #expect(Badge(conformance.implementations[0]).title == "core 1: 1 law held")
      #expect(conformance.runs.allSatisfy { $0.shortfalls == nil })
    }
    // The cases of a part would count twice beside the whole run.
    var whole = report("core", "1", [("a", 8, 0)])
    whole.run.repeatCommand = "touchstone check --seed 0x1 --cases 40"
    #expect(throws: ConformanceError.self) { try Conformance([whole, part(2)]) }
  }

  @Test("What is violated stands beside the name, where a narrow screen shows it")
  func narrow() throws {
    let page = ConformancePage(try Conformance([SampleReports.failing])).text
    let rest = try #require(page.split(separator: "Implementation</th>", maxSplits: 1).last)
    let row = rest.prefix { $0 != "/" }
    #expect(row.hasSuffix(">Violated<"), "\(row)")
  }

  @Test("A page of hostile reports stays inert", arguments: HostileReports.Payload.all.indices)
  func hostile(_ index: Int) throws {
    var report = try HostileReports.all.get()[index]
    report.selfTest = nil
    let page = ConformancePage(try Conformance([report])).text
    #expect(Inertness.violations(inPage: page) == [])
    #expect(page.utf8.count < HTMLReport.byteLimit)
  }
}
