import ModelGeneration
package import PropertyEngine

/// Where the values of a generator come from: each is drawn, and all of them together are replayed
/// and made smaller.
///
/// A generator uses nothing but its source: no clock, no random numbers of its own. In each method
/// the simplest answer is named, to which failures shrink.
public struct ValueSource {
  package var choices: Choices

  package init(_ choices: Choices) {
    self.choices = choices
  }

  /// A number of the range, which is at most `UInt32.max` wide; the lower bound is the simplest.
  public mutating func number(in range: ClosedRange<Int>) -> Int {
    choices.number(in: range)
  }

  /// Yes or no; no is the simplest.
  public mutating func flag(percent: Int = 50) -> Bool {
    choices.flag(percent: percent)
  }

  /// One of the elements, at least one; the first is the simplest.
  public mutating func element<Element>(of elements: [Element]) -> Element {
    choices.element(of: elements)
  }

  /// A string that programs get wrong: emptiness, accents in both forms, emoji, directions; "" is the
  /// simplest.
  public mutating func string(scalarsUpTo limit: Int = 10) -> String {
    Generator<String>.hostileText(unicodeScalarsUpTo: max(0, limit), long: false).draw(&choices)
  }

  /// Draws up to `limit` values; none is the simplest.
  public mutating func list<Element>(
    upTo limit: Int,
    _ draw: (inout ValueSource) -> Element
  ) -> [Element] {
    var elements: [Element] = []
    while elements.count < limit {
      let span = choices.beginSpan("element")
      let goesOn = choices.flag(percent: 65)
      if goesOn { elements.append(draw(&self)) }
      choices.endSpan(span)
      if !goesOn { break }
    }
    return elements
  }
}

/// How values of one type are made where the type alone does not tell.
public struct ValueGenerator: Sendable {
  let add: @Sendable (inout DerivationOptions) -> Void

  /// Values of a type, wherever it stands in a model.
  ///
  /// ```swift
  /// .value(Email.self) { Email("\($0.element(of: ["ada", "bob"]))@example.org") }
  /// ```
  public static func value<Value: Decodable & SendableMetatype>(
    _ type: Value.Type,
    _ draw: @escaping @Sendable (inout ValueSource) -> Value
  ) -> ValueGenerator {
    ValueGenerator { options in
      options.value(type) { choices in
        var source = ValueSource(choices)
        let value = draw(&source)
        choices = source.choices
        return value
      }
    }
  }
}

/// Which differences between a value and what came of it do not count.
///
/// Nothing is tolerated that a test does not declare: a date that loses its milliseconds in a
/// hand-written `encode(to:)` is a failure until the test says that it may.
public struct LawTolerance: Hashable, Sendable {
  /// Seconds that two dates may be apart.
  public var dateSeconds: Double
  /// How far two floats may be apart, as a part of the greater, or of 1 if both are smaller.
  public var floatFraction: Double
  /// Keys that `encode(to:)` writes for other programs alone, such as a schema's version: `init(from:)` need not read
  /// them.
  public var unreadKeys: Set<String>

  public init(
    dateSeconds: Double = 0,
    floatFraction: Double = 0,
    unreadKeys: Set<String> = []
  ) {
    self.dateSeconds = dateSeconds
    self.floatFraction = floatFraction
    self.unreadKeys = unreadKeys
  }

  /// Every bit counts.
  public static let exact = LawTolerance()
}
