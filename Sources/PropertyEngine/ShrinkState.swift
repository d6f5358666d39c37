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

/// The candidates that were run, and what they drew.
struct TriedCandidates {
  private var candidates: Set<[UInt32]> = []

  /// Whether the candidate, or what it stands for, was run before.
  func contains(_ candidate: [UInt32]) -> Bool {
    candidates.contains(Self.normalised(candidate))
  }

  mutating func insert(_ candidate: [UInt32]) {
    candidates.insert(Self.normalised(candidate))
  }

  /// The candidate without zeros at its end: missing values are zeros anyway.
  private static func normalised(_ candidate: [UInt32]) -> [UInt32] {
    guard let last = candidate.lastIndex(where: { $0 != 0 }) else { return [] }
    return last == candidate.count - 1 ? candidate : Array(candidate[...last])
  }
}
