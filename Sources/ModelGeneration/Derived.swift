import CodingSupport
package import PropertyEngine

/// Makes a value of a type whose own `init(from:)` is not run.
package typealias LeafGenerator = (inout Choices) -> Any

/// What a user adds where a type alone does not tell how its values are made.
package struct DerivationOptions {
  fileprivate var leaves: [ObjectIdentifier: LeafGenerator] = StandardLeaves.all
  /// Words for strings under a key, such as a discriminator's; or under an enumeration's name, the
  /// keys of its cases.
  package var words: [String: [String]] = [:]
  /// Words and numbers that any other string or number may be as well, one time in two.
  package var literals = Literals()
  package var userInfo: [CodingUserInfoKey: Any] = [:]
  /// Told of the answers so far; the type's code goes on with the last: should that trap, this was
  /// why.
  package var willAnswer: ((DerivationAnswers) -> Void)?

  package init() {}

  /// Adds a generator, which takes the place of the type's own `init(from:)`.
  package mutating func value<Value: Decodable>(
    _ type: Value.Type,
    _ draw: @escaping (inout Choices) -> Value
  ) {
    leaves[ObjectIdentifier(type)] = draw
  }

  /// Whether a generator makes the values of a type, and its own `init(from:)` is not run.
  package func hasGenerator(of type: any Decodable.Type) -> Bool {
    leaves[ObjectIdentifier(type)] != nil
  }
}

/// Values of a type, derived from its own `init(from:)`.
///
/// A value is a pure function of the choices: the same choices give the same value, and the
/// simplest choices the simplest value. Unchecked, as once `init` is over nothing here is written to.
package struct Derived<Value: Decodable>: @unchecked Sendable {
  private let planner: Planner
  private let root: TypePlan
  /// What the type asked for while it was planned.
  package let schema: Schema

  /// Plans the type.
  ///
  /// - Throws: ``NotDerivable``, also where words are given for a name that nothing asks for.
  package init(_ options: DerivationOptions = DerivationOptions()) throws {
    let planner = Planner(
      leaves: options.leaves,
      words: options.words,
      literals: options.literals,
      userInfo: options.userInfo
    )
    planner.willAnswer = options.willAnswer
    func refusal(_ reason: NotDerivable.Reason) -> NotDerivable {
      NotDerivable(type: "\(Value.self)", path: SchemaSlot(), reason: reason)
    }
    do {
      root = try planner.prepare(Root<Value>.self)
    } catch {
      throw planner.unaskedWords(isLikely: true).map(refusal) ?? error
    }
    if let reason = planner.unaskedWords(isLikely: false) { throw refusal(reason) }
    self.planner = planner
    schema = planner.schema.schema
  }

  package init(_ type: Value.Type, _ options: DerivationOptions = DerivationOptions()) throws {
    try self.init(options)
  }

  /// A value; a pure function of the choices that it draws.
  package func value(_ choices: inout Choices) throws -> Value {
    try derive(&choices).value
  }

  /// A value, and the document that its `init(from:)` read while it was derived.
  ///
  /// The document is what another program would have written for the value; `encode(to:)` has no
  /// part in it, but for types with a generator and dictionaries.
  package func sample(_ choices: inout Choices) throws -> (value: Value, document: Tree) {
    let (value, node) = try derive(&choices)
    return (value, try node.tree())
  }

  private func derive(_ choices: inout Choices) throws -> (value: Value, node: DerivationNode) {
    let taken = choices
    choices = Choices(replaying: [])
    let run = DerivationRun(planner, taken)
    defer { choices = run.choices }
    let node = DerivationNode()
    return (try run.construct(Root<Value>.self, into: node, at: .root, by: root).value, node)
  }
}

/// Holds the derived type as any other field, so that it may be a scalar or have a generator.
private struct Root<Value: Decodable>: Decodable, Shapeless {
  let value: Value

  init(from decoder: any Decoder) throws {
    value = try decoder.singleValueContainer().decode(Value.self)
  }
}
