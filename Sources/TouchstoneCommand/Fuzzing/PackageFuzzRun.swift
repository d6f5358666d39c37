import CaseFiles
import Foundation
import FuzzSessions
import PropertyEngine
import Reporting
import SelfTests
import Synchronization
import Texts

/// Fuzzes stages of laws that the tests of a package ask for, each with a corpus of its own.
// A lock and no actor: each worker is a thread that waits for a process.
final class PackageFuzzRun: Sendable {
  struct Settings: Sendable {
    /// Seconds on the clock for all of it.
    let seconds: Double
    /// Fuzzers that run at once.
    let jobs: Int
    /// A folder with a corpus for each stage.
    let corpus: URL
    let usesSeeds: Bool
    let literals: Literals
    let extraArguments: [String]
  }

  /// A stage, and the test that asks for it.
  struct Target: Sendable {
    let stage: FuzzStage
    let test: PackageTests.Test

    /// The name of its folders.
    var id: String { slug(stage.id) }
    /// What a person calls it.
    var title: String { "\(test.function), \(stage.model), \(counted(stage.laws.count, "law"))" }
  }

  private struct State {
    var schedule: FuzzSchedule
    var rows: [FuzzRow]
    var findings: [FuzzFinding] = []
    var sliceCount = 0
    /// Runs of each target in a row that ended with a failure found before.
    var repeats: [Int]
  }

  /// Runs in a row that end with what is known, after which a target is left alone: libFuzzer cannot go
  /// past an input that ends its process.
  private static let repeatLimit = 8
  /// Seconds for judging one input and making it small.
  private static let judgingSecondsLimit = 240.0
  /// Seconds, and processes, for making an input small that ends its process.
  private static let shrinkingSecondsLimit = 90.0
  private static let shrinkingLimit = 200

  private let settings: Settings
  private let targets: [Target]
  private let tests: PackageTests
  /// Where everything of fuzzing is kept from run to run.
  private let home: URL
  /// Files of this run alone.
  private let folder: URL
  private let say: @Sendable (String) -> Void
  private let state: Mutex<State>
  /// One input at a time is judged: what is alike must be seen to be.
  private let judging = Mutex(())

  private var isInterrupted: @Sendable () -> Bool { tests.isInterrupted }

  init(
    _ settings: Settings,
    on targets: [Target],
    tests: PackageTests,
    home: URL,
    say: @escaping @Sendable (String) -> Void
  ) {
    self.settings = settings
    self.targets = targets
    self.tests = tests
    self.home = home
    self.say = say
    folder = tests.folder
    let rows = targets.map { FuzzRow(target: $0.title, subject: $0.stage.model) }
    state = Mutex(
      State(
        schedule: FuzzSchedule(targetCount: targets.count),
        rows: rows,
        repeats: Array(repeating: 0, count: targets.count)
      )
    )
  }

  /// Runs until the time is over or the user has had enough.
  ///
  /// - Throws: What the file system says, if not even the folders can be made.
  func run() throws -> (rows: [FuzzRow], findings: [FuzzFinding]) {
    for (index, target) in targets.enumerated() {
      let corpus = corpus(of: target)
      try corpus.restore()
      let count = corpus.count
      state.withLock { $0.rows[index].figures.corpusBefore = count }
    }
    let length = FuzzSchedule.sliceSeconds(settings.seconds, settings.jobs, targets.count)
    FuzzSchedule.run(settings.jobs, for: settings.seconds, isInterrupted: isInterrupted) { left in
      let index = state.withLock { state -> Int? in
        // A target that goes no further has its turns, and uses none of them.
        for _ in 0..<(8 * targets.count) {
          guard let index = state.schedule.next() else { return nil }
          if state.repeats[index] < Self.repeatLimit { return index }
          state.schedule.ended(index, seconds: 1, features: 0)
        }
        return nil
      }
      guard let index else { return false }
      work(index, seconds: min(left, length))
      return true
    }
    for index in targets.indices {
      if !isInterrupted() { minimise(index) }
      let count = corpus(of: targets[index]).count
      state.withLock { $0.rows[index].figures.corpus = count }
    }
    return state.withLock { ($0.rows, $0.findings) }
  }

  private func corpus(of target: Target) -> FuzzCorpus {
    FuzzCorpus(id: target.id, parent: settings.corpus)
  }

  // MARK: - One run of libFuzzer

