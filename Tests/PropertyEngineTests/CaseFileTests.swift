import PropertyEngine
import Testing

private let example = """
  touchstone case 1
  law: merge.commutes
  subjects: naive, automerge
  kind: map.winner
  seed: 0x2a
  choices:
    1/1x3 4/9 0/1 4294967295/4294967295
  sample: history 1
    replica a: put "k" 1

      indented
  end

  """

@Suite("Case files")
struct CaseFileTests {
  private func makeCase(
    choices: [Choice] = [],
    sample: String = "",
    note: String? = nil
  ) -> CaseFile {
    var file = CaseFile(
      law: "merge.commutes",
      subjects: ["naive", "automerge"],
      kind: "map.winner",
      seed: 42,
      choices: choices,
      sampleFormat: FormName("history", version: 1),
      sample: sample
    )
    if let note { file.set(.note, to: note) }
    return file
  }

  @Test("A file is written as the documentation shows it, and read back")
  func rendersExample() throws {
    let choices: [(UInt32, UInt32)] = [(1, 1), (1, 1), (1, 1), (4, 9), (0, 1), (.max, .max)]
    let file = makeCase(
      choices: choices.map { Choice(value: $0.0, limit: $0.1) },
      sample: "replica a: put \"k\" 1\n\n  indented\n"
    )
    #expect(file.render() == example)
    let parsed = try CaseFile.parse(example)
    #expect(parsed == file)
    #expect(parsed.law == "merge.commutes")
    #expect(parsed.subjects == ["naive", "automerge"])
    #expect(parsed.kind == "map.winner")
    #expect(parsed.seed == 42)
    #expect(parsed.choices == file.choices)
    #expect(parsed[.note] == nil)
  }

