import PropertyEngine
import TestSupport
import Testing

@Suite("Numbers in several choices")
struct MagnitudeTests {
  private static func smallest<Sample>(
    of samples: Generator<Sample>,
    seed: Seed,
    _ fails: @escaping @Sendable (Sample) -> Bool
  ) throws -> Sample {
    let law = Law("test.smallest", "No sample fails.", source: .paper("none"), forAll: samples) {
      fails($0) ? Difference(kind: "test", summary: "fails") : nil
    }
    return try #require(try checkLaw(law, seed: seed, cases: 1_000).failure).sample
  }

  @Test("A number stays within its limit, whatever is drawn", arguments: [0, 1, 1 << 32, 1 << 90])
  func limits(limit: UInt128) {
    for seed in 0..<200 {
      var choices = Choices(seed: Seed(value: UInt64(seed)))
      let number = choices.magnitude(upTo: limit)
      #expect(number <= limit)
      var again = Choices(replaying: choices.recordedValues)
      #expect(again.magnitude(upTo: limit) == number)
    }
    var highest = Choices(replaying: Array(repeating: .max, count: 4))
    #expect(highest.magnitude(upTo: limit) == limit)
    var none = Choices(replaying: [])
    #expect(none.magnitude(upTo: limit) == 0)
  }

  @Test(
    "A power of two borrows, and ends at the least number that fails",
    arguments: [1, 2, 3] as [Seed]
  )
  func borrows(seed: Seed) throws {
    let powers = Generator<UInt128> { $0.magnitude(upTo: UInt128(UInt64.max)) }
    #expect(try Self.smallest(of: powers, seed: seed) { $0 > 1000 } == 1001)
    // The choices of 2^32 are 1 and 0: neither alone can be less.
    #expect(
      try Self.smallest(of: powers, seed: seed) { $0 > UInt128(UInt32.max) - 1 }
        == UInt128(UInt32.max)
    )
  }

  @Test("Steps of a sum become fewer and larger ones", arguments: [1, 2, 3] as [Seed])
  func joins(seed: Seed) throws {
    let steps = Generator<Int>.number(in: 1...4).array(count: 0...20, averaging: 8)
    let smallest = try Self.smallest(of: steps, seed: seed) { $0.reduce(0, +) > 9 }
    #expect(smallest == [2, 4, 4])
  }
}
