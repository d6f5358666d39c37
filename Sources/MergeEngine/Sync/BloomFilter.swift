/// Which changes a peer has, in ten bits for each: what it denies is missing for certain, what it
/// affirms is there nearly always (one in a hundred is not).
///
/// The filter of three changes, as a message holds it (7 bytes):
///
///     03              3 entries
///     0a              10 bits for each
///     07              7 probes
///     c3 90 bc a2     30 bits, rounded up to 4 bytes
///
/// A filter without entries is no bytes at all.
///
/// Its size is a sender's choice: what it says is bounded by its own bytes, and probes by
/// ``Limits/bloomProbeLimit``. Entries, bits for each and probes fit 32 bits each.
///
/// Of m bits, the hash bytes give three little-endian numbers, each modulo m: `x` of bytes 0 to 3, `y`
/// of 4 to 7, `z` of 8 to 11. The first probe is `x`. For each further one `x` grows by `y`, and then `y`
/// by `z`, modulo m. Bit `p` is bit `p & 7`, from the lowest, of byte `p >> 3`.
///
/// Source: Specification/Format.md, "Bloom filters".
struct BloomFilter: Hashable, Sendable {
  private var entryCount: UInt32 = 0
  private var bitsPerEntry = Self.usualBitsPerEntry
  private var probeCount = Self.usualProbeCount
  private var bits: [UInt8] = []
  /// Of the number of bits.
  private var remainder = Remainder(by: 0)

  /// The sizes of our own filters, and of those of every peer known.
  private static let usualBitsPerEntry: UInt32 = 10
  private static let usualProbeCount: UInt32 = 7

  /// The empty filter.
  init() {}

  /// An empty filter with room for `count` changes.
  init(count: Int) {
    entryCount = UInt32(clamping: count)
    bits = [UInt8](repeating: 0, count: (count * Int(bitsPerEntry) + 7) / 8)
    remainder = Remainder(by: UInt64(bits.count) * 8)
  }

  /// Reads a filter up to the end of the bytes; what follows its bits is ignored.
  init(_ cursor: inout ByteCursor) throws(Fault) {
    if cursor.isAtEnd { return }
    entryCount = try Self.readNumber(&cursor)
    bitsPerEntry = try Self.readNumber(&cursor)
    let start = cursor.offset
    probeCount = try Self.readNumber(&cursor)
    guard probeCount <= Limits.bloomProbeLimit else {
      throw Fault(.limitExceeded(.bloomProbeLimit), start, .bloom)
    }
    // Two numbers of 32 bits: the product fits 64, and its bytes fit 63.
    let bitCount = UInt64(entryCount) * UInt64(bitsPerEntry)
    bits = try cursor.readBytes(Int((bitCount + 7) / 8), .bloom).array
    remainder = Remainder(by: UInt64(bits.count) * 8)
  }

  private static func readNumber(_ cursor: inout ByteCursor) throws(Fault) -> UInt32 {
    let start = cursor.offset
    let number = try cursor.readULEB(strict: true, .bloom)
    guard let exact = UInt32(exactly: number) else { throw Fault(.integerTooLarge, start, .bloom) }
    return exact
  }

  /// Appends what ``init(_:)`` reads.
  func append(to bytes: inout Arena<UInt8>) {
    if entryCount == 0 { return }
    bytes.appendULEB(UInt64(entryCount))
    bytes.appendULEB(UInt64(bitsPerEntry))
    bytes.appendULEB(UInt64(probeCount))
    bytes.append(bits)
  }

  /// The filter must have been made with room (``init(count:)``): there is no place in none.
  mutating func insert(_ hash: ChangeHash) {
    var probe = Probe(hash, remainder)
    for _ in 0..<max(probeCount, 1) {
      bits[Int(probe.place >> 3)] |= 1 << UInt8(probe.place & 7)
      probe.step()
    }
  }

  /// False if the hash was never inserted; a filter without bits contains nothing.
  func contains(_ hash: ChangeHash) -> Bool {
    if entryCount == 0 || bits.isEmpty { return false }
    var probe = Probe(hash, remainder)
    for _ in 0..<max(probeCount, 1) {
      if bits[Int(probe.place >> 3)] & 1 << UInt8(probe.place & 7) == 0 { return false }
      probe.step()
    }
    return true
  }

  /// The bits that stand for one hash, one after the other.
  ///
  ///     hash ef 3b f0 13 | eb 80 7e 8e | 69 ba f5 64 ...      32 bits in the filter
  ///     x 0x13f03bef % 32 = 15, y 0x8e7e80eb % 32 = 11, z 0x64f5ba69 % 32 = 9
  ///     places 15, 26, 14, 11, 17, 0, 24                      x + y, then y + z, each modulo 32
  ///
  /// Both numbers stay below `bitCount`, so that one subtraction is the remainder. It is written without
  /// a branch, which a processor would guess wrongly every other time.
  private struct Probe {
    private(set) var place: UInt64
    private var stride: UInt64
    private let growth: UInt64
    private let bitCount: UInt64

    init(_ hash: ChangeHash, _ remainder: Remainder) {
      let (first, second) = (hash.words.0, hash.words.1)
      bitCount = remainder.divisor
      place = remainder.of(UInt32(truncatingIfNeeded: first >> 32).byteSwapped)
      stride = remainder.of(UInt32(truncatingIfNeeded: first).byteSwapped)
      growth = remainder.of(UInt32(truncatingIfNeeded: second >> 32).byteSwapped)
    }

    mutating func step() {
      place &+= stride
      place &-= place >= bitCount ? bitCount : 0
      stride &+= growth
      stride &-= stride >= bitCount ? bitCount : 0
    }
  }

  /// Remainders by one number, each with two multiplications in place of a division.
  ///
  /// With c = 2^64 / m, rounded up, the lower 64 bits of c * x are the fraction of x / m, and m times that
  /// fraction is the remainder, exact where x and m are below 2^32. A number below 2^32 is its own remainder
  /// by one that is not.
  ///
  ///     m 32, x 0x13f03bef     c 2^59, c * x mod 2^64 = 15 * 2^59, times 32 / 2^64 = 15
  ///
  /// Source: D. Lemire, O. Kaser, N. Kurz, "Faster remainder by direct computation", 2019.
  private struct Remainder: Hashable {
    /// At least 1 where ``of(_:)`` is asked.
    let divisor: UInt64
    private let inverse: UInt64

    init(by divisor: UInt64) {
      self.divisor = divisor
      inverse = divisor < 2 ? 0 : .max / divisor + 1
    }

    func of(_ number: UInt32) -> UInt64 {
      if divisor > UInt64(UInt32.max) { return UInt64(number) }
      return (inverse &* UInt64(number)).multipliedFullWidth(by: divisor).high
    }
  }
}
