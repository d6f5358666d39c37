import PastRuns
package import Texts

/// The conformance of implementations as one page for people: the `index.html` of a site.
///
/// It keeps what ``HTMLReport`` guarantees: it needs nothing but itself, nothing from a report can act, and it
/// stays below a limit. Its links lead to the pages of the runs beside it.
package struct ConformancePage: PageParts {
  let conformance: Conformance
  let rules: MarkupRules
  let standsAlone = false
  /// The page of a report that has the matrix, whose cells lead to failures of the runs.
  private let matrix: HTMLReport

  package init(_ conformance: Conformance, rules: MarkupRules = MarkupRules()) {
    self.conformance = conformance
    self.rules = rules
    matrix = HTMLReport(
      conformance.report,
      rules: rules,
      cellLinks: conformance.failureLinks
    )
  }

  /// Runs and implementations that are listed at most; the file of data has all.
  private static let listLimit = 200

  package var text: String {
    HTMLPage(
      title: "\(headline) – Touchstone",
      sections: [
        HTMLPage.Section("implementations", "Implementations"), HTMLPage.Section("laws", "Laws"),
        HTMLPage.Section("demands", "Demands"), HTMLPage.Section("runs", "Runs"),
      ],
      data: "conformance.json",
      rules: rules
    ).text { page in
      title(&page)
      implementations(&page)
      matrix.laws(&page)
      matrix.demands(&page)
      runs(&page)
    }
  }

  private var headline: String {
    "Conformance of \(counted(conformance.implementations.count, "implementation"))"
  }

  private func title(_ page: inout Markup) {
    page.line()
    let attributes = [
      Attribute("class", "verdict"), Attribute("aria-labelledby", "verdict-title"),
    ]
    page.element("section", attributes) { page in
      page.element("h1", [Attribute("id", "verdict-title")], headline)
      var facts = [
        counted(conformance.laws.count, "law"), counted(conformance.runs.count, "run"),
        counted(conformance.runs.map(\.cases).saturatedSum, "case"),
      ]
      if let newest = conformance.runs.map(\.startedAt).max() {
        facts.append("newest run of \(newest.prefix(10))")
      }
      let short = conformance.runs.count { $0.shortfalls != nil }
      if short > 0 {
        facts.append("\(counted(short, "run")) interrupted or incomplete")
      }
      page.element("p", class: "facts", facts.joined(separator: " · "))
    }
  }

  private func implementations(_ page: inout Markup) {
    let all = conformance.implementations
    section(
      "implementations",
      "Implementations",
      note: implementationsNote,
      into: &page
    ) { page in
      table("standings", label: "Implementations", into: &page) { page in
        let counts = all.first.map { Self.counts(of: $0).map(\.title) } ?? []
        columns(
          ["Implementation"] + counts + ["Laws", "Skipped", "Badge"],
          into: &page
        )
        page.element("tbody") { page in
          for implementation in all.prefix(Self.listLimit) {
            page.line()
            page.element("tr") { row(of: implementation, into: &$0) }
          }
        }
      }
      let left = all.count - Self.listLimit
      remainder(left, "implementation", in: "conformance.json", into: &page)
    }
  }

  /// How the numbers of an implementation are read, with what this site has.
  private var implementationsNote: String {
    let all = conformance.implementations
    var note =
      "Laws by their gravest verdict in any run. Those that apply and that no case came to are not asked; "
      + "those that need an ability which is lacking are skipped, and do not count as laws."
    if all.contains(where: { $0.errored > 0 }) {
      note += " Errored are laws with a case that the implementation failed: it proves nothing."
    }
    if all.contains(where: { $0.shortfalls != nil }) {
      note +=
        " Below a name stands which of its runs ended early or lack something; its other runs count as well."
    }
    return note
  }

  private struct Count {
    let title: String
    let standing: Report.Standing
    let count: Int

    init(_ title: String, _ standing: Report.Standing, _ count: Int) {
      (self.title, self.standing, self.count) = (title, standing, count)
    }
  }

  /// The numbers that add up to the laws that apply; what is wrong stands first.
  private static func counts(of implementation: Conformance.Implementation) -> [Count] {
    [
      Count("Violated", .violated, implementation.violated),
      Count("Errored", .errored, implementation.errored),
      Count("Held", .held, implementation.held), Count("Known", .known, implementation.known),
      Count("Not asked", .absent, implementation.unasked),
    ]
  }

  /// Reasons why runs are not whole that one row tells.
  private static let reasonLimit = 3

  private func row(of implementation: Conformance.Implementation, into page: inout Markup) {
    page.element("th", [Attribute("scope", "row")]) { page in
      page.add(implementation.name.clipped(80))
      let reasons = implementation.shortfalls ?? []
      for reason in reasons.prefix(Self.reasonLimit) {
        page.element("span", class: "sentence", reason.clippedBehindWord(200))
      }
      let left = reasons.count - Self.reasonLimit
      if left > 0 { page.element("span", class: "sentence", "and \(grouped(left)) more") }
    }
    for count in Self.counts(of: implementation) { figure(count, into: &page) }
    cell("Laws", class: "figure", grouped(implementation.applicable), into: &page)
    figure(Count("Skipped", .skipped, implementation.skipped), into: &page)
    page.element("td", [Attribute("data-label", "Badge")]) { page in
      let badge = Badge(implementation)
      page.element("a", [.link("href", to: implementation.badge)]) { page in
        page.empty(
          "img",
          [
            Attribute("src", "data:image/svg+xml,\(percentEncoded(data: badge.text(rules)))"),
            Attribute("alt", badge.title),
            Attribute("height", Badge.height),
          ]
        )
      }
    }
  }

  /// A number of laws with the sign of how they came out; empty for 0.
  private func figure(_ count: Count, into page: inout Markup) {
    let name = count.count == 0 ? "figure" : "figure standing \(count.standing)"
    let attributes = [Attribute("class", name), Attribute("data-label", count.title)]
    page.element("td", attributes) { page in
      guard count.count > 0 else { return }
      page.element("i", [Attribute("aria-hidden", "true")], count.standing.symbol)
      page.add(" \(grouped(count.count))")
    }
  }

  /// A cell that tells its column where the head of the table is not shown.
  private func cell(
    _ title: String,
    class name: String? = nil,
    _ text: String,
    into page: inout Markup
  ) {
    let attributes =
      (name.map { [Attribute("class", $0)] } ?? []) + [Attribute("data-label", title)]
    page.element("td", attributes, text)
  }

  private func runs(_ page: inout Markup) {
    section("runs", "Runs", note: "Each leads to its own report.", into: &page) { page in
      table("standings", label: "Runs", into: &page) { page in
        columns(["Run", "Verdict", "Cases", "Seed", "Program", "Machine"], into: &page)
        page.element("tbody") { page in
          for run in conformance.runs.prefix(Self.listLimit) {
            page.line()
            page.element("tr") { page in
              page.element("th", [Attribute("scope", "row")]) { page in
                page.element(
                  "a",
                  [.link("href", to: "\(run.folder)/index.html")],
                  run.startedAt.clipped(40)
                )
              }
              cell("Verdict", run.headline.clippedBehindWord(200), into: &page)
              cell("Cases", class: "figure", grouped(run.cases), into: &page)
              for (title, text) in [
                ("Seed", run.seed), ("Program", run.program ?? ""), ("Machine", run.machine),
              ] {
                cell(title, text.clipped(80), into: &page)
              }
            }
          }
        }
      }
      let left = conformance.runs.count - Self.listLimit
      remainder(left, "run", in: "conformance.json", into: &page)
    }
  }
}

