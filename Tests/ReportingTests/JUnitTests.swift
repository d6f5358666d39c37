import Foundation
import Reporting
import TestSupport
import Testing

@Suite("junit.xml")
struct JUnitTests {
  /// The schema that Jenkins publishes and Surefire's agree on these: attributes that are there,
  /// their form, and what may stand where.
  private func violations(_ root: MarkupTree) -> [String] {
    var found: [String] = []
    let whole = /[0-9]+/
    let time = /[0-9]+(\.[0-9]{1,3})?/
    let moment = /[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}/
    let children: [String: Set<String>] = [
      "testsuites": ["testsuite"], "testsuite": ["testcase"],
      "testcase": ["failure", "error", "skipped", "system-out"],
    ]
    for element in root.all {
      for child in element.elements where children[element.name]?.contains(child.name) != true {
        found.append("\(child.name) in \(element.name)")
      }
      for (name, value) in element.attributes {
        let fits =
          switch name {
          case "tests", "failures", "errors", "skipped": value.wholeMatch(of: whole) != nil
          case "time": value.wholeMatch(of: time) != nil
          case "timestamp": value.wholeMatch(of: moment) != nil
          default: true
          }
        if !fits { found.append("\(name)=\(value)") }
      }
      guard element.name.hasPrefix("testsuite") else {
        if element.elements.count > 1 { found.append("two results of one case") }
        continue
      }
      for (name, parts) in [
        ("tests", "testcase"), ("failures", "failure"), ("errors", "error"), ("skipped", "skipped"),
      ]
      where (element.name, name) != ("testsuites", "skipped")
        && element.attributes[name] != "\(element.all(parts).count)"
      {
        found.append("\(element.name) counts \(name) wrongly")
      }
    }
    return found
  }

  @Test(
    "Every report is valid, and its counts are those of its elements",
    arguments: SampleReports.all.indices
  )
  func valid(_ index: Int) throws {
    let root = try MarkupTree.read(JUnitReport(SampleReports.all[index].report).text)
    #expect(root.name == "testsuites")
    #expect(violations(root) == [])
  }

