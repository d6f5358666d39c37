import CaseFiles
import Foundation
import FuzzSessions
package import PastRuns
import RunHistories

/// The folder of past runs that `TOUCHSTONE_HISTORY` names, to which the expectations of this process add what they
/// judged: one run, whatever the number of tests.
package actor TestHistory {
  /// What an expectation judged.
  struct Part: Sendable {
    var failures: [PastFailure]
    /// In how many cases each law was judged on the subject.
    var judged: [String: Int]
    var subject: String
    var seed: String

    init(
      subject: String,
      seed: String,
      _ outcome: Expectation.Outcome,
      in folder: FailureFolder
    ) {
      self.subject = subject
      self.seed = seed
      judged = outcome.judged
      failures = outcome.failures.map { failure in
        PastFailure(
          id: failure.caseName,
          law: failure.law,
          subject: subject,
          differenceKind: failure.kind,
          summary: failure.summary,
          path: failure.storedPath,
          replay: failure.storedPath.map(folder.command(replaying:))
        )
      }
    }
  }

  /// The history of this process; `nil` if the environment names none, or if one case or one input alone is judged.
  package static let current: TestHistory? = {
    let environment = ProcessInfo.processInfo.environment
    let replayed = environment["TOUCHSTONE_REPLAY"] ?? ""
    guard let path = environment["TOUCHSTONE_HISTORY"], !path.isEmpty, replayed.isEmpty,
      case .success(nil) = FuzzRequest.current
    else { return nil }
    return TestHistory(HistoryStore(folder: URL(fileURLWithPath: path)))
  }()

  private let store: HistoryStore
  private let startedAt = Date()
  private let startedAtUptime = ProcessInfo.processInfo.systemUptime
  private let checkedOut = currentCommit()
  private var earlier: Task<RunHistory?, Never>?
  private var waiting: [Part] = []
  /// Writes what waits, once those before it have written.
  private var next: Task<String?, Never>?
  private var last: Task<String?, Never>?

  init(_ store: HistoryStore) {
    self.store = store
  }

  /// The runs before this one; `nil` if there are none, or they cannot be read.
  func runsBefore() async -> RunHistory? {
    let task =
      earlier
      ?? Task { [store] in
        guard store.exists, let runs = try? await store.runs() else { return nil }
        return RunHistory(runs)
      }
    earlier = task
    return await task.value
  }

  /// Adds a part, together with those that come while another is written.
  ///
  /// - Returns: Why it is not there; `nil` if it is.
  func add(_ part: Part) async -> String? {
    waiting.append(part)
    if let next { return await next.value }
    let before = last
    let task = Task {
      _ = await before?.value
      return await self.write()
    }
    next = task
    last = task
    return await task.value
  }

  /// Adds a run that has a report of its own.
  ///
  /// - Returns: Why it is not there; `nil` if it is.
  package func add(_ run: PastRun) async -> String? {
    do {
      try await store.add(run)
      return nil
    } catch {
      return "\(error)"
    }
  }

  /// What is checked out.
  package nonisolated var commit: String? { checkedOut }

  private func write() async -> String? {
    next = nil
    let parts = waiting.map(run)
    waiting = []
    guard let first = parts.first else { return nil }
    do {
      try await store.add(parts: first, Array(parts.dropFirst()))
      return nil
    } catch {
      return "\(error)"
    }
  }

  private func run(_ part: Part) -> PastRun {
    let process = ProcessInfo.processInfo
    let start = startedAt.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    return PastRun(
      tests: "\(start) tests \(process.processIdentifier)",
      startedAt: start,
      seconds: process.systemUptime - startedAtUptime,
      machine: machineDescription,
      commit: checkedOut,
      seed: part.seed,
      repeatCommand: "swift test",
      failures: part.failures,
      judged: part.judged.isEmpty ? [:] : [part.subject: part.judged]
    )
  }
}
