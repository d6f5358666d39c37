import DocumentLaws
import FuzzEntryPoints
import Histories
import PropertyEngine
import Testing

@Suite("Inputs of the target histories")
struct HistoryInputTests {
  @Test("No bytes at all are the simplest history, held to all laws on any history")
  func empty() {
    let input = HistoryInput(bytes: [])
    #expect(input.isShared)
    #expect(input.history.history.steps == [])
    #expect(input.history.history.replicaCount == HistoryLimits().replicas.lowerBound)
    let scenarios = HistoryInput.scenarioLaws.map(\.name)
    #expect(input.laws.map(\.name) + scenarios == DocumentLaw.all.map(\.name))
  }

  // Stored inputs say with their first byte what they are held to: a new law goes to the end.
  @Test("The first byte's meaning never changes")
  func firstByte() {
    let names = ["text.runs-stay-whole", "list.runs-stay-whole", "counter.increments-add"]
    #expect(Array(HistoryInput.scenarioLaws.map(\.name).prefix(names.count)) == names)
    for (index, name) in HistoryInput.scenarioLaws.map(\.name).enumerated() {
      let input = HistoryInput(bytes: [UInt8(index + 1)])
      #expect(input.laws.map(\.name) == [name])
      #expect(!input.isShared)
    }
    for byte in (HistoryInput.scenarioLaws.count + 1)...255 {
      #expect(HistoryInput(bytes: [UInt8(byte)]).isShared, "\(byte)")
    }
  }

  @Test("Any bytes are an input, and its own bytes make the same one", arguments: 0..<100)
  func anyBytes(stream: Int) {
    var random = Choices(seed: Seed(3).stream(UInt64(stream)))
    let bytes = (0..<(4 * stream)).map { _ in UInt8(random.number(in: 0...255)) }
    let input = HistoryInput(bytes: bytes)
    let again = HistoryInput(bytes: input.bytes)
    #expect(input.bytes.count <= bytes.count)
    #expect(again.history.history == input.history.history)
    #expect(again.laws.map(\.name) == input.laws.map(\.name))
    #expect(again.choices.recorded == input.choices.recorded)
    #expect(again.bytes == input.bytes)
  }

  @Test("What a seed draws can be handed to the fuzzer as bytes", arguments: 0..<100)
  func seeded(stream: Int) {
    let seeded = HistoryInput(drawing: Choices(seed: Seed(5).stream(UInt64(stream))))
    let input = HistoryInput(bytes: seeded.bytes)
    #expect(input.history.history == seeded.history.history)
    #expect(input.laws.map(\.name) == seeded.laws.map(\.name))
  }

  @Test("A seed draws scenarios, too, one time in five")
  func scenarioShare() {
    let shared = (0..<500).count { index in
      HistoryInput(drawing: Choices(seed: Seed(1).stream(UInt64(index)))).isShared
    }
    #expect((360...440).contains(shared), "\(shared) of 500")
  }
}
