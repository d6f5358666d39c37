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
        ("further choices of the law", sample.numbers.map(String.init).joined(separator: " "))
      )
    }
    return FailureWords(
      model: source.name,
      coder: coder.id,
      law: law,
      sentence: sentence,
      verdict: verdict,
      exhibits: exhibits,
      advice: coderAdvice,
      origin: origin
    )
  }

  /// Where to look when a law of coders is broken: laws of models were asked before.
  private var coderAdvice: String {
    let owner =
      switch coder.id {
      case CodingSubject.automerge.id:
        "It comes with Touchstone: please report it, with the case file."
      case CodingSubject.foundationJSON.id, CodingSubject.foundationPropertyList.id:
        "It is Foundation's: what it cannot do for this model, the model has to do without."
      default:
        "If it is meant to do this, let it say so: `features` and `dates` declare, `divergences` excuse."
      }
    return
      "By itself \(source.name) kept the laws of models. Look at the coder \(coder.id). \(owner)"
  }

  /// Stores a case, and words the failure with where it is.
  func failure(_ words: FailureWords, _ file: CaseFile) -> ModelFailure {
    folder.failure(words, file, storing: caseName(words))
  }

  private func caseName(_ words: FailureWords) -> String {
    var parts = [source.name, words.law]
    if words.coder != nil { parts += [words.verdict.kind] }
    if coder.id != CodingSubject.automerge.id { parts.append(coder.id) }
    return FailureFolder.name(parts)
  }

  // MARK: - Refusals

  /// Whether the coder takes the model's simplest value; the failure if it does not.
  func refusalOfSimplest() throws -> ModelFailure? {
    var choices = Choices(replaying: [])
    let sample = try source.draw(&choices)
    guard let words = try refusal(of: sample.value, origin: "found by the simplest value") else {
      return nil
    }
    var file = CaseFile(
      law: Self.acceptance,
      subjects: [coder.id],
      kind: words.verdict.kind,
      seed: settings.seed,
      choices: choices.recorded,
      sampleFormat: Self.sampleFormat,
      sample: sample.document.text + "\n"
    )
    file.set("model", to: source.name)
    file.set("shows", to: words.summary)
    return failure(words, file)
  }

  /// What is said if the coder does not take a value of the model; nil if it does.
  func refusal(of value: Value, origin: String?) throws -> FailureWords? {
    let difference: Difference
    do {
      _ = try coder.subject.encode(value, EncodingSettings())
      return nil
    } catch {
      let reason = ModelJudge<Value>.words(error)
      difference = Difference(kind: "coder.refuses", summary: "it is refused: \(reason)")
    }
    let traits = try traits()
    var advice = "Give the type another shape, or judge it with a coder that takes it (`with:`)."
    if traits.contains(.integerKeys) {
      advice = "A document's keys are strings: use `[String: T]` in place of `[Int: T]`."
    } else if !traits.contains(.keyedRoot) {
      advice = "The root of a document is a map: put the value into a property of a struct."
    }
    return FailureWords(
      model: source.name,
      coder: coder.id,
      law: Self.acceptance,
      sentence: "A coder takes every value of a model.",
      verdict: .violated(difference),
      exhibits: [("value", ValueComparison.words(value))],
      advice: advice,
      origin: origin
    )
  }
}
