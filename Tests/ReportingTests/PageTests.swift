import Foundation
import PropertyEngine
import TestSupport
import Testing

@testable import Reporting

@Suite("The page")
struct PageTests {
  private func tree(_ report: Report) throws -> MarkupTree {
    try MarkupTree.read(HTMLReport(report).text)
  }

  @Test("The policy names the style sheet and the script that are there")
  func policy() throws {
    #expect(HTMLReport.styleHash == policyHash(of: HTMLReport.style.description))
    #expect(HTMLReport.scriptHash == policyHash(of: HTMLReport.script.description))
    let page = HTMLReport(SampleReports.failing).text
    #expect(page.contains("<style>\(HTMLReport.style)</style>"))
    #expect(page.contains("<script>\(HTMLReport.script)</script>"))
    let meta = try tree(SampleReports.failing).all("meta").first {
      $0.attributes["http-equiv"] == "Content-Security-Policy"
    }
    let content = try #require(meta?.attributes["content"])
    #expect(content == HTMLReport.policy)
    #expect(content.hasPrefix("default-src 'none'; "))
    #expect(!content.contains("unsafe"))
  }

  @Test("Every rendering of one report is the same", arguments: SampleReports.all.indices)
  func deterministic(_ index: Int) {
    let (first, second) = (SampleReports.all[index].report, SampleReports.all[index].report)
    #expect(HTMLReport(first).text == HTMLReport(second).text)
  }

  @Test("Ids are unique, and every reference leads to one", arguments: SampleReports.all.indices)
  func references(_ index: Int) throws {
    let all = try tree(SampleReports.all[index].report).all
    let ids = all.compactMap { $0.attributes["id"] }
    #expect(Set(ids).count == ids.count)
    for element in all {
      for name in ["aria-labelledby", "aria-controls"] {
        if let id = element.attributes[name] { #expect(ids.contains(id), "\(name) \(id)") }
      }
      if let link = element.attributes["href"], link.hasPrefix("#") {
        #expect(ids.contains(String(link.dropFirst())), "\(link)")
      }
    }
  }

  @Test("A page that stands alone leads to no file, and shows each failure all the same")
  func alone() throws {
    func links(_ page: MarkupTree) -> [String] {
      page.all("a").compactMap { $0.attributes["href"] }.filter { !$0.hasPrefix("#") }
    }
    #expect(try links(tree(SampleReports.failing)).contains("./report.json"))
    let page = try MarkupTree.read(HTMLReport(SampleReports.failing, standsAlone: true).text)
    #expect(links(page).isEmpty)
    #expect(page.all(ofClass: "failure").count == SampleFailures.all.count)
  }

  @Test("What a subject can do is told among its like, and never as all where a law is skipped")
  func canDo() throws {
    var report = SampleReports.green
    func abilities(_ id: String) throws -> String {
      let rows = try #require(tree(report).all(ofClass: "subjects").first).all("tr")
      let row = try #require(rows.first { $0.all("th").first?.text == id })
      return try #require(row.all("td").last).text
    }
    #expect(try abilities("engine") == "all 9 abilities")
    #expect(try abilities("loro") == "all but conflicts, heads, history")
    #expect(try abilities("yrs") == "list, map, save, text")

    // What coders can do, an engine does not lack.
    var coder = Report.Subject(id: "coder", version: "1", capabilities: ["json"])
    coder.topic = .coders
    report.subjects.append(coder)
    #expect(try abilities("engine") == "all 9 abilities")
    #expect(try abilities("coder") == "all 1 ability")

    // All that the others have is not all that laws ask for.
    let law = report.laws[0].name
    let index = try #require(
      report.cells.firstIndex { $0.law == law && $0.subject == "engine" }
    )
    report.cells[index].held = 0
    report.cells[index].skipped = 1
    report.cells[index].skipReason = "does not say who wrote"
    #expect(try abilities("engine") == "9 abilities; 1 law skipped: does not say who wrote")
    report.cells[index].skipReason = nil
    #expect(try abilities("engine") == "9 abilities; 1 law skipped")
  }