  private func slice(_ index: Int, _ length: FuzzSlice.Length) throws -> FuzzSlice {
    let target = targets[index]
    let (number, known) = state.withLock { state in
      state.sliceCount += 1
      let known = state.findings.filter { $0.target == target.id }.map(\.key)
      return (state.sliceCount, known)
    }
    let folder = folder.appendingPathComponent("slice-\(number)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var request = FuzzRequest(
      mode: .fuzz,
      answersPath: folder.appendingPathComponent("answers").path
    )
    request.stage = target.stage.id
    request.literals = settings.literals
    request.known = known
    request.artifactsPath = folder.appendingPathComponent("artifacts").path
    let program = folder.appendingPathComponent("fuzzer")
    try tests.fuzzer(target.test, request, at: program)
    let seeds = self.folder.appendingPathComponent("seeds/\(target.id)")
    let hasSeeds = settings.usesSeeds && FileManager.default.fileExists(atPath: seeds.path)
    return FuzzSlice(
      program: program,
      // A comparison that comes closer is worth keeping, as two fields that must agree seldom do at once.
      options: ["use_value_profile=1"],
      environment: [:],
      corpus: corpus(of: target).folder,
      seeds: hasSeeds ? [seeds] : [],
      dictionary: nil,
      folder: folder,
      length: length,
      inputSecondsLimit: 0,
      goesOn: false,
      extraArguments: settings.extraArguments
    )
  }

  private func work(_ index: Int, seconds: Double) {
    let target = targets[index]
    do {
      let slice = try slice(index, .seconds(seconds))
      let result = try slice.run(isInterrupted: isInterrupted)
      let before = state.withLock { state in
        state.schedule.ended(index, seconds: result.seconds, features: result.features)
        state.rows[index].add(result)
        state.rows[index].figures.failingInputs += result.artifacts.count
        if result.breakdown != nil { state.repeats[index] += 1 }
        return state.findings.count
      }
      for artifact in result.artifacts {
        try judge(artifact, of: target, slice: slice)
      }
      state.withLock { state in
        if state.findings.count > before || result.artifacts.isEmpty && result.breakdown == nil {
          state.repeats[index] = 0
        } else {
          state.repeats[index] += 1
        }
      }
      let row = state.withLock { $0.rows[index].figures }
      say("\(target.title): \(counted(row.executions, "input")), \(counted(row.edges, "edge"))")
    } catch {
      state.withLock { state in
        state.schedule.ended(index, seconds: 1, features: 0)
        state.rows[index].breakdowns.append("\(error)")
        state.repeats[index] += 1
      }
    }
  }

  private func minimise(_ index: Int) {
    do {
      try corpus(of: targets[index]).minimise { smaller in
        let slice = try slice(index, .merge(into: smaller, seconds: 60))
        return try slice.run(isInterrupted: isInterrupted).breakdown == nil && !isInterrupted()
      }
    } catch {
      // The corpus is as it was, or lies where the next run puts it back from.
      state.withLock { $0.rows[index].breakdowns.append("the corpus was not minimised: \(error)") }
    }
  }

  // MARK: - What fails

  /// Judges an input that failed, in a process without a fuzzer, which makes it small and stores it.
  private func judge(_ artifact: URL, of target: Target, slice: FuzzSlice) throws {
    try judging.withLock { _ in
      let kept = try FuzzSlice.keep(artifact, of: target.id, below: home)
      let first = isInterrupted() ? nil : try verdict(of: kept, target, stores: false)
      guard let first, !isInterrupted() else {
        say("\(target.title): interrupted before an input that failed was judged: \(kept.path)")
        return
      }
      switch first {
      case .failures(let failures) where failures.isEmpty: noteUnrepeated(kept, of: target)
      case .failures(let failures):
        for failure in failures {
          let finding = FuzzFinding(
            target: target.id,
            subject: target.stage.model,
            key: failure.name,
            summary: failure.summary,
            input: kept,
            file: try? CaseFile.parse(failure.caseFile),
            replayCommand: failure.replay
          )
          note(finding, failure.text)
        }
      case .ended(let ending):
        let isKnown = state.withLock { state in
          state.findings.contains { $0.target == target.id && $0.key == ending.key }
        }
        // What ends a process has to be made small in others, and leaves its case as the last does.
        let small = isKnown ? nil : try smallest(kept, target, ending.key)
        guard let small, case .ended(let last) = try verdict(of: small, target, stores: true) else {
          note(ending, kept, of: target)
          return
        }
        note(last, small, of: target)
      }
    }
  }

  /// What came of judging one input.
  private enum Verdict {
    /// All that the input shows; none if all laws hold.
    case failures([FuzzFailureText])
    case ended(Ending)
  }

  /// How a process ended that judged an input.
  private struct Ending {
    let key: FailureKey
    let summary: String
    let text: String
    /// Where a test stored the case before it ended.
    let stored: URL?
    /// The command that the test told.
    let replay: String?
  }

  /// Judges an input in a process of its own.
  private func verdict(of input: URL, _ target: Target, stores: Bool) throws -> Verdict {
    var request = FuzzRequest(
      mode: .judge,
      answersPath: folder.appendingPathComponent("judged").path
    )
    request.stage = target.stage.id
    request.literals = settings.literals
    request.inputPath = input.path
    request.storesCases = stores
    let (end, answers, log) = try tests.run(
      [target.test],
      request,
      name: "judging",
      secondsLimit: Self.judgingSecondsLimit
    )
    let failures = answers.compactMap { answer in
      if case .failure(let failure) = answer { failure } else { nil }
    }
    if !failures.isEmpty || answers.contains(.judged) { return .failures(failures) }
    return .ended(ending(end, log, of: target))
  }

