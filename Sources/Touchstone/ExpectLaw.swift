import Campaigns
import CodingLaws
import DocumentLaws
import Foundation
import Histories
import PropertyEngine
public import Testing

/// Expects that one history, written down in the test, keeps one law: or, where the law is one of
/// coders, one sample.
///
/// The files that a report keeps for its failures have this form: each is one test that fails as
/// the failure did, until what is wrong has been mended, and guards it from then on.
///
/// - Parameters:
///   - law: The name of a law, or `subject.answers` for a subject that crashes or hangs.
///   - subject: The id of the subject that is judged; `mutant:ID` is one that is wrong on purpose.
///   - oracle: The subject it is compared with, by laws that compare.
///   - history: What happened, in the form of `touchstone show`; for a law of coders, the sample.
///   - adapters: The folder of subjects in other languages; see ``expectLaws(of:matching:cases:seed:adapters:sourceLocation:)``.
///   - sourceLocation: Where the issue is recorded.
/// - Throws: ``JudgementError`` if the law cannot be judged on this history.
public func expectLaw(
  _ law: String,
  of subject: String,
  against oracle: String? = nil,
  on history: String,
  adapters: String? = nil,
  sourceLocation: SourceLocation = #_sourceLocation
) async throws {
  let file = CaseFile(
    law: law,
    subjects: [subject] + (oracle.map { [$0] } ?? []),
    kind: "any",
    seed: nil,
    choices: [],
    sampleFormat: CodingLaw.all.contains { $0.name == law }
      ? CodingSample.formName : "history \(History.textVersion)",
    sample: history.hasSuffix("\n") ? history : history + "\n"
  )
  try await judge(file, adapters: adapters, sourceLocation)
}

/// Expects that the history of a case file keeps the file's law.
///
/// - Parameters:
///   - text: What stands in the case file.
///   - adapters: The folder of subjects in other languages; see ``expectLaws(of:matching:cases:seed:adapters:sourceLocation:)``.
///   - sourceLocation: Where the issue is recorded.
/// - Throws: ``JudgementError`` if the text is no case file, or its law cannot be judged.
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

/// Judges a case, and records an issue unless its law holds.
private func judge(
  _ file: CaseFile,
  adapters: String?,
  _ sourceLocation: SourceLocation
) async throws {
  do {
    if CodingSample.isSample(of: file) {
      _ = try CodingSample(file)
    } else {
      _ = try Replay.history(of: file)
    }
  } catch {
    throw JudgementError.unreadable(reason: "\(error)")
  }
  guard let subject = file.subjects.first else {
    throw JudgementError.unreadable(reason: "the case names no subject")
  }
  guard !CodingSample.isSample(of: file) else {
    return try await judge(sampleOf: file, of: subject, adapters: adapters, sourceLocation)
  }
  // The pseudo-law is judged by all others.
  if file.law != Replay.answersLaw { _ = try DocumentLaw.named([file.law]) }
  let shelf = SubjectShelf(adaptersIn: adapters)
  let found = try shelf.require(file.subjects)
  let story = try await offThread { _ -> FailureStory? in
    let outcome = try Replay(lanes: shelf.lanes(found, laws: DocumentLaw.all)).run(file)
    switch outcome.verdict {
    case .held, .known: return nil
    case .skipped(let reason):
      throw JudgementError.notJudged(law: file.law, subject: subject, reason: reason)
    case .violated(let difference):
      return FailureStory(file, outcome.history.history, difference)
    case .errored(let words):
      return FailureStory(file, outcome.history.history, failure: words)
    }
  }
  if let story { record(story, sourceLocation) }
}

/// Judges a case of a coder, and records an issue unless its law holds.
private func judge(
  sampleOf file: CaseFile,
  of subject: String,
  adapters: String?,
  _ sourceLocation: SourceLocation
) async throws {
  guard CodingLaw.all.contains(where: { $0.name == file.law }) else {
    throw JudgementError.unknownLaw(file.law)
  }
  let shelf = SubjectShelf(adaptersIn: adapters)
  let found = try shelf.require(file.subjects)
  let story = try await offThread { _ -> FailureStory? in
    let outcome = try CoderReplay(lanes: shelf.coderLanes(found)).run(file)
    switch outcome.verdict {
    case .held, .known: return nil
    case .skipped(let reason):
      throw JudgementError.notJudged(law: file.law, subject: subject, reason: reason)
    case .violated(let difference): return FailureStory(coder: file, difference)
    case .errored(let words):
      return FailureStory(coder: file, Difference(kind: "errored", summary: words))
    }
  }
  if let story { record(story, sourceLocation) }
}
