import Foundation

/// Sources that cannot be opened: a file, a heading or a decision that is not there.
///
/// Looked at are `Specification/<File>.md, "<Heading>", "<Heading>"` wherever it stands in Swift
/// code or in an article, any other article that a comment names, the calls of `LawSource`
/// (`.specification(.codable, "Dates")`, `.document`, `.decision`, `.fixtures`, `.requirement`),
/// `Source:` comments, which must name a place in the repository, a standard, a paper with its year,
/// or a project, and sections by number, which no document of ours has.
func citationBreaches(in repository: Repository) throws -> [Breach] {
  let library = try Library(repository)
  var breaches: [Breach] = []
  for path in repository.paths where !path.hasPrefix("Tests/RepositoryTests/") {
    if path.hasSuffix(".swift") {
      let text = try repository.text(at: path)
      breaches += library.calls(in: text, path)
      for comment in comments(in: text) where mayCite(comment.text) {
        breaches += library.mentions(in: comment.text, path, comment.line)
        breaches += library.files(in: comment.text, path, comment.line)
        breaches += library.source(in: comment.text, path, comment.line)
        breaches += library.section(in: comment.text, path, comment.line)
      }
    } else if path.hasSuffix(".md"), !path.hasPrefix("Documentation/Specification/") {
      let text = try repository.text(at: path)
      for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
        .enumerated()
      {
        breaches += library.mentions(in: String(line), path, index + 1)
      }
    }
  }
  return breaches
}

/// Whether a comment holds any of what the rules look for: bytes are searched in an instant, and patterns of all
/// comments in half a minute.
private func mayCite(_ text: String) -> Bool {
  let bytes = Data(text.utf8)
  return [".md", "Source: ", "ection ", "ections "].contains { word in
    bytes.range(of: Data(word.utf8)) != nil
  }
}

/// A run of `//` or `///` lines, as one line of text.
private struct Comment {
  var text: String
  /// Of its first line, counted from 1.
  let line: Int
}

private func comments(in source: String) -> [Comment] {
  var found: [Comment] = []
  var isOpen = false
  for (index, line) in source.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
  {
    let start = line.drop { $0 == " " }
    guard start.hasPrefix("//") else {
      isOpen = false
      continue
    }
    let text = start.drop { $0 == "/" }.drop { $0 == " " }
    if isOpen, !text.isEmpty {
      found[found.count - 1].text += " " + text
    } else {
      found.append(Comment(text: String(text), line: index + 1))
    }
    isOpen = !text.isEmpty
  }
  return found
}

/// What there is to cite.
private struct Library {
  private let paths: [String]
  /// The headings of each article, and how many numbered items follow each.
  private var articles: [String: [String: Int]] = [:]

  init(_ repository: Repository) throws {
    paths = repository.paths
    for path in paths where path.hasPrefix("Documentation/") && path.hasSuffix(".md") {
      articles[path] = headings(in: try repository.text(at: path))
    }
  }

  // MARK: - Comments and articles

  /// `Specification/Semantics.md, "Counters", "Lists"` anywhere.
  func mentions(in text: String, _ path: String, _ line: Int) -> [Breach] {
    text.matches(of: /Specification\/(\w+\.md)((?:, "[^"]+")*)/).flatMap { match in
      let headings = match.output.2.matches(of: /"([^"]+)"/).map { String($0.output.1) }
      return check("Specification/\(match.output.1)", headings, path, line)
    }
  }

  /// Any article or README that a comment names, by its path or the end of it.
  ///
  /// Articles of the specification, and what stands behind `Source:`, have rules of their own.
  func files(in text: String, _ path: String, _ line: Int) -> [Breach] {
    let free = text[..<(text.firstRange(of: "Source: ")?.lowerBound ?? text.endIndex)]
    return free.matches(of: /(?:[\w-]+\/)*[\w-]+\.md\b/).compactMap { match in
      let name = String(match.output)
      if name.contains("Specification/") || Self.written.contains(name) { return nil }
      return paths.contains { $0 == name || $0.hasSuffix("/" + name) }
        ? nil : Breach(path, line: line, "there is no \(name)")
    }
  }

  /// Files that the program writes, and the repository does not have.
  private static let written: Set = ["summary.md"]

