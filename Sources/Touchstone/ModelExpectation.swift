import CodingLaws
import Foundation
import FuzzSessions
import ModelGeneration
import ModelLaws
import PropertyEngine
import Texts

/// One model before one coder: stored cases first, then the model by itself, then the coder's laws.
struct ModelExpectation<Value: Codable & SendableMetatype>: Sendable {
  private let source: ModelSource<Value>
  /// Whether each value is decoded from its document: neither the test nor a generator makes any.
  private let isDecoded: Bool
  /// Makes a source whose fields may be some literals as well.
  private let sourceWithLiterals: @Sendable (Literals) throws -> ModelSource<Value>
  /// Whether dates without fractions of a second are worth telling.
  private let tellsDates: Bool
  /// Keys that the test says are written and not read.
  private let unreadKeys: Set<String>
  private let coder: CodingSubject
  private let settings: ResolvedSettings
  private let report: CrashReport
  /// The laws of the model by itself.
  private let modelStage: LawStage<ModelSample<Value>>

  /// Holds a model and a coder to their laws.
  ///
  /// - Throws: ``JudgementError`` if no values can be made, or nothing could be judged.
  static func outcome(
    _ values: ValueOptions<Value>,
    coder: CodingSubject,
    tolerance: LawTolerance,
    settings given: LawSettings,
    in folder: FailureFolder
  ) async throws -> Expectation.Outcome {
    let settings = try ResolvedSettings(given)
    let source = try values.source(storing: folder, judgedBy: coder.id)
    let isDerived = values.samples.isEmpty
    let (words, generators) = (values.words, values.generators)
    let sourceWithLiterals: @Sendable (Literals) throws -> ModelSource<Value> = { literals in
      guard isDerived else { return source }
      return try ValueOptions<Value>(words: words, generators: generators)
        .source(storing: nil, judgedBy: coder.id, literals: literals)
    }
    return try await Expectation.outcome(
      of: source.name,
      subject: coder.id,
      settings,
      in: folder
    ) { expectation in
      try ModelExpectation(
        source,
        sourceWithLiterals,
        isDecoded: isDerived && generators.isEmpty,
        coder: coder,
        tolerance: tolerance,
        expectation: expectation
      ).run(&expectation)
    }
  }

  private init(
    _ source: ModelSource<Value>,
    _ sourceWithLiterals: @escaping @Sendable (Literals) throws -> ModelSource<Value>,
    isDecoded: Bool,
    coder: CodingSubject,
    tolerance: LawTolerance,
    expectation: Expectation
  ) {
    self.source = source
    self.sourceWithLiterals = sourceWithLiterals
    self.isDecoded = isDecoded
    // A source of samples has no schema: which dates there are is the test's to say then.
    tellsDates = source.schema != nil && tolerance.dateSeconds == 0
    unreadKeys = tolerance.unreadKeys
    self.coder = coder
    settings = expectation.settings
    report = expectation.crashReport
    modelStage = Self.stage(source, tolerance: tolerance, settings: settings, report: report)
  }

  private func run(_ expectation: inout Expectation) throws {
    let wantsMore = try expectation.tryStored(
      repeats: { [source, modelStage] in source.schema != nil || modelStage.repeats($0) },
      judge
    )
    guard wantsMore, !isDecided(expectation) else { return }
    let broken = Set(expectation.failures.map(\.law))
    try expectation.run(modelStage) { [source.name, $0.key.law] + coderPart }
    guard !isDecided(expectation) else { return }
    let looked = try traits()
    for key in unreadKeys.subtracting(looked.writtenKeys).sorted() {
      expectation.note(
        "`unreadKeys` has \(quoted(key)), which `encode(to:)` of \(source.name) did not write."
          + suggestion(for: key, among: looked.writtenKeys)
      )
    }
    try expectation.run(acceptanceStage(looked.traits)) {
      [source.name, $0.key.law, $0.key.kind] + coderPart
    }
    guard !isDecided(expectation) else { return }
    try expectation.run(codingStage(looked, without: broken)) {
      [source.name, $0.key.law, $0.key.kind] + coderPart
    }
    // What is red says enough; a fuzzer changes where values come from.
    guard expectation.failures.isEmpty, !FuzzRequest.isFuzzing else { return }
    let variety = try PropertyVariety(
      source,
      tellsDates: tellsDates,
      willTry: report.willTry
    )
    if let words = variety.explanation { expectation.note(words) }
  }

