import ArgumentParser
import Campaigns
import CaseFiles
import Foundation
import FuzzEntryPoints
import PropertyEngine
import Reporting
import RunHistories
import TightSubjects

extension ArgumentHelp {
  /// A text, with the name of the value that the option takes: `--jobs <n>`.
  static func value(_ name: String, _ text: String) -> ArgumentHelp {
    ArgumentHelp(text, valueName: name)
  }
}

/// Where the folders of foreign subjects are.
struct AdapterFolderOptions: ParsableArguments {
  @Option(name: .long, help: .value("dir", "Where the folders of foreign subjects are."))
  var adapters: String = Self.usualAdapters

  /// Where all commands look; it need not be there.
  private static let usualAdapters = "Adapters"

  var isUsual: Bool { adapters == Self.usualAdapters }

  func validate() throws {
    try requireFolder(adapters, of: "--adapters")
    guard isUsual || FileManager.default.fileExists(atPath: adapters) else {
      throw ValidationError("--adapters: there is no folder \(adapters).")
    }
  }

  var registry: SubjectRegistry {
    SubjectRegistry(adapters: URL(fileURLWithPath: adapters), more: [tightEngineSubject])
  }
}

/// Which subjects.
struct SubjectOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "A subject, by its id; may be repeated. Default: usual, which is all that are usually judged.",
      discussion: """
        `touchstone list subjects` names them; `mutant:ID` is a wrong one. `--subject usual --subject loro` \
        judges one more. An adapter that does not start is left out, unless it was named; one whose adapter.json cannot \
        be read ends the run.
        """,
      valueName: "id"
    )
  )
  var subject: [String] = []

  @OptionGroup var adapterFolder: AdapterFolderOptions

  var registry: SubjectRegistry { adapterFolder.registry }
}

extension WorkerPool {
  /// Workers for `touchstone check` with these arguments, the first being its name; `nil` where this program
  /// cannot be found.
  ///
  /// - Throws: `FileFailure` where no temporary file can be made.
  static func ofThisProgram(
    _ arguments: [String],
    memoryByteLimit: Int? = nil,
    isAbandoned: @escaping @Sendable () -> Bool = { false }
  ) throws -> WorkerPool? {
    try Bundle.main.executableURL.map {
      try WorkerPool(
        program: $0,
        arguments: workerArguments(arguments),
        memoryByteLimit: memoryByteLimit,
        isAbandoned: isAbandoned
      )
    }
  }

  /// The arguments with which a worker makes the same lanes: before all options, as nothing may follow a `--`.
  static func workerArguments(_ arguments: [String]) -> [String] {
    arguments.prefix(1) + ["--worker"] + arguments.dropFirst()
  }
}

/// Which laws.
struct LawOptions: ParsableArguments {
  @Option(
    name: .long,
    help: .value(
      "glob",
      "Laws whose names match, such as 'merge.*'; may be repeated. Without any: all."
    )
  )
  var law: [String] = []

  @Option(
    name: .long,
    help: .value("glob", "Laws that are left out, such as 'agreement.*'; may be repeated.")
  )
  var excludeLaw: [String] = []

  /// What was asked for.
  var choice: LawChoice { LawChoice(law, excluding: excludeLaw) }

  /// The names of the laws asked for.
  func names() throws -> Set<String> {
    do {
      let names = try Catalogue.lawNames(choice)
      guard !names.isEmpty else {
        throw ValidationError("--exclude-law leaves no law to check.")
      }
      return names
    } catch let error as ValidationError {
      throw error
    } catch {
      throw refusal(error)
    }
  }
}

/// Which part of a run that several machines share.
struct ShardOption: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "One part of a run that several machines share: 2/8; 'auto' reads the job scheduler's variables.",
      discussion: """
        `touchstone report merge` makes the report of the whole run of the parts' reports; parts that are \
        missing there are named. `auto` knows GitLab, CircleCI, Buildkite, Slurm arrays and indexed jobs of \
        Kubernetes, and TOUCHSTONE_SHARD.
        """,
      valueName: "part"
    )
  )
  var shard: String?

  /// The part; the only one where none was asked for.
  func part() throws -> Shard {
    guard let shard else { return .whole }
    do {
      if shard == "auto" { return try Shard(environment: ProcessInfo.processInfo.environment) }
    } catch {
      throw ValidationError("--shard auto: \(error).")
    }
    guard let part = Shard(shard) else {
      throw ValidationError("--shard is one part of several, such as 2/8, or 'auto'.")
    }
    return part
  }

  /// Refuses more parts than there is work for: one of them would prove nothing.
  func validate(of total: Int, _ what: String) throws {
    if try part().count > max(1, total) {
      throw ValidationError("--shard has more parts than there are \(what).")
    }
  }
}

/// How much goes on at once.
struct JobsOption: ParsableArguments {
  @Option(
    help: .value("n", "How many work at once. Default: one for each processor."),
    transform: wholeNumber(from: 1, to: 256)
  )
  var jobs: Int?

  /// The number given, else that of the processors.
  var count: Int { jobs ?? ProcessInfo.processInfo.activeProcessorCount }
}

