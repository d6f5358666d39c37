package import PropertyEngine

/// Where the values of a property come from: a recipe that draws one value out of choices.
///
/// Recipes are made of others: `.array(of: .int(in: 0...9))`, `.string().filter { !$0.isEmpty }`,
/// `.oneOf(.constant(0), .int())`. A value is a function of what was drawn, so that a failing one replays
/// and shrinks with no code for it. Each recipe says what its simplest value is.
///
/// A closure draws several values that depend on one another:
///
/// ```swift
/// Values { source in
///   let list = try source.draw(.array(of: .int(), count: 1...9))
///   return (list, try source.draw(.element(of: list)))
/// }
/// ```
public struct Values<Value>: Sendable {
  package let body: @Sendable (inout Choices) throws -> Value

  package init(choices body: @escaping @Sendable (inout Choices) throws -> Value) {
    self.body = body
  }

  /// Draws a value that is part of another one, in a span of its own.
  ///
  /// The label is the type: parts of one type may stand in for one another, as a tree for a tree around it.
  fileprivate func part(_ choices: inout Choices) throws -> Value {
    try choices.span("\(Value.self)") { choices throws(any Error) in try body(&choices) }
  }

  /// Values that a closure draws, which uses nothing but its source.
  public init(_ draw: @escaping @Sendable (inout ValueSource) throws -> Value) {
    self.init(choices: { choices in
      // Exchanged and not copied: what was recorded may be long.
      var source = ValueSource(Choices(replaying: []))
      swap(&source.choices, &choices)
      defer { swap(&source.choices, &choices) }
      return try draw(&source)
    })
  }
}

extension ValueSource {
  /// Draws one value of a recipe.
  ///
  /// - Throws: ``Discarded`` if the recipe has none for these choices; let it pass.
  public mutating func draw<Value>(_ values: Values<Value>) throws -> Value {
    try values.part(&choices)
  }
}

/// Leaves a case out: thrown by a recipe that has no value, or by a property that says nothing of one.
///
/// Cases that are left out count: where nine in ten are, the run is no proof, and
/// ``JudgementError/starved(property:judged:discarded:reason:)`` says so.
public struct Discarded: Error, Hashable, Sendable, CustomStringConvertible {
  /// Why, in words that complete "discarded: ".
  public let reason: String

  public init(_ reason: String) {
    self.reason = reason
  }

  public var description: String { "discarded: \(reason)" }
}

// MARK: - Combining

extension Values {
  /// Always the same value.
  public static func constant(_ value: Value) -> Values where Value: Sendable {
    Values(choices: { _ in value })
  }

  /// One of the elements; the first is the simplest.
  ///
  /// Without elements every case is discarded.
  public static func element(of elements: [Value]) -> Values where Value: Sendable {
    Values(choices: { choices in
      guard !elements.isEmpty else { throw Discarded("there is no element to draw") }
      return choices.element(of: elements)
    })
  }

  /// The values, each transformed.
  public func map<Other>(_ transform: @escaping @Sendable (Value) throws -> Other) -> Values<Other>
  {
    Values<Other>(choices: { try transform(body(&$0)) })
  }

  /// Values of the recipe that a first value makes, as an index within a list that was drawn before.
  public func flatMap<Other>(
    _ next: @escaping @Sendable (Value) throws -> Values<Other>
  ) -> Values<Other> {
    Values<Other>(choices: { try next(body(&$0)).body(&$0) })
  }

  /// The values for which a condition holds.
  ///
  /// Up to 50 values are drawn for a case; if none of them will do, the case is discarded. A recipe that
  /// makes what is wanted is faster, and shrinks better, than one that filters.
  public func filter(
    _ reason: String = "no value of 50 passed a filter",
    _ isWanted: @escaping @Sendable (Value) throws -> Bool
  ) -> Values {
    Values(choices: { choices in
      for _ in 0..<50 {
        let value = try choices.span("attempt") { choices throws(any Error) in
          try body(&choices)
        }
        if try isWanted(value) { return value }
      }
      throw Discarded(reason)
    })
  }

  /// A value, or `nil` one time in four; `nil` is the simplest.
  public static func optional<Wrapped>(_ values: Values<Wrapped>) -> Values
  where Value == Wrapped? {
    Values(choices: { $0.flag(percent: 75) ? try values.body(&$0) : nil })
  }

  /// Values of several recipes together.
  public static func tuple<each Part>(_ parts: repeat Values<each Part>) -> Values
  where Value == (repeat each Part) {
    Values(choices: { choices in (repeat try (each parts).part(&choices)) })
  }

  /// Values of any of the recipes, in equal shares; those of the first are the simplest.
  public static func oneOf(_ recipes: Values...) -> Values {
    weighted(recipes.map { (1, $0) })
  }

  /// Values of any of the recipes, in proportion to their weights; those of the first are the simplest.
  public static func weighted(_ recipes: [(weight: Int, values: Values)]) -> Values {
    let weights = recipes.map(\.weight)
    let recipes = recipes.map(\.values)
    return Values(choices: { choices in
      guard !recipes.isEmpty else { throw Discarded("there is no recipe to draw from") }
      let index = choices.pick(weights: weights)
      let start = choices.recorded.count
      let value = try recipes[index].body(&choices)
      // Fewer choices count as simpler, and a later recipe must not win by drawing few: `Int.max` as a
      // constant would be simpler than 1001 as a number.
      while index > 0, choices.recorded.count < start + Self.scalarChoiceLimit {
        _ = choices.choice(upTo: 0)
      }
      return value
    })
  }

  /// Choices that a number, a date or another single value draws at most.
  private static var scalarChoiceLimit: Int { 6 }

  /// Values that hold others of their kind, such as trees; a leaf is the simplest.
  ///
  /// ```swift
  /// Values<JSON>.recursive(depth: 4, leaf: Values.int().map(JSON.number)) { child in
  ///   .array(of: child, count: 0...3).map(JSON.list)
  /// }
  /// ```
  ///
  /// `depth` says how often a value may lie within another: 0 leaves the leaves. `branch` makes values that
  /// hold those of the recipe that it gets.
  public static func recursive(
    depth: Int,
    leaf: Values,
    branch: (Values) -> Values
  ) -> Values {
    var values = inSpan(leaf)
    for _ in 0..<max(0, depth) {
      let deeper = branch(values)
      values = inSpan(
        Values(choices: { try $0.flag(percent: 65) ? deeper.body(&$0) : leaf.body(&$0) })
      )
    }
    return values
  }

  /// In a span of one label, so that a tree shrinks to a tree within it.
  private static func inSpan(_ values: Values) -> Values {
    Values(choices: { choices in
      try choices.span("recursion") { choices throws(any Error) in try values.body(&choices) }
    })
  }
}
