import DocumentLaws
import DocumentModel
import Foundation
import Histories
import PropertyEngine
import Reporting
import Subjects
import Testing

@testable import Campaigns

/// A law that could not be judged has not held: no run over it is green.
@Suite("Laws that could not be judged")
struct UnjudgedTests {
  /// A subject that says of each increment that it failed, and else answers as the specification.
  private static let failing = ScriptedSubject("failing") { _, program in
    var transcript = ScriptedSubject.right(program)
    for (index, instruction) in program.instructions.enumerated() {
      if case .edit(_, .increment, _) = instruction {
        transcript.outcomes[index] = .failed("it cannot count to 7")
      }
    }
    return transcript
  }

  private static func commuting(_ others: String...) -> [DocumentLaw] {
    DocumentLaw.all.filter { (["merge.commutes"] + others).contains($0.name) }
  }

  @Test("A call that fails is one failure, of a law that it keeps from being judged")
  func failedCall() throws {
    let asked = Self.commuting("merge.idempotent", "network.converges")
    let lane = lane(Self.failing, asked)
    var found: [Failure] = []
    let report = report(configuration([lane], cases: 60)) { found.append($0) }
    #expect(report.outcome.word == .failed)
    let failure = try #require(report.failures.first)
    #expect(report.failures.count == 1)
    #expect(failure.kind == .errored)
    #expect(failure.differenceKind == "edit fails")
    #expect(failure.summary == "edit failed: it cannot count to 7")
    #expect(failure.size <= 3, "\(failure.history)")
    let words = "\(failure.law) was not judged on failing: \(failure.summary)"
    #expect(report.outcome.reasons == [Report.Reason(words, kind: .breakdown)])
    for cell in report.cells { #expect(cell.errored == failure.caseCount && cell.held > 0) }
    // Its case is judged again by its law alone.
    let file = try #require(found.first).caseFile
    let again = try Replay(lanes: [lane]).run(file)
    #expect(again.verdict == .errored("a call failed: it cannot count to 7"))
    let stored = try #require(try lane.run(seed: 1).judge(file)).findings
    #expect(stored.map(\.key) == [found[0].key])
  }

  /// A subject that says of increments by some amounts that they failed, and else answers as the specification.
  private static func failing(_ id: String, at amounts: Set<Int64>) -> ScriptedSubject {
    ScriptedSubject(id) { _, program in
      var transcript = ScriptedSubject.right(program)
      for (index, instruction) in program.instructions.enumerated() {
        if case .edit(_, .increment(_, _, let amount), _) = instruction, amounts.contains(amount) {
          transcript.outcomes[index] = .failed("it cannot count to \(amount)")
        }
      }
      return transcript
    }
  }

  @Test(
    "A call that fails for the specification alike is by its rules, and no other call is",
    arguments: [
      ([1], [1], nil), ([1, 2], [1, 2], nil), ([], [1], nil), ([1], [], 1), ([1, 2], [1], 2),
      ([2], [1], 2), ([1, 2], [2], 1),
    ] as [(Set<Int64>, Set<Int64>, Int64?)]
  )
  func alike(_ subject: Set<Int64>, _ specification: Set<Int64>, _ told: Int64?) throws {
    let judge = DocumentJudge(
      Self.failing("subject", at: subject),
      oracle: Self.failing("oracle", at: specification)
    )
    let history = normalise(
      try History(
        text: """
          history 1
          base counters
          replicas 2
          healing merge
          r0 increment root "n" 1
          r0 increment root "n" 2
          """
      )
    )
    let summary = told.map { "edit failed: it cannot count to \($0)" }
    for asked in [
      Self.commuting("agreement.states"), Self.commuting("agreement.states", "calls.succeed"),
    ] {
      let judged = judge.judge(history, asked)
      #expect(judged.findings.map(\.difference.summary) == [summary].compactMap(\.self))
      let words = Dictionary(
        uniqueKeysWithValues: judged.verdicts.map { ($0.law, $0.judgement.verdict.word) }
      )
      #expect(words["merge.commutes"] == (told == nil ? .held : .errored))
      #expect(words["calls.succeed"].map { $0 == (told == nil ? .held : .violated) } != false)
    }
  }

  @Test("Where calls are judged as well, their law tells of the one that fails")
  func toldByItsLaw() {
    let report = report(
      configuration([lane(Self.failing, Self.commuting("calls.succeed"))], cases: 60)
    )
    #expect(report.failures.map(\.law) == ["calls.succeed"])
    #expect(report.outcome.word == .violated)
  }

  @Test(
    "A call that is listed to fail leaves the verdicts of all laws known",
    arguments: [[], ["calls.succeed"]]
  )
  func listed(_ others: [String]) throws {
    let asked = DocumentLaw.all.filter { (["merge.commutes"] + others).contains($0.name) }
    func run(_ divergence: HistoryDivergence) -> Report {
      let lane = lane(Self.failing, asked, divergences: [divergence])
      return CampaignsTests.report(configuration([lane], cases: 60))
    }
    let report = run(try divergence("calls.*"))
    #expect(report.outcome.word == .held, "\(report.outcome.reasons)")
    #expect(report.cells.allSatisfy { $0.known > 0 && $0.held > 0 && $0.errored == 0 })
    #expect(report.knownDivergences.map(\.count) == [report.cells.reduce(0) { $0 + $1.known }])
    // One of another law, or of other histories, excuses none of it.
    let narrow = #"{"edit": {"kind": "increment"}, "atLeast": 2}"#
    for other in [try divergence("merge.*"), try divergence("calls.*", condition: narrow)] {
      #expect(run(other).outcome.word != .held)
    }
  }

  @Test("Errors that were counted and not shrunk make a run fail, whatever else was found")
  func sightings() throws {
    let subject = ScriptedSubject("broken") { _, program in
      guard ScriptedSubject.increments(program) else { return ScriptedSubject.wrong(program) }
      throw SubjectFailure(kind: "crash", description: "it crashed at an increment")
    }
    var configuration = configuration([lane(subject, laws("network.converges"))], cases: 60)
    configuration.failureLimit = 0
    let report = report(configuration)
    let sightings = try #require(report.sightings)
    #expect(
      Dictionary(uniqueKeysWithValues: sightings.map { ($0.law, $0.kind) })
        == ["network.converges": .violated, "subject.answers": .errored]
    )
    #expect(report.outcome.exitStatus == 2)
    #expect(report.outcome.reasons.map(\.kind) == [.sightings, .sightings])
    let row = try #require(report.cells.first { $0.law == "subject.answers" })
    let crash = try #require(sightings.first { $0.kind == .errored })
    #expect(row.errored == crash.caseCount && row.violated == 0)
    // Reports of older versions do not tell errors apart, and are read.
    var older = try #require(
      JSONSerialization.jsonObject(with: JSONEncoder().encode(crash)) as? [String: Any]
    )
    #expect(older.removeValue(forKey: "kind") as? String == "errored")
    let read = try JSONDecoder().decode(
      Report.Sighting.self,
      from: JSONSerialization.data(withJSONObject: older)
    )
    #expect(read.kind == nil && read.id == crash.id)
  }

  @Test("Samples that cannot be drawn are told, though others were judged")
  func undrawn() {
    struct Unmade: Error {}
    let group = LawGroup(
      [LawStatement("test.drawn", "Numbers are drawn.", source: .standard("none"))],
      form: SampleForm<Int>(
        name: FormName("number", version: 1),
        render: { "\($0)\n" },
        parse: { throw UnreadableSample(form: FormName(text: $0)) },
        size: { $0 },
        measure: { "number \($0)" }
      ),
      draw: { choices in
        let number = choices.number(in: 0...3)
        guard number > 0 else { throw Unmade() }
        return number
      },
      judge: { _, _ in JudgedCase([("test.drawn", Judgement(.held))]) }
    )
    let lane = Lane(
      subject: Lane.Subject(
        id: "maker",
        version: "test",
        topic: .coders,
        abilities: [],
        isComplete: false
      ),
      entries: group.laws.map { Lane.Entry(statement: $0) },
      groups: [group]
    )
    let report = report(configuration([lane], cases: 60))
    #expect(report.failures.isEmpty)
    #expect(report.outcome.exitStatus == 2)
    let words = "maker failed in 1 more way, counted and not shrunk: test.drawn (Unmade())"
    #expect(report.outcome.reasons.map(\.text) == [words])
  }

  @Test("A small world on which a call fails is not held, and no violation")
  func world() {
    let result = WorldRun(DocumentJudge(Self.failing, oracle: nil), replicas: 2, edits: 1)
      .run(.counter, onProgress: { _ in }, isInterrupted: { false })
    #expect(result.violation == nil && !result.holds)
    let words = "a call failed: it cannot count to 7"
    #expect(result.laws.contains { $0.errored > 0 && $0.reason == words })
  }

  @Test("A run that ends at its first failure judges the same cases on any number of workers")
  func failFast() throws {
    let lane = lane(try mutant("delete-hides-concurrent-put"), DocumentLaw.all)
    let reports = try [1, 3].map { jobs in
      var configuration = configuration([lane], cases: 500, jobs: jobs)
      configuration.stopsAtFirstFailure = true
      configuration.shrinkStepLimit = 10
      var report = report(configuration)
      report.clock.jobs = 0
      #expect(report.run.cases < 500 && !report.failures.isEmpty)
      return try ReportFolder.json(report)
    }
    #expect(reports[0] == reports[1])
  }

  @Test("Parts of a run require together what the whole run requires")
  func parts() throws {
    func run(_ shard: Shard) throws -> Report {
      var run = CheckRun(
        registry: SubjectRegistry(
          adapters: FileManager.default.temporaryDirectory.appendingPathComponent("none")
        ),
        subjects: ["naive"],
        laws: ["merge.commutes"],
        lawChoice: LawChoice(["merge.commutes"]),
        seed: 3,
        budget: .cases(1600),
        jobs: 1
      )
      run.limits.replicas = 2...2
      run.limits.edits = 1...1
      run.limits.editMean = 1
      run.limits.largeWorlds = false
      run.shard = shard
      return try run.run(onStart: { _ in }, onProgress: { _ in }, onFailure: { _ in })
    }
    let whole = try run(.whole)
    #expect(whole.outcome.word == .failed)
    #expect(whole.outcome.reasons.contains { $0.text.hasPrefix("the waypoint deletes-met was ") })
    let parts = try [1, 2].map { try run(try #require(Shard($0, of: 2))) }
    for part in parts {
      #expect(part.outcome.word == .held, "\(part.outcome.reasons)")
      #expect(part.counts.waypoints.allSatisfy { !$0.isRequired })
    }
    let merged = try Report.merged(parts).report
    #expect(merged.outcome.word == .failed)
    #expect(merged.outcome.reasons.map(\.text) == whole.outcome.reasons.map(\.text))
    for (one, sum) in zip(whole.counts.waypoints, merged.counts.waypoints) {
      #expect(one.isRequired == sum.isRequired && one.count == sum.count, "\(one.name)")
    }
  }
}
