extension Choices {
  /// Draws a number; the lower bound is the simplest.
  ///
  /// The range is at most `UInt32.max` wide.
  package mutating func number(in range: ClosedRange<Int>, bias: Bias = .uniform) -> Int {
    let width = UInt(bitPattern: range.upperBound &- range.lowerBound)
    precondition(width <= UInt32.max, "\(range) is wider than \(UInt32.max)")
    return range.lowerBound &+ Int(choice(upTo: UInt32(truncatingIfNeeded: width), bias: bias))
  }

  /// Draws an index in `0..<count`, for a count of at least 1; 0 is the simplest.
  package mutating func index(below count: Int, bias: Bias = .uniform) -> Int {
    precondition(count >= 1, "there is no index below \(count)")
    precondition(count - 1 <= UInt32.max, "\(count) is more than 2^32")
    return Int(choice(upTo: UInt32(truncatingIfNeeded: count - 1), bias: bias))
  }

  /// Draws a yes or no; no is the simplest.
  ///
  /// The percentage is the chance of yes in the seeded source alone. Even at 0 and 100 the other
  /// answer stays reachable for bytes and shrinking.
  package mutating func flag(percent: Int = 50) -> Bool {
    choice(upTo: 1, bias: .percent(percent)) == 1
  }

  /// Draws an index of `weights`, at least one of them, in proportion to the weights.
  ///
  /// A weight biases the seeded source alone: an index of weight 0 never comes from it, and is
  /// still reachable for bytes and shrinking.
  ///
  ///     weights 8, 2, 0      one choice in 0...2; at random 0 comes four times as often as 1
  package mutating func pick(weights: [Int]) -> Int {
    index(below: weights.count, bias: .weights(weights))
  }

  /// Draws one of `elements`, at least one; the first is the simplest.
  package mutating func element<Element>(of elements: [Element]) -> Element {
    elements[index(below: elements.count)]
  }

  /// Draws 64 bits, as two choices: the upper half, then the lower.
  ///
  ///     1/4294967295 1000/4294967295      2^32 + 1000
  ///
  /// A 0 as the first choice leaves 32 bits, so that few steps of shrinking make the number small.
  /// ``ChoiceMutation`` knows such pairs by their four bytes each.
  package mutating func bits64() -> UInt64 {
    let upper = UInt64(choice(upTo: .max))
    return upper << 32 | UInt64(choice(upTo: .max))
  }
}
