import Campaigns
import CaseFiles
import Foundation
import FuzzEntryPoints
import Programs
import PropertyEngine
import Texts

/// One way in which inputs of a fuzz target fail, with the smallest case found of it.
struct FuzzFinding {
  /// Id of the target.
  let target: String
  /// Id of the subject; of a package's tests the type that they judge.
  let subject: String
  let key: FailureKey
  /// What the first such input shows, in one line.
  let summary: String
  /// The first such input, as libFuzzer wrote it, or the smallest one found that ends its process alike.
  var input: URL
  /// Inputs that failed like this.
  var count = 1
  /// The smallest sample that fails alike; `nil` if the input has none.
  var file: CaseFile?
  /// What judges it again, where `touchstone replay` cannot.
  var replayCommand: String?
}

extension FuzzFinding {
  /// The smallest sample as a case; without one, the input's bytes as hexadecimal digits.
  var caseFile: CaseFile {
    var file =
      file
      ?? CaseFile(
        law: key.law,
        subjects: [subject],
        kind: key.kind,
        seed: nil,
        choices: [],
        sampleFormat: FormName("fuzz-input/1", version: nil),
        sample: hexString((try? FuzzInputs.read(input)) ?? [])
      )
    if file[.shows] == nil { file.set(Difference(kind: key.kind, summary: summary)) }
    return file
  }

  /// What a person does next with the input itself, where its target is one of ours.
  var inputCommand: String {
    "touchstone replay --target \(target) --subject \(subject) \(shellWord(input.path))"
  }
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
    let verdict: Verdict.Word
    let kind: String?
    let summary: String?
  }

  /// Law, kind and summary of what an input breaks; `nil` if all laws hold on it.
  ///
  /// - Throws: What the file system says; `Subprogram.Interrupted` if the run was interrupted meanwhile. How the
  ///   process ended says nothing of the input then.
  func failure(of input: URL, _ target: FuzzTarget) throws -> (key: FailureKey, summary: String)? {
    let output = folder.appendingPathComponent("judged.json")
    let end = try run(
      ["replay", "--json", "--target", target.id] + subjectArguments + [input.path],
      output: output,
      secondsLimit: Self.judgingSecondsLimit
    )
    if isInterrupted() { throw Subprogram.Interrupted() }
    let answers = { (kind: String, summary: String) in
      (FailureKey(law: FailureKey.answers, isError: true, kind: kind), summary)
    }
    let explanation = end.explanation(secondsLimit: Self.judgingSecondsLimit)
    switch end {
    case .signalled, .timedOut, .slept: return answers(end.kind, explanation)
    case .exited(0): return nil
    case .exited:
      guard let data = try? Data(contentsOf: output),
        let rows = try? JSONDecoder().decode([Row].self, from: data), !rows.isEmpty
      else { return answers(end.kind, explanation) }
      // A sample shows nothing if each of its laws was skipped; judging it ends with a failure all the same.
      guard let row = rows.first(where: { [.violated, .errored].contains($0.verdict) }) else {
        return nil
      }
      let key = FailureKey(
        law: row.law,
        isError: row.verdict == .errored,
        kind: row.kind ?? row.verdict.rawValue
      )
      return (key, row.summary ?? row.verdict.rawValue)
    }
  }

  /// The smallest of what was found that fails as an input does.
  enum Smallest {
    case sample(CaseFile)
    /// Of a target whose inputs are bytes.
    case bytes([UInt8])
  }

  /// Makes what fails smaller; `nil` if nothing smaller came of it.
  ///
  /// - Throws: What the file system says.
  func smallest(_ finding: FuzzFinding, of target: FuzzTarget) throws -> Smallest? {
    finding.key.law == FailureKey.answers
      ? try smallestTrap(finding, of: target) : try shrunk(finding, of: target)
  }

  /// A law that is broken can be judged, and made smaller, in one process.
  private func shrunk(_ finding: FuzzFinding, of target: FuzzTarget) throws -> Smallest? {
    let goal = folder.appendingPathComponent(target.readsChoices ? "smaller.case" : "smaller.bin")
    try? FileManager.default.removeItem(at: goal)
    _ = try run(
      ["shrink", "--target", finding.target] + subjectArguments
        + [finding.input.path, "--output", goal.path],
      output: folder.appendingPathComponent("shrunk.log"),
      secondsLimit: Self.shrinkingSecondsLimit
    )
    return target.readsChoices
      ? (try? CaseFolder.read(goal)).map { .sample($0) }
      : (try? FuzzInputs.read(goal)).map { .bytes($0) }
  }

  /// What ends its process needs a new one for each candidate; drawing a sample does not ask the
  /// subject.
  private func smallestTrap(_ finding: FuzzFinding, of target: FuzzTarget) throws -> Smallest? {
    let subject = try target.subject(finding.subject)
    let request = JudgingRequest(drawsOnly: true)
    let input = FuzzInput(bytes: try FuzzInputs.read(finding.input), on: subject, request)
    let candidate = folder.appendingPathComponent("candidate.bin")
    let small = input.shrunk(stepLimit: Self.trapAttemptLimit) { smaller in
      guard !isInterrupted(), (try? Data(smaller.bytes).write(to: candidate)) != nil else {
        return false
      }
      return (try? failure(of: candidate, target))??.key == finding.key
    }
    guard target.readsChoices else {
      return small.bytes == input.bytes ? nil : .bytes(small.bytes)
    }
    return small.caseFile(
      Finding(
        key: finding.key,
        difference: Difference(kind: finding.key.kind, summary: finding.summary)
      )
    )
    .map { .sample($0) }
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