  /// The smallest input found that ends its process alike: bytes are left out, or lowered.
  private func smallest(_ input: URL, _ target: Target, _ key: FailureKey) throws -> URL {
    let bytes = [UInt8](try Data(contentsOf: input))
    let candidate = input.appendingPathExtension("small")
    let deadline = ProcessInfo.processInfo.systemUptime + Self.shrinkingSecondsLimit
    var shrinker = Shrinker(
      failing: bytes.map { Choice(value: UInt32($0), limit: 255) },
      spans: [],
      stepLimit: Self.shrinkingLimit
    )
    let result = shrinker.run(
      { values in
        let recorded = values.map { Choice(value: $0, limit: 255) }
        let isWritten =
          (try? Data(values.map { UInt8(truncatingIfNeeded: $0) }).write(to: candidate)) != nil
        guard isWritten,
          case .ended(let ending)? = try? self.verdict(of: candidate, target, stores: false)
        else { return ShrinkAttempt(recorded: recorded, spans: [], fails: false) }
        return ShrinkAttempt(recorded: recorded, spans: [], fails: ending.key == key)
      },
      shouldStop: { self.isInterrupted() || ProcessInfo.processInfo.systemUptime > deadline }
    )
    try Data(result.values.map { UInt8(truncatingIfNeeded: $0) }).write(to: candidate)
    return candidate
  }

  /// Counts a finding; a new one is told by a text with all that a person needs.
  private func note(_ finding: FuzzFinding, _ text: String) {
    var finding = finding
    // Where no test told a command, the report says at least where the input is.
    finding.replayCommand = finding.replayCommand ?? "see \(finding.input.path)"
    let isNew = state.withLock { state in
      let index = state.findings.firstIndex {
        $0.target == finding.target && $0.key == finding.key
      }
      if let index { state.findings[index].count += 1 } else { state.findings.append(finding) }
      return index == nil
    }
    if isNew { say("\n\(text)\n") }
  }

  private func note(_ ending: Ending, _ input: URL, of target: Target) {
    let finding = FuzzFinding(
      target: target.id,
      subject: target.stage.model,
      key: ending.key,
      summary: ending.summary,
      input: input,
      file: ending.stored.flatMap { try? CaseFolder.read($0) },
      replayCommand: ending.replay
    )
    note(finding, "\(ending.text)\nthe input: \(input.path)")
  }

  /// What a test printed before its process ended: a test leaves what it was at.
  private func ending(_ end: Subprogram.End, _ log: URL, of target: Target) -> Ending {
    let (kind, words): (String, String) =
      switch end {
      case .timedOut: ("hang", "no answer within \(Int(Self.judgingSecondsLimit)) s")
      case .signalled(let number): ("trap", "signal \(number) ended the process")
      case .exited(let status): ("exit", "the process ended with status \(status)")
      }
    let lines = ((try? String(contentsOf: log, encoding: .utf8)) ?? "")
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let start = lines.lastIndex { $0.contains("\(target.stage.model) breaks ") }
    let head = start.map { lines[$0] }
    let law = head?.split(separator: " ").dropFirst(2).first
    let told = start.map { lines[$0...] }
    let replay = told?.last { $0.hasPrefix("replay: ") }?.dropFirst("replay: ".count)
    let stored = lines.last { $0.hasPrefix("stored: ") }?.dropFirst("stored: ".count)
      .replacing(" (tried first from now on)", with: "")
    return Ending(
      key: FailureKey(
        law: FailureKey.answers,
        isError: true,
        kind: law.map { "\(kind) in \($0)" } ?? kind
      ),
      summary: head.map { "\(words): \($0)" } ?? words,
      text: told?.joined(separator: "\n") ?? "\(target.title): \(words)",
      stored: stored.map { URL(fileURLWithPath: String($0), relativeTo: tests.package) },
      replay: replay.map { String($0) }
    )
  }

  /// Notes an input that fails under the fuzzer alone.
  private func noteUnrepeated(_ input: URL, of target: Target) {
    let kind = String(input.lastPathComponent.prefix { $0 != "-" })
    let words =
      switch kind {
      case "timeout": "an input took more than \(Int(FuzzProcess.processorSecondsLimit)) s"
      case "oom": "an input took more than \(FuzzSlice.memoryLimit) MiB"
      default:
        "an input failed under the fuzzer, and not when it was judged again: is the test's code random?"
      }
    let finding = FuzzFinding(
      target: target.id,
      subject: target.stage.model,
      key: FailureKey(law: FailureKey.answers, isError: true, kind: kind),
      summary: words,
      input: input
    )
    note(finding, "\(target.title): \(words)\nthe input: \(input.path)")
  }
}
