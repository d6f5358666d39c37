/// How often each named thing happened.
///
/// Tallies of parts of a run add up to the tally of the whole, in whatever order they are merged.
package struct Tally: Codable, Hashable, Sendable {
  private var counts: [String: Int] = [:]

  package init() {}

  /// The count of `name`; 0 if it never happened.
  package subscript(name: String) -> Int {
    counts[name, default: 0]
  }

  /// Whether nothing was counted.
  package var isEmpty: Bool { counts.isEmpty }

  /// All names with their counts, ordered by the names' Unicode scalars.
  ///
  /// A name that was added with a count of 0 is listed, too.
  package var entries: [(name: String, count: Int)] {
    counts.map { (name: $0.key, count: $0.value) }.sorted {
      $0.name.unicodeScalars.lexicographicallyPrecedes($1.name.unicodeScalars)
    }
  }

  /// Counts `name` once, or `count` times, which is not negative; stops at `Int.max`.
  package mutating func add(_ name: String, _ count: Int = 1) {
    precondition(count >= 0, "\(name) cannot happen \(count) times")
    let (sum, overflow) = counts[name, default: 0].addingReportingOverflow(count)
    counts[name] = overflow ? .max : sum
  }

  /// Counts that `waypoint` was reached.
  package mutating func add(_ waypoint: Waypoint) {
    add(waypoint.name)
  }

  /// Adds everything that `other` counted.
  package mutating func merge(_ other: Tally) {
    for (name, count) in other.counts { add(name, count) }
  }
}
