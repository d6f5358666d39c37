/// What a candidate's sample came to.
package struct ShrinkAttempt: Hashable, Sendable {
  /// The choices that regenerating the sample drew.
  package let recorded: [Choice]
  /// Their spans.
  package let spans: [ChoiceSpan]
  /// Whether the sample fails as the original one did: the same law, the same kind of divergence.
  package let fails: Bool

  package init(recorded: [Choice], spans: [ChoiceSpan], fails: Bool) {
    self.recorded = recorded
    self.spans = spans
    self.fails = fails
  }

  /// What regenerating a sample drew, and whether it fails.
  package init(_ choices: Choices, fails: Bool) {
    self.init(recorded: choices.recorded, spans: choices.spans, fails: fails)
  }
}

/// How far shrinking came.
package struct ShrinkResult: Hashable, Sendable {
  /// Why it ended.
  package enum Ending: Codable, Hashable, Sendable {
    /// No pass finds anything smaller.
    case finished
    /// The limit of steps was reached first.
    case stepLimit
    /// The caller asked to stop.
    case interrupted
  }

  /// The best failing choices found.
  package let recorded: [Choice]
  /// Their spans.
  package let spans: [ChoiceSpan]
  /// Number of candidates that were run.
  package let steps: Int
  /// Why it ended.
  package let ending: Ending

  package init(recorded: [Choice], spans: [ChoiceSpan], steps: Int, ending: Ending) {
    self.recorded = recorded
    self.spans = spans
    self.steps = steps
    self.ending = ending
  }

  /// The best failing values, to be replayed.
  package var values: [UInt32] { recorded.map(\.value) }
}

/// Makes failing choices shorter and smaller for as long as the sample still fails.
///
/// Of two failing sequences the better one is shorter or, at equal length, smaller at the first
/// place where they differ (*shortlex*). Length is that of what was recorded, so a candidate with
/// left-over values is judged without them.
///
/// Worked example: lists of numbers below 100, and a law that a number of 10 or more breaks.
///
///     [37, 12, 3]     [1/1 37/99] [1/1 12/99] [1/1 3/99] 0/1      as it was found
///     [37]            [1/1 37/99] 0/1                             `deleteSpans`: the last two together
///     [10]            [1/1 10/99] 0/1                             `lowerEach`: 37, 21, 13, 11, 10
///
/// Shrinking is deterministic, runs no candidate twice, and can be interrupted before any candidate
/// with the best sequence so far. This needs an attempt that is a pure function of the values.
///
/// Cost: attempts, at most `stepLimit`. A run of `n` steps that can go goes in about `log n`.
package struct Shrinker: Sendable {
  /// Number of candidates that may be run.
  private let stepLimit: Int
  private let original: ShrinkState

  /// Starts from choices whose sample fails.
  package init(failing recorded: [Choice], spans: [ChoiceSpan], stepLimit: Int) {
    self.stepLimit = stepLimit
    original = ShrinkState(recorded: recorded, spans: spans)
  }

  /// Shrinks until nothing smaller is found, the limit is reached, or `shouldStop` says so.
  ///
  /// `attempt` regenerates the sample from a candidate's values and says what it drew and whether
  /// it fails in the same way; `shouldStop` is asked before each attempt.
  package func run(
    _ attempt: (_ candidate: [UInt32]) -> ShrinkAttempt,
    shouldStop: () -> Bool = { false }
  ) -> ShrinkResult {
    withoutActuallyEscaping(attempt) { attempt in
      withoutActuallyEscaping(shouldStop) { shouldStop in
        var passes = ShrinkPasses(
          original,
          stepLimit: stepLimit,
          attempt: attempt,
          shouldStop: shouldStop
        )
        let ending = passes.runAll()
        return ShrinkResult(
          recorded: passes.best.recorded,
          spans: passes.best.spans,
          steps: passes.steps,
          ending: ending
        )
      }
    }
  }
}