  /// What laws of coders must know of the model.
  private func traits() throws -> ModelTraits<Value> {
    try ModelTraits(source, willTry: report.willTry)
  }

  /// Whether a law is broken without which those that follow are not worth asking: a model that breaks
  /// one of its own breaks those of coders as well, and so does one that the coder does not take.
  private func isDecided(_ expectation: Expectation) -> Bool {
    expectation.failures.contains { modelStage.has($0.law) || $0.law == Self.acceptance.name }
  }

  /// What names of files say of the coder, unless it is the usual one.
  private var coderPart: [String] { coder.id == CodingSubject.automerge.id ? [] : [coder.id] }

  /// Judges a stored case.
  private func judge(_ file: CaseFile) throws -> FailureText? {
    if file.sampleFormat == Derivation.form {
      let derivation = try Derivation(file)
      guard var choices = derivation.repeatedChoices else { return nil }
      let literals = derivation.literals
      _ = try (literals.isEmpty ? source : sourceWithLiterals(literals)).draw(&choices)
      return nil
    }
    if modelStage.has(file.law) { return try judge(file, by: modelStage) }
    if file.law == Self.acceptance.name {
      return try judge(file, by: acceptanceStage(traits().traits))
    }
    // A sample whose values the model has outgrown says nothing any more.
    for tree in try SampleForm.coding.sample(of: file).values { try decode(tree) }
    return try codingStage(traits(), without: []).judge(file)
  }

  /// Judges a stored case of the model by itself.
  ///
  /// - Throws: ``RefusedValue`` where the model refuses the value, and what reading the sample throws.
  private func judge(
    _ file: CaseFile,
    by stage: LawStage<ModelSample<Value>>
  ) throws -> FailureText? {
    do {
      return try stage.judge(file)
    } catch {
      let document = SampleForm<Tree>.document
      // What a sample of the test was encoded to may be refused all along: that is the failure then.
      let wasRead =
        isDecoded || ![ModelLaw.unwritten, ModelLaw.unreadable].contains(file[.kind])
      if wasRead, file.sampleFormat == document.name { try decode(document.parse(file.sample)) }
      throw error
    }
  }

  /// - Throws: ``RefusedValue`` where the model refuses the document.
  private func decode(_ document: Tree) throws {
    do {
      _ = try TreeDecoder().decode(Value.self, from: document)
    } catch {
      throw RefusedValue(error) ?? error
    }
  }
}

// MARK: - Laws of the model

extension ModelExpectation {
  private static func stage(
    _ source: ModelSource<Value>,
    tolerance: LawTolerance,
    settings: ResolvedSettings,
    report: CrashReport
  ) -> LawStage<ModelSample<Value>> {
    let laws = ModelLaws(
      source,
      tolerance: Tolerance(
        dateSeconds: tolerance.dateSeconds,
        floatFraction: tolerance.floatFraction,
        unreadKeys: tolerance.unreadKeys
      ),
      willTry: report.willTry
    ).all.map { law in
      law.reporting(report, drawing: ModelLaw.oldData) { _ in
        "The process ends in the model's own code, while it is judged"
      }
    }
    return LawStage(
      name: "model",
      laws: laws,
      order: .untilFailure,
      cases: max(2, settings.cases / 6),
      startsSimple: true,
      shrinkLimit: 2000,
      text: { law, difference, sample in
        FailureText(
          model: source.name,
          law: law,
          difference: difference,
          judgedTexts: [
            FailureText.JudgedText("value", ValueComparison.description(of: sample.value)),
            FailureText.JudgedText(
              sample.isDecoded ? "decoded from" : "encoded as",
              sample.document.text
            ),
          ],
          advice: law.advice
        )
      },
      origin: { failure in
        let found = failure.origin(settings.seed)
        guard case .shrunk(_, _, let originalCount) = failure.stage else { return found }
        let choices = counted(originalCount, "choice")
        return "\(found); \(choices) shrunk to \(failure.choices.count)"
      }
    )
  }
}

