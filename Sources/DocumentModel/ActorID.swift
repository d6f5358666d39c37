import Texts

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
