import PropertyEngine
import Testing

@Suite("Sources of laws")
struct LawSourceTests {
  @Test(
    "Each kind of place is shown so that a reader can open it",
    arguments: [
      (
        LawSource.specification(.semantics, "Counters", "Lists"),
        "Specification/Semantics.md, \"Counters\", \"Lists\""
      ),
      (
        .specification(.codable, "Requirements", item: 3),
        "Specification/Codable.md, \"Requirements\", item 3"
      ),
      (.document("Engine.md", "The op store"), "Engine.md, \"The op store\""),
      (.decision(14), "decision 14"), (.fixtures("vectors"), "fixtures/vectors"),
      (.standard("RFC 8259", "4"), "RFC 8259, section 4"), (.standard("ECMA-404"), "ECMA-404"),
      (.paper("Myers, 1986", "2"), "Myers, 1986, section 2"),
      (.issue("automerge-swift", 54, 60), "automerge-swift #54, #60"),
      ([.decision(3), .issue("automerge-swift", 54)], "decision 3; automerge-swift #54"),
    ] as [(LawSource, String)]
  )
  func describes(_ source: LawSource, _ text: String) {
    #expect(source.description == text)
  }

  @Test("Sources of sources are one list of places")
  func flattens() {
    let source: LawSource = [[.decision(1), .decision(2)], .decision(3)]
    #expect(source.places == [.decision(1), .decision(2), .decision(3)])
  }

  @Test("A law without a source is a mistake of the program")
  func refusesNone() async {
    await #expect(processExitsWith: .failure) { _ = [] as LawSource }
  }
}