/// How long a run goes on.
struct BudgetOption: ParsableArguments {
  @Option(
    help: .value("time", "How long to go on: 20s, 5m, 2h. Default: 60s."),
    transform: TimeSpan.withUnit
  )
  var budget: TimeSpan?

  /// The time given, else the usual one.
  var span: TimeSpan { budget ?? TimeSpan(seconds: 60, text: "60s") }
}

/// Where the report goes.
struct ReportOption: ParsableArguments {
  @Option(
    help: .value(
      "dir",
      "Where the report goes, with its case files; one that is there is replaced. Default: none is written."
    )
  )
  var report: String?

  func validate() throws {
    try requireFolder(report, of: "--report")
    if let report { try requireNoHistory(in: report, of: "--report") }
  }

  /// The folder, which is made.
  func folder() throws -> ReportFolder? {
    try report.map { try ReportFolder.begin(URL(fileURLWithPath: $0)) }
  }
}

struct SeedOption: ParsableArguments {
  @Option(name: .long, help: .value("seed", "Where randomness starts: a number, decimal or 0x...."))
  var seed: String?

  /// The seed given, else the usual one, else one from the system.
  func value(usual: Seed? = nil) throws -> Seed {
    if seed == nil, let warning = Self.warning(ProcessInfo.processInfo.environment) {
      complain(warning)
    }
    if seed == nil, let usual { return usual }
    return try Self.value(of: seed)
  }

  /// What is said where no seed is given and the environment has one.
  static func warning(_ environment: [String: String]) -> String? {
    unreadVariableWarning(environment, "TOUCHSTONE_SEED", "--seed gives a seed")
  }

  /// The seed that a text names; without a text, one from the system.
  static func value(of seed: String?) throws -> Seed {
    guard let seed else { return Seed(value: .random(in: 0...UInt64(UInt32.max))) }
    guard let value = Seed(seed) else {
      throw ValidationError("'\(seed)' is no seed: write a number below 2^64, decimal or 0x....")
    }
    return value
  }
}

/// What is said where an option is not given and the environment has what it is for: that is for tests, as all
/// variables of `LawSettings` are.
///
/// An empty variable counts as unset.
func unreadVariableWarning(
  _ environment: [String: String],
  _ variable: String,
  _ advice: String
) -> String? {
  environment[variable].flatMap { $0.isEmpty ? nil : $0 }.map { _ in
    "touchstone: \(variable) is not read here, tests alone read it; \(advice)"
  }
}

/// A length of time as people write it: `60s`, `5m`, `2h`.
struct TimeSpan {
  let seconds: Double
  /// As it was written.
  let text: String

  /// Reads a number with its unit.
  ///
  /// A bare number is refused: who means minutes would get seconds, and a run of seconds proves little.
  static func withUnit(_ text: String) throws -> TimeSpan {
    if let number = number(in: text[...]), units[text.last ?? " "] == nil, number > 0 {
      throw ValidationError("a unit is missing: write \(text)s, \(text)m or \(text)h")
    }
    return try inSeconds(text)
  }

  /// Reads a number with its unit, or a bare number of seconds: for options whose name says the unit.
  static func inSeconds(_ text: String) throws -> TimeSpan {
    let unit = text.last.flatMap { units[$0] }
    guard let number = number(in: unit == nil ? text[...] : text.dropLast()), number > 0 else {
      throw ValidationError("write a number above 0 and its unit, such as 20s, 5m or 2h")
    }
    let seconds = number * (unit ?? 1)
    guard seconds <= secondsLimit else { throw ValidationError("8760h, a year, is the longest") }
    return TimeSpan(seconds: seconds, text: text)
  }

  private static let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600]

  /// A year: as a whole number of milliseconds it fits everywhere.
  private static let secondsLimit: Double = 8760 * 3600

  private static func number(in text: Substring) -> Double? {
    Double(text).flatMap { $0.isFinite ? $0 : nil }
  }
}

/// Reads a whole number within bounds, for options that count.
///
/// - Parameters:
///   - least: The least number that the option takes.
///   - most: The greatest; `nil` without a bound.
///   - reasonAgainstLess: Why there is a least number, if that does not go without saying.
///   - reasonAgainstMore: Why there is a greatest.
/// - Returns: A transformation that refuses all else with what to write.
func wholeNumber(
  from least: Int,
  to most: Int? = nil,
  asLess reasonAgainstLess: String? = nil,
  asMore reasonAgainstMore: String? = nil
) -> @Sendable (String) throws -> Int {
  { text in
    let number = Int(text)
    if let number, number >= least, number <= most ?? .max { return number }
    if number == nil, most == nil, text.wholeMatch(of: /[0-9]+/) != nil {
      throw ValidationError("the greatest number here is \(Int.max)")
    }
    let bounds = most.map { "from \(least) to \($0)" } ?? "from \(least) on"
    let reason = number.flatMap { $0 < least ? reasonAgainstLess : reasonAgainstMore }
    throw ValidationError("write a whole number \(bounds)" + (reason.map { ": \($0)" } ?? ""))
  }
}

