import ArgumentParser
import Campaigns
import CaseFiles
import DocumentLaws
import Foundation
import Histories
import PastRuns
import PropertyEngine
import Reporting
import RunHistories
import Texts

/// `touchstone check`: the main job.
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Holds engines and coders to the laws on random histories and models.",
    discussion: """
      An engine of documents gets histories of 2 to 5 replicas that edit, exchange, lose messages, \
      crash and restart; a coder gets values of models, and documents that drifted. What fails is repeated, shrunk and stored as a case file below the report's folder. \
      With --cases the result is a function of the seed: report.json is the same, byte for byte but \
      for its clock section, however many jobs there are. Cases are shared out among the laws that can be \
      asked: where `touchstone doctor` finds other subjects, a seed may give a law other cases. With --budget time decides how far it goes. \
      Machines that share a run by --shard need the same --seed; with --cases their reports, merged, say \
      what one run would.
      """
  )

  @OptionGroup var choice: SubjectOptions
  @OptionGroup var lawChoice: LawOptions
  @OptionGroup var seedOption: SeedOption

  @OptionGroup var budgetOption: BudgetOption

  @Option(
    help: .value(
      "n",
      """
      Number of cases instead of a time, for each combination of subject, kind of sample (history, stored \
      bytes) and oracle.
      """
    ),
    transform: wholeNumber(from: 1)
  )
  var cases: Int?

  @OptionGroup var shardOption: ShardOption

  @Option(
    help: .value("n", "Replicas of every history, 2 to 8, instead of 2 to 5 and seldom up to 16."),
    transform: wholeNumber(from: 2, to: 8, asLess: "one replica has nothing to merge")
  )
  var replicas: Int?

  @Option(
    help: .value("n", "Edits of every history, instead of up to 40: 2000 at most."),
    transform: wholeNumber(
      from: 1,
      to: Self.editLimit,
      asMore: "the specification makes each history valid in a time that grows with their square"
    )
  )
  var edits: Int?

  @OptionGroup var jobsOption: JobsOption

  @Option(
    help: ArgumentHelp(
      """
      Processor time that one case may take; then its subject counts as hanging. Default: 10s, and \
      300s if this program was built without optimisation.
      """,
      discussion: """
        Of an adapter, which is a program of its own, it is the time by the clock that one answer may take. Default \
        there: 10s, or the "answerSeconds" of its adapter.json.
        """,
      valueName: "time"
    ),
    transform: TimeSpan.withUnit
  )
  var caseTime: TimeSpan?

  @Option(
    help: .value("mib", "MiB of memory that a worker may use; then its subject has used too much."),
    from: 64,
    to: 1 << 20
  )
  var caseMemory: Int = usualCaseMemory

  @Option(
    help: .value("dir", "A folder of case files: tried first, and new failures are added to it.")
  )
  var corpus: String?

  @OptionGroup var reportOption: ReportOption

  @Option(
    help: ArgumentHelp(
      "A folder of past runs, to which this one is added; its failures are a corpus.",
      discussion: """
        `touchstone history DIR` shows them, and since when each failure fails. The run is compared with the \
        last of them that judged the same subjects, in words and on the report's page.
        """,
      valueName: "dir"
    )
  )
  var history: String?

  @Option(
    help: ArgumentHelp(
      "A waypoint that must be reached, or 'all'; may be repeated.",
      discussion:
        "On a subject that can do everything, those that a run of its length hardly ever misses are required anyway, "
        + "most of them from 2000 cases on. With --shard the whole run must reach it, which 'report merge' judges.",
      valueName: "waypoint"
    )
  )
  var require: [String] = []

  @Flag(help: "Stop at the first failure, once it is shrunk.")
  var failFast = false

  @Flag(help: "Show the page of --report in the browser when the run is over.")
  var open = false

  @Flag(help: "Print the report as JSON instead of words.")
  var json = false

  @Flag(help: .hidden) var worker = false

  mutating func validate() throws {
    try requireFolder(corpus, of: "--corpus")
    try requireFolder(history, of: "--history")
    try requireCorpusApart()
    try requireHistoryApart()
    if open, reportOption.report == nil {
      throw ValidationError("--open needs --report: it shows its page.")
    }
    if budgetOption.budget != nil, cases != nil {
      throw ValidationError("Give either --budget or --cases: one of them ends the run.")
    }
    if try !shardOption.part().isWhole, seedOption.seed == nil {
      throw ValidationError(
        "--shard needs --seed, the same for all parts: else each is a part of another run."
      )
    }
    if let cases { try shardOption.validate(of: cases, "--cases") }
    if let caseTime, caseTime.seconds > 86_400 {
      throw ValidationError("--case-time must be a day at most.")
    }
    let names = Waypoint.documentNames
    for name in require where name != "all" && !names.contains(name) {
      throw ValidationError(
        "There is no waypoint '\(name)'.\(suggestion(for: name, among: names)) "
          + "`touchstone list waypoints` names them."
      )
    }
  }

  /// Refuses the folder of a report's failures as a corpus: a run takes away what an earlier one has put there, cases
  /// that hold by now among it.
  private func requireCorpusApart() throws {
    guard let corpus, let report = reportOption.report else { return }
    let failures = place(of: "\(report)/failures")
    if "\(place(of: corpus))/".hasPrefix("\(failures)/") {
      throw ValidationError(
        "--corpus names the failures of --report, which are removed at the start: copy them to another folder."
      )
    }
  }

  /// Refuses one folder for a history and a report: who takes the report away would take the history, too.
  private func requireHistoryApart() throws {
    guard let history else { return }
    if let report = reportOption.report, place(of: report) == place(of: history) {
      throw ValidationError("--history and --report name one folder: give each its own.")
    }
    try requireNoReport(in: history, of: "--history")
  }

  /// Edits of a history, at most: 4,000 take the specification 5 s, half of the usual time of a case, before a
  /// subject is asked.
  private static let editLimit = 2_000

  /// MiB that a worker may use unless another number is asked for.
  private static let usualCaseMemory = 2048

  /// Code that is not optimised takes ten times as long and more.
  private static let caseSecondsLimit: Double = {
    #if DEBUG
    return 300
    #else
    return 10
    #endif
  }()

  /// The subjects, adapters with the time of `--case-time`.
  private var registry: SubjectRegistry {
    var registry = choice.registry
    registry.answerMilliseconds = caseTime.map { max(1, Int($0.seconds * 1_000)) }
    return registry
  }

  private var limits: HistoryLimits {
    var limits = HistoryLimits()
    if let replicas { limits.replicas = replicas...replicas }
    if let edits {
      limits.edits = edits...edits
      limits.editMean = edits
    }
    return limits
  }

  func run() throws {
    let laws = try lawChoice.names()
    if worker {
      return Worker(
        registry: registry,
        laws: laws,
        limits: limits,
        caseSeconds: caseTime?.seconds ?? Self.caseSecondsLimit
      ).run()
    }
    try requireSubjects(choice.subject, of: registry)
    let seed = try seedOption.value()
    warnOfUnread()
    try Threads.require()
    let console = Console(isQuiet: json)
    defer { console.endProgress() }
    Interruption.install(promise, console: console)
    let folder = try reportOption.folder()
    try prepareCorpus(console)
    let past = try openHistory()
    var check = try checkRun(laws: laws, seed: seed, folder: folder, cases: past?.cases)
    // A run that is killed is in its history as one that came to no result.
    var begun: PastRun?
    check.onBegin = { report in
      guard let past else { return }
      let run = PastRun(report, commit: currentCommit()).unended
      do {
        try waiting { try await past.add(run) }
        begun = run
      } catch {
        // It is tried again when the run is over; by then there may be room.
        console.line("the run is not in its history yet: \(error)")
      }
    }
    let report = try check.run(
      onStart: { console.line($0) },
      onProgress: { console.progress($0) },
      onFailure: { console.line("failure: \($0.headline)") }
    )
    console.endProgress()
    try publish(report, console, folder: folder, past: past, begun: begun)
    throw ExitCode(Interruption.exitStatus ?? report.outcome.exitStatus)
  }

  /// What an interruption of the run is answered with.
  private var promise: Interruption.Promise {
    var promise = Interruption.Promise(work: "the cases at work")
    if let folder = reportOption.report {
      promise.loss = "\(folder) then holds failures as they were found, and no full report"
    }
    return promise
  }

  /// Names laws that were left out, and variables that are for tests alone.
  private func warnOfUnread() {
    if let omission = TestLaws.omission(from: lawChoice.choice) {
      complain("touchstone: \(omission)")
    }
    for warning in unreadVariableWarnings(ProcessInfo.processInfo.environment) { complain(warning) }
  }

  /// Makes the folder of `--corpus`, if there is none, before the run rather than after it.
  private func prepareCorpus(_ console: Console) throws {
    guard let corpus else { return }
    let folder = URL(fileURLWithPath: corpus)
    let isNew = fileType(folder) == nil
    try tryWriting(into: folder)
    if isNew { console.line("the corpus \(corpus) is new: no stored case is tried") }
  }

  /// The run that the options ask for.
  ///
  /// `cases`: The stored cases of a history, for a run without a corpus.
  private func checkRun(
    laws: Set<String>,
    seed: Seed,
    folder: ReportFolder?,
    cases stored: CaseFolder?
  ) throws -> CheckRun {
    var check = CheckRun(
      registry: registry,
      subjects: choice.subject,
      laws: laws,
      lawChoice: lawChoice.choice,
      seed: seed,
      budget: cases.map { .cases($0) } ?? .seconds(budgetOption.span.seconds),
      jobs: jobsOption.count,
      corpus: corpus.map { CaseFolder(URL(fileURLWithPath: $0)) } ?? stored,
      folder: folder,
      isInterrupted: { Interruption.isRequested }
    )
    check.limits = limits
    check.shard = try shardOption.part()
    check.workers = try .ofThisProgram(
      Array(CommandLine.arguments.dropFirst()),
      memoryByteLimit: caseMemory << 20,
      isAbandoned: { Interruption.isAbandoned }
    )
    check.requiredWaypoints = require
    check.caseArguments =
      (caseTime.map { ["--case-time \($0.text)"] } ?? [])
      + (caseMemory == Self.usualCaseMemory ? [] : ["--case-memory \(caseMemory)"])
    check.stopsAtFirstFailure = failFast
    return check
  }

  /// Stores the report, adds it to the history, and prints it, even where it cannot be stored.
  ///
  /// `begun`: How the run stands in the history by now.
  private func publish(
    _ report: Report,
    _ console: Console,
    folder: ReportFolder?,
    past: HistoryStore?,
    begun: PastRun?
  ) throws {
    // One part of a run says little of what became of failures: another may have them.
    let earlier =
      shardOption.shard == nil ? try? earlierRuns(in: past, before: report, but: begun) : nil
    let stored = Result { try folder?.write(report, earlier: earlier) }
    let added = Result {
      guard let past else { return }
      let run = PastRun(report, commit: currentCommit())
      try waiting { try await past.add(run, inPlaceOf: begun) }
    }
    var place: String?
    if case .success = stored { place = reportOption.report }
    let arguments = choice.registry.arguments
    try printReport(report, asJSON: json, folder: place, replayedWith: arguments)
    if !json {
      if let compared = earlier?.compared {
        let comparison = ReportComparison(from: compared, to: report)
        print("since \(compared.moment): \(comparison.headline)")
      }
      if let history, case .success = added { print("history: touchstone history \(history)") }
    }
    try stored.get()
    try added.get()
    if open, let page = reportOption.report.map({ "\($0)/index.html" }),
      !PageOpener.open(page, environment: ProcessInfo.processInfo.environment)
    {
      console.line("no program opens pages here (BROWSER may name one): \(page)")
    }
  }

  /// The history of `--history`, which can be written to, and read if there is one.
  private func openHistory() throws -> HistoryStore? {
    guard let history else { return nil }
    let past = HistoryStore(folder: URL(fileURLWithPath: history))
    try tryWriting(into: past.folder)
    // One that is damaged is named now, and not after the run.
    if past.exists { _ = try waiting { try await past.runs() } }
    return past
  }

  /// What is said of variables of tests that have an option in place of them here.
  private func unreadVariableWarnings(_ environment: [String: String]) -> [String] {
    [
      ("TOUCHSTONE_CASES", cases != nil, "--cases says how many"),
      ("TOUCHSTONE_PROFILE", budgetOption.budget != nil || cases != nil, "--budget says how long"),
      ("TOUCHSTONE_HISTORY", history != nil, "--history names a folder"),
      ("TOUCHSTONE_ADAPTERS", !choice.adapterFolder.isUsual, "--adapters names a folder"),
      ("TOUCHSTONE_REPLAY", false, "`touchstone replay FILE` judges a case"),
    ]
    .filter { !$0.1 }.compactMap { unreadVariableWarning(environment, $0.0, $0.2) }
  }

  /// The runs with which a report can be compared; `nil` if there are none, or no history yet.
  private func earlierRuns(
    in past: HistoryStore?,
    before report: Report,
    but begun: PastRun?
  ) throws -> EarlierRuns? {
    guard let past, past.exists else { return nil }
    let runs = try waiting { try await past.runs() }.filter { $0.id != begun?.id }
    return EarlierRuns(in: runs, before: report)
  }
}
