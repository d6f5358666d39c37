import DocumentLaws
import DocumentModel
import Foundation
import Histories
import PastRuns
import PropertyEngine
import Reporting
import Subjects
import Synchronization
import Testing

@testable import Campaigns

@Suite("Campaigns")
struct CampaignTests {
  private static let some = laws(
    "network.converges",
    "edits.nothing-returns",
    "agreement.states",
    "counter.increments-add"
  )

  @Test("One seed and number of cases give one report, byte for byte, on any number of workers")
  func deterministic() throws {
    let lanes = [
      lane(naiveSubject, Self.some), lane(try mutant("counter-as-register"), Self.some),
      lane(try mutant("delete-hides-concurrent-put"), Self.some),
    ]
    let reports = try [1, 2, 3].map { jobs in
      var report = report(configuration(lanes, cases: 150, jobs: jobs))
      #expect(report.clock.jobs == jobs)
      report.clock.jobs = 0
      return try ReportFolder.json(report)
    }
    #expect(reports[1] == reports[0])
    #expect(reports[2] == reports[0])
    let first = try JSONDecoder().decode(Report.self, from: reports[0])
    // It says something: both mutants failed, the specification did not, every case was judged.
    #expect(Set(first.failures.map(\.subject)).count == 2)
    #expect(first.outcome.word == .violated)
    #expect(first.run.cases == 450)
    for cell in first.cells {
      let judged = cell.held + cell.violated + cell.skipped + cell.errored + cell.known
      #expect(judged == (cell.law == "counter.increments-add" ? 30 : 120), "\(cell)")
    }
    let seeds: [Seed] = [5, 6]
    let counts = seeds.map { report(configuration([lanes[0]], cases: 20, seed: $0)).counts }
    #expect(counts[0] != counts[1])
  }