  /// Where `xmllint` stands; nil if it is not installed.
  private static let validator: String? = {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return folders.map { "\($0)/xmllint" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }()

  /// What the schema that Jenkins publishes has against a file; empty if nothing.
  private func objections(to text: String) throws -> String {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let schema = root.appendingPathComponent("fixtures/schemas/junit-jenkins-10.xsd")
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("touchstone-junit-\(UUID().uuidString).xml")
    try Data(text.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(Self.validator))
    process.arguments = ["--noout", "--nonet", "--schema", schema.path, file.path]
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let words = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return process.terminationStatus == 0 ? "" : String(decoding: words, as: UTF8.self)
  }

  @Test(
    "Every report is valid by the schema that Jenkins publishes",
    .enabled(if: validator != nil, "xmllint is not installed")
  )
  func published() throws {
    let reports = SampleReports.all.map(\.report) + (try HostileReports.all.get())
    for report in reports {
      let objections = try objections(to: JUnitReport(report).text)
      #expect(objections.isEmpty)
    }
    // It does object to what is not in it.
    let wrong = try objections(to: "<testsuites skipped=\"1\"/>")
    #expect(wrong.contains("skipped"))
  }

  @Test("A law's time is that of judging it, a suite's that of all it did")
  func times() throws {
    var report = SampleReports.green
    let law = SampleReports.laws[1].name
    report.clock.subjectSeconds = ["naive": 2]
    report.clock.cellSeconds = ["naive": [law: 0.25], "engine": [law: 0.5]]
    let root = try MarkupTree.read(JUnitReport(report).text)
    let cases = root.all.filter { $0.attributes["name"] == law }
    let times = Dictionary(
      uniqueKeysWithValues: cases.map { ($0.attributes["classname"], $0.attributes["time"]) }
    )
    #expect(times["naive"] == "0.250")
    #expect(times["engine"] == "0.500")
    #expect(times["automerge"] == "0.000")
    #expect(root.elements[0].attributes["time"] == "2.250")
  }

  @Test("A subject is a suite, a law a case, and a failure tells how to see it again")
  func failing() throws {
    let root = try MarkupTree.read(JUnitReport(SampleReports.failing).text)
    let names = root.elements.compactMap { $0.attributes["name"] }
    #expect(names == SampleReports.subjects.map(\.id) + ["run"])
    let loro = root.elements[3]
    #expect(loro.elements.count == SampleReports.laws.count)
    let failed = loro.elements.filter { !$0.all("failure").isEmpty }
    #expect(
      failed.compactMap { $0.attributes["name"] } == ["counter.increments-add", "merge.commutes"]
    )
    let failure = try #require(failed.last?.all("failure").first)
    #expect(failure.attributes["type"] == "text")
    let command = "replay, in the folder of the report: touchstone replay "
    #expect(failure.text.contains("r1 -> r2 merge\n\n\(command)"))
    // The differing sides are named with the oracle, where it takes part.
    #expect(failure.text.hasPrefix("loro: the text differs"))
    #expect(root.text.contains("automerge against naive: the operation of the value differs"))
    #expect(loro.all("skipped").first?.attributes["message"] == "lacks heads")
    #expect(root.elements[4].all("error").count == 1)
    #expect(
      root.elements[5].all("skipped").first?.attributes["message"]?.contains("no such file") == true
    )
  }

  @Test("A law that its subject's failure kept from being judged says what failed")
  func unjudged() throws {
    var report = SampleReports.green
    var cause = SampleFailures.agreement
    (cause.law, cause.subject, cause.kind) = (Report.answers, report.cells[0].subject, .errored)
    cause.summary = "crash failed"
    report.failures = [cause]
    report.cells[0].errored = 31
    report.cells[0].errorReason = "It exited.\nIt said:\n  boom"
    let root = try MarkupTree.read(JUnitReport(report).text)
    let error = try #require(root.all("error").first)
    let message = error.attributes["message"] ?? ""
    #expect(message.hasSuffix(": It exited. It said: boom"), "\(message)")
    #expect(message.contains("31 errored"), "\(message)")
    for words in ["(subject.answers)", "crash failed", "case file: \(cause.file)"] {
      #expect(error.text.contains(words), "\(error.text)")
    }
    // Without a failure that is the cause, the reason alone.
    report.failures = []
    let alone = try MarkupTree.read(JUnitReport(report).text).all("error").first
    #expect(alone?.text == "It exited.\nIt said:\n  boom")
  }

  @Test("What was not shrunk says who is compared, here and in SARIF")
  func notShrunk() throws {
    var report = SampleReports.failing
    var sighting = Report.Sighting(
      id: "a-sighting",
      law: "agreement.states",
      subject: "automerge",
      differenceKind: "winner",
      summary: "it differs",
      caseCount: 2
    )
    let words = "Compared: naive, r0 after healing, with automerge, r0 after healing."
    sighting.comparison = words
    report.sightings = [sighting]
    let text = "not shrunk: it differs\n\(words)\nfailures/a-sighting.case"
    #expect(try MarkupTree.read(JUnitReport(report).text).text.contains(text))
    report.failures = []
    let results = SARIFReport(report).runs[0].results
    #expect(results.map(\.message.text) == ["automerge: it differs\nIt was not shrunk.\n\(words)"])
  }

  @Test("No red run looks green", arguments: SampleReports.all.indices)
  func red(_ index: Int) throws {
    let report = SampleReports.all[index].report
    let root = try MarkupTree.read(JUnitReport(report).text)
    let isRed = !root.all("failure").isEmpty || !root.all("error").isEmpty
    #expect(isRed == (report.outcome.word != .held))
  }
}