  @Test("A smaller sample changes what it shows, and no other header")
  func holdsSmaller() throws {
    var file = makeCase(sample: "large\n", note: "see ticket 4711")
    file.set(Difference(kind: "map.winner", summary: "large", expected: "1", actual: "2"))
    file.set(.state, to: "not shrunk")
    file.set(.firstSeen, to: "2025-01-02")
    file = try CaseFile.parse(file.render().replacing("note:", with: "owner: ann\nnote:"))
    let small = Failure(
      subjects: ["naive"],
      Finding(
        key: FailureKey(law: file.law, isError: false, kind: "map.winner"),
        difference: Difference(kind: "map.winner", summary: "small", actual: "3")
      ),
      StoredSample(form: file.sampleFormat, text: "small\n", size: 1, measure: "1 step"),
      choices: [Choice(value: 1, limit: 2)],
      seed: 7,
      caseIndex: 9,
      stage: .shrunk(steps: 1, .finished, originalCount: 2)
    )
    #expect(
      file.holding(small).render() == """
        touchstone case 1
        law: merge.commutes
        subjects: naive, automerge
        kind: map.winner
        seed: 0x2a
        owner: ann
        note: see ticket 4711
        shows: small
        actual: 3
        first seen: 2025-01-02
        choices:
          1/2
        sample: history 1
          small
        end

        """
    )
  }

  @Test("A line that is refused is one of the file, or of the text where there is no file")
  func refusedLines() throws {
    let name = FormName("history", version: 1)
    let form = SampleForm<Int>(
      name: name,
      render: { "\($0)" },
      parse: { text in
        try readLines(of: text, as: name) { !$0.contains("indented") }
        return 0
      },
      size: { $0 },
      measure: { "\($0)" }
    )
    let parsed = try CaseFile.parse(example)
    let ofFile = #expect(throws: UnreadableLine.self) { try form.sample(of: parsed) }
    #expect(ofFile?.line == 11)
    // Choices that a person wrapped.
    let wrapped = try CaseFile.parse(example.replacing("1/1x3 4/9", with: "1/1x3\n  4/9"))
    #expect(wrapped == parsed && wrapped.hashValue == parsed.hashValue)
    let ofWrapped = #expect(throws: UnreadableLine.self) { try form.sample(of: wrapped) }
    #expect(ofWrapped?.line == 12)
    let text = makeCase(sample: parsed.sample)
    let ofText = #expect(throws: UnreadableLine.self) { try form.sample(of: text) }
    #expect(ofText?.line == 3)
  }

  @Test("Any text comes back byte for byte, as a note and as a sample", arguments: 0..<400)
  func roundTrips(caseIndex: Int) throws {
    var choices = Choices(seed: Seed(42).stream(UInt64(caseIndex)))
    let text = Generator.hostileText(unicodeScalarsUpTo: 60)
    let file = makeCase(
      choices: choices.recorded,
      sample: text.draw(&choices),
      note: text.draw(&choices)
    )
    let full = CaseFile(
      law: file.law,
      subjects: file.subjects,
      kind: text.draw(&choices),
      seed: nil,
      choices: choices.recorded,
      sampleFormat: FormName("text", version: 1),
      sample: text.draw(&choices)
    )
    for file in [file, full] {
      let rendered = file.render()
      let parsed = try CaseFile.parse(rendered)
      #expect(parsed == file)
      #expect(Array(parsed.sample.utf8) == Array(file.sample.utf8))
      #expect(Array(parsed.kind.map(\.utf8) ?? "?".utf8) == Array((file.kind ?? "").utf8))
      #expect(Array((parsed[.note] ?? "").utf8) == Array((file[.note] ?? "").utf8))
      #expect(Array(parsed.render().utf8) == Array(rendered.utf8))
    }
  }

  @Test(
    "A sample keeps its line feeds at the end, or their absence",
    arguments: ["", "a", "a\n", "\n", "\n\n", "a\n\n", "end", "end\n", "no final newline", "a\r\n"]
  )
  func keepsLineEnds(sample: String) throws {
    let rendered = makeCase(sample: sample).render()
    #expect(Array(try CaseFile.parse(rendered).sample.utf8) == Array(sample.utf8))
    #expect(rendered.utf8.count { $0 == 0x0a } >= 8)
  }

  @Test("Choices are wrapped at 100 columns, and runs are written once")
  func wraps() throws {
    let numbers = (0..<200).map { Choice(value: $0, limit: 1_000) }
    let zeros = Array(repeating: Choice(value: 0, limit: 0), count: 5_000)
    let file = makeCase(choices: numbers + zeros + numbers)
    let lines = file.render().split(separator: "\n")
    #expect(lines.allSatisfy { $0.count <= 100 })
    #expect(lines.contains { $0.count > 90 })
    #expect(file.render().contains(" 0/0x5000 "))
    #expect(try CaseFile.parse(file.render()) == file)
  }

  @Test("Control, format and border characters of a header are escapes")
  func escapes() throws {
    let note = " a\nb\r\tc\\d\u{0}\u{7f}\u{200d}\u{202e}\u{feff}\u{10ffff}é "
    let rendered = makeCase(note: note).render()
    let line = try #require(rendered.split(separator: "\n").first { $0.hasPrefix("note") })
    #expect(
      line == #"note: \u{20}a\nb\r\tc\\d\u{0}\u{7f}\u{200d}\u{202e}\u{feff}\u{10ffff}é\u{20}"#
    )
    #expect(try CaseFile.parse(rendered)[.note] == note)
  }

  @Test("Headers of a later program are kept where they stand")
  func keepsUnknownHeaders() throws {
    let text = example.replacing("kind:", with: "x-new 2: a: b\nkind:")
    let file = try CaseFile.parse(text)
    #expect(file.headers.contains(CaseFile.Header(key: "x-new 2", value: "a: b")))
    #expect(file.render() == text)
  }

  @Test("Blank lines may have lost or gained their indentation")
  func acceptsIndentedBlankLines() throws {
    let indented = example.replacing("1\n\n", with: "1\n  \n")
    #expect(try CaseFile.parse(indented) == CaseFile.parse(example))
  }

  struct Refusal: Sendable, CustomTestStringConvertible {
    let old: String
    let new: String
    let line: Int
    let reason: CaseFileError.Reason

    init(_ old: String, _ new: String, line: Int, _ reason: CaseFileError.Reason) {
      self.old = old
      self.new = new
      self.line = line
      self.reason = reason
    }

    var testDescription: String { "\(old) -> \(new)" }
  }

  @Test(
    "Damage is refused with its line and reason",
    arguments: [
      Refusal(example, "", line: 1, .notACaseFile),
      Refusal("touchstone case 1", "touchstone", line: 1, .notACaseFile),
      Refusal("touchstone case 1", "touchstone case 2", line: 1, .unsupportedVersion),
      Refusal("touchstone case 1", "touchstone case 1\r", line: 1, .unsupportedVersion),
      Refusal("law: merge.commutes\n", "", line: 5, .missingHeader(key: "law")),
      Refusal("law: ", "law:", line: 2, .malformedHeader),
      Refusal("law:", "Law:", line: 2, .malformedHeader),
      Refusal("law:", ":", line: 2, .malformedHeader),
      Refusal("law", "law ", line: 2, .malformedHeader),
      Refusal("kind", "law", line: 4, .duplicateHeader(key: "law")),
      Refusal("map.winner", "map.winner\r", line: 4, .unescapedCharacter),
      Refusal("map.winner", "map\u{202e}.winner", line: 4, .unescapedCharacter),
      Refusal("map.winner", #"map\"#, line: 4, .malformedEscape),
      Refusal("map.winner", #"map\q"#, line: 4, .malformedEscape),
      Refusal("map.winner", #"map\u"#, line: 4, .malformedEscape),
      Refusal("map.winner", #"map\u{"#, line: 4, .malformedEscape),
      Refusal("map.winner", #"map\u{}"#, line: 4, .malformedEscape),
      Refusal("map.winner", #"map\u{+1}"#, line: 4, .malformedEscape),
      Refusal("map.winner", #"map\u{d800}"#, line: 4, .malformedEscape),
      Refusal("map.winner", #"map\u{110000}"#, line: 4, .malformedEscape),
      Refusal("map.winner", #"map\u{0000041}"#, line: 4, .malformedEscape),
      Refusal("0x2a", "0x", line: 5, .malformedSeed),
      Refusal("0x2a", "+1", line: 5, .malformedSeed),
      Refusal("0x2a", "18446744073709551616", line: 5, .malformedSeed),
      Refusal("choices:", "choices: 1/1", line: 6, .malformedHeader),
      Refusal("choices:\n", "", line: 6, .malformedHeader),
      Refusal("4/9", "4", line: 7, .malformedChoice(number: 2)),
      Refusal("4/9", "4/", line: 7, .malformedChoice(number: 2)),
      Refusal("4/9", "/9", line: 7, .malformedChoice(number: 2)),
      Refusal("4/9", "+4/9", line: 7, .malformedChoice(number: 2)),
      Refusal("4/9", "4/9/9", line: 7, .malformedChoice(number: 2)),
      Refusal("4/9", "4/9x", line: 7, .malformedChoice(number: 2)),
      Refusal("4/9", "4/9x0", line: 7, .malformedChoice(number: 2)),
      Refusal("4/9", "4/9x2x2", line: 7, .malformedChoice(number: 2)),
      Refusal("4/9", "4/4294967296", line: 7, .malformedChoice(number: 2)),
      Refusal("4/9", "4/9x9223372036854775808", line: 7, .malformedChoice(number: 2)),
      Refusal("4/9", "10/9", line: 7, .choiceAboveLimit(value: 10, limit: 9)),
      Refusal("4/9", "4/9x1048572", line: 7, .tooManyChoices(limit: 1_048_576)),
      Refusal("4/9", "4/9x9223372036854775807", line: 7, .tooManyChoices(limit: 1_048_576)),
      Refusal("sample: history 1", "sample:", line: 8, .missingSample),
      Refusal("sample: history 1", "note: x", line: 8, .missingSample),
      Refusal("    indented", " indented", line: 11, .unindentedSampleLine),
      Refusal("    indented\nend\n", "no final newline\n", line: 12, .missingEnd),
      Refusal("end\n", "no final newline\nx\n", line: 13, .unindentedSampleLine),
      Refusal("end\n", "", line: 12, .missingEnd),
      Refusal("end\n", "End\n", line: 12, .unindentedSampleLine),
      Refusal("end\n", "end\n\n", line: 13, .textAfterEnd),
    ]
  )
  func refuses(_ refusal: Refusal) {
    #expect(example.contains(refusal.old))
    let text = example.replacing(refusal.old, with: refusal.new, maxReplacements: 1)
    let error = #expect(throws: CaseFileError.self) { try CaseFile.parse(text) }
    #expect(error?.reason == refusal.reason)
    #expect(error?.line == refusal.line)
  }
}

extension CaseFileTests {
  @Test("The number of choices is taken up to its limit")
  func takesManyChoices() throws {
    let text = example.replacing("4/9", with: "4/9x1048571")
    #expect(try CaseFile.parse(text).choices.count == Choices.recordedLimit)
  }

  @Test("Bytes that are not UTF-8, and too many of them, are refused")
  func refusesBytes() {
    let invalid = #expect(throws: CaseFileError.self) {
      try CaseFile.parse(utf8: Array(example.utf8) + [0xc3])
    }
    #expect(invalid?.reason == .notUTF8)
    let blank = [UInt8](repeating: 0x0a, count: CaseFile.byteCountLimit)
    let atLimit = #expect(throws: CaseFileError.self) { try CaseFile.parse(utf8: blank) }
    #expect(atLimit?.reason == .notACaseFile)
    let long = #expect(throws: CaseFileError.self) { try CaseFile.parse(utf8: blank + [0x0a]) }
    #expect(long?.reason == .tooLong(limit: CaseFile.byteCountLimit))
  }

  @Test("A file cut or changed at any byte is read or refused, and never traps", arguments: 0..<8)
  func survivesDamage(seed: Int) throws {
    let bytes = Array(example.utf8)
    var choices = Choices(seed: Seed(value: UInt64(seed)))
    var refusals = 0
    for cut in bytes.indices {
      if (try? CaseFile.parse(utf8: Array(bytes[..<cut]))) == nil { refusals += 1 }
      var changed = bytes
      changed[cut] = UInt8(choices.number(in: 0...255, bias: .edges))
      if let file = try? CaseFile.parse(utf8: changed) {
        #expect(try CaseFile.parse(file.render()) == file)
      } else {
        refusals += 1
      }
    }
    // Only without its last line feed is a shortened file still whole.
    #expect(refusals >= bytes.count - 1)
  }

  @Test("Keys that a file cannot hold are our own mistake")
  func trapsOnKeys() async {
    await #expect(processExitsWith: .failure) {
      _ = CaseFile.Header(key: "choices", value: "")
    }
    await #expect(processExitsWith: .success) {
      _ = CaseFile.Header(key: "choices of mine", value: "")
    }
  }

  @Test("A case that no file can hold is our own mistake")
  func trapsOnCases() async {
    await #expect(processExitsWith: .failure) { Self.makeCase(format: "", choiceCount: 0) }
    await #expect(processExitsWith: .failure) {
      Self.makeCase(format: "text 1", choiceCount: Choices.recordedLimit + 1)
    }
    await #expect(processExitsWith: .success) {
      Self.makeCase(format: "text 1", choiceCount: Choices.recordedLimit)
    }
  }

  private static func makeCase(format: String, choiceCount: Int) {
    _ = CaseFile(
      law: "a.b",
      subjects: [],
      kind: "a",
      seed: nil,
      choices: Array(repeating: Choice(value: 0, limit: 0), count: choiceCount),
      sampleFormat: FormName(text: format),
      sample: ""
    )
  }
}
