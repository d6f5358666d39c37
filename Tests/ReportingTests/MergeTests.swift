import Foundation
import PropertyEngine
import Reporting
import Testing

@Suite("Merging reports")
struct MergeTests {
  /// A report of one failure, of a run of its own.
  private func report(seed: String = "0x1", day: String = "2001-02-03") -> Report {
    var report = SampleReports.failing
    report.failures = [SampleFailures.agreement]
    report.failures[0].firstSeen = day
    report.failures[0].reproducer = Report.Failure.reproducer(of: report.failures[0].id)
    report.run.seed = seed
    report.clock.startedAt = "\(day)T04:05:06Z"
    return report
  }

  private func merged(_ reports: Report...) throws -> (report: Report, failures: [MergedFailure]) {
    try Report.merged(reports)
  }

  @Test("Counts add up, whatever is listed")
  func adds() throws {
    var (left, right) = (report(), report(seed: "0x2"))
    left.counts.faultsOfSubjects = [
      Report.FaultCount(subject: "naive", transport: "merge", fault: "loss", count: 3)
    ]
    right.counts.faultsOfSubjects = [
      Report.FaultCount(subject: "naive", transport: nil, fault: "crash", count: 1),
      Report.FaultCount(subject: "naive", transport: "merge", fault: "loss", count: 4),
    ]
    left.clock.cellSeconds = ["naive": ["merge.commutes": 1]]
    right.clock.cellSeconds = ["naive": ["merge.commutes": 2], "engine": ["merge.commutes": 4]]
    let sum = try merged(left, right).report
    #expect(sum.run.cases == left.run.cases * 2)
    #expect(sum.cells.count == left.cells.count)
    for (cell, before) in zip(sum.cells, left.cells) {
      #expect(cell.held == before.held * 2)
      #expect(cell.violated == before.violated * 2)
      #expect(cell.skipped == before.skipped * 2)
    }
    #expect(sum.counts.edits.map(\.count) == left.counts.edits.map { $0.count * 2 })
    #expect(sum.counts.sizes.map(\.name) == left.counts.sizes.map(\.name))
    #expect(sum.counts.waypoints.map(\.count) == left.counts.waypoints.map { $0.count * 2 })
    #expect(sum.counts.faultsOfSubjects.map(\.count) == [7, 1])
    #expect(sum.clock.seconds == left.clock.seconds + right.clock.seconds)
    #expect(sum.clock.cellSeconds["naive"]?["merge.commutes"] == 3)
    #expect(sum.clock.cellSeconds["engine"]?["merge.commutes"] == 4)
    #expect(sum.run.parts?.map(\.seed) == ["0x1", "0x2"])
    #expect(sum.outcome.reasons == left.outcome.reasons)
    // A merged report is one to merge again.
    let more = try merged(sum, report(seed: "0x3")).report
    #expect(more.run.parts?.map(\.seed) == ["0x1", "0x2", "0x3"])
    #expect(more.run.cases == left.run.cases * 3)
  }

