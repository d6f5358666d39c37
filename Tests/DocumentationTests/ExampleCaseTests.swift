import Campaigns
import Foundation
import Histories
import PropertyEngine
import Subjects
import Testing

/// The case that the articles show, and explain choice by choice.
@Suite("The example of a case")
struct ExampleCaseTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private static func article(_ name: String) throws -> String {
    let file = root.appendingPathComponent("Documentation/\(name)")
    return try String(contentsOf: file, encoding: .utf8)
  }

  /// The block of text in the article of case files that comes from a report.
  private static func file() throws -> CaseFile {
    let text = try article("CaseFiles.md")
    let block = try #require(text.firstMatch(of: /```text\n(touchstone case 1\n[\s\S]+?)```/))
    return try CaseFile.parse(String(block.output.1))
  }

  @Test("The case is as a report writes it, and violates its law as it says")
  func violates() throws {
    let file = try Self.file()
    #expect(try Self.article("CaseFiles.md").contains(file.render()))
    let registry = SubjectRegistry(adapters: nil)
    let lanes = registry.lanes(try registry.find(file.subjects))
    guard case .violated(let difference) = try Replay(lanes: lanes).run(file).verdict else {
      Issue.record("\(file.law) holds")
      return
    }
    #expect(difference.kind == file.kind)
    #expect(difference.expected == file[.expected] && difference.actual == file[.actual])
  }

  @Test("The choices make the history that the case shows, and nothing is left of them")
  func decodes() throws {
    let file = try Self.file()
    // Subjects that read states at some cost, as mutants do, get no large worlds.
    let generator = Generator.histories(HistoryLimits(largeWorlds: false))
    var choices = Choices(replaying: file.choices.map(\.value))
    let history = normalise(generator.draw(&choices)).history
    #expect(history == (try Replay.history(of: file)))
    #expect(
      choices.recorded == file.choices,
      "make the case anew (touchstone check), and the table of Choices.md with it"
    )
  }

  @Test("The article of choices has those of the case, in whole and in the rows of its table")
  func explains() throws {
    let text = try Self.article("Choices.md")
    let shown = try #require(text.firstMatch(of: /```text\n([\s\S]+?)```/)).output.1
    let head = "| choices | decide |\n|---|---|\n"
    let table = try #require(text.components(separatedBy: head).dropFirst().first)
    let rows = table.split(separator: "\n\n")[0].matches(of: /(?m)^\| `([^`]+)` \|/)
      .map { String($0.output.1) }
    let choices = try Self.file().choices
    #expect(Self.items(of: String(shown)) == choices.map { "\($0.value)/\($0.limit)" })
    #expect(Self.items(of: rows.joined(separator: " ")) == Self.items(of: String(shown)))
  }

  /// `1/1 0/2x2` as `1/1`, `0/2`, `0/2`.
  private static func items(of text: String) -> [String] {
    text.split(whereSeparator: \.isWhitespace).flatMap { item -> [String] in
      let parts = item.split(separator: "x")
      let count = parts.count > 1 ? Int(parts[1]) ?? 0 : 1
      return Array(repeating: String(parts[0]), count: count)
    }
  }
}
