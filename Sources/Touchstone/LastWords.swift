import Campaigns
import CodingLaws
import Foundation
import ModelGeneration
import ModelLaws
import PropertyEngine
import Reporting

/// What is said, and stored, when a model's own code ends the process.
enum LastWords {
  /// How many answers are told: those before have little to do with it.
  private static let toldLimit = 12
  /// The form of a case that is a derivation, not a document: there was none yet.
  static let derivationFormat = "derivation 1"

  /// The name of the case of a derivation at which the process ends.
  static func derivationName(_ model: String) -> String {
    FailureFolder.name([model, ModelLaw.oldData.name, "trap-deriving"])
  }

  /// The case of a type whose planning ends the process: each run begins with it anyhow.
  static func planCase(_ model: String, _ coder: String) -> CaseFile {
    var file = CaseFile(
      law: ModelLaw.oldData.name,
      subjects: [coder],
      kind: "trap",
      seed: nil,
      choices: [],
      sampleFormat: derivationFormat,
      sample: "plan\n"
    )
    file.set("model", to: model)
    file.set("shows", to: "the process ended")
    return file
  }

  /// A trap in the midst of deriving a value, with all that the type had been told by then.
  static func deriving(_ model: String, _ answers: [String], _ folder: FailureFolder?) -> String {
    let law = ModelLaw.oldData
    var lines = answers.suffix(toldLimit).map { "  \($0)" }
    let rest = answers.count - lines.count
    if rest > 0 { lines.insert("  (and \(counted(rest, "answer", "answers")) before)", at: 0) }
    var path: String?
    if let folder, CrashNote.current.hasFile {
      path = FailureFolder.short(folder.url(derivationName(model)).path)
    }
    return text(
      "\(model) breaks \(law.name)",
      law.sentence,
      "The process ends in the code of `\(model)`, or of a type within it, while it decodes a document in "
        + "which\n" + lines.joined(separator: "\n"),
      law.advice,
      path,
      folder
    )
  }

  /// The words that a signal handler writes.
  static func text(
    _ head: String,
    _ sentence: String,
    _ what: String,
    _ advice: String,
    _ path: String?,
    _ folder: FailureFolder?
  ) -> String {
    var parts = ["", head, sentence, "", what, "", advice]
    if let path, let folder {
      parts += [
        "", "stored: \(path) (tried first from now on)",
        "replay: \(folder.command(replaying: path))",
      ]
    }
    return parts.joined(separator: "\n") + "\n\n\n"
  }
}

extension ModelExpectation {
  /// The case of a derivation that may end the process.
  func lastCase(_ origin: DrawOrigin) -> CaseFile {
    var choices: [Choice] = []
    var sample = "choices"
    switch origin {
    case .stream(let index): sample = "stream \(index)"
    case .choices(let values): choices = values.map { Choice(value: $0, limit: .max) }
    }
    return lastCase(
      ModelLaw.oldData.name,
      LastWords.derivationFormat,
      sample + "\n",
      choices
    )
  }

  /// The case of a law of models at which the process may end.
  func lastCase(_ law: ModelLaw, _ sample: ModelSample<Value>) -> CaseFile {
    lastCase(law.name, Self.sampleFormat, sample.document.text + "\n")
  }

  private func lastCase(
    _ law: String,
    _ format: String,
    _ sample: String,
    _ choices: [Choice] = []
  ) -> CaseFile {
    var file = CaseFile(
      law: law,
      subjects: [coder.id],
      kind: "trap",
      seed: settings.seed,
      choices: choices,
      sampleFormat: format,
      sample: sample
    )
    file.set("model", to: source.name)
    file.set("shows", to: "the process ended")
    return file
  }

  func lastURL(_ law: String) -> URL {
    folder.url(FailureFolder.name([source.name, law, "trap"]))
  }

  var derivationURL: URL { folder.url(LastWords.derivationName(source.name)) }

  /// What is said when the process ends at a law of models.
  func lastWords(_ law: ModelLaw, _ words: String) -> String {
    LastWords.text(
      "\(source.name) breaks \(law.name)",
      law.sentence,
      "The process ends in the model's own code, while \(words)",
      law.advice,
      FailureFolder.short(lastURL(law.name).path),
      folder
    )
  }

  /// Draws again what a run was deriving when its process ended; what it was planning is planned by now.
  ///
  /// - Throws: ``JudgementError`` if the case is none of a derivation, or what drawing throws.
  func derive(_ file: CaseFile) throws {
    let words = file.sample.split(separator: "\n").first?.split(separator: " ") ?? []
    var choices: Choices
    switch (words.first, words.dropFirst().first.flatMap { UInt64($0) }) {
    case ("stream", let index?): choices = Choices(seed: (file.seed ?? settings.seed).stream(index))
    case ("plan", nil): return
    case ("choices", nil): choices = Choices(replaying: file.choices.map(\.value))
    default: throw JudgementError.unreadable(reason: "no derivation: \(file.sample)")
    }
    _ = try source.draw(&choices)
  }

  /// A law of coders that says what it is about to judge, should that end the process.
  ///
  /// Of a model with types of Foundation's that trap it is not asked on documents that another program
  /// or peer changed: there is nothing that the model's or the coder's author could mend.
  func telling(_ law: CodingLaw, _ traits: ModelTraits<Value>) -> CodingLaw {
    let trapping = traits.trappingTypes
    return CodingLaw(
      law.name,
      law.sentence,
      source: law.source,
      needs: law.needs,
      obstacle: law.obstacle,
      models: law.models,
      draw: { model, sample, choices in
        CrashNote.current.clearFile()
        try law.draw(model, &sample, &choices)
      },
      check: { trial in
        // Peers mix parts of two values that are no value together.
        let isShared = !trial.sample.trees.isEmpty || trial.sample.values.count > 1
        if let type = trapping.first, isShared {
          throw Skipped("Foundation's \(type) traps on what another program or peer may write")
        }
        tell(law, trial.sample)
        return try law.check(trial)
      }
    )
  }

  private func tell(_ law: CodingLaw, _ sample: CodingSample) {
    let note = CrashNote.current
    let url = lastURL(law.name)
    var exhibits = sample.values.map { "  a value: \($0)" }
    exhibits += sample.trees.map { "  changed by another program: \($0)" }
    note.set(
      words: LastWords.text(
        "\(source.name) breaks \(law.name) with \(coder.id)",
        law.sentence,
        "The process ends in the code of the model or of the coder, while this is judged:\n"
          + exhibits.joined(separator: "\n"),
        ModelLaw.oldData.advice,
        FailureFolder.short(url.path),
        folder
      )
    )
    note.set(
      file: lastCase(law.name, CodingSample.formName, sample.text).render(),
      at: url
    )
  }
}
