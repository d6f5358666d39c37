/// How many of many texts differ, out of the least digests alone.
///
/// Counts of parts merge to that of the whole, whichever part saw what: the least digests of all are
/// among the least of each. Up to ``exactLimit`` different texts the number is exact. Beyond, it is
/// estimated from how densely the least digests lie, within about 2 percent (one in the square root of
/// the limit).
///
///     a, b, a      total 3     distinct 2
///
/// Source: Bar-Yossef et al., "Counting Distinct Elements in a Data Stream", 2002.
package struct DistinctCount: Codable, Hashable, Sendable {
  /// Digests that are kept.
  package static let exactLimit = 2048
  private static let digestBits: UInt64 = 48
  /// Hexadecimal digits of a digest.
  private static let digitCount = 12

  /// Texts that were added.
  package private(set) var total = 0
  /// The least digests, ascending, each once.
  private var least: [UInt64] = []

  package init() {}

  /// A count that was written down.
  ///
  /// - Returns: `nil` for a negative total, and for digests that ``digests`` would not write.
  package init?(total: Int, digests: String) {
    let digits = Array(digests.utf8)
    guard total >= 0, digits.count.isMultiple(of: Self.digitCount),
      digits.count <= Self.exactLimit * Self.digitCount,
      digits.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
    else { return nil }
    self.total = total
    for start in stride(from: 0, to: digits.count, by: Self.digitCount) {
      let digest = digits[start..<start + Self.digitCount].reduce(UInt64(0)) { value, digit in
        value << 4 | UInt64(digit < 0x3a ? digit - 0x30 : digit - 0x57)
      }
      guard least.last.map({ $0 < digest }) ?? true else { return nil }
      least.append(digest)
    }
  }

  /// Whether ``distinct`` is the number itself, and no estimate.
  package var isExact: Bool { least.count < Self.exactLimit }

  /// How many of the texts differ; never more than ``total``.
  package var distinct: Int {
    guard !isExact, let last = least.last, last > 0 else { return min(least.count, total) }
    let share = Double(last) / Double(UInt64(1) << Self.digestBits)
    let estimate = (Double(Self.exactLimit - 1) / share).rounded()
    return min(total, Int(exactly: estimate) ?? total)
  }

  /// The digests that are kept, ascending, each as twelve hexadecimal digits.
  package var digests: String {
    least.map { hexadecimal($0, digitCount: Self.digitCount) }.joined()
  }

  package mutating func add(_ text: String) {
    add(total: 1)
    insert(Self.digest(of: text))
  }

  package mutating func merge(_ other: DistinctCount) {
    add(total: other.total)
    for digest in other.least { insert(digest) }
  }

  /// Stops at `Int.max`: a report that was read may claim any number.
  private mutating func add(total more: Int) {
    let (sum, overflow) = total.addingReportingOverflow(more)
    total = overflow ? .max : sum
  }

  private mutating func insert(_ digest: UInt64) {
    if !isExact, let last = least.last, digest >= last { return }
    var (low, high) = (0, least.count)
    while low < high {
      let middle = (low + high) / 2
      if least[middle] < digest { low = middle + 1 } else { high = middle }
    }
    guard low == least.count || least[low] != digest else { return }
    least.insert(digest, at: low)
    if least.count > Self.exactLimit { least.removeLast() }
  }

  /// Eight bytes at a time, each mixed into all bits; the length tells texts with zeros at the end apart.
  private static func digest(of text: String) -> UInt64 {
    var (hash, word, shift): (UInt64, UInt64, UInt64) = (0, 0, 0)
    for byte in text.utf8 {
      word |= UInt64(byte) << shift
      shift += 8
      guard shift == 64 else { continue }
      hash = RandomBits.scramble(hash ^ word)
      (word, shift) = (0, 0)
    }
    hash = RandomBits.scramble(hash ^ word)
    hash = RandomBits.scramble(hash ^ UInt64(text.utf8.count))
    return hash >> (64 - digestBits)
  }

  private enum CodingKeys: CodingKey { case total, digests }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let total = try container.decode(Int.self, forKey: .total)
    let digests = try container.decode(String.self, forKey: .digests)
    guard let read = DistinctCount(total: total, digests: digests) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "not ascending digests")
      )
    }
    self = read
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(total, forKey: .total)
    try container.encode(digests, forKey: .digests)
  }
}
