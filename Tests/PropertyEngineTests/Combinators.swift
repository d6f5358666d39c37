import PropertyEngine

// Generators made of others: samples for shrinkers.

extension Generator {
  /// Samples of the generator that `next` makes out of a sample of this one.
  ///
  /// A smaller first choice may give all later ones another meaning. Shrinking bears that, since it judges
  /// samples and not choices; where it is avoidable, draw what depends on a number behind all that does not.
  func flatMap<Other>(
    _ next: @escaping @Sendable (Value) -> Generator<Other>
  ) -> Generator<Other> {
    Generator<Other> { next(draw(&$0)).draw(&$0) }
  }

  /// Pairs: a sample of this generator, then one of the other.
  func zip<Other>(_ other: Generator<Other>) -> Generator<(Value, Other)> {
    Generator<(Value, Other)> { (draw(&$0), other.draw(&$0)) }
  }

  /// Arrays of samples with a count in the given range; the shortest is the simplest.
  ///
  /// The mean is the count that the seeded source gives on average; the middle if nil.
  ///
  ///     count 1...3, two elements      [7/9] [1/1 4/9] 0/1      the first is not asked for
  func array(count: ClosedRange<Int>, averaging mean: Int? = nil) -> Generator<[Value]> {
    Generator<[Value]> { choices in
      let spare = count.upperBound - count.lowerBound
      let spareMean = mean.map { $0 - count.lowerBound } ?? spare / 2
      var elements: [Value] = []
      for _ in 0..<count.lowerBound {
        elements.append(choices.span("element") { draw(&$0) })
      }
      choices.repeated(upTo: spare, averaging: spareMean, "element") {
        elements.append(draw(&$0))
      }
      return elements
    }
  }

  /// A sample or nil; nil is the simplest.
  func optional(percent: Int = 75) -> Generator<Value?> {
    Generator<Value?> { $0.flag(percent: percent) ? draw(&$0) : nil }
  }

  /// Samples of any of `generators`, at least one; the first is the simplest.
  static func oneOf(_ generators: [Generator]) -> Generator {
    Generator { $0.element(of: generators).draw(&$0) }
  }

  /// Samples of any of `generators`, at least one, in proportion to their weights; the first is
  /// the simplest.
  static func weighted(_ generators: [(weight: Int, Generator)]) -> Generator {
    let weights = generators.map(\.weight)
    let members = generators.map(\.1)
    return Generator { members[$0.pick(weights: weights)].draw(&$0) }
  }
}

extension Generator where Value: Sendable {
  /// Always the same sample, out of no choice.
  static func constant(_ value: Value) -> Generator {
    Generator { _ in value }
  }

  /// One of `elements`, at least one; the first is the simplest.
  static func element(of elements: [Value]) -> Generator {
    Generator { $0.element(of: elements) }
  }
}

extension Generator where Value == Int {
  /// Numbers of a range; the lower bound is the simplest.
  static func number(in range: ClosedRange<Int>, bias: Bias = .uniform) -> Generator {
    Generator { $0.number(in: range, bias: bias) }
  }
}