  @Test("Samples that two runs share differ once, and values add up; a run may have neither")
  func mergesSamples() throws {
    func counted(_ numbers: Range<Int>) -> DistinctCount {
      var count = DistinctCount()
      for number in numbers { count.add("history \(number)") }
      return count
    }
    var (left, right) = (report(), report(seed: "0x2"))
    left.counts.samples = [Report.SampleCount(name: "histories", counted(0..<300))]
    right.counts.samples = [
      Report.SampleCount(name: "damaged files", counted(0..<5)),
      Report.SampleCount(name: "histories", counted(200..<400)),
    ]
    right.counts.values[0].traits[2].count = 3
    let sum = try merged(left, right).report.counts
    #expect(sum.samples.map(\.name) == ["damaged files", "histories"])
    #expect(
      sum.samples.last == Report.SampleCount(name: "histories", counted(0..<400)).judging(500)
    )
    #expect(sum.values[0].uses.map(\.count) == [19_426, 42_814])
    #expect(sum.values[0].traits.map(\.count) == [1224, 61_016, 3])
    (left.counts.samples, left.counts.values) = ([], [])
    #expect(try merged(left, right).report.counts.samples == right.counts.samples)
    #expect(try merged(right, left).report.counts.values == right.counts.values)
    // Digests that nothing can read are told to be an estimate.
    left.counts.samples = right.counts.samples
    left.counts.samples[1].digests = "?"
    let unread = try merged(left, right).report.counts.samples
    #expect(unread.last?.isEstimate == true)
    #expect(unread.last?.judged == 400)
  }

  @Test("One smallest history of one law and subject is one failure, first seen on its first day")
  func deduplicates() throws {
    let (sum, origins) = try merged(report(day: "2001-02-03"), report(day: "2001-01-02"))
    #expect(sum.failures.count == 1)
    #expect(sum.failures[0].firstSeen == "2001-01-02")
    #expect(sum.failures[0].caseCount == SampleFailures.agreement.caseCount * 2)
    #expect(sum.clock.startedAt == "2001-01-02T04:05:06Z")
    #expect(origins.map(\.report) == [0])
  }

  @Test("Other histories of the same law, subject and kind stay apart, and get files of their own")
  func keeps() throws {
    var other = report(seed: "0x2")
    other.failures[0].history.append("r0 commit")
    let (sum, origins) = try merged(report(), other)
    let id = SampleFailures.agreement.id
    #expect(sum.failures.map(\.id) == [id, "\(id)-2"])
    #expect(sum.failures[1].file == "failures/\(id)-2.case")
    #expect(sum.failures[1].reproducer == "failures/\(id)-2.swift")
    #expect(sum.failures[1].replayCommand == "touchstone replay failures/\(id)-2.case")
    #expect(origins.map(\.report) == [0, 1])
    // What the command needs to find the subject stays in it.
    other.failures[0].file = Report.Failure.file(of: id)
    other.failures[0].setReplay(arguments: ["--adapters '../a b'"])
    let replay = "touchstone replay --adapters '../a b' failures/\(id)"
    #expect(other.failures[0].replayCommand == "\(replay).case")
    #expect(try merged(report(), other).report.failures[1].replayCommand == "\(replay)-2.case")
    // Reports of older versions have the command alone.
    other.failures[0].replayArguments = nil
    let merging = try merged(report(), other).report.failures[1]
    #expect(merging.replayCommand == "\(replay)-2.case" && merging.replayArguments == nil)
    // A command that is not the program's is not handed on.
    other.failures[0].replayCommand = "echo x failures/\(id).case"
    #expect(
      try merged(report(), other).report.failures[1].replayCommand
        == "touchstone replay failures/\(id)-2.case"
    )
    // What the tests of a package alone judge again has a case file beside them.
    other.failures[0].replayer = .tests
    other.failures[0].replayCommand = "TOUCHSTONE_REPLAY=x swift test"
    #expect(
      try merged(report(), other).report.failures[1].replayCommand
        == "TOUCHSTONE_REPLAY=x swift test"
    )
    #expect(origins.map(\.id) == [id, "\(id)-2"])
    #expect(origins.allSatisfy { $0.file == SampleFailures.agreement.file })
  }

  @Test(
    "The word is the gravest; a subject that ran anywhere is present; a canary that fled is told"
  )
  func outcome() throws {
    var (held, failed) = (SampleReports.green, SampleReports.green)
    failed.outcome = Report.RunOutcome(
      word: .failed,
      reasons: [Report.Reason("the canary was not caught")]
    )
    failed.canary = Report.Canary(mutant: "m", caughtBy: nil, size: 0)
    failed.run.seed = "0x2"
    held.subjects[0].absence = "not here"
    #expect(try merged(held, failed).report.outcome.word == .failed)
    #expect(try merged(failed, held).report.outcome.word == .failed)
    #expect(try merged(held, failed).report.canary?.wasCaught == false)
    #expect(try merged(held, failed).report.subjects[0].absence == nil)
    var other = held
    other.run.seed = "0x3"
    #expect(try merged(held, other).report.outcome.word == .held)
  }

  @Test("A run that is given twice is refused, since it would count twice")
  func twice() throws {
    #expect(throws: ReportMergeError.runTwice(seed: "0x1", startedAt: "2001-02-03T04:05:06Z")) {
      try merged(report(), report(seed: "0x2"), report())
    }
    // Two processes of one machine may begin in the same second.
    var other = report()
    other.clock.seconds += 1
    let both = try merged(report(), other).report
    #expect(both.run.parts?.count == 2)
    // A run that is in a merged report already.
    #expect(throws: ReportMergeError.runTwice(seed: "0x1", startedAt: "2001-02-03T04:05:06Z")) {
      try merged(both, other)
    }
    #expect(throws: ReportMergeError.runTwice(seed: "0x1", startedAt: "2001-02-03T04:05:06Z")) {
      try merged(report(seed: "0x2"), both, both)
    }
  }

  @Test("Machines are named once each, however many runs they did")
  func machines() throws {
    let reports = ["a; one", "b", "a; one", "", "a"].enumerated().map { index, machine in
      var report = report(seed: "0x\(index)")
      report.clock.machine = machine
      return report
    }
    let left = try merged(merged(reports[0], reports[1]).report, reports[2]).report
    #expect(left.clock.machine == "a; one; b")
    let all = try merged(left, merged(reports[3], reports[4]).report).report
    #expect(all.clock.machine == "a; one; b; a")
  }

  /// One part of a shared run, as `check --shard` reports it.
  private func part(_ number: Int, of count: Int = 4, _ word: Report.RunOutcome.Word) -> Report {
    var report = SampleReports.green
    report.outcome.word = word
    report.run.repeatCommand = "touchstone check --seed 0x1 --cases 40"
    report.run.narrow(toPart: number, of: count)
    report.run.seed = "0x1"
    report.clock.seconds = Double(number)
    return report
  }

  @Test("A part beside the whole run is refused, whether that tried stored cases or not")
  func partOfWhole() throws {
    let command = "touchstone check --seed 0x1 --cases 40"
    for stored in [0, 2] {
      var whole = SampleReports.green
      whole.run.repeatCommand = command
      whole.run.addStored(stored, ["--corpus stored"])
      let refusal = ReportMergeError.partOfWhole(command: command)
      #expect(throws: refusal) { try merged(whole, part(2, of: 4, .held)) }
      #expect(throws: refusal) { try merged(merged(part(2, of: 4, .held)).report, whole) }
      // The part of another run is none of it.
      whole.run.repeatCommand = command + "0"
      _ = try merged(whole, part(2, of: 4, .held))
    }
  }

  @Test("Stored cases are counted apart, and the command of a part that tried them names them")
  func storedCases() throws {
    var first = part(1, of: 2, .held)
    first.run.addStored(3, ["--corpus stored"])
    let command = "touchstone check --seed 0x1 --cases 40 --shard 1/2 --corpus stored"
    #expect(first.run.repeatCommand == command)
    let whole = try merged(first, part(2, of: 2, .held)).report
    #expect(whole.outcome.word == .held)
    #expect(whole.run.storedCases == 3)
    // What repeats the run repeats all of it.
    #expect(
      whole.run.repeatCommand == "touchstone check --seed 0x1 --cases 40 --corpus stored"
    )
    #expect(try JSONDecoder().decode(Report.self, from: JSONEncoder().encode(whole)) == whole)
    var one = first
    one.run.cases = 3
    for (count, words) in [(4, "3 cases and 4 stored ones"), (1, "3 cases and 1 stored one")] {
      one.run.storedCases = count
      for text in [
        TerminalReport(one, hasColour: false).text, MarkdownReport(one).text, HTMLReport(one).text,
      ] {
        #expect(text.contains(words))
      }
    }
  }

  @Test("Parts that are missing are named, and the report is a failed one until they come")
  func missingParts() throws {
    let some = try merged(part(1, of: 4, .held), part(4, of: 4, .violated)).report
    #expect(some.outcome.word == .failed)
    #expect(
      some.outcome.reasons.map(\.text) == [
        "incomplete: 2 of 4 parts of the run with seed 0x1 are missing: 2/4, 3/4"
      ]
    )
    let text = TerminalReport(some, hasColour: false).text
    #expect(text.contains("! The run is incomplete"))
    #expect(text.contains("2/4, 3/4"))
    #expect(
      some.run.repeatCommand
        == "touchstone check --seed 0x1 --cases 40 --shard 1/4; "
        + "touchstone check --seed 0x1 --cases 40 --shard 4/4"
    )
    // Parts that come later complete what was merged before.
    let all = try merged(some, part(3, .held), part(2, .held)).report
    #expect(all.outcome == Report.RunOutcome(word: .violated))
    #expect(all.run.repeatCommand == "touchstone check --seed 0x1 --cases 40")
    // One report of two; the other is missing.
    let one = try merged(part(2, of: 2, .held)).report.outcome
    #expect(
      one.reasons.map(\.text)
        == ["incomplete: 1 of 2 parts of the run with seed 0x1 is missing: 1/2"]
    )
    // A number of parts that no memory holds.
    let many = try merged(part(2, of: .max, .held)).report.outcome.reasons
    #expect(many.count == 1 && many[0].text.hasSuffix(" and 9,223,372,036,854,775,794 more"))
  }

  /// One part of two that share a run, which requires the first waypoint and reaches it `count` times.
  private func half(_ number: Int, reaching count: Int, isAsked: Bool = true) -> Report {
    var report = part(number, of: 2, .held)
    for index in report.counts.waypoints.indices {
      report.counts.waypoints[index].isRequired = false
    }
    report.counts.waypoints[0].count = count
    if isAsked { report.counts.waypoints[0].isRequiredOfWhole = true }
    return report
  }

  @Test("What no part of a run reached is told once all are there")
  func unreached() throws {
    let waypoint = half(1, reaching: 0).counts.waypoints[0]
    let words = [waypoint.absence]
    let alone = try merged(half(1, reaching: 0)).report.outcome.reasons
    #expect(alone.map(\.kind) == [.missingParts])
    let never = try merged(half(1, reaching: 0), half(2, reaching: 0)).report
    #expect(never.outcome.word == .failed)
    #expect(never.outcome.reasons.map(\.text) == words)
    #expect(never.counts.waypoints[0].isRequired)
    let once = try merged(half(1, reaching: 0), half(2, reaching: 1)).report
    #expect(once.outcome == Report.RunOutcome(word: .held))
    #expect(once.counts.waypoints[0].isRequired)
    #expect(once.counts.waypoints[0].isRequiredOfWhole == nil)
    // Parts that end by time have other numbers of cases: what one of them requires the run requires.
    for asked in [1, 2] {
      let halves = [1, 2].map { half($0, reaching: 0, isAsked: $0 == asked) }
      #expect(try Report.merged(halves).report.outcome == never.outcome)
    }
    // Merging is associative, and another run that reached it proves nothing of this one.
    var other = SampleReports.green
    other.run.seed = "0x2"
    let early = try merged(never, other).report
    let late = try merged(half(1, reaching: 0), merged(half(2, reaching: 0), other).report).report
    for report in [early, late, try merged(other, never).report] {
      #expect(report.outcome.word == .failed)
      #expect(
        report.outcome.reasons.map(\.text) == [
          "the waypoint \(waypoint.name) was never reached in the run with seed 0x1: \(waypoint.sentence)"
        ]
      )
      #expect(report.counts.waypoints == early.counts.waypoints)
      #expect(report.counts.waypoints[0].count > 0)
    }
    #expect(try merged(once, other).report.outcome.word == .held)
  }

  @Test("A site of parts that never reached what their run requires says so")
  func unreachedOnSite() throws {
    let halves = [1, 2].map { half($0, reaching: 0) }
    let expected = try Report.merged(halves).report.outcome.reasons.map(\.text)
    #expect(expected.count == 1)
    for reports in [halves, [try Report.merged(halves).report]] {
      let site = try Conformance(reports)
      #expect(site.runs.allSatisfy { $0.shortfalls == expected })
      #expect(site.implementations.contains { $0.shortfalls == expected })
    }
    for reports in [[halves[0]], [half(1, reaching: 1), halves[1]]] {
      let shortfalls = try Conformance(reports).runs.flatMap { $0.shortfalls ?? [] }
      #expect(!shortfalls.contains { $0.contains("never reached") }, "\(shortfalls)")
    }
  }

  @Test(
    "A reason to skip is that of all parts in which cases were skipped",
    arguments: [
      (0, nil, 1, "b", "b"), (1, "a", 0, nil, "a"), (1, "a", 1, "a", "a"), (1, "a", 1, "b", nil),
      (2, nil, 1, "b", nil), (0, nil, 0, nil, nil),
    ] as [(Int, String?, Int, String?, String?)]
  )
  func skipReasons(
    _ count: Int,
    _ reason: String?,
    _ otherCount: Int,
    _ otherReason: String?,
    _ expected: String?
  ) throws {
    func report(_ seed: String, _ count: Int, _ reason: String?) -> Report {
      var report = SampleReports.green
      report.run.seed = seed
      report.cells[0].skipped = count
      report.cells[0].skipReason = reason
      return report
    }
    let sum = try merged(report("0x1", count, reason), report("0x2", otherCount, otherReason))
    #expect(sum.report.cells[0].skipReason == expected)
  }

  @Test("Parts of one run that was shared in two ways are parts of two")
  func sharedTwice() throws {
    let one = try merged(part(2, of: 2, .held), part(2, of: 3, .held)).report
    #expect(
      one.outcome.reasons.map(\.text)
        == [
          "incomplete: 1 of 2 parts of the run with seed 0x1 is missing: 1/2",
          "incomplete: 2 of 3 parts of the run with seed 0x1 are missing: 1/3, 3/3",
        ].map { "\($0) (touchstone check --seed 0x1 --cases 40)" }
    )
  }

  @Test("A report of a part that no run has is refused")
  func partBeyondTheRun() throws {
    let text = #"{"command": "touchstone check", "number": 3, "count": 2}"#
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Report.Share.self, from: Data(text.utf8))
    }
  }

  @Test("Parts of two runs do not complete one another")
  func partsOfTwoRuns() throws {
    var other = part(2, of: 2, .held)
    other.run.seed = "0x2"
    other.run.repeatCommand = "touchstone check --seed 0x2 --cases 40"
    other.run.narrow(toPart: 2, of: 2)
    let outcome = try merged(part(1, of: 2, .held), other).report.outcome
    #expect(outcome.word == .failed)
    #expect(outcome.reasons.map { $0.text.suffix(4) } == [" 2/2", " 1/2"])
  }

  @Test("Seconds beyond all numbers stay numbers, so that the report can be written")
  func endlessSeconds() throws {
    var report = SampleReports.failing
    report.run.cases = 10
    for seconds in [Double.greatestFiniteMagnitude, .leastNonzeroMagnitude] {
      report.clock.seconds = seconds
      report.clock.lawSeconds = ["merge.commutes": seconds]
      report.clock.cellSeconds = ["naive": ["merge.commutes": seconds]]
      var other = report
      other.run.seed = "0x2"
      let merged = try Report.merged([report, other]).report
      let again = try JSONDecoder().decode(Report.self, from: JSONEncoder().encode(merged))
      #expect(again == merged)
    }
  }

  @Test("A self-test joins a check, and one of other mutants; the same mutant is not taken twice")
  func selfTests() throws {
    let both = try merged(SampleReports.green, SampleReports.selfTest).report
    #expect(both.run.command == .check)
    #expect(both.selfTest == SampleReports.selfTest.selfTest)
    let whole = try #require(SampleReports.selfTest.selfTest)
    #expect(throws: ReportMergeError.mutant(whole.mutants[0].id)) {
      try merged(SampleReports.selfTest, SampleReports.selfTest)
    }
    var parts = [SampleReports.selfTest, SampleReports.selfTest]
    for (index, share) in [whole.mutants[..<2], whole.mutants[2...]].enumerated() {
      parts[index].selfTest?.mutants = Array(share)
      parts[index].selfTest?.laws = index == 0 ? whole.laws : []
      parts[index].selfTest?.falseAlarms = index == 0 ? whole.falseAlarms : []
      parts[index].clock.seconds += Double(index)
    }
    #expect(try merged(parts[0], parts[1]).report.selfTest == whole)
  }

  @Test("Runs of other programs, shapes, subjects or laws are refused, and the difference named")
  func refuses() {
    #expect(throws: ReportMergeError.nothing) { try Report.merged([]) }
    var other = report()
    other.version = 2
    #expect(throws: ReportMergeError.shape(version: 2, expected: 1)) { try merged(report(), other) }
    var (old, new) = (report(), report())
    old.run.program = "touchstone 1"
    new.run.program = "touchstone 2"
    #expect(throws: ReportMergeError.programs(["touchstone 1", "touchstone 2"])) {
      try merged(old, new)
    }
    other = report()
    other.subjects[1].version = "9"
    #expect(throws: ReportMergeError.subject("engine", versions: ["0.1.0", "9"])) {
      try merged(report(), other)
    }
    other = report()
    other.laws[0].sentence = "Something else."
    #expect(throws: ReportMergeError.law(other.laws[0].name)) { try merged(report(), other) }
    other = report()
    let gone = other.laws[1].name
    other.cells.removeAll { $0.law == gone }
    #expect(throws: ReportMergeError.catalogues(missing: [gone])) { try merged(report(), other) }
    // Where other laws were asked for, others were judged.
    other.run.lawGlobs = ["merge.*"]
    other.clock.seconds += 1
    #expect(throws: Never.self) { try merged(report(), other) }
  }

  @Test(
    "A report that names files outside of its folder, or those of another failure, is refused",
    arguments: [
      "", ".", "..", "../x", "a/b", "/etc/x", "a\\b", "a\u{0}", ".hidden", "a b", "\u{e9}",
      String(repeating: "a", count: 300),
    ]
  )
  func fileNames(_ id: String) throws {
    var plain = SampleReports.failing
    for index in plain.failures.indices {
      let id = plain.failures[index].id
      plain.failures[index].file = Report.Failure.file(of: id)
      plain.failures[index].reproducer = Report.Failure.reproducer(of: id)
    }
    try plain.checkFileNames()
    var report = plain
    report.failures[1].id = id
    report.failures[1].file = Report.Failure.file(of: id)
    report.failures[1].reproducer = nil
    let named = #expect(throws: ReportNameError.self) { try report.checkFileNames() }
    #expect(named?.name == id)
    report = plain
    let path = "failures/\(id).swift"
    report.failures[1].reproducer = path
    let written = #expect(throws: ReportNameError.self) { try report.checkFileNames() }
    #expect(written?.name == path)
    report = plain
    report.failures[1].file = "../\(id)"
    let error = #expect(throws: ReportNameError.self) { try report.checkFileNames() }
    #expect(error?.description.contains("\u{0}") == false)
  }
}

extension Report.SampleCount {
  /// The same with another number of judged samples.
  fileprivate func judging(_ count: Int) -> Self {
    var copy = self
    copy.judged = count
    return copy
  }
}
