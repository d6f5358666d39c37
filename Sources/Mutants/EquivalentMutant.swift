/// A mutant that no history, model or byte can tell from the right program, and why.
package struct EquivalentMutant: Hashable, Sendable {
  package let key: SourceMutant.Key
  package let reason: String

  /// Reads a list: a block for each mutant, of the lines `file:`, `operator:`, `line:`, `change:` and
  /// `why:`.
  ///
  /// - Throws: ``LabelledBlock/Incomplete``.
  package static func list(
    _ text: String
  ) throws(LabelledBlock.Incomplete) -> [EquivalentMutant] {
    try LabelledBlock.list(text, of: "equivalent mutants").map {
      block throws(LabelledBlock.Incomplete) in
      guard let `operator` = SourceMutant.Operator(rawValue: try block["operator"]) else {
        throw block.incomplete("operator")
      }
      let key = SourceMutant.Key(
        file: try block["file"],
        operator: `operator`,
        line: try block["line"],
        change: try block["change"]
      )
      return EquivalentMutant(key: key, reason: try block["why"])
    }
  }
}
