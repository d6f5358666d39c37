import Campaigns
import Foundation
import FuzzEntryPoints
import PropertyEngine
import Reporting
import Synchronization
import Texts

/// Fuzzes targets for as long as it is given, and says what was found.
///
/// Whatever happens to a fuzzer is a finding, and the others go on. The corpus of a target is whole at
/// any time: what a killed run has kept is where the next one starts.
// A lock and no actor: each worker is a thread that waits for a process.
final class FuzzRun: Sendable {
  struct Settings: Sendable {
    let targets: [FuzzTarget]
    /// Id of the subject that every target judges; each target's usual one if `nil`.
    let subject: String?
    /// Seconds on the clock for all of it.
    let seconds: Double
    /// Fuzzers that run at once.
    let jobs: Int
    /// A number of inputs for each target, from this seed, instead of the seconds.
    let inputs: (count: Int, seed: UInt64)?
    /// A folder with a corpus for each target.
    let corpus: URL
    let usesSeeds: Bool
    let extraArguments: [String]
  }

  private struct State {
    var schedule: FuzzSchedule
    var rows: [FuzzRow]
    var findings: [FuzzFinding] = []
    var sliceCount = 0
  }

  private let settings: Settings
  private let build: FuzzBuild
  private let triage: FuzzTriage
  private let isInterrupted: @Sendable () -> Bool
  private let say: @Sendable (String) -> Void
  private let state: Mutex<State>
  /// One input at a time is judged: what is alike must be seen to be.
  private let judging = Mutex(())
  /// Files of this run alone.
  private let folder: URL

  init(
    _ settings: Settings,
    build: FuzzBuild,
    touchstone: URL,
    isInterrupted: @escaping @Sendable () -> Bool,
    say: @escaping @Sendable (String) -> Void
  ) throws {
    self.settings = settings
    self.build = build
    self.isInterrupted = isInterrupted
    self.say = say
    folder = build.folder.appendingPathComponent("run-\(ProcessInfo.processInfo.processIdentifier)")
    triage = FuzzTriage(
      touchstone: touchstone,
      subject: settings.subject,
      folder: folder,
      isInterrupted: isInterrupted
    )
    let rows = try settings.targets.map { target in
      FuzzRow(target: target.id, subject: try target.subject(settings.subject).id)
    }
    state = Mutex(State(schedule: FuzzSchedule(targetCount: rows.count), rows: rows))
  }

  /// Seconds of one run of a fuzzer: long enough that reading the corpus is little of it.
  private var sliceSeconds: Double {
    FuzzSchedule.sliceSeconds(settings.seconds, settings.jobs, settings.targets.count)
  }

  /// Runs until the time is over or the user has had enough.
  ///
  /// - Throws: What the file system says, if not even the folders can be made.
  func run() throws -> (rows: [FuzzRow], findings: [FuzzFinding]) {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try prepareSeeds()
    for (index, target) in settings.targets.enumerated() {
      let corpus = corpus(of: target)
      try corpus.restore()
      let count = corpus.count
      state.withLock { $0.rows[index].figures.corpusBefore = count }
    }
    if let (count, seed) = settings.inputs {
      for index in settings.targets.indices where !isInterrupted() {
        _ = state.withLock { $0.schedule.next() }
        work(index, .inputs(count, seed: seed))
      }
    } else {
      FuzzSchedule.run(settings.jobs, for: settings.seconds, isInterrupted: isInterrupted) { left in
        guard let index = state.withLock({ $0.schedule.next() }) else { return false }
        work(index, .seconds(min(left, sliceSeconds)))
        return true
      }
      for index in settings.targets.indices where !isInterrupted() { minimise(index) }
    }
    for index in settings.targets.indices {
      let count = corpus(of: settings.targets[index]).count
      state.withLock { $0.rows[index].figures.corpus = count }
    }
    return state.withLock { ($0.rows, $0.findings) }
  }

  // MARK: - One run of a fuzzer

  /// Runs a fuzzer on one target.
  private func work(_ index: Int, _ length: FuzzSlice.Length) {
    let number = state.withLock { state in
      state.sliceCount += 1
      return state.sliceCount
    }
    let target = settings.targets[index]
    var slice = slice(index, number, length)
    slice.extraArguments = settings.extraArguments
    do {
      let result = try slice.run(isInterrupted: isInterrupted)
      state.withLock { state in
        state.schedule.ended(index, seconds: result.seconds, features: result.features)
        state.rows[index].add(result)
      }
      var failingCount = 0
      for artifact in result.artifacts where !isInterrupted() {
        let log = slice.folder.appendingPathComponent("log")
        if try judge(artifact, of: target, log: log) { failingCount += 1 }
      }
      let row = state.withLock { state in
        state.rows[index].figures.failingInputs += failingCount
        return state.rows[index].figures
      }
      say(
        "\(target.id): \(counted(row.executions, "input")), \(counted(row.edges, "edge"))"
          + (row.failingInputs > 0 ? ", \(row.failingInputs) failed" : "")
      )
    } catch {
      state.withLock { state in
        state.schedule.ended(index, seconds: 0, features: 0)
        state.rows[index].breakdowns.append("\(error)")
      }
    }
  }

