/// An instant as ISO 8601 in UTC, for every number that 64 bits hold.
///
/// Source: ISO 8601, and Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms".
enum InstantText {
  /// Milliseconds since 1970: `2023-11-14T22:13:20.123Z`.
  static func milliseconds(_ count: Int64) -> String {
    let (seconds, rest) = floored(count, by: 1_000)
    return "\(second(seconds)).\(padded(rest, to: 3))Z"
  }

  /// Seconds since 1970: `2023-11-14T22:13:20Z`.
  static func seconds(_ count: Int64) -> String { "\(second(count))Z" }

  private static func second(_ count: Int64) -> String {
    let (day, second) = floored(count, by: 86_400)
    let clock = [second / 3_600, second / 60 % 60, second % 60].map { padded($0, to: 2) }
    return "\(date(day))T\(clock.joined(separator: ":"))"
  }

  /// Days since 1970; years outside of 0...9999 have a sign and six digits or more.
  private static func date(_ days: Int64) -> String {
    // Counted from the first of March of year 0: a leap day then ends its year. 64 bits of
    // seconds are few enough days that no sum here overflows.
    let (era, dayOfEra) = floored(days + 719_468, by: 146_097)
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    let yearText =
      (0...9_999).contains(year)
      ? padded(year, to: 4) : "\(year < 0 ? "-" : "+")\(padded(abs(year), to: 6))"
    return "\(yearText)-\(padded(month, to: 2))-\(padded(day, to: 2))"
  }

  private static func floored(_ number: Int64, by divisor: Int64) -> (Int64, Int64) {
    let (quotient, rest) = number.quotientAndRemainder(dividingBy: divisor)
    return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
  }

  private static func padded(_ number: Int64, to width: Int) -> String {
    let digits = "\(number)"
    return String(repeating: "0", count: max(width - digits.count, 0)) + digits
  }
}
