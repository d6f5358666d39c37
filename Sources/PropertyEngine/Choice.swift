/// One decision behind a sample: a number in `0...limit`.
///
/// Zero stands for the simplest possibility, so that lowering a choice never makes a sample
/// more complicated on purpose.
package struct Choice: Codable, Hashable, Sendable {
  /// What was decided, `0...limit`.
  package let value: UInt32
  /// The largest value that was possible at this point.
  package let limit: UInt32

  /// Makes a choice; a value above the limit becomes the limit.
  package init(value: UInt32, limit: UInt32) {
    self.value = min(value, limit)
    self.limit = limit
  }
}

/// A run of choices that belong together, such as one step of a history.
///
/// Spans nest and never overlap otherwise. They tell the shrinker what can be cut out as a whole.
///
///     choices     0    1    2    3    4    5
///     depth 0     |--- step ---| |--- step ---|      0..<3, 3..<6
///     depth 1          |- key -|                     1..<3
///
/// In a list of spans an outer one comes before its inner ones: here step, key, step.
package struct ChoiceSpan: Codable, Hashable, Sendable {
  /// What the choices decide; spans of equal label may stand in for one another.
  package let label: String
  /// Index of the first choice.
  package let start: Int
  /// Index after the last choice; `start` if the span drew nothing.
  package internal(set) var end: Int
  /// Number of spans around this one.
  package let depth: Int

  package init(label: String, start: Int, end: Int, depth: Int) {
    self.label = label
    self.start = start
    self.end = end
    self.depth = depth
  }
}
