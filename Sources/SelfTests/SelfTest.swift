package import Campaigns
package import CaseFiles
import DocumentLaws
import Foundation
import Histories
import Mutants
package import PropertyEngine
package import Reporting
import Texts

/// The harness on implementations that are wrong on purpose.
///
/// Each mutant runs until a law kills it; then each law is seen to kill a mutant when it is alone; then
/// the correct implementations are held to all laws, which is how a false alarm shows.
package struct SelfTest: Sendable {
  /// Cases after which a mutant counts as alive unless another number is asked for.
  package static let usualCaseLimit = 20_000

  private let mutants: [Candidate]
  /// The ids that were asked for; none for all.
  private let ids: [String]
  /// Whether all mutants of all catalogues run, so that laws can be proved by them.
  private let isWhole: Bool
  /// The part of the mutants, and of the laws that are proved by all of them, that runs here.
  private let shard: Shard
  private let seed: Seed
  private let caseLimit: Int
  private let jobs: Int
  private let isInterrupted: @Sendable () -> Bool
  private let alarmFolder: CaseFolder?

  /// All mutants, or those with the given ids; one counts as alive after `caseLimit` cases.
  ///
  /// `alarmFolder`: Where the cases of false alarms go; `nil`: nowhere.
  package init(
    mutants ids: [String],
    shard: Shard = .whole,
    seed: Seed,
    caseLimit: Int,
    jobs: Int,
    isInterrupted: @escaping @Sendable () -> Bool,
    alarmFolder: CaseFolder? = nil
  ) {
    let all = Catalogue.all.flatMap { catalogue in
      catalogue.mutants.map { Candidate(catalogue: catalogue, mutant: $0) }
    }
    mutants = ids.isEmpty ? all : all.filter { ids.contains($0.id) }
    isWhole = mutants.count == all.count
    self.ids = ids
    self.shard = shard
    self.seed = seed
    self.caseLimit = caseLimit
    self.jobs = jobs
    self.isInterrupted = isInterrupted
    self.alarmFolder = alarmFolder
  }

  /// One implementation that is wrong on purpose.
  private struct Candidate: Sendable {
    let catalogue: Catalogue
    let mutant: Mutant<ListedSubject>

    var id: String { mutant.id.description }
    var subject: ListedSubject { mutant.subject }
    var aims: [String] { mutant.laws }

    /// The laws that are to kill it: one that is aimed at a law is held to no other, so that what is proved is
    /// that this law finds this bug from random values.
    var killers: Set<String> {
      aims.first.map { [$0] } ?? Set(catalogue.laws.map(\.name))
    }

    /// Candidates that shrinking what kills it may try.
    var shrinkLimit: Int { aims.isEmpty ? 4000 : 400 }

    /// Why the law that is to kill it cannot be asked here; `nil` if it can.
    var obstacle: String? { aims.isEmpty ? nil : subject.lane(killers).reasonToSkip }
  }

  /// What became of one mutant.
  private struct Kill: Sendable {
    var row: Report.Mutant
    /// All laws that the last case broke.
    var laws: Set<String>
    var seconds: Double
  }

  /// Runs every mutant until a law kills it, then sees that each law kills one when it is alone.
  package func run(onLine: @escaping @Sendable (String) -> Void) -> Report {
    let start = ProcessInfo.processInfo.systemUptime
    let obstacles = mutants.compactMap { mutant in mutant.obstacle.map { (mutant, reason: $0) } }
    for (mutant, reason) in obstacles { onLine("\(mutant.id): not judged: \(reason)") }
    let unasked = Set(obstacles.flatMap(\.0.aims))
    let mutants = mutants.filter { $0.obstacle == nil }
    let share = Array(mutants[shard.share(of: mutants.count)])
    // Some coders need a library that is not everywhere. What was asked for by name is to be judged.
    let unjudged = obstacles.filter { !isWhole || $0.0.catalogue.topic != Catalogue.coders.topic }
    let kills = kills(of: share, onLine: onLine)
    // Laws are proved, and correct implementations asked, where the whole set of mutants is.
    if isWhole { onLine("each law alone:") }
    let topics = Set(mutants.map(\.catalogue.topic))
    // The specifications have no stored bytes: bugs in the engine's source prove the laws of those.
    let catalogues = [Catalogue.documents, .coders].filter { topics.contains($0.topic) }
    let laws = isWhole ? provable(catalogues, except: unasked) : []
    let proofs = proofs(of: laws, by: mutants, after: kills, onLine: onLine)
    let alarms = isWhole ? falseAlarms(topics, onLine: onLine) : FalseAlarms()
    return SelfTestResult(
      seed: seed,
      jobs: jobs,
      arguments: SelfTestResult.arguments(mutants: ids, caseLimit: caseLimit),
      shard: shard,
      laws: catalogues.flatMap { catalogue in
        catalogue.laws.map { Report.Law($0, catalogue.topic) }
      },
      mutants: kills.map(\.row),
      mutantSeconds: Dictionary(kills.map { ($0.row.id, $0.seconds) }) { first, _ in first },
      proofs: proofs,
      alarms: alarms.headlines,
      failures: alarms.failures,
      otherReasons: proofs.filter { $0.mutant == nil }
        .map { "the law \($0.law) catches no mutant when it is alone" }
        + unjudged.map { "the mutant \($0.id) was not judged: \($1)" }
        + [alarms.writingError].compactMap { $0.map { "\($0)" } },
      mutantTotal: share.count,
      lawTotal: laws.count,
      isInterrupted: isInterrupted(),
      seconds: ProcessInfo.processInfo.systemUptime - start
    ).report
  }

  // MARK: - Mutants

  private func kills(
    of mutants: [Candidate],
    onLine: @escaping @Sendable (String) -> Void
  ) -> [Kill] {
    inParallel(mutants.count, jobs: jobs) { index -> Kill? in
      let kill = kill(mutants[index])
      // What an interruption ended was not judged: it is in no row.
      if kill.row.killedBy == nil, isInterrupted() { return nil }
      onLine(kill.row.line(seconds: kill.seconds))
      return kill
    }
    .compactMap(\.self)
  }

  private func kill(_ mutant: Candidate) -> Kill {
    let start = ProcessInfo.processInfo.systemUptime
    var run = mutant.subject.lane(mutant.killers).run(seed: seed)
    var killer: Failure?
    // An error proves nothing; what it kept a law from finding, a later case may show.
    repeat {
      let firstCase = run.nextCase
      run.run(
        cases: caseLimit - firstCase,
        shrinkLimit: mutant.shrinkLimit,
        failureLimit: run.failures.count + 1,
        shouldStop: isInterrupted
      )
      killer = run.failures.values.first { $0.key.proves($0.key.law) }
      guard run.nextCase > firstCase else { break }
    } while killer == nil && run.nextCase < caseLimit
    return Kill(
      row: Report.Mutant(
        id: mutant.id,
        sentence: mutant.subject.explanation,
        killedBy: killer?.key.law,
        finding: killer?.difference.summary,
        sample: killer?.sample,
        cases: run.totals.caseCount
      ),
      laws: Set(run.totals.sightings.keys.map(\.law)),
      seconds: ProcessInfo.processInfo.systemUptime - start
    )
  }

  // MARK: - Laws

  /// This part's share of the laws that mutants of their own kind can prove.
  private func provable(
    _ catalogues: [Catalogue],
    except unasked: Set<String>
  ) -> [(name: String, topic: Report.Topic)] {
    // None of the specification has bytes that another subject reads.
    let crossing = Set(DocumentLaw.all.filter(\.isCrossing).map(\.name))
    let all = catalogues.flatMap { catalogue in
      catalogue.laws.map(\.name).filter { !crossing.contains($0) && !unasked.contains($0) }
        .map { (name: $0, topic: catalogue.topic) }
    }
    return Array(all[shard.share(of: all.count)])
  }

  private func proofs(
    of laws: [(name: String, topic: Report.Topic)],
    by mutants: [Candidate],
    after kills: [Kill],
    onLine: @escaping @Sendable (String) -> Void
  ) -> [Report.LawProof] {
    let killers = Dictionary(kills.map { ($0.row.id, $0.laws) }) { first, _ in first }
    return inParallel(laws.count, jobs: jobs) { index -> Report.LawProof? in
      let own = mutants.filter { $0.catalogue.topic == laws[index].topic }
      let proof = prove(laws[index].name, own.map { ($0, killers[$0.id] ?? []) })
      if proof.mutant == nil, isInterrupted() { return nil }
      onLine("  \(proof.law): \(proof.mutant ?? "catches none")")
      return proof
    }
    .compactMap(\.self)
  }

  /// Looks for a mutant that the law catches with no other law to help.
  ///
  /// Mutants that it is known to catch come first, then those that have no law of their own, with a
  /// few cases each.
  private func prove(_ law: String, _ mutants: [(Candidate, Set<String>)]) -> Report.LawProof {
    let known = mutants.filter { $0.1.contains(law) || $0.0.aims.contains(law) }
    let others = mutants.filter { !$0.1.contains(law) && $0.0.aims.isEmpty }
    // In a part of the run the mutants that the law is known to kill may belong to another part: others are then
    // asked for as long as those would be.
    let tiers = [(known, caseLimit), (others, 10), (others, 150), (others, 3000)]
    for (candidates, limit) in tiers + (shard.isWhole ? [] : [(others, caseLimit)]) {
      for (mutant, _) in candidates {
        guard !isInterrupted() else { break }
        var run = mutant.subject.lane([law]).run(seed: seed)
        let isCaught = run.runUntilSighting(
          of: { $0.proves(law) },
          caseLimit: min(limit, caseLimit),
          shouldStop: isInterrupted
        )
        if isCaught {
          return Report.LawProof(law: law, mutant: mutant.id, cases: run.totals.caseCount)
        }
      }
    }
    return Report.LawProof(law: law, mutant: nil, cases: 0)
  }

  private func falseAlarms(_ topics: Set<Report.Topic>, onLine: (String) -> Void) -> FalseAlarms {
    onLine("the correct implementation:")
    let correct = Catalogue.all.compactMap(\.correct)
    let alarms = FalseAlarms(
      on: correct[shard.share(of: correct.count)].filter {
        topics.contains($0.subject.lane(Catalogue.lawNames).subject.topic)
      },
      seed: seed,
      caseLimit: caseLimit,
      jobs: jobs,
      folder: alarmFolder,
      isInterrupted: isInterrupted
    )
    if !isInterrupted() || !alarms.headlines.isEmpty {
      onLine(SelfTestLines.result(alarms: alarms.headlines))
    }
    return alarms
  }
}

extension FailureKey {
  /// Whether a failure shows that the law was violated: an error of the law itself shows only that it could not be
  /// judged.
  ///
  /// That a subject answers at all is no law with a verdict of its own: each error breaks it.
  func proves(_ law: String) -> Bool {
    self.law == law && (!isError || law == Self.answers)
  }
}
