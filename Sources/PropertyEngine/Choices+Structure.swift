extension Choices {
  /// Marks the choices that `body` draws as belonging together.
  package mutating func span<Result, Failure: Error>(
    _ label: String,
    _ body: (inout Choices) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let index = beginSpan(label)
    defer { endSpan(index) }
    return try body(&self)
  }

  /// Runs `body` up to `limit` times, asking "another?" before each.
  ///
  /// The question and the item share one span, so that the shrinker can cut out an item without
  /// knowing of a count. The answer no is the simplest, and nothing is asked after `limit` items.
  ///
  ///     two items of one number, limit 9      [1/1 37/99] [1/1 12/99] 0/1      a bracket is a span
  ///     two items, limit 2                    [1/1 37/99] [1/1 12/99]          no third question
  ///     no items                              0/1                              the no is in no span
  ///
  /// - Parameters:
  ///   - limit: Number of items at most.
  ///   - mean: Number of items the seeded source gives on average; `limit` or more means always
  ///     `limit`.
  ///   - label: Label of each item's span.
  ///   - body: Draws one item.
  ///
  /// - Throws: What `body` throws.
  package mutating func repeated<Failure: Error>(
    upTo limit: Int,
    averaging mean: Int,
    _ label: String,
    _ body: (inout Choices) throws(Failure) -> Void
  ) throws(Failure) {
    let chance = isSeeded ? Self.chanceOfAnother(upTo: limit, averaging: mean) : 0
    try repeated(upTo: limit, chance: chance, label, body)
  }

  /// Runs `body` up to `limit` times, with this chance of another before each: see
  /// ``chanceOfAnother(upTo:averaging:)``.
  mutating func repeated<Failure: Error>(
    upTo limit: Int,
    chance: UInt64,
    _ label: String,
    _ body: (inout Choices) throws(Failure) -> Void
  ) throws(Failure) {
    var count = 0
    while count < limit, try item(label, chance: chance, body) { count += 1 }
  }

  /// Draws "another?" and, if so, the item; false if there is none.
  mutating func item<Failure: Error>(
    _ label: String,
    chance: UInt64,
    _ body: (inout Choices) throws(Failure) -> Void
  ) throws(Failure) -> Bool {
    let index = beginSpan(label)
    guard another(chance: chance) else {
      discardSpan(index)
      return false
    }
    defer { endSpan(index) }
    try body(&self)
    return true
  }

  mutating func another(chance: UInt64) -> Bool {
    flag(chance: chance)
  }

  /// The chance of yes to each "another?" that makes `mean` items on average, in units of 2^-32.
  ///
  /// With chance p the mean is p + p^2 + ... + p^limit, which grows with p: it is bisected. Only
  /// multiplications and one division are used, so every platform finds the same number.
  ///
  ///     mean 2, no limit      2/3                 p / (1 - p) = 2
  ///     mean 2, limit 3       0.81                0.81 + 0.66 + 0.53 = 2.00
  ///
  /// A limit from `16 * (mean + 1)` on cuts off less than one run in a million, and is left out.
  static func chanceOfAnother(upTo limit: Int, averaging mean: Int) -> UInt64 {
    let one = 4_294_967_296.0
    guard limit > 0, mean > 0 else { return 0 }
    guard mean < limit else { return UInt64(one) }
    let unlimited = Double(mean) / Double(mean + 1)
    if mean < limit / 16 { return UInt64(unlimited * one) }
    var low = unlimited
    var high = 1.0
    for _ in 0..<24 {
      let middle = (low + high) / 2
      let reached = middle * (1 - power(middle, limit)) / (1 - middle)
      if reached < Double(mean) { low = middle } else { high = middle }
    }
    return UInt64(low * one)
  }

  private static func power(_ base: Double, _ exponent: Int) -> Double {
    var result = 1.0
    var factor = base
    var rest = exponent
    while rest > 0 {
      if rest & 1 == 1 { result *= factor }
      factor *= factor
      rest >>= 1
    }
    return result
  }
}
