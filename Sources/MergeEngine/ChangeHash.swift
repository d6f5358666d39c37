/// The SHA-256 of a change chunk, which names the change everywhere.
///
/// It covers the dependencies' hashes, and so all that came before: two replicas with equal heads
/// hold equal changes.
///
///     bytes     ae c3 7f f6 f7 89 8c 9d 12 67 da 75 ...      32
///     words     0xaec37ff6f7898c9d, 0x1267da75..., ...       4
///     checksum  ae c3 7f f6
package struct ChangeHash: Hashable, Sendable, Comparable, BitwiseCopyable,
  CustomStringConvertible
{
  /// The 32 bytes as four big-endian words, so that word order is byte order.
  let words: (UInt64, UInt64, UInt64, UInt64)

  init(words: (UInt64, UInt64, UInt64, UInt64)) {
    self.words = words
  }

  /// Reads 32 bytes; `nil` for another number of bytes.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count == 32 else { return nil }
    self = withView(of: bytes) { ChangeHash(view: $0, at: 0) }
  }

  /// Reads 32 bytes which the caller has made sure of.
  ///
  /// Traps where fewer than 32 bytes are left.
  init(view: ByteView, at start: Int) {
    words = (
      view.bigEndianWord(at: start), view.bigEndianWord(at: start + 8),
      view.bigEndianWord(at: start + 16), view.bigEndianWord(at: start + 24)
    )
  }

  package var bytes: [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(32)
    for word in [words.0, words.1, words.2, words.3] {
      for shift in stride(from: 56, through: 0, by: -8) {
        result.append(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
      }
    }
    return result
  }

  package static func == (left: ChangeHash, right: ChangeHash) -> Bool {
    left.words == right.words
  }

  package static func < (left: ChangeHash, right: ChangeHash) -> Bool {
    left.words < right.words
  }

  /// All 32 bytes: what peers name as heads, needs and dependencies need be no hash of anything, and
  /// thousands that share their first bytes would make every table of them slow.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(words.0)
    hasher.combine(words.1)
    hasher.combine(words.2)
    hasher.combine(words.3)
  }

  /// 64 lower-case hex digits.
  package var description: String {
    var text: [UInt8] = []
    text.reserveCapacity(64)
    for word in [words.0, words.1, words.2, words.3] {
      var shift: UInt64 = 64
      while shift > 0 {
        shift -= 4
        text.append(hexadecimalDigit(UInt8(truncatingIfNeeded: word >> shift) & 15))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The first four bytes, a chunk's checksum.
  ///
  /// Four bytes find damage, and no forgery: who changes the content can write its checksum,
  /// too. What proves a document are its heads, which are whole hashes (``DocumentReader``).
  var checksum: (UInt8, UInt8, UInt8, UInt8) {
    (
      UInt8(truncatingIfNeeded: words.0 >> 56), UInt8(truncatingIfNeeded: words.0 >> 48),
      UInt8(truncatingIfNeeded: words.0 >> 40), UInt8(truncatingIfNeeded: words.0 >> 32)
    )
  }

  /// Appends the 32 bytes.
  func append(to bytes: inout Arena<UInt8>) {
    bytes.appendBigEndian(words.0)
    bytes.appendBigEndian(words.1)
    bytes.appendBigEndian(words.2)
    bytes.appendBigEndian(words.3)
  }
}
