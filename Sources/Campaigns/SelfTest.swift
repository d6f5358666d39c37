import CodingLaws
import Dispatch
import DocumentLaws
import Foundation
import Histories
import Mutants
package import PropertyEngine
package import Reporting
import Subjects
import Synchronization

/// The harness on implementations that are wrong on purpose.
package struct SelfTest {
  private let mutants: [NaiveMutant]
  /// Nil if none of them was asked for.
  private let coders: CoderSelfTest?
  private let seed: Seed
  private let caseLimit: Int
  private let jobs: Int
  private let isInterrupted: @Sendable () -> Bool

  /// All mutants, or those with the given ids.
  package init(
    mutants ids: [String],
    seed: Seed,
    caseLimit: Int,
    jobs: Int,
    isInterrupted: @escaping @Sendable () -> Bool
  ) {
    mutants = ids.isEmpty ? naiveMutants : naiveMutants.filter { ids.contains($0.id) }
    let coders = ids.isEmpty ? coderMutants : coderMutants.filter { ids.contains($0.id) }
    self.coders =
      coders.isEmpty
      ? nil
      : CoderSelfTest(
        mutants: coders,
        seed: seed,
        caseLimit: caseLimit,
        jobs: jobs,
        isInterrupted: isInterrupted
      )
    self.seed = seed
    self.caseLimit = caseLimit
    self.jobs = jobs
    self.isInterrupted = isInterrupted
  }

  /// What became of one mutant.
  private struct Kill {
    var mutant: Report.Mutant
    /// All laws that some case broke until the mutant was dead, with the number of cases.
    var laws: [String: Int]
    var seconds: Double
  }

  /// Runs every mutant until a law kills it, then sees that each law kills one when it is alone.
  package func run(onLine: @escaping @Sendable (String) -> Void) -> Report {
    let start = ProcessInfo.processInfo.systemUptime
    let kills = inParallel(mutants.count, jobs: jobs) { index in
      let kill = timedKill(mutants[index])
      onLine(Self.line(kill))
      return kill
    }
    let coderKills = coders?.kills(onLine: onLine) ?? []
    onLine("each law alone:")
    // A law is proved by mutants of its own kind; none of the specification has bytes that another
    // subject reads.
    let laws = mutants.isEmpty ? [] : DocumentLaw.all.filter { !$0.isCrossing }
    var proofs = inParallel(laws.count, jobs: jobs) { index in
      let proof = prove(laws[index], kills)
      onLine("  \(proof.law): \(proof.mutant ?? "catches none")")
      return proof
    }
    proofs += coders?.proofs(coderKills, onLine: onLine) ?? []
    onLine("the correct implementation:")
    let alarms = (mutants.isEmpty ? [] : falseAlarms()) + (coders?.falseAlarms() ?? [])
    onLine(alarms.isEmpty ? "  no false alarm" : "  \(alarms.joined(separator: ", "))")
    let seconds = ProcessInfo.processInfo.systemUptime - start
    return report(kills, coderKills, proofs, alarms, seconds)
  }

  private func lane(_ mutant: NaiveMutant, _ laws: [DocumentLaw]) -> Lane? {
    SubjectShelf.mutant(mutant.id).map { Lane($0, oracle: naiveSubject, laws: laws) }
  }

  // MARK: - Mutants

  private func timedKill(_ mutant: NaiveMutant) -> Kill {
    let start = ProcessInfo.processInfo.systemUptime
    var result = kill(mutant)
    result.seconds = ProcessInfo.processInfo.systemUptime - start
    return result
  }

  private func kill(_ mutant: NaiveMutant) -> Kill {
    var kill = Kill(
      mutant: Report.Mutant(
        id: mutant.id,
        sentence: mutant.sentence,
        killedBy: nil,
        cases: 0,
        size: nil,
        replicas: nil,
        history: []
      ),
      laws: [:],
      seconds: 0
    )
    guard let lane = lane(mutant, DocumentLaw.all) else { return kill }
    let runner = CaseRunner(lane, clock: { 0 })
    for index in 0..<caseLimit {
      guard !isInterrupted(), let group = lane.group(ofCase: index) else { break }
      kill.mutant.cases = index + 1
      var choices = Choices(seed: seed.stream(UInt64(index)))
      let result = runner.run(group, &choices)
      for finding in result.findings where kill.laws[finding.key.law] == nil {
        kill.laws[finding.key.law] = index + 1
      }
      guard let finding = result.findings.first else { continue }
      shrink(finding, group, choices, index, runner, lane, &kill)
      break
    }
    return kill
  }

  private func shrink(
    _ finding: Finding,
    _ group: SampleGroup,
    _ choices: Choices,
    _ index: Int,
    _ runner: CaseRunner,
    _ lane: Lane,
    _ kill: inout Kill
  ) {
    var shrinker = FailureShrinker(
      runner: runner,
      lane: lane,
      sighting: LaneTotals.Sighting(
        caseIndex: index,
        caseCount: 1,
        finding: finding,
        group: group,
        choices: choices
      ),
      seed: seed
    )
    let shrunk = shrinker.run(stepLimit: 4000, shouldStop: isInterrupted, onSmaller: { _ in })
    kill.mutant.killedBy = finding.key.law
    kill.mutant.size = shrunk.history.history.size
    kill.mutant.replicas = shrunk.history.history.finalReplicaCount
    kill.mutant.history = shrunk.history.history.lines
  }

  private static func line(_ kill: Kill) -> String {
    let mutant = kill.mutant
    guard let law = mutant.killedBy else {
      return "\(mutant.id): ALIVE after \(mutant.cases) cases"
    }
    let seconds = (kill.seconds * 100).rounded() / 100
    return "\(mutant.id): killed by \(law) after \(mutant.cases) cases, \(seconds) s;"
      + " \(mutant.size ?? 0) steps on \(mutant.replicas ?? 0) replicas"
  }

  // MARK: - Laws

  /// Looks for a mutant that the law catches with no other law to help.
  ///
  /// Mutants that it is known to have caught come first, then all others with a few cases each.
  private func prove(_ law: DocumentLaw, _ kills: [Kill]) -> Report.LawProof {
    let known = mutants.indices.filter { kills[$0].laws[law.name] != nil }
    let others = mutants.indices.filter { kills[$0].laws[law.name] == nil }
    for (candidates, limit) in [(known, caseLimit), (others, 150), (others, 3000)] {
      for index in candidates {
        guard !isInterrupted(), let lane = lane(mutants[index], [law]) else { break }
        if let cases = casesUntilCaught(lane, limit: min(limit, caseLimit)) {
          return Report.LawProof(law: law.name, mutant: mutants[index].id, cases: cases)
        }
      }
    }
    return Report.LawProof(law: law.name, mutant: nil, cases: 0)
  }

  private func casesUntilCaught(_ lane: Lane, limit: Int) -> Int? {
    let runner = CaseRunner(lane, clock: { 0 })
    for index in 0..<limit {
      guard !isInterrupted(), let group = lane.group(ofCase: index) else { return nil }
      var choices = Choices(seed: seed.stream(UInt64(index)))
      if !runner.run(group, &choices).findings.isEmpty { return index + 1 }
    }
    return nil
  }

  /// The laws that the correct implementation breaks, which is the harness's own mistake.
  private func falseAlarms() -> [String] {
    let lane = Lane(naiveSubject, oracle: nil, laws: DocumentLaw.all)
    var campaign = Campaign(
      CampaignConfiguration(
        lanes: [lane],
        seed: seed,
        budget: .cases(min(2000, caseLimit)),
        jobs: jobs,
        clock: { 0 },
        isInterrupted: isInterrupted
      )
    )
    let result = campaign.run()
    return result.lanes.flatMap { $0.failures.map(\.headline) }
  }

  // MARK: - Report

  private func report(
    _ kills: [Kill],
    _ coderKills: [CoderSelfTest.Kill],
    _ proofs: [Report.LawProof],
    _ alarms: [String],
    _ seconds: Double
  ) -> Report {
    let rows = kills.map(\.mutant) + coderKills.map(\.mutant)
    let times = kills.map { ($0.mutant.id, $0.seconds) }
    let sizes = kills.compactMap(\.mutant.size).sorted()
    let median = sizes.isEmpty ? 0 : (sizes[(sizes.count - 1) / 2] + sizes[sizes.count / 2]) * 5
    var reasons: [String] = []
    for mutant in rows where mutant.killedBy == nil {
      reasons.append("no law kills the mutant \(mutant.id): \(mutant.sentence)")
    }
    // Laws are proved by the whole set of mutants only.
    if mutants.count == naiveMutants.count, coders?.isWhole == true {
      for proof in proofs where proof.mutant == nil {
        reasons.append("the law \(proof.law) catches no mutant when it is alone")
      }
    }
    reasons += alarms.map { "false alarm: \($0)" }
    var report = Report(
      run: Report.Run(
        command: "selftest",
        seed: seed.description,
        cases: rows.reduce(0) { $0 + $1.cases },
        lawGlobs: [],
        repeatCommand: "touchstone selftest --seed \(seed)"
      ),
      outcome: Report.RunOutcome(
        word: isInterrupted() ? .failed : reasons.isEmpty ? .held : .violated,
        reasons: isInterrupted() ? ["interrupted"] + reasons : reasons
      ),
      clock: Report.Clock(
        startedAt: Date().formatted(.iso8601),
        seconds: seconds,
        jobs: jobs,
        machine: "",
        casesPerSecond: 0,
        mutantSeconds: Dictionary(
          times + coderKills.map { ($0.mutant.id, $0.seconds) },
          uniquingKeysWith: { first, _ in first }
        )
      )
    )
    report.run.program = TouchstoneProgram.words
    let documentLaws = DocumentLaw.all.map {
      Report.Law(name: $0.name, sentence: $0.sentence, source: $0.source)
    }
    report.laws =
      (mutants.isEmpty ? [] : documentLaws)
      + (coders == nil ? [] : CodingLaw.all.map(Report.Law.init))
    report.selfTest = Report.SelfTest(
      mutants: rows,
      laws: proofs,
      medianSizeTenths: median,
      falseAlarms: alarms
    )
    return report
  }
}

/// Results in the order of their indices, whoever came first.
func inParallel<Result: Sendable>(
  _ count: Int,
  jobs: Int,
  _ body: @escaping @Sendable (Int) -> Result
) -> [Result] {
  let next = Mutex(0)
  let results = Mutex<[Int: Result]>([:])
  DispatchQueue.concurrentPerform(iterations: max(1, jobs)) { _ in
    while true {
      let index = next.withLock { value in
        defer { value += 1 }
        return value
      }
      guard index < count else { return }
      let result = body(index)
      results.withLock { $0[index] = result }
    }
  }
  let all = results.withLock { $0 }
  return (0..<count).compactMap { all[$0] }
}