// MARK: - Laws of the coder

extension ModelExpectation {
  /// What a coder must do before any of its laws is worth asking.
  private static var acceptance: LawStatement {
    LawStatement(
      "coder.accepts",
      "A coder takes every value of a model.",
      source: .standard("SE-0166, Swift Archival and Serialization")
    )
  }

  /// Whether the coder takes the model's simplest value.
  private func acceptanceStage(_ traits: Set<Model.Trait>) -> LawStage<ModelSample<Value>> {
    let (source, coder) = (source, coder)
    let law = Law(
      Self.acceptance,
      form: .model(),
      draw: { try source.draw(&$0) },
      judge: { sample in
        do {
          _ = try coder.subject.encode(sample.value, EncodingSettings())
          return Judgement(.held)
        } catch {
          let reason = explanation(ofCodingError: error)
          let summary = "it is refused: \(reason)"
          return Judgement(.violated(Difference(kind: "coder.refuses", summary: summary)))
        }
      }
    )
    var advice = "Give the type another shape, or judge it with a coder that takes it (`with:`)."
    if traits.contains(.integerKeys) {
      advice = "A document's keys are strings: use `[String: T]` in place of `[Int: T]`."
    } else if !traits.contains(.keyedRoot) {
      advice = "The root of a document is a map: put the value into a property of a struct."
    }
    return LawStage(
      name: "acceptance",
      laws: [
        law.reporting(codingReport, advice: ModelLaw.oldData.advice) { _ in
          "The process ends while \(coder.id) encodes the simplest value of \(source.name)"
        }
      ],
      order: .lawByLaw,
      cases: 1,
      startsSimple: true,
      shrinkLimit: 0,
      text: { [advice] law, difference, sample in
        FailureText(
          model: source.name,
          coder: coder.id,
          law: law,
          difference: difference,
          judgedTexts: [
            FailureText.JudgedText("value", ValueComparison.description(of: sample.value))
          ],
          advice: advice
        )
      },
      origin: { _ in "found by the simplest value" }
    )
  }

  /// The laws of coders on the model, but those that are broken already.
  private func codingStage(
    _ looked: ModelTraits<Value>,
    without broken: Set<String>
  ) -> LawStage<CodingSample> {
    let (source, coder, settings) = (source, coder, settings)
    var traits = looked.traits
    // What a coder takes anywhere counts as usual for it.
    if coder.subject.features.contains(.anyRoot) { traits.insert(.keyedRoot) }
    if !coder.subject.features.contains(.refusesIntegerKeys) { traits.remove(.integerKeys) }
    let model = Model(source, traits: traits)
    let pool = ModelPool([model])
    let advice = coderAdvice
    let laws = CodingLaw.all
      .filter { law in
        law.models(model) && law.reasonToSkip(coder.subject) == nil && !broken.contains(law.name)
      }
      .map { law in
        let lowered =
          law.withoutForeignTrees(of: looked.trappingTypes).lowered(on: coder.subject, pool)
        return lowered.written(as: lowered.form.uncounted)
          .reporting(codingReport, advice: ModelLaw.oldData.advice) { sample in
            var lines = sample.values.map { "  a value: \($0)" }
            lines += sample.trees.map { "  changed by another program: \($0)" }
            return
              "The process ends in the code of the model or of the coder, while this is judged:\n"
              + lines.joined(separator: "\n")
          }
      }
      .map(exceptWhereModelFails)
    return LawStage(
      name: "coding",
      laws: laws,
      order: .together,
      cases: settings.cases,
      startsSimple: false,
      shrinkLimit: 1000,
      text: { law, difference, sample in
        FailureText(
          model: source.name,
          coder: coder.id,
          law: law,
          difference: difference,
          judgedTexts: sample.judgedTexts,
          advice: law.name == CodingLaw.decodesMerged.name ? Self.mergeAdvice : advice
        )
      },
      origin: { failure in
        failure.origin(settings.seed)
          + "; \(counted(failure.caseCount, "case shows", "cases show")) the same"
      }
    )
  }

