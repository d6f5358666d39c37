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
      var shrinker = Shrinker(
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

  @Test("Floating-point numbers shrink to whole ones")
  func floats() {
    #expect(smallest(Double.draw) { $0 > 1000 } == [1001])
    #expect(smallest(Double.draw) { $0 < -200 } == [-201])
    #expect(smallest(Double.draw) { $0 >= 12 } == [12])
    #expect(smallest(Float.draw) { $0 > 1000 } == [1001])
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
