import Foundation
import Reporting
import TestSupport
import Testing
import Texts

@Suite("Coders in reports")
struct CoderReportTests {
  private static let law = "integers.out-of-range"

  /// What a run of coders adds: a coder that fails, and one that a law says nothing of.
  private static func addCoders(to report: inout Report) {
    for id in ["document-coder", "plain-json"] {
      var subject = Report.Subject(id: id, version: "1", capabilities: ["documents"])
      subject.topic = .coders
      report.subjects.append(subject)
    }
    var law = Report.Law(name: law, sentence: "What does not fit is refused.", source: "none")
    law.topic = .coders
    report.laws.append(law)
    var failing = Report.Cell(law: law.name, subject: "document-coder")
    failing.violated = 3
    var skipped = Report.Cell(law: law.name, subject: "plain-json")
    skipped.skipped = 1
    skipped.skipReason = "needs documents"
    report.cells += [failing, skipped]
    var failure = Report.Failure(
      id: "document-coder--integers.out-of-range--integers.cut",
      law: law.name,
      subject: "document-coder",
      kind: .violated,
      differenceKind: "integers.cut",
      summary: "int 128 was decoded into an Int8"
    )
    failure.expected = "DecodingError.dataCorrupted"
    failure.actual = "-128"
    failure.caseIndex = 4
    failure.caseCount = 3
    failure.file = "failures/x.case"
    failure.replayCommand = "touchstone replay failures/x.case"
    failure.size = 12
    failure.measure = "12 values"
    failure.shrinkSteps = 7
    failure.shrinkEnding = "nothing smaller that was tried fails"
    failure.history = ["{", "  \"model\": \"WideIntegers\"", "}"]
    failure.model = "WideIntegers"
    report.failures.append(failure)
  }

  /// Engines of documents and coders in one run.
  private static var both: Report {
    var report = SampleReports.green
    addCoders(to: &report)
    return report
  }

  @Test("What a law called stands in every form for people")
  func calls() throws {
    var report = Self.both
    let last = report.failures.count - 1
    report.failures[last].calls = [#"encode {"at": 1} onto nothing"#, "  -> Note r0 {at: INT64 2}"]
    let forms = [
      TerminalReport(report, hasColour: false, columns: 80).text, HTMLReport(report).text,
      MarkdownReport(report).text, JUnitReport(report).text,
    ]
    for form in forms {
      #expect(form.contains("What the law called, and what came back"))
      #expect(form.contains("r0 {at: INT64 2}"))
    }
    let read = try JSONDecoder().decode(Report.self, from: JSONEncoder().encode(report))
    #expect(read.failures[last].calls == report.failures[last].calls)
    report.failures[last].calls = nil
    #expect(!HTMLReport(report).text.contains("What the law called"))
  }

  /// Coders alone.
  private static var alone: Report {
    var report = SampleReports.green
    report.subjects = []
    report.laws = []
    report.cells = []
    report.knownDivergences = []
    addCoders(to: &report)
    return report
  }

  @Test("The schema knows what coders add")
  func schema() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let file = root.appendingPathComponent("Documentation/schemas/report.schema.json")
    let schema = JSONSchema(try JSONValue(data: Data(contentsOf: file)))
    var report = Self.both
    report.failures[report.failures.count - 1].calls = ["encode 1", "  -> nothing"]
    let value = try JSONValue(data: JSONEncoder().encode(report))
    #expect(try schema.violations(in: value) == [])
  }

  @Test("The page has a matrix for engines and one for coders, and the sample of a failure")
  func page() throws {
    let page = HTMLReport(Self.both).text
    let tree = try MarkupTree.read(page)
    let engines = try #require(tree.first(id: "laws-documents")?.all("thead").first?.text)
    let coders = try #require(tree.first(id: "laws-coders")?.all("thead").first?.text)
    #expect(engines.contains("naive") && !engines.contains("document-coder"))
    #expect(coders == "Lawdocument-coderplain-json")
    #expect(!page.contains("not applicable"))
    #expect(page.contains("needs documents"))
    #expect(page.contains("12 values of the model WideIntegers"))
    // An engine does not lack what only coders do.
    #expect(!page.contains("all but documents"))
    #expect(!page.contains("0 replicas"))
    let green = try MarkupTree.read(HTMLReport(SampleReports.green).text)
    #expect(green.all(ofClass: "part").count == 1)
  }

  @Test("A terminal gets a table of engines and one of coders")
  func terminal() {
    let lines = TerminalReport(Self.both, hasColour: false, columns: 100).text
      .split(separator: "\n", omittingEmptySubsequences: false)
    let heads = lines.filter { $0.hasPrefix("  law ") }
    #expect(heads.contains { $0.contains("document-coder") && !$0.contains("naive") })
    #expect(heads.contains { $0.contains("naive") && !$0.contains("document-coder") })
    #expect(lines.contains { $0.contains(Self.law) && $0.contains("✕ 3") })
    #expect(lines.contains { $0.contains("WideIntegers") })
  }

  @Test("JUnit, SARIF and Markdown tell of a coder's failure")
  func others() throws {
    let sarif = try JSONEncoder().encode(SARIFReport(Self.both))
    for text in [
      JUnitReport(Self.both).text, MarkdownReport(Self.both).text,
      String(decoding: sarif, as: UTF8.self),
    ] {
      #expect(text.contains(Self.law))
      #expect(text.contains("document-coder"))
    }
  }

  @Test("A run of coders alone and one of engines alone are merged; other catalogues are not")
  func merges() throws {
    // Of the same second, and not the same run.
    var alone = Self.alone
    alone.clock.seconds += 1
    let (merged, _) = try Report.merged([SampleReports.green, alone])
    #expect(merged.subjects.count == Self.both.subjects.count)
    #expect(merged.failures.map(\.model) == ["WideIntegers"])
    var other = alone
    other.clock.seconds += 1
    other.laws[0].name = "integers.exact"
    for index in other.cells.indices { other.cells[index].law = "integers.exact" }
    #expect(throws: ReportMergeError.self) { try Report.merged([alone, other]) }
  }
}