  @Test("After healing a pane names every replica, or its lines name each")
  func healedPanes() throws {
    var report = SampleReports.failing
    let index = try #require(
      report.failures.firstIndex { $0.timeline.contains { $0.kind == .heal } }
    )
    report.failures = [report.failures[index]]
    let heal = try #require(report.failures[0].timeline.firstIndex { $0.kind == .heal })
    let subject = report.failures[0].subject
    func captions() throws -> [String] {
      let id = "f1s\(heal + 1)-state"
      let pane = try #require(tree(report).all.first { $0.attributes["id"] == id })
      return pane.all("figcaption").map(\.text)
    }
    report.failures[0].timeline[heal].state = [#""k": int 0"#]
    report.failures[0].timeline[heal].oracleState = nil
    #expect(try captions() == ["every replica of \(subject) shows"])
    report.failures[0].timeline[heal].state = ["r0, r2:", #"  "k": int 0"#, "r1:", "  nothing"]
    report.failures[0].timeline[heal].namesReplicas = true
    #expect(try captions() == ["\(subject) shows"])
  }

  @Test("What was counted and not shrunk has a row, to which a line at the top leads")
  func sightings() throws {
    var report = SampleReports.failing
    let subject = SampleFailures.all[0].subject
    report.sightings = (1...3).map { number in
      Report.Sighting(
        id: "sighting-\(number)",
        law: "merge.commutes",
        subject: subject,
        differenceKind: "kind-\(number)",
        summary: "something differs",
        caseCount: 1000 * number
      )
    }
    let reason = "\(subject) fails in 3 more ways, counted and not shrunk: merge.commutes (a.case)"
    report.outcome.reasons.append(Report.Reason(reason, kind: .sightings))
    let page = try tree(report)
    let title = try #require(page.first(id: HTMLReport.sightingsID))
    #expect(title.text == "Counted and not shrunk")
    let links = page.all("a").compactMap { $0.attributes["href"] }
    for number in 1...3 { #expect(links.contains("./failures/sighting-\(number).case")) }
    let line = try #require(page.all(ofClass: "reasons").first?.all("li").first)
    #expect(line.text == "\(subject) fails in 3 more ways, counted and not shrunk")
    #expect(line.all("a").first?.attributes["href"] == "#\(HTMLReport.sightingsID)")
    #expect(!HTMLReport(report).text.contains("(a.case)"))
  }

  @Test("A red cell of a law that was counted alone leads to its row, and the law has a chip")
  func countedCell() throws {
    var report = SampleReports.failing
    let subject = SampleFailures.all[0].subject
    let failing = Set(report.failures.filter { $0.subject == subject }.map(\.law))
    let index = try #require(
      report.cells.firstIndex { $0.subject == subject && !failing.contains($0.law) }
    )
    let law = report.cells[index].law
    report.cells[index].violated = 3
    let sighting = Report.Sighting(
      id: "counted",
      law: law,
      subject: subject,
      differenceKind: "kind",
      summary: "something differs",
      caseCount: 3
    )
    report.sightings = [sighting]
    for isAlone in [false, true] {
      if isAlone { report.failures = [] }
      let page = try tree(report)
      let id = "\(law)/\(subject)/kind"
      #expect(page.first(id: id)?.text == law)
      let links = page.all("a").filter { $0.attributes["href"] == "#\(id)" }
      #expect(links.contains { $0.attributes["data-tip"] != nil })
      #expect(links.contains { $0.attributes["class"] == "chip violated" })
    }
    let verdict = try #require(
      try Conformance([report]).verdicts.first { $0.law == law && $0.violated > 0 }
    )
    #expect(verdict.failure == "runs/1/index.html#\(law)/\(subject)/kind")
  }

  @Test("It is said where the commands run that name a file beside the page")
  func commandFolder() throws {
    let words = "Run the commands that replay a failure in the folder of this page."
    var report = SampleReports.failing
    for index in report.failures.indices {
      report.failures[index].replayer = .tests
    }
    #expect(!(try tree(report)).text.contains(words))
    report.failures[0].replayer = .program
    #expect(try tree(report).text.contains(words))
    #expect(!(try tree(report)).text.contains("What follows --adapters"))
    let more = "What follows --adapters is the folder of adapters"
    report.failures[0].setReplay(arguments: ["--adapters ../shelf"])
    #expect(try tree(report).text.contains(more))
    // Reports of older versions have the command alone.
    report.failures[0].replayArguments = nil
    report.failures[0].file = Report.Failure.file(of: report.failures[0].id)
    #expect(try tree(report).text.contains(more))
    report.failures[0].replayCommand = "echo --adapters ../shelf"
    #expect(!(try tree(report)).text.contains(more))
  }

