/// Numbers of a JSON text that are not kept digit for digit: a double has about 16.
package struct InexactNumbers: Hashable, Sendable, CustomStringConvertible {
  /// One of them.
  package struct Number: Hashable, Sendable {
    /// As it is written, made visible.
    package let text: String
    /// What is kept.
    package let value: Double
    /// Bytes before it in the text.
    package let offset: Int
  }

  package private(set) var count = 0
  package private(set) var first: Number?

  package init() {}

  /// How many there are, and the first of them.
  package var description: String {
    guard let first else { return "all numbers are kept" }
    return "\(counted(count, "number has", "numbers have")) more digits than a double keeps: "
      + "\(first.text) at byte \(first.offset) becomes \(first.value)"
  }

  /// Whether a double's own digits say the same as a text.
  static func keeps(_ value: Double, _ text: String) -> Bool {
    Digits(text) == Digits(value.description)
  }

  /// Notes a number unless the value's own digits say the same.
  mutating func note(_ text: String, _ value: Double, at offset: Int) {
    guard !Self.keeps(value, text) else { return }
    count += 1
    if first == nil {
      first = Number(text: VisibleText(scalarLimit: 60)(text), value: value, offset: offset)
    }
  }
}

/// What a decimal number says, however it is spelled: `1.50e2` and `150` are equal.
private struct Digits: Equatable {
  private let isNegative: Bool
  /// Without zeros at either end.
  private let digits: ArraySlice<UInt8>
  /// Of ten, for the last digit; 0 for zero.
  private let exponent: Int

  /// - Parameter text: A number as JSON or a `Double` spells it.
  init(_ text: String) {
    let parts = text.utf8.split(maxSplits: 1) { $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "E") }
    let mantissa = parts.first ?? text.utf8[...]
    isNegative = mantissa.first == UInt8(ascii: "-")
    let point = mantissa.firstIndex(of: UInt8(ascii: "."))
    let fractionCount = point.map { mantissa.distance(from: $0, to: mantissa.endIndex) - 1 } ?? 0
    let all = mantissa.filter { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    var rest = all.drop { $0 == UInt8(ascii: "0") }
    let significantCount = rest.count
    while rest.last == UInt8(ascii: "0") { rest.removeLast() }
    digits = rest
    // An exponent that no Int holds is that of zero, or of a number that no double holds.
    let written = parts.count > 1 ? Int(String(Substring(parts[1]))) ?? .min / 2 : 0
    exponent = rest.isEmpty ? 0 : written - fractionCount + significantCount - rest.count
  }
}
