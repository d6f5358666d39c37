import CaseFiles
import FaultInjection
import FileSystems
import Foundation
import PropertyEngine
import Reporting
import TestSupport
import Testing

@testable import Campaigns

@Suite("Folders of reports")
struct ReportFolderTests {
  /// A report with one failure.
  private func report(id: String, file: String? = nil) -> Report {
    var report = Report(
      run: Report.Run(
        command: .check,
        seed: "0x1",
        cases: 1,
        lawGlobs: [],
        repeatCommand: "touchstone check --seed 1"
      ),
      outcome: Report.RunOutcome(word: .violated),
      clock: Report.Clock(
        startedAt: "2001-02-03T04:05:06Z",
        seconds: 1,
        jobs: 1,
        machine: "m",
        casesPerSecond: 1
      )
    )
    var failure = Report.Failure(
      id: id,
      law: "merge.commutes",
      subject: "naive",
      kind: .violated,
      differenceKind: "key",
      summary: "the keys differ"
    )
    failure.file = file ?? failure.file
    failure.size = 1
    failure.measure = "1 step"
    failure.replicas = 1
    failure.history = ["history 1"]
    failure.reproducer = Report.Failure.reproducer(of: id)
    report.failures = [failure]
    return report
  }

  private func write(id: String, file: String? = nil, to folder: URL) throws {
    let failures = folder.appendingPathComponent("failures")
    try FileManager.default.createDirectory(at: failures, withIntermediateDirectories: true)
    try ReportFolder.json(report(id: id, file: file))
      .write(to: folder.appendingPathComponent("report.json"))
  }

