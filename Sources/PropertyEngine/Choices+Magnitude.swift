extension Choices {
  /// Draws a number in `0...limit`, of up to 128 bits; 0 is the simplest, and a smaller number is simpler.
  ///
  /// It takes one choice for each 32 bits of the limit, the most significant first, however small the
  /// number is. The seeded source prefers the edges of the range, powers of two and their neighbours, and
  /// gives each length in bits about the same chance; ranges of up to 1,024 numbers it draws mostly alike.
  ///
  /// Worked example: a limit of 2^33 + 5 takes two choices. The first is in 0...2; the second is in
  /// 0...2^32 - 1, but behind a 2, which leaves no more room, in 0...5.
  package mutating func magnitude(upTo limit: UInt128) -> UInt128 {
    let limbCount = max(1, (UInt128.bitWidth - limit.leadingZeroBitCount + 31) / 32)
    /// The whole number, which the seeded source draws at the first choice and hands out by parts.
    var seeded: UInt128?
    var value: UInt128 = 0
    /// Whether all choices so far are the limit's.
    var isTight = true
    for limb in (0..<limbCount).reversed() {
      let shift = UInt128(limb) * 32
      let highest = isTight ? UInt32(truncatingIfNeeded: limit >> shift) : .max
      let drawn = choice(upTo: highest) { random in
        let whole = seeded ?? random.magnitude(upTo: limit)
        seeded = whole
        return UInt32(truncatingIfNeeded: whole >> shift)
      }
      value |= UInt128(drawn) << shift
      isTight = isTight && drawn == highest
    }
    return value
  }
}

extension RandomBits {
  /// A number in `0...limit` as ``Choices/magnitude(upTo:)`` prefers it.
  ///
  ///     of 16 numbers                       limit below 1,024     from 1,024 on
  ///     limit, limit - 1, half of it, 0      1                     1
  ///     a power of two, or beside one        0                     2
  ///     any alike                           10                     4
  ///     any, each length in bits alike       5                     9
  fileprivate mutating func magnitude(upTo limit: UInt128) -> UInt128 {
    guard limit > 0 else { return 0 }
    let bitLengthLimit = UInt32(UInt128.bitWidth - limit.leadingZeroBitCount)
    let isNarrow = limit < 1024
    switch number(upTo: 15) {
    case 0:
      let edges = [limit, limit - 1, limit / 2, 0]
      return edges[Int(number(upTo: 3))]
    case 1...2 where !isNarrow:
      let power = UInt128(1) << UInt128(number(upTo: bitLengthLimit - 1))
      return min(limit, power - 1 + UInt128(number(upTo: 2)))
    case 3...(isNarrow ? 12 : 6): return uniform(upTo: limit)
    default:
      let bitLength = UInt128(number(upTo: bitLengthLimit))
      guard bitLength > 0 else { return 0 }
      let power = UInt128(1) << (bitLength - 1)
      return min(limit, power + uniform(upTo: power - 1))
    }
  }

  /// A number in `0...limit`, all alike as far as that matters.
  ///
  /// The remainder favours low numbers: not measurably up to limits of 64 bits, and by a factor of two at
  /// most, for limits of 128 bits.
  private mutating func uniform(upTo limit: UInt128) -> UInt128 {
    if limit <= UInt128(UInt32.max) { return UInt128(number(upTo: UInt32(limit))) }
    let bits = UInt128(next()) << 64 | UInt128(next())
    return limit == .max ? bits : bits % (limit + 1)
  }
}
