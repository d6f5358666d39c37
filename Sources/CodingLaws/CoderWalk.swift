package import PropertyEngine

/// What became of a walk over a small world of a coder.
///
/// Tests look at its counts, so that a walk that became smaller does not go unseen.
package struct CoderWalk: Sendable {
  package internal(set) var sampleCount = 0
  /// What the samples came to.
  package internal(set) var totals = LawTotals()
  /// The places that were visited, lists or others, as `Model: path`, ascending.
  package internal(set) var places: [String] = []
  /// The first sample that breaks the law.
  package internal(set) var violation: (sample: CodingSample, difference: Difference)?

  /// Counts a sample and judges it; `onSample` hears its number before.
  ///
  /// - Returns: Whether the walk goes on: it ends with the first violation.
  mutating func goesOn(
    after sample: CodingSample,
    onSample: (Int) -> Void,
    judge: (CodingSample) -> Judgement
  ) -> Bool {
    sampleCount += 1
    onSample(sampleCount)
    let judgement = judge(sample)
    totals.add(judgement)
    guard case .violated(let difference) = judgement.verdict else { return true }
    violation = (sample, difference)
    return false
  }
}
