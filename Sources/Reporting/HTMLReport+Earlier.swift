import PastRuns
import Texts

extension HTMLReport {
  /// Rows of the trend; of what failed longer ago the number is given.
  private static let trendRowLimit = 24
  /// Failures of one fate that are open; further ones stand in a fold.
  private static let openEntryLimit = 6
  /// Failures of one fate in the fold.
  private static let entryLimit = 100

  /// How the run stands against an earlier one, and what failed in the last runs.
  func earlierRuns(_ page: inout Markup) {
    guard let earlier else { return }
    let note =
      "What is known of the runs before this one. It is no part of the report: it stands in "
      + "\(EarlierRuns.fileName)."
    section("earlier", "Earlier runs", note: note, into: &page) { page in
      if let comparison {
        self.comparison(comparison, into: &page)
      } else {
        page.element("p", class: "note", "None of them came to a result.")
      }
      trend(RunTrend(earlier, to: report), into: &page)
    }
  }

  // MARK: - The comparison

  private func comparison(_ comparison: ReportComparison, into page: inout Markup) {
    guard let run = earlier?.compared else { return }
    page.element("h3", "Since \(run.moment)")
    page.element("p", class: "facts", facts(run, comparison).joined(separator: " · "))
    let isFixed = { (entry: ReportComparison.Entry) in entry.fate == .fixed }
    page.element("dl", class: "index fates") { page in
      fates("New", comparison.new, into: &page)
      fates("Still failing", comparison.remaining, into: &page)
      fates("Fixed", comparison.gone.filter(isFixed), into: &page)
      fates("Not seen again", comparison.gone.filter { !isFixed($0) }, into: &page)
    }
    questions("No longer judged", comparison.noLongerJudged, into: &page)
    questions("Judged for the first time", comparison.newlyJudged, into: &page)
  }

  private func facts(_ run: PastRun, _ comparison: ReportComparison) -> [String] {
    var facts = [
      comparison.counts,
      "\(counted(run.cases, "case")) then, \(grouped(report.run.cases)) now",
      "seed \(run.seed.clipped(60))",
    ]
    if let program = run.program, program != report.run.program {
      facts.append(program.clipped(60))
    }
    if !comparison.isComplete { facts.append("this run came to no result") }
    return facts
  }

  private func fates(_ title: String, _ entries: [ReportComparison.Entry], into page: inout Markup)
  {
    guard !entries.isEmpty else { return }
    page.element("dt", title)
    page.element("dd") { page in
      // What fails for long fills no screen above the failures themselves.
      let folded = entries.dropFirst(Self.openEntryLimit)
      list(entries.prefix(Self.openEntryLimit), bytes: .max, into: &page)
      guard !folded.isEmpty else { return }
      var left = 0
      page.element("details") { page in
        page.element("summary", "\(grouped(folded.count)) more")
        left = list(folded.prefix(Self.entryLimit), bytes: 30_000, into: &page)
      }
      remainder(
        left + max(folded.count - Self.entryLimit, 0),
        "failure",
        in: entries.first?.isGone == true ? EarlierRuns.fileName : "report.json",
        into: &page
      )
    }
  }

  /// - Returns: The number of those that are left out.
  @discardableResult
  private func list(
    _ entries: ArraySlice<ReportComparison.Entry>,
    bytes: Int,
    into page: inout Markup
  ) -> Int {
    var left = 0
    page.element("ul") { page in
      left = fill(&page, bytes: bytes, with: entries) { page, entry in
        page.element("li") { fate(entry, into: &$0) }
      }
    }
    return left
  }

  /// One failure: its law, which leads to the failure or else to what the law demands, and what its fate rests on.
  private func fate(_ entry: ReportComparison.Entry, into page: inout Markup) {
    let className = Attribute("class", "chip \(entry.isGone ? "\(entry.fate)" : "violated")")
    let symbol = entry.fate == .fixed ? "✓" : entry.isGone ? "–" : "✕"
    let chip = { (page: inout Markup) in
      page.element("i", [Attribute("aria-hidden", "true")], symbol)
      page.add(" \(entry.law.clipped(80))")
    }
    if let link = link(to: entry) {
      page.element("a", [className, Attribute("href", "#\(link)")], chip)
    } else {
      page.element("span", [className], chip)
    }
    page.add(" on \(entry.subject.clipped(80)), \(entry.differenceKind.clipped(80))")
    if let note = entry.note { page.element("span", class: "rest", note) }
    if entry.isGone {
      page.element("span", class: "rest", "It was: \(entry.summary.clippedBehindWord(160))")
    }
  }

  /// Whether the earlier run that the report is compared with does not have the failure.
  func isNew(_ failure: Report.Failure) -> Bool {
    comparison?.new.contains { $0.key == PastFailure(failure).key } == true
  }

