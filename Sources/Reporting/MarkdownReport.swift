import PastRuns
package import Texts

/// The report for a pull request: `summary.md`, short, with the details folded.
///
/// Nothing from the report acts: markup, mentions, references and links in it are spelled out, and
/// code stands in fences longer than any run of backticks within.
package struct MarkdownReport {
  /// Hosts refuse comments of more than 65,536 characters.
  package static let byteLimit = 60_000

  /// What is made inert; tests leave parts away to see that a check fails.
  package enum Escape: Hashable, Sendable, CaseIterable {
    /// Characters that Markdown gives a meaning to.
    case markup
    /// `@name`, `#12`, `GH-12` and addresses, which hosts turn into links that notify.
    case reference
    /// Backticks in code.
    case fence
    /// `|` in tables.
    case pipe
  }

  private let report: Report
  private let matrix: Report.Matrix
  private let escapes: Set<Escape>
  private let visible: VisibleText

  package init(
    _ report: Report,
    escapes: Set<Escape> = Set(Escape.allCases),
    visible: VisibleText = VisibleText()
  ) {
    self.report = report
    self.escapes = escapes
    self.visible = visible
    matrix = Report.Matrix(report)
  }

  package var text: String {
    var text = "## \(report.outcome.word.symbol) Touchstone: \(report.headline(matrix))\n\n"
    text += "\(facts)\n"
    if !report.outcome.reasons.isEmpty {
      text += "\n"
      for reason in report.reasons(upTo: 10) { text += "- \(sentences(reason, 300))\n" }
      text += remainder(report.outcome.reasons.count - 10, "reason", list: true)
    }
    text += subjectTable + unjudged
    text += failures(bytes: Self.byteLimit - 25_000 - text.utf8.count)
    for part in [lawTables, waypoints, known, selfTest, fuzzing, coverage] where !part.isEmpty {
      // Whole or not at all: a fold that is cut off would swallow what follows.
      if text.utf8.count + part.utf8.count < Self.byteLimit - 1500 { text += part }
    }
    return text + "\nTo repeat it:\n\n\(fence([report.run.repeatCommand.clipped(1000)]))"
  }

  private var facts: String {
    let run = report.run
    return "\(report.caseWords), seed \(code(run.seed.clipped(60))), "
      + "\(decimal(report.clock.seconds)) s."
      + (report.canary.map { " \(inline($0.summary, 200))." } ?? "")
      + (report.distinctSamples.map { "\n\n\(inline($0, 300))." } ?? "")
  }

  private var subjectTable: String {
    guard !report.subjects.isEmpty else { return "" }
    var text = "\n| subject | version | violated | errored | known | held | skipped |\n"
    text += "|:--|:--|--:|--:|--:|--:|--:|\n"
    for subject in report.subjects.prefix(24) {
      text += "| \(code(subject.id, 60)) | \(inline(subject.version, 60)) |"
      if let absence = subject.absence {
        let cost = subject.absenceCost.map { "; \($0)" } ?? ""
        text += " absent: \(sentences(absence + cost, 200)) | | | | |\n"
        continue
      }
      let total = matrix.total(ofSubject: subject.id)
      for (standing, count) in total.counts {
        let figure = count == 0 ? "" : grouped(count)
        let isBold = standing <= .errored
        text += figure.isEmpty ? " |" : isBold ? " **\(figure)** |" : " \(figure) |"
      }
      text += "\n"
    }
    return text + remainder(report.subjects.count - 24, "subject")
  }

  /// Why a subject has cases in the column of errors.
  private var unjudged: String {
    let all = report.unjudged(matrix)
    guard !all.isEmpty else { return "" }
    let lines = all.prefix(24).map { "- \(sentences($0, 300))\n" }
    return "\n" + lines.joined() + remainder(all.count - 24, "subject", list: true)
  }

  private func failures(bytes: Int) -> String {
    guard !report.failures.isEmpty else { return "" }
    var text = "\n### Failures\n"
    var count = 0
    for failure in report.failures {
      let article = article(failure.abbreviated, isOpen: count < 3)
      guard text.utf8.count + article.utf8.count < bytes else { break }
      text += article
      count += 1
    }
    return text + remainder(report.failures.count - count, "failure")
  }

  /// The first failures stand open, the others are folded.
  private func article(_ failure: Report.Failure, isOpen: Bool) -> String {
    let parties = matrix.parties(of: failure)
    let title = "\(code(failure.law, 80)) on \(code(parties, 80))"
    var body = "What differs: \(sentences(failure.summary, 600))\n\n"
    if let comparison = failure.comparison { body += "\(inline(comparison, 400))\n\n" }
    if failure.expected != nil || failure.actual != nil {
      let lines = { (sign: String, text: String?) in
        (text ?? "(nothing)").clipped(1000).split(
          omittingEmptySubsequences: false,
          whereSeparator: \.isNewline
        )
        .prefix(20).map { "\(sign) \($0)" }
      }
      // Headed by the names of peers, as the two files of a patch are.
      let heads = failure.peers.map { (["--- \($0.expected)"], ["+++ \($0.found)"]) } ?? ([], [])
      body += fence(
        heads.0 + heads.1 + lines("-", failure.expected) + lines("+", failure.actual),
        language: "diff"
      )
      body += "\n"
    }
    let history = failure.history.prefix(50).map { $0.clipped(160) }
    let left = failure.history.count - history.count
    body += fence(history + (left > 0 ? ["… (\(counted(left, "more line")))"] : [])) + "\n"
    if let calls = failure.calls {
      body += "\(callsHeading):\n\n"
      body += fence(calls.prefix(50).map { $0.clipped(400) }) + "\n"
    }
    if failure.replayer == .program { body += "Replay it in the folder of the report:\n\n" }
    body += fence([failure.replayCommand.clipped(400)])
    let kind = "\(failure.kind.symbol) \(failure.kind.rawValue)"
    return isOpen
      ? "\n**\(kind)**: \(title)\n\n\(body)"
      : fold(
        "\(kind): \(inline(failure.law, 80, isMarkdown: false)) on \(inline(parties, 80, isMarkdown: false))",
        body
      )
  }

  /// Laws by subjects, a table for each topic: subjects of one are not asked the laws of another.
  private var lawTables: String {
    let parts = matrix.parts
    let tables = parts.map { part in
      let table = table(
        part.laws,
        part.subjects.filter { matrix.standing(ofSubject: $0) != .absent }
      )
      return parts.count > 1 ? "#### Laws of \(part.topic.rawValue)\n\n\(table)" : table
    }
    guard !tables.isEmpty else { return "" }
    return fold("Laws by subjects", tables.joined(separator: "\n"))
  }

  private func table(_ all: [String], _ allSubjects: [String]) -> String {
    let subjects = Report.Matrix.gravest(allSubjects, 8) { matrix.standing(ofSubject: $0) }
    let laws = Report.Matrix.gravest(all, 80) { matrix.standing(ofLaw: $0) }
    var text = "| law |" + subjects.map { " \(code($0, 40)) |" }.joined() + "\n"
    text += "|:--|" + subjects.map { _ in ":--|" }.joined() + "\n"
    for law in laws {
      text += "| \(code(law, 80)) |"
      for subject in subjects {
        let tally = matrix.tally(law, subject)
        let count = tally.standing < .held ? " \(grouped(tally.standingCount))" : ""
        text += " \(tally.standing.symbol) \(tally.standing.word)\(count) |"
      }
      text += "\n"
    }
    text += remainder(all.count - laws.count, "law")
    return text + remainder(allSubjects.count - subjects.count, "subject")
  }

  private var waypoints: String {
    let missed = report.counts.waypoints.filter { $0.isRequired && $0.count <= 0 }
    guard !missed.isEmpty else { return "" }
    var text = "\n### Required waypoints not reached\n\n"
    for waypoint in missed.prefix(20) {
      text += "- \(code(waypoint.name, 80)): \(inline(waypoint.sentence, 240))\n"
    }
    return text + remainder(missed.count - 20, "waypoint", list: true)
  }

  private var known: String {
    let shown = report.knownDivergences.filter {
      $0.count > 0 || !$0.stillShows || $0.unjudged != nil
    }
    guard !shown.isEmpty else { return "" }
    var text = ""
    for known in shown.prefix(40) {
      let state =
        !known.stillShows
        ? "**shows no longer**"
        : known.unjudged != nil ? "**cannot be judged**" : counted(known.count, "case")
      text += "- \(code(known.subject, 60)), \(code(known.law, 80)), \(state), "
      text += "\(code(known.condition, 120)): "
      text += "\(inline(known.reason, 300))\n"
    }
    text += remainder(shown.count - 40, "divergence", list: true)
    let unmet = report.knownDivergences.count - shown.count
    if unmet > 0 { text += "- and \(grouped(unmet)) more that no case met\n" }
    return fold("Known divergences", text)
  }

  private var selfTest: String {
    guard let selfTest = report.selfTest else { return "" }
    var text = "| mutant | killed by | cases | size |\n|:--|:--|--:|--:|\n"
    for mutant in (selfTest.living + selfTest.mutants.filter { $0.killedBy != nil }).prefix(60) {
      let killer = mutant.killedBy.map { code($0, 80) } ?? "**✕ lives**"
      let size = mutant.size.map(grouped) ?? ""
      text += "| \(code(mutant.id, 80)) | \(killer) | \(grouped(mutant.cases)) | \(size) |\n"
    }
    text += remainder(selfTest.mutants.count - 60, "mutant")
    return fold("Mutants", text)
  }

  private var fuzzing: String {
    guard let targets = report.fuzzing else { return "" }
    return fold("Fuzz targets", table(Report.fuzzingColumns, of: targets, "target"))
  }

  private var coverage: String {
    guard let modules = report.coverage else { return "" }
    return fold("Code entered", table(Report.coverageColumns, of: modules, "module"))
  }

  private func table<Row>(
    _ columns: [Report.Column<Row>],
    of rows: [Row],
    _ noun: String
  ) -> String {
    var text = "| \(columns.map(\.head).joined(separator: " | ")) |\n"
    text += "|\(columns.map { $0.isFigure ? "--:|" : ":--|" }.joined())\n"
    for row in rows.prefix(Report.rowLimit) {
      let cells = columns.map { column in
        let cell = column.cell(row)
        return column.isFigure ? inline(cell, 40) : code(cell, 80)
      }
      text += "| \(cells.joined(separator: " | ")) |\n"
    }
    return text + remainder(rows.count - Report.rowLimit, noun)
  }

  private func fold(_ title: String, _ body: String) -> String {
    "\n<details><summary>\(title)</summary>\n\n\(body)\n</details>\n"
  }

  private func remainder(_ count: Int, _ noun: String, list isList: Bool = false) -> String {
    guard count > 0 else { return "" }
    return "\(isList ? "- " : "\n")and \(counted(count, "more \(noun)")) in `report.json`\n"
  }
}

