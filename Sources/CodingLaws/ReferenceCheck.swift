import CodingSupport
import ModelGeneration
import ModelZoo
import PropertyEngine

// What laws of texts and of counters share: each is a statement (`static let`) and below it a check, a function
// that is generic over the subject's types.

extension CodingLaw {
  /// A law on the subject's own types of text and counter.
  ///
  /// The models are generic over the subject's types, so that one law serves every coder with texts
  /// or counters.
  ///
  /// `OneText` or `OneCounter` is named only to have a model: checks make their own values.
  static func referenceLaw(
    _ name: String,
    _ title: String,
    _ sentence: String? = nil,
    source: LawSource,
    needs feature: CoderFeature,
    draw: @escaping @Sendable (Model, inout CodingSample, inout Choices) throws -> Void,
    check: @escaping @Sendable (CodingTrial) throws -> Difference?
  ) -> CodingLaw {
    CodingLaw(
      name,
      title,
      sentence,
      source: source,
      needs: [.documents, feature],
      models: named(feature == .texts ? "OneText" : "OneCounter"),
      draw: draw,
      check: check
    )
  }

  /// The zoo's models with texts and counters of the subject's types.
  typealias Own<S: CoderSubject> = Collaborative<S.Text, S.Counter>

  /// Where what is at `side` is another.
  static func differs<Value: Equatable>(
    _ kind: String,
    _ summary: String,
    of side: String,
    actual: Value,
    expected: Value
  ) -> Difference? {
    guard actual != expected else { return nil }
    return Difference(
      kind: kind,
      summary: summary,
      expected: shown(expected),
      actual: shown(actual)
    ).between(nil, side)
  }

  /// A value as a reader writes it: without the `Optional(...)` of Swift's descriptions.
  static func shown(_ value: Any) -> String {
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .optional else { return "\(value)" }
    return mirror.children.first.map { "\($0.value)" } ?? "nothing"
  }
}

extension CodingLaw {
  /// Where a text or counter is read at a path at which neither stands, or is refused elsewhere.
  ///
  /// A map may hold one under `value`, as automerge-swift wrote it; these hold none.
  static func readsOther<Value: Decodable>(
    _ type: Value.Type,
    _ document: any CodingDocument,
    _ trial: CodingTrial
  ) throws -> Difference? {
    guard trial.subject.features.contains(.paths) else { return nil }
    let place = [PathKey.key("another form")]
    let others: [Tree] = [
      .map([]), .map([Tree.Entry("value", .string("3"))]), .map([Tree.Entry("value", .null)]),
      .list([]), .boolean(true),
    ]
    for other in others {
      try document.put(other, at: place)
      let outcome = trial.outcome { _ = try document.decode(type, at: place, userInfo: [:]) }
      guard case .failure(let error) = outcome, case .decoding(_, let path) = error.complaint,
        path.first == "another form"
      else {
        return Difference(
          kind: "reference.other-form",
          summary: "\(other) is read as a text or counter, or refused without its place"
        )
      }
    }
    try document.delete(at: place)
    return nil
  }
}