  private func link(to entry: ReportComparison.Entry) -> String? {
    if let place = report.failures.firstIndex(where: { PastFailure($0).key == entry.key }) {
      return anchors.failures[place]
    }
    return report.cells.isEmpty ? nil : anchors.laws[entry.law]
  }

  private func questions(
    _ what: String,
    _ questions: [ReportComparison.Question],
    into page: inout Markup
  ) {
    guard !questions.isEmpty else { return }
    page.element("details") { page in
      page.element("summary", "\(what) (\(grouped(questions.count)))")
      let words = questions.prefix(200).map { "\($0.law.clipped(80)) on \($0.subject.clipped(80))" }
      page.element("p", class: "note", words.joined(separator: ", ").clippedBehindWord(6000))
      if questions.count > 200 {
        page.element("p", class: "more", "and \(grouped(questions.count - 200)) more")
      }
    }
  }

  // MARK: - The trend

  private func trend(_ trend: RunTrend, into page: inout Markup) {
    let note =
      "A column for each run, the earliest on the left, this one on the right. "
      + "Where a law was not judged, its row has a gap."
    page.element("h3", "The last \(counted(trend.runs.count, "run"))")
    page.element("p", class: "note", note)
    let cases = trend.runs.map { Optional($0.cases) }
    let failures = trend.runs.map { Optional($0.failures.count) }
    var left = 0
    page.element("table", class: "bars trend") { page in
      page.element("tbody") { page in
        columns(
          "Cases",
          cases,
          figure: "\(grouped(report.run.cases)) now",
          className: "cases",
          into: &page
        )
        let now = trend.runs.last?.failures.count ?? 0
        columns(
          "Failures",
          failures,
          figure: "\(grouped(now)) now",
          className: "failures",
          into: &page
        )
        left = fill(&page, bytes: 60_000, with: trend.rows.prefix(Self.trendRowLimit)) {
          page,
          row in
          columns(
            "\(row.question.law.clipped(60)) on \(row.question.subject.clipped(40))",
            row.failures,
            figure: "in \(grouped(row.failingCount)) of \(grouped(row.judgedCount))",
            className: "failures",
            into: &page
          )
        }
      }
    }
    remainder(
      left + max(trend.rows.count - Self.trendRowLimit, 0),
      "law that failed",
      "laws that failed",
      in: EarlierRuns.fileName,
      into: &page
    )
    runs(trend.runs, into: &page)
  }

  /// A row of columns, one for each run.
  private func columns(
    _ name: String,
    _ values: [Int?],
    figure: String,
    className: StaticString,
    into page: inout Markup
  ) {
    let most = max(values.compactMap(\.self).max() ?? 0, 1)
    page.element("tr", class: className.description) { page in
      page.element("th", [Attribute("scope", "row")], name)
      page.element("td", class: "bar") { page in
        let frame = [
          Attribute("aria-hidden", "true"), Attribute("viewBox", "0 0 \(values.count * 10) 24"),
          Attribute("preserveAspectRatio", "none"),
        ]
        page.element("svg", frame) { page in
          for (place, value) in values.enumerated() {
            guard let value else { continue }
            column(at: place, share: Double(value) / Double(most), into: &page)
          }
        }
      }
      page.element("td", class: "figure", figure)
    }
  }

  /// A column; a part of it can be seen wherever there is anything.
  private func column(at place: Int, share: Double, into page: inout Markup) {
    let height = share > 0 ? max(Int((min(share, 1) * 24).rounded()), 3) : 0
    for (className, height) in [("track", 24), ("value", height)] where height > 0 {
      page.empty(
        "rect",
        [
          Attribute("class", className), Attribute("x", place * 10 + 1), Attribute("width", 8),
          Attribute("y", 24 - height), Attribute("height", height),
        ]
      )
    }
  }

  /// The runs in numbers, the latest first.
  private func runs(_ runs: [PastRun], into page: inout Markup) {
    page.element("details") { page in
      page.element("summary", "The runs in numbers")
      table("runs", label: "Runs", into: &page) { page in
        let titles = ["Started", "Commit", "Result", "Cases", "Failures"]
        rows(titles, of: Array(runs.reversed().enumerated()), into: &page) { page, item in
          let (number, run) = item
          let started = String(run.startedAt.prefix(16)) + (number == 0 ? ", this run" : "")
          page.element("th", [Attribute("scope", "row")], started)
          page.element("td") { $0.element("code", String((run.commit ?? "").prefix(10))) }
          page.element("td", "\(run.word.symbol) \(run.headline.clippedBehindWord(160))")
          page.element("td", class: "figure", grouped(run.cases))
          page.element("td", class: "figure", grouped(run.failures.count))
        }
      }
    }
  }
}

extension ReportComparison.Entry {
  /// Whether the earlier run alone has it.
  fileprivate var isGone: Bool { fate != .new && fate != .remaining }

  fileprivate var key: PastFailure.Key {
    PastFailure.Key(law: law, subject: subject, differenceKind: differenceKind)
  }
}
