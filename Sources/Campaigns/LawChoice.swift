import Texts

/// Which laws are asked for: those whose names match any of some patterns, all without one, but for those that match
/// others.
package struct LawChoice: Hashable, Sendable {
  /// `merge.*`; all laws if there is none.
  package let wanted: [String]
  /// What is left out of those.
  package let excluded: [String]

  package init(_ wanted: [String] = [], excluding excluded: [String] = []) {
    (self.wanted, self.excluded) = (wanted, excluded)
  }

  /// The patterns as a report lists them; behind `!` those that are left out.
  var texts: [String] { wanted + excluded.map { "!\($0)" } }

  /// The arguments by which `touchstone check` asks for them.
  var arguments: [String] {
    wanted.map { "--law \(shellWord($0))" } + excluded.map { "--exclude-law \(shellWord($0))" }
  }
}
