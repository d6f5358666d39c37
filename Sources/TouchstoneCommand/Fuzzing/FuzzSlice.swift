import Foundation
import FuzzSessions
import Programs

/// One run of libFuzzer on one target: some seconds, or a number of inputs.
struct FuzzSlice {
  enum Length: Hashable {
    case seconds(Double)
    /// The same inputs every time, up to the first that fails.
    case inputs(Int, seed: UInt64)
    /// No fuzzing: a folder gets the fewest inputs that reach what those of the corpus do.
    case merge(into: URL, seconds: Double)
  }

  /// What libFuzzer told.
  struct Result {
    var executions = 0
    var edges = 0
    var features = 0
    var peakMebibytes = 0
    /// What the fuzzer's processes counted of inputs and entrances; `nil` if they did not.
    var tally: FuzzTally.Counts?
    /// Seconds on the clock.
    var seconds = 0.0
    /// Files that libFuzzer wrote of inputs that failed, by name.
    var artifacts: [URL] = []
    /// Whether it ended otherwise than by its limit or by a failing input.
    var breakdown: String?
  }

  let fuzzer: Fuzzer
  /// Where inputs that reach something new are kept.
  let corpus: URL
  /// Inputs to start from, never written to.
  let seeds: [URL]
  /// A folder of this slice's own, for its log and the inputs that fail.
  let folder: URL
  let length: Length
  /// What is passed on to libFuzzer last.
  let extraArguments: [String]

  /// What the fuzzer prints.
  var log: URL { folder.appendingPathComponent("log") }

  /// What its processes count.
  private var tally: URL { folder.appendingPathComponent("tally") }

  /// Seconds for one input; a slower one counts as hung.
  static let usualInputSecondsLimit = 25
  /// Mebibytes of memory for the process.
  static let memoryLimit = 2560

  func run(isInterrupted: @escaping @Sendable () -> Bool) throws -> Result {
    let manager = FileManager.default
    let artifacts = folder.appendingPathComponent("artifacts")
    for needed in [corpus, artifacts] {
      try manager.createDirectory(at: needed, withIntermediateDirectories: true)
    }
    let began = ProcessInfo.processInfo.systemUptime
    let (start, arguments) = command(artifacts: artifacts)
    let end = try Subprogram.run(
      start,
      arguments,
      environment: allVariables,
      output: log,
      secondsLimit: secondsLimit,
      isInterrupted: isInterrupted
    )
    var result = FuzzLog(lenientText(of: log)).result
    result.tally = FuzzTally.read(tally)
    result.seconds = ProcessInfo.processInfo.systemUptime - began
    result.artifacts = try manager.contentsOfDirectory(atPath: artifacts.path).sorted()
      .map { artifacts.appendingPathComponent($0) }
    if result.artifacts.isEmpty, end != .exited(0), !isInterrupted() {
      result.breakdown = "\(end.explanation(secondsLimit: secondsLimit)); see \(log.path)"
    }
    return result
  }

  /// Moves an input that failed to where it outlives the run: `crashes/TARGET` below a folder.
  ///
  /// - Throws: What the file system says.
  static func keep(_ artifact: URL, of target: String, below folder: URL) throws -> URL {
    let crashes = folder.appendingPathComponent("crashes/\(target)")
    try FileManager.default.createDirectory(at: crashes, withIntermediateDirectories: true)
    let kept = crashes.appendingPathComponent(artifact.lastPathComponent)
    try? FileManager.default.removeItem(at: kept)
    try FileManager.default.moveItem(at: artifact, to: kept)
    return kept
  }

  /// Writes a smaller input that fails alike beside the one that it was made of: `crash-1f-small`.
  ///
  /// - Throws: What the file system says.
  static func keep(_ bytes: [UInt8], besides input: URL) throws -> URL {
    let kept = input.deletingLastPathComponent()
      .appendingPathComponent("\(input.lastPathComponent)-small")
    try Data(bytes).write(to: kept, options: .atomic)
    return kept
  }

