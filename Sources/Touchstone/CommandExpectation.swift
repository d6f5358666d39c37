import ModelLaws
import PropertyEngine
import Synchronization

/// A system beside its model: stored sequences first, then new ones.
struct CommandExpectation<Model: Sendable, System: SendableMetatype>: Sendable {
  let name: String
  let model: Model
  let system: @Sendable () async throws -> System
  let commands: [Command<Model, System>]
  let stepLimit: Int
  let always: @Sendable (Model, System) async throws -> Void

  func outcome(_ given: LawSettings, in folder: FailureFolder) async throws -> Expectation.Outcome {
    guard !(Model.self is AnyObject.Type) else {
      throw JudgementError.sharedState(type: "\(Model.self)")
    }
    let (initial, commands, limit) = (model, commands, max(1, stepLimit))
    let (makeSystem, always) = (system, always)
    return try await PropertyRun.outcome(
      of: name,
      given,
      in: folder,
      law: PropertyLaw.commands,
      formName: FormName("commands", version: 1),
      stageName: "commands",
      shrinkLimit: 4000,
      steps: Values<CommandSequence<Model, System>>(choices: { choices in
        var model = initial
        return try CommandSequence.drawn(commands, upTo: limit, from: &model, &choices)
      }),
      lines: { sequence in
        numberedSteps(sequence.steps.map(\.text))
      },
      difference: { sequence, show in
        var system = try await makeSystem()
        try await always(initial, system)
        return try await sequence.difference(
          from: initial,
          on: &system,
          always: always,
          trace: { show($0.lines) }
        )
      }
    )
  }
}

extension PropertyRun {
  /// Shows steps as they went so far.
  typealias Show = @Sendable ([String]) -> Void

  /// Judges steps by a law: stored ones first, then new ones.
  ///
  /// `lines` are the steps as they were drawn, `picks` says which job is next where several wait, and
  /// `difference` carries the steps out.
  static func outcome<Steps: Sendable>(
    of name: String,
    _ given: LawSettings,
    in folder: FailureFolder,
    law: LawStatement,
    formName: FormName,
    stageName: String,
    shrinkLimit: Int,
    steps: Values<Steps>,
    lines: @escaping @Sendable (Steps) -> [String],
    picks: @escaping @Sendable (Steps) -> [Int] = { _ in [] },
    difference: @escaping @Sendable (Steps, @escaping Show) async throws -> Difference?
  ) async throws -> Expectation.Outcome {
    try await outcome(of: name, given, in: folder) { run in
      let law = Law<DrawnSample<Steps>>(
        law,
        form: .drawn(name: formName) { lines($0).joined(separator: "\n") },
        draw: { try steps.sample(&$0) },
        judge: { sample in
          // A lock: what a step shows is known outside of the call. It guards the lines.
          let shown = Mutex<[String]>([])
          let judgement = run.judgement(picking: picks(sample.value)) {
            try await difference(sample.value) { lines in shown.withLock { $0 = lines } }
          }
          return judgement.showing(shown.withLock { $0 })
        }
      ).reporting(
        run.report,
        drawing: law,
        choices: { $0.choices },
        event: { sample in
          "The process ends in these steps:\n"
            + lines(sample.value).map { "  \($0)" }.joined(separator: "\n")
        }
      )
      return LawStage(
        name: stageName,
        laws: [law],
        order: .together,
        cases: run.settings.cases,
        startsSimple: false,
        shrinkLimit: shrinkLimit,
        text: { law, difference, sample in
          // The steps as they went, or, where a failure came without them, as they were drawn.
          let steps = difference.actualSide?.state ?? lines(sample.value)
          return .steps(steps, of: name, law: law, difference: difference)
        },
        origin: run.origin
      )
    }
  }
}

extension Judgement {
  /// The judgement, whose difference shows steps.
  fileprivate func showing(_ steps: [String]) -> Judgement {
    guard case .violated(let difference) = verdict else { return self }
    var judgement = self
    judgement.verdict = .violated(
      difference.between(difference.expectedSide, Difference.Side("the system", state: steps))
    )
    return judgement
  }
}
