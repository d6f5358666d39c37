import ArgumentParser
import Campaigns
import CaseFiles
import Foundation
import FuzzEntryPoints
import Programs
import PropertyEngine
import Reporting
import Texts

/// `touchstone fuzz`: coverage-guided campaigns.
struct FuzzCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fuzz",
    abstract: "Fuzzes with libFuzzer: inputs that reach new code are kept and changed further.",
    discussion: """
      Your own tests, on Linux, with the toolchain of swift.org: `expectLaws(of:)`, `expectProperty` and \
      all others are fuzz targets as they stand.

        touchstone fuzz --package .              all its tests, for a minute
        touchstone fuzz --package . --test noteIsSafe --budget 10m
        touchstone fuzz --package . --type Note  whatever tests judge this type

      The first run builds the package's tests once more, with libFuzzer in them, which takes minutes. \
      What fails is made small and stored in `__Touchstone__` beside the test, where `swift test` tries \
      it first. Inputs that reached something new are kept below `.build/touchstone-fuzz` of the package, \
      and the next run goes on from them.

      In a clone of Touchstone:

        touchstone fuzz all --budget 5m        most time for what finds most
        touchstone fuzz histories              the engine, beside the specification
        touchstone fuzz load --sanitizer none  three times as fast,
                                               blind to errors of memory
        touchstone fuzz histories --inputs 20000 --seed 1
                                               a run that repeats
        touchstone fuzz sync --without-libfuzzer --inputs 100000
                                               on any system, nothing is built
        touchstone fuzz all --coverage         and which code the inputs enter

      The first run builds a fuzzer, which takes minutes. Inputs that reach something new are kept in \
      the corpus and serve the next run; they are taken to a minimum at the end. An input that breaks a \
      law, ends the process, hangs or takes too much memory is judged again in a process of its own; \
      the first of each kind is made smaller and becomes a case file in the report. The fuzzer goes on.
      `touchstone list targets` names the targets; --shard gives each of several machines a share of them, \
      for the whole budget; with --inputs they need the same --seed.
      Exit status: 0 nothing found, 1 something was, 2 a fuzzer failed or nothing ran.
      """
  )

  @Argument(help: .value("target", "Targets, or 'all'; none for the tests of a package."))
  var targets: [String] = []

  @Option(
    help: .value(
      "name",
      "A test of the package, by its function, its suite or its id. Default: all tests."
    )
  )
  var test: String?

  @Option(help: .value("name", "The type whose laws are fuzzed, as failures name it."))
  var type: String?

  @Option(
    name: .customLong("build-argument"),
    help: .value(
      "arg",
      "An argument for `swift build` of the package, written with =; may be repeated."
    )
  )
  var buildArguments: [String] = []

  @OptionGroup var budgetOption: BudgetOption

  @Option(
    help: .value(
      "n",
      "Inputs for each target instead of a time: the same ones every time, up to the first failure."
    ),
    transform: wholeNumber(from: 1)
  )
  var inputs: Int?

  @OptionGroup var seedOption: SeedOption

  @Option(
    help: ArgumentHelp(
      "What is judged. Default: what each target usually judges.",
      discussion: "`touchstone list subjects` names them; `mutant:ID` is a wrong one.",
      valueName: "id"
    )
  )
  var subject: String?

  @OptionGroup var jobsOption: JobsOption

  @OptionGroup var shardOption: ShardOption

  @Option(help: .value("name", "address, thread or none."))
  var sanitizer: FuzzBuild.Sanitizer = .address

  @Option(
    help: .value(
      "dir",
      "Where kept inputs are, a folder for each target. Default: below the package's build folder."
    )
  )
  var corpus: String?

  @Option(help: .value("dir", "Where the report goes. Default: beside the kept inputs."))
  var report: String?

  @Option(
    name: .customLong("package"),
    help: .value(
      "dir",
      "The package whose tests are fuzzed; with targets, the clone of Touchstone."
    )
  )
  var package: String?

  @Flag(help: "Start without the inputs that the clone comes with.")
  var noSeeds = false

  @Flag(help: "Use the fuzzer that was built before.")
  var noBuild = false

  @Flag(help: "Build the fuzzer and run nothing.")
  var buildOnly = false

  @Flag(
    name: .customLong("without-libfuzzer"),
    help: ArgumentHelp(
      "Judge inputs made of seeds at random, in this process; coverage guides nothing.",
      discussion:
        "It needs --inputs and takes --seed or --subject as well, but --jobs is refused: one input is judged at a time. "
        + "Failing inputs are kept below Fuzz/.build/derived."
    )
  )
  var withoutLibFuzzer = false

  @Option(
    name: .customLong("libfuzzer"),
    help: .value("arg", "An argument for libFuzzer itself; may be repeated.")
  )
  var libFuzzer: [String] = []

  @Flag(
    help: ArgumentHelp(
      "Tell how much of each module's code the kept inputs enter, and those that the run began with.",
      discussion:
        "The program, or the package's tests, are built once more with the compiler's counters."
    )
  )
  var coverage = false

  @Flag(help: "Print the report as JSON instead of words.")
  var json = false

  mutating func validate() throws {
    try requireFolder(report, of: "--report")
    try requireFolder(corpus, of: "--corpus")
    if budgetOption.budget != nil, inputs != nil {
      throw ValidationError("Give either --budget or --inputs: one of them ends the run.")
    }
    if targets.isEmpty {
      guard package != nil else {
        throw ValidationError(
          "Name targets, or 'all', or a package by --package: its tests are fuzzed."
        )
      }
      let foreign = [
        (subject != nil, "--subject"), (inputs != nil, "--inputs"),
        (sanitizer != .address, "--sanitizer"),
        (noBuild, "--no-build"), (buildOnly, "--build-only"),
        (withoutLibFuzzer, "--without-libfuzzer"),
        (shardOption.shard != nil, "--shard"),
      ]
      if let (_, option) = foreign.first(where: \.0) {
        throw ValidationError("\(option) is for targets of Touchstone itself: name one, or 'all'.")
      }
    } else if test != nil || type != nil || !buildArguments.isEmpty {
      throw ValidationError(
        "--test, --type and --build-argument are for a package's own tests: name no target."
      )
    }
    if withoutLibFuzzer {
      guard inputs != nil else {
        throw ValidationError("--without-libfuzzer needs --inputs: how many are judged.")
      }
      let guided = [
        (sanitizer != .address, "--sanitizer"), (noBuild, "--no-build"),
        (buildOnly, "--build-only"), (noSeeds, "--no-seeds"), (corpus != nil, "--corpus"),
        (report != nil, "--report"), (json, "--json"), (coverage, "--coverage"),
        (!libFuzzer.isEmpty, "--libfuzzer"),
        (jobsOption.jobs != nil, "--jobs"),
      ]
      if let (_, option) = guided.first(where: \.0) {
        throw ValidationError("\(option) is for runs with libFuzzer.")
      }
    }
    try shardOption.validate(of: max(1, named().count), "targets")
    // By time no seed decides anything, and one that each machine draws would make them parts of other runs.
    if try inputs != nil && !shardOption.part().isWhole, seedOption.seed == nil {
      throw ValidationError(
        "--shard with --inputs needs --seed, the same for all parts: else each is a part of another run."
      )
    }
  }

  /// The targets that this machine fuzzes: its share of those that were named.
  private func chosen() throws -> [FuzzTarget] {
    let named = try named()
    return Array(named[try shardOption.part().share(of: named.count)])
  }

  private func named() throws -> [FuzzTarget] {
    if targets == ["all"] { return FuzzTarget.all }
    if targets.contains("all") {
      throw ValidationError("'all' stands for every target: name it alone.")
    }
    return try targets.map { name in
      guard let target = FuzzTarget(id: name) else {
        let names = FuzzTarget.all.map(\.id)
        let guess = suggestion(for: name, among: names + ["all"])
        throw ValidationError(
          "There is no fuzz target '\(name)'.\(guess) Write all, \(names.joined(separator: ", "))."
        )
      }
      return target
    }
  }

  func run() throws {
    let seed = try seedOption.value()
    try Threads.require()
    let console = Console(isQuiet: json)
    Interruption.install(
      .init(result: "what was found is reported", loss: "inputs that were found may be lost then"),
      console: console
    )
    let package = URL(fileURLWithPath: package ?? ".").standardizedFileURL
    if targets.isEmpty { return try fuzzTests(of: package, console, seed) }
    for target in try chosen() {
      try target.requireSubject(subject, of: SubjectRegistry(adapters: nil))
    }
    let build = FuzzBuild(package: package, sanitizer: sanitizer)
    if withoutLibFuzzer { return try judgeDerived(build, seed) }
    do {
      if noBuild {
        try build.requireProgram()
      } else {
        try build.requireClone()
        console.line("building the fuzzer (sanitizer: \(sanitizer.rawValue)); minutes, at first")
        try build.build(isInterrupted: { Interruption.isRequested })
      }
      if buildOnly { return }
      try FuzzRun.withFolder(below: build.folder) { folder in
        let source = try CloneFuzzSource(
          chosen(),
          subject: subject,
          build: build,
          touchstone: try executable(),
          folder: folder,
          isInterrupted: { Interruption.isRequested },
          say: { console.line($0) }
        )
        if !noSeeds { try source.copySeeds() }
        let home = build.folder
        try fuzz(
          source,
          corpus: home.appendingPathComponent("corpus"),
          report: home.appendingPathComponent("report"),
          SubjectRegistry(adapters: nil),
          seed
        ) { corpus in
          guard coverage, !Interruption.isRequested else { return nil }
          console.line("building the program with counters; minutes, at first")
          return try FuzzCoverage(
            ofClone: chosen(),
            subject: subject,
            build: CoverageBuild(package: package),
            jobs: jobsOption.count,
            isInterrupted: { Interruption.isRequested }
          ).modules(seeds: source.seeds, corpus: corpus)
        }
      }
    } catch {
      throw ending(error)
    }
  }

  /// Judges inputs without libFuzzer.
  private func judgeDerived(_ build: FuzzBuild, _ seed: Seed) throws {
    let targets = try chosen()
    let fuzz = DerivedFuzz(
      targets: targets,
      subject: subject,
      count: inputs ?? 0,
      seed: seed,
      folder: build.folder.appendingPathComponent("derived"),
      isInterrupted: { Interruption.isRequested },
      say: { print($0) }
    )
    let (holds, judgedCount) = try fuzz.run()
    let total = (inputs ?? 0).multipliedReportingOverflow(by: targets.count)
    if let ending = Interruption.ending(
      after: judgedCount,
      of: total.overflow ? .max : total.partialValue,
      "input"
    ) {
      Interruption.tell(ending)
    }
    print("\(counted(judgedCount, "input")), seed \(seed)")
    throw ExitCode(Interruption.exitStatus ?? (holds ? 0 : 1))
  }

  /// Fuzzes the tests of a package.
  private func fuzzTests(of package: URL, _ console: Console, _ seed: Seed) throws {
    let fuzz = PackageFuzz(
      package: package,
      test: test,
      type: type,
      buildArguments: buildArguments,
      usesSeeds: !noSeeds,
      isInterrupted: { Interruption.isRequested },
      say: { console.line($0) }
    )
    do {
      try fuzz.withSource { source, user in
        try self.fuzz(
          source,
          corpus: fuzz.home.appendingPathComponent("corpus"),
          report: fuzz.home.appendingPathComponent("report"),
          nil,
          seed
        ) { corpus in
          guard coverage, !Interruption.isRequested else { return nil }
          console.line("building the tests with counters; minutes, at first")
          return try FuzzCoverage(
            ofTests: source,
            build: PackageCoverageBuild(
              package: user,
              home: fuzz.home,
              buildArguments: buildArguments
            ),
            jobs: jobsOption.count,
            isInterrupted: { Interruption.isRequested }
          ).modules(seeds: source.seeds, corpus: corpus)
        }
      }
    } catch {
      throw ending(error)
    }
  }

  /// Fuzzes, writes and prints the report, and throws its exit status.
  ///
  /// `corpora` and `home` are where kept inputs and the report are unless an option says otherwise;
  /// `registry` is `nil` where the tests of a package alone can judge an input again; `coverage` tells
  /// which code the inputs below a folder enter.
  private func fuzz(
    _ source: any FuzzSource,
    corpus corpora: URL,
    report home: URL,
    _ registry: SubjectRegistry?,
    _ seed: Seed,
    coverage: (URL) throws -> [Report.CoveredModule]?
  ) throws {
    let folder = try ReportFolder.begin(report.map { URL(fileURLWithPath: $0) } ?? home)
    try folder.clear()
    let began = Date()
    let kept = corpus.map { URL(fileURLWithPath: $0).standardizedFileURL } ?? corpora
    let run = try FuzzRun(
      FuzzRun.Settings(
        seconds: budgetOption.span.seconds,
        jobs: jobsOption.count,
        inputs: inputs.map { ($0, seed.value) },
        corpus: kept,
        extraArguments: libFuzzer
      ),
      on: source
    ).run()
    var result = FuzzReport(
      rows: run.rows,
      findings: run.findings,
      registry: registry,
      command: commandLine(seed),
      seed: seed.description,
      isInterrupted: Interruption.isRequested,
      startedAt: began.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)),
      seconds: Date().timeIntervalSince(began),
      jobs: jobsOption.count
    ).build()
    result.run.narrow(to: try shardOption.part())
    do {
      result.coverage = try coverage(kept)
    } catch let error as CoverageError {
      // What was fuzzed is told all the same.
      complain("touchstone: which code is entered is not known: \(error)")
    } catch is Subprogram.Interrupted {}
    // An hour's work is told, whatever became of one of its files.
    let stored = Result { try folder.write(result, cases: run.findings.map(\.caseFile)) }
    let place = folder.holdsReport ? folder.url.path : nil
    try printReport(result, asJSON: json, folder: place)
    if registry != nil, !json {
      for finding in run.findings { print("the input itself: \(finding.inputCommand)") }
    }
    try stored.get()
    throw ExitCode(Interruption.exitStatus ?? result.outcome.exitStatus)
  }

  /// What ends the command: its own statuses and complaints as they are, all else as a failure, or as an
  /// interruption that came first.
  private func ending(_ error: any Error) -> any Error {
    if error is ExitCode || error is ValidationError { return error }
    let ending = failure(error)
    return Interruption.exitStatus.map { ExitCode($0) } ?? ending
  }

  /// This very program, which judges what the fuzzer finds.
  private func executable() throws -> URL {
    guard let url = Bundle.main.executableURL else {
      throw FuzzBuildError.nothingBuilt("touchstone")
    }
    return url
  }

  private func commandLine(_ seed: Seed) -> String {
    var words = ["touchstone fuzz"] + targets
    if targets.isEmpty, let package { words.append("--package \(shellWord(package))") }
    if let test { words.append("--test \(shellWord(test))") }
    if let type { words.append("--type \(shellWord(type))") }
    for argument in buildArguments { words.append("--build-argument=\(shellWord(argument))") }
    if let subject { words.append("--subject \(subject)") }
    if let inputs {
      words.append("--inputs \(inputs) --seed \(seed)")
    } else {
      words.append("--budget \(budgetOption.span.text)")
    }
    if sanitizer != .address { words.append("--sanitizer \(sanitizer.rawValue)") }
    if noSeeds { words.append("--no-seeds") }
    if coverage { words.append("--coverage") }
    return words.joined(separator: " ")
  }
}

extension FuzzBuild.Sanitizer: ExpressibleByArgument {}