  @Test("A case that cannot be written takes nothing else of the report away")
  func unwritableCase() throws {
    try withFolder { folder in
      let failures = folder.appendingPathComponent("failures")
      var report = report(id: "a")
      report.failures += self.report(id: "b").failures
      // A folder is in the place of the first case.
      try FileManager.default.createDirectory(
        at: failures.appendingPathComponent("a.case"),
        withIntermediateDirectories: true
      )
      let out = try ReportFolder(folder)
      #expect(!out.holdsReport)
      let error = #expect(throws: FileFailure.self) {
        try out.write(report, cases: [caseFile, caseFile])
      }
      #expect(error?.description.contains("failures/a.case") == true)
      #expect(out.holdsReport)
      #expect(try ReportFolder.read(folder) == report)
      #expect(try CaseFolder(failures).read("b") == caseFile)
    }
  }

  @Test("A case may have as long a name as a file system takes")
  func longName() throws {
    try withFolder { folder in
      let name = String(repeating: "n", count: 250)
      try CaseFolder(folder).write(caseFile, name: name)
      #expect(try CaseFolder(folder).read(name) == caseFile)
    }
  }

  private func storedCase() -> Data { Data(caseFile.render().utf8) }

  private var caseFile: CaseFile {
    CaseFile(
      law: "merge.commutes",
      subjects: ["naive"],
      kind: "key",
      seed: nil,
      choices: [],
      sampleFormat: FormName("history", version: 1),
      sample: "history 1\n"
    )
  }

  /// What a run does with its folder.
  private func run(in url: URL, _ files: any FileSystem) throws {
    let folder = try ReportFolder(url, files: files)
    try folder.clear()
    try folder.failures.write(caseFile, name: "a")
    try folder.write(report(id: "a"))
  }

  @Test(
    "Whichever call of its writer fails or is the last, a report vouches for what is there alone",
    arguments: [nil] + FaultPlan.causes
  )
  func faults(_ cause: FileError.Cause?) throws {
    let names = ["index.html", "summary.md", "junit.xml", "results.sarif", "failures/a.swift"]
    var call = 0
    var isPast = false
    while !isPast {
      try withFolder { folder in
        let url = folder.appendingPathComponent("out")
        var plan = FaultPlan()
        if let cause {
          plan.refusal = FaultPlan.Refusal(call: call, cause: cause)
        } else {
          plan.crashCall = call
        }
        let files = FaultyFiles(SystemFiles(), plan)
        let failed = (try? run(in: url, files)) == nil
        isPast = files.callCount <= call
        #expect(!isPast || !failed)
        let exists = { FileManager.default.fileExists(atPath: url.appendingPathComponent($0).path) }
        if exists("report.json") {
          #expect(try ReportFolder.read(url) == report(id: "a"))
          for name in names + ["failures/a.case"] { #expect(exists(name), "\(name), call \(call)") }
        } else {
          #expect(failed, "call \(call)")
        }
        try ReportFolder(url).clear()
        #expect(
          try FileManager.default.subpathsOfDirectory(atPath: url.path).sorted()
            .filter { $0 != "failures" } == [".touchstone-report"],
          "call \(call)"
        )
      }
      call += 1
    }
    #expect(call > 40)
  }

  @Test(
    "Where a run cannot begin its report, an earlier one goes, and nothing else",
    arguments: [true, false]
  )
  func unwritable(isReport: Bool) throws {
    try withFolder { folder in
      let url = folder.appendingPathComponent("out")
      if isReport {
        try run(in: url, SystemFiles())
      } else {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        try Data("mine".utf8).write(to: url.appendingPathComponent("index.html"))
      }
      var plan = FaultPlan()
      plan.refusal = FaultPlan.Refusal(call: 0, cause: .noSpace)
      #expect(throws: FileFailure.self) {
        try ReportFolder.begin(url, files: FaultyFiles(SystemFiles(), plan))
      }
      let left = try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
      #expect(left == (isReport ? [".touchstone-report", "failures"] : ["index.html"]))
    }
  }

  @Test(
    "A foreign report writes nothing outside of its folder, and takes nothing from there",
    arguments: ["../../evil", "..", "x/../../evil"]
  )
  func traversal(_ id: String) throws {
    try withFolder { folder in
      let report = folder.appendingPathComponent("in/report")
      try write(id: id, to: report)
      for name in ["in/evil.case", "in/report/failures/...case", "in/report/evil.case"] {
        try storedCase().write(to: folder.appendingPathComponent(name))
      }
      let before = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
      let rendering = #expect(throws: FileFailure.self) { try ReportFolder.render(report) }
      #expect(rendering?.description.contains("is not a report: it names a file") == true)
      #expect(throws: FileFailure.self) {
        try ReportFolder.merge([report], into: folder.appendingPathComponent("in/out"))
      }
      #expect(try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted() == before)
    }
  }

  @Test("A report with a word that this program does not know is refused with the word's place")
  func laterWords() throws {
    let text = String(decoding: try ReportFolder.json(report(id: "a")), as: UTF8.self)
    for (known, place) in [
      ("\"command\" : \"check\"", "run.command"), ("\"word\" : \"violated\"", "outcome.word"),
      ("\"replayer\" : \"program\"", "failures[0].replayer"),
    ] {
      let name = known.prefix { $0 != ":" }
      let data = Data(text.replacing(known, with: "\(name): \"of tomorrow\"").utf8)
      let error = #expect(throws: FileFailure.self) { try ReportFolder.report(data, at: "r.json") }
      let words = "r.json is not a report: \(place) is damaged, or of a later version"
      #expect(error?.description == words)
    }
  }

  @Test(
    "A report without a member, as another version may have written it, is refused with what to do",
    arguments: [
      ("reasonKinds", "outcome"), ("samples", "counts"), ("replayer", "failures[0]"),
      ("measure", "failures[0]"), ("repeatCommand", "run"), ("cells", "it"),
    ]
  )
  func missingMembers(name: String, place: String) throws {
    let text = String(decoding: try ReportFolder.json(report(id: "a")), as: UTF8.self)
    let without = text.replacing("\"\(name)\" :", with: "\"x\" :")
    try #require(without != text)
    let error = #expect(throws: FileFailure.self) {
      try ReportFolder.report(Data(without.utf8), at: "r.json")
    }
    #expect(
      error?.description == "r.json is not a report: \(place) has no \(name). If another version "
        + "of touchstone wrote it, read it with that version, or run again"
    )
  }

  @Test(
    "A number in place of a count is refused for what it is, with its place",
    arguments: [
      ("\"cases\" : 1", "run.cases", "-5"), ("\"cases\" : 1", "run.cases", "1e+300"),
      ("\"cases\" : 1", "run.cases", "1.5"), ("\"cases\" : 1", "run.cases", "9223372036854775808"),
      ("\"caseCount\" : 1", "failures[0].caseCount", "-1"), ("\"jobs\" : 1", "clock.jobs", "-2"),
      ("\"version\" : 1", "version", "1.5"),
    ]
  )
  func counts(known: String, place: String, number: String) throws {
    let text = String(decoding: try ReportFolder.json(report(id: "a")), as: UTF8.self)
    let wrong = text.replacing(known, with: "\(known.prefix { $0 != ":" }): \(number)")
    try #require(wrong != text)
    let error = #expect(throws: FileFailure.self) {
      try ReportFolder.report(Data(wrong.utf8), at: "r.json")
    }
    #expect(
      error?.description == "r.json is not a report: \(place) is \(number), and a count is "
        + "a whole number from 0 to 2^63 - 1"
    )
  }

  @Test("A time may be any number, and a count may be written with a point")
  func times() throws {
    let text = String(decoding: try ReportFolder.json(report(id: "a")), as: UTF8.self)
    // A clock that was set back makes a time below 0.
    for (known, other) in [
      ("\"seconds\" : 1", "\"seconds\" : -0.5"), ("\"cases\" : 1", "\"cases\" : 1.0"),
    ] {
      let same = text.replacing(known, with: other)
      try #require(same != text)
      _ = try ReportFolder.report(Data(same.utf8), at: "r.json")
    }
    let half = #expect(throws: FileFailure.self) {
      try ReportFolder.report(Data(text.utf8.prefix(100)), at: "r.json")
    }
    #expect(
      half?.description.hasPrefix("r.json is not a report: unreadable JSON at byte ") == true
    )
    let huge = text.replacing("\"seconds\" : 1", with: "\"seconds\" : 1e999")
    let error = #expect(throws: FileFailure.self) {
      try ReportFolder.report(Data(huge.utf8), at: "r.json")
    }
    #expect(error?.description.hasSuffix(": no double is as great as 1e999") == true)
  }

  @Test("A case file of another folder is not taken for a failure's")
  func foreignCase() throws {
    try withFolder { folder in
      let report = folder.appendingPathComponent("report")
      try write(id: "a", file: "../secret.case", to: report)
      try storedCase().write(to: folder.appendingPathComponent("secret.case"))
      #expect(throws: FileFailure.self) {
        try ReportFolder.merge([report], into: folder.appendingPathComponent("out"))
      }
    }
  }

  @Test("A report with plain names is rendered and merged")
  func plain() throws {
    try withFolder { folder in
      let report = folder.appendingPathComponent("report")
      try write(id: "naive--merge.commutes--key_1", to: report)
      try storedCase().write(
        to: report.appendingPathComponent("failures/naive--merge.commutes--key_1.case")
      )
      try ReportFolder.render(report)
      let out = folder.appendingPathComponent("out")
      #expect(try ReportFolder.merge([report], into: out).failures.count == 1)
      #expect(
        try FileManager.default.contentsOfDirectory(
          atPath: out.appendingPathComponent("failures").path
        ).sorted() == ["naive--merge.commutes--key_1.case", "naive--merge.commutes--key_1.swift"]
      )
    }
  }
}
