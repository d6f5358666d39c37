/// The writer of changes: a string of bytes, by custom 16 random ones.
///
/// Order is byte order: unsigned, from the left, a prefix before what it is a prefix of.
package struct ActorID: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The id as it stands in files and messages: `0...Limits.actorByteLimit` bytes.
  package let bytes: [UInt8]

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Decides conflicts: of two operations with equal counters, that of the greater actor wins.
  ///
  /// All replicas must agree, so it compares bytes, and neither text nor locale takes part.
  package static func < (left: ActorID, right: ActorID) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }

  /// Lower-case hex.
  package var description: String { hexadecimal(bytes) }
}

// Hex once more beside that of `Texts`, which the specification uses: it and the engine share no code
// (decision 22).

/// The text form of bytes: two lower-case hex digits each.
func hexadecimal(_ bytes: [UInt8]) -> String {
  var text: [UInt8] = []
  text.reserveCapacity(bytes.count * 2)
  for byte in bytes {
    text.append(hexadecimalDigit(byte >> 4))
    text.append(hexadecimalDigit(byte & 15))
  }
  return String(decoding: text, as: UTF8.self)
}

func hexadecimalDigit(_ value: UInt8) -> UInt8 {
  value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
}

/// The bytes whose text form this is; `nil` for an odd number of digits, or for what is no digit.
///
/// Takes capital digits and a plus sign as well: who must have the one form of ``hexadecimal(_:)``
/// compares.
func hexadecimalBytes(_ text: Substring) -> [UInt8]? {
  let digits = Array(text.utf8)
  guard digits.count.isMultiple(of: 2) else { return nil }
  var bytes: [UInt8] = []
  for place in stride(from: 0, to: digits.count, by: 2) {
    let pair = String(decoding: digits[place..<place + 2], as: UTF8.self)
    guard let byte = UInt8(pair, radix: 16) else { return nil }
    bytes.append(byte)
  }
  return bytes
}
