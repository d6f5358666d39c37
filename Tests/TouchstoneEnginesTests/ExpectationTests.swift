import Foundation
import Testing
import TouchstoneEngines

@Suite("Expectations")
struct ExpectationTests {
  /// A delete that meets a put: a wrong subject removes both.
  private static let history = """
    history 1
    base objects
    replicas 2
    healing merge
    r0 delete root "l"
    r1 put root "l" int 0
    """

  private static let caseText = """
    touchstone case 1
    law: network.converges
    subjects: mutant:delete-hides-concurrent-put, naive
    kind: key
    choices:
    sample: history 1
    \(history.split(separator: "\n").map { "  \($0)" }.joined(separator: "\n"))
    end

    """

  /// The path of a folder that is not there yet.
  private static func folder() -> URL {
    FileManager.default.temporaryDirectory.appendingPathComponent("touchstone-\(UUID().uuidString)")
  }

  /// A line of a test's file in a folder.
  private static func place(in folder: URL) -> SourceLocation {
    SourceLocation(
      fileID: "TouchstoneTests/NoteTests.swift",
      filePath: folder.appendingPathComponent("NoteTests.swift").path,
      line: 1,
      column: 1
    )
  }

  /// Whether an issue's words hold all of these.
  private func says(_ issue: Issue, _ words: String...) -> Bool {
    let text = issue.comments.map(\.rawValue).joined()
    return words.allSatisfy { text.contains($0) }
  }

  @Test("A history that breaks its law is an issue: law, difference, diagram, and how to replay it")
  func broken() async throws {
    try await withKnownIssue {
      try await expectLaw(
        "network.converges",
        of: "mutant:delete-hides-concurrent-put",
        against: "naive",
        on: Self.history
      )
    } matching: { issue in
      says(
        issue,
        "network.converges is violated on mutant:delete-hides-concurrent-put against naive",
        "the keys differ at /",
        "\n  Compared: r0 after healing, with r1 after healing.\n",
        "   1  ●   │   delete root \"l\"",
        "replay: swift test --filter broken\n",
        "or:     touchstone replay ",
        ".case"
      )
    }
  }

  @Test("A case file is judged as the history in it is")
  func replayed() async throws {
    try await withKnownIssue {
      try await expectReplay(of: Self.caseText)
    } matching: { issue in
      says(issue, "network.converges is violated", "the keys differ at /")
    }
    let right = Self.caseText.replacing("mutant:delete-hides-concurrent-put, naive", with: "naive")
    try await expectReplay(of: right)
  }

