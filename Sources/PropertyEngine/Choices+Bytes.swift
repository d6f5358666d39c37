// How choices are spelled as a fuzzer's bytes. Five choices; the second is a preference:
//
//     value, limit     3, 9     4, 6     300, 1000     0, 0     2, 255
//     bytes            03       none     2c 01         none     02
//     byteOffsets      0        1        1             3        3          and 4, where all end
//
// Read back, 03 is 3 of 0...9, and 2c 01 is 0x012c = 300 of 0...1000. A byte 0d would be 3 as well:
// 13 modulo 10. Several strings of bytes make one sample; `spelledBytes` is the shortest of them.

extension Choice {
  /// Number of bytes that a choice up to `limit` takes in the bytes source: 0 to 4.
  static func byteCount(upTo limit: UInt32) -> Int {
    (UInt32.bitWidth - limit.leadingZeroBitCount + 7) / 8
  }
}

extension Choices {
  /// The bytes that stand for what was drawn: the inverse of ``init(bytes:)``.
  ///
  /// A generator that draws from them makes the same sample, as far as its preferences matter to
  /// biases alone. Each choice becomes as many bytes as its limit has, least significant first; a
  /// preference becomes none. Zeros at the end are left out, since bytes that are missing are 0: of
  /// all bytes that make these choices, none are fewer.
  package var spelledBytes: [UInt8] {
    var bytes: [UInt8] = []
    var rest = preferences[...]
    for (index, choice) in recorded.enumerated() {
      while let first = rest.first, first.upperBound <= index { rest.removeFirst() }
      if rest.first?.contains(index) == true { continue }
      for position in 0..<Choice.byteCount(upTo: choice.limit) {
        bytes.append(UInt8(truncatingIfNeeded: choice.value >> UInt32(8 * position)))
      }
    }
    let end = bytes.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
    return Array(bytes[..<end])
  }

  /// Where each choice's bytes begin in the bytes source, and, last, where all of them end.
  ///
  /// There is one more than there are choices; a preference has no bytes.
  package var byteOffsets: [Int] {
    var offsets = [0]
    offsets.reserveCapacity(recorded.count + 1)
    var rest = preferences[...]
    for (index, choice) in recorded.enumerated() {
      while let first = rest.first, first.upperBound <= index { rest.removeFirst() }
      let isPreference = rest.first?.contains(index) == true
      let count = isPreference ? 0 : Choice.byteCount(upTo: choice.limit)
      offsets.append(offsets[index] + count)
    }
    return offsets
  }
}