  @Test("A subject that fails on some programs is errored there, and the campaign goes on")
  func errored() throws {
    let broken = ScriptedSubject("broken") { _, program in
      guard ScriptedSubject.increments(program) else { return ScriptedSubject.right(program) }
      throw SubjectFailure(kind: "crash", description: "it crashed at an increment")
    }
    let report = report(configuration([lane(broken, Self.some)], cases: 120))
    #expect(report.outcome.word == .failed)
    #expect(report.outcome.exitStatus == 2)
    #expect(
      report.outcome.reasons
        == [Report.Reason("broken failed: it crashed at an increment", kind: .breakdown)]
    )
    let failure = try #require(report.failures.first)
    #expect(report.failures.count == 1)
    #expect(failure.kind == .errored)
    #expect(failure.law == "subject.answers")
    #expect(failure.differenceKind == "crash")
    #expect(failure.size <= 3)
    let cell = try #require(report.cells.first { $0.law == "network.converges" })
    #expect(cell.errored > 0)
    #expect(cell.held > 0)
    #expect(cell.errored + cell.held == 96)
    #expect(cell.violated == 0)
  }

  @Test("Answers that do not fit the questions are a failure of the subject")
  func garbage() throws {
    let broken = ScriptedSubject("broken") { _, program in
      var transcript = ScriptedSubject.right(program)
      transcript.outcomes.removeLast()
      return transcript
    }
    let report = report(configuration([lane(broken, laws("network.converges"))], cases: 3))
    #expect(report.failures.map(\.differenceKind) == ["garbage"])
    #expect(report.outcome.exitStatus == 2)
    // That of the law, and that of whether the subject answers.
    #expect(report.cells.map(\.errored) == [3, 3])
  }

  @Test("A failure that does not repeat is flaky, with both outcomes")
  func flaky() throws {
    // The first batch is 64 cases; whatever comes after them is right.
    let subject = ScriptedSubject("moody") { run, program in
      run < 64 ? ScriptedSubject.wrong(program) : ScriptedSubject.right(program)
    }
    let report = report(configuration([lane(subject, laws("network.converges"))], cases: 64))
    let failure = try #require(report.failures.first)
    #expect(failure.kind == .flaky)
    #expect(failure.law == "network.converges")
    #expect(failure.caseCount == 64)
    #expect(failure.summary.contains("the keys differ at /"))
    #expect(failure.summary.contains("the second run held"))
    #expect(report.outcome.word == .failed)
    let reason = try #require(report.outcome.reasons.first)
    #expect(reason.kind == .breakdown)
    #expect(reason.text.hasPrefix("did not repeat: network.converges"))
  }

  @Test("A failure that repeats once and then never again is flaky, too", arguments: 1...2)
  func flakyLater(_ repeats: Int) throws {
    let subject = ScriptedSubject("moody") { run, program in
      run < 64 + repeats ? ScriptedSubject.wrong(program) : ScriptedSubject.right(program)
    }
    let report = report(configuration([lane(subject, laws("network.converges"))], cases: 64))
    #expect(report.failures.map(\.kind) == [.flaky])
    #expect(report.outcome.exitStatus == 2)
  }

  @Test("A second run that fails otherwise is told as what it was")
  func flakyOtherwise() throws {
    let subject = ScriptedSubject("moody") { run, program in
      guard run >= 64 else { return ScriptedSubject.wrong(program) }
      throw SubjectFailure(kind: "crash", description: "it crashed")
    }
    let report = report(configuration([lane(subject, laws("network.converges"))], cases: 64))
    #expect(report.failures.map(\.kind) == [.flaky])
    #expect(report.failures.first?.summary.contains("the second run errored") == true)
  }

  @Test("A required waypoint that is never reached fails the run, and names it")
  func waypoints() throws {
    let lanes = [lane(naiveSubject, laws("counter.increments-add"))]
    let unreached = report(configuration(lanes, cases: 10), requiring: [.deletesMet])
    #expect(unreached.outcome.word == .failed)
    #expect(
      unreached.outcome.reasons.map(\.text) == [
        "the waypoint deletes-met was never reached: \(Waypoint.deletesMet.sentence)"
      ]
    )
    let reached = report(configuration(lanes, cases: 10), requiring: [.incrementsMet])
    #expect(reached.outcome.word == .held)
    let count = try #require(reached.counts.waypoints.first { $0.name == "increments-met" })
    #expect(count.count > 0)
    #expect(count.isRequired)
  }

  @Test("A subject is sent no edit that it cannot do, by no law, and none is counted")
  func unable() throws {
    let able: Set<EditKind> = [.put, .delete]
    var subject = ScriptedSubject("plain") { _, program in
      for case .edit(_, let edit, _) in program.instructions where !able.contains(edit.kind) {
        throw SubjectFailure(kind: "crash", description: "there is no \(edit.kind)")
      }
      return ScriptedSubject.right(program)
    }
    subject.capabilities.edits = able
    // The last two bring histories of their own, with marks and runs of text.
    let laws = laws("network.converges", "agreement.marks", "text.runs-stay-whole")
    #expect(laws.count == 3)
    let report = report(configuration([lane(subject, laws)], cases: 60))
    #expect(report.failures.isEmpty)
    #expect(report.cells.contains { $0.held > 0 })
    #expect(report.cells.count { $0.skipped > 0 } == 2)
    let counted = report.counts.edits.filter { $0.count > 0 }.map(\.name)
    #expect(Set(counted) == Set(able.map(\.rawValue)))
  }

  @Test("A run in which nothing was judged fails")
  func nothing() {
    var subject = ScriptedSubject("bare") { _, program in ScriptedSubject.right(program) }
    subject.capabilities.features = []
    let none = [
      configuration([], cases: 5), configuration([lane(naiveSubject, [])], cases: 5),
      configuration([lane(subject, laws("heads.determine-state"))], cases: 5),
    ].map { report($0).outcome }
    for outcome in none {
      #expect(outcome.word == .failed)
      let reason = "nothing ran: no law says anything of these subjects"
      #expect(outcome.reasons == [Report.Reason(reason)])
    }
  }

  @Test("Where each verdict is a skip, the run says why, and not that no law speaks")
  func skipped() throws {
    let golden = try #require(Lane(stored: engineSubject, laws: ["golden.accepted"], vectors: []))
    let reasons = report(configuration([golden], cases: 3)).outcome.reasons.map(\.text)
    #expect(reasons.count == 1)
    let words = "nothing was judged: each verdict is a skip (the golden files are not at hand: "
    #expect(reasons.first?.hasPrefix(words) == true, "\(reasons)")
  }

  @Test("Histories in which nothing is done prove nothing, and are not green")
  func noEdits() {
    var limits = HistoryLimits()
    limits.edits = 0...0
    limits.editMean = 0
    let lane = Lane(
      naiveSubject,
      oracle: nil,
      laws: laws("network.converges"),
      limits: limits
    )
    let outcome = report(configuration([lane], cases: 20)).outcome
    #expect(outcome.word == .failed)
    #expect(outcome.reasons == [Report.Reason("nothing was proved: no history had an edit")])
  }

  @Test("A canary that was not caught fails the run")
  func canary() {
    let held = configuration([lane(naiveSubject, laws("network.converges"))], cases: 2)
    let lost = Report.Canary(mutant: "m", caughtBy: nil, size: 0)
    #expect(report(held, canary: lost).outcome.word == .failed)
    let caught = Canary.run(seed: 3)
    #expect(caught.wasCaught)
    #expect(caught.size > 0)
    #expect(report(held, canary: caught).outcome.word == .held)
  }

  @Test("An interruption ends the campaign with a complete report of what was done")
  func interrupted() throws {
    let polls = Mutex(0)
    var configuration = configuration(
      [lane(try mutant("predecessors-none"), Self.some), lane(naiveSubject, Self.some)],
      cases: 1_000_000
    )
    configuration.isInterrupted = {
      polls.withLock { count in
        count += 1
        return count > 150
      }
    }
    let report = report(configuration)
    #expect(report.clock.remarks.contains("interrupted"))
    #expect((10...150).contains(report.run.cases))
    // What was not tried is not vouched for: the run is not green, and says how far it came.
    #expect(report.outcome.exitStatus == 2)
    let reason = Report.Reason.interruption(after: "\(report.run.cases) of 2,000,000 cases")
    #expect(report.outcome.reasons.contains(reason), "\(report.outcome.reasons)")
    #expect(report.subjects.count == 2)
    #expect(report.cells.count == 8)
    #expect(!report.failures.isEmpty)
    #expect(report.failures.allSatisfy { !$0.timeline.isEmpty })
  }

  @Test("The command that repeats an uneven run says what it judges besides")
  func repeated() throws {
    let nowhere = FileManager.default.temporaryDirectory.appendingPathComponent("none")
    func run(cases: Int, pollLimit: Int) throws -> Report {
      let polls = Mutex(0)
      return try CheckRun(
        registry: SubjectRegistry(adapters: nowhere),
        subjects: ["engine", "naive"],
        laws: ["network.converges"],
        lawChoice: LawChoice(["network.converges"]),
        seed: 3,
        budget: .cases(cases),
        jobs: 1,
        isInterrupted: {
          polls.withLock { count in
            count += 1
            return count > pollLimit
          }
        }
      ).run(onStart: { _ in }, onProgress: { _ in }, onFailure: { _ in })
    }
    let report = try run(cases: 20, pollLimit: 32)
    #expect((21...32).contains(report.run.cases))
    #expect(report.run.repeatCommand.contains("--cases 20"), "\(report.run.repeatCommand)")
    let whole = try run(cases: 20, pollLimit: .max)
    let rest = whole.run.cases - report.run.cases
    #expect(
      report.clock.remarks.contains(
        "The command that repeats this run judges \(whole.run.cases) cases: the \(report.run.cases) of"
          + " this run, and \(rest) that it did not get to."
      ),
      "\(report.clock.remarks)"
    )
    // What judges the same says nothing.
    #expect(whole.clock.remarks == [])
    let early = try run(cases: 20, pollLimit: 3)
    #expect(early.clock.remarks.count == 2, "\(early.clock.remarks)")
  }

  @Test("A budget of seconds is kept by the clock that is given, and every lane gets its share")
  func budget() throws {
    let now = Mutex(0.0)
    let slow = ScriptedSubject("slow") { _, program in
      now.withLock { $0 += 1 }
      return ScriptedSubject.right(program)
    }
    let fast = ScriptedSubject("fast") { _, program in
      now.withLock { $0 += 0.125 }
      return ScriptedSubject.right(program)
    }
    var configuration = configuration(
      [lane(slow, laws("network.converges")), lane(fast, laws("network.converges"))],
      cases: 0
    )
    configuration.budget = .seconds(100)
    configuration.clock = { now.withLock { $0 } }
    let report = report(configuration)
    #expect(report.clock.seconds == now.withLock { $0 })
    // The budget is looked at between batches: at most one batch of the slow subject goes over it.
    #expect((100...164).contains(report.clock.seconds))
    let cases = Dictionary(uniqueKeysWithValues: report.cells.map { ($0.subject, $0.held) })
    let (slowCases, fastCases) = (try #require(cases["slow"]), try #require(cases["fast"]))
    #expect(slowCases >= 16)
    #expect(fastCases > 2 * slowCases)
    #expect(report.run.cases == slowCases + fastCases)
    #expect(
      report.clock.subjectSeconds == [
        "slow": Double(slowCases), "fast": 0.125 * Double(fastCases),
        "naive as oracle": 0,
      ]
    )
  }

  @Test("Shrinking ends when its time is over, and the report says so")
  func shrinkingBudget() throws {
    let now = Mutex(0.0)
    let subject = ScriptedSubject("wrong") { _, program in
      now.withLock { $0 += 1 }
      return ScriptedSubject.wrong(program)
    }
    var configuration = configuration([lane(subject, laws("network.converges"))], cases: 0)
    // The first batch alone takes longer than shrinking may: no candidate is tried.
    configuration.budget = .seconds(1)
    configuration.clock = { now.withLock { $0 } }
    let report = report(configuration)
    #expect(report.clock.remarks == ["shrinking of network.converges was stopped early"])
    #expect(report.failures.map(\.shrinkEnding) == ["stopped early"])
    #expect(report.failures.map(\.kind) == [.violated])
  }

  @Test("A run that stops at its first failure is violated, and names the call that failed")
  func firstFailure() throws {
    let subject = ScriptedSubject("broken") { _, program in
      guard ScriptedSubject.increments(program) else { return ScriptedSubject.right(program) }
      var transcript = ScriptedSubject.wrong(program)
      for (index, instruction) in program.instructions.enumerated() {
        if case .edit(_, .increment, _) = instruction {
          transcript.outcomes[index] = .failed("it cannot count")
        }
      }
      return transcript
    }
    let asked = laws("agreement.states", "calls.succeed")
    var configuration = configuration([lane(subject, asked)], cases: 40)
    configuration.stopsAtFirstFailure = true
    let report = report(configuration)
    #expect(report.failures.map(\.law) == ["calls.succeed"])
    #expect(report.outcome.word == .violated)
    #expect(report.outcome.exitStatus == 1)
  }

  @Test("Failures beyond the limit are counted, and said to be")
  func failureLimit() throws {
    var configuration = configuration(
      [lane(try mutant("predecessors-none"), DocumentLaw.all)],
      cases: 40
    )
    configuration.failureLimit = 1
    configuration.shrinkStepLimit = 10
    let report = report(configuration)
    #expect(report.failures.count == 1)
    // Each is named with its file, and counts for comparisons.
    let sighting = try #require(report.sightings?.first)
    #expect(
      report.outcome.reasons.filter { $0.kind == .sightings }.map(\.text).contains {
        $0.contains(
          "more ways, counted and not shrunk: \(sighting.law) (failures/\(sighting.id).case)"
        )
      }
    )
    var earlier = report
    earlier.sightings?.removeFirst()
    let comparison = ReportComparison(from: earlier, to: report)
    #expect(comparison.new.map(\.law) == [sighting.law])
    #expect(comparison.exitStatus == 1)
    #expect(PastRun(report, commit: nil).failures.contains { $0.id == sighting.id })
  }
}
