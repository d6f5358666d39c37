import Foundation
import Testing

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
    let code = try Self.lines(
      String(
        contentsOf: Self.root.appendingPathComponent("Tests/TouchstoneTests/Snippets.swift"),
        encoding: .utf8
      )
    )
    var count = 0
    for name in names where name.hasSuffix(".md") {
      let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
      for snippet in Self.snippets(text) {
        count += 1
        let isFound = code.indices.contains { code[$0...].starts(with: snippet) }
        #expect(isFound, "\(name): \(snippet.joined(separator: "\n"))")
      }
    }
    #expect(names.filter { $0.hasSuffix(".md") }.count == 8)
    #expect(count >= 14)
  }
}
