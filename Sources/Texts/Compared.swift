/// Says in one sentence which states of a failure are compared; `nil` where no side has a name.
///
/// The first shows what was expected; it has no name where the law itself demands that.
package func compared(_ expected: String?, with actual: String?) -> String? {
  switch (expected, actual) {
  case (let expected?, let actual?): "Compared: \(expected), with \(actual)."
  case (nil, let actual?): "Looked at: \(actual)."
  case (let expected?, nil): "Compared with: \(expected)."
  case (nil, nil): nil
  }
}

/// What was expected and what was found, a line each; none for what is `nil`.
package func expectedAndFound(_ expected: String?, _ found: String?) -> [String] {
  [expected.map { "expected: \($0)" }, found.map { "found:    \($0)" }].compactMap(\.self)
}

/// What stands above the calls of a law and their answers, in every form of a failure.
package let callsHeading = "What the law called, and what came back"
