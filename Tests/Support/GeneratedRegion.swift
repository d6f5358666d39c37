package import Foundation
package import Testing

/// A part of an article that code writes.
///
/// It stands between two lines:
///
///     <!-- generated: modules -->
///     ...
///     <!-- end -->
///
/// What stands there is compared with what the code says now. With `TOUCHSTONE_GENERATE` set it is
/// rewritten instead, which is what `Scripts/generate.sh` does.
package struct GeneratedRegion {
  /// Why a text has no such region.
  package enum Unreadable: Error, Equatable {
    case noBeginning(String)
    case noEnd(String)
  }

  package let name: String

  package init(_ name: String) { self.name = name }

  /// The text with `body` in the region; the same text if it stands there already.
  ///
  /// - Throws: ``Unreadable`` if one of the two lines is missing.
  package func replaced(in text: String, with body: String) throws(Unreadable) -> String {
    guard let start = text.range(of: "<!-- generated: \(name) -->\n") else {
      throw .noBeginning(name)
    }
    guard let end = text.range(of: "<!-- end -->", range: start.upperBound..<text.endIndex) else {
      throw .noEnd(name)
    }
    let inner = body.trimmingCharacters(in: .newlines)
    return text[..<start.upperBound] + "\n\(inner)\n\n" + text[end.lowerBound...]
  }
}

/// Holds a region of an article below `root` to what the code says, or writes it.
package func expectGenerated(
  _ name: String,
  in path: String,
  below root: URL,
  _ body: String,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let file = root.appendingPathComponent(path)
  let text = try String(contentsOf: file, encoding: .utf8)
  let now = try GeneratedRegion(name).replaced(in: text, with: body)
  guard now != text else { return }
  if ProcessInfo.processInfo.environment["TOUCHSTONE_GENERATE"] != nil {
    try now.write(to: file, atomically: true, encoding: .utf8)
  } else {
    Issue.record(
      "\(path): the region \"\(name)\" is stale; Scripts/generate.sh writes it",
      sourceLocation: sourceLocation
    )
  }
}

/// A table of Markdown.
package func markdownTable(_ titles: [String], _ rows: [[String]]) -> String {
  // A sign of the language in a cell would end it.
  let lines = ([titles, titles.map { _ in "---" }] + rows).map { cells in
    "| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |"
  }
  return lines.joined(separator: "\n").replacing("| --- ", with: "|---").replacing(
    "--- |",
    with: "---|"
  )
}
