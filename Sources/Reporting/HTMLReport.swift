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
package struct HTMLReport {
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
    sections.append(("clock", "Clock"))
    return sections
  }
}

extension HTMLReport {
  /// Writes `<section id>` with its heading.
  func section(
    _ id: String,
    _ title: String,
    note: String? = nil,
    into page: inout Markup,
    _ body: (inout Markup) -> Void
  ) {
    page.line()
    let attributes = [Attribute("id", id), Attribute("aria-labelledby", "\(id)-title")]
    page.element("section", attributes) { page in
      page.element("h2", [Attribute("id", "\(id)-title")], title)
      if let note { page.element("p", class: "note", note) }
      body(&page)
    }
  }

  /// Writes items until `bytes` are used up; returns the number of those left out.
  func fill<Items: Collection>(
    _ page: inout Markup,
    bytes: Int,
    with items: Items,
    _ write: (inout Markup, Items.Element) -> Void
  ) -> Int {
    let start = page.byteCount
    var count = 0
    for item in items {
      guard page.byteCount - start < bytes else { break }
      write(&page, item)
      count += 1
    }
    return items.count - count
  }

  /// A line that says how many things stand elsewhere.
  func remainder(
    _ count: Int,
    _ noun: String,
    _ plural: String? = nil,
    in file: String = "report.json",
    into page: inout Markup
  ) {
    guard count > 0 else { return }
    page.element("p", class: "more") { page in
      page.add("and \(grouped(count)) more \(count == 1 ? noun : plural ?? noun + "s")")
      guard !standsAlone else { return page.add(", left out here") }
      page.add(" in ")
      page.element("a", [.link("href", to: file)], file)
    }
  }

  /// A command, with a button that copies it where a script may run.
  func command(_ command: String, into page: inout Markup) {
    page.element("div", class: "command") { page in
      page.element("code") { page in
        // A browser breaks lines behind hyphens, and so between the two of an option: each word is one.
        let words = command.clipped(1000).split(separator: " ", omittingEmptySubsequences: false)
        for (number, word) in words.enumerated() {
          if number > 0 { page.add(" ") }
          if !word.isEmpty { page.element("span", String(word)) }
        }
      }
      page.raw("<button type=\"button\" class=\"quiet copy\" hidden=\"hidden\">Copy</button>")
    }
  }

  /// A table that scrolls by itself where the page is too narrow for it.
  func table(
    _ className: String,
    label: String,
    into page: inout Markup,
    _ body: (inout Markup) -> Void
  ) {
    let attributes = [
      Attribute("class", "scroll"), Attribute("role", "region"), Attribute("aria-label", label),
      Attribute("tabindex", "0"),
    ]
    page.element("div", attributes) { page in
      page.element("table", class: className, body)
    }
  }

  /// One row of column headings.
  func columns(_ titles: [String], into page: inout Markup) {
    page.element("thead") { page in
      page.element("tr") { page in
        for title in titles { page.element("th", [Attribute("scope", "col")], title) }
      }
    }
  }

  /// Column headings, and a row for each item until `bytes` are used up; returns the number of
  /// items left out.
  @discardableResult
  func rows<Items: Collection>(
    _ titles: [String],
    of items: Items,
    bytes: Int = .max,
    into page: inout Markup,
    _ write: (inout Markup, Items.Element) -> Void
  ) -> Int {
    columns(titles, into: &page)
    var left = 0
    page.element("tbody") { page in
      left = fill(&page, bytes: bytes, with: items) { page, item in
        page.element("tr") { write(&$0, item) }
      }
    }
    return left
  }

  /// The head of a row: the name of a law, or of what is named as laws are.
  func head(_ name: String, into page: inout Markup) {
    page.element("th", [Attribute("scope", "row")]) { $0.element("code", name.clipped(80)) }
  }

  /// Symbol and words of a standing.
  func badge(_ standing: Report.Standing, _ words: String, into page: inout Markup) {
    page.element("span", class: "standing \(standing)") { page in
      page.element("i", [Attribute("aria-hidden", "true")], standing.symbol)
      page.add(" \(words)")
    }
  }

  /// Lines of a program's text; only the first `limit`.
  func lines(_ lines: [String], limit: Int = 200, into page: inout Markup) {
    page.element("pre") { page in
      page.element("code") { page in
        for line in lines.prefix(limit) { page.add(line.clipped(240) + "\n") }
        if lines.count > limit {
          page.add("… (\(counted(lines.count - limit, "more line")))\n")
        }
      }
    }
  }
}