extension Option where Value == Int {
  /// A whole number with a default, which its help tells.
  init(wrappedValue: Int, help: ArgumentHelp, from least: Int, to most: Int? = nil) {
    var help = help
    // The argument parser tells no default of an option that is transformed.
    help.abstract += " (default: \(wrappedValue))"
    self.init(wrappedValue: wrappedValue, help: help, transform: wholeNumber(from: least, to: most))
  }
}

/// Prints a value as JSON with sorted keys.
func printJSON(_ value: some Encodable) throws {
  Output.write(String(decoding: try ReportFolder.encoded(value), as: UTF8.self))
}

/// Prints a line to standard error; what is not ours in it is shown and cannot act.
func complain(_ words: String) {
  Output.complain(Output.visible(words) + "\n")
}

/// The refusal of a command line that an error is, as a sentence.
func refusal(_ error: any Error) -> ValidationError {
  let words = "\(error)"
  return ValidationError(words.prefix(1).uppercased() + words.dropFirst())
}

/// Refuses what names no subject, before any work; some ids are taken though no registry has them.
func requireSubjects(
  _ ids: [String],
  of registry: SubjectRegistry,
  orAnyOf others: [String] = []
) throws {
  try requireSubjectNames(ids)
  do {
    try registry.requireNames(ids.filter { !others.contains($0) })
  } catch {
    throw refusal(error)
  }
}

/// Refuses an empty name, which a shell's variable that is unset leaves.
private func requireSubjectNames(_ ids: [String]) throws {
  if ids.contains("") {
    throw ValidationError("--subject is empty: name a subject, or leave the option out.")
  }
}

extension FuzzTarget {
  /// Refuses what the target does not judge, before any work.
  func requireSubject(_ id: String?, of registry: SubjectRegistry) throws {
    guard let id else { return }
    try requireSubjectNames([id])
    do {
      _ = try subject(id, from: registry)
    } catch let error as UnknownFuzzSubject {
      throw refusal(error)
    }
  }
}

/// Ends the command with the status for a failed harness, after one line that says why.
func failure(_ error: any Error) -> ExitCode {
  complain("touchstone: \(FileFailure.sentence(of: error))")
  return ExitCode(2)
}

/// Prints the report as JSON, or in words for the terminal that standard output is, or for a file;
/// where standard output takes nothing, standard error gets how the run ended.
///
/// `replayedWith` are the arguments that commands need to find the subjects.
func printReport(
  _ report: Report,
  asJSON json: Bool,
  folder: String?,
  replayedWith arguments: [String] = []
) throws {
  defer {
    if Output.loss != nil { complain("touchstone: \(report.outcome.sentence)") }
  }
  guard !json else { return try printJSON(report) }
  let isTerminal = isatty(STDOUT_FILENO) == 1
  let environment = ProcessInfo.processInfo.environment
  let text = TerminalReport(
    report,
    hasColour: isTerminal && environment["NO_COLOR"] == nil,
    // A terminal that does not tell its width has 80 columns, most likely; a file has as many as it takes.
    columns: Output.columns ?? (isTerminal ? 80 : nil),
    folder: folder,
    arguments: arguments
  ).text
  Output.write(text)
}

/// Refuses an empty path, which would be the current folder, and that of a file; the folder may be missing.
///
/// - Throws: `ValidationError`; `FileFailure` for a folder that cannot be read, which would look like an empty one.
func requireFolder(_ path: String?, of option: String) throws {
  if path?.isEmpty == true {
    throw ValidationError("\(option) is empty: name a folder, or leave the option out.")
  }
  guard let path else { return }
  let url = URL(fileURLWithPath: path)
  switch fileType(url) {
  case nil, .typeDirectory?: try tryReading(url)
  case .typeSymbolicLink?:
    throw ValidationError("\(option): \(path) is a link that leads nowhere.")
  default: throw ValidationError("\(option): \(path) is a file, and a folder is needed.")
  }
}

/// The path of a folder without links and detours: two that name one folder are equal.
func place(of folder: String) -> String {
  URL(fileURLWithPath: folder).resolvingSymlinksInPath().standardizedFileURL.path
}

/// Refuses the folder of a report for a history that has yet to begin: who takes the report away would take it, too.
///
/// - Throws: `ValidationError`.
func requireNoReport(in folder: String, of option: String) throws {
  let url = URL(fileURLWithPath: folder)
  let report = url.appendingPathComponent("report.json")
  guard fileType(report) != nil, !HistoryStore(folder: url).exists else { return }
  throw ValidationError("\(option): \(folder) holds a report: name a folder of its own.")
}

/// Refuses the folder of a history for a report that is not there yet.
///
/// - Throws: `ValidationError`.
private func requireNoHistory(in folder: String, of option: String) throws {
  let url = URL(fileURLWithPath: folder)
  let report = url.appendingPathComponent("report.json")
  guard fileType(report) == nil, HistoryStore(folder: url).exists else { return }
  throw ValidationError("\(option): \(folder) holds a history: name a folder of its own.")
}
