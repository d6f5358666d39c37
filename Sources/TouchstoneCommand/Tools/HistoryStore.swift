import CaseFiles
import Foundation
import LocalStore
import Reporting
import Synchronization

/// The folder in which a project keeps its past runs, in the local store, and its failures, as case files.
///
/// Each call opens the store, waits while another run has it open, and gives it up again: several runs share
/// the folder.
struct HistoryStore {
  let folder: URL

  /// Where case files of failures stand, which later runs try first.
  var cases: CaseFolder { CaseFolder(folder.appendingPathComponent("cases")) }

  /// Runs that are kept; older ones go.
  private static let runLimit = 2000
  /// Seconds for which another run may have the store open.
  private static let patience = 30.0

  /// All runs.
  ///
  /// - Throws: ``FileFailure`` where there is no history, or it cannot be read.
  func runs() throws -> [PastRun] {
    guard FileManager.default.fileExists(atPath: folder.path) else {
      throw FileFailure(
        "\(folder.path) holds no history: `touchstone check --history \(folder.lastPathComponent)` begins one"
      )
    }
    return try withStore { await $0.loadAll() }
  }

  /// The runs with which a report can be compared; `nil` if there are none, or no history yet.
  ///
  /// - Throws: ``FileFailure`` where the history cannot be read.
  func earlierRuns(before report: Report) throws -> EarlierRuns? {
    guard FileManager.default.fileExists(atPath: folder.path) else { return nil }
    return EarlierRuns(in: try runs(), before: report)
  }

  /// Adds a run, or replaces the same one.
  ///
  /// - Throws: ``FileFailure``.
  func add(_ run: PastRun) throws {
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      throw FileFailure("cannot make the folder \(folder.path)", error)
    }
    try withStore { store in
      _ = try await store.save(run)
      let runs = await store.loadAll().sorted { $0.startedAt < $1.startedAt }
      for old in runs.dropLast(Self.runLimit) { _ = try await store.delete(old.id) }
    }
  }

  /// Takes failures out of all runs, and their case files away.
  ///
  /// - Throws: ``FileFailure``.
  func forget(_ failures: [PastFailure]) throws {
    let forgotten = RunHistory.Forgotten(failures)
    try withStore { store in
      for run in await store.loadAll() {
        if let rest = forgotten.removed(from: run) { _ = try await store.save(rest) }
      }
    }
    for failure in failures {
      guard let file = caseFile(of: failure) else { continue }
      try removeFile(file)
    }
  }

  /// The case file of a failure; `nil` if it is not there, or its name is none of a file.
  func caseFile(of failure: PastFailure) -> URL? {
    cases.caseURLs.first { $0.deletingPathExtension().lastPathComponent == failure.id }
  }

  private func withStore<Result: Sendable>(
    _ body: @escaping @Sendable (LocalRepository<PastRun>) async throws -> Result
  ) throws -> Result {
    let folder = folder
    let outcome = Mutex<Swift.Result<Result, any Error>?>(nil)
    let done = DispatchSemaphore(value: 0)
    Task.detached {
      let result: Swift.Result<Result, any Error>
      do {
        let store = try await Self.open(folder)
        do {
          let value = try await body(store)
          try await store.close()
          result = .success(value)
        } catch {
          try? await store.close()
          throw error
        }
      } catch {
        result = .failure(FileFailure("the history in \(folder.path) cannot be used", error))
      }
      outcome.withLock { $0 = result }
      done.signal()
    }
    done.wait()
    guard let result = outcome.withLock({ $0 }) else {
      throw FileFailure("the history in \(folder.path) gave no answer")
    }
    return try result.get()
  }

  private static func open(_ folder: URL) async throws -> LocalRepository<PastRun> {
    let end = ContinuousClock.now + .seconds(patience)
    while true {
      do {
        return try await LocalRepository<PastRun>.open(directory: folder, filename: "runs.json")
      } catch {
        guard error.reason == .alreadyOpen, ContinuousClock.now < end else { throw error }
      }
      try await Task.sleep(for: .milliseconds(50))
    }
  }
}
