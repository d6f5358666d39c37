import Foundation
import Reporting
import TestSupport
import Testing

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

  @Test("The verdict stands at the top, with the command that repeats the run")
  func verdict() throws {
    for (name, headline, symbol) in [
      ("empty", "The run failed", "!"), ("green", "All 25 laws held on 5 subjects", "✓"),
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

  @Test("The matrix has a cell for each law and subject, and failing ones lead to their failure")
  func matrix() throws {
    let page = try tree(SampleReports.failing)
    let matrix = try #require(page.all(ofClass: "matrix").first)
    let rows = try #require(matrix.all("tbody").first).elements
    #expect(rows.count == SampleReports.laws.count)
    #expect(rows.allSatisfy { $0.all("td").count == SampleReports.subjects.count })
    for (number, failure) in SampleFailures.all.enumerated() {
      let row = try #require(rows.first { $0.all("code").first?.text == failure.law })
      let column = try #require(SampleReports.subjects.firstIndex { $0.id == failure.subject })
      let cell = row.all("td")[column]
      #expect(cell.all("a").first?.attributes["href"] == "#f\(number + 1)")
      let word = failure.kind == .errored ? "! errored" : "✕ violated"
      #expect(cell.text == "\(word) \(failure.caseCount)")
    }
    // No cell says by colour alone what it says.
    for cell in rows.flatMap({ $0.all("td") }) {
      let words = ["held", "violated", "errored", "known", "skipped", "not run"]
      #expect(words.contains { cell.text.contains($0) }, "\(cell.text)")
    }
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
      #expect(links.first?.hasPrefix("./cases/") == true)
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
      let captions = zip(["Expected", "Found"], names).map { title, name in
        name.map { "\(title), \($0)" } ?? title
      }
      #expect(pair.all("figcaption").map(\.text) == captions, "\(failure.id)")
      let whole = article.all(ofClass: "sides").first
      #expect((whole != nil) == (failure.expectedSide?.state.isEmpty == false), "\(failure.id)")
      if let whole {
        let shown = names.map { "\($0 ?? "") shows" }
        #expect(whole.all("figcaption").map(\.text) == shown, "\(failure.id)")
      }
      named.insert(failure.expectedSide != nil)
    }
    #expect(named == [true, false])
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

  @Test("Required waypoints that nobody reached are told")
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
