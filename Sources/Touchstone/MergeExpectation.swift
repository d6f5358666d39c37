import Foundation
import ModelLaws
import PropertyEngine

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
      let file = try FailureFolder.readCase(at: path)
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
      let origin =
        "found by case \(failure.caseIndex) of seed \(settings.seed), shrunk in "
        + "\(failure.shrunk.steps) attempts"
      return folder.failure(
        words(failure.law, failure.difference, failure.history, origin),
        file,
        storing: FailureFolder.name([subject.name, failure.law.name])
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
      folder.failure(words(law, difference, history, nil), file, storedAt: path)
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
}
