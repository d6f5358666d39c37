import Campaigns
import Foundation
import ModelLaws
import PropertyEngine
public import Testing

/// A type that merges: a CRDT of one's own.
///
/// ```swift
/// struct Votes: MergeType {
///   let replica: Int
///   var counts: [Int: Int] = [:]
///
///   init(replica: Int) { self.replica = replica }
///
///   mutating func edit(_ source: inout ValueSource) -> String {
///     counts[replica, default: 0] += 1
///     return "votes"
///   }
///
///   mutating func merge(_ other: Votes) { counts.merge(other.counts) { max($0, $1) } }
///
///   var content: Int { counts.values.reduce(0, +) }
/// }
/// ```
///
/// It must be a value: a copy is not changed by an edit of the original.
public protocol MergeType: SendableMetatype {
  /// What a reader sees, by which replicas are compared.
  associatedtype Content: Equatable

  /// The state in which the replica with this number starts; all must show the same.
  init(replica: Int)

  /// Makes a random edit, out of nothing but the source, and says what it was, as in `adds 3`.
  mutating func edit(_ source: inout ValueSource) -> String

  /// Takes in another replica's state.
  mutating func merge(_ other: Self)

  var content: Content { get }
}

/// Expects that replicas of a type converge, however their states travel.
///
/// Two or three replicas edit and hear of each other, late, twice, or out of order. The merge must be
/// idempotent, commutative and associative, must not be set back by an older state of oneself, and all
/// replicas must show the same in the end. What breaks a law is made small and recorded as an issue
/// with the history, step by step; it is stored in `__Touchstone__` and tried first at the next run.
///
/// - Parameters:
///   - type: The type that merges.
///   - cases: How many histories, ``LawSettings/defaultCases`` if nobody says.
///   - seed: Where the choices start, 1 if nobody says.
///   - time: When to stop early.
///   - sourceLocation: Where issues are recorded, and whose folder keeps the failures.
/// - Throws: ``JudgementError`` if nothing could be judged.
public func expectConverges<Merged: MergeType>(
  _ type: Merged.Type,
  cases: Int? = nil,
  seed: UInt64? = nil,
  time: Duration? = nil,
  sourceLocation: SourceLocation = #_sourceLocation
) async throws {
  let failures = try await convergenceFailures(
    of: type,
    cases: cases,
    seed: seed,
    time: time,
    file: sourceLocation.filePath,
    test: Test.current?.name ?? sourceLocation.fileName,
    onNote: { note in
      Issue.record(Comment(rawValue: note), severity: .warning, sourceLocation: sourceLocation)
    }
  )
  for failure in failures { record(failure, sourceLocation) }
}

/// The laws of merging that a type breaks, for tests of XCTest and other places.
///
/// - Throws: ``JudgementError`` if nothing could be judged.
public func convergenceFailures<Merged: MergeType>(
  of type: Merged.Type,
  cases: Int? = nil,
  seed: UInt64? = nil,
  time: Duration? = nil,
  file: String = #filePath,
  test: String = #function,
  onNote: (String) -> Void = { print($0) }
) async throws -> [ModelFailure] {
  guard !(type is AnyObject.Type) else { throw JudgementError.sharedState(type: "\(type)") }
  let settings = try ResolvedSettings(LawSettings(cases: cases, seed: seed, time: time))
  let folder = FailureFolder(besideFile: file, test: test)
  let (failures, notes) = try await offThread { cancellation in
    let subject = MergeSubject<Merged, Merged.Content>(
      name: "\(type)",
      initial: { Merged(replica: $0) },
      edit: { state, choices in
        var source = ValueSource(choices)
        let words = state.edit(&source)
        choices = source.choices
        return words
      },
      merge: { $0.merge($1) },
      content: { $0.content }
    )
    return try MergeExpectation(
      subject: subject,
      settings: settings,
      folder: folder,
      cancellation: cancellation
    ).run()
  }
  for note in notes { onNote(note) }
  return failures
}

