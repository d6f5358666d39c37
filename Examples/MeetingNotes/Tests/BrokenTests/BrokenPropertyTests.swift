import MeetingNotes
import Testing
import Touchstone

/// Each test fails, on the smallest value or after the fewest steps.
@Suite("Properties that do not hold")
struct BrokenPropertyTests {
  @Test func durations() async throws {
    try await expectProperty("durations", of: .int(in: 0...1440)) { minutes in
      let text = "\(minutes / 60):\(minutes % 60)"
      // 1:05 and not 1:5: minutes have two digits.
      #expect(text.split(separator: ":").last?.count == 2 || minutes < 60)
    }
  }

  @Test func agenda() async throws {
    try await expectCommands(
      "agenda",
      model: [String](),
      system: { Agenda() },
      commands: [
        Command(
          "add",
          of: .element(of: ["hello", "votes"]),
          updating: { $0.append($1) },
          running: { $0.add($1) }
        ),
        Command("next", returning: { $0.isEmpty ? nil : $0.removeFirst() }, running: { $0.next() }),
      ]
    )
  }
}

/// Takes the last item where the first is next.
private struct Agenda {
  private var items: [String] = []

  mutating func add(_ item: String) { items.append(item) }

  mutating func next() -> String? { items.popLast() }
}
