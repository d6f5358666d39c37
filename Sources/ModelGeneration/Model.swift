package import PropertyEngine
import Synchronization

/// A type of models under its name, with a source of values.
package struct Model: Sendable {
  /// What laws ask of models before they use one.
  package enum Trait: String, Hashable, Sendable, CaseIterable {
    /// Its values hold texts that merge.
    case texts
    /// Its values hold counters that merge.
    case counters
    /// Its values hold dates.
    case dates
    /// Its values hold lists.
    case lists
    /// No list in its values holds a map: not one was seen, and what it asks for has none.
    case plainLists
    /// Its first container is keyed, so that it can be the root of a document.
    case keyedRoot
    /// What it encodes to is not all that it is, or not always the same.
    case lossy
    /// It holds a set or a dictionary that is encoded as a list, in no order.
    case unordered
    /// Encoding some of its values throws.
    case refuses
    /// Its values nest in their own type.
    case recursive
    /// It writes the same keys in every value, keeps no other key, and reads each scalar at its root by itself.
    case plainStruct
    /// It holds a dictionary whose keys are integers.
    case integerKeys
    /// It writes nulls.
    case nulls
    /// Its values hold 64-bit integers beyond what a float tells apart.
    case wideIntegers
  }

  package let name: String
  package let traits: Set<Trait>
  package let type: any (Codable & SendableMetatype).Type
  /// A value; a pure function of the choices.
  package let draw: @Sendable (inout Choices) throws -> any Codable
  /// What the type was seen to ask for; `nil` if its values are not derived.
  package let schema: @Sendable () throws -> Schema?
  package let isDerived: Bool
  /// How often it is drawn, beside 1 for most.
  package let weight: Int

  package init(
    _ name: String,
    _ traits: Set<Trait>,
    weight: Int = 1,
    _ type: any (Codable & SendableMetatype).Type,
    schema: (@Sendable () throws -> Schema)? = nil,
    draw: @escaping @Sendable (inout Choices) throws -> any Codable
  ) {
    self.schema = { try schema?() }
    self.weight = weight
    isDerived = schema != nil
    self.name = name
    self.traits = traits
    self.type = type
    self.draw = draw
  }

  /// A model whose values are derived; its plan is made when a value is first drawn.
  package static func derived<Value: Codable & SendableMetatype>(
    _ name: String,
    _ traits: Set<Trait>,
    weight: Int = 1,
    _ type: Value.Type
  ) -> Model {
    let plan = LazyPlan<Value>()
    return Model(
      name,
      traits,
      weight: weight,
      type,
      schema: { try plan.derived().schema },
      draw: { choices in try plan.derived().value(&choices) }
    )
  }

  /// The tree of a drawn value.
  package func tree(_ choices: inout Choices) throws -> Tree {
    let value = try choices.span("value") { choices in try draw(&choices) }
    return try TreeRecorder.tree(of: value)
  }

  /// The value that a recorded tree stands for.
  package func value(of tree: Tree) throws -> any Codable {
    func open<T: Codable>(_ type: T.Type) throws -> any Codable {
      try TreeDecoder().decode(type, from: tree)
    }
    let type: any Codable.Type = type
    return try open(type)
  }
}

/// Whether two values of one type are equal by `==`; `nil` if the type does not say.
package func areEqual(_ left: Any, _ right: Any) -> Bool? {
  func open<T: Equatable>(_ left: T) -> Bool? {
    (right as? T).map { $0 == left }
  }
  guard let left = left as? any Equatable else { return nil }
  return open(left)
}

/// A plan that is made once, by the first caller that needs it: the lock guards that and nothing else.
private final class LazyPlan<Value: Decodable>: Sendable {
  private let made = Mutex<Result<Derived<Value>, any Error>?>(nil)

  func derived() throws -> Derived<Value> {
    try made.withLock { made in
      if let made { return made }
      let result = Result<Derived<Value>, any Error> { try Derived<Value>() }
      made = result
      return result
    }.get()
  }
}
