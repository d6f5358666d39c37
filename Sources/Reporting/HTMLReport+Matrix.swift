import PastRuns
import Texts

extension HTMLReport {
  /// Cells that the page's matrices have at most, all together.
  static let cellLimit = 4000
  static let columnLimit = 24
  /// Columns up to which two halves of a matrix stand beside each other on paper.
  static let slimColumnLimit = 3
  /// Bytes that the rows of all matrices may take.
  static let matrixByteLimit = 500_000

  /// Every law on every subject that it was asked of: one matrix for each topic.
  func laws(_ page: inout Markup) {
    let parts = matrix.parts
    guard !parts.isEmpty else { return }
    let note =
      "\(counted(matrix.laws.count, "law")) on \(counted(Set(parts.flatMap(\.subjects)).count, "subject")). "
      + "A red cell leads to its failure, a law's name to what it demands."
    section("laws", "Laws", note: note, into: &page) { page in
      legend(&page)
      finder(parts, into: &page)
      var cells = Self.cellLimit
      var bytes = Self.matrixByteLimit
      for part in parts {
        let start = page.byteCount
        cells -= self.part(part, cells: cells, bytes: bytes, into: &page)
        bytes -= page.byteCount - start
      }
    }
  }

  /// The matrix of one topic.
  ///
  /// - Returns: The number of its cells.
  private func part(
    _ part: Report.Matrix.Part,
    cells: Int,
    bytes: Int,
    into page: inout Markup
  ) -> Int {
    let subjects = Report.Matrix.gravest(part.subjects, Self.columnLimit) {
      matrix.standing(ofSubject: $0)
    }
    let laws = Report.Matrix.gravest(part.laws, max(cells / max(subjects.count, 1), 1)) {
      matrix.standing(ofLaw: $0)
    }
    let sentences = Dictionary(report.laws.map { ($0.name, $0) }) { first, _ in first }
    var rowsLeft = laws.count
    let title = part.topic.heading
    page.line()
    page.element(
      "div",
      [
        Attribute("class", subjects.count <= Self.slimColumnLimit ? "part slim" : "part"),
        Attribute("id", "laws-\(part.topic.rawValue)"),
      ]
    ) {
      page in
      page.element("h3", title)
      table("matrix", label: "\(title): laws by subjects", into: &page) { page in
        columns(["Law"] + subjects.map { $0.clipped(40) }, into: &page)
        let start = page.byteCount
        for family in Report.Matrix.families(of: laws) {
          guard page.byteCount - start < bytes else { break }
          page.line()
          let className = isEven(family, subjects) ? "family even" : "family"
          page.element("tbody", class: className) { page in
            if family.count > 1 { self.family(family, subjects, into: &page) }
            rowsLeft -= family.count
            rowsLeft += fill(&page, bytes: max(bytes - (page.byteCount - start), 0), with: family) {
              page,
              law in
              page.line()
              page.element("tr", class: "law") { page in
                header(law, sentences[law], into: &page)
                for subject in subjects { cell(law, subject, into: &page) }
              }
            }
          }
        }
      }
      remainder(part.laws.count - laws.count + rowsLeft, "law", into: &page)
      remainder(part.subjects.count - subjects.count, "subject", into: &page)
    }
    return laws.count * subjects.count
  }

  /// Whether all laws of a family came out alike on each subject, with nothing to tell of one of them: on
  /// paper their names stand in the family's row.
  private func isEven(_ laws: [String], _ subjects: [String]) -> Bool {
    laws.count > 1
      && subjects.allSatisfy { subject in
        let (gravest, count) = matrix.gravest(of: laws, on: subject)
        return count == laws.count && [.held, .skipped, .absent].contains(gravest)
      }
  }

  /// The row above a family: how many of its laws came out how, on each subject.
  private func family(_ laws: [String], _ subjects: [String], into page: inout Markup) {
    let name = (laws.first ?? "").prefix { $0 != "." }
    page.element("tr", class: "head") { page in
      page.element("th", [Attribute("scope", "rowgroup")]) { page in
        let attributes = [
          Attribute("type", "button"), Attribute("class", "fold"),
          Attribute("aria-expanded", "true"),
        ]
        page.element("button", attributes) { page in
          page.element("code", String(name).clipped(80))
          page.element("span", class: "ways", counted(laws.count, "law"))
        }
        if isEven(laws, subjects) {
          let names = laws.map { String($0.clipped(80).dropFirst(name.count + 1)) }
          page.element("span", class: "members", names.joined(separator: ", "))
        }
      }
      for subject in subjects {
        let (gravest, count) = matrix.gravest(of: laws, on: subject)
        page.element("td", class: "\(gravest)") { page in
          page.element("span") { page in
            guard gravest != .absent else { return unasked(&page) }
            page.element("i", [Attribute("aria-hidden", "true")], gravest.symbol)
            let part =
              count < laws.count ? "\(grouped(count)) of \(grouped(laws.count))" : grouped(count)
            page.add(" \(part) \(gravest.word)")
          }
        }
      }
    }
  }

