import Histories
package import PropertyEngine

extension HistoryInput {
  /// The smallest input that keeps a property of this one, by the choices behind it.
  ///
  /// The input itself must have the property. Cost: at most `stepLimit` inputs are looked at.
  package func shrunk(
    stepLimit: Int,
    keeping holds: (HistoryInput) -> Bool
  ) -> HistoryInput {
    var shrinker = Shrinker(
      failing: choices.recorded,
      spans: choices.spans,
      stepLimit: stepLimit
    )
    let result = shrinker.run { candidate in
      let input = HistoryInput(drawing: Choices(replaying: candidate))
      return ShrinkAttempt(input.choices, fails: holds(input))
    }
    return HistoryInput(drawing: Choices(replaying: result.values))
  }

  /// The input as a case file, which outlives the generators.
  package func caseFile(_ finding: FuzzFinding, on subject: FuzzSubject) -> CaseFile {
    var file = CaseFile(
      law: finding.law,
      subjects: [subject.id] + (subject.oracle.map { [$0.id] } ?? []),
      kind: finding.difference.kind,
      seed: nil,
      // The first chose the laws, which the case names.
      choices: Array(choices.recorded.dropFirst()),
      sampleFormat: "history \(History.textVersion)",
      sample: history.history.text
    )
    file.set("shows", to: finding.difference.summary)
    if let expected = finding.difference.expected { file.set("expected", to: expected) }
    if let actual = finding.difference.actual { file.set("actual", to: actual) }
    return file
  }
}
