import ModelLaws
import PropertyEngine

/// A system whose commands run at the same time, beside its model: stored cases first, then new ones.
struct LinearizabilityExpectation<Model: Hashable & Sendable, System: Sendable>: Sendable {
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
    let (initial, commands, limit) = (model, commands, max(0, stepLimit))
    let (makeSystem, threadRuns) = (system, threadRuns)
    return try await PropertyRun.outcome(
      of: name,
      given,
      in: folder,
      law: PropertyLaw.linearizable,
      formName: FormName("concurrent commands", version: 1),
      stageName: "concurrent",
      shrinkLimit: 2000,
      steps: Values<CommandBranches<Model, System>>(choices: { choices in
        try CommandBranches(commands, from: initial, prefixUpTo: limit, &choices)
      }),
      lines: { $0.lines },
      picks: { $0.picks },
      difference: { branches, show in
        func difference() async throws -> Difference? {
          try await branches.difference(from: initial, on: try await makeSystem(), trace: show)
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
    )
  }
}
