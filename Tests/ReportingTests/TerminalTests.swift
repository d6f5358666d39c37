import Testing

@testable import Reporting

@Suite("Terminal")
struct TerminalTests {
  @Test("A command whose path has a space is one that a shell takes")
  func quotesPaths() {
    let text = TerminalReport(SampleReports.failing, hasColour: false, folder: "my report").text
    #expect(text.contains("  replay: touchstone replay 'my report/"))
  }

  @Test("A green run is short: table, what is missing, verdict, how to repeat it")
  func green() {
    var report = SampleReports.green
    report.cells = report.cells.filter { $0.law.hasPrefix("agreement.") }
    report.laws = Array(report.laws.prefix(2))
    let text = TerminalReport(report, hasColour: false, folder: ".build/report").text
    #expect(
      text == """
          law              naive      engine     automerge  loro       yrs
          agreement.states ✓ held     ✓ held     ✓ held     – skipped  – skipped
          agreement.past   ✓ held     ✓ held     ✓ held     – skipped  – skipped
          – skipped

        ✕ never reached: network.cut-while-under-way: A message is under way when its
          path is cut.

        ○ diamond is absent: its program could not be started: no such file; text is
          compared with four implementations, not five
        – 2 laws skipped on loro: lacks heads
        – 2 laws skipped on yrs: lacks heads

        ✓ All 2 laws held on 3 subjects, but for 1 known divergence
          1,200 cases, seed 0xbfffffffffffff01, 61.4 s
          different histories: 298 (judged 1,200 times)
          canary tie-break-reversed caught by agreement.states, in a run of its own
        repeat: touchstone check --seed 0xbfffffffffffff01 --cases 1200
        report: .build/report/index.html

        """
    )
  }

  @Test("On a narrow terminal the figures of a fuzzer go that others tell")
  func fuzzTargets() throws {
    var report = SampleReports.fuzzing
    func head(_ columns: Int) throws -> String {
      let text = TerminalReport(report, hasColour: false, columns: columns).text
      let line = try #require(text.split(separator: "\n").first)
      return line.split(separator: " ").joined(separator: " ")
    }
    let all = "target subject inputs a second let in edges situations kept new failed"
    #expect(try head(88) == all)
    #expect(try head(87) == all.replacing(" a second", with: ""))
    #expect(try head(77) == "target subject inputs let in edges situations kept failed")
    #expect(try head(70) == "target subject inputs let in edges kept failed")
    #expect(try head(58) == "target subject inputs edges kept failed")
    #expect(try head(50) == "target subject inputs kept failed")
    #expect(try head(42) == "target subject inputs failed")
    // A long name is cut to 16 columns.
    report.fuzzing?[0].target = "a-name-of-sixteen-scalars-and-more"
    #expect(try head(43) == "target subject inputs failed")
    #expect(try head(42) == "target inputs failed")
  }

  @Test("Cases that a subject failed are counted, with what one of them reported")
  func unjudged() {
    var report = SampleReports.green
    report.cells[0].errored = 3
    report.cells[0].errorReason = "put was refused: no key"
    let subject = report.cells[0].subject
    let text = TerminalReport(report, hasColour: false, folder: nil).text
    #expect(
      text.contains("! 1 law not judged in every case: \(subject) failed in up to 3 cases, in one")
    )
    #expect(text.contains("put was refused: no key"))
    // Nor is it among those that held.
    let laws = Set(report.cells.filter { $0.judged > 0 }.map(\.law)).count
    #expect(text.contains(" \(laws - 1) of "), "\(text)")
  }

  @Test("A law that was skipped for several reasons is told as that")
  func skipped() {
    var report = SampleReports.green
    for index in report.cells.indices where report.cells[index].subject == "yrs" {
      if report.cells[index].skipReason != nil { report.cells[index].skipReason = nil }
    }
    let text = TerminalReport(report, hasColour: false, folder: nil).text
    #expect(text.contains(/laws skipped on yrs: for more than one reason/), "\(text)")
  }

  @Test("Every skipped law is in a line, or counted as one that has no room", arguments: [6, 90])
  func skippedForManyReasons(count: Int) throws {
    var report = SampleReports.green
    report.subjects = Array(report.subjects.prefix(1))
    let subject = report.subjects[0].id
    report.laws = (1...count).map {
      Report.Law(name: "many.law-\($0)", sentence: "It holds.", source: "none")
    }
    report.cells = report.laws.enumerated().flatMap { number, law in
      // Against two oracles: the law is one all the same.
      (1...2).map { _ in
        var cell = Report.Cell(law: law.name, subject: subject)
        cell.skipped = 3
        cell.skipReason = "lacks part \(number / 2)"
        return cell
      }
    }
    let limit = TerminalReport.skipLimit
    for folder in ["out", nil] {
      let text = TerminalReport(report, hasColour: false, folder: folder).text
      let counts = text.matches(of: /– (\d+) (?:more )?laws? skipped/).compactMap { Int($0.1) }
      #expect(counts.reduce(0, +) == count, "\(text)")
      let hasRest = text.contains("more reason")
      #expect(hasRest == (count / 2 > limit), "\(text)")
      if hasRest {
        let place = folder == nil ? "--report DIR writes them" : "report.json has them"
        let rest = "– \(count - 2 * limit) more laws skipped, for \(count / 2 - limit) more reasons"
        #expect(text.contains("\(rest): \(place)\n"), "\(text)")
      }
    }
  }

  @Test(
    "A run that fails for a known divergence that is gone says so, however many lanes saw it",
    arguments: [
      (0, "A law was violated"), (1, "A known divergence no longer shows"),
      (2, "2 known divergences no longer show"),
    ]
  )
  func goneDivergences(_ count: Int, _ headline: String) throws {
    var report = SampleReports.green
    report.outcome.word = .violated
    let known = try #require(report.knownDivergences.first)
    report.knownDivergences = (0...count).flatMap { number in
      var listed = known
      listed.law += "\(number)"
      listed.stillShows = number == 0
      return [listed, listed]
    }
    let text = TerminalReport(report, hasColour: false).text
    #expect(text.contains("✕ \(headline)\n"), "\(text)")
    let laws = MarkdownReport(SampleReports.failing).text
    #expect(laws.contains("violated on") && !laws.contains("A known divergence no longer"))
  }

  @Test("The legend explains a share of a family by a cell of its table")
  func legendOfShares() throws {
    var report = SampleReports.green
    report.knownDivergences = []
    report.subjects = Array(report.subjects.prefix(1))
    let subject = report.subjects[0].id
    report.laws = (1...TerminalReport.foldingFrom + 1).map {
      Report.Law(name: "many.law-\($0)", sentence: "It holds.", source: "none")
    }
    report.cells = report.laws.enumerated().map { number, law in
      var cell = Report.Cell(law: law.name, subject: subject)
      if number < 4 { cell.skipped = 1 } else { cell.held = 1 }
      return cell
    }
    let text = TerminalReport(report, hasColour: false, columns: 100).text
    #expect(text.contains("  many.* ✓ 21 of 25\n"), "\(text)")
    #expect(
      text.contains(
        "✓ 21 of 25: of the 25 laws many.*, 21 held, the others were skipped or not asked\n"
      ),
      "\(text)"
    )
  }

  @Test("A failure tells what its law advises, and the legend what a number is")
  func advises() {
    var report = SampleReports.failing
    #expect(!TerminalReport(report, hasColour: false).text.contains("to do: "))
    for index in report.laws.indices { report.laws[index].advice = "Look at the clock." }
    let text = TerminalReport(report, hasColour: false).text
    #expect(text.contains("\n  to do: Look at the clock.\n"), "\(text)")
    #expect(text.contains("✕ violated, with the number of cases"), "\(text)")
  }

  @Test("A failure tells law, difference, steps that matter, and how to replay it")
  func failing() throws {
    let text = TerminalReport(SampleReports.failing, hasColour: false, folder: "out").text
    #expect(text.contains("\n\n✕ 4 laws violated on 3 subjects\n"))
    // A step has all the room that its marks leave.
    let narrow = TerminalReport(SampleReports.failing, hasColour: false, columns: 40).text
    #expect(narrow.contains("\n    r0 type text1 0 delete 0 insert \"ab\"\n"), "\(narrow)")
    #expect(
      text.contains(
        """
        ✕ violated: merge.commutes on loro
          Two replicas that merge each other show one state, whichever merged first.
          the text differs at /"text1"
            Compared: r1 after merging r2, with r2 after merging r1.
            r1 after merging r2: "axy"
            r2 after merging r1: "ayx"
            r0 type text1 0 delete 0 insert "ab"
            r0 -> r1 merge
            r0 -> r2 merge
            r1 type text1 1 delete 0 insert "x"
            r2 type text1 1 delete 1 insert "y"
            r1 -> r2 merge  ≠ differs
            heal  (any)  ≠ differs
          replay: touchstone replay out/cases/merge-commutes-loro-text.case

        """
      )
    )
  }

  @Test("A summary of several lines is told in sentences, not with an escaped line feed")
  func severalLines() {
    var report = SampleReports.failing
    report.failures[0].summary = "It gave no answer.\nIt was killed."
    report.outcome.reasons = [Report.Reason("It hangs.\nAllow more time.")]
    let text = TerminalReport(report, hasColour: false).text
    #expect(text.contains("  It gave no answer. It was killed.\n"))
    #expect(text.contains("  - It hangs. Allow more time.\n"))
    let summary = MarkdownReport(report).text
    #expect(summary.contains("\n- It hangs. Allow more time.\n"))
    #expect(summary.contains("What differs: It gave no answer. It was killed.\n"))
    #expect(!summary.contains("u{A}"))
  }

  @Test("A run that failed says why in its verdict, beside what stands in the failure")
  func breakdown() {
    var report = SampleReports.failing
    report.outcome.reasons = [
      Report.Reason("naive broke a law", kind: .failure),
      Report.Reason("crash failed: it ended.\nIt said:\n  boom\nBye.", kind: .breakdown),
    ]
    let text = TerminalReport(report, hasColour: false).text
    #expect(text.contains("  - crash failed: it ended. It said: boom. Bye.\n"))
    #expect(!text.contains("- naive broke a law"))
  }

  @Test("Where reasons have no room, those stay that no failure tells")
  func reasonsWithoutRoom() throws {
    var report = SampleReports.failing
    let first = report.failures[0]
    report.failures = (1...20).map { number in
      var failure = first
      failure.summary = "difference \(number)"
      return failure
    }
    let told = report.failures.map { "\($0.law) on \($0.subject): \($0.summary)" }
    let others = ["the canary was not caught", "interrupted after 7 of 100 cases"]
    report.outcome.reasons =
      told.map { Report.Reason($0, kind: .failure) }
      + [Report.Reason(others[0]), .interruption(after: "7 of 100 cases")]
    #expect(report.reasons(upTo: 12) == told.prefix(10) + others)
    #expect(report.reasons(upTo: 1) == [others[0]])
    #expect(report.reasons(upTo: 22) == told + others)
    let terminal = TerminalReport(report, hasColour: false, columns: 200).text
    // Each failure is told once.
    for number in 1...20 {
      #expect(terminal.matches(of: try Regex("difference \(number)\\b")).count == 1, "\(terminal)")
    }
    let markdown = MarkdownReport(report).text
    for reason in others {
      #expect(terminal.contains("\n  - \(reason)\n"), "\(terminal)")
      #expect(markdown.contains("\n- \(reason)\n"), "\(markdown)")
    }
    // Failures without a card tell themselves apart, and nothing is wider than a narrow terminal.
    #expect(terminal.contains("on \(first.parties): difference 20\n"))
    let narrow = TerminalReport(report, hasColour: false, columns: 40).text
    for line in narrow.split(separator: "\n") where !line.hasPrefix("repeat: ") {
      #expect(line.unicodeScalars.count <= 40, "\(line)")
    }
  }

  @Test("What was not shrunk is listed with the command that does it", arguments: [40, 80])
  func notShrunk(columns: Int) {
    var report = SampleReports.failing
    let sighting = Report.Sighting(
      id: "loro--merge.commutes-by-another-way-that-no-one-had-in-mind--text",
      law: "merge.commutes",
      subject: "loro",
      differenceKind: "text",
      summary: "the text differs",
      caseCount: 3
    )
    report.sightings = [sighting]
    let reason = "loro fails in 1 more way, counted and not shrunk: merge.commutes (\(sighting.id))"
    report.outcome.reasons = [
      Report.Reason(reason, kind: .sightings), .interruption(after: "7 of 100 cases"),
    ]
    func lines(_ folder: String?) -> [Substring] {
      TerminalReport(report, hasColour: false, columns: columns, folder: folder).text
        .split(separator: "\n")
    }
    let kept = lines("out")
    #expect(kept.contains("    merge.commutes, 3 cases"), "\(kept)")
    #expect(kept.contains("      shrink: touchstone shrink out/\(sighting.file ?? "?")"), "\(kept)")
    // Where no report is written, no file of it is named.
    #expect(!lines(nil).contains { $0.contains("shrink:") || $0.contains(sighting.id) })
    for told in [kept, lines(nil)] {
      #expect(told.count { $0.contains("1 more way") } == 1, "\(told)")
      #expect(told.contains("  - interrupted after 7 of 100 cases"), "\(told)")
    }
  }

  @Test("A path stays whole, and a long sentence ends behind a word", arguments: [40, 80])
  func longWords(columns: Int) {
    var report = SampleReports.failing
    let path = "/a/b/a-package/Tests/NoteTests/__Touchstone__/Note--model.lossless.case"
    let words = (1...200).map { "word\($0)" }
    report.outcome.reasons = [
      Report.Reason("could not be read: \(path): no such file"),
      Report.Reason(words.joined(separator: " ")),
    ]
    let text = TerminalReport(report, hasColour: false, columns: columns).text
    #expect(text.contains("\n    \(path):"), "\(text)")
    let told = text.split { $0 == " " || $0 == "\n" }.filter { $0.hasPrefix("word") }.map(
      String.init
    )
    #expect(told.count > 40 && told == Array(words.prefix(told.count)), "\(told)")
    #expect(text.contains(" …\n"))
  }

  @Test("Failures that likely have one cause are named together, each law once")
  func causes() {
    var report = SampleReports.failing
    let first = report.failures[0]
    var second = first
    second.law = "merge.commutes"
    report.failures = [first, second, second]
    let text = TerminalReport(report, hasColour: false, columns: 100).text
    let lines = text.split(separator: "\n").joined(separator: " ")
    #expect(
      lines.contains(
        "Likely one cause; begin with the first failure: "
          + "- 3 failures on \(first.subject) (kind \(first.differenceKind)): \(first.law), merge.commutes"
      ),
      "\(text)"
    )
    // Several causes share one sentence.
    var third = first
    third.subject = "other"
    report.failures = [first, second, third, third]
    let several = TerminalReport(report, hasColour: false, columns: 100).text
    #expect(several.matches(of: /[Ll]ikely/).count == 1, "\(several)")
    #expect(several.contains("begin with the first failure of each line:\n- 2 failures on "))
    #expect(
      several.contains("\n- 2 failures on other (kind \(first.differenceKind)): \(first.law)\n")
    )
    // The smallest is the one to begin with.
    second.size = first.size - 1
    report.failures = [first, second]
    let smaller = TerminalReport(report, hasColour: false, columns: 100).text
    #expect(smaller.contains("(kind \(first.differenceKind)): merge.commutes, \(first.law)\n"))
    report.failures = [first]
    #expect(!TerminalReport(report, hasColour: false, columns: 100).text.contains("likely"))
  }

  @Test("Without a folder no case file is named: there is none, and it says how to get them")
  func unkept() {
    let text = TerminalReport(SampleReports.failing, hasColour: false).text
    #expect(!text.contains("touchstone replay"))
    let hint = "--report DIR writes a page to read, and a case file for each failure."
    #expect(text.hasSuffix("\n\(hint)\n"))
  }

  @Test(
    "Without its colours a coloured report is the plain one",
    arguments: SampleReports.all.indices
  )
  func colours(_ index: Int) {
    let report = SampleReports.all[index].report
    let plain = TerminalReport(report, hasColour: false).text
    let coloured = TerminalReport(report, hasColour: true).text
    #expect(coloured != plain)
    #expect(coloured.replacing(/\u{1B}\[[0-9;]*m/, with: "") == plain)
  }

  @Test("Every report keeps to the width", arguments: SampleReports.all.indices, [0, 60, 80, 200])
  func width(_ index: Int, _ columns: Int) {
    let text = TerminalReport(SampleReports.all[index].report, hasColour: false, columns: columns)
      .text
    let width = max(columns, 60)
    #expect(Inertness.violations(inTerminal: text, width: width) == [])
    #expect(!text.split(separator: "\n").contains { $0.hasSuffix(" ") })
  }

  /// A report of `laws` laws on `subjects` subjects, all with long names.
  private func large(laws: Int, subjects: Int) -> Report {
    var report = SampleReports.green
    report.knownDivergences = []
    report.subjects = (1...subjects).map {
      var subject = report.subjects[0]
      subject.id = "a-subject-with-a-long-name-\($0)"
      return subject
    }
    report.laws = (1...laws).map {
      Report.Law(
        name: "family-\($0).a-law-whose-name-is-longer-than-usual",
        sentence: "It holds.",
        source: "none"
      )
    }
    report.cells = report.laws.flatMap { law in
      report.subjects.map { subject in
        var cell = Report.Cell(law: law.name, subject: subject.id)
        cell.violated = 1_234_567
        return cell
      }
    }
    return report
  }

  @Test("Without a terminal no name is cut, and no law, subject or cell is left out")
  func file() {
    let report = large(laws: 104, subjects: 30)
    let lines = TerminalReport(report, hasColour: false, columns: nil).text.split(separator: "\n")
    let head = lines.first { $0.hasPrefix("  law ") } ?? ""
    for subject in report.subjects { #expect(head.contains(" \(subject.id)"), "\(head)") }
    for law in report.laws {
      #expect(lines.contains { $0.hasPrefix("  \(law.name) ") }, "\(law.name)")
    }
    #expect(!lines.contains { $0.contains("…") || $0.contains("more law") }, "\(lines)")
    #expect(lines.contains { $0.contains("✕ 1,234,567 ") })
    // Sentences are for people all the same.
    let verdict = lines.first { $0.hasPrefix("✕ ") } ?? ""
    #expect(!verdict.isEmpty && verdict.unicodeScalars.count <= 80, "\(verdict)")
  }

  @Test("A wide terminal gives names its width")
  func wide() {
    let report = large(laws: 30, subjects: 5)
    func head(_ columns: Int) -> Substring {
      TerminalReport(report, hasColour: false, columns: columns).text.split(separator: "\n")
        .first { $0.hasPrefix("  law ") } ?? ""
    }
    let law = report.laws[0].name
    #expect(TerminalReport(report, hasColour: false, columns: 200).text.contains("  \(law) "))
    #expect(head(200).contains(" a-subject-with-a-long-name-5"), "\(head(200))")
    #expect(head(80).contains("…"), "\(head(80))")
  }

  @Test("A self-test cuts no name of a mutant or a law for which there is room")
  func selfTestNames() throws {
    var report = SampleReports.selfTest
    var selfTest = try #require(report.selfTest)
    let (id, law) = ("a-mutant-whose-id-is-longer-than-32-columns", "edits.nothing-returns-at-all")
    selfTest.mutants[0].id = id
    selfTest.mutants[0].killedBy = law
    report.selfTest = selfTest
    for columns in [nil, 150] as [Int?] {
      let text = TerminalReport(report, hasColour: false, columns: columns).text
      #expect(text.contains("  \(id) ✓ \(law), "), "\(text)")
    }
  }

  @Test("The headline of an interrupted self-test says that it was")
  func interruptedSelfTest() {
    var report = SampleReports.selfTest
    report.outcome = Report.RunOutcome(
      word: .failed,
      reasons: [.interruption(after: "2 of 9 mutants")]
    )
    let text = TerminalReport(report, hasColour: false).text
    #expect(text.contains("\n! The run was interrupted: "), "\(text)")
    #expect(text.contains("\n  - interrupted after 2 of 9 mutants\n"), "\(text)")
  }

  @Test("A self-test tells the living first")
  func selfTest() {
    let text = TerminalReport(SampleReports.selfTest, hasColour: false).text
    #expect(
      text.contains(
        """
          map.delete-loses-conflict        ✕ lives, 2,000 cases
          merge.left-biased                ✓ merge.commutes, 3 cases, size 3
        """
      )
    )
    #expect(text.contains("✕ false alarm: text.runs-stay-whole"))
  }
}
