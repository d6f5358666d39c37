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

  /// The id with these bytes; `nil` when there are more than ``byteCountLimit``.
  // An array and nothing more general: a subject makes one for each id that it shows.
  package init?(bytes: [UInt8]) {
    guard bytes.count <= Self.byteCountLimit else { return nil }
    high = Self.word(bytes, at: 0)
    low = Self.word(bytes, at: 8)
    count = UInt8(bytes.count)
  }

  /// Eight bytes from `start` on, the first the most significant; missing ones are 0.
  private static func word(_ bytes: [UInt8], at start: Int) -> UInt64 {
    var word: UInt64 = 0
    for index in start..<(start + 8) {
      word = word << 8 | (index < bytes.count ? UInt64(bytes[index]) : 0)
    }
    return word
  }

  /// The id whose 16 bytes all equal `byte`: the fixed actors of histories and workloads.
  package init(repeating byte: UInt8) {
    high = UInt64(byte) &* 0x0101_0101_0101_0101
    low = high
    count = 16
  }

  /// The id written as hexadecimal digits, two a byte; `nil` when it is anything else.
  package init?(hex: some StringProtocol) {
    guard let bytes = hexBytes(hex) else { return nil }
    self.init(bytes: bytes)
  }

  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Int(count))
    for index in 0..<Int(count) {
      let word = index < 8 ? high : low
      bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * (index % 8))))
    }
    return bytes
  }

  /// Lower-case hexadecimal digits.
  package var description: String { String(decoding: digits, as: UTF8.self) }

  /// The hexadecimal digits as bytes of text.
  package var digits: [UInt8] {
    var digits: [UInt8] = []
    digits.reserveCapacity(2 * Int(count) + 8)
    for index in 0..<2 * Int(count) {
      let word = index < 16 ? high : low
      digits.append(hexDigit(UInt8(truncatingIfNeeded: word >> UInt64(60 - 4 * (index % 16))) & 15))
    }
    return digits
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(word)
  }

  /// All bytes in one word, in which ids of writers hardly ever agree: what hashes are made of.
  var word: UInt64 { high &* 0x9e37_79b9_7f4a_7c15 &+ low }

  package static func < (left: Self, right: Self) -> Bool {
    if left.high != right.high { return left.high < right.high }
    if left.low != right.low { return left.low < right.low }
    return left.count < right.count
  }
}
