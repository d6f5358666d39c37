import Texts

extension HTMLReport {
  /// Cells that the page's matrix has at most.
  static let cellLimit = 4000
  static let columnLimit = 24

  /// Every law on every subject.
  func laws(_ page: inout Markup) {
    guard !report.cells.isEmpty else { return }
    let subjects = Report.Matrix.gravest(matrix.subjects, Self.columnLimit) {
      matrix.standing(ofSubject: $0)
    }
    let laws = Report.Matrix.gravest(matrix.laws, Self.cellLimit / max(subjects.count, 1)) {
      matrix.standing(ofLaw: $0)
    }
    let sentences = Dictionary(report.laws.map { ($0.name, $0) }) { first, _ in first }
    let note =
      "\(counted(matrix.laws.count, "law")) on \(counted(matrix.subjects.count, "subject")). "
      + "A cell leads to its failure."
    section("laws", "Laws", note: note, into: &page) { page in
      legend(&page)
      var rowsLeft = 0
      table("matrix", label: "Laws by subjects", into: &page) { page in
        columns(["Law"] + subjects.map { $0.clipped(40) }, into: &page)
        page.element("tbody") { page in
          var family: Substring?
          rowsLeft = fill(&page, bytes: 500_000, with: laws) { page, law in
            page.line()
            let ownFamily = law.prefix { $0 != "." }
            let className = family == ownFamily ? "" : "first"
            family = ownFamily
            page.element("tr", [Attribute("class", className)]) { page in
              header(law, sentences[law], into: &page)
              for subject in subjects { cell(law, subject, into: &page) }
            }
          }
        }
      }
      remainder(matrix.laws.count - laws.count + rowsLeft, "law", into: &page)
      remainder(matrix.subjects.count - subjects.count, "subject", into: &page)
    }
  }

  private func legend(_ page: inout Markup) {
    page.element("p", [Attribute("class", "legend")]) { page in
      for (standing, words) in [
        (Report.Standing.held, "held in every case"),
        (.violated, "violated in some"),
        (.known, "departs as it is known to"),
        (.errored, "failed to answer"),
        (.skipped, "needs what the subject lacks"),
      ] {
        page.element("span", [Attribute("class", "standing \(standing)")]) { page in
          page.element("i", [Attribute("aria-hidden", "true")], standing.symbol)
          page.add(" \(words)")
        }
      }
    }
  }

  private func header(_ name: String, _ law: Report.Law?, into page: inout Markup) {
    page.element("th", [Attribute("scope", "row")]) { page in
      let name = name.clipped(80)
      page.element("code") { page in
        if let dot = name.firstIndex(of: ".") {
          page.element("span", [Attribute("class", "family")], String(name[...dot]))
          page.add(String(name[name.index(after: dot)...]))
        } else {
          page.add(name)
        }
      }
      if let law {
        page.element("span", [Attribute("class", "sentence")], law.text.clipped(240))
      }
    }
  }

  private func cell(_ law: String, _ subject: String, into page: inout Markup) {
    let cells = matrix.cells(law, subject)
    let tally = matrix.tally(law, subject)
    let standing = tally.standing
    page.element("td", [Attribute("class", "\(standing)")]) { page in
      if standing == .absent, let reason = matrix.inapplicability(law, subject) {
        page.element("span", [Attribute("data-tip", reason.clipped(200))]) { page in
          page.element("i", [Attribute("aria-hidden", "true")], standing.symbol)
          page.add(" not applicable")
        }
        return
      }
      guard standing != .absent else {
        page.raw("<span><i aria-hidden=\"true\">·</i> not run</span>")
        return
      }
      let details = Attribute("data-tip", details(cells, tally))
      if let number = failureNumbers[Report.Matrix.Place(law: law, subject: subject)] {
        page.element("a", [Attribute("href", "#f\(number)"), details]) { face(tally, into: &$0) }
      } else {
        page.element("span", [details]) { face(tally, into: &$0) }
      }
    }
  }

  private func face(_ tally: Report.Tally, into page: inout Markup) {
    page.element("i", [Attribute("aria-hidden", "true")], tally.standing.symbol)
    page.add(" \(tally.standing.word)")
    if tally.standing == .violated || tally.standing == .errored || tally.standing == .known {
      page.add(" ")
      page.element("b", grouped(tally.standingCount))
    }
  }

  /// Counts, by oracle where there is more than one, and why cases were skipped.
  private func details(_ cells: [Report.Cell], _ tally: Report.Tally) -> String {
    var lines: [String] = []
    for cell in cells.prefix(6) {
      var own = Report.Tally()
      own.add(cell)
      let counts = (cells.count > 1 ? own : tally).summary
      lines.append(cell.oracle.map { "\(counts), against \($0.clipped(40))" } ?? counts)
      if let reason = cell.skipReason { lines.append("skipped: \(reason.clipped(120))") }
    }
    if cells.count > 6 { lines.append("and \(cells.count - 6) more oracles") }
    return lines.joined(separator: "\n")
  }
}
