import CodingLaws
import Foundation
import Mutants
import PropertyEngine
import Reporting

/// The laws of coders on coders that are wrong on purpose.
///
/// A mutant is held to the law that it is aimed at, and to no other: what is proved is that this law
/// finds this bug from random values.
struct CoderSelfTest: Sendable {
  let mutants: [CoderMutant]
  let seed: Seed
  let caseLimit: Int
  let jobs: Int
  let isInterrupted: @Sendable () -> Bool

  /// What became of one mutant.
  struct Kill: Sendable {
    var mutant: Report.Mutant
    var seconds: Double
  }

  /// Candidates that shrinking what kills a mutant may try.
  private static let shrinkLimit = 400
  /// Cases of each law on the correct coder.
  private static let alarmCases = 20

  /// Whether all mutants run, so that laws can be proved by them.
  var isWhole: Bool { mutants.count == coderMutants.count }

  /// What a mutant's law cannot be asked for here; nil if it can.
  private static func obstacle(to mutant: CoderMutant) -> String? {
    let name = coderLawProofs.first { $0.mutant == mutant.id }?.law
    return CodingLaw.all.first { $0.name == name }?.reasonToSkip(mutant.subject)
  }

  func kills(onLine: @escaping @Sendable (String) -> Void) -> [Kill] {
    let mutants = mutants.filter { mutant in
      guard let reason = Self.obstacle(to: mutant) else { return true }
      onLine("\(mutant.id): not judged: \(reason)")
      return false
    }
    return inParallel(mutants.count, jobs: jobs) { index in
      let start = ProcessInfo.processInfo.systemUptime
      let row = kill(mutants[index])
      let seconds = ProcessInfo.processInfo.systemUptime - start
      onLine(Self.line(row, seconds))
      return Kill(mutant: row, seconds: seconds)
    }
  }

  private func kill(_ mutant: CoderMutant) -> Report.Mutant {
    var row = Report.Mutant(
      id: mutant.id,
      sentence: mutant.sentence,
      killedBy: nil,
      cases: 0,
      size: nil,
      replicas: nil,
      history: []
    )
    guard let proof = coderLawProofs.first(where: { $0.mutant == mutant.id }),
      let run = run(proof)
    else { return row }
    for index in 0..<caseLimit where !isInterrupted() {
      row.cases = index + 1
      guard let found = run.judge(case: index) else { break }
      guard found.failureKind != nil else { continue }
      row.killedBy = proof.law
      guard let small = run.shrink(found, stepLimit: Self.shrinkLimit, shouldStop: isInterrupted)
      else { break }
      row.size = small.sample.size
      row.history = [small.verdict.difference.summary] + small.sample.lines
      break
    }
    return row
  }

  private func run(_ proof: CoderLawProof) -> CodingRun? {
    let laws = CodingLaw.all.filter { $0.name == proof.law }
    return JudgedCoder.mutant(proof.mutant).map { CoderLane($0, laws: laws).run(seed: seed) }
  }

  private static func line(_ mutant: Report.Mutant, _ seconds: Double) -> String {
    guard let law = mutant.killedBy else {
      return "\(mutant.id): ALIVE after \(mutant.cases) cases"
    }
    return "\(mutant.id): killed by \(law) after \(mutant.cases) cases,"
      + " \((seconds * 100).rounded() / 100) s; size \(mutant.size ?? 0)"
  }

  /// For each law, the first mutant that it is known to catch, caught anew.
  func proofs(
    _ kills: [Kill],
    onLine: @escaping @Sendable (String) -> Void
  ) -> [Report.LawProof] {
    let unasked = Set(
      mutants.filter { Self.obstacle(to: $0) != nil }.flatMap { mutant in
        coderLawProofs.filter { $0.mutant == mutant.id }.map(\.law)
      }
    )
    let laws = CodingLaw.all.filter { !unasked.contains($0.name) }
    return inParallel(laws.count, jobs: jobs) { index in
      let name = laws[index].name
      let proof = proof(of: name, kills)
      onLine("  \(name): \(proof.mutant ?? "catches none")")
      return proof
    }
  }

  private func proof(of law: String, _ kills: [Kill]) -> Report.LawProof {
    if let kill = kills.first(where: { $0.mutant.killedBy == law }) {
      return Report.LawProof(law: law, mutant: kill.mutant.id, cases: kill.mutant.cases)
    }
    for known in coderLawProofs where known.law == law {
      guard let run = run(known) else { continue }
      for index in 0..<caseLimit where !isInterrupted() {
        guard run.judge(case: index)?.failureKind != nil else { continue }
        return Report.LawProof(law: law, mutant: known.mutant, cases: index + 1)
      }
    }
    return Report.LawProof(law: law, mutant: nil, cases: 0)
  }

  /// The laws that the correct coder breaks, which is the harness's own mistake.
  func falseAlarms() -> [String] {
    let run = CoderLane(JudgedCoder.specification, laws: CodingLaw.all).run(seed: seed)
    let count = min(CodingLaw.all.count * Self.alarmCases, caseLimit)
    let alarms = inParallel(count, jobs: jobs) { index -> String? in
      guard !isInterrupted(), let found = run.judge(case: index), found.failureKind != nil else {
        return nil
      }
      return "\(found.law) on naive-coder: \(found.verdict.difference.summary)"
    }
    return alarms.compactMap(\.self)
  }
}
