import PastRuns
package import Texts

/// The report as lines for a terminal.
///
/// Nothing from the report reaches the terminal as a control: escape sequences in it are spelled
/// out. No line is wider than asked for, unless it is a command or a single word: a path in pieces
/// is of no use. Sentences that are too long end behind a word.
package struct TerminalReport {
  /// Failures that are shown in full; the others have a line each.
  package static let articleLimit = 5
  /// Causes of several failures that are named.
  private static let causeLimit = 5
  /// Kinds of failure of one subject that are named though they were not shrunk.
  private static let sightingLimit = 4
  /// Reasons for skipped laws that have a line each.
  static let skipLimit = 3
  /// Laws of one table.
  static let lawLimit = 80
  /// Subjects of one table.
  private static let subjectLimit = 24
  /// Mutants of a self-test that have a line each.
  private static let mutantLimit = 160
  /// Mutants, reasons, and others of one kind that have a line each: half a screen.
  private static let lineLimit = 20
  /// Subjects, and reasons of a run, that the verdict names: it stands below all else, and is to be seen whole.
  private static let verdictLineLimit = 12
  /// Waypoints that are named: the run fails for the first of them.
  private static let waypointLimit = 10
  /// Laws of one cause that are named.
  private static let causeLawLimit = 6
  /// What time cut short; a run has few of them.
  private static let remarkLimit = 5
  /// Lines of a history or of calls: two thirds of a large screen, below which more of the failure stands.
  private static let historyLimit = 40
  /// Lines of what was expected and of what was found, which are to be seen together.
  private static let sideLimit = 12

  /// Columns of a terminal that tells none.
  private static let usualColumns = 80
  /// Columns of the narrowest terminal, which has room for a law and a subject.
  private static let leastColumns = 40
  /// Columns up to which sentences are read with ease; tables and steps may be wider.
  private static let proseColumns = 100
  /// Columns where no terminal bounds them.
  private static let unboundedColumns = 10_000
  /// Columns of the narrowest cell: a symbol and `violated`.
  private static let leastCellColumns = 10
  /// Columns of what became of a mutant, at least: `✕ lives, 20,000 cases`, and some for longer ones.
  private static let leastEndColumns = 25
  /// Columns that names of laws and mutants have on any terminal that is wide enough.
  private static let usualNameColumns = 32
  /// Columns of `expected: ` and of what stands below it.
  private static let sideLabelColumns = 10
  /// A table of more laws than this folds families.
  static let foldingFrom = 24

  /// Scalars of texts that come from subjects and files, and so may be of any length.
  enum Scalars {
    /// A seed.
    static let seed = 60
    /// A name in a sentence of ours.
    static let name = 80
    /// A name where a table has no width that bounds it.
    static let unboundedName = 1000
    /// A sentence of ours with a name and a number in it.
    static let fact = 200
    /// What a waypoint is, beside its name.
    static let waypoint = 240
    /// A title with law and subjects; a reason or remark beside others.
    static let remark = 300
    /// A sentence that stands for itself: a law's, or a reason for the verdict.
    static let sentence = 400
    /// Why a subject is absent and what that costs, which are two sentences.
    static let absence = 500
    /// Several sentences: what differs, what to do, what a call answered.
    static let passage = 600
    /// A command or path; a shorter limit would leave one that does not run.
    static let command = 1000
    /// What was expected or found, before it is split into lines.
    static let side = 2000
  }

  private let report: Report
  private let matrix: Report.Matrix
  let hasColour: Bool
  /// Whether nothing has to fit a terminal: tables have all laws and subjects, by their whole names.
  private let isUnbounded: Bool
  /// Columns of tables and steps.
  private let width: Int
  /// Columns of sentences.
  let proseWidth: Int
  let folder: String?
  private let arguments: [String]
  let visible: VisibleText

  /// - Parameters:
  ///   - report: The report that is shown.
  ///   - hasColour: Whether ANSI escape sequences may be used.
  ///   - columns: Of the terminal, 40 at least; `nil` for a file, in which no name is cut.
  ///   - folder: Where the report was written.
  ///   - arguments: What commands need to find the subjects.
  ///   - visible: How text is made harmless; other rules are for tests of the tests.
  package init(
    _ report: Report,
    hasColour: Bool,
    columns: Int? = 80,
    folder: String? = nil,
    arguments: [String] = [],
    visible: VisibleText = VisibleText()
  ) {
    self.report = report
    self.hasColour = hasColour
    isUnbounded = columns == nil
    width = max(columns ?? Self.unboundedColumns, Self.leastColumns)
    proseWidth = min(max(columns ?? Self.usualColumns, Self.leastColumns), Self.proseColumns)
    self.folder = folder
    self.arguments = arguments
    self.visible = visible
    matrix = Report.Matrix(report)
  }

  package var text: String {
    // The verdict comes last, where it stands on the screen when the run ends.
    let parts = [table, selfTest, fuzzing, waypoints, failures, absences, verdict + end]
    let lines = parts.filter { !$0.isEmpty }.joined(separator: [""])
    // Padding that nothing follows is of no use.
    return lines.map { "\(trimmed($0))\n" }.joined()
  }

  private var verdict: [String] {
    let word = report.outcome.word
    let colour: Colour = word == .held ? .green : word == .violated ? .red : .yellow
    let facts =
      "\(report.caseWords), seed \(plain(report.run.seed, Scalars.seed)), "
      + "\(decimal(report.clock.seconds)) s"
    return [paint("\(word.symbol) \(report.headline(matrix))", colour, isBold: true)]
      + wrapped(facts, indent: 2)
      + (report.distinctSamples.map { wrapped($0, upTo: Scalars.remark, indent: 2) } ?? [])
      + (report.canary.map { wrapped($0.summary, upTo: Scalars.fact, indent: 2) } ?? [])
      // Failures are shown above.
      + sightings
      + report.furtherReasons.prefix(Self.verdictLineLimit).flatMap {
        wrapped(inOneLine($0), mark: "- ", upTo: Scalars.sentence, indent: 2)
      }
      + remainder(report.furtherReasons.count - Self.verdictLineLimit, "reason", indent: 2)
  }

  /// What was counted and not shrunk, by subject, with what makes a small case of each.
  private var sightings: [String] {
    report.sightingCounts.prefix(Self.verdictLineLimit).flatMap { subject, count -> [String] in
      let own = (report.sightings ?? []).filter { $0.subject == subject }
      let title = "- \(subject) fails in \(counted(count, "more way")), counted and not shrunk:"
      return wrapped(title, upTo: Scalars.fact, indent: 2)
        + own.prefix(Self.sightingLimit).flatMap { sighting -> [String] in
          let law = wrapped(
            "\(sighting.law), \(counted(sighting.caseCount, "case"))",
            upTo: Scalars.fact,
            indent: 4
          )
          guard let folder, let file = sighting.file else { return law }
          let words = ["touchstone shrink"] + arguments + [shellWord("\(folder)/\(file)")]
          return law + ["      shrink: \(plain(words.joined(separator: " "), Scalars.command))"]
        }
        + remainder(own.count - Self.sightingLimit, "way", indent: 4)
    }
  }

  /// Laws by subjects, in as many tables as the width asks for; each topic has tables of its own.
  private var table: [String] {
    // Subjects that did not run have lines of their own.
    let tables = matrix.parts.map { part in
      table(part.laws, part.subjects.filter { matrix.standing(ofSubject: $0) != .absent })
    }
    return Array(tables.filter { !$0.isEmpty }.joined(separator: [""]))
  }

  /// One line of a table: a law, or a family of laws; the line of a family tells only how many
  /// held.
  private struct Row {
    let name: String
    let laws: [String]
  }

  /// The laws as rows.
  ///
  /// In a long table a family stands in one row if all its laws held, were skipped or were not asked on
  /// these subjects; what needs a look is then not lost among what does not.
  private func rows(_ laws: [String], _ subjects: ArraySlice<String>) -> [Row] {
    let isLong = laws.count > Self.foldingFrom
    return Report.Matrix.families(of: laws).flatMap { family -> [Row] in
      let isCalm = family.allSatisfy { law in
        subjects.allSatisfy { matrix.tally(law, $0).standing >= .held }
      }
      guard isLong, isCalm, family.count > 1, let first = family.first else {
        return family.map { Row(name: $0, laws: [$0]) }
      }
      return [Row(name: first.prefix { $0 != "." } + ".*", laws: family)]
    }
  }

  private func table(_ all: [String], _ present: [String]) -> [String] {
    guard !all.isEmpty, !present.isEmpty else { return [] }
    let laws = Report.Matrix.gravest(all, isUnbounded ? all.count : Self.lawLimit) {
      matrix.standing(ofLaw: $0)
    }
    let subjects = Report.Matrix.gravest(
      present,
      isUnbounded ? present.count : Self.subjectLimit
    ) { matrix.standing(ofSubject: $0) }
    let names = rows(laws, subjects[...]).map(\.name)
    // A narrow terminal still has room for one subject.
    let lawWidth = min(
      width - 2 - 1 - Self.leastCellColumns,
      names.map { plain($0, nameLimit).unicodeScalars.count }.max() ?? 0
    )
    // Names get what room there is.
    let room = (width - 2 - lawWidth) / max(1, subjects.count) - 1
    // Several subjects share the room that laws leave.
    let subjectLimit = nameLimit - 8
    let longest = subjects.map { plain($0, subjectLimit).unicodeScalars.count }.max() ?? 0
    let cellWidth =
      isUnbounded
      ? max(longest, widestCell(rows(laws, subjects[...]), subjects))
      : max(Self.leastCellColumns, min(longest, room))
    let perTable = max(1, (width - 2 - lawWidth) / (cellWidth + 1))
    var lines: [String] = []
    var shares: [(standing: Report.Standing, words: String)] = []
    for start in stride(from: 0, to: subjects.count, by: perTable) {
      let part = subjects[start..<min(start + perTable, subjects.count)]
      if start > 0 { lines.append("") }
      let head = part.map { " " + padded(plain($0, cellWidth), cellWidth) }.joined()
      lines.append(paint(String(trimmed("  " + padded("law", lawWidth) + head)), .grey))
      for row in rows(laws, part) {
        var line = "  " + padded(plain(row.name, lawWidth), lawWidth)
        for subject in part {
          line += " " + face(row, subject, width: cellWidth)
        }
        lines.append(line)
        shares += part.compactMap { shareExplained(row, $0) }
      }
    }
    let meanings = [Report.Standing.violated, .errored, .known, .skipped].filter { standing in
      laws.contains { law in subjects.contains { matrix.tally(law, $0).standing == standing } }
    }
    var legend = meanings.map { standing in
      // Only these have numbers.
      let count = standing < .held ? ", with the number of cases" : ""
      return "\(standing.symbol) \(standing.word)\(count)"
    }
    // One cell that stands above explains the others; one that holds before one that does not.
    if let share = shares.first(where: { $0.standing == .held }) ?? shares.first {
      legend.append(share.words)
    }
    return lines + wrapped(legend.joined(separator: "; "), indent: 2).map { paint($0, .grey) }
      + remainder(all.count - laws.count, "law", indent: 2)
      + remainder(present.count - subjects.count, "subject", indent: 2)
  }

  /// Columns of the names of laws and mutants, at most: on a wide terminal a third of it.
  private var nameLimit: Int {
    isUnbounded ? Scalars.unboundedName : max(Self.usualNameColumns, width / 3)
  }

  /// Columns of the widest cell.
  private func widestCell(_ rows: [Row], _ subjects: [String]) -> Int {
    rows.flatMap { row in subjects.map { cell(row, $0).unicodeScalars.count } }.max() ?? 0
  }

  private func face(_ row: Row, _ subject: String, width: Int) -> String {
    let colour: Colour =
      switch matrix.gravest(of: row.laws, on: subject).standing {
      case .violated: .red
      case .errored, .known: .yellow
      case .held: .green
      case .skipped, .absent: .grey
      }
    let text = cell(row, subject).clipped(width)
    return paint(text, colour) + padded("", width - text.unicodeScalars.count)
  }

  private func cell(_ row: Row, _ subject: String) -> String {
    let standing = matrix.gravest(of: row.laws, on: subject).standing
    let words =
      if standing < .held, let law = row.laws.first {
        grouped(matrix.tally(law, subject).standingCount)
      } else {
        share(of: row, on: subject) ?? standing.word
      }
    return "\(standing.symbol) \(words)"
  }

  /// How many laws of a family have its standing, in words; `nil` if all have, or one is short of held.
  private func share(of row: Row, on subject: String) -> String? {
    let (standing, count) = matrix.gravest(of: row.laws, on: subject)
    guard standing >= .held, count < row.laws.count else { return nil }
    return "\(count) of \(row.laws.count)"
  }

  /// What the cell of a family says if its laws differ in standing; `nil` if they do not.
  private func shareExplained(
    _ row: Row,
    _ subject: String
  ) -> (standing: Report.Standing, words: String)? {
    guard let share = share(of: row, on: subject) else { return nil }
    let (standing, count) = matrix.gravest(of: row.laws, on: subject)
    let laws = "of the \(row.laws.count) laws \(plain(row.name, nameLimit))"
    let words =
      standing == .held
      ? "\(laws), \(count) held, the others were skipped or not asked"
      : "\(laws), \(count) \(count == 1 ? "was" : "were") skipped, the others were not asked"
    return (standing, "\(standing.symbol) \(share): \(words)")
  }

  private var failures: [String] {
    var lines: [String] = []
    for (index, failure) in report.failures.prefix(Self.articleLimit).enumerated() {
      if index > 0 { lines.append("") }
      lines += article(failure.abbreviated)
    }
    let others = report.failures.dropFirst(Self.articleLimit)
    for failure in others.prefix(Self.lineLimit) {
      let title = "\(failure.kind.symbol) \(failure.law) on \(matrix.parties(of: failure)): "
      lines += wrapped(title + inOneLine(failure.summary), upTo: Scalars.sentence, indent: 0)
    }
    return lines + remainder(others.count - Self.lineLimit, "failure", indent: 0) + causes
  }

  /// Which failures likely have one cause, as the page says it above them.
  private var causes: [String] {
    let shared = report.causes.filter { $0.count > 1 }
    let lines = shared.prefix(Self.causeLimit).flatMap { cause in
      var names: [String] = []
      for failure in cause where !names.contains(failure.element.law) {
        names.append(failure.element.law)
      }
      let subject = cause.first?.element.subject ?? ""
      let kinds = Set(cause.map(\.element.differenceKind))
      let kind =
        kinds.count == 1 ? kinds.first.map { " (kind \(plain($0, Scalars.name)))" } ?? "" : ""
      let left = names.count - Self.causeLawLimit
      let shown = names.prefix(Self.causeLawLimit).joined(separator: ", ")
      let laws = prose(shown, Scalars.sentence) + (left > 0 ? " and \(left) more" : "")
      let failures = counted(cause.count, "failure")
      return wrapped(
        "- \(failures) on \(plain(subject, Scalars.name))\(kind): \(laws)",
        upTo: Scalars.passage,
        indent: 0
      )
    }
    guard !lines.isEmpty else { return [] }
    let each = shared.count == 1 ? "" : " of each line"
    let title = "Likely one cause; begin with the first failure\(each):"
    return [""] + wrapped(title, indent: 0) + lines
      + remainder(shared.count - Self.causeLimit, "cause", indent: 0)
  }

  private func article(_ failure: Report.Failure) -> [String] {
    let colour: Colour = failure.kind == .violated ? .red : .yellow
    let title = "\(failure.kind.symbol) \(failure.kind.rawValue): \(failure.law) on "
    var lines = wrapped(title + matrix.parties(of: failure), upTo: Scalars.remark, indent: 0)
      .map { paint($0, colour, isBold: true) }
    if let law = report.laws.first(where: { $0.name == failure.law }) {
      lines += wrapped(law.text, upTo: Scalars.sentence, indent: 2)
    }
    lines += wrapped(inOneLine(failure.summary), upTo: Scalars.passage, indent: 2)
    if let comparison = failure.comparison {
      lines += wrapped(comparison, upTo: Scalars.sentence, indent: 4)
    }
    lines += sides(failure)
    let limit = Self.historyLimit
    // The timeline knows which steps matter; the history's head does not stand in it.
    let isMarked = failure.timeline.contains(where: \.isEssential)
    if isMarked {
      for step in failure.timeline.prefix(limit) {
        let mark = step.oracleState != nil ? "  ≠ differs" : ""
        let note = step.isEssential ? "" : "  (any)"
        let room = width - 4 - note.unicodeScalars.count - mark.unicodeScalars.count
        let line = "    " + plain(step.text, room) + note
        lines.append((step.isEssential ? line : paint(line, .grey)) + paint(mark, .red))
      }
      lines += remainder(failure.timeline.count - limit, "step", indent: 4)
    } else {
      lines += failure.history.prefix(limit).map { "    " + plain($0, width - 4) }
      lines += remainder(failure.history.count - limit, "line", indent: 4)
    }
    if let calls = failure.calls {
      lines += wrapped("\(callsHeading):", indent: 2)
      lines += calls.prefix(limit).flatMap { wrapped($0, upTo: Scalars.passage, indent: 4) }
      lines += remainder(calls.count - limit, "line", indent: 4)
    }
    if let advice = report.laws.first(where: { $0.name == failure.law })?.advice {
      lines += wrapped("to do: \(inOneLine(advice))", upTo: Scalars.passage, indent: 2)
    }
    guard let folder else { return lines }
    // What the tests of a package judge, they alone judge again.
    guard failure.replayer == .program else {
      return lines + ["  replay: \(plain(failure.replayCommand, Scalars.command))"]
    }
    let words = ["touchstone replay"] + arguments + [shellWord("\(folder)/\(failure.file)")]
    return lines + ["  replay: \(plain(words.joined(separator: " "), Scalars.command))"]
  }

  /// What was expected and what was found, or what two peers show, in one colour: neither is known to be right.
  private func sides(_ failure: Report.Failure) -> [String] {
    let labels = failure.labels
    // The whole names stand above.
    let longest = max(labels.expected.unicodeScalars.count, labels.found.unicodeScalars.count) + 2
    let columns = min(max(longest, Self.sideLabelColumns), max(width / 2, Self.sideLabelColumns))
    let colours: (Colour, Colour) = failure.peers == nil ? (.green, .red) : (.yellow, .yellow)
    return side(labels.expected, failure.expected, in: colours.0, columns)
      + side(labels.found, failure.actual, in: colours.1, columns)
  }

  private func side(
    _ title: String,
    _ text: String?,
    in colour: Colour,
    _ columns: Int
  ) -> [String] {
    guard let text else { return [] }
    let label = padded("\(plain(title, columns - 2)):", columns)
    let below = padded("", columns)
    let room = width - 4 - columns
    let lines = text.clipped(Scalars.side).split(
      omittingEmptySubsequences: false,
      whereSeparator: \.isNewline
    )
    return lines.prefix(Self.sideLimit).enumerated().map { index, line in
      "    " + (index == 0 ? label : below) + paint(plain(String(line), room), colour)
    } + remainder(lines.count - Self.sideLimit, "line", indent: 4)
  }

  private var waypoints: [String] {
    let missed = report.counts.waypoints.filter { $0.isRequired && $0.count <= 0 }
    return missed.prefix(Self.waypointLimit).flatMap { waypoint in
      let name = plain(waypoint.name, Scalars.name)
      let sentence = prose(waypoint.sentence, Scalars.waypoint)
      return wrapped("✕ never reached: \(name): \(sentence)", indent: 0)
    } + remainder(missed.count - Self.waypointLimit, "waypoint", indent: 0)
  }

  private var fuzzing: [String] {
    let targets = report.fuzzing.map { table(Report.fuzzingColumns, of: $0, "target") }
    let modules = report.coverage.map { table(Report.coverageColumns, of: $0, "module") }
    return Array([targets, modules].compactMap(\.self).joined(separator: [""]))
  }

  private func table<Row>(
    _ all: [Report.Column<Row>],
    of rows: [Row],
    _ noun: String
  ) -> [String] {
    let shown = rows.prefix(Report.rowLimit)
    var columns = all.map { column in
      let texts = [column.head.lowercased()] + shown.map(column.cell)
      let cells = texts.map { plain($0, max(16, nameLimit / 2)) }
      let width = cells.map(\.unicodeScalars.count).max() ?? 0
      return (column: column, cells: cells, width: width)
    }
    // A narrow terminal has no room for all.
    let ranks = columns.compactMap(\.column.dropRank).sorted()
    for rank in ranks where columns.reduce(0, { $0 + $1.width + 2 }) > width {
      columns.removeAll { $0.column.dropRank == rank }
    }
    return (0...shown.count).map { number in
      let line = columns.map { column, cells, width in
        let gap = String(repeating: " ", count: width - cells[number].unicodeScalars.count)
        return "  " + (column.isFigure ? gap + cells[number] : cells[number] + gap)
      }.joined()
      return number == 0 ? paint(line, .grey) : line
    } + remainder(rows.count - Report.rowLimit, noun, indent: 2)
  }

  private var selfTest: [String] {
    guard let selfTest = report.selfTest else { return [] }
    var lines: [String] = []
    let all = selfTest.living + selfTest.mutants.filter { $0.killedBy != nil }
    let mutants = all.prefix(isUnbounded ? all.count : Self.mutantLimit)
    let longest = mutants.map { plain($0.id, nameLimit).unicodeScalars.count }.max() ?? 0
    let nameWidth = min(max(Self.usualNameColumns, longest), width - 3 - Self.leastEndColumns)
    let room = width - nameWidth - 3
    for mutant in mutants {
      let name = padded(plain(mutant.id, nameWidth), nameWidth)
      if let law = mutant.killedBy {
        let size = mutant.size.map { ", size \($0)" } ?? ""
        let facts = ", \(counted(mutant.cases, "case"))\(size)"
        let words = "✓ " + plain(law, max(8, room - 2 - facts.unicodeScalars.count)) + facts
        lines.append("  \(name) " + paint(words.clipped(room), .green))
      } else {
        let words = "✕ lives, \(counted(mutant.cases, "case"))"
        lines.append("  \(name) " + paint(words.clipped(room), .red))
      }
    }
    lines += remainder(all.count - mutants.count, "mutant", indent: 2)
    for law in selfTest.falseAlarms.prefix(Self.lineLimit) {
      lines.append(paint(plain("  ✕ false alarm: \(law)", width), .red))
    }
    return lines
  }

  /// What was not looked at: subjects that are absent, laws that were skipped.
  private var absences: [String] {
    let subjects = report.subjects.filter { $0.absence != nil }.prefix(Self.lineLimit)
    let lines = subjects.flatMap { subject in
      let cost = subject.absenceCost.map { "; \($0)" } ?? ""
      let words = inOneLine("\(subject.id) is absent: \(subject.absence ?? "")\(cost)")
      return wrapped(words, mark: "○ ", upTo: Scalars.absence, indent: 0)
    }
    let unjudged = report.unjudged(matrix).flatMap {
      wrapped("! \(inOneLine($0))", upTo: Scalars.remark, indent: 0)
    }
    return lines + unjudged + skips
  }

  /// How many laws were skipped in every case, by subject and reason; each law of a subject counts once.
  private var skips: [String] {
    let skips = matrix.subjects.flatMap { subject in
      matrix.laws.compactMap { law -> (words: String, count: Int)? in
        guard matrix.tally(law, subject).standing == .skipped else { return nil }
        let reasons = Set(matrix.cells(law, subject).filter { $0.skipped > 0 }.map(\.skipReason))
        let reason = reasons.count == 1 ? reasons.first.flatMap(\.self) : nil
        return ("\(subject): \(reason ?? "for more than one reason")", 1)
      }
    }
    var reasons: [(words: String, count: Int)] = []
    reasons.merge(skips, by: \.words) { $0.count += $1.count }
    let lines = reasons.prefix(Self.skipLimit).flatMap { reason in
      let words = prose(reason.words, Scalars.remark)
      return wrapped("– \(counted(reason.count, "law")) skipped on \(words)", indent: 0)
    }
    let others = reasons.dropFirst(Self.skipLimit)
    guard !others.isEmpty else { return lines }
    let place = folder == nil ? "--report DIR writes them" : "report.json has them"
    let rest =
      "– \(counted(others.reduce(0) { $0 + $1.count }, "more law")) skipped, "
      + "for \(counted(others.count, "more reason")): \(place)"
    return lines + wrapped(rest, indent: 0)
  }

  private var end: [String] {
    let place: [String] =
      if let folder {
        ["report: \(plain(folder, Scalars.command))/index.html"]
      } else if report.failures.isEmpty {
        []
      } else {
        wrapped("--report DIR writes a page to read, and a case file for each failure.", indent: 0)
      }
    let remarks = report.clock.remarks.prefix(Self.remarkLimit)
    return remarks.flatMap { wrapped($0, upTo: Scalars.remark, indent: 0) }
      + ["repeat: \(plain(report.run.repeatCommand, Scalars.command))"] + place
  }
}
