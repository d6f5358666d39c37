import Foundation
import ModelGeneration
import ModelLaws
import PropertyEngine

/// Two versions of a model before one law of drift: stored cases first.
struct DriftExpectation<
  Writer: Codable & SendableMetatype,
  Reader: Codable & SendableMetatype
> {
  /// What stands in case files in the place of a subject.
  private static var subjectID: String { "drift" }
  private static var sampleFormat: String { "model 1" }

  let law: DriftLaw
  let source: ModelSource<Writer>
  let losing: Set<String>
  let settings: ResolvedSettings
  let folder: FailureFolder
  let cancellation: Cancellation

  private var model: String { "\(Reader.self)" }

  /// - Throws: ``JudgementError`` if the replayed case cannot be read, or nothing could be judged.
  func run() throws -> (failures: [ModelFailure], notes: [String]) {
    try CrashNote.during { note in
      var run = DriftRun<Writer, Reader>(source, losing: losing, seed: settings.seed)
      run.willDraw = { note.clearFile() }
      run.willRead = { document in
        note.set(words: lastWords(document))
        note.set(file: file(document, "trap").render(), at: folder.url(name("trap")))
      }
      var failures: [ModelFailure] = []
      var notes: [String] = []
      if let path = settings.replayPath {
        let file = try FailureFolder.readCase(at: path)
        if isMine(file) { judge(file, path, run, &failures, &notes) }
        return (failures, notes)
      }
      let found = folder.cases(of: model, subject: Self.subjectID)
      notes += found.unreadable
      for (url, file) in found.cases where isMine(file) {
        judge(file, FailureFolder.short(url.path), run, &failures, &notes)
      }
      guard failures.isEmpty else { return (failures, notes) }
      let outcome = run.run(
        cases: max(1, settings.cases / 6),
        shouldStop: { cancellation.isRequested || settings.isOver }
      )
      guard outcome.judged > 0 else { throw JudgementError.nothingJudged(type: source.name) }
      if let failure = outcome.failure { failures.append(told(failure)) }
      return (failures, notes)
    }
  }

  // MARK: - Cases

  private func isMine(_ file: CaseFile) -> Bool {
    file.law == law.name && file["model"] == model && file["written-by"] == source.name
      && file.subjects.first == Self.subjectID
  }

  private func name(_ end: String? = nil) -> String {
    FailureFolder.name([model, law.name, source.name] + (end.map { [$0] } ?? []))
  }

  private func file(_ document: Tree, _ kind: String, _ shrunk: ShrinkResult? = nil) -> CaseFile {
    var file = CaseFile(
      law: law.name,
      subjects: [Self.subjectID],
      kind: kind,
      seed: settings.seed,
      choices: shrunk?.recorded ?? [],
      sampleFormat: Self.sampleFormat,
      sample: document.text + "\n"
    )
    file.set("model", to: model)
    file.set("written-by", to: source.name)
    return file
  }

  private func judge(
    _ file: CaseFile,
    _ path: String,
    _ run: DriftRun<Writer, Reader>,
    _ failures: inout [ModelFailure],
    _ notes: inout [String]
  ) {
    guard let document = try? Tree(text: file.sample) else {
      notes.append("\(path) holds no document, and can be deleted")
      return
    }
    guard let difference = run.difference(on: document) else { return }
    failures.append(folder.failure(words(document, difference), file, storedAt: path))
  }

  private func told(_ failure: DriftRun<Writer, Reader>.Failure) -> ModelFailure {
    var file = file(failure.document, failure.difference.kind, failure.shrunk)
    file.set("case", to: "\(failure.caseIndex)")
    file.set("shows", to: failure.difference.summary)
    let origin = "found by case \(failure.caseIndex) of seed \(settings.seed)"
    let words = words(failure.document, failure.difference, origin)
    return folder.failure(words, file, storing: name())
  }

  // MARK: - Words

  private func words(
    _ document: Tree,
    _ difference: Difference,
    _ origin: String? = nil
  ) -> FailureWords {
    FailureWords(
      model: model,
      law: law.name,
      sentence: law.sentence,
      verdict: .violated(difference),
      exhibits: [("written by \(source.name)", document.text)],
      advice: law.advice,
      origin: origin
    )
  }

  /// What is said when the process ends.
  private func lastWords(_ document: Tree) -> String {
    let path = FailureFolder.short(folder.url(name("trap")).path)
    return """

      \(model) breaks \(law.name)
      \(law.sentence)

      The process ends in the model's own code, while decoding what \(source.name) wrote: \(document)

      \(ModelLaw.oldData.advice)

      stored: \(path) (tried first from now on)
      replay: \(folder.command(replaying: path))


      """
  }
}
