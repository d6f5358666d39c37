/// A sequence of choices with its spans, as the shrinker's passes look at it.
struct ShrinkState: Hashable, Sendable {
  let recorded: [Choice]
  let spans: [ChoiceSpan]
  /// Spans that drew nothing, such as a tree at the largest depth, which is not asked whether it goes on.
  let emptySpans: [ChoiceSpan]
  let values: [UInt32]

  init(recorded: [Choice], spans: [ChoiceSpan]) {
    self.recorded = recorded
    // An attempt may come from outside: spans that do not lie within the choices are left out.
    let sound = spans.filter { span in
      span.start >= 0 && span.end <= recorded.count && span.start <= span.end
    }
    self.spans = sound.filter { $0.start < $0.end }
    emptySpans = sound.filter { $0.start == $0.end }
    values = recorded.map(\.value)
  }

  /// Whether it is better than `other`: shorter, or as long and smaller.
  func isBetter(than other: ShrinkState) -> Bool {
    shortlexPrecedes(values, other.values)
  }
}

/// Whether `left` is shorter than `right`, or as long and smaller at the first difference.
func shortlexPrecedes(_ left: [UInt32], _ right: [UInt32]) -> Bool {
  guard left.count == right.count else { return left.count < right.count }
  return left.lexicographicallyPrecedes(right)
}

/// Every answer to a candidate so far.
///
/// Kept for as long as the shrinker lives: at most an entry for each candidate and one for what it drew. A
/// resumed run finds its way by them, so an answer is never replaced, though the best may have changed since.
struct ShrinkMemory: Sendable {
  /// What became of a candidate.
  enum Answer: Sendable {
    /// It does not fail as the original did.
    case passed
    /// It fails, and was no better than the best one then.
    case failedUselessly
    /// It fails, and was the best one so far.
    case failed(ShrinkState)
  }

  /// Number of candidates that were run.
  var steps = 0
  private var answers: [[UInt32]: Answer] = [:]

  /// The answer to `candidate`, if it or what it stands for was run before.
  subscript(candidate: [UInt32]) -> Answer? {
    answers[Self.normalised(candidate)]
  }

  /// Remembers the answer to `candidate`; one that is known already is kept.
  mutating func remember(_ candidate: [UInt32], _ answer: Answer) {
    let key = Self.normalised(candidate)
    if answers[key] == nil { answers[key] = answer }
  }

  /// The candidate without zeros at its end: missing values are zeros anyway.
  private static func normalised(_ candidate: [UInt32]) -> [UInt32] {
    guard let last = candidate.lastIndex(where: { $0 != 0 }) else { return [] }
    return last == candidate.count - 1 ? candidate : Array(candidate[...last])
  }
}
