/// Where a run's randomness starts: 64 bits, written in decimal or as `0x` and hexadecimal digits.
///
/// Seeds that are close to one another, such as 1, 2, 3, give unrelated streams; and so do the
/// streams of one seed.
package struct Seed: Codable, Hashable, Sendable {
  /// The 64 bits.
  package let value: UInt64

  package init(value: UInt64) {
    self.value = value
  }

  /// The seed of one of many independent parts, such as case number `index`.
  ///
  /// For one seed, different indices always give different seeds; for one index, so do different
  /// seeds.
  package func stream(_ index: UInt64) -> Seed {
    Seed(value: RandomBits.scramble(RandomBits.scramble(value ^ 0x6a09_e667_f3bc_c908) ^ index))
  }
}

extension Seed: LosslessStringConvertible {
  /// Reads `42`, `0x2a` or `0x2A`; anything else, as a number above 64 bits, is `nil`.
  package init?(_ description: String) {
    let isHexadecimal = description.hasPrefix("0x")
    let digits = isHexadecimal ? description.dropFirst(2) : Substring(description)
    let isPlain = digits.unicodeScalars.allSatisfy { $0.properties.isASCIIHexDigit }
    guard isPlain, let value = UInt64(digits, radix: isHexadecimal ? 16 : 10) else { return nil }
    self.value = value
  }

  /// The form `0x2a`.
  package var description: String {
    "0x" + String(value, radix: 16)
  }
}

extension Seed: ExpressibleByIntegerLiteral {
  package init(integerLiteral value: UInt64) {
    self.value = value
  }
}
