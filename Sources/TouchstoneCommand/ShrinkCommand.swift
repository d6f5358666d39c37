import ArgumentParser
import Campaigns
import CaseFiles
import Foundation
import FuzzEntryPoints
import PropertyEngine
import Texts

/// `touchstone shrink`: tries to make a stored case smaller.
struct ShrinkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "shrink",
    abstract: "Makes the history or the model's value of a case file smaller, if that can be.",
    discussion: """
      The file gets the smaller sample, with its choices and what it shows, whole or not at all; its other headers \
      stay, and where nothing smaller was found, the whole file does. With --target the file is an input of \
      a fuzz target, and what was found goes where --output says: as a case file if that ends in .case, else as an \
      input.
      Exit status: 0 nothing fails any more, and nothing was changed; 1 it fails, and the file holds the smallest \
      sample found; 2 the file was not read, judged or written.
      """
  )

  @OptionGroup var adapterFolder: AdapterFolderOptions

  @Option(help: .value("n", "Candidates to try at most."), from: 1)
  var steps: Int = 20_000

  @Option(help: .value("target", "The fuzz target that the file is an input of."))
  var target: FuzzTarget?

  @Option(help: .value("id", "What the input is judged on. Default: the target's usual subject."))
  var subject: String?

  @Option(help: .value("path", "With --target, where the case or the smaller input goes."))
  var output: String?

  @Argument(help: .value("path", "A case file, or an input."))
  var path: String

  @Flag(help: "Print JSON instead of words.")
  var json = false

  mutating func validate() throws {
    if (target == nil) != (output == nil) {
      throw ValidationError("--target and --output go together: the input stays as it is.")
    }
    if let target, let output, !target.readsChoices, output.hasSuffix(".case") {
      throw ValidationError(
        "Inputs of the target \(target.id) are bytes as they come from outside: let --output end otherwise than "
          + "in .case."
      )
    }
    if target == nil, subject != nil {
      throw ValidationError("A case names its subject: --subject goes with --target.")
    }
  }

  private struct Result: Encodable {
    let path: String
    let repeats: Bool
    let size: Int?
    let history: [String]?
  }

  func run() throws {
    if let target, let output { throw ExitCode(try shrinkInput(target, to: output) ? 1 : 0) }
    let url = URL(fileURLWithPath: path)
    let file = try CaseFolder.read(url)
    if let error = CaseOfTest(file, at: url) { throw error }
    let found = try adapterFolder.registry.find(file.subjects, judging: file, at: url)
    if let absent = found.absent.first { throw absent }
    let console = Console(isQuiet: json)
    var lanes = adapterFolder.registry.lanes(found)
    if let pool = try WorkerPool.ofThisProgram(["check", "--adapters", adapterFolder.adapters]) {
      lanes = lanes.map { $0.judged(in: pool, jobs: 1) }
    }
    let replay = Replay(lanes: lanes)
    let small = try replay.shrink(file, stepLimit: steps) {
      console.step(counted($0, "choice"))
    }
    // Without a sample of its choices the one that is stored decides.
    if small == nil { try file.requireReadableSample() }
    let outcome = small == nil ? try replay.run(file) : try? replay.run(file)
    let smaller = small.flatMap { file.isLarger(than: $0, judgedAs: outcome) ? $0 : nil }
    // The very file that was read, whatever it is called, and the one that a link leads to.
    if let smaller {
      try CaseFolder.write(file.holding(smaller), to: url.resolvingSymlinksInPath())
    }
    // What the file holds now.
    let held = small.map { smaller?.sample ?? outcome?.sample ?? $0.sample }
    let isHarmless =
      switch small == nil ? outcome?.verdict : nil {
      case .held, .known, .skipped: true
      case .violated, .errored, nil: false
      }
    if json {
      try printJSON(
        Result(
          path: path,
          repeats: !isHarmless,
          size: held?.size,
          history: held?.lines
        )
      )
    } else if let held {
      print(
        smaller == nil
          ? "nothing smaller was found: \(held.measure), as before, in \(path)"
          : "\(held.measure), written to \(path)"
      )
      for line in held.picture { print(line) }
    } else if let outcome {
      show(outcome)
    }
    throw ExitCode(isHarmless ? 0 : 1)
  }

  /// Why the file was not changed, its stored sample judged again.
  private func show(_ outcome: Replay.Outcome) {
    print("\(outcome.verdict.word)  \(outcome.law) on \(outcome.subject)  \(path)")
    let words =
      switch outcome.verdict {
      case .held: "the case holds now: there is nothing to shrink, and nothing was changed"
      case .known(_, let reason): "it is a known divergence (\(reason)); nothing was changed"
      case .skipped(let reason): "\(reason); nothing was changed"
      case .violated, .errored:
        "it fails still, but its choices no longer make what fails so: nothing was changed"
      }
    print("  \(words)")
  }

  /// Writes the smallest case, or input, that an input leads to; whether it breaks a law.
  private func shrinkInput(_ target: FuzzTarget, to output: String) throws -> Bool {
    try target.requireSubject(subject, of: adapterFolder.registry)
    let input = try target.judge(
      FuzzInputs.read(URL(fileURLWithPath: path)),
      on: subject,
      from: adapterFolder.registry
    )
    guard let finding = input.finding else {
      if json { try printJSON(Result(path: path, repeats: false, size: nil, history: nil)) }
      if !json { print("all laws hold on \(input.subjectID): there is nothing to shrink") }
      return false
    }
    let (small, smallFinding) = input.smallest(showing: finding, stepLimit: steps)
    let goal = URL(fileURLWithPath: output)
    if goal.pathExtension == "case", let file = small.caseFile(smallFinding) {
      try CaseFolder.write(file, to: goal)
    } else {
      try Data(small.bytes).write(to: goal, options: .atomic)
    }
    let sample = small.judged.sample?.stored()
    if json {
      try printJSON(Result(path: output, repeats: true, size: sample?.size, history: sample?.lines))
    } else {
      let measure =
        target.readsChoices ? sample?.measure ?? "a case" : counted(small.bytes.count, "byte")
      print("\(measure), written to \(output)")
      for line in sample?.picture ?? [] { print(line) }
    }
    return true
  }
}