  @Test("The verdict stands at the top, with the command that repeats the run")
  func verdict() throws {
    for (name, headline, symbol) in [
      ("empty", "The run failed", "!"),
      ("green", "All 25 laws held on 5 subjects, but for 1 known divergence", "✓"),
      ("failing", "4 laws violated on 3 subjects", "✕"),
      ("selftest", "1 false alarm on the correct implementation", "✕"),
    ] {
      let report = try #require(SampleReports.all.first { $0.name == name }).report
      let page = try tree(report)
      #expect(page.all("h1").map(\.text) == [symbol + headline])
      #expect(page.all("title").map(\.text) == ["\(headline) – Touchstone"])
      let command = page.all(ofClass: "command").first?.all("code").first?.text
      #expect(command == report.run.repeatCommand)
    }
  }

  @Test("A headline counts laws that were never asked, divergences and an interruption")
  func headlines() throws {
    var report = SampleReports.green
    func headline() -> String { report.headline(Report.Matrix(report)) }
    let law = Report.Law(name: "more.law", sentence: "It holds.", source: "none")
    report.laws.append(law)
    report.cells.append(Report.Cell(law: law.name, subject: "naive"))
    #expect(
      headline() == "25 of 26 laws were asked and held on 5 subjects, but for 1 known divergence"
    )
    report.cells[report.cells.count - 1].held = 1
    report.knownDivergences = []
    #expect(headline() == "All 26 laws held on 5 subjects")
    report.outcome = Report.RunOutcome(
      word: .failed,
      reasons: [.interruption(after: "2 of 9 cases")]
    )
    #expect(headline() == "The run was interrupted")
    // What was found until then is said as well.
    report.cells[0].violated = 1
    #expect(headline() == "The run was interrupted, 1 law violated on 1 subject")
    report.outcome.reasons = [Report.Reason("could not be read")]
    #expect(headline() == "The run failed, 1 law violated on 1 subject")
  }

  @Test("The headline of a self-test counts its mutants, and not the only one")
  func selfTestHeadlines() throws {
    var report = SampleReports.selfTest
    report.outcome = Report.RunOutcome(word: .held)
    report.selfTest?.falseAlarms = []
    report.selfTest?.mutants.removeLast()
    #expect(report.headline(Report.Matrix(report)) == "All 6 mutants killed")
    report.selfTest?.mutants.removeLast(5)
    #expect(report.headline(Report.Matrix(report)) == "The mutant was killed")
  }

  @Test("The matrix has a cell for each law and subject, and failing ones lead to their failure")
  func matrix() throws {
    let page = try tree(SampleReports.failing)
    let matrix = try #require(page.all(ofClass: "matrix").first)
    let rows = matrix.all(ofClass: "law")
    #expect(rows.count == SampleReports.laws.count)
    // One that did not run has no column.
    let subjects = SampleReports.subjects.filter { $0.absence == nil }
    #expect(rows.allSatisfy { $0.all("td").count == subjects.count })
    for (number, failure) in SampleFailures.all.enumerated() {
      let row = try #require(rows.first { $0.all("code").first?.text == failure.law })
      let column = try #require(subjects.firstIndex { $0.id == failure.subject })
      let cell = row.all("td")[column]
      let link = try #require(cell.all("a").first?.attributes["href"])
      let kind = failure.differenceKind.replacing(" ", with: "-")
      #expect(link == "#\(failure.law)/\(failure.subject)/\(kind)")
      let article = try #require(page.first(id: "f\(number + 1)"))
      #expect(article.first(id: String(link.dropFirst())) != nil)
      let word = failure.kind == .errored ? "! errored" : "✕ violated"
      #expect(cell.text == "\(word) \(failure.caseCount)")
    }
    // No cell says by colour alone what it says.
    for cell in rows.flatMap({ $0.all("td") }) {
      let words = ["held", "violated", "errored", "known", "skipped", "not asked"]
      #expect(words.contains { cell.text.contains($0) }, "\(cell.text)")
    }
  }

  @Test("Laws of one family stand below a row that counts how they came out")
  func families() throws {
    let page = try tree(SampleReports.failing)
    var counted = 0
    for family in page.all(ofClass: "family") {
      let laws = family.all(ofClass: "law")
      let names = Set(laws.compactMap { $0.all("code").first?.text.split(separator: ".").first })
      #expect(names.count == 1)
      guard let head = family.all(ofClass: "head").first else {
        #expect(laws.count == 1)
        continue
      }
      #expect(head.all("button").first?.text == "\(names.first ?? "")\(laws.count) laws")
      for (column, cell) in head.all("td").enumerated() {
        let results = laws.map { $0.all("td")[column].classes.joined() }
        let gravest = ["violated", "errored", "known", "held", "skipped"].first(
          where: results.contains
        )
        guard let gravest else { continue }
        #expect(cell.classes == [gravest])
        let count = results.count { $0 == gravest }
        let part = count < laws.count ? "\(count) of \(laws.count)" : "\(count)"
        #expect(cell.text.hasSuffix(" \(part) \(gravest)"))
        counted += 1
      }
    }
    #expect(counted > 10)
  }

  @Test("Each law has a fold with its sentence, source, advice and a bug, to which its row leads")
  func demands() throws {
    var report = SampleReports.failing
    report.laws[1].advice = "Look at the clock."
    report.laws[1].catches = ["A clock runs backward."]
    let page = try tree(report)
    for law in report.laws {
      let fold = try #require(page.first(id: "law/\(law.name)"))
      #expect(fold.name == "details")
      #expect(fold.text.contains(law.sentence) && fold.text.contains(law.source))
      let row = page.all(ofClass: "matrix").first?.all(ofClass: "law").first {
        $0.all("code").first?.text == law.name
      }
      #expect(row?.all("a").first?.attributes["href"] == "#law/\(law.name)")
    }
    let fold = try #require(page.first(id: "law/\(report.laws[1].name)"))
    #expect(
      fold.text.contains("Look at the clock.") && fold.text.contains("A clock runs backward.")
    )
  }

  @Test(
    "Failures of one subject with one history or kind stand together, below a line that says so"
  )
  func causes() throws {
    var report = SampleReports.failing
    let first = report.failures[0]
    var sameKind = report.failures[1]
    (sameKind.subject, sameKind.differenceKind) = (first.subject, first.differenceKind)
    var sameHistory = report.failures[2]
    (sameHistory.subject, sameHistory.history, sameHistory.kind) = (
      first.subject, first.history, first.kind
    )
    var otherSubject = first
    otherSubject.subject = "elsewhere"
    report.failures = [first, otherSubject, sameKind, sameHistory]
    let causes = report.causes.map { $0.map(\.offset) }
    #expect(causes == [[0, 2, 3], [1]])
    let page = try tree(report)
    #expect(page.all("article").compactMap { $0.attributes["id"] } == ["f1", "f3", "f4", "f2"])
    let lines = page.all(ofClass: "cause").map(\.text)
    #expect(lines.count == 1)
    #expect(lines.first?.hasPrefix("3 failures on \(first.subject) likely have one cause") == true)
    // Failures without a history have nothing in common.
    for index in report.failures.indices {
      report.failures[index].history = []
      report.failures[index].differenceKind = "kind \(index)"
    }
    #expect(report.causes.count == 4)
  }

  @Test("Links to failures stay the same whatever else a report holds, and are told apart")
  func anchors() throws {
    var report = SampleReports.failing
    let failure = report.failures[1]
    let link = "\(failure.law)/\(failure.subject)/\(failure.differenceKind)"
    report.failures = [failure, failure]
    #expect(Anchors(report).failures == [link, "\(link)~2"])
    report.failures[0].subject = "a b/\"<c"
    #expect(Anchors(report).failures[0] == "\(failure.law)/a-b---c/\(failure.differenceKind)")
    #expect(Anchors(report).failures[1] == link)
  }

  @Test("An article shows law, difference, diagram, states, replay and case file")
  func article() throws {
    let page = try tree(SampleReports.failing)
    for (number, failure) in SampleFailures.all.enumerated() {
      let article = try #require(page.first(id: "f\(number + 1)"))
      let law = try #require(SampleReports.laws.first { $0.name == failure.law })
      #expect(article.all("h3").first?.text == law.sentence)
      #expect(article.all(ofClass: "summary").first?.text.contains(failure.summary) == true)
      #expect(article.all("svg").count == 1)
      #expect(
        article.all(ofClass: "steps").first?.all("code").map(\.text) == failure.timeline.map(\.text)
      )
      // The start has a state, too.
      #expect(article.all(ofClass: "state").count == failure.timeline.count + 1)
      #expect(article.all(ofClass: "shown").count == 1)
      #expect(
        article.all(ofClass: "command").map { $0.all("code")[0].text } == [failure.replayCommand]
      )
      let links = article.all("a").compactMap { $0.attributes["href"] }
      #expect(links.contains { $0.hasPrefix("./cases/") })
      let text = article.all("details").first { !$0.classes.contains("sides") }?.all("pre").first?
        .text
      #expect(text == failure.history.map { $0 + "\n" }.joined())
      let faded = article.all(ofClass: "steps").first?.elements.count { $0.classes == ["faded"] }
      #expect(faded == failure.timeline.count { !$0.isEssential })
    }
  }

  @Test("What differs is marked on both sides, and nothing else")
  func marks() throws {
    let page = try tree(SampleReports.failing)
    let pair = try #require(page.first(id: "f1")?.all(ofClass: "pair").first)
    #expect(
      pair.all("figure").map { $0.all("mark").map(\.text) } == [["final", "a2"], ["draft", "a1"]]
    )
    #expect(pair.all("pre").map(\.text) == ["string \"final\" (1@a2)", "string \"draft\" (1@a1)"])
    #expect(
      pair.all("figcaption").map(\.text) == [
        "Expected, naive, r0 after step 9", "Found, automerge, r0 after step 9",
      ]
    )
  }

  @Test("Each side is named by who shows it, above the text and above all that it shows")
  func sides() throws {
    let page = try tree(SampleReports.failing)
    var named: Set<Bool> = []
    for (number, failure) in SampleFailures.all.enumerated() where failure.expected != nil {
      let article = try #require(page.first(id: "f\(number + 1)"))
      let pair = try #require(article.all(ofClass: "pair").first)
      let names = [failure.expectedSide?.name, failure.actualSide?.name]
      let isDemand = failure.expectedSide == nil && failure.actualSide != nil
      let parties = isDemand ? ["as the law demands", names[1]] : names
      let titles = failure.isOfPeers == true ? [nil, nil] : ["Expected", "Found"]
      let captions = zip(titles, parties).map { title, name in
        [title, name].compactMap(\.self).joined(separator: ", ")
      }
      #expect(pair.all("figcaption").map(\.text) == captions, "\(failure.id)")
      let whole = article.all(ofClass: "sides").first
      #expect((whole != nil) == (failure.expectedSide?.state.isEmpty == false), "\(failure.id)")
      if let whole {
        // Beside the history stand subject and oracle.
        let isOfOne = failure.expectedSide?.party == .subject
        #expect((whole.attributes["open"] != nil) == isOfOne, "\(failure.id)")
        let shown = names.map { "\($0 ?? "") shows" }
        #expect(whole.all("figcaption").map(\.text) == shown, "\(failure.id)")
      }
      named.insert(failure.expectedSide != nil)
    }
    #expect(named == [true, false])
  }

  @Test("A failure of a law that asks the oracle nothing is not against it")
  func withoutOracle() throws {
    var report = SampleReports.failing
    report.failures = [SampleFailures.agreement]
    #expect(HTMLReport(report).text.contains(">automerge against naive<"))
    report.failures[0].law = "reads.agree"
    report.failures[0].expectedSide = nil
    let article = try #require(tree(report).first(id: "f1"))
    #expect(article.all(ofClass: "parties").map(\.text) == ["automerge"])
    let pair = try #require(article.all(ofClass: "pair").first)
    #expect(pair.all("figcaption").first?.text == "Expected, as the law demands")
    for text in [TerminalReport(report, hasColour: false).text, MarkdownReport(report).text] {
      #expect(!text.contains("against naive"))
    }
  }

  @Test("Paper has the Swift test of a failure, and keeps the head of a card with the rest")
  func paper() throws {
    let rules = try #require(
      HTMLReport.style.description.split(separator: "@media print {", maxSplits: 1).last
    )
    #expect(!rules.contains(".reproducer { display: none; }"))
    #expect(rules.contains("details::details-content { content-visibility: visible;"))
    let kept = try #require(rules.split(separator: "}").first { $0.contains("break-after: avoid") })
    for part in ["h3", ".eyebrow", ".demand", ".summary"] { #expect(kept.contains(part)) }
  }

  @Test("Page, terminal, JUnit, SARIF, Markdown and Swift file say who is compared")
  func comparison() throws {
    let report = SampleReports.failing
    let failure = try #require(report.failures.first { $0.expectedSide != nil })
    let sentence = try #require(failure.comparison)
    #expect(sentence == "Compared: naive, r0 after step 9, with automerge, r0 after step 9.")
    let texts = [
      TerminalReport(report, hasColour: false).text, JUnitReport(report).text,
      MarkdownReport(report).text,
      Reproducer(failure, in: report).text,
    ]
    for text in texts {
      let flat = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(flat.contains(sentence))
    }
    let sarif = SARIFReport(report).runs[0].results.map(\.message.text)
    #expect(sarif.contains { $0.contains(sentence) })
  }

  @Test("Where neither side is known to be right, none is called expected or found")
  func peers() throws {
    var failure = SampleFailures.commutes
    let report = SampleReports.failing
    func texts() -> [String] {
      var report = report
      report.failures = [failure]
      let sarif = SARIFReport(report).runs[0].results.map(\.message.text).joined()
      return [
        TerminalReport(report, hasColour: true).text, JUnitReport(report).text,
        MarkdownReport(report).text, Reproducer(failure, in: report).text, sarif,
        HTMLReport(report).text,
      ].map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
    }
    let called = [
      "expected:", "found:", "expected: ", "found: ", "class=\"expected\"", "class=\"found\"",
    ]
    for text in texts() {
      #expect(text.contains("r1 after merging r2"))
      for word in called { #expect(!text.contains(word), "\(word) in \(text)") }
    }
    let patch = "--- r1 after merging r2 +++ r2 after merging r1 - \"axy\" + \"ayx\""
    #expect(texts()[2].contains(patch), "\(texts()[2])")
    // Neither green nor red.
    #expect(!texts()[0].contains("\u{1B}[32m\"axy"), "\(texts()[0])")
    failure.isOfPeers = nil
    for (index, text) in texts().enumerated() where index != 2 {
      #expect(called.contains { text.contains($0) }, "\(text)")
    }
  }

  @Test("A reason that is too long ends behind a word, here and in Markdown")
  func longReasons() throws {
    var report = SampleReports.failing
    // Whatever the limit is, it falls inside of a name in some of them.
    let reasons = (1...8).map { start in
      String(repeating: "x", count: start) + (1...90).map { " a/b\($0)" }.joined()
    }
    report.outcome.reasons = reasons.map { Report.Reason($0) }
    let list = try #require(tree(report).all(ofClass: "reasons").first)
    let markdown = MarkdownReport(report).text.split(separator: "\n").filter { $0.hasPrefix("- x") }
    for texts in [list.all("li").map(\.text), markdown.map { String($0.dropFirst(2)) }] {
      let told = texts.suffix(reasons.count)
      #expect(told.count == reasons.count)
      for (reason, text) in zip(reasons, told) {
        #expect(text.hasSuffix(" …") && text.count > 250, "\(text)")
        #expect(reason.hasPrefix(text.dropLast()), "\(text)")
      }
    }
  }

  @Test(
    "The reach of a run begins with its verdicts by kind of law, without those that were skipped"
  )
  func verdicts() throws {
    let report = SampleReports.green
    let counts = try #require(tree(report).first(id: "counts"))
    let bars = try #require(counts.all(ofClass: "bars").first?.all("tr").first)
    let judged = report.cells.reduce(0) { $0 + $1.held + $1.known + $1.violated + $1.errored }
    #expect(bars.all("th").map(\.text) == ["documents, 25 laws"])
    let digits = bars.all("td").last?.text.filter(\.isNumber)
    #expect(digits == String(judged))
    #expect(report.cells.contains { $0.skipped > 0 })
  }

  @Test("Required waypoints that no case reached are told")
  func waypoints() throws {
    let table = try #require(tree(SampleReports.failing).all(ofClass: "waypoints").first)
    let told = table.all("tr").dropFirst().map { $0.all("td")[0].text }
    #expect(told == ["✓ 312 times", "✓ 77 times", "✕ never, but required", "– never"])
  }

  @Test("A self-test shows the living first, and what killed the others")
  func selfTest() throws {
    let table = try #require(tree(SampleReports.selfTest).all(ofClass: "mutants").first)
    let rows = table.all("tbody")[0].elements
    #expect(rows.count == 7)
    #expect(rows[0].all("code").first?.text == "map.delete-loses-conflict")
    #expect(rows[0].all("td")[0].text == "✕ lives")
    #expect(rows[1].all("td").prefix(4).map(\.text) == ["✓ merge.commutes", "3", "0.07", "3"])
    #expect(rows[1].all("pre").count == 1)
  }

  @Test("An absent subject is told with its reason and its cost")
  func absence() throws {
    let row = try #require(
      tree(SampleReports.green).all(ofClass: "absent").first { $0.name == "tr" }
    )
    #expect(row.text.contains("its program could not be started"))
    #expect(row.text.contains("What it costs: text is compared with four"))
  }
}
