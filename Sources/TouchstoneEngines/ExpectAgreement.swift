public import Testing

/// Expects that two subjects show the same on histories that are written down.
///
/// - Parameters:
///   - first: The id of the subject that is judged; see ``expectLaw(_:of:against:on:adapters:sourceLocation:)``.
///   - second: The id of the one it must agree with.
///   - histories: What happened, in the form of `touchstone show`; at least one.
///   - adapters: The folder of subjects in other languages.
///   - sourceLocation: Where issues are recorded.
/// - Throws: `JudgementError` if there is no history, or one cannot be judged.
public func expectAgreement(
  of first: String,
  and second: String,
  on histories: [String],
  adapters: String? = nil,
  sourceLocation: SourceLocation = #_sourceLocation
) async throws {
  guard !histories.isEmpty else { throw JudgementError.nothingJudged(type: first) }
  for history in histories {
    try await expectLaw(
      "agreement.states",
      of: first,
      against: second,
      on: history,
      adapters: adapters,
      sourceLocation: sourceLocation
    )
  }
}
