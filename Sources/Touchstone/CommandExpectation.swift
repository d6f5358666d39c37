import PropertyEngine
import Synchronization

/// A system beside its model: stored sequences first, then new ones.
struct CommandExpectation<Model: Sendable, System: SendableMetatype>: Sendable {
  /// Kinds of failures that are told at most.
  private static var toldLimit: Int { 5 }

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
    return try await PropertyRun.outcome(of: name, given, in: folder) { run in
      LawStage(
        laws: [law(run)],
        order: .together,
        cases: run.settings.cases,
        startsSimple: false,
        shrinkLimit: 4000,
        toldLimit: Self.toldLimit,
        text: { law, difference, sample in
          // The steps as they went, or, where a failure came without them, as they were drawn.
          let steps = difference.actualSide?.state ?? Self.lines(sample.value)
          return .steps(steps, of: name, law: law, difference: difference)
        },
        origin: run.origin
      )
    }
  }

  private static func lines(_ sequence: CommandSequence<Model, System>) -> [String] {
    sequence.steps.enumerated().map { "\($0.offset + 1). \($0.element.text)" }
  }

  private func law(_ run: PropertyRun) -> Law<DrawnSample<CommandSequence<Model, System>>> {
    let (initial, commands, limit) = (model, commands, max(1, stepLimit))
    let (makeSystem, always) = (system, always)
    let sequences = Values<CommandSequence<Model, System>>(choices: { choices in
      var model = initial
      return try CommandSequence.drawn(commands, upTo: limit, from: &model, &choices)
    })
    return Law(
      PropertyLaw.commands,
      form: .drawn(name: "commands 1") { Self.lines($0).joined(separator: "\n") },
      draw: { try sequences.sample(&$0) },
      judge: { sample in
        // A lock: what an expectation shows is known outside of the call. It guards the trace.
        let trace = Mutex(CommandTrace())
        let judgement = run.judgement {
          var system = try await makeSystem()
          try await always(initial, system)
          return try await sample.value.difference(
            from: initial,
            on: &system,
            always: always,
            trace: { told in trace.withLock { $0 = told } }
          )
        }
        return judgement.showing(trace.withLock { $0.lines })
      }
    ).reporting(
      run.report,
      choices: { $0.choices },
      event: { sample in
        "The process ends in these steps:\n"
          + Self.lines(sample.value).map { "  \($0)" }.joined(separator: "\n")
      }
    )
  }
}

extension Judgement {
  /// The judgement, whose difference shows steps.
  func showing(_ steps: [String]) -> Judgement {
    guard case .violated(let difference) = verdict else { return self }
    var judgement = self
    judgement.verdict = .violated(
      difference.between(nil, Difference.Side("the system", state: steps))
    )
    return judgement
  }
}
