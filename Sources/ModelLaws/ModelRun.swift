import ModelGeneration
package import PropertyEngine

/// What a sample is drawn from.
package enum DrawOrigin: Hashable, Sendable {
  /// The stream of the run's seed with this number.
  case stream(Int)
  case choices([UInt32])
}

/// Holds one model to the laws of models, case after case, and makes what fails small.
///
/// Case `i` of a law draws from stream `i` of the seed, the first of all from the simplest choices:
/// what the simplest value shows needs no shrinking, and a trap is met there.
package struct ModelRun<Value: Codable & SendableMetatype> {
  /// The first case that broke a law, shrunk.
  package struct Failure {
    package let law: ModelLaw
    package let verdict: Verdict
    package let sample: ModelSample<Value>
    package let caseIndex: Int
    package let foundWith: Int
    package let shrunk: ShrinkResult
  }

  package struct Outcome {
    package var heldCount = 0
    package var failure: Failure?
  }

  private let source: ModelSource<Value>
  private let judge: ModelJudge<Value>
  private let seed: Seed
  /// Told before a sample is drawn, which runs the model's code.
  package var willDraw: (DrawOrigin) -> Void = { _ in }
  /// Told before each case.
  package var willJudge: (ModelLaw, ModelSample<Value>) -> Void = { _, _ in }

  package init(_ source: ModelSource<Value>, _ judge: ModelJudge<Value>, seed: Seed) {
    self.source = source
    self.judge = judge
    self.seed = seed
  }

  /// Runs so many cases of each law, and ends with the first law that is broken.
  ///
  /// - Throws: What drawing a value throws.
  package func run(
    _ laws: [ModelLaw],
    cases: Int,
    shrinkLimit: Int = 2000,
    shouldStop: () -> Bool = { false }
  ) throws -> Outcome {
    var outcome = Outcome()
    for law in laws {
      for index in 0..<max(2, cases / law.costs) where !shouldStop() {
        var choices =
          index == 0 ? Choices(replaying: []) : Choices(seed: seed.stream(UInt64(index)))
        willDraw(index == 0 ? .choices([]) : .stream(index))
        let sample = try source.draw(&choices)
        let verdict = judged(law, sample)
        switch verdict {
        case .held: outcome.heldCount += 1
        case .known, .skipped: break
        case .violated, .errored:
          outcome.failure = shrink(law, choices, sample, verdict, index, shrinkLimit, shouldStop)
          return outcome
        }
      }
    }
    return outcome
  }

  /// Judges choices again, as a case file keeps them.
  package func replay(_ law: ModelLaw, _ choices: [UInt32]) throws -> (ModelSample<Value>, Verdict)
  {
    willDraw(.choices(choices))
    var choices = Choices(replaying: choices)
    let sample = try source.draw(&choices)
    return (sample, judged(law, sample))
  }

  /// Judges one sample.
  package func judged(_ law: ModelLaw, _ sample: ModelSample<Value>) -> Verdict {
    willJudge(law, sample)
    return judge.verdict(law, on: sample)
  }

  private func shrink(
    _ law: ModelLaw,
    _ original: Choices,
    _ sample: ModelSample<Value>,
    _ verdict: Verdict,
    _ index: Int,
    _ limit: Int,
    _ shouldStop: () -> Bool
  ) -> Failure {
    var shrinker = Shrinker(
      failing: original.recorded,
      spans: original.spans,
      stepLimit: limit
    )
    let shrunk = shrinker.run(
      { candidate in
        willDraw(.choices(candidate))
        var choices = Choices(replaying: candidate)
        guard let sample = try? source.draw(&choices) else {
          return ShrinkAttempt(choices, fails: false)
        }
        return ShrinkAttempt(choices, fails: judged(law, sample).isSameFailure(as: verdict))
      },
      shouldStop: shouldStop
    )
    let last = try? replay(law, shrunk.values)
    // What did not repeat is told as it was found.
    let repeated = last.flatMap { $0.1.isSameFailure(as: verdict) ? $0 : nil }
    return Failure(
      law: law,
      verdict: repeated?.1 ?? verdict,
      sample: repeated?.0 ?? sample,
      caseIndex: index,
      foundWith: original.recorded.count,
      shrunk: shrunk
    )
  }
}
