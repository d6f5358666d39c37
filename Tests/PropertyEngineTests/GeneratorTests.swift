import PropertyEngine
import Testing

@Suite("Generators")
struct GeneratorTests {
  private func samples<Sample>(_ generator: Generator<Sample>, count: Int = 500) -> [Sample] {
    (0..<count).map { index in
      var choices = Choices(seed: Seed(17).stream(UInt64(index)))
      return generator.draw(&choices)
    }
  }

  @Test("Combinators draw in their order and keep the simplest first")
  func combinators() {
    let digit = Generator<Int>.number(in: 0...9)
    let all = digit.map { $0 * 2 }.zip(.element(of: ["a", "b"])).zip(digit.optional())
    var choices = Choices(replaying: [4, 1, 1, 7])
    let sample = all.draw(&choices)
    #expect(sample.0.0 == 8 && sample.0.1 == "b" && sample.1 == 7)
    var none = Choices(replaying: [])
    let simplest = all.draw(&none)
    #expect(simplest.0.0 == 0 && simplest.0.1 == "a" && simplest.1 == nil)
    let dependent = digit.flatMap { first in digit.map { [first, $0] } }
    var two = Choices(replaying: [3, 5])
    #expect(dependent.draw(&two) == [3, 5])
    let either = Generator.oneOf([.constant(1), digit])
    var second = Choices(replaying: [1, 6])
    #expect(either.draw(&second) == 6)
  }

  @Test("Weights decide how often an alternative comes")
  func weighted() {
    let either = Generator.weighted([(weight: 9, .constant("often")), (1, .constant("rarely"))])
    let rare = samples(either, count: 5_000).count { $0 == "rarely" }
    #expect((400...600).contains(rare))
  }

  @Test("Arrays keep to their count")
  func arrays() {
    let counts = samples(Generator<Int>.number(in: 0...9).array(count: 2...6)).map(\.count)
    #expect(Set(counts) == [2, 3, 4, 5, 6])
    var none = Choices(replaying: [])
    #expect(Generator.constant(0).array(count: 2...6).draw(&none) == [0, 0])
    #expect(none.spans.map(\.label) == ["element", "element"])
  }

  @Test("Hostile text has every class, keeps to its limit, and is rarely 64 KiB long")
  func hostileText() {
    let limit = 12
    let texts = samples(.hostileText(unicodeScalarsUpTo: limit), count: 3_000)
    let long = texts.filter { $0.unicodeScalars.count > limit }
    #expect((3...40).contains(long.count))
    #expect(long.allSatisfy { (65_536...65_600).contains($0.utf8.count) })
    let short = Set(texts).subtracting(long).map { Array($0.unicodeScalars) }
    for textClass in HostileTextClass.all {
      for piece in textClass.pieces {
        let scalars = Array(piece.unicodeScalars)
        let isReached = short.contains { text in
          text.indices.contains { text[$0...].starts(with: scalars) }
        }
        #expect(isReached, "\(textClass.name): \(scalars)")
      }
    }
    let neverLong = samples(.hostileText(unicodeScalarsUpTo: 3, long: false), count: 3_000)
    #expect(neverLong.allSatisfy { $0.unicodeScalars.count <= 3 })
    #expect(neverLong.contains(""))
  }

  @Test("Classes of hostile text are named once and reach what they promise")
  func hostileClasses() {
    let classes = HostileTextClass.all
    #expect(Set(classes.map(\.name)).count == classes.count)
    #expect(classes.first?.pieces.first == "a")
    #expect(classes.allSatisfy { $0.weight > 0 && !$0.pieces.isEmpty })
    let scalars = Set(classes.flatMap(\.pieces).flatMap(\.unicodeScalars).map(\.value))
    for scalar: UInt32 in [0, 0xd7ff, 0xe000, 0xfeff, 0xfffc, 0xfffd, 0x10_ffff, 0x200d, 0x202e] {
      #expect(scalars.contains(scalar))
    }
  }

  @Test("The simplest hostile texts are empty and a")
  func simplestText() {
    let text = Generator.hostileText(unicodeScalarsUpTo: 4)
    var none = Choices(replaying: [])
    #expect(text.draw(&none) == "")
    var one = Choices(replaying: [0, 1])
    #expect(text.draw(&one) == "a")
  }
}
