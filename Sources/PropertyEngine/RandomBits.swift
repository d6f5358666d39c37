/// Pseudo-random bits from a seed: xoshiro256**, with a state that every seed bit reaches.
///
/// Why not SplitMix64: its state is a counter that grows by one constant, the golden gamma, and
/// its output depends on that counter alone. Two seeds that differ by `n` times the gamma give
/// *one* stream, shifted by `n` numbers, and deriving the seed of case `n` as `seed + n * gamma` is
/// the usual first idea. Filling another generator's state with successive numbers of SplitMix64
/// keeps the fault: neighbouring states then share three of their four words.
///
/// Here each word of the state comes from the seed through a bijective mixer, with a constant of
/// its own that has no relation to the others. The states lie scattered on one cycle of
/// 2^256 - 1: for 2^40 streams of 2^40 numbers, the chance that any two meet is below 2^-130.
///
/// Source: Blackman and Vigna, "Scrambled Linear Pseudorandom Number Generators", 2021.
struct RandomBits: Sendable {
  private var a: UInt64
  private var b: UInt64
  private var c: UInt64
  private var d: UInt64

  init(seed: Seed) {
    // Fractional digits of square roots of primes: constants with nothing up the sleeve.
    let mixed = Self.scramble(seed.value ^ 0xbb67_ae85_84ca_a73b)
    a = Self.scramble(mixed ^ 0x3c6e_f372_fe94_f82b)
    b = Self.scramble(mixed ^ 0xa54f_f53a_5f1d_36f1)
    c = Self.scramble(mixed ^ 0x510e_527f_ade6_82d1)
    // The all-zero state would stay zero for ever.
    d = Self.scramble(mixed ^ 0x9b05_688c_2b3e_6c1f) | 1
  }

  /// The next 64 bits.
  mutating func next() -> UInt64 {
    let product = b &* 5
    let result = ((product << 7) | (product >> 57)) &* 9
    let shifted = b << 17
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= shifted
    d = (d << 45) | (d >> 19)
    return result
  }

  /// A number in `0...limit`; the deviation from uniform is below 2^-31.
  mutating func number(upTo limit: UInt32) -> UInt32 {
    UInt32(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(limit) + 1).high)
  }

  /// A number in `0..<bound`, for a bound of at least 1.
  mutating func number(below bound: UInt64) -> UInt64 {
    next().multipliedFullWidth(by: bound).high
  }

  /// Mixes 64 bits so that each input bit flips each output bit half of the time.
  ///
  /// A bijection: different inputs never meet.
  static func scramble(_ input: UInt64) -> UInt64 {
    var bits = input
    for _ in 0..<2 {
      bits = (bits ^ (bits >> 32)) &* 0xd6e8_feb8_6659_fd93
      bits = (bits ^ (bits >> 29)) &* 0xff51_afd7_ed55_8ccd
    }
    return bits ^ (bits >> 32)
  }
}
