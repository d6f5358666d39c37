import Campaigns
import Dispatch
import DocumentLaws
import Foundation
import PropertyEngine
import Reporting
import Synchronization
public import Testing

/// Expects that a subject keeps laws on random histories of several replicas.
///
/// Replicas edit, exchange, lose messages, crash and restart, and hear of each other in the end. A
/// history that breaks a law is repeated, made small, and recorded as an issue of the current test:
/// with the law, the history, what differs, and the command that judges it again. Its case file and
/// a Swift test of that one history are attached.
///
/// The same seed and number of cases give the same result on every machine. The environment may
/// ask for more, to go deep at night: `TOUCHSTONE_CASES` and `TOUCHSTONE_SEED` stand in for what is
/// given here.
///
/// - Parameters:
///   - subject: The id of a subject: one that comes along (`engine`, `naive`), or the name of a
///     folder in `adapters`.
///   - laws: Patterns of the names of laws, such as `merge.*`.
///   - cases: How many histories.
///   - seed: Where the choices start.
///   - adapters: The folder of subjects in other languages; without it the one that
///     `TOUCHSTONE_ADAPTERS` names, else `Adapters` where the tests are run.
///   - sourceLocation: Where issues are recorded.
/// - Throws: ``JudgementError`` if nothing could be judged.
public func expectLaws(
  of subject: String,
  matching laws: [String] = ["*"],
  cases: Int = 200,
  seed: UInt64 = 1,
  adapters: String? = nil,
  sourceLocation: SourceLocation = #_sourceLocation
) async throws {
  let environment = ProcessInfo.processInfo.environment
  let cases = environment["TOUCHSTONE_CASES"].flatMap { Int($0) }.map { max(1, $0) } ?? cases
  let seed = environment["TOUCHSTONE_SEED"].flatMap { Seed($0) } ?? Seed(value: seed)
  let chosen = try DocumentLaw.named(laws)
  let shelf = SubjectShelf(adaptersIn: adapters)
  try shelf.require([subject])
  let report = try await offThread { cancellation in
    try Check(
      shelf: shelf,
      subjects: [subject],
      laws: chosen,
      lawGlobs: laws == ["*"] ? [] : laws,
      seed: seed,
      budget: .cases(max(1, cases)),
      jobs: ProcessInfo.processInfo.activeProcessorCount,
      corpus: nil,
      folder: nil,
      requiredWaypoints: [],
      isInterrupted: { cancellation.isRequested }
    ).run(onStart: { _ in }, onProgress: { _ in }, onFailure: { _ in })
  }
  for failure in report.failures {
    record(FailureStory(failure, in: report), sourceLocation)
  }
  // What fails a run without being a failure of a law: nothing ran, or the harness is broken.
  if report.failures.isEmpty, report.outcome.word != .held {
    let words = report.outcome.reasons.joined(separator: "\n")
    Issue.record(Comment(rawValue: words), sourceLocation: sourceLocation)
  }
}

extension DocumentLaw {
  /// The laws whose names match any of the patterns.
  static func named(_ globs: [String]) throws(JudgementError) -> [DocumentLaw] {
    for glob in globs where !all.contains(where: { Glob(glob).matches($0.name) }) {
      throw .unknownLaw(glob)
    }
    return all.filter { law in globs.contains { Glob($0).matches(law.name) } }
  }
}

extension SubjectShelf {
  /// The shelf with the adapters of a folder, or of the place where they usually are.
  init(adaptersIn folder: String?) {
    let named = ProcessInfo.processInfo.environment["TOUCHSTONE_ADAPTERS"]
    self.init(adapters: URL(fileURLWithPath: folder ?? named ?? "Adapters"))
  }

  /// Sees that there is such a subject, and that it can be used.
  @discardableResult
  func require(_ ids: [String]) throws(JudgementError) -> Found {
    let found: Found
    do {
      found = try find(ids)
    } catch let error as UnknownSubject {
      throw .unknownSubject(error.id)
    } catch {
      throw .absentSubject(id: ids.first ?? "", reason: "\(error)")
    }
    if let absent = found.absent.first {
      throw .absentSubject(id: absent.id, reason: absent.reason)
    }
    return found
  }
}

/// Whether the test that waits for some work has been cancelled, by a time limit perhaps.
final class Cancellation: Sendable {
  private let requested = Atomic<Bool>(false)

  var isRequested: Bool { requested.load(ordering: .relaxed) }

  func request() { requested.store(true, ordering: .relaxed) }
}

/// Does work that takes long on a thread of its own, so that other tests go on.
func offThread<Value: Sendable>(
  _ work: @escaping @Sendable (Cancellation) throws -> Value
) async throws -> Value {
  let cancellation = Cancellation()
  return try await withTaskCancellationHandler {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(with: Result { try work(cancellation) })
      }
    }
  } onCancel: {
    cancellation.request()
  }
}
