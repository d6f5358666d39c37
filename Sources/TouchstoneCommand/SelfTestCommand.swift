import ArgumentParser
import Campaigns
import CaseFiles
import Foundation
import Mutants
import Programs
import PropertyEngine
import Reporting
import SelfTests
import Texts

/// `touchstone selftest`: the harness on implementations that are wrong on purpose.
struct SelfTestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "selftest",
    abstract: "Runs the laws on mutants: implementations that are wrong in one way each.",
    discussion: """
      A mutant that no law kills is a hole in the laws; a law that kills none proves nothing; a law \
      that fails on the correct implementation is a false alarm. Any of these is exit status 1.

      Without --target the mutants are wrong specifications: of documents, each held to all laws, and of \
      the coder, of records and of stores, each held to the law that it is aimed at. With it they are bugs in the \
      source of Touchstone itself: a copy of the package with all of them is made in \
      .build/mutants and built (minutes, the first time), and each runs in a process of its own.

      With --generated the bugs are not planted by hand: a program writes them by operators, and a \
      sample of them is drawn. The result is the share that the laws find within some time.
      """
  )

  @OptionGroup var seedOption: SeedOption

  @Option(
    help: .value(
      "part",
      "The part whose source is patched: engine, tight, document, coder, records, store; may be repeated."
    )
  )
  var target: [SourcePatch.Target] = []

  @Option(
    name: .customLong("package"),
    help: .value("dir", "Where Touchstone's own sources are, for --target.")
  )
  var package: String = "."

  @Option(
    help: .value(
      "n",
      "Number of mutants to draw that a program wrote, from the parts that --target names or else engine, document and coder."
    ),
    transform: wholeNumber(from: 1, to: 50_000)
  )
  var generated: Int?

  @Option(
    help: .value("time", "With --generated: processor time of each mutant. Default: 60s."),
    transform: TimeSpan.inSeconds
  )
  var seconds: TimeSpan?

  @Option(help: .value("percent", "With --generated: fail if a smaller share is found wrong."))
  var atLeast: Double?

  @Option(help: .value("id", "A mutant, by its id; may be repeated."))
  var mutant: [String] = []

  @Option(help: .value("n", "Cases after which a mutant counts as alive."), from: 1)
  var cases = SelfTest.usualCaseLimit

  @OptionGroup var jobsOption: JobsOption

  @OptionGroup var shardOption: ShardOption

  @OptionGroup var reportOption: ReportOption

  @Flag(help: "Print the report as JSON instead of words.")
  var json = false

  mutating func validate() throws {
    // As reports name it.
    mutant = mutant.map { MutantID(subjectID: $0)?.description ?? $0 }
    if generated == nil, seconds != nil || atLeast != nil {
      throw ValidationError("--seconds and --at-least are for --generated.")
    }
    if generated != nil, !mutant.isEmpty {
      throw ValidationError("--generated draws its mutants: it takes none by --mutant.")
    }
    if generated != nil, shardOption.shard != nil {
      throw ValidationError(
        "--generated makes one score: machines that share the work draw by seeds of their own, without --shard."
      )
    }
    _ = try shardOption.part()
  }

  func run() throws {
    let targets = SourcePatch.Target.allCases.filter(target.contains)
    let known =
      targets.isEmpty
      ? SubjectRegistry.mutants.map(\.id.description)
      : sourcePatches.filter { targets.contains($0.target) }.map(\.id)
    for id in mutant where !known.contains(id) {
      if let patch = sourcePatches.first(where: { $0.id == id }) {
        throw ValidationError(
          "'\(id)' is a bug in the sources: add --target \(patch.target.rawValue)."
        )
      }
      if targets.isEmpty, let mutant = deadlyMutants.first(where: { $0.id.description == id }) {
        throw ValidationError(
          "'\(id)' ends its process, which a self-test would not outlive: "
            + "`touchstone check --subject \(mutant.id.subjectID)` judges it in workers."
        )
      }
      throw ValidationError(
        "There is no mutant '\(id)' here.\(suggestion(for: id, among: known)) "
          + "`touchstone list mutants` names them."
      )
    }
    try shardOption.validate(of: mutant.isEmpty ? known.count : mutant.count, "mutants")
    let shard = try shardOption.part()
    let seed = try seedOption.value(usual: Seed(value: 1))
    try Threads.require()
    let console = Console(isQuiet: json)
    Interruption.install(.init(work: "the mutants at work"), console: console)
    do {
      let folder = try reportOption.folder()
      try folder?.clear()
      if targets.isEmpty, generated == nil, mutant.isEmpty {
        let ids = deadlyMutants.map(\.id.description).joined(separator: ", ")
        console.line("without \(ids): they end their process, and `touchstone check` judges them")
      }
      let result =
        try generated.map { try self.result(generated: $0, targets, seed, console) }
        ?? result(targets, seed, console, shard: shard, alarmFolder: folder?.failures)
      try folder?.write(result)
      try printReport(result, asJSON: json, folder: reportOption.report)
      throw ExitCode(Interruption.exitStatus ?? result.outcome.exitStatus)
    } catch is Subprogram.Interrupted {
      complain("touchstone: interrupted before the first mutant was judged")
      throw ExitCode(Interruption.exitStatus ?? 2)
    }
  }

  private func result(
    generated count: Int,
    _ targets: [SourcePatch.Target],
    _ seed: Seed,
    _ console: Console
  ) throws -> Report {
    let (result, score) = try GeneratedSelfTest(
      GeneratedSelfTest.Configuration(
        folder: URL(fileURLWithPath: package),
        targets: targets.isEmpty ? [.engine, .document, .coder] : targets,
        count: count,
        seed: seed,
        secondsLimit: seconds?.seconds ?? 60,
        jobs: jobsOption.count,
        percentWanted: atLeast ?? 0
      ),
      isInterrupted: { Interruption.isRequested }
    ).run { console.line($0) }
    for line in score.survivorLines { console.line(line) }
    console.line(score.origin)
    console.line(score.table)
    if let report = reportOption.report {
      let file = URL(fileURLWithPath: report).appendingPathComponent("score.json")
      try writeFile(ReportFolder.encoded(score), to: file)
    }
    return result
  }

  private func result(
    _ targets: [SourcePatch.Target],
    _ seed: Seed,
    _ console: Console,
    shard: Shard,
    alarmFolder: CaseFolder?
  ) throws -> Report {
    guard targets.isEmpty else {
      return try PatchSelfTest(
        package: URL(fileURLWithPath: package),
        targets: targets,
        mutants: mutant,
        shard: shard,
        seed: seed,
        caseLimit: cases,
        jobs: jobsOption.count,
        isInterrupted: { Interruption.isRequested }
      ).run { console.line($0) }
    }
    return SelfTest(
      mutants: mutant,
      shard: shard,
      seed: seed,
      caseLimit: cases,
      jobs: jobsOption.count,
      isInterrupted: { Interruption.isRequested },
      alarmFolder: alarmFolder
    ).run { console.line($0) }
  }
}
