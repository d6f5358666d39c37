extension Int {
  /// The sum, or the nearest number there is: counts come from files.
  package func addingSaturated(_ other: Int) -> Int {
    let (sum, hasOverflowed) = addingReportingOverflow(other)
    guard hasOverflowed else { return sum }
    return other < 0 ? .min : .max
  }
}

extension Sequence where Element == Int {
  /// The sum of all, or the nearest number there is.
  package var saturatedSum: Int { reduce(0) { $0.addingSaturated($1) } }
}

extension Double {
  /// The sum; the greatest finite number where there is none, since JSON has no word for infinity.
  package func addingSaturated(_ other: Double) -> Double { (self + other).finite }

  /// The number, or the greatest finite one in the place of infinity.
  package var finite: Double {
    Swift.min(Swift.max(self, -.greatestFiniteMagnitude), .greatestFiniteMagnitude)
  }
}
