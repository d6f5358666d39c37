import Testing

/// One place in which the repository departs from a rule, worded for the person who fixes it.
struct Breach: Hashable, CustomStringConvertible {
  /// Relative to the root.
  let path: String
  /// Counted from 1; nil where the breach is in no particular line.
  let line: Int?
  let message: String

  init(_ path: String, line: Int? = nil, _ message: String) {
    self.path = path
    self.line = line
    self.message = message
  }

  var description: String {
    let place = line.map { "\(path):\($0)" } ?? path
    return "\(place): \(message)"
  }
}

/// Records one issue for each breach, so that one run shows them all.
func expectNone(_ breaches: [Breach], sourceLocation: SourceLocation = #_sourceLocation) {
  for breach in breaches {
    Issue.record("\(breach)", sourceLocation: sourceLocation)
  }
}
