/// Why shrinking stops before every pass is done.
enum ShrinkStop: Error {
  case stepLimit
  case interrupted
}

/// One run of the shrinker: the best sequence so far, and the passes that look for a better one.
///
/// A pass proposes candidates to ``consider(_:)`` and never looks at anything but `best` and its
/// answers.
struct ShrinkPasses {
  private(set) var best: ShrinkState
  /// Number of candidates that were run.
  private(set) var steps = 0
  private var tried = TriedCandidates()
  private let stepLimit: Int
  private let attempt: ([UInt32]) -> ShrinkAttempt
  private let shouldStop: () -> Bool

  init(
    _ original: ShrinkState,
    stepLimit: Int,
    attempt: @escaping ([UInt32]) -> ShrinkAttempt,
    shouldStop: @escaping () -> Bool
  ) {
    best = original
    tried.insert(original.values)
    self.stepLimit = stepLimit
    self.attempt = attempt
    self.shouldStop = shouldStop
  }

  /// Runs all passes until none finds anything better.
  mutating func runAll() -> ShrinkResult.Ending {
    do throws(ShrinkStop) {
      try runPasses()
      return .finished
    } catch {
      switch error {
      case .stepLimit: return .stepLimit
      case .interrupted: return .interrupted
      }
    }
  }

  /// Cheap passes that remove much come first; those that try pairs wait until the sequence is
  /// small and the first ones find nothing more.
  private mutating func runPasses() throws(ShrinkStop) {
    _ = try consider([])
    /// Rounds in a row that made numbers smaller and nothing shorter.
    var lowering = 0
    while true {
      let start = best
      try deleteSpans()
      try deleteSpansAndLowerCounts()
      try replaceSpansByInnerSpans()
      try zeroSpans()
      try lowerEach()
      if shouldRepeat(from: start, &lowering) { continue }
      try deleteChoices()
      try sortSiblings()
      try lowerEqualTogether()
      if shouldRepeat(from: start, &lowering) { continue }
      try lowerPairsTogether()
      try redistribute()
      try lowerAndDelete()
      try lowerAndClear()
      try lowerToSmall()
      try clearFlagsTogether()
      try lowerBySteps()
      try borrow()
      try deleteAndRaise()
      try deleteAndLowerIndices()
      try joinSiblings()
      try deletePairs()
      guard best.isBetter(than: start) else { return }
      lowering = 0
    }
  }

  /// Whether the passes so far are worth another round before those that cost more.
  ///
  /// What became shorter always is. Numbers that go down by turns may take a round for each step, as 637 and 636 of
  /// which only one at a time goes down by 2: after a few such rounds it is the turn of passes that take pairs.
  private func shouldRepeat(from start: ShrinkState, _ lowering: inout Int) -> Bool {
    let roundLimit = 3
    guard best.isBetter(than: start) else { return false }
    lowering = best.values.count < start.values.count ? 0 : lowering + 1
    return lowering <= roundLimit
  }

  /// Makes `candidate` the best sequence if it fails and is better; false if not.
  ///
  /// A candidate that was tried before is not run: the best sequence has only become better since.
  mutating func consider(_ candidate: [UInt32]) throws(ShrinkStop) -> Bool {
    if tried.contains(candidate) { return false }
    if steps >= stepLimit { throw .stepLimit }
    if shouldStop() { throw .interrupted }
    steps += 1
    let result = attempt(candidate)
    let state = ShrinkState(recorded: result.recorded, spans: result.spans)
    tried.insert(candidate)
    // What was drawn is the same sample: a candidate that spells it out need not be run.
    tried.insert(state.values)
    guard result.fails, state.isBetter(than: best) else { return false }
    best = state
    return true
  }

  /// The largest number in `0...limit` that works, if numbers below one that works do, too.
  ///
  /// Asks for 1, 2, 4, ... and then bisects: about `2 * log2` of the answer, and one question if
  /// the answer is 0.
  ///
  ///     limit 9, up to 5 works      1 yes, 2 yes, 4 yes, 8 no, 6 no, 5 yes
  mutating func largest(
    upTo limit: Int,
    _ works: (inout ShrinkPasses, Int) throws(ShrinkStop) -> Bool
  ) throws(ShrinkStop) -> Int {
    var good = 0
    var bad = limit + 1
    var next = min(1, limit)
    while next > good, next < bad {
      if try works(&self, next) { good = next } else { bad = next }
      next = bad == limit + 1 ? min(limit, good * 2) : good + (bad - good) / 2
    }
    return good
  }
}