  private func slice(_ index: Int, _ number: Int, _ length: FuzzSlice.Length) -> FuzzSlice {
    let target = settings.targets[index]
    let dictionary = build.package.appendingPathComponent("Fuzz/Dictionaries/\(target.id).dict")
    let hasDictionary = FileManager.default.fileExists(atPath: dictionary.path)
    return FuzzSlice(
      program: build.program(target.executable),
      options: target.libFuzzerOptions.map { "\($0.name)=\($0.value)" },
      environment: settings.subject.map { [FuzzSubject.variable: $0] } ?? [:],
      corpus: corpus(of: target).folder,
      seeds: settings.usesSeeds ? [seedFolder(of: target)] : [],
      dictionary: hasDictionary ? dictionary : nil,
      folder: folder.appendingPathComponent("slice-\(number)"),
      length: length
    )
  }

  /// Judges an input that failed, and makes the first of each kind smaller.
  ///
  /// - Returns: Whether it fails. One that was too slow for libFuzzer's clock, and is answered alone,
  ///   says that the machine is busy.
  private func judge(_ artifact: URL, of target: FuzzTarget, log: URL) throws -> Bool {
    // What it does takes a process and its time: the lock is held for as long.
    try judging.withLock { _ in
      let subject = state.withLock { state in
        state.rows.first { $0.figures.target == target.id }?.figures.subject ?? ""
      }
      let text = (try? String(decoding: Data(contentsOf: log), as: UTF8.self)) ?? ""
      guard
        let failure =
          try triage.failure(of: artifact, target) ?? unrepeated(artifact, FuzzLog(text).summary)
      else {
        let kept = try FuzzSlice.keep(artifact, of: target.id, below: build.folder)
        say(
          "\(target.id): more than \(FuzzSlice.usualInputSecondsLimit) s, yet all laws hold: \(kept.path)"
        )
        return false
      }
      let known = state.withLock { state -> Bool in
        let index = state.findings.firstIndex { finding in
          finding.subject == subject && finding.key == failure.key
        }
        if let index { state.findings[index].count += 1 }
        return index != nil
      }
      guard !known else { return true }
      var finding = FuzzFinding(
        target: target.id,
        subject: subject,
        key: failure.key,
        summary: failure.summary,
        input: try FuzzSlice.keep(artifact, of: target.id, below: build.folder)
      )
      say("failure: \(failure.key.law) on \(subject): \(failure.summary)")
      finding.file = try triage.smallest(finding, of: target)
      state.withLock { $0.findings.append(finding) }
      return true
    }
  }

  /// The failure that an input is when no law is broken without libFuzzer; `nil` if it only took long.
  private func unrepeated(
    _ artifact: URL,
    _ summary: String?
  ) -> (key: FailureKey, summary: String)? {
    let name = artifact.lastPathComponent.prefix { $0 != "-" }
    guard name != "timeout" else { return nil }
    let words =
      switch name {
      case "oom": "an input took more than \(FuzzSlice.memoryLimit) MiB"
      default: summary ?? "the fuzzer's process ended; without libFuzzer all laws hold"
      }
    // Of a sanitizer's findings, the kind of error and the function tell them apart.
    let kind = name == "crash" ? summary ?? "crash" : String(name)
    return (FailureKey(law: FailureKey.answers, isError: true, kind: kind), words)
  }

  // MARK: - Corpora

  private func corpus(of target: FuzzTarget) -> FuzzCorpus {
    FuzzCorpus(id: target.id, parent: settings.corpus)
  }

  private func seedFolder(of target: FuzzTarget) -> URL {
    folder.appendingPathComponent("seeds/\(target.id)")
  }

  /// Copies the inputs of `corpus/`: libFuzzer would take every file for an input, READMEs too.
  private func prepareSeeds() throws {
    guard settings.usesSeeds else { return }
    for target in settings.targets {
      let goal = seedFolder(of: target)
      try FileManager.default.createDirectory(at: goal, withIntermediateDirectories: true)
      let folders = ["corpus/\(target.id)"] + (target.boundary?.otherFolders ?? [])
      for path in folders {
        let source = build.package.appendingPathComponent(path)
        guard FileManager.default.fileExists(atPath: source.path) else { continue }
        for file in try target.inputs(at: source) where !file.pathExtension.isEmpty {
          try FileManager.default.copyItem(
            at: file,
            to: goal.appendingPathComponent(file.lastPathComponent)
          )
        }
      }
    }
  }

  /// Keeps the fewest inputs that reach all that the corpus reaches.
  private func minimise(_ index: Int) {
    do {
      try corpus(of: settings.targets[index]).minimise { smaller in
        let number = state.withLock { $0.sliceCount } + index + 1
        let slice = slice(index, number, .merge(into: smaller, seconds: sliceSeconds))
        return try slice.run(isInterrupted: isInterrupted).breakdown == nil && !isInterrupted()
      }
    } catch {
      // The corpus is as it was, or lies where the next run puts it back from.
      state.withLock { $0.rows[index].breakdowns.append("the corpus was not minimised: \(error)") }
    }
  }
}
