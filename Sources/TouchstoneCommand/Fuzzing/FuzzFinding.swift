import Campaigns
import CaseFiles
import Foundation
import FuzzEntryPoints
import PropertyEngine
import SelfTests

/// One way in which inputs of a fuzz target fail, with the smallest case found of it.
struct FuzzFinding {
  let target: FuzzTarget
  let subject: String
  let key: FailureKey
  /// What the first such input shows.
  let summary: String
  /// The first such input, as libFuzzer wrote it.
  let input: URL
  /// Inputs that failed like this.
  var count = 1
  /// The smallest sample that fails alike; `nil` if the input has none.
  var file: CaseFile?
}

/// Judges inputs that a fuzzer complained of, each in a process of its own: one may end it.
struct FuzzTriage {
  /// This very program.
  let touchstone: URL
  let subject: String?
  /// A folder for scratch files.
  let folder: URL
  let isInterrupted: @Sendable () -> Bool

  /// Seconds for judging one input; those of libFuzzer under a sanitizer are three times as slow.
  private static let judgingSecondsLimit = 60.0
  /// Seconds for making one smaller.
  private static let shrinkingSecondsLimit = 300.0
  /// Processes for making one smaller that ends its process.
  private static let trapAttemptLimit = 150

  /// A row of `touchstone replay --json`.
  private struct Row: Decodable {
    let law: String
    let verdict: String
    let kind: String?
    let summary: String?
  }

  /// Law, kind and summary of what an input breaks; `nil` if all laws hold on it.
  ///
  /// - Throws: What the file system says.
  func failure(of input: URL, _ target: FuzzTarget) throws -> (key: FailureKey, summary: String)? {
    let output = folder.appendingPathComponent("judged.json")
    let end = try run(
      ["replay", "--json", "--target", target.id] + subjectArguments + [input.path],
      output: output,
      secondsLimit: Self.judgingSecondsLimit
    )
    let answers = { (kind: String, summary: String) in
      (FailureKey(law: FailureKey.answers, isError: true, kind: kind), summary)
    }
    switch end {
    case .signalled(let number): return answers("trap", "signal \(number) ended the process")
    case .timedOut:
      return answers("hang", "no answer within \(Int(Self.judgingSecondsLimit)) s")
    case .exited(0): return nil
    case .exited(let status):
      guard let data = try? Data(contentsOf: output),
        let rows = try? JSONDecoder().decode([Row].self, from: data),
        let row = rows.first(where: { $0.verdict != "held" && $0.verdict != "known" })
      else { return answers("exit", "the judging process ended with status \(status)") }
      let key = FailureKey(
        law: row.law,
        isError: row.verdict == "errored",
        kind: row.kind ?? row.verdict
      )
      return (key, row.summary ?? row.verdict)
    }
  }

  /// The smallest sample found that fails as an input does; `nil` if the input has no sample.
  ///
  /// - Throws: What the file system says.
  func smallest(_ finding: FuzzFinding) throws -> CaseFile? {
    finding.key.law == FailureKey.answers ? try smallestTrap(finding) : try shrunk(finding)
  }

  /// A law that is broken can be judged, and made smaller, in one process.
  private func shrunk(_ finding: FuzzFinding) throws -> CaseFile? {
    let goal = folder.appendingPathComponent("smaller.case")
    try? FileManager.default.removeItem(at: goal)
    _ = try run(
      ["shrink", "--target", finding.target.id] + subjectArguments
        + [finding.input.path, "--output", goal.path],
      output: folder.appendingPathComponent("shrunk.log"),
      secondsLimit: Self.shrinkingSecondsLimit
    )
    return try? CaseFolder.read(goal)
  }

  /// What ends its process needs a new one for each candidate; drawing a sample does not ask the
  /// subject.
  private func smallestTrap(_ finding: FuzzFinding) throws -> CaseFile? {
    guard finding.target.readsChoices else { return nil }
    let subject = try finding.target.subject(finding.subject)
    let request = JudgingRequest(drawsOnly: true)
    let input = FuzzInput(bytes: try FuzzInputs.read(finding.input), on: subject, request)
    let candidate = folder.appendingPathComponent("candidate.bin")
    let small = input.shrunk(stepLimit: Self.trapAttemptLimit) { smaller in
      guard !isInterrupted(), (try? Data(smaller.bytes).write(to: candidate)) != nil else {
        return false
      }
      return (try? failure(of: candidate, finding.target))??.key == finding.key
    }
    return small.caseFile(
      Finding(
        key: finding.key,
        difference: Difference(kind: finding.key.kind, summary: finding.summary)
      )
    )
  }

  private var subjectArguments: [String] { subject.map { ["--subject", $0] } ?? [] }

  private func run(
    _ arguments: [String],
    output: URL,
    secondsLimit: Double
  ) throws -> Subprogram.End {
    try Subprogram.run(
      touchstone,
      arguments,
      // A trap that is expected needs no description of the machine's state.
      environment: ["SWIFT_BACKTRACE": "enable=no"],
      output: output,
      secondsLimit: secondsLimit,
      isInterrupted: isInterrupted
    )
  }
}