extension MarkdownReport {
  /// Sentences that may have a line each, in one.
  private func sentences(_ text: String, _ limit: Int) -> String {
    inline(inOneLine(text), limit)
  }

  /// Text in which nothing has a meaning, for places other than the start of a line.
  ///
  /// Inside of HTML no parser removes the backslashes that Markdown needs; entities do there.
  private func inline(_ text: String, _ limit: Int, isMarkdown: Bool = true) -> String {
    let isInert = escapes.contains(.markup)
    let scalars = Array(visible(text.clippedBehindWord(limit)).unicodeScalars)
    var result = ""
    for (index, scalar) in scalars.enumerated() {
      switch scalar {
      case "&" where isInert: result += "&amp;"
      case "<" where isInert: result += "&lt;"
      case ">" where isInert: result += "&gt;"
      case "\\", "`", "*", "_", "[", "]", "~", "$":
        guard isInert else {
          result.unicodeScalars.append(scalar)
          continue
        }
        result += isMarkdown ? "\\\(scalar)" : "&#\(scalar.value);"
      case "|": result += escapes.contains(.pipe) ? "\\|" : "|"
      default:
        result.unicodeScalars.append(scalar)
        // Hosts look for references after they have resolved backslashes, so that only a mark of
        // width zero keeps the sign from what follows.
        if escapes.contains(.reference), isReference(scalars, at: index) { result += "&#8203;" }
      }
    }
    return result
  }

