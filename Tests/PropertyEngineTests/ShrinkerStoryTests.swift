import PropertyEngine
import Testing

/// Generators of any shape: what is drawn depends on what was drawn.
private enum AnyShape {
  static func draw(_ choices: inout Choices, _ shape: inout Choices, depth: Int) -> [UInt32] {
    var sample: [UInt32] = []
    for _ in 0...shape.index(below: 6) {
      let limit = shape.element(of: [0, 1, 3, 9, 255, 65_535, .max] as [UInt32])
      var (inner, isDeep) = (shape, depth < 3)
      isDeep = isDeep && shape.flag()
      switch shape.index(below: 5) {
      case 0 where isDeep:
        choices.repeated(upTo: 4, averaging: 2, "item") { choices in
          var own = inner
          sample += draw(&choices, &own, depth: depth + 1)
        }
      case 1 where isDeep:
        let count = choices.choice(upTo: 4)
        for _ in 0..<count {
          var own = inner
          sample += choices.span("part") { draw(&$0, &own, depth: depth + 1) }
        }
      case 2:
        let kind = choices.choice(upTo: 3)
        sample.append(kind)
        if kind > 1 { sample += (1..<kind).map { _ in choices.choice(upTo: limit) } }
      case 3: choices.preference { sample.append($0.choice(upTo: limit)) }
      default: sample.append(choices.choice(upTo: limit))
      }
      _ = inner.flag()
    }
    return sample
  }

  static func hash(_ sample: [UInt32], _ salt: UInt32) -> UInt32 {
    sample.reduce(salt) { ($0 ^ $1) &* 0x0100_0193 &+ $0 >> 7 }
  }
}

@Suite("Shrinking, of any shape and for any reason")
struct ShrinkerStoryTests {
  @Test("What shrinking finds fails, is no larger than the original, and replays")
  func anyShape() throws {
    for seed in 0..<400 {
      var settings = Choices(seed: Seed(value: UInt64(seed)))
      let salt = settings.choice(upTo: .max)
      let kind = settings.index(below: 4)
      let modulus = UInt32(2 + settings.index(below: 6))
      func run(_ choices: inout Choices) -> (sample: [UInt32], fails: Bool) {
        var shape = Choices(seed: Seed(value: UInt64(seed) &+ 1_000_000))
        let sample = AnyShape.draw(&choices, &shape, depth: 0)
        let fails =
          switch kind {
          case 0: AnyShape.hash(sample, salt) % modulus == 0
          case 1: sample.reduce(0) { $0 &+ UInt64($1) } % UInt64(modulus) == 1
          case 2: sample.count > Int(modulus)
          default: Set(sample).count != sample.count
          }
        return (sample, fails)
      }
      var found: Choices?
      for number in 0..<20 {
        var choices = Choices(seed: Seed(value: UInt64(number)))
        if run(&choices).fails {
          found = choices
          break
        }
      }
      guard let found else { continue }
      let shrinker = Shrinker(failing: found.recorded, spans: found.spans, stepLimit: 2000)
      let result = shrinker.run { candidate in
        var choices = Choices(replaying: candidate)
        let fails = run(&choices).fails
        return ShrinkAttempt(choices, fails: fails)
      }
      var replayed = Choices(replaying: result.values)
      #expect(run(&replayed).fails, "seed \(seed)")
      #expect(replayed.recorded == result.recorded, "seed \(seed)")
      #expect(replayed.spans.filter { $0.start < $0.end } == result.spans, "seed \(seed)")
      #expect(result.recorded.count <= found.recorded.count)
    }
  }
}
