/// Identifies a writer: up to 16 bytes, ordered as byte strings.
///
/// The bytes live in two words, so that comparing two actors allocates nothing. A shorter id is
/// padded with zeros; where the padded words agree, the shorter id comes first.
///
/// Source: Specification/Semantics.md, "Identity".
package struct ActorID: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The greatest number of bytes in an id.
  package static let byteCountLimit = 16

  private let high: UInt64
  private let low: UInt64
  private let count: UInt8

  /// The id with these bytes; nil when there are more than ``byteCountLimit``.
  package init?(bytes: some Collection<UInt8>) {
    guard bytes.count <= Self.byteCountLimit else { return nil }
    var words: (high: UInt64, low: UInt64) = (0, 0)
    for (index, byte) in bytes.enumerated() {
      let shift = UInt64(56 - 8 * (index % 8))
      if index < 8 {
        words.high |= UInt64(byte) << shift
      } else {
        words.low |= UInt64(byte) << shift
      }
    }
    high = words.high
    low = words.low
    count = UInt8(bytes.count)
  }

  /// The id whose 16 bytes all equal `byte`: the fixed actors of histories and workloads.
  package init(repeating byte: UInt8) {
    high = UInt64(byte) &* 0x0101_0101_0101_0101
    low = high
    count = 16
  }

  /// The id written as hexadecimal digits, two a byte; nil when it is anything else.
  package init?(hex: some StringProtocol) {
    guard let bytes = hexBytes(hex) else { return nil }
    self.init(bytes: bytes)
  }

  package var bytes: [UInt8] {
    (0..<Int(count)).map { index in
      let word = index < 8 ? high : low
      return UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * (index % 8)))
    }
  }

  /// Lower-case hexadecimal digits.
  package var description: String { hexString(bytes) }

  package static func < (left: Self, right: Self) -> Bool {
    if left.high != right.high { return left.high < right.high }
    if left.low != right.low { return left.low < right.low }
    return left.count < right.count
  }
}

/// Lower-case hexadecimal digits of `bytes`, two a byte.
package func hexString(_ bytes: some Sequence<UInt8>) -> String {
  let digits = Array("0123456789abcdef".utf8)
  var text: [UInt8] = []
  for byte in bytes {
    text.append(digits[Int(byte >> 4)])
    text.append(digits[Int(byte & 15)])
  }
  return String(decoding: text, as: UTF8.self)
}

/// Bytes written as hexadecimal digits; nil when the text is anything else.
package func hexBytes(_ hex: some StringProtocol) -> [UInt8]? {
  let digits = Array(hex.utf8)
  guard digits.count.isMultiple(of: 2) else { return nil }
  var result: [UInt8] = []
  result.reserveCapacity(digits.count / 2)
  for index in stride(from: 0, to: digits.count, by: 2) {
    guard let high = hexValue(digits[index]), let low = hexValue(digits[index + 1]) else {
      return nil
    }
    result.append(high << 4 | low)
  }
  return result
}

private func hexValue(_ digit: UInt8) -> UInt8? {
  switch digit {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
  case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
  case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
  default: nil
  }
}