  /// What stands behind `Source:`.
  func source(in text: String, _ path: String, _ line: Int) -> [Breach] {
    guard let match = text.firstMatch(of: /\bSource: (.*)/) else { return [] }
    let source = String(match.output.1)
    if let cited = source.firstMatch(of: /`?\b((?:\w+\/)*[\w-]+\.md)/) {
      let file = String(cited.output.1)
      return articles["Documentation/" + file] != nil
        ? [] : [Breach(path, line: line, "there is no Documentation/\(file)")]
    }
    return isForeign(source)
      ? [] : [Breach(path, line: line, "a source that cannot be opened: \(source.prefix(60))")]
  }

  /// `section 5` of nothing: standards and papers have numbered sections, our documents have headings.
  func section(in text: String, _ path: String, _ line: Int) -> [Breach] {
    guard let match = text.firstMatch(of: /\b[Ss]ections? [0-9]+(?:\.[0-9]+)*/), !isForeign(text)
    else {
      return []
    }
    return [Breach(path, line: line, "'\(match.output)' of no document: name its heading")]
  }

  /// Whether a text names a standard, a paper with its year, or a project.
  private func isForeign(_ text: String) -> Bool {
    text.contains(/\b(?:RFC|FIPS|ISO|ECMA|OASIS|Unicode|Swift ABI|proc\(5\))/)
      || text.contains(/\b(?:19|20)[0-9]{2}\b/) || text.contains(/`[\w-]+\/[\w-]+`/)
      || text.contains(/#[0-9]+/)
  }

  // MARK: - Laws

  /// Calls of `LawSource` with literal arguments.
  func calls(in source: String, _ path: String) -> [Breach] {
    let tokens = swiftTokens(of: source)
    return tokens.indices.dropLast(3).flatMap { index -> [Breach] in
      guard tokens[index].isSign("."), tokens[index + 2].isSign("("),
        let name = tokens[index + 1].word
      else { return [] }
      let line = tokens[index + 1].line
      let arguments = literals(in: tokens[(index + 3)...])
      switch name {
      case "specification":
        guard let file = arguments.words.first, !arguments.strings.isEmpty else { return [] }
        let article = "Specification/\(file.prefix(1).uppercased() + file.dropFirst()).md"
        return check(article, arguments.strings, path, line)
          + checkItem(arguments.number, article, arguments.strings[0], path, line)
      case "requirement":
        return checkItem(arguments.number, "Specification/Codable.md", "Requirements", path, line)
      case "document" where arguments.strings.first?.hasSuffix(".md") == true:
        return check(arguments.strings[0], Array(arguments.strings.dropFirst()), path, line)
      case "decision":
        guard let number = arguments.number else { return [] }
        let digits = String(repeating: "0", count: max(0, 4 - "\(number)".count)) + "\(number)"
        return articles.keys.contains { $0.hasPrefix("Documentation/Decisions/\(digits)-") }
          ? [] : [Breach(path, line: line, "there is no decision \(number)")]
      case "fixtures":
        guard let folder = arguments.strings.first else { return [] }
        return paths.contains { $0.hasPrefix("fixtures/\(folder)") }
          ? [] : [Breach(path, line: line, "there is nothing at fixtures/\(folder)")]
      default: return []
      }
    }
  }

  /// The literals of a call's own arguments, up to the parenthesis that closes it.
  private func literals(
    in tokens: ArraySlice<SwiftToken>
  ) -> (words: [String], strings: [String], number: Int?) {
    var words: [String] = []
    var strings: [String] = []
    var number: Int?
    for token in tokens {
      if token.isSign(")") { break }
      switch token.kind {
      case .string(let text): strings.append(text)
      case .word(let text): if let value = Int(text) { number = value } else { words.append(text) }
      case .sign: break
      }
    }
    return (words, strings, number)
  }

  private func check(
    _ file: String,
    _ headings: [String],
    _ path: String,
    _ line: Int
  ) -> [Breach] {
    guard let article = articles["Documentation/" + file] else {
      return [Breach(path, line: line, "there is no Documentation/\(file)")]
    }
    return headings.filter { article[$0] == nil }.map {
      Breach(path, line: line, "\(file) has no heading \"\($0)\"")
    }
  }

  private func checkItem(
    _ number: Int?,
    _ file: String,
    _ heading: String,
    _ path: String,
    _ line: Int
  ) -> [Breach] {
    guard let number, let count = articles["Documentation/" + file]?[heading],
      !(1...max(1, count)).contains(number) || count == 0
    else { return [] }
    return [
      Breach(path, line: line, "\(file), \"\(heading)\" has \(count) items, no item \(number)")
    ]
  }
}

/// Headings of an article, and the number of numbered items between each and the next.
func headings(in article: String) -> [String: Int] {
  var found: [String: Int] = [:]
  var last: String?
  var isCode = false
  for line in article.split(separator: "\n") {
    if line.hasPrefix("```") { isCode.toggle() }
    guard !isCode else { continue }
    if let match = line.wholeMatch(of: /#+ (.*)/) {
      last = String(match.output.1)
      found[String(match.output.1)] = 0
    } else if let last, line.contains(/^[0-9]+\.[ ]/) {
      found[last, default: 0] += 1
    }
  }
  return found
}
