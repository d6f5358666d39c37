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