/// A type that merges before its laws: stored cases first.
struct MergeExpectation<State, Content: Equatable> {
  /// What stands in case files in the place of a subject.
  private static var subjectID: String { "merge" }
  private static var sampleFormat: String { "merge 1" }

  let subject: MergeSubject<State, Content>
  let settings: ResolvedSettings
  let folder: FailureFolder
  let cancellation: Cancellation

  func run() throws -> (failures: [ModelFailure], notes: [String]) {
    var failures: [ModelFailure] = []
    var notes: [String] = []
    let run = MergeRun(subject, seed: settings.seed)
    if let path = settings.replayPath {
      let file: CaseFile
      do {
        file = try CaseFolder.read(URL(fileURLWithPath: path))
      } catch {
        throw JudgementError.unreadable(reason: "\(error)")
      }
      guard file["model"] == subject.name, file.subjects.first == Self.subjectID else {
        return ([], [])
      }
      judge(file, path, run, &failures, &notes)
      return (failures, notes)
    }
    let found = folder.cases(of: subject.name, subject: Self.subjectID)
    notes += found.unreadable
    for (url, file) in found.cases {
      judge(file, FailureFolder.short(url.path), run, &failures, &notes)
    }
    guard failures.isEmpty else { return (failures, notes) }
    let broken = run.run(
      cases: settings.cases,
      shouldStop: { cancellation.isRequested || settings.isOver }
    )
    failures = broken.map { failure in
      var file = CaseFile(
        law: failure.law.name,
        subjects: [Self.subjectID],
        kind: failure.difference.kind,
        seed: settings.seed,
        choices: failure.shrunk.recorded,
        sampleFormat: Self.sampleFormat,
        sample: Self.text(failure.history)
      )
      file.set("model", to: subject.name)
      file.set("shows", to: failure.difference.summary)
      let name = [subject.name, failure.law.name].map { FailureFolder.plain($0) }
        .joined(separator: "--")
      let stored = folder.write(file, name: name)
      let origin =
        "found by case \(failure.caseIndex) of seed \(settings.seed), shrunk in "
        + "\(failure.shrunk.steps) attempts"
      return self.failure(
        words(failure.law, failure.difference, failure.history, origin),
        file,
        name,
        path: stored,
        stored: stored.map { "\($0) (tried first from now on)" }
      )
    }
    return (failures, notes)
  }

  private static func text(_ history: MergeHistory<State>) -> String {
    history.lines.map { "\($0)\n" }.joined()
  }

  private func judge(
    _ file: CaseFile,
    _ path: String,
    _ run: MergeRun<State, Content>,
    _ failures: inout [ModelFailure],
    _ notes: inout [String]
  ) {
    guard let law = MergeLaw.all.first(where: { $0.name == file.law }) else { return }
    let (history, difference) = run.replay(law, file.choices.map(\.value))
    guard Self.text(history) == file.sample else {
      notes.append("\(path) says nothing of \(subject.name) any more, and can be deleted")
      return
    }
    guard let difference else { return }
    failures.append(
      failure(
        words(law, difference, history, nil),
        file,
        URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent,
        path: path,
        stored: "\(path) (found by an earlier run)"
      )
    )
  }

  private func words(
    _ law: MergeLaw,
    _ difference: Difference,
    _ history: MergeHistory<State>,
    _ origin: String?
  ) -> FailureWords {
    let steps = history.lines.enumerated().map { "\($0.offset + 1). \($0.element)" }
    return FailureWords(
      model: subject.name,
      law: law.name,
      sentence: law.sentence,
      verdict: .violated(difference),
      exhibits: [("history", steps.joined(separator: "\n"))],
      leadsWithExhibits: true,
      advice: law.advice,
      origin: origin
    )
  }

  private func failure(
    _ words: FailureWords,
    _ file: CaseFile,
    _ name: String,
    path: String?,
    stored: String?
  ) -> ModelFailure {
    ModelFailure(
      law: words.law,
      model: subject.name,
      summary: words.summary,
      description: words.text(
        stored: stored,
        replay: path.map { folder.command(replaying: $0) }
      ),
      caseFile: file.render(),
      storedPath: path,
      caseName: name
    )
  }
}
