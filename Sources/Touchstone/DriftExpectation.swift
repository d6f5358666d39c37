import ModelGeneration
import ModelLaws
import PropertyEngine

/// What a test asks of two versions of a model.
struct DriftExpectation<Old: Codable & SendableMetatype, New: Codable & SendableMetatype> {
  /// Values of the older model.
  let values: ValueOptions<Old>
  /// Keys that the newer model may lose.
  let losing: Set<String>
  /// Keys that peers with the older model may lose; `nil` if there are none.
  let oldPeersLosing: Set<String>?

  /// - Throws: ``JudgementError`` if nothing could be judged.
  func outcome(
    _ given: LawSettings,
    in folder: FailureFolder
  ) async throws -> Expectation.Outcome {
    let settings = try ResolvedSettings(given)
    let forward = try values.source(storing: nil, judgedBy: driftSubjectID)
    let newValues = ValueOptions<New>(words: values.words, generators: values.generators)
    let back = try oldPeersLosing.map {
      (try newValues.source(storing: nil, judgedBy: driftSubjectID), $0)
    }
    var outcome = try await drift(
      DriftLaw.upgrade,
      from: forward,
      to: New.self,
      losing: losing,
      settings: settings,
      folder: folder
    )
    if let (source, losing) = back {
      let other = try await drift(
        DriftLaw.downgrade,
        from: source,
        to: Old.self,
        losing: losing,
        settings: settings,
        folder: folder
      )
      outcome.failures += other.failures
      outcome.notes += other.notes
    }
    return outcome
  }
}

/// What stands in case files of drifts in the place of a subject.
let driftSubjectID = "drift"

/// Holds a reader to one law on the writer's documents: stored cases first.
private func drift<Writer: Codable & SendableMetatype, Reader: Codable & SendableMetatype>(
  _ statement: LawStatement,
  from source: ModelSource<Writer>,
  to reader: Reader.Type,
  losing: Set<String>,
  settings: ResolvedSettings,
  folder: FailureFolder
) async throws -> Expectation.Outcome {
  try await Expectation.outcome(
    of: "\(reader)",
    subject: driftSubjectID,
    writer: source.name,
    settings,
    in: folder
  ) { expectation in
    let model = expectation.model
    let law = VersionDrift<Writer, Reader>(source, losing: losing).law(statement)
      .reporting(expectation.crashReport, advice: ModelLaw.oldData.advice) { document in
        "The process ends in the model's own code, while decoding what \(source.name) wrote: "
          + document.description
      }
    let stage = LawStage(
      name: "model",
      laws: [law],
      order: .lawByLaw,
      cases: max(1, settings.cases / 6),
      startsSimple: true,
      shrinkLimit: 2000,
      text: { law, difference, document in
        FailureText(
          model: model,
          law: law,
          difference: difference,
          judgedTexts: [FailureText.JudgedText("written by \(source.name)", document.text)],
          advice: law.advice
        )
      },
      origin: { $0.origin(settings.seed) }
    )
    guard try expectation.tryStored(stage.judge), expectation.failures.isEmpty else { return }
    try expectation.run(stage) { [model, $0.key.law, source.name] }
  }
}
