import Campaigns
import CaseFiles
import Foundation
import PropertyEngine
import Reporting
import Texts

/// Turns what a fuzzer's run found into a report.
struct FuzzReport {
  let rows: [FuzzRow]
  let findings: [FuzzFinding]
  /// What judges the smallest samples once more, to show them; `nil` where only the tests of a package can.
  let registry: SubjectRegistry?
  let command: String
  let seed: String
  let isInterrupted: Bool
  let startedAt: String
  let seconds: Double
  let jobs: Int

  func build() -> Report {
    var report = Report(
      run: Report.Run(
        command: .fuzz,
        seed: seed,
        cases: inputs,
        lawGlobs: [],
        repeatCommand: command
      ),
      outcome: Report.RunOutcome(word: .held),
      clock: Report.Clock(
        startedAt: startedAt,
        seconds: seconds,
        jobs: jobs,
        machine: machineDescription,
        casesPerSecond: seconds > 0 ? Double(inputs) / seconds : 0
      )
    )
    report.run.program = TouchstoneProgram.name
    report.fuzzing = rows.map(\.figures)
    var names = UniqueNames()
    report.failures = findings.map { reported($0, &names) }
    report.outcome = outcome
    return report
  }

  private func reported(_ finding: FuzzFinding, _ names: inout UniqueNames) -> Report.Failure {
    let file = finding.caseFile
    let difference = file.difference(finding.summary, kind: finding.key.kind)
    // Only what did not end a process is run again here.
    let isSafe = finding.key.law != FailureKey.answers
    let found = try? registry?.find(file.subjects)
    let lanes = registry.flatMap { registry in found.map { registry.lanes($0) } } ?? []
    let lane = lanes.first { $0.isMeant(by: file) }
    let sample = isSafe ? (try? Replay(lanes: lanes).run(file))?.sample : nil
    var failure = Failure(
      file,
      Finding(key: finding.key, difference: difference),
      sample ?? file.stored
    )
    failure.caseCount = finding.count
    // Several targets may end the process of one subject alike.
    failure.name = names.claim(failure.slug, separator: "-")
    let isShown = isSafe && lane != nil && sample != nil
    var reported =
      (isShown ? lane : nil).map { failure.reported(in: $0) }
      ?? failure.reported(with: Lane.Illustration())
    if let command = finding.replayCommand {
      reported.replayCommand = command
      reported.replayer = .tests
    }
    return reported
  }

  /// Inputs that were run.
  private var inputs: Int { rows.reduce(0) { $0 + $1.figures.executions } }

  private var outcome: Report.RunOutcome {
    var breakdowns = rows.flatMap { row in
      row.breakdowns.map { Report.Reason("\(row.figures.target): \($0)") }
    }
    for row in rows where row.figures.executions == 0 && row.breakdowns.isEmpty {
      breakdowns.append(Report.Reason("\(row.figures.target): no input was run"))
    }
    if isInterrupted { breakdowns.append(.interruption(after: counted(inputs, "input"))) }
    let violations = findings.map { finding in
      Report.Reason(
        "\(finding.key.law) on \(finding.subject): \(finding.summary)",
        kind: .failure
      )
    }
    let word: Report.RunOutcome.Word =
      breakdowns.isEmpty ? (violations.isEmpty ? .held : .violated) : .failed
    return Report.RunOutcome(word: word, reasons: violations + breakdowns)
  }
}
