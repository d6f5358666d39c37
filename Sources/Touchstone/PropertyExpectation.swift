import ModelLaws
import PropertyEngine
import Texts

extension PropertyLaw {
  /// What stands in case files in the place of a subject.
  static let subjectID = "property"
}

/// A value, and the choices that made it.
struct DrawnSample<Value> {
  let value: Value
  let choices: [Choice]
}

extension DrawnSample: Sendable where Value: Sendable {}

extension Values {
  /// A sample, as a law draws it.
  ///
  /// - Throws: ``Skipped`` where the recipe has no value.
  func sample(_ choices: inout Choices) throws -> DrawnSample<Value> {
    do {
      let value = try body(&choices)
      return DrawnSample(value: value, choices: choices.recorded)
    } catch let discarded as Discarded {
      throw Skipped(discarded.reason)
    }
  }
}

extension SampleForm {
  /// Values as a person reads them; their choices replay them.
  static func drawn<Value>(
    name: FormName,
    _ text: @escaping @Sendable (Value) -> String
  ) -> SampleForm where Sample == DrawnSample<Value> {
    SampleForm(
      name: name,
      render: { text($0.value) + "\n" },
      parse: { _ in throw UnreadableSample(form: name) },
      size: { $0.choices.count },
      measure: { counted($0.choices.count, "choice") }
    )
  }
}

/// One property: stored cases first, then new ones.
struct PropertyExpectation<Value: Sendable>: Sendable {
  let name: String
  let values: Values<Value>
  /// Returns whether it holds.
  let property: @Sendable (Value) async throws -> Bool

  func outcome(_ given: LawSettings, in folder: FailureFolder) async throws -> Expectation.Outcome {
    try await PropertyRun.outcome(of: name, given, in: folder) { run in
      LawStage(
        name: "property",
        laws: [law(run)],
        order: .together,
        cases: run.settings.cases,
        startsSimple: true,
        shrinkLimit: 4000,
        text: { law, difference, sample in
          FailureText(
            model: name,
            law: law,
            difference: difference,
            judgedTexts: [FailureText.JudgedText("value", ValueText.text(of: sample.value))]
          )
        },
        origin: run.origin
      )
    }
  }

  private func law(_ run: PropertyRun) -> Law<DrawnSample<Value>> {
    let (values, property) = (values, property)
    return Law(
      PropertyLaw.holds,
      form: .drawn(name: FormName("property", version: 1)) { ValueText.text(of: $0) },
      draw: { try values.sample(&$0) },
      judge: { sample in
        run.judgement {
          try await property(sample.value) ? nil : .returnedFalse
        }
      }
    ).reporting(
      run.report,
      drawing: PropertyLaw.holds,
      choices: { $0.choices },
      event: { "The process ends in the property, on \(ValueText.text(of: $0.value))" }
    )
  }
}

/// What the cases of one property or of commands share: they are judged in the test's own task.
struct PropertyRun: Sendable {
  let settings: ResolvedSettings
  let report: CrashReport
  private let calls: AsyncCalls
  private let issues: CaughtIssues

  /// Judges the stage that `stage` makes: stored cases first, then new ones.
  ///
  /// - Throws: ``JudgementError`` if too little was judged, and what drawing a sample throws.
  static func outcome<Sample>(
    of name: String,
    _ given: LawSettings,
    in folder: FailureFolder,
    stage: @escaping @Sendable (PropertyRun) -> LawStage<Sample>
  ) async throws -> Expectation.Outcome {
    let settings = try ResolvedSettings(given)
    let (calls, issues) = (AsyncCalls(), CaughtIssues())
    async let outcome = Expectation.outcome(
      of: name,
      subject: PropertyLaw.subjectID,
      settings,
      in: folder
    ) { expectation in
      defer { calls.close() }
      let stage = stage(
        PropertyRun(
          settings: settings,
          report: expectation.crashReport,
          calls: calls,
          issues: issues
        )
      )
      guard try expectation.tryStored(stage.judge), expectation.failures.isEmpty else { return }
      let found = try expectation.run(stage) { [name, $0.key.law] }
      // A run that was stopped early counts for what it did.
      guard found.failures.isEmpty, found.skippedCount > 0 else { return }
      guard found.judgedCount * 10 > found.judgedCount + found.skippedCount else {
        throw JudgementError.starved(
          property: name,
          judged: found.judgedCount,
          discarded: found.skippedCount,
          reason: found.skipReasons.first ?? ""
        )
      }
    }
    await issues.during { await calls.serve() }
    return try await outcome
  }

  /// How a failure was found.
  var origin: @Sendable (Failure) -> String { { [seed = settings.seed] in $0.shrunkOrigin(seed) } }

  /// Judges one sample by asynchronous code, which finds a difference, records issues, or throws.
  ///
  /// `picks` says which job is next where several wait; without picks it is the oldest.
  func judgement(
    picking picks: [Int] = [],
    _ check: @escaping @Sendable () async throws -> Difference?
  ) -> Judgement {
    let issues = issues
    let verdict = calls.wait(picking: picks) {
      _ = issues.take()
      let result: Result<Difference?, any Error>
      do { result = .success(try await check()) } catch { result = .failure(error) }
      return Self.verdict(result, issues: issues)
    }
    return Judgement(verdict)
  }

  private static func verdict(
    _ result: Result<Difference?, any Error>,
    issues: CaughtIssues
  ) -> Verdict {
    // What a requirement throws it has recorded before.
    if let issue = issues.take().first { return .violated(Difference(issue)) }
    switch result {
    case .success(let difference): return difference.map { .violated($0) } ?? .held
    case .failure(let discarded as Discarded): return .skipped(discarded.reason)
    case .failure(is CancellationError) where Task.isCancelled:
      return .skipped("the test was cancelled")
    case .failure(let error): return .violated(Difference(thrown: error))
    }
  }
}
