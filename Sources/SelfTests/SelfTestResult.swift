import Campaigns
import Foundation
import PropertyEngine
import Reporting
import Texts

/// What a self-test found, before it becomes a report.
struct SelfTestResult {
  let seed: Seed
  let jobs: Int
  /// Arguments by which `touchstone selftest` runs the same again, besides the seed.
  var arguments: [String] = []
  /// The part of the run.
  var shard = Shard.whole
  var laws: [Report.Law]
  var mutants: [Report.Mutant]
  /// Seconds by the mutant's id.
  var mutantSeconds: [String: Double]
  var proofs: [Report.LawProof]
  /// Laws that a correct implementation broke.
  var alarms: [String]
  /// The smallest cases that show them.
  var failures: [Report.Failure] = []
  /// Whether a mutant that lives is nothing wrong by itself.
  var mayLive = false
  /// What is wrong besides mutants that live and false alarms.
  var otherReasons: [String] = []
  /// Mutants that were not judged since no process could be run.
  var unrun: [String] = []
  /// How many mutants were to be judged.
  let mutantTotal: Int
  /// How many laws were to be asked alone.
  var lawTotal = 0
  let isInterrupted: Bool
  let seconds: Double

  /// Arguments for the mutants and the cases that were asked for, where they are not the usual ones.
  static func arguments(mutants ids: [String], caseLimit: Int) -> [String] {
    ids.map { "--mutant \($0)" }
      + (caseLimit == SelfTest.usualCaseLimit ? [] : ["--cases \(caseLimit)"])
  }

  /// How far an interrupted run came.
  private var interruption: Report.Reason {
    let laws =
      lawTotal > 0 ? " and \(grouped(proofs.count)) of \(counted(lawTotal, "law")) alone" : ""
    return .interruption(
      after: "\(grouped(mutants.count)) of \(counted(mutantTotal, "mutant"))\(laws)"
    )
  }

  var report: Report {
    let living = mutants.filter { $0.killedBy == nil && !mayLive }
      .map { "no law kills the mutant \($0.id): \($0.sentence)" }
    let reasons = (unrun + living + otherReasons + alarms.map { "false alarm: \($0)" })
      .map { Report.Reason($0) }
    var report = Report(
      run: Report.Run(
        command: .selfTest,
        seed: seed.description,
        cases: mutants.reduce(0) { $0 + $1.cases },
        lawGlobs: [],
        repeatCommand: (["touchstone selftest"] + arguments + ["--seed \(seed)"])
          .joined(separator: " ")
      ),
      outcome: Report.RunOutcome(
        word: isInterrupted || !unrun.isEmpty ? .failed : reasons.isEmpty ? .held : .violated,
        reasons: isInterrupted ? [interruption] + reasons : reasons
      ),
      clock: Report.Clock(
        startedAt: Date().formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)),
        seconds: seconds,
        jobs: jobs,
        machine: "",
        casesPerSecond: 0
      )
    )
    report.run.narrow(to: shard)
    report.run.program = TouchstoneProgram.name
    report.clock.mutantSeconds = mutantSeconds
    report.laws = laws
    report.failures = failures
    report.selfTest = Report.SelfTest(
      mutants: mutants,
      laws: proofs,
      falseAlarms: alarms
    )
    return report
  }
}
