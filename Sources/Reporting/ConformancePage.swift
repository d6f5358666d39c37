import PastRuns
import Texts

/// The conformance of implementations as one page for people: the `index.html` of a site.
///
/// It keeps what ``HTMLReport`` guarantees: it needs nothing but itself, nothing from a report can act, and it
/// stays below a limit. Its links lead to the pages of the runs beside it.
package struct ConformancePage {
  let conformance: Conformance
  let rules: MarkupRules
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
      page.element("p", class: "facts", facts.joined(separator: " · "))
    }
  }

  private func implementations(_ page: inout Markup) {
    let all = conformance.implementations
    matrix.section(
      "implementations",
      "Implementations",
      note:
        "Laws by their gravest verdict in any run. A law that needs an ability which is lacking is not asked.",
      into: &page
    ) { page in
      matrix.table("standings", label: "Implementations", into: &page) { page in
        matrix.columns(
          [
            // What is wrong stands first, where a narrow screen shows it.
            "Implementation", "Violated", "Errored", "Held", "Known", "Not asked", "Laws",
            "Badge",
          ],
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
      matrix.remainder(left, "implementation", in: "conformance.json", into: &page)
    }
  }

  private func row(of implementation: Conformance.Implementation, into page: inout Markup) {
    page.element("th", [Attribute("scope", "row")], implementation.name.clipped(80))
    for (count, standing) in [
      (implementation.violated, Report.Standing.violated), (implementation.errored, .errored),
      (implementation.held, .held), (implementation.known, .known),
      (implementation.skipped, .skipped),
    ] {
      page.element("td", class: count == 0 ? "figure" : "figure standing \(standing)") { page in
        guard count > 0 else { return }
        page.element("i", [Attribute("aria-hidden", "true")], standing.symbol)
        page.add(" \(grouped(count))")
      }
    }
    page.element("td", class: "figure", grouped(implementation.judged))
    page.element("td") { page in
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

  private func runs(_ page: inout Markup) {
    matrix.section("runs", "Runs", note: "Each leads to its own report.", into: &page) { page in
      matrix.table("standings", label: "Runs", into: &page) { page in
        matrix.columns(["Run", "Verdict", "Cases", "Seed", "Program", "Machine"], into: &page)
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
              page.element("td", run.headline.clippedBehindWord(200))
              page.element("td", class: "figure", grouped(run.cases))
              for text in [run.seed, run.program ?? "", run.machine] {
                page.element("td", text.clipped(80))
              }
            }
          }
        }
      }
      let left = conformance.runs.count - Self.listLimit
      matrix.remainder(left, "run", in: "conformance.json", into: &page)
    }
  }
}

extension Conformance {
  /// A report with a subject for each implementation, as the matrix reads one.
  fileprivate var report: Report {
    var report = Report(
      run: Report.Run(command: "check", seed: "", cases: 0, lawGlobs: [], repeatCommand: ""),
      outcome: Report.RunOutcome(word: .held, reasons: []),
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
      cell.held = verdict.held
      cell.violated = verdict.violated
      cell.known = verdict.known
      cell.errored = verdict.errored
      cell.skipped = verdict.skipped
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
