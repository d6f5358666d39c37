import PropertyEngine
import Synchronization

/// Steps that are run one after the other, then branches of steps that are run at the same time.
struct CommandBranches<Model: Hashable & Sendable, System: Sendable>: Sendable {
  /// Steps of a branch at most: the orders of three branches of three are 1,680.
  private static var branchLimit: Int { 3 }

  let prefix: CommandSequence<Model, System>
  /// Two or three.
  private(set) var branches: [CommandSequence<Model, System>]
  /// Which task goes on where several wait.
  let picks: [Int]

  /// Draws steps; each is possible in whatever order the branches run.
  ///
  /// - Throws: What drawing an argument throws.
  init(
    _ commands: [Command<Model, System>],
    from initial: Model,
    prefixUpTo limit: Int,
    _ choices: inout Choices
  ) throws {
    var model = initial
    prefix = try CommandSequence.drawn(commands, upTo: limit, from: &model, &choices)
    branches = []
    for _ in 0..<choices.number(in: 2...3) {
      branches.append(
        try choices.span("branch") { choices throws(any Error) in
          var model = model
          return try CommandSequence.drawn(
            commands,
            upTo: Self.branchLimit,
            from: &model,
            &choices
          )
        }
      )
    }
    var picks: [Int] = []
    choices.repeated(upTo: 24, averaging: 12, "pick") { picks.append($0.number(in: 0...3)) }
    self.picks = picks
    while let (branch, step) = impossibleStep(from: model) {
      branches[branch].steps.remove(at: step)
    }
  }

  /// The next step of each branch, and the state before them.
  private struct Position: Hashable {
    var next: [Int]
    var model: Model
  }

  /// A step that some order of the branches leads to where it is not possible.
  private func impossibleStep(from model: Model) -> (branch: Int, step: Int)? {
    var seen: Set<Position> = []
    var open = [Position(next: branches.map { _ in 0 }, model: model)]
    while let position = open.popLast() {
      guard seen.insert(position).inserted else { continue }
      for (branch, next) in position.next.enumerated() where next < branches[branch].steps.count {
        let step = branches[branch].steps[next]
        guard step.isPossible(position.model) else { return (branch, next) }
        var following = position
        following.next[branch] += 1
        _ = step.model(&following.model)
        open.append(following)
      }
    }
    return nil
  }

  /// The steps as they were drawn: `1.` before the branches, `a1.` in the first of them.
  var lines: [String] {
    numberedSteps(prefix.steps.map(\.text))
      + branches.enumerated().flatMap { branch, sequence in
        sequence.steps.enumerated().map { "\(Self.label(branch, $0.offset)) \($0.element.text)" }
      }
  }

  private static func label(_ branch: Int, _ step: Int) -> String {
    "\(["a", "b", "c"][branch % 3])\(step + 1)."
  }
}

extension CommandBranches {
  /// A call of a branch, with its result.
  private struct Call: Sendable {
    let branch: Int
    let index: Int
    let begin: Int
    let end: Int
    let result: CommandResult
  }

  /// Runs all steps on a system, and looks for an order of the branches that explains the results.
  ///
  /// - Parameters:
  ///   - model: The state before the first step.
  ///   - system: In its first state.
  ///   - trace: Is told how the steps went.
  /// - Returns: What no order explains; `nil` if one does.
  /// - Throws: What a step of a branch throws.
  func difference(
    from model: Model,
    on system: System,
    trace: @escaping @Sendable ([String]) -> Void
  ) async throws -> Difference? {
    let told = Mutex(CommandTrace())
    var prefixSystem = system
    let early = try await prefix.difference(
      from: model,
      on: &prefixSystem,
      always: { _, _ in },
      trace: { lines in
        told.withLock { $0 = lines }
        trace(lines.lines)
      }
    )
    if let early { return early }
    let calls = try await calls(on: system)
    let ran = told.withLock { $0.lines }
    trace(
      ran
        + calls.sorted { ($0.branch, $0.index) < ($1.branch, $1.index) }.map { call in
          Self.label(call.branch, call.index) + " \(branches[call.branch].steps[call.index].text)"
            + (call.result.text.map { " -> \($0)" } ?? "")
        }
    )
    var afterPrefix = model
    for step in prefix.steps { _ = step.model(&afterPrefix) }
    let isExplained = isLinearizable(
      calls.map { ConcurrentCall(begin: $0.begin, end: $0.end, $0) },
      from: afterPrefix
    ) { state, call in
      var state = state
      let expected = branches[call.branch].steps[call.index].model(&state)
      return expected.equals(call.result) ? state : nil
    }
    guard !isExplained else { return nil }
    return Difference(
      kind: "order",
      summary: "no order of the branches a, b and so on gives these results"
    )
  }

  /// Runs each branch in a task of its own.
  private func calls(on system: System) async throws -> [Call] {
    let clock = Moments()
    return try await withThrowingTaskGroup(of: [Call].self) { group in
      for (branch, sequence) in branches.enumerated() {
        group.addTask {
          var (calls, system) = ([Call](), system)
          for (index, step) in sequence.steps.enumerated() {
            // Without it a branch that never waits would run to its end before another begins.
            await Task.yield()
            let begin = clock.next()
            let result = try await step.system(&system)
            let end = clock.next()
            calls.append(
              Call(branch: branch, index: index, begin: begin, end: end, result: result)
            )
          }
          return calls
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
  }

  /// Numbers that grow with each that is asked for.
  private final class Moments: Sendable {
    private let last = Atomic<Int>(0)

    func next() -> Int { last.add(1, ordering: .sequentiallyConsistent).newValue }
  }
}
