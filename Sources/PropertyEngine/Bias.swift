/// What the seeded source prefers at one choice.
///
/// Only the seeded source reads a bias. Replayed values, fuzzer bytes, the exhaustive walk and the
/// shrinker never see it, so every value that a limit admits stays reachable for them.
package enum Bias: Hashable, Sendable {
  /// Every value alike.
  case uniform
  /// Small values, each bit length being as likely as any other; one time in 16 the limit.
  ///
  /// Up to 1000 there are eleven lengths, 0 to 10: 0 alone is as likely as all of 512...1000 together.
  case small
  /// Half of the time a value at or beside an edge: zero, the limit, half of it, powers of two.
  case edges
  /// Each power of two within the limit alike; half of the time the power itself or a number beside
  /// it, otherwise any up to the next.
  case sizes
  /// Anything but zero, with this chance in percent; zero otherwise.
  case percent(Int)
  /// Value `i` in proportion to entry `i`. Missing and negative entries count as 0; if no entry
  /// counts, every value alike.
  case weights([Int])
}

extension Bias {
  /// Always this value, which is at least 0, where the limit admits it; otherwise every value alike.
  package static func only(_ value: Int) -> Bias {
    .weights(Array(repeating: 0, count: value) + [1])
  }

  /// One value in `0...limit` out of `random`.
  ///
  /// The limit is 1 or more, which ``Choices/choice(upTo:bias:)`` sees to: a choice without alternatives
  /// has nothing to prefer, and takes nothing from `random`.
  func draw(upTo limit: UInt32, from random: inout RandomBits) -> UInt32 {
    switch self {
    case .uniform: return random.number(upTo: limit)
    case .small: return Self.small(upTo: limit, from: &random)
    case .edges: return Self.edge(upTo: limit, from: &random)
    case .sizes: return Self.size(upTo: limit, from: &random)
    case .percent(let percent):
      guard Int(random.number(upTo: 99)) < percent else { return 0 }
      return 1 + random.number(upTo: limit - 1)
    case .weights(let weights): return Self.weighted(weights, upTo: limit, from: &random)
    }
  }

  private static func small(upTo limit: UInt32, from random: inout RandomBits) -> UInt32 {
    if random.number(upTo: 15) == 0 { return limit }
    let bitLengthLimit = UInt32(UInt32.bitWidth - limit.leadingZeroBitCount)
    let bitLength = random.number(upTo: bitLengthLimit)
    guard bitLength > 0 else { return 0 }
    let lowest = UInt32(1) << (bitLength - 1)
    let highest = min(limit, lowest + (lowest - 1))
    return lowest + random.number(upTo: highest - lowest)
  }

  private static func edge(upTo limit: UInt32, from random: inout RandomBits) -> UInt32 {
    let power = UInt32(1) << random.number(upTo: 31)
    switch random.number(upTo: 15) {
    case 0: return 0
    case 1: return 1
    case 2: return limit - 1
    case 3: return limit
    case 4: return limit / 2
    case 5: return min(limit, power)
    case 6: return min(limit, power - 1)
    case 7: return limit - min(limit, power - 1)
    default: return random.number(upTo: limit)
    }
  }

  private static func size(upTo limit: UInt32, from random: inout RandomBits) -> UInt32 {
    let bitLength = UInt32(UInt32.bitWidth - limit.leadingZeroBitCount)
    let power = UInt32(1) << random.number(upTo: max(1, bitLength) - 1)
    switch random.number(upTo: 7) {
    case 0: return min(limit, power - 1)
    case 1: return min(limit, power)
    case 2: return power < limit ? power + 1 : limit
    case 3: return random.number(upTo: 3) == 0 ? limit : min(limit, power)
    default: return min(limit, power + random.number(upTo: power - 1))
    }
  }

  private static func weighted(
    _ weights: [Int],
    upTo limit: UInt32,
    from random: inout RandomBits
  ) -> UInt32 {
    // By indices: most samples draw from here many times, and a debug build steps through sequences slowly.
    let count = min(weights.count, Int(limit) + 1)
    var total: UInt64 = 0
    var index = 0
    while index < count {
      total += share(weights[index])
      index += 1
    }
    guard total > 0 else { return random.number(upTo: limit) }
    var rest = random.number(below: total)
    index = 0
    while index < count {
      let share = share(weights[index])
      if rest < share { return UInt32(index) }
      rest -= share
      index += 1
    }
    return limit
  }

  /// A weight within 32 bits.
  private static func share(_ weight: Int) -> UInt64 {
    if weight <= 0 { return 0 }
    let share = UInt64(weight)
    return share < UInt64(UInt32.max) ? share : UInt64(UInt32.max)
  }
}
