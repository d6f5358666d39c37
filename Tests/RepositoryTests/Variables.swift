import Foundation

/// Where variables of the environment are listed.
enum Variables {
  static let list = "Sources/Touchstone/KnownVariables.swift"
  /// Where a table says what those that tests read mean.
  static let table = "Sources/Touchstone/LawSettings.swift"
  /// Conditions of compilation alone, which are no variables.
  static let conditions: Set = ["TOUCHSTONE_TIGHT_SIZES"]

  /// Names that are used and not listed, at the first place of each; names that are listed and not used; and a table
  /// of other names than the list has of what tests read.
  static func breaches(in repository: Repository) throws -> [Breach] {
    let listed = names(in: try repository.text(at: list))
    var used: Set<String> = []
    var breaches: [Breach] = []
    // The changelog tells of names that are no more.
    for path in repository.paths where path != list && path != "CHANGELOG.md" {
      // Bytes are searched in an instant, and the characters of all files in a minute.
      let data = try repository.data(at: path)
      guard data.range(of: Data("TOUCHSTONE_".utf8)) != nil else { continue }
      for name in names(in: String(decoding: data, as: UTF8.self))
      where used.insert(name).inserted {
        guard !conditions.contains(name), !listed.contains(name) else { continue }
        breaches.append(Breach(path, "\(name) is not in \(list)"))
      }
    }
    breaches += listed.filter { !used.contains($0) }
      .map { Breach(list, "nothing uses \($0)") }
    let text = try repository.text(at: list)
    let ofTests = text.firstMatch(of: /ofTests = \[([^\]]*)\]/).map { String($0.output.1) } ?? ""
    let rows = try repository.text(at: table).split(separator: "\n")
      .compactMap { $0.firstMatch(of: /^\/\/\/ \| `([A-Z_]+)` \|/).map { String($0.output.1) } }
    if rows != names(in: ofTests) {
      breaches.append(Breach(table, "its table has other variables than \(list)"))
    }
    return breaches
  }

  /// The names in a text, each once, in their order.
  private static func names(in text: String) -> [String] {
    var seen: Set<String> = []
    return text.matches(of: /\bTOUCHSTONE_[A-Z]+(?:_[A-Z]+)*\b/)
      .map { String($0.output) }
      .filter { seen.insert($0).inserted }
  }
}
