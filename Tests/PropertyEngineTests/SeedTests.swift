import PropertyEngine
import Testing

@Suite("Seeds")
struct SeedTests {
  /// What SplitMix64 adds to its state for each number: the step by which streams must not relate.
  private static let goldenGamma: UInt64 = 0x9e37_79b9_7f4a_7c15

  private func numbers(_ seed: Seed, count: Int) -> [UInt64] {
    var choices = Choices(seed: seed)
    return (0..<count).map { _ in choices.bits64() }
  }

  @Test("Streams of neighbouring seeds and indices share no number")
  func streamsDoNotOverlap() {
    var seeds: [Seed] = []
    for step: UInt64 in [1, Self.goldenGamma, 0 &- Self.goldenGamma, 1 << 32, 1 << 63] {
      for index: UInt64 in 1...30 { seeds.append(Seed(value: index &* step)) }
    }
    for base: Seed in [0, 1, 2] {
      for index: UInt64 in 0..<30 {
        seeds.append(base.stream(index))
        seeds.append(base.stream(index &* Self.goldenGamma).stream(index))
      }
    }
    let distinct = Set(seeds)
    #expect(distinct.count > 300)
    var seen: Set<UInt64> = []
    for seed in distinct {
      for word in numbers(seed, count: 200) { seen.insert(word) }
    }
    // 64-bit numbers that repeat by chance: one in 10^10 runs of this size.
    #expect(seen.count == distinct.count * 200)
  }

  @Test("Seeds that differ in one bit agree in half of the bits of their streams")
  func bitsAreScattered() {
    for bit: UInt64 in 0..<64 {
      let left = numbers(Seed(value: 12_345), count: 16)
      let right = numbers(Seed(value: 12_345 ^ 1 << bit), count: 16)
      let agreeing = zip(left, right).map { (~($0 ^ $1)).nonzeroBitCount }.reduce(0, +)
      #expect((400...624).contains(agreeing))
    }
  }

  @Test("The naive derivation, which this guards against, does overlap")
  func splitMixOverlaps() {
    func splitMix(_ seed: UInt64, count: UInt64) -> [UInt64] {
      (1...count).map { index in
        var bits = seed &+ index &* Self.goldenGamma
        bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
        bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
        return bits ^ (bits >> 31)
      }
    }
    let first = splitMix(Self.goldenGamma, count: 50)
    let second = splitMix(2 &* Self.goldenGamma, count: 50)
    #expect(Array(first.dropFirst()) == Array(second.dropLast()))
  }

  @Test("Streams of one seed differ, and so do one stream of two seeds")
  func streamsDiffer() {
    #expect(Set((0..<10_000).map { Seed(1).stream($0) }).count == 10_000)
    #expect(Set((0..<10_000).map { Seed(value: $0).stream(1) }).count == 10_000)
  }

  @Test(
    "A seed is read in decimal and hexadecimal",
    arguments: [
      ("0", 0), ("42", 42), ("0x2a", 42), ("0x2A", 42), ("18446744073709551615", UInt64.max),
      ("0xffffffffffffffff", UInt64.max), ("007", 7),
    ] as [(String, UInt64)]
  )
  func reads(text: String, value: UInt64) {
    #expect(Seed(text) == Seed(value: value))
    #expect(Seed(Seed(value: value).description) == Seed(value: value))
  }

  @Test(
    "Anything else is no seed",
    arguments: [
      "", "0x", "x2a", "+1", "-1", " 1", "1 ", "2a", "0x+1", "0x1_0", "18446744073709551616",
      "0x10000000000000000", "1e3", "٣", "0X1",
    ]
  )
  func refuses(text: String) {
    #expect(Seed(text) == nil)
  }
}
