import Foundation
import Testing
import Touchstone

/// A queue with room for a few elements; broken, it forgets one when it has wrapped around.
private struct Ring {
  let capacity: Int
  let isBroken: Bool
  var elements: [Int] = []
  var pushCount = 0

  mutating func push(_ element: Int) {
    pushCount += 1
    if isBroken, pushCount > capacity, elements.count == capacity - 1 { return }
    elements.append(element)
  }

  mutating func pop() -> Int? { elements.isEmpty ? nil : elements.removeFirst() }
}

private struct Full: Error {}

private func ringCommands() -> [Command<[Int], Ring>] {
  [
    Command(
      "push",
      of: .int(),
      when: { $0.count < 3 },
      updating: { $0.append($1) },
      running: { $0.push($1) }
    ),
    Command(
      "pop",
      when: { !$0.isEmpty },
      returning: { $0.removeFirst() as Int? },
      running: { $0.pop() }
    ),
  ]
}

private actor Counter {
  var value = 0
  let limit: Int

  init(limit: Int) { self.limit = limit }

  func add(_ amount: Int) throws {
    if value + amount > limit { throw Full() }
    value += amount
  }
}

@Suite("Commands against a model")
struct CommandTests {
  @Test("A system that does what the model says passes, and every command is run")
  func right() async throws {
    try await expectCommands(
      "ring",
      model: [Int](),
      system: { Ring(capacity: 3, isBroken: false) },
      commands: ringCommands(),
      always: { model, ring in #expect(ring.elements == model) }
    )
  }

  @Test("A wrong result is told with the shortest steps, stored, tried first and replayed")
  func wrong() async throws {
    let file = testFile()
    func failures(cases: Int? = nil) async throws -> [ModelFailure] {
      try await commandFailures(
        "ring",
        model: [Int](),
        system: { Ring(capacity: 3, isBroken: true) },
        commands: ringCommands(),
        cases: cases,
        file: file,
        test: "ring()"
      )
    }
    let failure = try #require(try await failures().first)
    let stored = try #require(failure.storedPath)
    #expect(
      failure.description == """
        ring breaks commands.model
        The system does what the model says.

        steps:
          1. push(0)
          2. pop -> 0
          3. push(0)
          4. push(0)
          5. push(0)
          6. pop -> 0
          7. pop -> 0
          8. pop -> nil

        `pop` returns something else than the model
          expected: 0
          found:    nil

        found by case 0 of seed 0x1, shrunk in 228 attempts
        stored: \(stored) (tried first from now on)
        replay: TOUCHSTONE_REPLAY=\(stored) swift test --filter ring
        """
    )
    let again = try await failures(cases: 1)
    #expect(again.map(\.summary) == [failure.summary])
    #expect(again.first?.description.contains("(found by an earlier run)") == true)
    #expect(again.first?.description.contains("  2. pop -> 0\n") == true)
  }

  @Test("What must always hold is checked after each step")
  func invariant() async throws {
    let failures = try await commandFailures(
      "ring",
      model: [Int](),
      system: { Ring(capacity: 3, isBroken: true) },
      commands: ringCommands(),
      always: { model, ring in #expect(ring.elements == model, "what the ring holds") },
      file: testFile()
    )
    let words = try #require(failures.first?.description)
    #expect(words.contains("what the ring holds"), "\(words)")
    #expect(words.contains("  5. push(0)\n") && !words.contains("  6. "), "\(words)")
  }

  @Test("An error of the system is told with the step that throws it")
  func throwing() async throws {
    let failures = try await commandFailures(
      "counter",
      model: 0,
      system: { Counter(limit: 9) },
      commands: [
        Command(
          "add",
          of: .int(in: 1...4),
          updating: { $0 += $1 },
          running: { try await $0.add($1) }
        ),
        Command("value", returning: { $0 }, running: { await $0.value }),
      ],
      file: testFile()
    )
    #expect(failures.map(\.summary) == ["`add`: it throws Full()"])
    let words = try #require(failures.first?.description)
    #expect(words.contains("  3. add(4) -> throws"), "\(words)")
    #expect(!words.contains("  4. "), "\(words)")
  }

  @Test("Arguments may depend on the model, and stay possible while a sequence shrinks")
  func dependent() async throws {
    let failures = try await commandFailures(
      "table",
      model: [Int: String](),
      system: { [Int: String]() },
      commands: [
        Command(
          "set",
          of: .tuple(.int(in: 0...9), .string(of: .letter)),
          updating: { $0[$1.0] = $1.1 },
          running: { $0[$1.0] = $1.1 }
        ),
        // Wrong: it says that long values are not there.
        Command(
          "get",
          ofModel: { .element(of: $0.keys.sorted()) },
          when: { !$0.isEmpty },
          returning: { $0[$1] },
          running: { table, key in table[key].flatMap { $0.count > 2 ? nil : $0 } }
        ),
      ],
      file: testFile()
    )
    let words = try #require(failures.first?.description)
    #expect(words.contains("  1. set(0, \"aaa\")\n  2. get(0) -> nil\n\n"), "\(words)")
  }

  @Test("A model that is a class is refused, and so are no commands")
  func refused() async throws {
    final class State: Sendable {}
    await #expect(throws: JudgementError.sharedState(type: "State")) {
      try await expectCommands("x", model: State(), system: { 0 }, commands: [])
    }
    await #expect(throws: JudgementError.self) {
      try await expectCommands("x", model: 0, system: { 0 }, commands: [])
    }
  }
}