  /// Whether the sign there makes a mention, an issue or an address of what follows.
  private func isReference(_ scalars: [Unicode.Scalar], at index: Int) -> Bool {
    let next = index + 1 < scalars.count ? scalars[index + 1] : " "
    let before = index > 0 ? scalars[index - 1] : " "
    switch scalars[index] {
    case "@", "#": return true
    case ":": return next == "/"
    case ".": return before == "w" || before == "W"
    case "-": return before == "H" || before == "h"
    default: return false
    }
  }

  /// Code within a line.
  private func code(_ text: String, _ limit: Int = 200) -> String {
    let text = visible(text.clipped(limit))
    let ticks = String(repeating: "`", count: escapes.contains(.fence) ? longestRun(text) + 1 : 1)
    let inner = escapes.contains(.pipe) ? text.replacing("|", with: "\\|") : text
    // A blank keeps ticks at the edges apart; the host takes one off each side.
    let isTight = !inner.isEmpty && inner.first != "`" && inner.last != "`" && inner.first != " "
    return isTight ? "\(ticks)\(inner)\(ticks)" : "\(ticks) \(inner) \(ticks)"
  }

  /// Code of its own lines.
  private func fence(_ lines: [some StringProtocol], language: String = "") -> String {
    let lines = lines.map { visible(String($0)) }
    let longest = lines.map(longestRun).max() ?? 0
    let ticks = String(repeating: "`", count: escapes.contains(.fence) ? max(3, longest + 1) : 3)
    return "\(ticks)\(language)\n" + lines.map { "\($0)\n" }.joined() + "\(ticks)\n"
  }

  private func longestRun(_ text: String) -> Int {
    var longest = 0
    var run = 0
    for byte in text.utf8 {
      run = byte == UInt8(ascii: "`") ? run + 1 : 0
      longest = max(longest, run)
    }
    return longest
  }
}

extension String {
  /// The text with each `part`, one byte of ASCII, replaced.
  fileprivate func replacing(_ part: Unicode.Scalar, with other: String) -> String {
    unicodeScalars.reduce(into: "") { result, scalar in
      if scalar == part { result += other } else { result.unicodeScalars.append(scalar) }
    }
  }
}
