import Campaigns
import Foundation
import PropertyEngine
import Testing

/// Tables that are written by hand, and name all that code has.
@Suite("Tables of articles that people write")
struct ListedTableTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The names in backticks in the first column of the table with this head.
  private func names(in path: String, below head: String) throws -> [String] {
    let file = Self.root.appendingPathComponent(path)
    let text = try String(contentsOf: file, encoding: .utf8)
    let rest = try #require(text.components(separatedBy: head + "\n").dropFirst().first)
    return rest.split(separator: "\n", omittingEmptySubsequences: false)
      .prefix { $0.hasPrefix("|") }
      .compactMap { $0.split(separator: "|").first }
      .flatMap { $0.matches(of: /`([^`]+)`/).map { String($0.output.1) } }
  }

  @Test("Every header of a case file is listed once, and no other")
  func headers() throws {
    let listed = try names(in: "Documentation/CaseFiles.md", below: "| header | means | |")
    #expect(listed.sorted() == CaseFile.Key.allCases.map(\.rawValue).sorted())
  }

  @Test("Every subject is listed once, and no other")
  func subjects() throws {
    let listed = try names(in: "Documentation/Subjects.md", below: "| id | what it is |")
    let adapters = Self.root.appendingPathComponent("Adapters")
    let folders = try FileManager.default.contentsOfDirectory(atPath: adapters.path).filter {
      FileManager.default.fileExists(
        atPath: adapters.appendingPathComponent("\($0)/adapter.json").path
      )
    }
    // The program brings `engine-tight`, and `mutant:ID` stands for many.
    let expected = folders + SubjectRegistry.builtInIDs + ["engine-tight", "mutant:ID"]
    #expect(listed.sorted() == expected.sorted())
  }
}