  /// The law; under a fuzzer it skips a sample if a value of it breaks a law of the model itself.
  ///
  /// A test judges coders after models; a fuzzer judges both at once, and would blame the coder.
  private func exceptWhereModelFails(_ law: Law<CodingSample>) -> Law<CodingSample> {
    guard case .success(.some) = FuzzRequest.current else { return law }
    let laws = modelStage.laws
    return Law(law.statement, form: law.form, costs: law.costs, draw: law.draw) { sample in
      let judgement = law.judge(sample)
      guard case .violated = judgement.verdict else { return judgement }
      for tree in sample.values + sample.trees {
        guard let value = try? ModelSample<Value>(document: tree) else { continue }
        for law in laws {
          guard case .violated = law.judge(value).verdict else { continue }
          return Judgement(.skipped("a value breaks \(law.name), which is the model's own"))
        }
      }
      return judgement
    }
  }

  private var codingReport: CrashReport {
    var report = report
    report.coder = coder.id
    return report
  }

  /// What to do about a value that does not decode once two writers have changed parts of it: what its type refuses
  /// is the type's to say, and so the coder is not to blame.
  private static var mergeAdvice: String {
    """
    Two writers have each changed a part of one value, and the type refuses what both make together: documents that \
    were merged so are not read any more, on any device. The coder cannot know which parts belong together. Let the \
    type that throws conform to `WholeValue`, so that a merge keeps all of one writer's, or let its `init(from:)` \
    make a value of what it refuses.
    """
  }

  /// Where to look when a law of coders is broken: laws of models were asked before.
  ///
  /// The model's own code takes part in each of these laws, and may do what none of them foresees: only a type
  /// without code of its own clears it.
  private var coderAdvice: String {
    let owner =
      switch coder.maker {
      case .touchstone:
        """
        It comes with Touchstone; but first look at `encode(to:)` and `init(from:)`, if they are written by hand: \
        keys that are left out of some values, or that depend on each other. If a struct with the same properties \
        and no such code breaks the law as well, the mistake is the coder's, and its case file shows it.
        """
      case .foundation:
        "It is Foundation's: what it cannot do for this model, the model has to do without."
      case .other:
        "If it is meant to do this, let it say so: `features` and `dates` declare, `divergences` excuse."
      }
    return
      "This value of \(source.name) keeps the laws of models that come before. Look at the coder "
      + "\(coder.id). \(owner)"
  }
}

extension CodingSample {
  /// What the sample holds, for a person.
  fileprivate var judgedTexts: [FailureText.JudgedText] {
    var judgedTexts = values.enumerated().map { index, tree in
      FailureText.JudgedText(values.count == 1 ? "value" : "value \(index + 1)", tree.text)
    }
    judgedTexts += trees.map { FailureText.JudgedText("changed by another program", $0.text) }
    if !numbers.isEmpty {
      let text = numbers.map(String.init).joined(separator: " ")
      judgedTexts.append(FailureText.JudgedText("further choices of the law", text))
    }
    return judgedTexts
  }
}

extension CodingLaw {
  /// The law, which skips samples that another program or peer changed if a type in the model traps on
  /// them: neither the model's nor the coder's author could fix that.
  fileprivate func withoutForeignTrees(of trappingTypes: [String]) -> CodingLaw {
    guard let type = trappingTypes.first else { return self }
    var law = self
    law.check = { trial in
      // Peers mix parts of two values that are no value together.
      guard trial.sample.trees.isEmpty, trial.sample.values.count <= 1 else {
        throw Skipped("Foundation's \(type) traps on what another program or peer may write")
      }
      return try check(trial)
    }
    return law
  }
}
