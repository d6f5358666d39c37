/// A named situation that samples should reach, such as two deletes of one element meeting.
///
/// A run that requires a waypoint and never reaches it has not tested what it claims to.
package struct Waypoint: Hashable, Sendable {
  /// Stable dotted name, such as `network.partition-healed`.
  package let name: String
  /// The situation in one sentence.
  package let sentence: String
  /// The least number of 1,000 samples that reach it, among those that could.
  ///
  /// A floor, about half of what was counted, so that it holds for other seeds and for generators that change.
  package let perThousand: Int

  package init(_ name: String, _ sentence: String, perThousand: Int = 9) {
    self.name = name
    self.sentence = sentence
    self.perThousand = perThousand
  }

  /// Samples after which a run must have reached it: 14 are expected to by then.
  ///
  /// All of them miss it with a chance below e^-14, one in a million.
  ///
  ///     9 of 1,000      1,556 samples
  ///     1 of 1,000      14,000 samples
  package var requiredFrom: Int { (14_000 + perThousand - 1) / perThousand }
}
