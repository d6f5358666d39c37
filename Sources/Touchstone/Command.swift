import ModelLaws
package import PropertyEngine

/// Something that can be done to a system under test: with which arguments, what a model says of it, and how
/// the system does it.
///
/// ```swift
/// Command<[Int], Stack>("push", of: .int(), updating: { $0.append($1) }, running: { $0.push($1) })
/// Command<[Int], Stack>("pop", returning: { $0.popLast() }, running: { $0.pop() })
/// ```
///
/// The model is a value, as simple as can be; its closures use nothing else, since they run while a
/// sequence is drawn and again when it is judged. The system is whatever is tested: an actor, a class, or
/// a struct. An error that it throws is a failure; what it is meant to throw, `running` catches and
/// returns.
public struct Command<Model: Sendable, System>: Sendable {
  /// What steps are called in a failure.
  public let name: String

  /// Draws arguments in a state of the model; `nil` if the command is not possible in it.
  package let step: @Sendable (Model, inout Choices) throws -> CommandStep<Model, System>?

  private init<Argument: Sendable>(
    name: String,
    arguments: @escaping @Sendable (Model) -> Values<Argument>,
    isPossible: @escaping @Sendable (Model) -> Bool,
    text: @escaping @Sendable (Argument) -> String,
    model: @escaping @Sendable (inout Model, Argument) -> CommandResult,
    system: @escaping @Sendable (inout System, Argument) async throws -> CommandResult
  ) {
    self.name = name
    step = { state, choices in
      guard isPossible(state) else { return nil }
      let argument = try arguments(state).body(&choices)
      return CommandStep(
        name: name,
        text: text(argument),
        isPossible: isPossible,
        model: { model(&$0, argument) },
        system: { try await system(&$0, argument) }
      )
    }
  }
}

// MARK: - With an argument

extension Command {
  /// A command with arguments, whose result must be the model's.
  ///
  /// - Parameters:
  ///   - name: What steps are called in a failure.
  ///   - arguments: Where the argument comes from; a tuple for several.
  ///   - isPossible: Whether the command may be run in a state of the model.
  ///   - model: What the model does and returns.
  ///   - system: What the system does and returns.
  public init<Argument: Sendable, Result: Equatable & Sendable>(
    _ name: String,
    of arguments: Values<Argument>,
    when isPossible: @escaping @Sendable (Model) -> Bool = { _ in true },
    returning model: @escaping @Sendable (inout Model, Argument) -> Result,
    running system: @escaping @Sendable (inout System, Argument) async throws -> Result
  ) {
    self.init(
      name,
      ofModel: { _ in arguments },
      when: isPossible,
      returning: model,
      running: system
    )
  }

  /// A command with arguments that returns nothing.
  public init<Argument: Sendable>(
    _ name: String,
    of arguments: Values<Argument>,
    when isPossible: @escaping @Sendable (Model) -> Bool = { _ in true },
    updating model: @escaping @Sendable (inout Model, Argument) -> Void,
    running system: @escaping @Sendable (inout System, Argument) async throws -> Void
  ) {
    self.init(name, ofModel: { _ in arguments }, when: isPossible, updating: model, running: system)
  }

  /// A command whose arguments depend on the model, as one of the keys that it has.
  public init<Argument: Sendable, Result: Equatable & Sendable>(
    _ name: String,
    ofModel arguments: @escaping @Sendable (Model) -> Values<Argument>,
    when isPossible: @escaping @Sendable (Model) -> Bool = { _ in true },
    returning model: @escaping @Sendable (inout Model, Argument) -> Result,
    running system: @escaping @Sendable (inout System, Argument) async throws -> Result
  ) {
    self.init(
      name: name,
      arguments: arguments,
      isPossible: isPossible,
      text: { Self.text(name, $0) },
      model: { CommandResult(model(&$0, $1)) },
      system: { CommandResult(try await system(&$0, $1)) }
    )
  }

  /// A command whose arguments depend on the model, and which returns nothing.
  public init<Argument: Sendable>(
    _ name: String,
    ofModel arguments: @escaping @Sendable (Model) -> Values<Argument>,
    when isPossible: @escaping @Sendable (Model) -> Bool = { _ in true },
    updating model: @escaping @Sendable (inout Model, Argument) -> Void,
    running system: @escaping @Sendable (inout System, Argument) async throws -> Void
  ) {
    self.init(
      name: name,
      arguments: arguments,
      isPossible: isPossible,
      text: { Self.text(name, $0) },
      model: { CommandResult(model(&$0, $1)) },
      system: { CommandResult(try await system(&$0, $1)) }
    )
  }

  private static func text(_ name: String, _ argument: some Any) -> String {
    let text = ValueText.text(of: argument)
    return Mirror(reflecting: argument).displayStyle == .tuple ? name + text : "\(name)(\(text))"
  }
}

// MARK: - Without

extension Command {
  /// A command without arguments, whose result must be the model's.
  public init<Result: Equatable & Sendable>(
    _ name: String,
    when isPossible: @escaping @Sendable (Model) -> Bool = { _ in true },
    returning model: @escaping @Sendable (inout Model) -> Result,
    running system: @escaping @Sendable (inout System) async throws -> Result
  ) {
    self.init(
      name: name,
      arguments: { _ in Values<Bool>.constant(true) },
      isPossible: isPossible,
      text: { _ in name },
      model: { state, _ in CommandResult(model(&state)) },
      system: { tested, _ in CommandResult(try await system(&tested)) }
    )
  }

  /// A command without arguments that returns nothing.
  public init(
    _ name: String,
    when isPossible: @escaping @Sendable (Model) -> Bool = { _ in true },
    updating model: @escaping @Sendable (inout Model) -> Void,
    running system: @escaping @Sendable (inout System) async throws -> Void
  ) {
    self.init(
      name: name,
      arguments: { _ in Values<Bool>.constant(true) },
      isPossible: isPossible,
      text: { _ in name },
      model: { state, _ in CommandResult(model(&state)) },
      system: { tested, _ in CommandResult(try await system(&tested)) }
    )
  }
}

/// One command with its arguments.
package struct CommandStep<Model: Sendable, System>: Sendable {
  let name: String
  /// As a person would write the call: `push(3)`.
  let text: String
  let isPossible: @Sendable (Model) -> Bool
  let model: @Sendable (inout Model) -> CommandResult
  let system: @Sendable (inout System) async throws -> CommandResult
}

/// What a command returned, of whatever type.
package struct CommandResult: Sendable {
  private let value: any Sendable
  private let isEqual: @Sendable (any Sendable) -> Bool
  /// `nil` if it returns nothing.
  let text: String?

  init<Value: Equatable & Sendable>(_ value: Value) {
    self.value = value
    isEqual = { other in (other as? Value) == value }
    text = ValueText.text(of: value)
  }

  init(_ nothing: Void) {
    value = true
    isEqual = { _ in true }
    text = nil
  }

  func equals(_ other: CommandResult) -> Bool { isEqual(other.value) }
}
