import Foundation
import Reporting
import Testing

/// A reader of the Markdown that we write: which lines are code, and what acts outside of code.
private struct MarkdownReading {
  private(set) var fenceCount = 0
  private(set) var complaints: [String] = []

  init(_ text: String) {
    var fence: Substring?
    var columns: Int?
    complaints = Inertness.strayScalars(in: text)
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let ticks = line.prefix { $0 == "`" }
      if let open = fence {
        if ticks.count >= open.count, line.allSatisfy({ $0 == "`" }) { fence = nil }
        continue
      }
      if ticks.count >= 3, !line.dropFirst(ticks.count).contains("`") {
        fence = ticks
        fenceCount += 1
        continue
      }
      if line.hasPrefix("~~~") { complaints.append("a fence of tildes") }
      if line.hasPrefix("|") {
        let pipes = Self.bare(line, keepsCode: true).count { $0 == "|" }
        if let columns, columns != pipes { complaints.append("a row of \(pipes) pipes: \(line)") }
        columns = pipes
      } else {
        columns = nil
      }
      complaints += Self.actions(in: Self.bare(line))
    }
    if fence != nil { complaints.append("a fence that does not end") }
  }

  /// The line without our own markup, code spans, and what a backslash or entity makes inert.
  private static func bare(_ line: Substring, keepsCode: Bool = false) -> String {
    // A sign with a mark of width zero behind it refers to nothing.
    var text = String(line).replacing(/[@#:.\-]&#8203;/, with: "")
    text = text.replacing(/&#(?:9[1-6]|42|36|126);/, with: "")
    text = text.replacing(/\\[|\\`*_\[\]~$]/, with: "")
    if !keepsCode { text = text.replacing(/(`+)[^`](.*?[^`])??\1(?!`)/, with: "") }
    for own in ["<details><summary>", "</summary>", "</details>", "**", "&amp;", "&lt;", "&gt;"] {
      text = text.replacing(own, with: "")
    }
    return text
  }

  private static func actions(in text: String) -> [String] {
    var found: [String] = []
    for (name, expression) in [
      ("markup", /[<>*_`\[\]~]/), ("a mention", /@\w/), ("an issue", /#\d/),
      ("an address", /:\/\//),
    ] where text.firstMatch(of: expression) != nil {
      found.append("\(name): \(text)")
    }
    return found
  }
}

@Suite("summary.md")
struct MarkdownTests {
  @Test("Every summary is short, and acts nowhere", arguments: SampleReports.all.indices)
  func ordinary(_ index: Int) {
    let text = MarkdownReport(SampleReports.all[index].report).text
    #expect(MarkdownReading(text).complaints == [])
    #expect(text.utf8.count < 20_000)
  }

  @Test("It says how many samples differ, and why a subject has cases that it failed")
  func samplesAndErrors() {
    var report = SampleReports.green
    report.cells[0].errored = 3
    report.cells[0].errorReason = "put was refused"
    let text = MarkdownReport(report).text
    #expect(text.contains("\ndifferent histories: 298 (judged 1,200 times).\n"))
    #expect(text.contains("- 1 law not judged in every case: \(report.cells[0].subject) failed in"))
    #expect(text.contains("put was refused"))
    #expect(!MarkdownReport(SampleReports.green).text.contains("not judged in every case"))
  }

  @Test("A known divergence stands there with its condition and its number of cases")
  func known() throws {
    let text = MarkdownReport(SampleReports.failing).text
    let line = try #require(text.split(separator: "\n").first { $0.contains("shows no longer**") })
    #expect(line.contains("**shows no longer**, `a step 'deliver part' follows"), "\(line)")
    #expect(text.contains("38 cases, `a step 'deliver part' follows"))
  }

  @Test("Verdict, difference, history and commands stand there")
  func failing() {
    let text = MarkdownReport(SampleReports.failing).text
    #expect(text.hasPrefix("## ✕ Touchstone: 4 laws violated on 3 subjects\n"))
    #expect(
      text.contains(
        """
        **✕ violated**: `merge.commutes` on `loro`

        What differs: the text differs at /"text1"

        Compared: r1 after merging r2, with r2 after merging r1.

        ```diff
        --- r1 after merging r2
        +++ r2 after merging r1
        - "axy"
        + "ayx"
        ```

        ```
        history 1
        """
      )
    )
    #expect(
      text.contains("| `merge.commutes` | ✓ held | ✓ held | ✓ held | ✕ violated 3 | ✓ held |")
    )
    #expect(text.contains("- `network.cut-while-under-way`: A message is under way"))
    // Three failures stand open, two are folded, as are the laws and the divergences.
    #expect(text.components(separatedBy: "<details>").count - 1 == 4)
    #expect(text.components(separatedBy: "</details>").count - 1 == 4)
    #expect(text.hasSuffix("```\ntouchstone check --seed 0xbfffffffffffff01 --cases 1200\n```\n"))
  }

  private func complaints(_ escapes: Set<MarkdownReport.Escape>) throws -> [String] {
    let plain = MarkdownReport(try HostileReports.report(.init(name: "", before: "", after: "")))
      .text
    let reports = zip(HostileReports.Payload.all, try HostileReports.all.get())
    return reports.flatMap { payload, report in
      let text = MarkdownReport(report, escapes: escapes).text
      let reading = MarkdownReading(text)
      let isWhole = reading.fenceCount == MarkdownReading(plain).fenceCount
      return reading.complaints + (isWhole ? [] : ["\(payload.name): another number of fences"])
    }
  }

  @Test("Nothing from a report acts")
  func hostile() throws {
    let found = try complaints(Set(MarkdownReport.Escape.allCases))
    #expect(found == [])
  }

  @Test("A summary with a rule taken away is caught", arguments: MarkdownReport.Escape.allCases)
  func mutants(_ escape: MarkdownReport.Escape) throws {
    #expect(try !complaints(Set(MarkdownReport.Escape.allCases).subtracting([escape])).isEmpty)
  }
}
