extension Verdict {
  /// Whether both are failures of one class: violations of one kind, or alike errors.
  ///
  /// Errors are alike if their texts are up to the first digit, quotation mark, bracket or colon,
  /// after which texts usually go on with values.
  package func isSameFailure(as other: Verdict) -> Bool {
    switch (self, other) {
    case (.violated(let left), .violated(let right)): left.kind == right.kind
    case (.errored(let left), .errored(let right)):
      Self.errorClass(left) == Self.errorClass(right)
    default: false
    }
  }

  private static func errorClass(_ text: String) -> [Unicode.Scalar] {
    Array(text.unicodeScalars).prefix { scalar in
      !("0"..."9").contains(scalar) && !"\"'([{<:".unicodeScalars.contains(scalar)
    }
  }
}

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
  package internal(set) var heldCount = 0
  /// Number of cases to which the law did not apply.
  package internal(set) var skippedCount = 0
  /// The first case that was violated or errored, with which the run ended; nil if there is none.
  package internal(set) var failure: LawFailure<Sample>?
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

/// Holds samples to a law until one fails, and shrinks that one.
///
/// Case `i` draws from stream `i` of the seed, so that a case does not depend on those before it.
/// Shrinking runs at most `shrinkLimit` candidates and keeps the class of the failure.
package func checkLaw<Sample>(
  _ law: Law<Sample>,
  seed: Seed,
  cases: Int,
  shrinkLimit: Int = 10_000
) -> LawOutcome<Sample> {
  var outcome = LawOutcome<Sample>(law: law.name, seed: seed)
  for caseIndex in 0..<max(0, cases) {
    var choices = Choices(seed: seed.stream(UInt64(caseIndex)))
    let verdict = law.verdict(of: law.samples.draw(&choices))
    switch verdict {
    case .held: outcome.heldCount += 1
    case .skipped: outcome.skippedCount += 1
    case .violated, .errored, .known:
      outcome.failure = shrunkFailure(
        of: law,
        choices,
        verdict,
        caseIndex: caseIndex,
        shrinkLimit: shrinkLimit
      )
      return outcome
    }
  }
  return outcome
}

private func shrunkFailure<Sample>(
  of law: Law<Sample>,
  _ original: Choices,
  _ verdict: Verdict,
  caseIndex: Int,
  shrinkLimit: Int
) -> LawFailure<Sample> {
  var shrinker = Shrinker(
    failing: original.recorded,
    spans: original.spans,
    stepLimit: shrinkLimit
  )
  let shrunk = shrinker.run { candidate in
    var choices = Choices(replaying: candidate)
    let sample = law.samples.draw(&choices)
    return ShrinkAttempt(choices, fails: law.verdict(of: sample).isSameFailure(as: verdict))
  }
  var choices = Choices(replaying: shrunk.values)
  let sample = law.samples.draw(&choices)
  return LawFailure(
    caseIndex: caseIndex,
    original: original.recordedValues,
    shrunk: shrunk,
    sample: sample,
    verdict: law.verdict(of: sample)
  )
}
