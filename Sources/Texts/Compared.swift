/// Says in one sentence which states of a failure are compared; `nil` where no side has a name.
///
/// The first shows what was expected; it has no name where the law itself demands that. Of two peers neither is known
/// to be right.
package func compared(_ expected: String?, with actual: String?) -> String? {
  switch (expected, actual) {
  case (let expected?, let actual?): "Compared: \(expected), with \(actual)."
  case (nil, let actual?): "Looked at: \(actual)."
  case (let expected?, nil): "Compared with: \(expected)."
  case (nil, nil): nil
  }
}

/// What was expected and what was found, a line each; none for what is `nil`.
///
/// `labels`: What stands before the two, for peers their names.
package func expectedAndFound(
  _ expected: String?,
  _ found: String?,
  labels: (expected: String, found: String) = ("expected", "found")
) -> [String] {
  let width = [labels.expected, labels.found].map { $0.unicodeScalars.count }.max() ?? 0
  return [(labels.expected, expected), (labels.found, found)].compactMap { label, shown in
    let gap = String(repeating: " ", count: width - label.unicodeScalars.count)
    return shown.map { "\(label): \(gap)\($0)" }
  }
}

/// What stands above the calls of a law and their answers, in every form of a failure.
package let callsHeading = "What the law called, and what came back"
