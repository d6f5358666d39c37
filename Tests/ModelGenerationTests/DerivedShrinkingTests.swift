import Foundation
import PropertyEngine
import Testing

@testable import ModelGeneration

@Suite("What is derived shrinks to what a person would have written")
struct DerivedShrinkingTests {
  /// What the first 20 failing values of a seed shrink to.
  private func smallest<Value: Hashable>(
    _ draw: (inout Choices) -> Value,
    where fails: (Value) -> Bool
  ) -> Set<Value> {
    var smallest: Set<Value> = []
    var failureCount = 0
    for index in 0..<20_000 where failureCount < 20 {
      var choices = Choices(seed: Seed(value: 21).stream(UInt64(index)))
      guard fails(draw(&choices)) else { continue }
      failureCount += 1
      let shrinker = Shrinker(
        failing: choices.recorded,
        spans: choices.spans,
        stepLimit: 10_000
      )
      let result = shrinker.run { candidate in
        var replayed = Choices(replaying: candidate)
        let isFailing = fails(draw(&replayed))
        return ShrinkAttempt(replayed, fails: isFailing)
      }
      var replayed = Choices(replaying: result.values)
      smallest.insert(draw(&replayed))
    }
    #expect(failureCount == 20)
    return smallest
  }

  @Test("Integers shrink to the nearest one that fails, whatever width was drawn")
  func integers() {
    #expect(smallest(Int.draw) { $0 > 1000 } == [1001])
    #expect(smallest(Int.draw) { $0 > 99 } == [100])
    #expect(smallest(Int.draw) { $0 > 100_000 } == [100_001])
    #expect(smallest(Int.draw) { $0 < -50 } == [-51])
    #expect(smallest(Int.draw) { $0 < -40_000 } == [-40_001])
    #expect(smallest(UInt64.draw) { $0 > 1000 } == [1001])
    #expect(smallest(Int8.draw) { $0 > 100 } == [101])
    #expect(smallest(Int16.draw) { $0 < -300 } == [-301])
    #expect(smallest(UInt32.draw) { $0 >= 70_000 } == [70_000])
  }

  @Test("A seed draws what it drew before 64 bits by magnitude were there to be found")
  func drawn() {
    func first<Value>(_ draw: (inout Choices) -> Value) -> [Value] {
      (0..<12).map { index in
        var choices = Choices(seed: Seed(value: 21).stream(UInt64(index)))
        return draw(&choices)
      }
    }
    #expect(
      first(Int.draw) == [
        -22, 9_223_372_036_854_775_807, -17, 27_718, 69, 17_874, -3, -4_861_378_205_081_346_658,
        -2_139, 6, 0, -15,
      ]
    )
    // What comes behind another number, too.
    #expect(
      first { (Int16.draw(&$0), UInt64.draw(&$0)).1 } == [
        0, 208, 24, 233, 1, 6, 1, 1, 27, 241, 4_294_967_295, 5_290_272_856_052_304_247,
      ]
    )
  }

  @Test("Integers beyond 32 bits shrink by magnitude, too")
  func wideIntegers() {
    #expect(smallest(Int.draw) { $0 > 10_000_000_000 } == [10_000_000_001])
    #expect(smallest(Int.draw) { $0 < -10_000_000_000 } == [-10_000_000_001])
    #expect(smallest(Int64.draw) { $0 >= 1 << 32 } == [1 << 32])
    #expect(smallest(UInt64.draw) { $0 > 1 << 60 } == [1_152_921_504_606_846_977])
    #expect(smallest(UInt.draw) { $0 > UInt(Int.max) } == [UInt(Int.max) + 1])
    #expect(smallest(Int.draw) { $0 == .max } == [.max])
    #expect(smallest(Int.draw) { $0 == .min } == [.min])
    #expect(smallest(UInt32.draw) { $0 == .max } == [.max])
  }

  @Test("Floating-point numbers shrink to whole ones")
  func floats() {
    #expect(smallest(Double.draw) { $0 > 1000 } == [1001])
    #expect(smallest(Double.draw) { $0 < -200 } == [-201])
    #expect(smallest(Double.draw) { $0 >= 12 } == [12])
    #expect(smallest(Float.draw) { $0 > 1000 } == [1001])
    #expect(smallest(Double.draw) { $0 > 10_000_000_000 } == [10_000_000_001])
    #expect(smallest(Double.draw) { $0 < -10_000_000_000 } == [-10_000_000_001])
    #expect(smallest(Float.draw) { $0 > 4_294_967_296 } == [Float(4_294_967_296).nextUp])
  }

  @Test("Dates shrink to a day's begin")
  func dates() {
    let newYear2010 = 3_287.0 * 86_400
    #expect(
      smallest(StandardLeaves.date) { $0.timeIntervalSinceReferenceDate > newYear2010 }
        == [Date(timeIntervalSinceReferenceDate: newYear2010 + 86_400)]
    )
    #expect(
      smallest(StandardLeaves.date) { $0.timeIntervalSinceReferenceDate < -newYear2010 }
        == [Date(timeIntervalSinceReferenceDate: -newYear2010 - 86_400)]
    )
  }

  @Test("Texts shrink to plain letters")
  func texts() {
    #expect(smallest(String.draw) { !$0.isEmpty } == ["a"])
    #expect(smallest(String.draw) { $0.utf8.contains(UInt8(ascii: "b")) } == ["b"])
  }
}
