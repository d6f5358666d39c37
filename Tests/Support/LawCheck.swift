package import PropertyEngine

/// The first failure of a law, made as small as it gets.
package struct LawFailure<Sample> {
  /// Number of the case, from 0; its choices came from stream `caseIndex` of the run's seed.
  package let caseIndex: Int
  /// The values with which the failure was found.
  package let original: [UInt32]
  /// The choices after shrinking.
  package let shrunk: ShrinkResult
  /// The sample they make.
  package let sample: Sample
  /// What is wrong with that sample: violated or errored.
  package let verdict: Verdict
}

extension LawFailure: Sendable where Sample: Sendable {}

/// What a run of one law came to.
package struct LawOutcome<Sample> {
  /// Name of the law.
  package let law: String
  /// The run's seed.
  package let seed: Seed
  /// Number of cases for which the law held.
  package let heldCount: Int
  /// Number of cases to which the law did not apply.
  package let skippedCount: Int
  /// The first case that was violated or errored, with which the run ended; nil if there is none.
  package let failure: LawFailure<Sample>?
}

extension LawOutcome: Sendable where Sample: Sendable {}

extension LawOutcome: CustomStringConvertible {
  package var description: String {
    let counts = "\(heldCount) held, \(skippedCount) skipped"
    guard let failure else { return "\(law): \(counts)" }
    let result =
      switch failure.verdict {
      case .violated(let difference): "violated: \(difference)"
      case .errored(let text): "errored: \(text)"
      case .held, .known, .skipped: "did not repeat"
      }
    let values = failure.shrunk.values.map { String($0) }.joined(separator: ", ")
    return """
      \(law): \(counts), then \(result)
      seed: \(seed), case \(failure.caseIndex)
      choices: [\(values)], after \(failure.shrunk.steps) steps, from \(failure.original.count) choices
      sample: \(failure.sample)
      """
  }
}

/// Holds samples to one law until one fails, and shrinks that one: a ``LawRun`` whose outcome has the
/// sample itself.
///
/// - Throws: What drawing the failing sample throws.
package func checkLaw<Sample>(
  _ law: Law<Sample>,
  seed: Seed,
  cases: Int,
  shrinkLimit: Int = 10_000
) throws -> LawOutcome<Sample> {
  var run = LawRun([LawGroup(law)], on: [], seed: seed)
  run.run(cases: cases, shrinkLimit: shrinkLimit, failureLimit: 1)
  let failure = try run.failures.values.first.map { failure in
    var original = run.choices(ofCase: failure.caseIndex)
    _ = try law.draw(&original)
    var choices = Choices(replaying: failure.choices.map(\.value))
    let sample = try law.draw(&choices)
    return LawFailure(
      caseIndex: failure.caseIndex,
      original: original.recordedValues,
      shrunk: ShrinkResult(
        recorded: choices.recorded,
        spans: choices.spans,
        steps: failure.shrinkSteps,
        ending: failure.ending ?? .interrupted
      ),
      sample: sample,
      verdict: law.verdict(of: sample)
    )
  }
  return LawOutcome(
    law: law.name,
    seed: seed,
    heldCount: run.totals.laws[law.name]?.held ?? 0,
    skippedCount: run.totals.laws[law.name]?.skipped ?? 0,
    failure: failure
  )
}
