public import Foundation
import ModelGeneration
import PropertyEngine

extension Values where Value == Bool {
  /// True and false; false is the simplest.
  public static func bool() -> Values { Values(choices: { $0.flag() }) }
}

extension Values where Value == Int {
  /// Integers of a range, by default all.
  ///
  /// The simplest is the one nearest to 0, positive rather than negative. Each order of magnitude has its
  /// share; the ends of the range, powers of two and their neighbours have more.
  public static func int(in range: ClosedRange<Int> = .min ... .max) -> Values {
    integer(Int.self, in: range)
  }
}

extension Values where Value: FixedWidthInteger & Sendable {
  /// Integers of any width, by default all: `.integer(UInt8.self)`; see ``int(in:)``.
  public static func integer(
    _ type: Value.Type,
    in range: ClosedRange<Value> = .min ... .max
  ) -> Values {
    let origin = range.contains(0) ? 0 : range.lowerBound > 0 ? range.lowerBound : range.upperBound
    // Either both ends have the origin's sign, or the origin is 0: no difference overflows.
    let (above, below) =
      origin == 0
      ? (range.upperBound.magnitude, range.lowerBound.magnitude)
      : ((range.upperBound - origin).magnitude, (origin - range.lowerBound).magnitude)
    let (up, down) = (UInt128(truncatingIfNeeded: above), UInt128(truncatingIfNeeded: below))
    return Values(choices: { choices in
      let distance = choices.magnitude(upTo: max(up, down))
      // Behind the distance: a nearer number is simpler, whatever its sign. The side is never chosen by
      // the distance, since a distance that shrinks would change it.
      var isBelow = up == 0
      if up > 0, down > 0 {
        isBelow = choices.flag(percent: distance > up ? 100 : distance > down ? 0 : 50)
      }
      let step = Value(truncatingIfNeeded: min(distance, isBelow ? down : up))
      return isBelow ? origin &- step : origin &+ step
    })
  }
}

extension Values where Value == Double {
  /// All numbers, with infinities, NaN, -0 and the least and greatest of each kind.
  ///
  /// Whole numbers are simpler than fractions such as 0.5 or 0.1, these than others, and special values
  /// come last; nearer to 0 is simpler.
  public static func double() -> Values {
    real(in: -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude, specials: .all) {
      Double(bitPattern: $0)
    }
  }

  /// Finite numbers of a range, its ends among them; an infinite end counts as the greatest number.
  public static func double(in range: ClosedRange<Double>) -> Values {
    real(in: range, specials: .bounds) { Double(bitPattern: $0) }
  }
}

extension Values where Value == Float {
  /// All numbers, as for `Double`.
  public static func float() -> Values {
    real(in: -Float.greatestFiniteMagnitude...Float.greatestFiniteMagnitude, specials: .all) {
      Float(bitPattern: UInt32(truncatingIfNeeded: $0 >> 32))
    }
  }

  /// Finite numbers of a range, its ends among them.
  public static func float(in range: ClosedRange<Float>) -> Values {
    real(in: range, specials: .bounds) { Float(bitPattern: UInt32(truncatingIfNeeded: $0 >> 32)) }
  }
}

private enum Specials { case all, bounds }

extension Values where Value: BinaryFloatingPoint & Sendable {
  /// Divisors of the fractions that a person would write.
  private static var divisors: [Value] { [2, 4, 10, 100, 1000, 3] }

