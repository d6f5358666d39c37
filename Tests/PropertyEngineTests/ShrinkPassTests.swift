import PropertyEngine
import Testing

/// Shrinks the sample of these values for as long as it fails.
private func shrink<Sample>(
  _ values: [UInt32],
  _ samples: Generator<Sample>,
  while fails: (Sample) -> Bool
) -> ShrinkResult {
  var choices = Choices(replaying: values)
  _ = samples.draw(&choices)
  let shrinker = Shrinker(failing: choices.recorded, spans: choices.spans, stepLimit: 10_000)
  return shrinker.run { candidate in
    var choices = Choices(replaying: candidate)
    let sample = samples.draw(&choices)
    return ShrinkAttempt(choices, fails: fails(sample))
  }
}

private let digits = Generator<Int>.number(in: 0...10)

@Suite("What single passes of the shrinker find")
struct ShrinkPassTests {
  @Test(
    "Elements go though others are indices that point behind them",
    arguments: [[0, 0, 8, 0, 0, 0, 0, 0, 2], [0, 2, 1], [0, 0, 0, 0, 0, 7, 0, 5]]
  )
  func indices(start: [UInt32]) {
    let result = shrink(start.flatMap { [1, $0] } + [0], digits.array(count: 0...12)) { list in
      list.indices.contains { index in
        list[index] < list.count && list[index] != index && list[list[index]] == index
      }
    }
    #expect(result.values == [1, 1, 1, 0, 0])
  }

  @Test("A simpler alternative is found though what the other one needs is wrong for it")
  func alternative() {
    let samples = Generator { choices in
      let term = choices.span("term") { choices in
        [choices.number(in: 0...2), choices.number(in: 0...9), choices.number(in: 0...9)]
      }
      return (term, choices.number(in: 0...99))
    }
    let result = shrink([2, 3, 5, 60], samples) {
      ($0.0 == [2, 3, 5] || $0.0 == [1, 0, 0]) && $0.1 >= 30
    }
    #expect(result.values == [1, 0, 0, 30])
  }

  @Test("Two summands become the number at the end of the range below zero")
  func lowerEnd() {
    let signed = Generator { choices in
      let magnitude = choices.number(in: 0...100)
      return choices.flag() ? -magnitude : min(magnitude, 99)
    }
    let result = shrink([1, 1, 0, 1, 99, 0, 0], signed.array(count: 0...9)) { list in
      abs(list.reduce(0, +)) == 100
    }
    #expect(result.values == [1, 100, 1, 0])
  }

  @Test("An element goes from a list that is as long as it may be, though more is drawn behind it")
  func fullList() {
    let samples = digits.array(count: 0...3).zip(digits)
    let result = shrink([1, 0, 1, 0, 1, 9, 5], samples) { $0.0.contains(9) && $0.1 == 5 }
    #expect(result.values == [1, 9, 0, 5])
  }

  private indirect enum Fork {
    case end
    case fork(Fork, Fork)

    /// Whether some fork has forks on both sides.
    var isWide: Bool {
      switch self {
      case .end: false
      case .fork(.fork, .fork): true
      case .fork(let left, let right): left.isWide || right.isWide
      }
    }

    static func draw(_ choices: inout Choices, depth: Int) -> Fork {
      choices.span("fork") { choices in
        guard depth > 0, choices.flag() else { return .end }
        return .fork(draw(&choices, depth: depth - 1), draw(&choices, depth: depth - 1))
      }
    }
  }

  @Test("A tree that reaches the largest depth moves to the top")
  func deepest() {
    let forks = Generator { Fork.draw(&$0, depth: 5) }
    let result = shrink([1, 0, 1, 0, 1, 0, 1, 1, 1], forks) { $0.isWide }
    #expect(result.values == [1, 1, 0, 0, 1, 0, 0])
  }

  @Test("Numbers that go down by turns go down together")
  func byTurns() {
    let pair = Generator<Int>.number(in: 0...100_000)
    let result = shrink([63_700, 63_699], pair.zip(pair)) { $0 >= 10 && abs($0 - $1) == 1 }
    #expect(result.values == [10, 9])
    #expect(result.steps < 250, "\(result.steps)")
  }

  @Test("A number goes down by weeks where each seventh day fails", arguments: [3, 5, 6, 7, 10])
  func steps(step: Int) {
    let number = Generator<Int>.number(in: 0...Int(UInt32.max))
    let start = 4_000_000_000 / step * step + 1
    let result = shrink([UInt32(start)], number) { $0 > 1000 && $0 % step == 1 }
    #expect(result.values.map(Int.init) == [1000 / step * step + (1000 % step > 0 ? step : 0) + 1])
    #expect(result.steps < 150, "\(result.steps)")
  }

  @Test("Two numbers that need one sign become positive together")
  func signs() {
    let signed = Generator { choices in
      let magnitude = choices.number(in: 0...100)
      return choices.flag() ? -magnitude : magnitude
    }
    let result = shrink([1, 1, 100, 1], signed.array(count: 2...2)) { list in
      abs(list.reduce(0, +)) > 100
    }
    #expect(result.values == [1, 0, 100, 0])
  }

  @Test("A long value that may be left out is, though more is drawn behind it")
  func longOptional() {
    let five = Generator { choices in (0..<5).map { _ in choices.number(in: 0...9) } }
    let samples = Generator { choices in
      let fields = choices.span("fields") { ($0.number(in: 0...9), five.optional().draw(&$0)) }
      return (fields.0, fields.1, choices.number(in: 0...99))
    }
    let result = shrink([4, 1, 1, 2, 3, 4, 5, 60], samples) {
      $0.0 == 4 && ($0.1 == nil || $0.1 == [1, 2, 3, 4, 5]) && (30..<90).contains($0.2)
    }
    #expect(result.values == [4, 0, 30])
  }

  @Test("A class before a letter goes down where the simpler class has another letter")
  func classes() {
    let letter = Generator { [$0.number(in: 0...4), $0.number(in: 0...14)] }
    let result = shrink([2, 2], letter) { $0 == [2, 2] || $0 == [0, 3] }
    #expect(result.values == [0, 3])
  }

  @Test("Two lists in a list become one")
  func joins() {
    let lists = digits.array(count: 0...9).array(count: 0...9)
    let start: [UInt32] = [1, 1, 3, 1, 4, 0, 1, 1, 5, 1, 6, 0, 0]
    let result = shrink(start, lists) { Set([3, 4, 5, 6]).isSubset(of: $0.joined()) }
    #expect(result.values == [1, 1, 3, 1, 4, 1, 5, 1, 6, 0, 0])
  }
}
