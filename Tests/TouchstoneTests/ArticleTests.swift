import Foundation
import Testing
import Touchstone

@Suite("Articles")
struct ArticleTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Lines without the blanks around them, and without empty ones: articles and code differ in how far
  /// they are indented.
  private static func lines(_ text: some StringProtocol) -> [String] {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }
  }

  /// The blocks of Swift in an article.
  private static func snippets(_ text: String) -> [[String]] {
    text.components(separatedBy: "```swift\n").dropFirst().map { part in
      lines(part.components(separatedBy: "```").first ?? "")
    }
  }

  @Test("Every snippet of the articles is code that is compiled here, word for word")
  func snippets() throws {
    let folder = Self.root.appendingPathComponent("Sources/Touchstone/Touchstone.docc")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    // What is of XCTest is compiled where XCTest runs.
    let sources = [
      "Tests/TouchstoneTests/Snippets.swift",
      "Examples/MeetingNotes/Tests/MeetingNotesTests/MeetingTestCase.swift",
    ]
    let code = try sources.flatMap { path in
      try Self.lines(String(contentsOf: Self.root.appendingPathComponent(path), encoding: .utf8))
    }
    var count = 0
    for name in names where name.hasSuffix(".md") {
      let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
      for snippet in Self.snippets(text) {
        count += 1
        let isFound = code.indices.contains { code[$0...].starts(with: snippet) }
        #expect(isFound, "\(name): \(snippet.joined(separator: "\n"))")
      }
    }
    #expect(names.filter { $0.hasSuffix(".md") }.count == 11)
    #expect(count >= 8)
  }

  /// Where the code of the tutorial is compiled, by the name of the file that it shows.
  private static let compiled = [
    "Diary.swift": "TutorialTests/Diary.swift",
    "ForgetfulNote-broken.swift": "BrokenTests/ForgetfulNote.swift",
    "ForgetfulNote-mended.swift": "TutorialTests/ForgetfulNote.swift",
    "Note.swift": "TutorialTests/Note.swift",
    "NoteDrift.swift": "TutorialTests/NoteDrift.swift",
    "NoteTests.swift": "TutorialTests/NoteTests.swift",
    "Shape.swift": "TutorialTests/Shape.swift",
  ]

  @Test("Each file that the tutorial shows is one of the example's, byte for byte")
  func tutorial() throws {
    let catalogue = Self.root.appendingPathComponent("Sources/Touchstone/Touchstone.docc")
    let tests = Self.root.appendingPathComponent("Examples/MeetingNotes/Tests")
    let resources = catalogue.appendingPathComponent("Resources")
    let names = try FileManager.default.contentsOfDirectory(atPath: resources.path)
    #expect(Set(names.filter { $0.hasSuffix(".swift") }) == Set(Self.compiled.keys))
    for (name, path) in Self.compiled.sorted(by: { $0.key < $1.key }) {
      let shown = try Data(contentsOf: resources.appendingPathComponent(name))
      let file = try Data(contentsOf: tests.appendingPathComponent(path))
      #expect(shown == file, "cp Examples/MeetingNotes/Tests/\(path) \(resources.path)/\(name)")
    }
    let text = try String(
      contentsOf: catalogue.appendingPathComponent("proving-a-model.tutorial"),
      encoding: .utf8
    )
    for name in names where !name.hasSuffix(".svg") {
      #expect(text.contains("file: \"\(name)\""), "\(name) is not shown")
    }
    // Every file of the example's tutorial is shown.
    let folder = tests.appendingPathComponent("TutorialTests")
    let written = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    for name in written where name.hasSuffix(".swift") {
      #expect(Self.compiled.values.contains("TutorialTests/\(name)"), "\(name)")
    }
  }

  @Test("The schema that the tutorial keeps is the note's")
  func schema() throws {
    let outcome = try silentDrift(
      of: Snippets.Note.self,
      since: "Schemas/Note.json",
      in: Self.root.appendingPathComponent("Examples/MeetingNotes/Tests/TutorialTests").path
    )
    #expect(outcome == .unchanged)
  }
}
