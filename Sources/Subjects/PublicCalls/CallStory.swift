/// Numbers that look drawn and are a function of the first: a check has no choices of its own.
///
/// A linear congruential generator; its upper 31 bits are used. It is here for checks that
/// run inside of a subject, where no choices reach.
struct PseudoRandom {
  private var state: UInt64

  init(seed: Int) {
    state = UInt64(truncatingIfNeeded: seed) &* 0x9e37_79b9_7f4a_7c15 | 1
  }

  /// A number in `0..<limit`.
  mutating func index(below limit: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % limit
  }
}
