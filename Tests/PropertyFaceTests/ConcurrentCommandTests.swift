import Testing
import Touchstone

/// A counter of an actor, which may read, wait and then write.
private actor Counter {
  private var value = 0
  let waits: Bool

  init(waits: Bool) { self.waits = waits }

  func increment() async -> Int {
    let old = value
    if waits { await Task.yield() }
    value = old + 1
    return value
  }

  func take() -> Bool {
    guard value > 0 else { return false }
    value -= 1
    return true
  }
}

private func commands() -> [Command<Int, Counter>] {
  [
    Command(
      "increment",
      returning: { value in
        value += 1
        return value
      },
      running: { await $0.increment() }
    ),
    Command(
      "take",
      when: { $0 > 0 },
      returning: { value in
        value -= 1
        return true
      },
      running: { await $0.take() }
    ),
  ]
}

@Suite("Concurrent commands")
struct ConcurrentCommandTests {
  @Test("An actor that does not wait between reading and writing passes")
  func right() async throws {
    try await expectLinearizable(
      "counter",
      model: 0,
      system: { Counter(waits: false) },
      commands: commands(),
      cases: 200
    )
  }

  @Test("A lost update is told with the fewest calls, and found again by the stored case")
  func lost() async throws {
    let file = testFile()
    func failures(cases: Int) async throws -> [ModelFailure] {
      try await linearizabilityFailures(
        "counter",
        model: 0,
        system: { Counter(waits: true) },
        commands: commands(),
        threadRuns: 0,
        cases: cases,
        file: file,
        test: "counter()"
      )
    }
    let failure = try #require(try await failures(cases: 200).first)
    let stored = try #require(failure.storedPath)
    #expect(
      failure.description == """
        counter breaks commands.linearizable
        Concurrent commands have one order. For commands that run at the same time there is an order that keeps the order of each branch, and in which the model returns what the system did.

        steps:
          a1. increment -> 1
          b1. increment -> 1

        no order of the branches a, b and so on gives these results

        Look for a value that is read, awaited upon, and then written: what another call did in between is lost.

        found by case 1 of seed 0x1, shrunk in 53 attempts
        stored: \(stored) (tried first from now on)
        replay: TOUCHSTONE_REPLAY=\(stored) swift test --filter counter
        """
    )
    for _ in 0..<5 {
      let again = try await failures(cases: 1)
      #expect(again.map(\.summary) == [failure.summary])
    }
  }

  @Test("A wrong result before the branches is told as such, and an error of a branch as well")
  func others() async throws {
    let failures = try await linearizabilityFailures(
      "counter",
      model: 0,
      system: { Counter(waits: false) },
      commands: [
        Command(
          "increment",
          returning: { value in
            value += 2
            return value
          },
          running: { await $0.increment() }
        )
      ],
      threadRuns: 0,
      cases: 50,
      file: testFile()
    )
    #expect(failures.contains { $0.summary.hasPrefix("`increment` returns something else") })
  }

  @Test("A system that is a value is refused: each task would have its own")
  func refused() async throws {
    let error = await #expect(throws: JudgementError.unsharedSystem(type: "Int")) {
      try await expectLinearizable("x", model: 0, system: { 0 }, commands: [])
    }
    #expect(
      error?.description
        == "Int is a value, and each task would have its own copy: judge an actor or a class"
    )
  }
}
