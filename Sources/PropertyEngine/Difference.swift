/// How what was seen departs from what a law demands.
package struct Difference: Hashable, Sendable {
  /// The stable class of the divergence, one or two words; shrinking keeps to it.
  package let kind: String
  /// Where the two first differ, in words.
  package let summary: String
  /// What the law demands there, where there is one value to show.
  package let expected: String?
  /// What was seen there.
  package let actual: String?

  package init(kind: String, summary: String, expected: String? = nil, actual: String? = nil) {
    self.kind = kind
    self.summary = summary
    self.expected = expected
    self.actual = actual
  }
}
