import ArgumentParser
import Campaigns
import CaseFiles
import Foundation
import FuzzEntryPoints
import PropertyEngine
import Texts

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
      A file that cannot be judged is named with the reason, and the others are judged all the same.
      Exit status: 0 all hold, 1 one is still violated, 2 one cannot be judged, 130 or 143 if it was interrupted.
      """
  )

  @Option(
    help: ArgumentHelp(
      "A subject to judge instead of the one that a case names; may be repeated.",
      discussion: "`touchstone list subjects` names them; `mutant:ID` is a wrong one.",
      valueName: "id"
    )
  )
  var subject: [String] = []

  @OptionGroup var adapterFolder: AdapterFolderOptions

  @Option(
    help: .value("target", "The fuzz target that files which are no cases are inputs of.")
  )
  var target: FuzzTarget?

  @Argument(help: .value("path", "Case files, a fuzzer's inputs, or folders of them."))
  var paths: [String]

  @Flag(help: "Print an array of JSON objects instead of words.")
  var json = false

  mutating func validate() throws {
    if subject.contains(SubjectRegistry.usualID) {
      throw ValidationError(
        "--subject \(SubjectRegistry.usualID) stands for those that `check` judges: name each subject."
      )
    }
  }

  private struct Row: Encodable {
    let path: String
    let law: String?
    let subject: String?
    let verdict: String
    let kind: String?
    let summary: String?
    let expected: String?
    let actual: String?
  }

  /// A file that is to be judged.
  private struct Pending {
    let url: URL
    let judge: () throws -> [Replay.Outcome]
  }

  /// A file, and what came of judging what it holds.
  private struct Judged {
    let url: URL
    let outcomes: Result<[Replay.Outcome], any Error>
  }

  func run() throws {
    var rows: [Row] = []
    var status: Int32 = 0
    try requireSubjects(
      subject,
      of: adapterFolder.registry,
      orAnyOf: FuzzTarget.all.map(\.usualSubject)
    )
    let pool = try WorkerPool.ofThisProgram(
      ["check", "--adapters", adapterFolder.adapters],
      isAbandoned: { Interruption.isAbandoned }
    )
    Interruption.install()
    let pending = try paths.flatMap { try self.pending(at: $0, in: pool) }
    guard !pending.isEmpty else {
      throw FileFailure("there are no case files at \(paths.joined(separator: ", "))")
    }
    var files: [Judged] = []
    for file in pending where !Interruption.isRequested {
      let judged = Judged(url: file.url, outcomes: Result { try file.judge() })
      // An interruption has ended what judged it.
      if case .failure = judged.outcomes, Interruption.isAbandoned { break }
      files.append(judged)
    }
    var unjudgedCount = 0
    for judged in files {
      switch judged.outcomes {
      case .success(let outcomes):
        for outcome in outcomes {
          rows.append(row(judged.url, outcome))
          status = max(status, Self.status(of: outcome))
          if !json { show(judged.url, outcome) }
        }
      case .failure(let error):
        // The others are judged all the same.
        unjudgedCount += 1
        status = 2
        rows.append(row(judged.url, error))
        complain("touchstone: \(Self.message(of: error, at: judged.url))")
      }
    }
    if unjudgedCount > 0, files.count > 1 {
      complain(
        "touchstone: \(grouped(unjudgedCount)) of \(counted(files.count, "file")) could not be judged"
      )
    }
    // What is skipped proves nothing.
    let outcomes = files.flatMap { (try? $0.outcomes.get()) ?? [] }
    let isProof = outcomes.contains { outcome in
      if case .skipped = outcome.verdict { false } else { true }
    }
    if !isProof, unjudgedCount < files.count, !Interruption.isRequested {
      complain("touchstone: nothing was judged: every case was skipped")
      status = 2
    }
    if json { try printJSON(rows) }
    if let ending = Interruption.ending(after: files.count, of: pending.count, "file") {
      complain("touchstone: \(ending)")
    }
    throw ExitCode(Interruption.exitStatus ?? status)
  }

  private static func status(of outcome: Replay.Outcome) -> Int32 {
    switch outcome.verdict {
    case .violated: 1
    case .errored: 2
    case .held, .known, .skipped: 0
    }
  }

  /// Why a file could not be judged, with its path.
  private static func message(of error: any Error, at url: URL) -> String {
    let words = "\(error)"
    return words.contains(url.relativePath) ? words : "\(url.relativePath): \(words)"
  }

  /// The files at a path: the case files, then the inputs of fuzz targets.
  private func pending(at path: String, in pool: WorkerPool?) throws -> [Pending] {
    let url = URL(fileURLWithPath: path)
    guard FileManager.default.fileExists(atPath: path) else {
      throw FileFailure("cannot read \(path)", reason: "there is no such file")
    }
    let isFolder = url.isFolder == true
    let inputs = FuzzInputs(of: target)
    let cases =
      isFolder
      ? try CaseFolder(url).cases
      : inputs.target(of: url) == nil ? [(url, Result { try CaseFolder.read(url) })] : []
    let files = isFolder ? try inputs.files(in: url) : [url]
    return cases.map { url, stored in
      Pending(url: url, judge: { try replay(stored.get(), at: url, in: pool) })
    }
      + files.compactMap { file in
        inputs.target(of: file).map { target in
          Pending(url: file, judge: { try replayInput(file, of: target) })
        }
      }
  }

  /// Judges an input of a fuzz target on each subject.
  private func replayInput(_ file: URL, of target: FuzzTarget) throws -> [Replay.Outcome] {
    let bytes = try FuzzInputs.read(file)
    let ids = subject.isEmpty ? [nil] : subject.map(Optional.some)
    return try ids.flatMap { id in
      outcomes(of: try target.judge(bytes, on: id, from: adapterFolder.registry))
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

  /// Judges a case on the subject that it names, or on each of those asked for.
  private func replay(
    _ file: CaseFile,
    at url: URL,
    in pool: WorkerPool?
  ) throws -> [Replay.Outcome] {
    if let error = CaseOfTest(file, at: url) { throw error }
    // With the oracle, which decides what the subject is compared with.
    if subject.isEmpty { return [try replay(file, on: file.subjects, at: url, in: pool)] }
    return try subject.map { id in
      var file = file
      file.set(.subjects, to: id)
      return try replay(file, on: [id], at: url, in: pool)
    }
  }

  /// With workers, so that a case at which a subject traps or hangs has a verdict.
  private func replay(
    _ file: CaseFile,
    on ids: [String],
    at url: URL,
    in pool: WorkerPool?
  ) throws -> Replay.Outcome {
    let registry = adapterFolder.registry
    let found = try registry.find(ids, judging: file, at: url)
    if let absent = found.absent.first { throw absent }
    try file.requireReadableSample()
    let lanes = registry.lanes(found).map { lane in
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
      verdict: outcome.verdict.word.rawValue,
      kind: difference?.kind,
      summary: difference?.summary,
      expected: difference?.expected,
      actual: difference?.actual
    )
  }

  /// What a program reads of a file that could not be judged.
  private func row(_ url: URL, _ error: any Error) -> Row {
    Row(
      path: url.relativePath,
      law: nil,
      subject: nil,
      verdict: "not judged",
      kind: nil,
      summary: "\(error)",
      expected: nil,
      actual: nil
    )
  }

  private func show(_ url: URL, _ outcome: Replay.Outcome) {
    print("\(outcome.verdict.word)  \(outcome.law) on \(outcome.subject)  \(url.relativePath)")
    switch outcome.verdict {
    case .violated(let difference), .known(let difference, _):
      print("  \(difference.summary) [\(difference.kind)]")
      let named = difference.naming(outcome.subject, oracle: outcome.oracle)
      if let words = named.comparison {
        print("    \(words)")
      }
      let shown = expectedAndFound(
        difference.expected,
        difference.actual,
        labels: difference.labels
      )
      for line in shown {
        print("    \(line)")
      }
      for line in outcome.sample.picture { print("  \(line)") }
      if !outcome.calls.isEmpty {
        print("  \(callsHeading):")
        for line in outcome.calls { print("    \(Output.visible(line))") }
      }
    case .errored(let reason), .skipped(let reason):
      print("  \(reason)")
    case .held: break
    }
  }
}

extension FuzzTarget: ExpressibleByArgument {
  package init?(argument: String) {
    self.init(id: argument)
  }

  package static var allValueStrings: [String] { all.map(\.id) }
}
