import Campaigns
import CodingLaws
import Foundation
import Histories
package import PropertyEngine
import StoreLaws
public import Testing
package import Touchstone

/// Expects that one history, written down in the test, keeps one law: or, where the law is one of
/// stored bytes, coders, records or stores, one sample.
///
/// The files that a report keeps for its failures have this form: each is one test that fails as
/// the failure did, until what is wrong has been fixed, and guards it from then on. To a failure its case
/// file and a page of it are attached.
///
/// - Parameters:
///   - law: The name of a law, or `subject.answers` for a subject that crashes or hangs.
///   - subject: The id of the subject that is judged; `mutant:ID` is one that is wrong on purpose.
///   - oracle: The subject it is compared with, by laws that compare.
///   - history: What happened, in the form of `touchstone show`; for a law of other samples, the sample.
///   - adapters: The folder of subjects in other languages; see ``expectLaws(of:matching:cases:seed:adapters:sourceLocation:)``.
///   - sourceLocation: Where the issue is recorded.
/// - Throws: `JudgementError` if the law cannot be judged on this history.
public func expectLaw(
  _ law: String,
  of subject: String,
  against oracle: String? = nil,
  on history: String,
  adapters: String? = nil,
  sourceLocation: SourceLocation = #_sourceLocation
) async throws {
  let subjects = [subject] + (oracle.map { [$0] } ?? [])
  func file(_ form: FormName) -> CaseFile {
    CaseFile(
      law: law,
      subjects: subjects,
      kind: "any",
      seed: nil,
      choices: [],
      sampleFormat: form,
      sample: history.hasSuffix("\n") ? history : history + "\n"
    )
  }
  let form: FormName
  if law == FailureKey.answers {
    // Part of every law of the subject: the sample is of the form that it reads as.
    let registry = SubjectRegistry(adaptersIn: adapters)
    let forms = registry.lanes(try registry.require(subjects)).flatMap(\.formNames)
    let fitting = forms.first { (try? Catalogue.readSample(of: file($0))) != nil }
    guard let known = fitting ?? forms.first else {
      throw JudgementError.notJudged(law: law, subject: subject, reason: "no law speaks of it")
    }
    form = known
  } else if let known = Catalogue.formName(ofLaw: law) {
    form = known
  } else {
    throw JudgementError.unknownLaw(law)
  }
  try await judge(file(form), adapters: adapters, sourceLocation)
}

/// Expects that the sample of a case file keeps the file's law.
///
/// To a failure its case file and a page of it are attached.
///
/// - Parameters:
///   - text: What stands in the case file; ``expectReplay(ofFile:adapters:sourceLocation:)`` takes its
///     path.
///   - adapters: The folder of subjects in other languages; see ``expectLaws(of:matching:cases:seed:adapters:sourceLocation:)``.
///   - sourceLocation: Where the issue is recorded.
/// - Throws: `JudgementError` if the text is no case file, or its law cannot be judged.
public func expectReplay(
  of text: String,
  adapters: String? = nil,
  sourceLocation: SourceLocation = #_sourceLocation
) async throws {
  let file: CaseFile
  do {
    file = try CaseFile.parse(text)
  } catch {
    throw JudgementError.unreadable(reason: "\(error)")
  }
  try await judge(file, adapters: adapters, sourceLocation)
}

/// Expects that the sample of a case file keeps the file's law.
///
/// To a failure its case file and a page of it are attached.
///
/// - Parameters:
///   - path: The case file, from the folder of the test's file.
///   - adapters: The folder of subjects in other languages; see ``expectLaws(of:matching:cases:seed:adapters:sourceLocation:)``.
///   - sourceLocation: Where the issue is recorded.
/// - Throws: `JudgementError` if there is no such case file, or its law cannot be judged.
public func expectReplay(
  ofFile path: String,
  adapters: String? = nil,
  sourceLocation: SourceLocation = #_sourceLocation
) async throws {
  let folder = URL(fileURLWithPath: sourceLocation.filePath).deletingLastPathComponent()
  let path = URL(fileURLWithPath: path, relativeTo: folder).path
  try await judge(
    FailureFolder.readCase(at: path),
    path: path,
    adapters: adapters,
    sourceLocation
  )
}

/// Judges a case that a test has written down, and records an issue unless its law holds.
///
/// `path` is that of its file, where the test names one.
///
/// - Throws: `JudgementError` if it cannot be judged.
private func judge(
  _ file: CaseFile,
  path: String? = nil,
  adapters: String?,
  _ sourceLocation: SourceLocation
) async throws {
  let folder = FailureFolder(at: sourceLocation)
  var issues = TestIssues(at: sourceLocation)
  if let issue = try await failureIssue(of: file, path: path, adapters: adapters, in: folder) {
    issues.fail(issue.told)
  }
  try issues.finish()
}

/// The failure of a case that is written down in a test, or in the file of a path; `nil` if its law
/// holds.
///
/// - Throws: `JudgementError` if it cannot be judged.
package func failureIssue(
  of file: CaseFile,
  path: String? = nil,
  adapters: String? = nil,
  in folder: FailureFolder
) async throws -> FailureIssue? {
  let registry = SubjectRegistry(adaptersIn: adapters)
  return try await failure(of: file, in: registry).map { failure in
    FailureIssue(failure, replay: ReplayHint(of: failure, path: path, in: folder, registry))
  }
}

/// What the sample of a case shows; `nil` if its law holds.
///
/// - Throws: `JudgementError` if it cannot be judged.
func failure(of file: CaseFile, in registry: SubjectRegistry) async throws -> Failure? {
  do {
    try Catalogue.readSample(of: file)
  } catch {
    throw JudgementError.unreadable(reason: "\(error)")
  }
  guard let subject = file.subjects.first else {
    throw JudgementError.unreadable(reason: "the case names no subject")
  }
  // The pseudo-law is judged by all others.
  guard file.law == FailureKey.answers || Catalogue.law(file.law) != nil else {
    throw JudgementError.unknownLaw(file.law)
  }
  let found = try registry.require(file.subjects)
  return try await offThread { _ -> Failure? in
    let outcome = try Replay(lanes: registry.lanes(found)).run(file)
    if case .skipped(let reason) = outcome.verdict {
      throw JudgementError.notJudged(law: file.law, subject: subject, reason: reason)
    }
    return Finding(law: outcome.law, outcome.verdict).map { Failure(file, $0, outcome.sample) }
  }
}
