/// How far two values may be apart and still count as one, and what need not be read.
///
/// Nothing is tolerated unless a test says so: an undeclared loss is a failure.
///
/// Users of the library know it as `LawTolerance` of `Touchstone`, a type of its own: the members of one that this
/// module made public would be hidden from those who import `Touchstone` alone (`MemberImportVisibility`).
package struct Tolerance: Hashable, Sendable {
  /// Seconds between two dates.
  package var dateSeconds: Double
  /// The difference of two floats, as a part of the greater one, or of 1 if both are smaller.
  package var floatFraction: Double

  /// Keys that are written for other programs alone.
  package var unreadKeys: Set<String>

  package init(
    dateSeconds: Double = 0,
    floatFraction: Double = 0,
    unreadKeys: Set<String> = []
  ) {
    self.dateSeconds = dateSeconds
    self.floatFraction = floatFraction
    self.unreadKeys = unreadKeys
  }

  package static let exact = Tolerance()

  /// Whether values may not differ at all.
  var isExact: Bool { dateSeconds == 0 && floatFraction == 0 }

  /// Whether two floats count as one; NaN equals NaN, whatever its bits.
  func accepts(_ left: Double, _ right: Double) -> Bool {
    if left == right || (left.isNaN && right.isNaN) { return true }
    guard floatFraction > 0, left.isFinite, right.isFinite else { return false }
    return abs(left - right) <= floatFraction * max(1, max(abs(left), abs(right)))
  }
}
