import Mutants
import Testing

@Suite("Choices in a text")
struct ChoiceTests {
  private func choice(
    _ number: UInt64,
    _ form: PatchedChoice.Form,
    _ range: Range<Int>,
    _ wrong: String
  ) -> PatchedChoice {
    PatchedChoice(number: number, form: form, range: range, wrong: wrong)
  }

  @Test("A choice within another stands in the right part of that")
  func nests() {
    let written = ChoiceText(
      "f(a + b, 1)\n",
      [
        choice(1, .expression, 2..<7, "a - b"), choice(2, .statements, 0..<11, ""),
        choice(3, .expression, 9..<10, "2"), choice(4, .insertion, 0..<0, "return"),
      ]
    )
    #expect(
      written.text
        == "if isMutant(4) {\nreturn\n}\nif isMutant(2) {\n\n} else {\n"
        + "f((isMutant(1) ? (a - b) : (a + b)), (isMutant(3) ? (2) : (1)))\n}\n"
    )
    for (number, place) in written.places {
      let bytes = Array(written.text.utf8)[place]
      #expect(String(decoding: bytes, as: UTF8.self).contains("isMutant(\(number))"))
    }
  }

  @Test("Offsets count UTF-8 bytes")
  func countsBytes() {
    let written = ChoiceText("\"ö\" + x", [choice(1, .expression, 7..<8, "y")])
    #expect(written.text == "\"ö\" + (isMutant(1) ? (y) : (x))")
  }

  #if os(macOS) || os(Linux)
  @Test("Choices that overlap are our own mistake, and end the process")
  func refusesOverlap() async {
    await #expect(processExitsWith: .failure) {
      _ = ChoiceText(
        "a + b + c",
        [
          PatchedChoice(number: 1, form: .expression, range: 0..<5, wrong: "a"),
          PatchedChoice(number: 2, form: .expression, range: 4..<9, wrong: "b"),
        ]
      )
    }
  }
  #endif
}

@Suite("Equivalent mutants")
struct EquivalentMutantTests {
  @Test("A list is read block by block")
  func reads() throws {
    let text = """
      # What it is.

      file: Sources/A/B.swift
      operator: boundary
      line: if a < b { f("x: y") }
      change: a < b -> a <= b
      why: a is never b.

      file: Sources/A/C.swift
      operator: dropped
      line: hint()
      change: without hint()
      why: a hint changes nothing.
      """
    let list = try EquivalentMutant.list(text)
    #expect(list.count == 2)
    #expect(list[0].key.line == "if a < b { f(\"x: y\") }")
    #expect(list[0].key.operator == .boundary)
    #expect(list[1].reason == "a hint changes nothing.")
    #expect(try EquivalentMutant.list("# nothing\n").isEmpty)
  }

  @Test(
    "A block that is not whole is refused",
    arguments: [
      ("file: a\noperator: boundary\nline: b\nchange: c\n", 5), ("file: a\nfoo\n", 2),
      ("file: a\noperator: none\nline: b\nchange: c\nwhy: d", 6),
    ]
  )
  func refuses(_ text: String, _ line: Int) {
    let error = #expect(throws: LabelledBlock.Incomplete.self) { try EquivalentMutant.list(text) }
    #expect(error?.line == line)
  }
}
