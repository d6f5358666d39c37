import PropertyEngine

/// Steps that are run one after the other on a new system.
struct CommandSequence<Model: Sendable, System>: Sendable {
  /// Commands that are drawn for one step at most, until one is possible.
  private static var attemptLimit: Int { 4 }

  var steps: [CommandStep<Model, System>] = []

  /// Draws steps, each possible in the state that those before it leave.
  ///
  /// A step none of whose commands is possible is left out, so that whatever shrinking leaves is a
  /// sequence of possible steps.
  ///
  /// `model` is the state before the first step, and is left as it is after the last.
  ///
  /// - Throws: What drawing an argument throws.
  static func drawn(
    _ commands: [Command<Model, System>],
    upTo limit: Int,
    from model: inout Model,
    _ choices: inout Choices
  ) throws -> CommandSequence {
    var sequence = CommandSequence()
    guard !commands.isEmpty else { throw Discarded("there is no command to draw") }
    try choices.repeated(upTo: limit, averaging: limit / 2, "step") { choices throws(any Error) in
      for _ in 0..<attemptLimit {
        let command = choices.element(of: commands)
        guard let step = try command.step(model, &choices) else { continue }
        _ = step.model(&model)
        sequence.steps.append(step)
        return
      }
    }
    return sequence
  }
}

/// What a sequence came to so far, line by line, as a failure shows it.
struct CommandTrace: Sendable {
  private(set) var lines: [String] = []

  mutating func add(_ step: CommandStep<some Any, some Any>, _ outcome: String?) {
    lines.append("\(lines.count + 1). \(step.text)" + (outcome.map { " -> \($0)" } ?? ""))
  }
}

extension CommandSequence {
  /// Runs the steps on a system, and compares each result with the model's.
  ///
  /// - Throws: What `always` throws.
  func difference(
    from model: Model,
    on system: inout System,
    always: (Model, System) async throws -> Void,
    trace: (CommandTrace) -> Void
  ) async throws -> Difference? {
    var (model, told) = (model, CommandTrace())
    for step in steps {
      let expected = step.model(&model)
      let found: CommandResult
      do {
        found = try await step.system(&system)
      } catch let discarded as Discarded {
        throw discarded
      } catch {
        told.add(step, "throws")
        trace(told)
        let thrown = Difference(thrown: error)
        return thrown.told(
          as: "`\(step.name)`: \(thrown.summary)",
          kind: "\(step.name) \(thrown.kind)"
        )
      }
      told.add(step, found.text)
      trace(told)
      guard expected.equals(found) else {
        return Difference(
          kind: "\(step.name) returns",
          summary: "`\(step.name)` returns something else than the model",
          expected: expected.text,
          actual: found.text
        ).between("the model", "the system")
      }
      try await always(model, system)
    }
    return nil
  }
}