  private func legend(_ page: inout Markup) {
    page.element("p", class: "legend") { page in
      for (standing, words) in [
        (Report.Standing.held, "held in every case"),
        (.violated, "violated in some"),
        (.known, "departs as it is known to"),
        (.errored, "failed to answer"),
        (.skipped, "needs what the subject lacks"),
        (.absent, "not asked"),
      ] {
        badge(standing, words, into: &page)
      }
    }
  }

  /// A line of controls that filter laws and failures; without a script it is not shown.
  private func finder(_ parts: [Report.Matrix.Part], into page: inout Markup) {
    func choice(
      _ className: String,
      label: String,
      options: [(String, String)],
      into page: inout Markup
    ) {
      let attributes = [Attribute("class", className), Attribute("aria-label", label)]
      page.element("select", attributes) { page in
        page.element("option", [Attribute("value", "")], label)
        for (value, words) in options {
          page.element("option", [Attribute("value", value)], words)
        }
      }
    }
    let subjects = parts.flatMap(\.subjects).uniqued().prefix(200)
    let attributes = [
      Attribute("id", "find"), Attribute("role", "search"), Attribute("hidden", "hidden"),
    ]
    page.element("div", attributes) { page in
      page.empty(
        "input",
        [
          Attribute("type", "search"), Attribute("placeholder", "Find a law"),
          Attribute("aria-label", "Find a law"),
        ]
      )
      choice(
        "who",
        label: "All subjects",
        options: subjects.map { ($0.clipped(40), $0.clipped(40)) },
        into: &page
      )
      choice(
        "how",
        label: "All results",
        options: [Report.Standing.violated, .errored, .known, .held, .skipped]
          .map { ("\($0)", $0.word) },
        into: &page
      )
      page.raw("<button type=\"button\" class=\"quiet unfold\">Unfold all</button>")
      page.raw("<span class=\"tell\" aria-live=\"polite\"></span>")
    }
  }

  private func header(_ name: String, _ law: Report.Law?, into page: inout Markup) {
    page.element("th", [Attribute("scope", "row")]) { page in
      let shown = name.clipped(80)
      func write(_ page: inout Markup) {
        page.element("code") { page in
          if let dot = shown.firstIndex(of: ".") {
            page.element("span", class: "word", String(shown[...dot]))
            page.add(String(shown[shown.index(after: dot)...]))
          } else {
            page.add(shown)
          }
        }
      }
      if let anchor = anchors.laws[name] {
        page.element("a", [Attribute("href", "#\(anchor)")]) { write(&$0) }
      } else {
        write(&page)
      }
      if let law {
        page.element("span", class: "sentence", law.text.clippedBehindWord(240))
      }
    }
  }

  private func cell(_ law: String, _ subject: String, into page: inout Markup) {
    let cells = matrix.cells(law, subject)
    let tally = matrix.tally(law, subject)
    let standing = tally.standing
    page.element("td", class: "\(standing)") { page in
      guard standing != .absent else {
        page.element("span") { unasked(&$0) }
        return
      }
      let details = Attribute("data-tip", details(cells, tally))
      if let link = cellLink(law, subject) {
        page.element("a", [Attribute("href", link), details]) { face(tally, into: &$0) }
      } else {
        page.element("span", [details]) { face(tally, into: &$0) }
      }
    }
  }

  /// The quiet sign of a law that was not asked.
  private func unasked(_ page: inout Markup) {
    page.element("i", [Attribute("aria-hidden", "true")], Report.Standing.absent.symbol)
    page.element("span", class: "unseen", " \(Report.Standing.absent.word)")
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
      let counts = cells.count > 1 ? cell.summary : tally.summary
      lines.append(cell.oracle.map { "\(counts), against \($0.clipped(40))" } ?? counts)
      if let reason = cell.skipReason { lines.append("skipped: \(reason.clippedBehindWord(120))") }
      if let reason = cell.errorReason { lines.append("failed: \(reason.clippedBehindWord(120))") }
    }
    if cells.count > 6 { lines.append("and \(counted(cells.count - 6, "more oracle"))") }
    return lines.joined(separator: "\n")
  }
}

extension Report.Topic {
  /// The title of its part of the page.
  fileprivate var heading: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
}
