package import CaseFiles
package import Foundation
import LocalStore
package import PastRuns

/// The folder in which a project keeps its past runs, in the local store, and its failures, as case files.
///
/// Each call opens the store, waits while another run has it open, and gives it up again: several runs share
/// the folder.
package struct HistoryStore: Sendable {
  package let folder: URL

  /// Where case files of failures stand, which later runs try first.
  package var cases: CaseFolder { CaseFolder(folder.appendingPathComponent("cases")) }

  private static let fileName = "runs.json"
  /// The store's own folder.
  private static let storeName = "\(fileName).store"

  /// Runs that are kept; older ones go.
  private static let runLimit = 2000
  /// How often the store is tried, 50 ms apart, while another run has it open.
  ///
  /// Tries and no time: where the machine is so busy that another run holds the store for long, tries are rare, too.
  private static let tryLimit = 1200

  package init(folder: URL) {
    self.folder = folder
  }

  /// Whether any run was ever added: a folder that holds something else is no history, and is left as it is.
  package var exists: Bool {
    FileManager.default.fileExists(atPath: folder.appendingPathComponent(Self.storeName).path)
  }

  /// All runs.
  ///
  /// - Throws: ``FileFailure`` where there is no history, or it cannot be read.
  package func runs() async throws -> [PastRun] {
    guard exists else {
      throw FileFailure(
        "\(folder.relativePath) holds no history: `touchstone check --history` begins one"
      )
    }
    return try await withStore { await $0.loadAll() }
  }

  /// Adds a run, or replaces the same one; `begun` is what stood for it until it ended, and is taken out.
  ///
  /// - Throws: ``FileFailure``.
  package func add(_ run: PastRun, inPlaceOf begun: PastRun? = nil) async throws {
    try await change(run, inPlaceOf: begun) { _ in run }
  }

  /// Adds parts of a run of tests to what is there of it.
  ///
  /// - Throws: ``FileFailure``.
  package func add(parts first: PastRun, _ rest: [PastRun]) async throws {
    try await change(first) { known in
      rest.reduce(known?.adding(first) ?? first) { $0.adding($1) }
    }
  }

  private func change(
    _ run: PastRun,
    inPlaceOf begun: PastRun? = nil,
    _ body: @escaping @Sendable (PastRun?) -> PastRun
  ) async throws {
    try makeFolder(folder)
    try await withStore { store in
      _ = try await store.update(run.id, body)
      if let begun, begun.id != run.id { _ = try await store.delete(begun.id) }
      let runs = await store.loadAll().sorted { $0.startedAt < $1.startedAt }
      for old in runs.dropLast(Self.runLimit) { _ = try await store.delete(old.id) }
    }
  }

  /// Takes failures out of all runs, and the case files away that any of the runs had of them.
  ///
  /// - Throws: ``FileFailure``.
  package func forget(_ failures: [PastFailure]) async throws {
    let forgotten = RunHistory.Forgotten(failures)
    let removed = try await withStore { store in
      var removed: [PastFailure] = []
      for run in await store.loadAll() {
        guard let rest = forgotten.removed(from: run) else { continue }
        removed += run.failures.filter { !rest.failures.contains($0) }
        _ = try await store.save(rest)
      }
      return removed
    }
    // One that came back after it was mended has another file than before.
    for failure in Set(failures + removed) {
      guard let file = caseFile(of: failure) else { continue }
      try removeFile(file)
    }
  }

  /// The case file of a failure, here or beside its test; `nil` if it is not there, or its name is not that of a file.
  package func caseFile(of failure: PastFailure) -> URL? {
    guard let path = failure.path else {
      return try? cases.ownCaseURLs.first {
        $0.deletingPathExtension().lastPathComponent == failure.id
      }
    }
    let url = URL(fileURLWithPath: path)
    // A path comes from a file: nothing but the case of a test is ever taken away by it.
    let isCase =
      url.pathExtension == "case"
      && url.deletingLastPathComponent().lastPathComponent == Self.caseFolderOfTests
    return isCase && FileManager.default.fileExists(atPath: url.path) ? url : nil
  }

  /// The folder beside a test in which its failures are kept.
  package static let caseFolderOfTests = "__Touchstone__"

  private func withStore<Result: Sendable>(
    _ body: @Sendable (LocalRepository<PastRun>) async throws -> Result
  ) async throws -> Result {
    do {
      let store = try await Self.open(folder)
      do {
        let value = try await body(store)
        try await store.close()
        return value
      } catch {
        try? await store.close()
        throw error
      }
    } catch {
      let words = "the history in \(folder.relativePath) cannot be used"
      switch (error as? StoreError)?.reason {
      case .corrupted(let damage)?:
        throw FileFailure(
          words,
          reason:
            "its files are damaged (\(damage)); a new one begins where \(Self.storeName) is moved "
            + "away, and the case files stay"
        )
      // What the store was at when it failed means nothing to who keeps runs.
      case let reason?: throw FileFailure(words, reason: "\(reason)")
      case nil: throw FileFailure(words, error)
      }
    }
  }

  private static func open(_ folder: URL) async throws -> LocalRepository<PastRun> {
    var tries = 1
    while true {
      do {
        return try await LocalRepository<PastRun>.open(directory: folder, filename: fileName)
      } catch {
        guard error.reason == .alreadyOpen, tries < tryLimit else { throw error }
      }
      tries += 1
      try await Task.sleep(for: .milliseconds(50))
    }
  }
}
