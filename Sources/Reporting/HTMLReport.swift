import PastRuns
package import Texts

/// The report as one page for people: `index.html`.
///
/// Guarantees:
/// - The page needs nothing but itself: no network, no other file. Links to case files are relative.
/// - Nothing from the report can act: all of it is escaped, and the page's content security policy
///   admits one script and one style sheet, by their hashes. Without the script everything can be
///   read, too.
/// - It is well-formed XML, so that any parser reads it alike.
/// - It stays below
///   ``byteLimit`` whatever the report holds; it gives the number of what is left out, which stands in `report.json`.
package struct HTMLReport: PageParts {
  /// A page is never larger.
  package static let byteLimit = 2_000_000

  let report: Report
  let matrix: Report.Matrix
  let rules: MarkupRules
  /// Where the cell of a law and a subject leads, for those that failed.
  let cellLinks: [Report.Matrix.Place: String]
  let anchors: Anchors
  let earlier: EarlierRuns?
  /// Whether the page stands alone, without the report's other files: it has no links to them.
  let standsAlone: Bool
  /// What became of failures since the earlier run that the report is compared with.
  let comparison: ReportComparison?

  /// Other rules than the default ones are for tests of the tests.
  package init(
    _ report: Report,
    earlier: EarlierRuns? = nil,
    standsAlone: Bool = false,
    rules: MarkupRules = MarkupRules()
  ) {
    let anchors = Anchors(report)
    let small = zip(report.failures, anchors.failures).map { failure, anchor in
      (Report.Matrix.Place(law: failure.law, subject: failure.subject), "#\(anchor)")
    }
    let ids = Self.sightingIDs(of: report, anchors, standsAlone: standsAlone, rules: rules)
    let listed = zip(report.sightings ?? [], ids).map { sighting, id in
      (Report.Matrix.Place(law: sighting.law, subject: sighting.subject), "#\(id)")
    }
    self.init(
      report,
      earlier: earlier,
      standsAlone: standsAlone,
      rules: rules,
      cellLinks: Dictionary(small + listed) { first, _ in first }
    )
  }

  /// A page whose cells lead elsewhere than to failures of its own.
  init(
    _ report: Report,
    earlier: EarlierRuns? = nil,
    standsAlone: Bool = false,
    rules: MarkupRules,
    cellLinks: [Report.Matrix.Place: String]
  ) {
    self.report = report
    self.earlier = earlier
    self.standsAlone = standsAlone
    comparison = earlier?.compared.map { ReportComparison(from: $0, to: report) }
    self.rules = rules
    self.cellLinks = cellLinks
    matrix = Report.Matrix(report)
    anchors = Anchors(report)
  }

  /// The page.
  package var text: String {
    HTMLPage(
      title: "\(report.headline(matrix)) – Touchstone",
      sections: sections.map { HTMLPage.Section($0, $1) },
      data: standsAlone ? nil : "report.json",
      rules: rules
    ).text { page in
      verdict(&page)
      // What is wrong comes first; a report without failures has no such section.
      failures(&page)
      earlierRuns(&page)
      subjects(&page)
      laws(&page)
      counts(&page)
      demands(&page)
      knownDivergences(&page)
      selfTest(&page)
      fuzzing(&page)
      coverage(&page)
      clock(&page)
    }
  }

  /// What the page may do: show itself, and run its own script.
  package static var policy: String {
    "default-src 'none'; style-src '\(styleHash)'; script-src '\(scriptHash)'; img-src data:; "
      + "base-uri 'none'; form-action 'none'"
  }

  /// Where a law's cell on a subject leads; `nil` if it did not fail.
  ///
  /// Where a subject failed to answer, and nothing else failed, to that.
  func cellLink(_ law: String, _ subject: String) -> String? {
    let place = Report.Matrix.Place(law: law, subject: subject)
    if let link = cellLinks[place] { return link }
    guard matrix.tally(law, subject).standing == .errored else { return nil }
    return cellLinks[Report.Matrix.Place(law: Report.answers, subject: subject)]
  }

  /// The id that leads to a failure, by its number from 1.
  func anchor(ofFailure number: Int) -> String { anchors.failures[number - 1] }

  /// Sections that this report has.
  private var sections: [(id: String, title: String)] {
    var sections: [(id: String, title: String)] = []
    if hasFailures { sections.append(("failures", "Failures")) }
    if earlier != nil { sections.append(("earlier", "Earlier runs")) }
    if !report.subjects.isEmpty { sections.append(("subjects", "Subjects")) }
    if !report.cells.isEmpty { sections.append(("laws", "Laws")) }
    if hasCounts { sections.append(("counts", "Tried")) }
    if !report.cells.isEmpty, !anchors.laws.isEmpty { sections.append(("demands", "Demands")) }
    if !report.knownDivergences.isEmpty { sections.append(("known", "Known")) }
    if report.selfTest != nil { sections.append(("selftest", "Self-test")) }
    if report.fuzzing != nil { sections.append(("fuzzing", "Fuzzing")) }
    if report.coverage != nil { sections.append(("coverage", "Code entered")) }
    sections.append(("clock", "Clock"))
    return sections
  }
}
