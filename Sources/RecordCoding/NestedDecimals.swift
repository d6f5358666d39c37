import Foundation
import Texts

// A `Decimal` in the JSON of a nested value is a number with its own digits, as Foundation's coders have it. The map
// that it encodes itself as is what stands in older records: it is read as well, and written of what is no number.
//
//     12.5                          12.5
//     0.1234567890123456789         0.1234567890123456789     a double has 17 digits
//     NaN                           {"exponent":0,"isCompact":true,"isNegative":true,"length":0,"mantissa":[0, ...]}

extension JSONValue {
  /// The number that a `Decimal` is.
  ///
  /// `nil` for NaN, and for parts that `Decimal` itself prints as no number, such as a zero of two
  /// digits.
  init?(_ decimal: Decimal) {
    let digits = decimal.description
    guard let read = try? JSONValue(parsing: Array(digits.utf8), keepsDigits: true),
      read.exactDecimal == decimal
    else { return nil }
    self = .decimal(digits)
  }

  /// The number as a `Decimal`, rounded to its 38 digits where it has more; `nil` if it is no number, or
  /// one beyond the greatest or below the least.
  var exactDecimal: Decimal? {
    switch self {
    case .int(let value): Decimal(value)
    case .uint(let value): Decimal(value)
    // The reader gives a double only where its digits are those of the text.
    case .double(let value): Decimal(string: value.description)
    case .decimal(let digits): Decimal(string: digits)
    default: nil
    }
  }
}
