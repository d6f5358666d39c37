import Foundation
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
    /// Seconds on the clock for all of it.
    let seconds: Double
    /// Fuzzers that run at once.
    let jobs: Int
    /// A number of inputs for each target, from this seed, instead of the seconds.
    var inputs: (count: Int, seed: UInt64)?
    /// A folder with a corpus for each target.
    let corpus: URL
    var extraArguments: [String] = []
  }

  /// One row of the report.
  struct Target: Sendable {
    /// The name of its folders.
    let id: String
    /// What a person calls it.
    let title: String
    /// What is judged, by the name that a report has for it.
    let subject: String
    /// Failures with one key in one scope count as one: targets that share a scope report each
    /// once.
    let scope: String
  }

  /// What tells findings apart.
  private struct Identity: Hashable {
    let scope: String
    let key: FailureKey
  }

  private struct State {
    var schedule: FuzzSchedule
    var rows: [FuzzRow]
    var findings: [FuzzFinding] = []
    /// Where in `findings` each is.
    var places: [Identity: Int] = [:]
    var sliceCount = 0
    /// Runs of each target in a row that ended with a failure found before, or with none to judge.
    var repeats: [Int]
  }

  private let settings: Settings
  private let source: any FuzzSource
  private let targets: [Target]
  private let state: Mutex<State>
  /// Inputs are judged one at a time, so that duplicates are recognised.
  private let judging = Mutex(())

  private var isInterrupted: @Sendable () -> Bool { source.isInterrupted }

  init(_ settings: Settings, on source: any FuzzSource) {
    self.settings = settings
    self.source = source
    targets = source.targets
    state = Mutex(
      State(
        schedule: FuzzSchedule(targetCount: targets.count),
        rows: targets.map { FuzzRow(target: $0.title, subject: $0.subject) },
        repeats: Array(repeating: 0, count: targets.count)
      )
    )
  }

  /// Hands out a folder for files of one run alone, which goes with the run.
  ///
  /// - Throws: What the file system says, or `body`.
  static func withFolder<Result>(below home: URL, _ body: (URL) throws -> Result) throws -> Result {
    let folder = home.appendingPathComponent("run-\(ProcessInfo.processInfo.processIdentifier)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder)
  }

  /// Seconds of one run of a fuzzer: long enough that reading the corpus is little of it.
  private var sliceSeconds: Double {
    FuzzSchedule.sliceSeconds(settings.seconds, settings.jobs, targets.count)
  }

  /// Runs until the budget is spent or the run is interrupted.
  ///
  /// - Throws: What the file system says, if not even the corpora can be put back.
  func run() throws -> (rows: [FuzzRow], findings: [FuzzFinding]) {
    for (index, target) in targets.enumerated() {
      let corpus = corpus(of: target)
      try corpus.restore()
      let count = corpus.count
      state.withLock { $0.rows[index].figures.corpusBefore = count }
    }
    if let (count, seed) = settings.inputs {
      for index in targets.indices where !isInterrupted() {
        _ = state.withLock { $0.schedule.next() }
        work(index, .inputs(count, seed: seed))
      }
    } else {
      FuzzSchedule.run(settings.jobs, for: settings.seconds, isInterrupted: isInterrupted) { left in
        guard let index = next() else { return false }
        work(index, .seconds(min(left, sliceSeconds)))
        return true
      }
      for index in targets.indices where !isInterrupted() { minimise(index) }
    }
    for (index, target) in targets.enumerated() {
      let corpus = corpus(of: target)
      let situations = isInterrupted() ? nil : source.situations(in: corpus.folder, of: index)
      state.withLock { state in
        state.rows[index].figures.corpus = corpus.count
        state.rows[index].figures.situations = situations
      }
    }
    return state.withLock { ($0.rows, $0.findings) }
  }

  private func corpus(of target: Target) -> FuzzCorpus {
    FuzzCorpus(id: target.id, parent: settings.corpus)
  }

  /// The target that goes next; `nil` if none goes any further.
  private func next() -> Int? {
    let limit = source.repeatLimit ?? .max
    return state.withLock { state in
      // A target that goes no further has its turns, and uses none of them.
      for _ in 0..<(8 * targets.count) {
        guard let index = state.schedule.next() else { return nil }
        if state.repeats[index] < limit { return index }
        state.schedule.ended(index, seconds: 1, features: 0)
      }
      return nil
    }
  }

  // MARK: - One run of libFuzzer

  private func slice(_ index: Int, _ length: FuzzSlice.Length) throws -> FuzzSlice {
    let target = targets[index]
    let (number, known) = state.withLock { state in
      state.sliceCount += 1
      let known = state.findings.filter { $0.target == target.id }.map(\.key)
      return (state.sliceCount, known)
    }
    let folder = source.folder.appendingPathComponent("slice-\(number)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let seeds = source.folder.appendingPathComponent("seeds/\(target.id)")
    return FuzzSlice(
      fuzzer: try source.fuzzer(of: index, in: folder, known: known),
      corpus: corpus(of: target).folder,
      seeds: FileManager.default.fileExists(atPath: seeds.path) ? [seeds] : [],
      folder: folder,
      length: length,
      extraArguments: settings.extraArguments
    )
  }

  /// Runs a fuzzer on one target, and judges what fails.
  private func work(_ index: Int, _ length: FuzzSlice.Length) {
    do {
      let (slice, result) = try fuzz(index, length)
      let id = targets[index].id
      let before = state.withLock { $0.findings.count { $0.target == id } }
      for artifact in result.artifacts where try judge(artifact, of: index, log: slice.log) {
        state.withLock { $0.rows[index].figures.failingInputs += 1 }
      }
      let row = state.withLock { state in
        // Other workers find something in other targets meanwhile.
        let isNew = state.findings.count { $0.target == id } > before
        if isNew || result.artifacts.isEmpty && result.breakdown == nil {
          state.repeats[index] = 0
        } else {
          // A breakdown leaves nothing to judge, and counts twice.
          state.repeats[index] += result.breakdown == nil ? 1 : 2
        }
        return state.rows[index].figures
      }
      let failed =
        source.countsFailingInputs && row.failingInputs > 0 ? ", \(row.failingInputs) failed" : ""
      source.say(
        "\(row.target): \(counted(row.executions, "input")), \(counted(row.edges, "edge"))\(failed)"
      )
    } catch {
      state.withLock { state in
        state.rows[index].breakdowns.append("\(error)")
        state.repeats[index] += 1
      }
    }
  }

  /// Runs a fuzzer on one target; the schedule learns of its end, whatever that is.
  private func fuzz(
    _ index: Int,
    _ length: FuzzSlice.Length
  ) throws -> (slice: FuzzSlice, result: FuzzSlice.Result) {
    do {
      let slice = try slice(index, length)
      let result = try slice.run(isInterrupted: isInterrupted)
      state.withLock { state in
        state.schedule.ended(index, seconds: result.seconds, features: result.features)
        state.rows[index].add(result)
      }
      return (slice, result)
    } catch {
      // Counts as one second, so that a target that fails at once is not chosen again at once.
      state.withLock { $0.schedule.ended(index, seconds: 1, features: 0) }
      throw error
    }
  }

  /// Keeps the fewest inputs that reach all that the corpus reaches.
  private func minimise(_ index: Int) {
    do {
      try corpus(of: targets[index]).minimise { smaller in
        let seconds = source.minimisingSeconds ?? sliceSeconds
        let slice = try slice(index, .merge(into: smaller, seconds: seconds))
        return try slice.run(isInterrupted: isInterrupted).breakdown == nil && !isInterrupted()
      }
    } catch {
      // The corpus is as it was, or lies where the next run puts it back from.
      state.withLock { $0.rows[index].breakdowns.append("the corpus was not minimised: \(error)") }
    }
  }

  // MARK: - What fails

  /// Judges an input that failed; what it shows is counted, and told if it is new.
  ///
  /// - Returns: Whether it counts as failing.
  private func judge(_ artifact: URL, of index: Int, log: URL) throws -> Bool {
    // What it does takes a process and its time: the lock is held for as long.
    try judging.withLock { _ in
      let scope = targets[index].scope
      let judged = try source.judge(artifact, of: index, log: log) { key in
        state.withLock { $0.places[Identity(scope: scope, key: key)] != nil }
      }
      guard let judged else { return false }
      for found in judged where note(found.finding, in: scope) {
        if let text = found.text { source.say(text) }
      }
      return true
    }
  }

  /// Counts a finding.
  ///
  /// - Returns: Whether it is new.
  private func note(_ finding: FuzzFinding, in scope: String) -> Bool {
    state.withLock { state in
      let identity = Identity(scope: scope, key: finding.key)
      if let place = state.places[identity] {
        state.findings[place].count += 1
        return false
      }
      state.places[identity] = state.findings.count
      state.findings.append(finding)
      return true
    }
  }
}