  /// How long libFuzzer may take in all: it looks at the clock between inputs only, and reads the
  /// whole corpus first.
  private var secondsLimit: Double {
    switch length {
    case .seconds(let seconds), .merge(_, let seconds): seconds + 600
    case .inputs: .infinity
    }
  }

  private func command(artifacts: URL) -> (program: URL, arguments: [String]) {
    let program = fuzzer.program
    var arguments = fuzzer.options.map { "-\($0)" }
    if let dictionary = fuzzer.dictionary { arguments.append("-dict=\(dictionary.path)") }
    arguments += [
      "-detect_leaks=0", "-timeout=\(fuzzer.inputSecondsLimit)",
      // A slow input fails nothing, and libFuzzer would write it beside those that do.
      "-report_slow_units=\(Int32.max)",
      "-rss_limit_mb=\(Self.memoryLimit)", "-print_final_stats=1",
      "-artifact_prefix=\(artifacts.path)/",
    ]
    let folders = [corpus.path] + seeds.map(\.path)
    switch length {
    case .seconds(let seconds):
      arguments.append("-max_total_time=\(max(1, Int(seconds)))")
      if fuzzer.goesOn {
        arguments += ["-fork=1", "-ignore_crashes=1", "-ignore_timeouts=1", "-ignore_ooms=1"]
      }
      return (program, arguments + extraArguments + folders)
    case .merge(let goal, let seconds):
      arguments += ["-max_total_time=\(max(1, Int(seconds)))", "-merge=1", goal.path]
      return (program, arguments + folders)
    case .inputs(let count, let seed):
      // Neither entropy's clock nor other processes may have a say in a run that is to repeat; nor
      // may the addresses of memory, on which the branches within sets depend.
      arguments += ["-runs=\(count)", "-seed=\(seed)", "-entropic=0", "-reload=0"]
      arguments += extraArguments + folders
      let setarch = "/usr/bin/setarch"
      guard FileManager.default.isExecutableFile(atPath: setarch) else {
        return (program, arguments)
      }
      return (URL(fileURLWithPath: setarch), ["-R", program.path] + arguments)
    }
  }

  private var allVariables: [String: String] {
    // Swift keeps bits of its own in references, so that what a global holds counts as leaked.
    let inherited = ProcessInfo.processInfo.environment["ASAN_OPTIONS"]
    var variables = fuzzer.environment
    variables[FuzzTally.variable] = tally.path
    variables["ASAN_OPTIONS"] = "detect_leaks=0" + (inherited.map { ":\($0)" } ?? "")
    if case .inputs = length { variables["SWIFT_DETERMINISTIC_HASHING"] = "1" }
    return variables
  }
}

/// What libFuzzer prints, read.
struct FuzzLog {
  private let lines: [Substring]

  init(_ text: String) {
    lines = text.split(separator: "\n")
  }

  /// The figures of the last line that has each.
  ///
  /// A line of progress is `#1234 NEW cov: 56 ft: 78 corp: 9/120b ...`, and of a run that goes on after
  /// failures `#1234: cov: 56 ft: 78 corp: 9 exec/s 10 ...`.
  var result: FuzzSlice.Result {
    var result = FuzzSlice.Result()
    for line in lines {
      let words = line.split { $0 == " " || $0 == "\t" }
      if line.hasPrefix("#"), let first = words.first,
        let count = Int(first.dropFirst().prefix { $0.isNumber })
      {
        result.executions = max(result.executions, count)
        for (name, value) in zip(words, words.dropFirst()) {
          let number = Int(value.prefix { $0.isNumber }) ?? 0
          switch name {
          case "cov:": result.edges = number
          case "ft:": result.features = number
          default: break
          }
        }
      } else if line.hasPrefix("stat::"), words.count == 2, let number = Int(words[1]) {
        switch words[0] {
        case "stat::number_of_executed_units:": result.executions = max(result.executions, number)
        case "stat::peak_rss_mb:": result.peakMebibytes = max(result.peakMebibytes, number)
        default: break
        }
      }
    }
    return result
  }

  /// The line in which a sanitizer says what it found.
  var summary: String? {
    lines.last { $0.hasPrefix("SUMMARY: ") }.map { String($0.dropFirst("SUMMARY: ".count)) }
  }
}
