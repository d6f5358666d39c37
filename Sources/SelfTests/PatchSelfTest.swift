package import Campaigns
package import Foundation
import Histories
package import Mutants
package import PropertyEngine
package import Reporting
import Texts

/// The harness on the package itself with bugs in its source, one at a time.
///
/// Each mutant runs in a process of its own: a bug may trap or hang, which counts as caught under
/// the pseudo-law `subject.answers`, unless another law was to catch it.
package struct PatchSelfTest: Sendable {
  private let copy: PatchedCopy
  private let targets: [SourcePatch.Target]
  private let patches: [SourcePatch]
  /// The ids that were asked for; none for all.
  private let ids: [String]
  /// The part of the run: of the patches, and of the targets that are asked without a bug.
  private let shard: Shard
  private let seed: Seed
  private let caseLimit: Int
  private let jobs: Int
  private let isInterrupted: @Sendable () -> Bool

  /// A mutant that comes to no other case for so long counts as hanging.
  private static let secondsLimit = 300.0
  /// Cases without a bug, all laws together.
  private static let alarmCases = 4000

  /// The patches of some targets, or those among them with the given ids.
  package init(
    package folder: URL,
    targets: [SourcePatch.Target],
    mutants ids: [String],
    shard: Shard,
    seed: Seed,
    caseLimit: Int,
    jobs: Int,
    isInterrupted: @escaping @Sendable () -> Bool
  ) {
    copy = PatchedCopy(of: folder)
    self.targets = targets
    let all = sourcePatches.filter {
      targets.contains($0.target) && (ids.isEmpty || ids.contains($0.id))
    }
    patches = Array(all[shard.share(of: all.count)])
    self.ids = ids
    self.shard = shard
    self.seed = seed
    self.caseLimit = caseLimit
    self.jobs = jobs
    self.isInterrupted = isInterrupted
  }

  private struct Kill {
    var patch: SourcePatch
    var outcome: PatchOutcome
    /// Whether the law that the patch names was alone when it caught it.
    var isByOwnLaw: Bool
    var seconds: Double

    var row: Report.Mutant {
      Report.Mutant(
        id: patch.id,
        sentence: patch.sentence,
        killedBy: outcome.finding?.key.law,
        finding: outcome.finding?.difference.summary,
        sample: outcome.sample,
        cases: outcome.cases
      )
    }

    var line: String { row.line(seconds: seconds, notBy: isByOwnLaw ? nil : patch.law) }
  }

  /// Builds the copy, then runs every mutant on its own law, and on all laws if that lets it live.
  ///
  /// A mutant whose process an interruption ended was not judged: it is in no row.
  ///
  /// - Throws: ``Mutants/PatchError``, ``PatchedCopyError``, and ``Subprogram/Interrupted`` before the first mutant.
  package func run(onLine: @escaping @Sendable (String) -> Void) throws -> Report {
    try copy.write()
    onLine("building the package with \(sourcePatches.count) patches; the first time takes minutes")
    try copy.build(isInterrupted: isInterrupted)
    let start = ProcessInfo.processInfo.systemUptime
    typealias Judged = Result<Kill, MutantProcess.NotRun>
    let results = inParallel(patches.count, jobs: jobs) { index -> Judged? in
      guard !isInterrupted() else { return nil }
      let result = Judged { () throws(MutantProcess.NotRun) in try kill(patches[index]) }
      guard !isInterrupted() else { return nil }
      if case .success(let kill) = result { onLine(kill.line) }
      return result
    }
    .compactMap(\.self)
    guard !isInterrupted() else {
      return try report(results, alarms: [], seconds: ProcessInfo.processInfo.systemUptime - start)
    }
    onLine(SelfTestLines.withoutBug)
    let targets = targets[shard.share(of: targets.count)]
    let alarms = try inParallel(targets.count, jobs: jobs) { index in
      let target = targets[targets.startIndex + index]
      return Result { () throws(MutantProcess.NotRun) -> String? in
        let outcome = try process(nil, target, law: nil, caseLimit: Self.alarmCases)
        guard !isInterrupted() else { return nil }
        return outcome.finding.map { SelfTestLines.alarm($0, on: target) }
      }
    }
    .compactMap { try $0.get() }
    onLine(SelfTestLines.result(alarms: alarms))
    return try report(
      results,
      alarms: alarms,
      seconds: ProcessInfo.processInfo.systemUptime - start
    )
  }

  private func kill(_ patch: SourcePatch) throws(MutantProcess.NotRun) -> Kill {
    let start = ProcessInfo.processInfo.systemUptime
    var outcome = try process(patch, patch.target, law: patch.law, caseLimit: caseLimit)
    let isOwn = outcome.finding?.key.proves(patch.law) ?? false
    let isProof = outcome.finding.map { $0.key.proves($0.key.law) } ?? false
    if !isProof, !isInterrupted() {
      let among = try process(patch, patch.target, law: nil, caseLimit: caseLimit)
      if outcome.finding == nil || among.finding != nil { outcome = among }
    }
    let seconds = ProcessInfo.processInfo.systemUptime - start
    return Kill(patch: patch, outcome: outcome, isByOwnLaw: isOwn, seconds: seconds)
  }

  /// Runs the patched program on one bug, or on none.
  private func process(
    _ patch: SourcePatch?,
    _ target: SourcePatch.Target,
    law: String?,
    caseLimit: Int
  ) throws(MutantProcess.NotRun) -> PatchOutcome {
    let name = "\(patch?.id ?? "none-\(target.rawValue)")\(law == nil ? "" : "-alone")"
    return try MutantProcess(copy: copy, seed: seed).run(
      target,
      bug: patch?.number ?? 0,
      mutantID: patch?.id,
      ["--cases", "\(caseLimit)"] + (law.map { ["--law", $0] } ?? []),
      logName: name,
      secondsLimit: Self.secondsLimit,
      isInterrupted: isInterrupted
    ).outcome
  }

  // MARK: - Report

  private func report(
    _ results: [Result<Kill, MutantProcess.NotRun>],
    alarms: [String],
    seconds: Double
  ) throws -> Report {
    let kills = results.compactMap { try? $0.get() }
    let unrun = results.compactMap { result in
      if case .failure(let error) = result { "\(error)" } else { nil }
    }
    var reasons = kills.filter { $0.outcome.finding != nil && !$0.isByOwnLaw }
      .map { "the law \($0.patch.law) alone does not kill the mutant \($0.patch.id)" }
    if patches.isEmpty { reasons.append("no patch of these targets is in the list") }
    return SelfTestResult(
      seed: seed,
      jobs: jobs,
      arguments: targets.map { "--target \($0.rawValue)" }
        + SelfTestResult.arguments(mutants: ids, caseLimit: caseLimit),
      shard: shard,
      laws: try targets.flatMap { try PatchSuite($0).laws }.uniqued(by: \.name),
      mutants: kills.map(\.row),
      mutantSeconds: Dictionary(kills.map { ($0.patch.id, $0.seconds) }) { first, _ in first },
      proofs: kills.filter(\.isByOwnLaw).map {
        Report.LawProof(law: $0.patch.law, mutant: $0.patch.id, cases: $0.outcome.cases)
      },
      alarms: alarms,
      otherReasons: reasons,
      unrun: unrun,
      mutantTotal: patches.count,
      isInterrupted: isInterrupted(),
      seconds: seconds
    ).report
  }
}
