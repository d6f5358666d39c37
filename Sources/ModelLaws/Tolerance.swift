/// How far two values may be apart and still count as one.
///
/// Nothing is tolerated unless a test says so: an undeclared loss is a failure.
package struct Tolerance: Hashable, Sendable {
  /// Seconds between two dates.
  package var dateSeconds: Double
  /// The difference of two floats, as a part of the greater one, or of 1 if both are smaller.
  package var floatFraction: Double

  package init(dateSeconds: Double = 0, floatFraction: Double = 0) {
    self.dateSeconds = dateSeconds
    self.floatFraction = floatFraction
  }

  package static let exact = Tolerance()

  func accepts(_ left: Double, _ right: Double) -> Bool {
    if left == right || (left.isNaN && right.isNaN) { return true }
    guard floatFraction > 0, left.isFinite, right.isFinite else { return false }
    return abs(left - right) <= floatFraction * max(1, max(abs(left), abs(right)))
  }
}