extension Conformance {
  /// A report with a subject for each implementation, as the matrix reads one.
  fileprivate var report: Report {
    var report = Report(
      run: Report.Run(command: .check, seed: "", cases: 0, lawGlobs: [], repeatCommand: ""),
      outcome: Report.RunOutcome(word: .held),
      clock: Report.Clock(startedAt: "", seconds: 0, jobs: 0, machine: "", casesPerSecond: 0)
    )
    report.laws = laws
    report.subjects = implementations.map { implementation in
      var subject = Report.Subject(
        id: implementation.name,
        version: implementation.version,
        capabilities: []
      )
      subject.topic = implementation.topic
      return subject
    }
    report.cells = verdicts.map { verdict in
      var cell = Report.Cell(
        law: verdict.law,
        subject: implementations[verdict.implementation].name
      )
      cell.add(verdict)
      return cell
    }
    return report
  }

  fileprivate var failureLinks: [Report.Matrix.Place: String] {
    let links = verdicts.compactMap { verdict -> (Report.Matrix.Place, String)? in
      guard let failure = verdict.failure else { return nil }
      let subject = implementations[verdict.implementation].name
      return (Report.Matrix.Place(law: verdict.law, subject: subject), "./\(failure)")
    }
    return Dictionary(links) { first, _ in first }
  }
}
