import PropertyEngine
import Synchronization

/// A system whose commands run at the same time, beside its model: stored cases first, then new ones.
struct LinearizabilityExpectation<Model: Hashable & Sendable, System: Sendable>: Sendable {
  private static var toldLimit: Int { 5 }

  let name: String
  let model: Model
  let system: @Sendable () async throws -> System
  let commands: [Command<Model, System>]
  let stepLimit: Int
  /// Runs of each case on threads, besides the one whose order is part of the case.
  let threadRuns: Int

  func outcome(_ given: LawSettings, in folder: FailureFolder) async throws -> Expectation.Outcome {
    guard !(Model.self is AnyObject.Type) else {
      throw JudgementError.sharedState(type: "\(Model.self)")
    }
    guard System.self is AnyObject.Type else {
      throw JudgementError.unsharedSystem(type: "\(System.self)")
    }
    return try await PropertyRun.outcome(of: name, given, in: folder) { run in
      LawStage(
        laws: [law(run)],
        order: .together,
        cases: run.settings.cases,
        startsSimple: false,
        shrinkLimit: 2000,
        toldLimit: Self.toldLimit,
        text: { law, difference, sample in
          let steps = difference.actualSide?.state ?? sample.value.lines
          return .steps(steps, of: name, law: law, difference: difference)
        },
        origin: run.origin
      )
    }
  }

  private func law(_ run: PropertyRun) -> Law<DrawnSample<CommandBranches<Model, System>>> {
    let (initial, commands, limit) = (model, commands, max(0, stepLimit))
    let (makeSystem, threadRuns) = (system, threadRuns)
    let branches = Values<CommandBranches<Model, System>>(choices: { choices in
      try CommandBranches(commands, from: initial, prefixUpTo: limit, &choices)
    })
    return Law(
      PropertyLaw.linearizable,
      form: .drawn(name: "concurrent commands 1") { $0.lines.joined(separator: "\n") },
      draw: { try branches.sample(&$0) },
      judge: { sample in
        let sample = sample.value
        // A lock: what a step shows is known outside of the call. It guards the lines.
        let shown = Mutex<[String]>([])
        let judgement = run.judgement(picking: sample.picks) {
          func difference() async throws -> Difference? {
            try await sample.difference(from: initial, on: try await makeSystem()) { lines in
              shown.withLock { $0 = lines }
            }
          }
          if let found = try await difference() { return found }
          for _ in 0..<threadRuns {
            let found = try await withTaskExecutorPreference(globalConcurrentExecutor) {
              try await difference()
            }
            if let found {
              return found.told(as: "on threads, \(found.summary)", kind: "threads: \(found.kind)")
            }
          }
          return nil
        }
        return judgement.showing(shown.withLock { $0 })
      }
    ).reporting(
      run.report,
      choices: { $0.choices },
      event: { sample in
        "The process ends in these steps:\n"
          + sample.value.lines.map { "  \($0)" }.joined(separator: "\n")
      }
    )
  }
}
