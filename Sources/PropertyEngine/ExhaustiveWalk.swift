/// Visits every choice sequence of a generator, each once, smaller choices first.
///
/// ```swift
/// var walk = ExhaustiveWalk()
/// repeat {
///   var choices = walk.choices()
///   let sample = generator.draw(&choices)
///   // ... look at the sample ...
/// } while walk.advance(after: choices.recorded)
/// ```
///
/// Worked example: a flag, and behind a yes a number in 0...2. Each prefix raises the last choice that has
/// room, and leaves out what came behind:
///
///     prefix        drawn
///     (none)        0/1             no
///     1             1/1 0/2         yes, 0
///     1 1           1/1 1/2         yes, 1
///     1 2           1/1 2/2         yes, 2; no choice has room: the last
///
/// Cost: one draw a sequence. Their number is the product of all possibilities, so this is for
/// small worlds; the caller bounds it.
package struct ExhaustiveWalk: Sendable {
  /// Number of sequences that were visited, the current one not counted.
  package private(set) var visited = 0

  /// What the current sequence starts with; zeros follow.
  private var prefix: [UInt32] = []

  package init() {}

  /// The choices of the current sequence, for the generator to draw from.
  package func choices() -> Choices {
    Choices(exhaustive: prefix)
  }

  /// Moves on to the next sequence; false if `recorded` was the last one.
  ///
  /// `recorded` is what the generator drew from ``choices()``. It must draw the same choices
  /// whenever their beginnings are equal, or the walk could go on for ever.
  package mutating func advance(after recorded: [Choice]) -> Bool {
    let start = recorded.prefix(prefix.count).map(\.value)
    precondition(start == prefix, "the walk offered \(prefix), the generator drew \(start)")
    visited += 1
    guard let last = recorded.lastIndex(where: { $0.value < $0.limit }) else { return false }
    prefix = recorded[..<last].map(\.value) + [recorded[last].value + 1]
    return true
  }
}

extension Choices {
  /// Draws a walk's prefix, then zeros: the same mapping as replaying.
  init(exhaustive prefix: [UInt32]) {
    self.init(replaying: prefix)
  }
}
