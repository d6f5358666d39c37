import Foundation
import PropertyEngine
import RecordModel

// Decimals of `record.nested-numbers`: as digits, and as the map of parts that a `Decimal` encodes itself as.

/// A record with one nested value, which holds a decimal.
struct Priced: CustomCloudKitCodable {
  struct Price: Codable { let amount: Decimal }

  var cloudKitSystemFields: Data? { nil }
  var cloudKitIdentifier: String { "priced" }
  var cloudKitRecordType: String { "Priced" }
  let price: Price

  enum CodingKeys: CodingKey { case price }
}

extension Choices {
  /// The digits of a decimal as JSON has them, 38 at most, without a zero that says nothing.
  mutating func decimalDigits() -> String {
    let edges = [
      "0", "-1", "12.5", "0.1", "100", "9007199254740993", "18446744073709551616",
      "0.1234567890123456789", "3.132999999999999488", "12345678901234567890.5",
      "-99999999999999999999999999999999999999",
    ]
    guard flag(percent: 50) else { return element(of: edges) }
    var digits = "\(bits64())\(bits64())".prefix(number(in: 1...38))
    while digits.last == "0" { digits.removeLast() }
    guard !digits.isEmpty else { return "0" }
    let whole = digits.prefix(number(in: 0...digits.count))
    let fraction = digits.dropFirst(whole.count)
    return (whole.isEmpty ? "0" : whole) + (fraction.isEmpty ? "" : ".") + fraction
  }
}

/// A decimal as it encodes itself, of 64 bits at most.
struct DecimalParts {
  let json: String
  let number: Decimal

  init(_ choices: inout Choices) {
    let digits = UInt64(bitPattern: choices.integer())
    let exponent = -choices.number(in: 0...10)
    let isNegative = choices.flag() && digits > 0
    let mantissa = (0..<8).map { $0 < 4 ? UInt16(truncatingIfNeeded: digits >> ($0 * 16)) : 0 }
    let length = (mantissa.lastIndex { $0 != 0 } ?? -1) + 1
    json =
      #"{"exponent":\#(exponent),"isCompact":false,"isNegative":\#(isNegative),"#
      + #""length":\#(length),"mantissa":[\#(mantissa.map { "\($0)" }.joined(separator: ","))]}"#
    number = Decimal(
      sign: isNegative ? .minus : .plus,
      exponent: exponent,
      significand: Decimal(digits)
    )
  }
}

extension RecordValue {
  /// The text of bytes, for a report.
  var text: String? {
    guard case .bytes(let bytes) = self else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }
}
