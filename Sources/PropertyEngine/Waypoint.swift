/// A named situation that samples should reach, such as two deletes of one element meeting.
///
/// A run that requires a waypoint and never reaches it has not tested what it claims to.
package struct Waypoint: Hashable, Sendable {
  /// Stable dotted name, such as `network.partition-healed`.
  package let name: String
  /// The situation in one sentence.
  package let sentence: String

  package init(_ name: String, _ sentence: String) {
    self.name = name
    self.sentence = sentence
  }
}
