public import Testing

/// Expects that a system does what a model says, whatever is done to it and in which order.
///
/// ```swift
/// @Test func stackIsAStack() async throws {
///   try await expectCommands(
///     "stack",
///     model: [Int](),
///     system: { Stack() },
///     commands: [
///       Command("push", of: .int(), updating: { $0.append($1) }, running: { $0.push($1) }),
///       Command("pop", returning: { $0.popLast() }, running: { $0.pop() }),
///     ],
///     always: { model, stack in #expect(stack.count == model.count) }
///   )
/// }
/// ```
///
/// Each case is a sequence of commands on a new system. The first result that is not the model's, error or
/// expectation that fails ends it; the sequence is made small, with every command still possible, and told
/// step by step. Everything else is as for ``expectProperty(_:of:cases:seed:time:sourceLocation:_:)``. A case runs its
/// commands one after the other, so that the same seed gives the same verdicts everywhere.
///
/// - Parameters:
///   - name: What messages and files call it; two of one test file need two names.
///   - model: The state in which the model starts: a value and no class.
///   - system: Makes the system in its first state.
///   - commands: What can be done; the first are the simplest.
///   - stepLimit: Steps of a case at most; half of it on average.
///   - always: What must hold after each step, and before the first.
///   - cases: How many sequences, ``LawSettings/defaultCases`` by default.
///   - seed: Where the choices start, 1 by default.
///   - time: When to stop early.
///   - sourceLocation: Where issues are recorded, and whose folder keeps the failures.
/// - Throws: ``JudgementError`` if too little was judged.
public func expectCommands<Model: Sendable, System: SendableMetatype>(
  _ name: String,
  model: Model,
  system: @escaping @Sendable () async throws -> System,
  commands: [Command<Model, System>],
  stepLimit: Int = 40,
  always: @escaping @Sendable (Model, System) async throws -> Void = { _, _ in },
  cases: Int? = nil,
  seed: UInt64? = nil,
  time: Duration? = nil,
  sourceLocation: SourceLocation = #_sourceLocation
) async throws {
  let expectation = CommandExpectation(
    name: name,
    model: model,
    system: system,
    commands: commands,
    stepLimit: stepLimit,
    always: always
  )
  try await recordFailures(at: sourceLocation) { folder in
    try await expectation.outcome(LawSettings(cases: cases, seed: seed, time: time), in: folder)
  }
}

/// The ways in which a system differs from its model, for tests of XCTest and other places.
///
/// - Throws: ``JudgementError`` if too little was judged.
public func commandFailures<Model: Sendable, System: SendableMetatype>(
  _ name: String,
  model: Model,
  system: @escaping @Sendable () async throws -> System,
  commands: [Command<Model, System>],
  stepLimit: Int = 40,
  always: @escaping @Sendable (Model, System) async throws -> Void = { _, _ in },
  cases: Int? = nil,
  seed: UInt64? = nil,
  time: Duration? = nil,
  file: String = #filePath,
  test: String = #function,
  onNote: (String) -> Void = { print($0) }
) async throws -> [ModelFailure] {
  let expectation = CommandExpectation(
    name: name,
    model: model,
    system: system,
    commands: commands,
    stepLimit: stepLimit,
    always: always
  )
  return try await expectation.outcome(
    LawSettings(cases: cases, seed: seed, time: time),
    in: FailureFolder(besideFile: file, test: test)
  ).failures(onNote)
}
