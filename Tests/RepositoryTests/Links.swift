import Foundation

/// Links of articles that lead to a file or heading that is not there.
///
/// Looked at are `[text](path#heading)` in every Markdown file; links to the web are left alone.
func linkBreaches(in repository: Repository) throws -> [Breach] {
  var anchors: [String: Set<String>] = [:]
  for path in repository.paths where path.hasSuffix(".md") {
    anchors[path] = Set(headings(in: try repository.text(at: path)).keys.map(anchor))
  }
  let folders = Set(
    repository.paths.flatMap { path -> [String] in
      let parts = path.split(separator: "/")
      return parts.indices.dropFirst().map { parts[..<$0].joined(separator: "/") }
    }
  )
  var breaches: [Breach] = []
  for path in repository.paths where path.hasSuffix(".md") {
    var isCode = false
    let lines = try repository.text(at: path).split(
      separator: "\n",
      omittingEmptySubsequences: false
    )
    for (index, line) in lines.enumerated() {
      if line.hasPrefix("```") { isCode.toggle() }
      guard !isCode else { continue }
      for match in line.matches(of: /\]\(([^)\s]+)\)/) {
        let link = String(match.output.1)
        guard !link.contains("://"), !link.hasPrefix("mailto:"), !link.hasPrefix("<") else {
          continue
        }
        let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let target = parts[0].isEmpty ? path : resolve(String(parts[0]), from: path)
        if !repository.paths.contains(target), !folders.contains(target) {
          breaches.append(Breach(path, line: index + 1, "leads to \(target), which is not there"))
        } else if parts.count == 2, let known = anchors[target], !known.contains(String(parts[1])) {
          breaches.append(Breach(path, line: index + 1, "\(target) has no heading #\(parts[1])"))
        }
      }
    }
  }
  return breaches
}

/// `b/../c.md` seen from a file, as a path from the root.
private func resolve(_ link: String, from path: String) -> String {
  var parts = path.split(separator: "/").dropLast().map(String.init)
  for part in link.split(separator: "/") {
    switch part {
    case ".": break
    case "..": _ = parts.popLast()
    default: parts.append(String(part))
    }
  }
  return parts.joined(separator: "/")
}

/// How GitHub names the place of a heading: small letters, hyphens for spaces, no other signs.
func anchor(_ heading: String) -> String {
  String(
    heading.lowercased().compactMap { character in
      if character == " " { return "-" }
      return character.isLetter || character.isNumber || character == "-" || character == "_"
        ? character : nil
    }
  )
}
