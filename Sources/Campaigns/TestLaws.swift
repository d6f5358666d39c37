import ModelLaws
package import PropertyEngine

/// Laws that `swift test` asks of a user's own types: `explain` knows them, `check` has nothing to ask them of.
package struct TestLaws: Sendable {
  package let laws: [LawStatement]
  /// The function of a test that asks them.
  package let asking: String

  package static let all = [
    TestLaws(laws: ModelLaw.all, asking: "expectLaws(of:)"),
    TestLaws(laws: DriftLaw.all, asking: "expectDrift"),
    TestLaws(laws: MergeLaw.all, asking: "expectConverges"),
    TestLaws(laws: [PropertyLaw.holds], asking: "expectProperty"),
    TestLaws(laws: [PropertyLaw.commands], asking: "expectCommands"),
    TestLaws(laws: [PropertyLaw.linearizable], asking: "expectLinearizable"),
  ]

  package static let names = all.flatMap(\.laws).map(\.name)

  /// What a law says, and which function asks it; `nil` for any other law.
  package static func law(_ name: String) -> (statement: LawStatement, asking: String)? {
    for group in all {
      if let law = group.laws.first(where: { $0.name == name }) { return (law, group.asking) }
    }
    return nil
  }

  /// What a run leaves out that was asked for by a pattern, since tests alone ask it; `nil` if that is nothing.
  package static func omission(from choice: LawChoice) -> String? {
    let wanted = choice.wanted.map { Glob($0) }
    let excluded = choice.excluded.map { Glob($0) }
    let groups = all.compactMap { group -> String? in
      let names = group.laws.map(\.name).filter { name in
        wanted.contains { $0.matches(name) } && !excluded.contains { $0.matches(name) }
      }
      return names.isEmpty ? nil : "\(names.joined(separator: ", ")) (`\(group.asking)`)"
    }
    guard !groups.isEmpty else { return nil }
    return "left out, as `swift test` alone asks them, of your own types: "
      + groups.joined(separator: "; ")
  }

  /// The functions that ask the laws that match a pattern, as code; empty if none matches.
  static func askers(of pattern: String) -> [String] {
    let glob = Glob(pattern)
    return all.filter { $0.laws.contains { glob.matches($0.name) } }.map { "`\($0.asking)`" }
  }
}
