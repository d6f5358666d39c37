import Campaigns
import DocumentLaws
import Foundation
import PastRuns
import PropertyEngine
import Reporting
public import Testing
import Texts
import Touchstone

/// Expects that a subject keeps laws on random histories of several replicas.
///
/// Replicas edit, exchange, lose messages, crash and restart, and hear of each other in the end. A
/// history that breaks a law is repeated, made small, and recorded as an issue of the current test:
/// with the law, the history, what differs, and the commands that judge it again. It is stored in
/// `__Touchstone__` beside the test, and tried first at the next run. Its case file, a page of it and a Swift test of
/// that one history are attached, and the page of the whole run, on which each history is a diagram to step through.
///
/// The same seed and number of cases give the same result on every machine. The environment wins over
/// what is given here, as `LawSettings` says.
///
/// - Parameters:
///   - subject: The id of a subject: one that comes along (`engine`, `naive`), or the name of a
///     folder in `adapters`.
///   - laws: Patterns of the names of laws, such as `merge.*`.
///   - cases: How many histories.
///   - seed: Where the choices start.
///   - adapters: The folder of subjects in other languages; without it the one that
///     `TOUCHSTONE_ADAPTERS` names, else `Adapters` where the tests are run.
///   - sourceLocation: Where issues are recorded, and whose folder keeps the failures.
/// - Throws: `JudgementError` if nothing could be judged.
public func expectLaws(
  of subject: String,
  matching laws: [String] = ["*"],
  cases: Int = 200,
  seed: UInt64 = 1,
  adapters: String? = nil,
  sourceLocation: SourceLocation = #_sourceLocation
) async throws {
  let settings = try ResolvedSettings(LawSettings(cases: cases, seed: seed))
  let names = Set(try DocumentLaw.named(laws).map(\.name))
  let registry = SubjectRegistry(adaptersIn: adapters)
  try registry.require([subject])
  let folder = FailureFolder(at: sourceLocation)
  var testIssues = TestIssues(at: sourceLocation)
  for warning in KnownVariables.untoldWarnings() { testIssues.warn(warning) }
  if let path = settings.replayPath {
    try await judge(subject, replaying: path, in: folder, registry, &testIssues)
    return try testIssues.finish()
  }
  let stored = await StoredCases(
    of: subject,
    by: names.union([FailureKey.answers]),
    in: folder,
    registry
  )
  for note in stored.notes { testIssues.warn(note) }
  let known = Set(stored.issues.map(\.key))
  let (report, found) = try await offThread { cancellation in
    var found: [Failure] = []
    let report = try CheckRun(
      registry: registry,
      subjects: [subject],
      laws: names,
      lawChoice: LawChoice(laws == ["*"] ? [] : laws),
      seed: settings.seed,
      budget: .cases(settings.cases),
      jobs: ProcessInfo.processInfo.activeProcessorCount,
      isInterrupted: { cancellation.isRequested }
    ).run(onStart: { _ in }, onProgress: { _ in }, onFailure: { found.append($0) })
    // A stored case reports its own failure.
    let new = found.filter { !known.contains($0.key) }
    return (report, report.issues(of: new, storedIn: folder, registry))
  }
  if let history = TestHistory.current,
    let reason = await history.add(PastRun(report, commit: history.commit))
  {
    testIssues.warn("the run of \(subject) is not in the history: \(reason)")
  }
  testIssues.tell(report, of: subject, stored.issues + found)
  try testIssues.finish()
}

/// Judges the case that the environment names, if it is one of the subject.
private func judge(
  _ subject: String,
  replaying path: String,
  in folder: FailureFolder,
  _ registry: SubjectRegistry,
  _ testIssues: inout TestIssues
) async throws {
  let file = try FailureFolder.readCase(at: path)
  // It may be meant for another expectation of the same test.
  guard file.isOf(subject) else {
    return testIssues.warn(FailureFolder.reasonNotToJudge(subject, replaying: file))
  }
  guard let failure = try await failure(of: file, in: registry) else { return }
  let replay = ReplayHint(folder.kept(at: path), in: registry)
  testIssues.fail(FailureIssue(failure, replay: replay).told)
}

extension Report {
  /// Stores the failures that the report has, and tells of each.
  fileprivate func issues(
    of found: [PropertyEngine.Failure],
    storedIn folder: FailureFolder,
    _ registry: SubjectRegistry
  ) -> [FailureIssue] {
    failures.compactMap { reported in
      guard let failure = found.first(where: { $0.slug == reported.id }) else { return nil }
      let kept = folder.store(failure.caseFile, failure.nameParts)
      let replay = ReplayHint(kept, in: registry)
      return FailureIssue(failure, reported, in: self, replay: replay)
    }
  }
}

extension TestIssues {
  /// Records what a run found, with its report.
  fileprivate mutating func tell(_ report: Report, of subject: String, _ issues: [FailureIssue]) {
    // A run may fail without a failure of a law: nothing ran, or the harness is broken.
    let failsAsWhole = issues.isEmpty && report.outcome.word != .held
    guard !issues.isEmpty || failsAsWhole else { return }
    let page = HTMLReport(report, standsAlone: true).text
    attach(page, named: "\(slug("\(subject)--report")).html")
    for issue in issues { fail(issue.told) }
    if failsAsWhole { fail(report.outcome.reasons.map(\.text).joined(separator: "\n")) }
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

extension SubjectRegistry {
  /// The registry with the adapters of a folder, or of the place where they usually are.
  init(adaptersIn folder: String?) {
    let variable = ProcessInfo.processInfo.environment["TOUCHSTONE_ADAPTERS"] ?? ""
    let usual = variable.isEmpty ? "Adapters" : variable
    self.init(adapters: URL(fileURLWithPath: folder ?? usual))
  }

  /// Finds subjects; each must be known and set up.
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
