import MeetingNotes
import Testing
import Touchstone

@Suite("Properties and commands")
struct PropertyTests {
  @Test func mergedSetHoldsBoth() async throws {
    try await expectProperty("merged set", of: .set(of: .string()), .set(of: .string())) {
      mine,
      theirs in
      var (one, other) = (ObservedSet(replica: 0), ObservedSet(replica: 1))
      for element in mine { one.insert(element) }
      for element in theirs { other.insert(element) }
      one.merge(other)
      #expect(one.content == mine.union(theirs))
    }
  }

  @Test func mapOfOneWriterIsADictionary() async throws {
    try await expectCommands(
      "map of one writer",
      model: [String: Int](),
      system: { LastWriterMap(replica: 0) },
      commands: [
        Command(
          "set",
          of: .tuple(.element(of: ["a", "b"]), .optional(.int())),
          updating: { $0[$1.0] = $1.1 },
          running: { $0.set($1.0, to: $1.1) }
        )
      ],
      always: { model, map in #expect(map.content == model) }
    )
  }
}