  /// Numbers of a range, in four kinds; each kind draws as many choices as the first or more.
  fileprivate static func real(
    in range: ClosedRange<Value>,
    specials: Specials,
    fromBits: @escaping @Sendable (UInt64) -> Value
  ) -> Values {
    let greatest = Value.greatestFiniteMagnitude
    let lower = min(max(range.lowerBound, -greatest), greatest)
    let upper = min(max(range.upperBound, lower), greatest)
    let origin =
      lower <= 0 && upper >= 0
      ? 0 : lower > 0 ? min(lower.rounded(.up), upper) : max(upper.rounded(.down), lower)
    let reach = max(upper - origin, origin - lower).rounded(.down)
    // Beyond 2^53 a `Double` has no fractions, and neighbours are more than 1 apart.
    let wholeLimit = UInt128(exactly: min(reach, Value(1 << 53))) ?? 1 << 53
    // The neighbours of the ends are not in a range of one number.
    let bounds = [lower, upper, min(lower.nextUp, upper), max(upper.nextDown, lower)]
    let special = specials == .all ? allSpecials : bounds
    return Values(choices: { choices in
      let kind = choices.pick(weights: [6, 5, 4, specials == .all ? 2 : 1])
      let value: Value
      switch kind {
      case 0, 1:
        let whole = Value(choices.magnitude(upTo: wholeLimit))
        let divisor = choices.choice(upTo: kind == 0 ? 0 : UInt32(divisors.count - 1))
        let distance = kind == 0 ? whole : whole / divisors[Int(divisor)]
        value = choices.flag() ? origin - distance : origin + distance
      case 2:
        let bits = UInt64(choices.magnitude(upTo: UInt128(UInt64.max >> 1)))
        _ = choices.choice(upTo: 0)
        let any = fromBits(bits)
        let signed = choices.flag() ? -any : any
        let part = Value(bits >> 10) / Value(UInt64(1) << 53)
        value =
          signed >= lower && signed <= upper ? signed : lower + (upper / 2 - lower / 2) * part * 2
      default:
        let index = choices.index(below: special.count)
        for _ in 0..<3 { _ = choices.choice(upTo: 0) }
        return special[index]
      }
      return min(max(value, lower), upper)
    })
  }

  private static var allSpecials: [Value] {
    [
      .infinity, -.infinity, .nan, -0.0, .greatestFiniteMagnitude, -.greatestFiniteMagnitude,
      .leastNormalMagnitude, -.leastNormalMagnitude, .leastNonzeroMagnitude,
      -.leastNonzeroMagnitude, .ulpOfOne, 1 + .ulpOfOne, 1 - .ulpOfOne / 2,
    ]
  }
}

extension Values where Value == Date {
  /// Dates of a range, by default from 1901 to 2100; midnight of the first day of 2001 (UTC) is the simplest.
  ///
  /// Whole days are simpler than hours, these than seconds, milliseconds and other fractions.
  public static func date(
    in range: ClosedRange<Date> = Date(
      timeIntervalSinceReferenceDate: -3_155_673_600
    )...Date(timeIntervalSinceReferenceDate: 3_155_760_000)
  ) -> Values {
    let day = 86_400.0
    let lower = range.lowerBound.timeIntervalSinceReferenceDate
    let upper = range.upperBound.timeIntervalSinceReferenceDate
    func wholeDays(_ seconds: Double) -> Int {
      Int(exactly: (min(max(seconds, -1e14), 1e14) / day).rounded(.down)) ?? 0
    }
    // The first midnight within the range, where it has one.
    let first = min(
      wholeDays(lower) + (lower > Double(wholeDays(lower)) * day ? 1 : 0),
      wholeDays(upper)
    )
    let days = Values<Int>.int(in: first...max(first, wholeDays(upper)))
    return Values(choices: { choices in
      // Before the day: a whole day is simpler than a part of one that is nearer.
      let kind = choices.pick(weights: [4, 2, 4, 3, 1])
      let midnight = Double(try days.body(&choices)) * day
      let seconds: Double
      switch kind {
      case 0:
        seconds = Double(choices.number(in: 0...0))
      case 1:
        seconds = Double(choices.number(in: 0...23)) * 3600
      case 2:
        seconds = Double(choices.number(in: 0...86_399, bias: .small))
      case 3:
        seconds = Double(choices.number(in: 0...86_399_999, bias: .small)) / 1000
      default:
        seconds = Double(choices.number(in: 0...Int(UInt32.max))) / Double(UInt32.max) * day
      }
      return Date(timeIntervalSinceReferenceDate: min(max(midnight + seconds, lower), upper))
    })
  }
}

extension Values where Value == UUID {
  /// Any 128 bits; the UUID of zeros is the simplest.
  public static func uuid() -> Values { Values(choices: { StandardLeaves.uuid(&$0) }) }
}
