public import Testing

/// Expects that commands which run at the same time return what they would one after the other, in some order.
///
/// Each case is a few commands one after the other and then two or three branches of up to three, each in
/// a task of its own. A model says what each command returns; if no order of the branches' commands gives the
/// results that the system gave, the case fails, and is made small as in
/// ``expectCommands(_:model:system:commands:stepLimit:always:cases:seed:time:sourceLocation:)``. A command is drawn only where it is possible in
/// every order.
///
/// A case runs once with all tasks on one thread, where numbers of the case pick the task that goes on at
/// each `await`: that run is the same whenever it is repeated, and finds what goes wrong between two
/// suspensions of actors and asynchronous code. Then it runs a few times on the system's threads, which
/// finds races of classes with locks as well, but not every time: what fails there is reported as
/// found "on threads", and a stored case of it may pass. A lock that is held across an `await` is
/// not for this.
///
/// - Parameters:
///   - name: What messages and files call it; two of one test file need two names.
///   - model: The state in which the model starts: a value and no class.
///   - system: Makes the system, an actor or a class, in its first state.
///   - commands: What can be done; the first are the simplest.
///   - stepLimit: Steps before the branches, at most.
///   - threadRuns: How often each case runs on threads; 0 leaves the verdict to the run that repeats.
///   - cases: How many cases, ``LawSettings/defaultCases`` by default.
///   - seed: Where the choices start, 1 by default.
///   - time: When to stop early.
///   - sourceLocation: Where issues are recorded, and whose folder keeps the failures.
/// - Throws: ``JudgementError`` if too little was judged.
public func expectLinearizable<Model: Hashable & Sendable, System: Sendable>(
  _ name: String,
  model: Model,
  system: @escaping @Sendable () async throws -> System,
  commands: [Command<Model, System>],
  stepLimit: Int = 6,
  threadRuns: Int = 4,
  cases: Int? = nil,
  seed: UInt64? = nil,
  time: Duration? = nil,
  sourceLocation: SourceLocation = #_sourceLocation
) async throws {
  let expectation = LinearizabilityExpectation(
    name: name,
    model: model,
    system: system,
    commands: commands,
    stepLimit: stepLimit,
    threadRuns: threadRuns
  )
  try await recordFailures(at: sourceLocation) { folder in
    try await expectation.outcome(LawSettings(cases: cases, seed: seed, time: time), in: folder)
  }
}

/// What no order of concurrent commands explains, for tests of XCTest and other places.
///
/// - Throws: ``JudgementError`` if too little was judged.
public func linearizabilityFailures<Model: Hashable & Sendable, System: Sendable>(
  _ name: String,
  model: Model,
  system: @escaping @Sendable () async throws -> System,
  commands: [Command<Model, System>],
  stepLimit: Int = 6,
  threadRuns: Int = 4,
  cases: Int? = nil,
  seed: UInt64? = nil,
  time: Duration? = nil,
  file: String = #filePath,
  test: String = #function,
  onNote: (String) -> Void = { print($0) }
) async throws -> [ModelFailure] {
  let expectation = LinearizabilityExpectation(
    name: name,
    model: model,
    system: system,
    commands: commands,
    stepLimit: stepLimit,
    threadRuns: threadRuns
  )
  return try await expectation.outcome(
    LawSettings(cases: cases, seed: seed, time: time),
    in: FailureFolder(besideFile: file, test: test)
  ).failures(onNote)
}
