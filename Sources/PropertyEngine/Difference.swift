/// Where two things that should agree do not.
package struct Difference: Codable, Hashable, Sendable {
  /// The class of the divergence: stable words without positions or values (`list.length`).
  ///
  /// Shrinking keeps it, so that one failure never turns into another.
  package let kind: String
  /// Where the two first differ, in words.
  package let summary: String
  /// What should have been there.
  package let expected: String?
  /// What was there.
  package let actual: String?

  package init(
    kind: String,
    summary: String,
    expected: String? = nil,
    actual: String? = nil
  ) {
    self.kind = kind
    self.summary = summary
    self.expected = expected
    self.actual = actual
  }
}

extension Difference: CustomStringConvertible {
  package var description: String {
    var text = "\(summary) [\(kind)]"
    if let expected { text += "\n  expected: \(expected)" }
    if let actual { text += "\n  actual:   \(actual)" }
    return text
  }
}