  @Test("A case file is judged by its path, from the folder of the test's file")
  func replayedFile() async throws {
    let folder = Self.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(Self.caseText.utf8).write(to: folder.appendingPathComponent("delete.case"))
    let place = Self.place(in: folder)
    for path in ["delete.case", folder.appendingPathComponent("delete.case").path] {
      try await withKnownIssue {
        try await expectReplay(ofFile: path, sourceLocation: place)
      } matching: { issue in
        says(
          issue,
          "network.converges is violated",
          "the keys differ at /",
          "or:     touchstone replay \(folder.path)/delete.case"
        )
      }
    }
    let missing = await #expect(throws: JudgementError.self) {
      try await expectReplay(ofFile: "none.case", sourceLocation: place)
    }
    let none = folder.appendingPathComponent("none.case").path
    #expect(missing?.description == "this cannot be read: \(none): there is no such file")
    try Data("junk\n".utf8).write(to: folder.appendingPathComponent("none.case"))
    let junk = await #expect(throws: JudgementError.self) {
      try await expectReplay(ofFile: "none.case", sourceLocation: place)
    }
    #expect(junk?.description.hasPrefix("this cannot be read: \(none): line 1: ") == true)
  }

  /// A sample of a law of coders, as reports and reproducers write it.
  private static let sample = """
    {
      "model": "WideIntegers",
      "numbers": [],
      "trees": [int 128],
      "values": [{"list": [], "signed": int 0, "small": int 0, "unsigned": uint 0}]
    }
    """

  @Test("A sample of a coder is an issue if it breaks its law, and no issue if it keeps it")
  func coders() async throws {
    try await expectLaw("integers.out-of-range", of: "document-coder", on: Self.sample)
    try await withKnownIssue {
      try await expectLaw("integers.out-of-range", of: "mutant:integers-wrap", on: Self.sample)
    } matching: { issue in
      says(
        issue,
        "integers.out-of-range is violated on mutant:integers-wrap",
        "int 128 was decoded into an Int8",
        "\"model\": \"WideIntegers\"",
        "replay: swift test --filter coders\nor:     touchstone replay "
      )
    }
    await #expect(throws: JudgementError.self) {
      try await expectLaw("integers.out-of-range", of: "document-coder", on: "{}")
    }
    await #expect(throws: JudgementError.self) {
      try await expectLaw("text.merges", of: "foundation-json", on: Self.sample)
    }
  }

  private static let records = "numbers" + String(repeating: " 0", count: 80)
  private static let store = """
    level data
    crash 0 process 0
    again 0 process 0
    refuse 0 0 0
    damage 0 flip 0
    numbers 0 0
    """

  @Test(
    "A sample of any catalogue is judged as what its law asks for",
    arguments: [
      ("record.bytes-return", "record-sync", records),
      ("store.space-bounded", "local-store", store),
      ("storage.canonical", "engine", history + "\npicks 1 2\n"),
      // Part of every law: the sample says which.
      ("subject.answers", "record-sync", records),
      ("subject.answers", "local-store", store),
      ("subject.answers", "document-coder", sample),
      ("subject.answers", "engine", history),
    ]
  )
  func catalogues(_ law: String, _ subject: String, _ text: String) async throws {
    try await expectLaw(law, of: subject, on: text)
  }

  @Test("A sample of records that breaks its law is an issue")
  func brokenRecord() async throws {
    let numbers = Self.records.replacing("numbers 0 0", with: "numbers 0 1")
    try await withKnownIssue {
      try await expectLaw("record.bytes-return", of: "mutant:record-marks-not-stored", on: numbers)
    } matching: { issue in
      says(issue, "record.bytes-return is violated on mutant:record-marks-not-stored")
    }
  }

  @Test("A history that keeps its law is no issue, on any subject")
  func kept() async throws {
    for subject in ["naive", "engine"] {
      try await expectLaw("network.converges", of: subject, on: Self.history)
    }
  }

  /// What the issues of a wrong subject say, whose test stands in a folder.
  private static func told(in folder: URL, cases: Int = 60) async throws -> [String] {
    let place = place(in: folder)
    // A detached task belongs to no test: its issues are thrown.
    let failed = await #expect(throws: ExpectationFailed.self) {
      try await Task.detached {
        try await expectLaws(
          of: "mutant:delete-hides-concurrent-put",
          matching: ["network.converges"],
          cases: cases,
          seed: 3,
          sourceLocation: place
        )
      }.value
    }
    return failed?.messages ?? []
  }

  @Test("Random histories find a wrong subject, make the history small, and store it")
  func random() async throws {
    let folder = Self.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let told = try await Self.told(in: folder)
    let text = try #require(told.first)
    #expect(text.hasPrefix("network.converges is violated"), "\(text)")
    #expect(text.contains("\n  Compared: r0 after healing, with r"), "\(text)")
    #expect(text.contains(/\nfound by case \d+ of seed 0x3, shrunk to \d/), "\(text)")
    let cases = folder.appendingPathComponent("__Touchstone__")
    let names = try FileManager.default.contentsOfDirectory(atPath: cases.path)
    #expect(names.count == told.count)
    let name = try #require(names.first { text.contains($0) })
    #expect(name.hasPrefix("mutant-delete-hides-concurrent-put--network.converges--"))
    let path = cases.appendingPathComponent(name).path
    let ending = """

      stored: \(path) (tried first from now on)
      replay: TOUCHSTONE_REPLAY=\(path) swift test --filter NoteTests
      or:     touchstone replay \(path)
      """
    #expect(text.hasSuffix(ending), "\(text)")
    // The case that is stored has its choices, so that it can be made smaller still.
    let stored = try String(contentsOfFile: path, encoding: .utf8)
    #expect(stored.contains("\nchoices:\n  "))
    #expect(stored.contains("\ntest: NoteTests\n"))
    // What a stored case shows is not told, and not stored, a second time.
    let again = try await Self.told(in: folder)
    #expect(again.count == told.count)
    #expect(again.allSatisfy { $0.contains("(found by an earlier run)") }, "\(again)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: cases.path).count == names.count)
  }

  @Test("A stored case of a subject is tried first, by those laws that the test asks for")
  func stored() async throws {
    let folder = Self.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let cases = folder.appendingPathComponent("__Touchstone__")
    let name = "mutant-delete-hides-concurrent-put--network.converges--key.case"
    let file = cases.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: cases, withIntermediateDirectories: true)
    try Data(Self.caseText.utf8).write(to: file)
    // So few histories show nothing by themselves.
    let told = try await Self.told(in: folder, cases: 1)
    #expect(told.count == 1)
    #expect(told.first?.contains("\nstored: \(file.path) (found by an earlier run)\n") == true)
    #expect(try String(contentsOf: file, encoding: .utf8) == Self.caseText)
    let place = Self.place(in: folder)
    try await expectLaws(
      of: "mutant:delete-hides-concurrent-put",
      matching: ["calls.succeed"],
      cases: 10,
      sourceLocation: place
    )
    // A case that holds guards, and says nothing.
    let right = Self.caseText.replacing("mutant:delete-hides-concurrent-put, naive", with: "naive")
    let guardFile = cases.appendingPathComponent("naive--network.converges--key.case")
    try Data(right.utf8).write(to: guardFile)
    try await expectLaws(of: "naive", matching: ["network.*"], cases: 10, sourceLocation: place)
  }

  @Test("What cannot be judged is an error, and never passes")
  func refused() async throws {
    let history = Self.history
    await #expect(throws: JudgementError.unknownLaw("no.law")) {
      try await expectLaw("no.law", of: "naive", on: history)
    }
    await #expect(throws: JudgementError.unknownLaw("no.*")) {
      try await expectLaws(of: "naive", matching: ["no.*"])
    }
    await #expect(throws: JudgementError.unknownSubject("nobody")) {
      try await expectLaw("network.converges", of: "nobody", on: history)
    }
    await #expect(throws: JudgementError.unknownSubject("mutant:nobody")) {
      try await expectLaws(of: "mutant:nobody")
    }
    let unreadable = await #expect(throws: JudgementError.self) {
      try await expectLaw("network.converges", of: "naive", on: "history 1\nbase nothing\n")
    }
    guard case .unreadable(let reason)? = unreadable else {
      Issue.record("\(String(describing: unreadable))")
      return
    }
    #expect(reason.contains("line 2"))
    let noCase = await #expect(throws: JudgementError.self) {
      try await expectReplay(of: "touchstone case 9\n")
    }
    #expect(noCase?.description.hasPrefix("this cannot be read: ") == true)
    // A law of agreement says nothing of the oracle itself.
    let skipped = await #expect(throws: JudgementError.self) {
      try await expectLaw("agreement.states", of: "naive", on: history)
    }
    #expect(skipped?.description.hasPrefix("the law agreement.states was not judged") == true)
  }
}
