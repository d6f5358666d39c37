import PastRuns
package import Texts

/// What of some modules' code a run never entered, as one page for people, with the source.
///
/// It keeps what ``HTMLReport`` guarantees: it needs nothing but itself, nothing in it can act, and it stays
/// below a limit.
package struct CoveragePage: PageParts {
  let coverage: SourceCoverage
  let rules: MarkupRules
  let standsAlone = false

  package init(_ coverage: SourceCoverage, rules: MarkupRules = MarkupRules()) {
    (self.coverage, self.rules) = (coverage, rules)
  }

  /// The file beside the page that has all gaps.
  package static let data = "coverage.json"

  /// Bytes of the page that each list of gaps may fill.
  private static let byteLimit = HTMLReport.byteLimit / 3

  package var text: String {
    let explained = coverage.gaps.filter { $0.reason != nil }
    var sections = [HTMLPage.Section("modules", "Modules")]
    if !coverage.unexplained.isEmpty { sections.append(HTMLPage.Section("gaps", "Gaps")) }
    if !explained.isEmpty { sections.append(HTMLPage.Section("explained", "With a reason")) }
    return HTMLPage(
      title: "\(coverage.headline) – Touchstone",
      sections: sections,
      data: Self.data,
      rules: rules
    ).text { page in
      title(&page)
      modules(&page)
      list(
        coverage.unexplained,
        HTMLPage.Section("gaps", "Gaps"),
        note: "Code that nothing entered, and that the list of reasons does not name.",
        into: &page
      )
      list(
        explained,
        HTMLPage.Section("explained", "With a reason"),
        note: "Code that nothing is expected to enter.",
        into: &page
      )
    }
  }

  private func title(_ page: inout Markup) {
    page.line()
    let attributes = [
      Attribute("class", "verdict"), Attribute("aria-labelledby", "verdict-title"),
    ]
    page.element("section", attributes) { page in
      page.element("h1", [Attribute("id", "verdict-title")], coverage.headline)
      page.element("p", class: "facts", coverage.origin)
    }
  }

  private func modules(_ page: inout Markup) {
    let note =
      "A region is what the compiler counts: the body of a function or closure, a branch, what stands behind a "
      + "branch that may leave. A gap is a region that was never entered, with all that it holds."
    section("modules", "Modules", note: note, into: &page) { page in
      table("coverage", label: "Modules", into: &page) { page in
        let titles = ["Module", "Regions", "Entered", "Share", "Gaps", "Without a reason"]
        rows(titles, of: coverage.modules, into: &page) { page, module in
          head(module.name, into: &page)
          let gaps = coverage.gaps.filter { $0.file.hasPrefix("Sources/\(module.name)/") }
          let cells = [
            grouped(module.regions), grouped(module.entered), module.percent, grouped(gaps.count),
            grouped(gaps.count { $0.reason == nil }),
          ]
          for cell in cells { page.element("td", class: "figure", cell) }
        }
      }
    }
  }

  private func list(
    _ gaps: [SourceCoverage.Gap],
    _ place: HTMLPage.Section,
    note: String,
    into page: inout Markup
  ) {
    guard !gaps.isEmpty else { return }
    section(place.id, place.title, note: note, into: &page) { page in
      let left = fill(&page, bytes: Self.byteLimit, with: gaps) { page, gap in
        page.element("h3") { $0.element("code", gap.place.clipped(200)) }
        if let reason = gap.reason { page.element("p", class: "note", reason) }
        let numbered = gap.source.enumerated().map { "\(gap.lines.lowerBound + $0)  \($1)" }
        let more = gap.lines.count - gap.source.count
        lines(numbered + (more > 0 ? ["… (\(counted(more, "more line")))"] : []), into: &page)
      }
      remainder(left, "gap", in: Self.data, into: &page)
    }
  }
}
