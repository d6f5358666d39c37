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
  ]

  package static let names = all.flatMap(\.laws).map(\.name)

  /// What a law says, and which function asks it; `nil` for any other law.
  package static func law(_ name: String) -> (statement: LawStatement, asking: String)? {
    for group in all {
      if let law = group.laws.first(where: { $0.name == name }) { return (law, group.asking) }
    }
    return nil
  }

  /// The functions that ask the laws that match a pattern, as code; empty if none matches.
  static func askers(of pattern: String) -> [String] {
    let glob = Glob(pattern)
    return all.filter { $0.laws.contains { glob.matches($0.name) } }.map { "`\($0.asking)`" }
  }
}
