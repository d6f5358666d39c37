import CodingLaws
import Foundation
import ModelGeneration
import ModelLaws
import PropertyEngine
import Reporting

// What an expectation says of a model.
extension ModelExpectation {
  /// What laws of coders must know of the model.
  func traits() throws -> Set<Model.Trait> { try ModelTraits(source).traits }

  /// A law of models that was broken.
  func words(
    _ law: ModelLaw,
    _ verdict: Verdict,
    _ sample: ModelSample<Value>,
    origin: String?
  ) -> FailureWords {
    FailureWords(
      model: source.name,
      law: law.name,
      sentence: law.sentence,
      verdict: verdict,
      exhibits: [
        ("value", ValueComparison.words(sample.value)),
        ("decoded from", sample.document.text),
      ],
      advice: law.advice,
      origin: origin
    )
  }

  /// A law of coders that was broken.
  func words(
    _ law: String,
    _ sentence: String,
    _ verdict: Verdict,
    _ sample: CodingSample,
    origin: String?
  ) -> FailureWords {
    var exhibits: [(name: String, text: String)] = []
    for (index, tree) in sample.values.enumerated() {
      let name = sample.values.count == 1 ? "value" : "value \(index + 1)"
      exhibits.append((name, tree.text))
    }
    for tree in sample.trees { exhibits.append(("changed by another program", tree.text)) }
    if !sample.numbers.isEmpty {
      exhibits.append(
        ("choices of the law", sample.numbers.map(String.init).joined(separator: " "))
      )
    }
    return FailureWords(
      model: source.name,
      coder: coder.id,
      law: law,
      sentence: sentence,
      verdict: verdict,
      exhibits: exhibits,
      advice: nil,
      origin: origin
    )
  }

  /// Stores a case, and words the failure with where it is.
  func failure(_ words: FailureWords, _ file: CaseFile) -> ModelFailure {
    let name = caseName(words)
    let stored = folder.write(file, name: name)
    return ModelFailure(
      law: words.law,
      model: source.name,
      summary: words.summary,
      description: words.text(
        stored: stored.map { "\($0) (tried first from now on)" },
        replay: stored.map { folder.command(replaying: $0) }
      ),
      caseFile: file.render(),
      storedPath: stored,
      caseName: name
    )
  }

  private func caseName(_ words: FailureWords) -> String {
    var parts = [source.name, words.law]
    if words.coder != nil { parts += [words.verdict.kind] }
    if coder.id != CodingSubject.automerge.id { parts.append(coder.id) }
    return parts.map { FailureFolder.plain($0) }.joined(separator: "--")
  }

  // MARK: - Traps

  /// Where the case is stored at which the process ends.
  func lastURL(_ law: ModelLaw) -> URL {
    folder.url("\(FailureFolder.plain(source.name))--\(law.name)--trap")
  }

  /// The case at which the process ends, should it.
  func lastCase(_ law: ModelLaw, _ sample: ModelSample<Value>) -> CaseFile {
    var file = CaseFile(
      law: law.name,
      subjects: [coder.id],
      kind: "trap",
      seed: settings.seed,
      choices: [],
      sampleFormat: "model 1",
      sample: sample.document.text + "\n"
    )
    file.set("model", to: source.name)
    file.set("shows", to: "the process ended")
    return file
  }

  /// What is said when the process ends.
  func lastWords(_ law: ModelLaw, _ words: String) -> String {
    let path = FailureFolder.short(lastURL(law).path)
    return """

      \(source.name) breaks \(law.name)
      \(law.sentence)

      The process ends in the model's own code, while \(words)

      \(law.advice)

      stored: \(path) (tried first from now on)
      replay: \(folder.command(replaying: path))


      """
  }

  /// A coder that does not take the model's values at all; nil if it does.
  func refusal(_ traits: Set<Model.Trait>) throws -> ModelFailure? {
    var choices = Choices(replaying: [])
    let sample = try source.draw(&choices)
    let verdict: Verdict
    do {
      _ = try coder.subject.encode(sample.value, EncodingSettings())
      return nil
    } catch {
      let reason = ModelJudge<Value>.words(error)
      verdict = .violated(Difference(kind: "coder.refuses", summary: "it is refused: \(reason)"))
    }
    var advice = "Give the type another shape, or judge it with a coder that takes it (`with:`)."
    if traits.contains(.integerKeys) {
      advice = "A document's keys are strings: use `[String: T]` in place of `[Int: T]`."
    } else if !traits.contains(.keyedRoot) {
      advice = "The root of a document is a map: put the value into a property of a struct."
    }
    let words = FailureWords(
      model: source.name,
      coder: coder.id,
      law: "coder.accepts",
      sentence: "A coder takes every value of a model.",
      verdict: verdict,
      exhibits: [("value", ValueComparison.words(sample.value))],
      advice: advice,
      origin: "found by the simplest value"
    )
    return ModelFailure(
      law: words.law,
      model: source.name,
      summary: words.summary,
      description: words.text(stored: nil, replay: nil),
      caseFile: "",
      storedPath: nil,
      caseName: ""
    )
  }
}
