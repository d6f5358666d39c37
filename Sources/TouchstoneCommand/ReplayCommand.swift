public import ArgumentParser
import Campaigns
import CaseFiles
import Foundation
public import FuzzEntryPoints
import PropertyEngine

/// `touchstone replay`: judges stored cases again.
struct ReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Judges stored cases again.",
    discussion: """
      A path is a case file or a folder of them. The history or the model's value in the file is \
      judged, not what today's generator would make of its choices, so that old cases stay what they were. \
      A file of another kind is an input of the fuzz target that a folder above it is named by, such \
      as corpus/histories, or of the one given; it is held to all laws that the target judges, on \
      the target's usual subject unless subjects are given. In a folder, such files end in .bin (of \
      load, in .automerge as well) or have no extension.
      Exit status: 0 all hold, 1 one is still violated, 2 one cannot be judged.
      """
  )

  @OptionGroup var choice: SubjectOptions

  @Option(
    help: ArgumentHelp(
      "The fuzz target that files which are no cases are inputs of: "
        + FuzzTarget.all.map(\.id).joined(separator: ", ") + ".",
      valueName: "target"
    )
  )
  var target: FuzzTarget?

  @Argument(
    help: ArgumentHelp("Case files, a fuzzer's inputs, or folders of them.", valueName: "path")
  )
  var paths: [String]

  @Flag(help: "Print an array of JSON objects instead of words.")
  var json = false

  private struct Row: Encodable {
    let path: String
    let law: String
    let subject: String
    let verdict: String
    let kind: String?
    let summary: String?
    let expected: String?
    let actual: String?
  }

  func run() throws {
    var rows: [Row] = []
    var status: Int32 = 0
    do {
      let pool = WorkerPool.ofThisProgram(["check", "--adapters", choice.place.adapters])
      let outcomes = try paths.flatMap { path in
        try cases(at: path).map { url, file in
          if let error = CaseOfTest(file, at: url) { throw error }
          return (url, try replay(file, in: pool))
        }
          + (try replayInputs(at: path))
      }
      guard !outcomes.isEmpty else {
        throw ValidationError("There are no case files at \(paths.joined(separator: ", ")).")
      }
      for (url, outcome) in outcomes {
        rows.append(row(url, outcome))
        switch outcome.verdict {
        case .violated: status = max(status, 1)
        case .errored: status = 2
        case .held, .known, .skipped: break
        }
        if !json { show(url, outcome) }
      }
      // What is skipped proves nothing.
      let isProof = outcomes.contains { _, outcome in
        if case .skipped = outcome.verdict { false } else { true }
      }
      if !isProof {
        complain("touchstone: nothing was judged: every case was skipped")
        status = 2
      }
    } catch let error as ValidationError {
      throw error
    } catch {
      throw failure(error)
    }
    if json { try printJSON(rows) }
    throw ExitCode(status)
  }

  private func cases(at path: String) throws -> [(url: URL, file: CaseFile)] {
    let url = URL(fileURLWithPath: path)
    var isFolder: ObjCBool = false
    guard unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw ValidationError("There is no \(path).")
    }
    if isFolder.boolValue { return try CaseFolder(url).cases() }
    return FuzzInputs(of: target).target(of: url) == nil ? [(url, try CaseFolder.read(url))] : []
  }

  /// Judges the inputs of fuzz targets at a path, on each subject.
  private func replayInputs(at path: String) throws -> [(URL, Replay.Outcome)] {
    let url = URL(fileURLWithPath: path)
    let inputs = FuzzInputs(of: target)
    let isFolder = try url.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true
    let files = isFolder ? try inputs.files(in: url) : [url]
    let ids = choice.subject.isEmpty ? [nil] : choice.subject.map(Optional.some)
    return try files.flatMap { file -> [(URL, Replay.Outcome)] in
      guard let target = inputs.target(of: file) else { return [] }
      let bytes = try FuzzInputs.read(file)
      return try ids.flatMap { id in
        outcomes(of: try target.judge(bytes, on: id, from: choice.shelf)).map { (file, $0) }
      }
    }
  }

  /// What did not hold on an input; one outcome for the law `*` if all laws did.
  private func outcomes(of input: FuzzInput) -> [Replay.Outcome] {
    let sample =
      input.judged.sample?.stored()
      ?? StoredSample(form: input.group.formName, text: "", size: 0, measure: "")
    func outcome(_ law: String, _ verdict: Verdict) -> Replay.Outcome {
      Replay.Outcome(law: law, subject: input.subjectID, verdict: verdict, sample: sample)
    }
    if input.judged.verdicts.count == 1, let only = input.judged.verdicts.first {
      return [outcome(only.law, only.judgement.verdict)]
    }
    let failed = input.judged.verdicts.filter { _, judgement in
      switch judgement.verdict {
      case .held, .skipped: false
      case .violated, .known, .errored: true
      }
    }
    return failed.isEmpty
      ? [outcome("*", .held)] : failed.map { outcome($0.law, $0.judgement.verdict) }
  }

  /// With workers, so that a case at which a subject traps or hangs has a verdict.
  private func replay(_ file: CaseFile, in pool: WorkerPool?) throws -> Replay.Outcome {
    let shelf = choice.shelf
    // With the oracle, which decides what the subject is compared with.
    let ids = choice.subject.isEmpty ? file.subjects : choice.subject
    let found = try shelf.find(ids)
    if let absent = found.absent.first { throw absent }
    var file = file
    if let id = choice.subject.first { file.set(.subjects, to: id) }
    let lanes = shelf.lanes(found).map { lane in
      pool.map { lane.judged(in: $0, jobs: 1) } ?? lane
    }
    return try Replay(lanes: lanes).run(file)
  }

  private func row(_ url: URL, _ outcome: Replay.Outcome) -> Row {
    let difference = outcome.verdict.difference
    return Row(
      path: url.relativePath,
      law: outcome.law,
      subject: outcome.subject,
      verdict: outcome.verdict.word,
      kind: difference?.kind,
      summary: difference?.summary,
      expected: difference?.expected,
      actual: difference?.actual
    )
  }

  private func show(_ url: URL, _ outcome: Replay.Outcome) {
    print("\(outcome.verdict.word)  \(outcome.law) on \(outcome.subject)  \(url.relativePath)")
    switch outcome.verdict {
    case .violated(let difference), .known(let difference, _):
      for line in "\(difference)".split(separator: "\n") { print("  \(line)") }
      for line in outcome.sample.picture { print("  \(line)") }
    case .errored(let reason), .skipped(let reason):
      print("  \(reason)")
    case .held: break
    }
  }
}

extension FuzzTarget: ExpressibleByArgument {
  public init?(argument: String) {
    self.init(id: argument)
  }
}
