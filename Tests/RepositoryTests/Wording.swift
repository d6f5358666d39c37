import Foundation

/// Files that tell of the machine or the place where they were written, or that read badly.
///
/// The lists hold their entries in two halves, joined at `|`, so that this file does not match
/// itself.
enum Wording {
  /// Starts of absolute paths that exist on one machine only.
  static let machinePaths = ["/wo|rk/", "/ro|ot/", "/ho|me/", "/Us|ers/", "/opt/sw|ift"]
  /// A path out of the clone, to what a stranger does not have.
  static let outside = ["../sha|red/"]
  /// In any case, as whole words.
  static let words = [
    "anthro|pic", "chat|gpt", "clau|de", "copi|lot", "open|ai", "language mod|el",
    "ai assis|tant", "ai-gen|erated", "sub|agent", "this sess|ion", "earlier sess|ion",
    "this work|place", "the work|place",
  ]
  /// Phrases that have to be read twice, and names that say nothing; in any case, as whole words.
  static let unclear = [
    "of wh|ich", "that is no|ne", "it is no|ne", "ever s|o", "miss|tep", "quar|ry",
    "so ma|ny", "someb|ody", "anyb|ody", "everyb|ody", "whoev|er",
  ]
  /// Openings of comments that name no subject; in this case, as whole words.
  static let headless = ["/// Wh|o", "/// Tho|se", "/// By wh|at"]

  private struct Rule {
    let entries: [String]
    /// See ``first(_:in:isPath:)``.
    let isPath: Bool?
    var isInAnyCase = false
    let message: String
  }

  private static let rules = [
    Rule(entries: machinePaths, isPath: true, message: "a path of one machine"),
    Rule(entries: outside, isPath: nil, message: "a path out of the repository"),
    Rule(
      entries: words,
      isPath: false,
      isInAnyCase: true,
      message: "a word that does not belong here"
    ),
    Rule(
      entries: unclear,
      isPath: false,
      isInAnyCase: true,
      message: "plain words say this better"
    ),
    Rule(entries: headless, isPath: false, message: "a sentence needs a subject"),
  ]

  /// Every file with such an entry, once for each entry, at its first place.
  static func breaches(in repository: Repository) throws -> [Breach] {
    var breaches: [Breach] = []
    for path in repository.paths {
      let data = try repository.data(at: path)
      let lowercased = Data(data.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 })
      for rule in rules {
        for text in rule.entries.map(joined) {
          let place = first(text, in: rule.isInAnyCase ? lowercased : data, isPath: rule.isPath)
          guard let place else { continue }
          let line = data.prefix(place).count { $0 == 0x0A } + 1
          breaches.append(Breach(path, line: line, "\(rule.message): \(text)"))
        }
      }
    }
    return breaches
  }

  /// Lines of documentation in `Sources` that say `nil` without backticks, as a word of their own.
  ///
  /// Blocks of code, indented or fenced, are not looked at.
  static func plainNils(in repository: Repository) throws -> [Breach] {
    var breaches: [Breach] = []
    for path in repository.paths where path.hasPrefix("Sources/") && path.hasSuffix(".swift") {
      let text = try repository.text(at: path)
      guard text.contains("nil") else { continue }
      var isCode = false
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      for (index, line) in lines.enumerated() {
        let comment = line.drop { $0 == " " }
        guard comment.hasPrefix("///") else {
          isCode = false
          continue
        }
        let words = comment.dropFirst(3)
        if words.hasPrefix(" ```") { isCode.toggle() }
        guard !isCode, !words.hasPrefix("     "), words.contains("nil") else { continue }
        if saysPlainNil(words) {
          breaches.append(Breach(path, line: index + 1, "write nil in backticks"))
        }
      }
    }
    return breaches
  }

  /// `.nil`, `non-nil` and what stands in backticks are something else.
  private static func saysPlainNil(_ text: Substring) -> Bool {
    // A link to a symbol has two on each side.
    let quoted = text.replacing("``", with: "`")
      .split(separator: "`", omittingEmptySubsequences: false)
    return quoted.indices.contains { index in
      index.isMultiple(of: 2)
        && quoted[index].split { !($0.isLetter || $0.isNumber || "_-.".contains($0)) }.contains {
          $0 == "nil" || $0 == "nil."
        }
    }
  }

  static func joined(_ entry: String) -> String { entry.filter { $0 != "|" } }

  /// The offset of the first place where `text` begins: as a path, as a whole word, or (nil)
  /// anywhere.
  private static func first(_ text: String, in data: Data, isPath: Bool?) -> Int? {
    let needle = Data(text.utf8)
    var start = data.startIndex
    while let range = data.range(of: needle, in: start..<data.endIndex) {
      let before = range.lowerBound > data.startIndex ? data[range.lowerBound - 1] : 0
      let after = range.upperBound < data.endIndex ? data[range.upperBound] : 0
      let stands =
        switch isPath {
        // `docs/home/x`, `~/home/x` and `$PWD/home/x` are not absolute.
        case true?: !isWordPart(before) && !Array("./-~)}>".utf8).contains(before)
        case false?: !isWordPart(before) && !isWordPart(after)
        case nil: true
        }
      if stands { return range.lowerBound - data.startIndex }
      start = range.upperBound
    }
    return nil
  }

  private static func isWordPart(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x80...: true
    default: false
    }
  }
}
