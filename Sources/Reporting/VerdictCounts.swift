import PastRuns
import Texts

/// How many cases, or laws, came to each verdict.
///
/// A protocol and no value within others, so that a report writes the counts beside what they are of.
package protocol VerdictCounts {
  var held: Int { get set }
  var violated: Int { get set }
  var known: Int { get set }
  var errored: Int { get set }
  var skipped: Int { get set }
}

extension VerdictCounts {
  /// Adds the counts of others; sums stop at the greatest number, since counts come from files.
  package mutating func add(_ other: some VerdictCounts) {
    held = held.addingSaturated(other.held)
    violated = violated.addingSaturated(other.violated)
    known = known.addingSaturated(other.known)
    errored = errored.addingSaturated(other.errored)
    skipped = skipped.addingSaturated(other.skipped)
  }

  /// All that were asked, whether or not they came to a result.
  package var judged: Int { [held, violated, known, errored].saturatedSum }
  /// Cases that were judged or skipped.
  var all: Int { judged.addingSaturated(skipped) }

  /// All counts, the gravest first.
  var counts: [(standing: Report.Standing, count: Int)] {
    [
      (.violated, violated), (.errored, errored), (.known, known), (.held, held),
      (.skipped, skipped),
    ]
  }

  /// The gravest that any case came to, and its count.
  private var gravest: (standing: Report.Standing, count: Int) {
    counts.first { $0.count > 0 } ?? (.absent, 0)
  }

  var standing: Report.Standing { gravest.standing }

  /// The number that goes with the standing's word.
  var standingCount: Int { gravest.count }

  /// All counts in words, the gravest first: `3 violated, 1,197 held`.
  var summary: String {
    parts.isEmpty ? "not asked" : parts.joined(separator: ", ")
  }

  /// The gravest of ``summary``.
  var gravestCount: String { parts.first ?? "not asked" }

  /// The others.
  var furtherCounts: String? {
    parts.count > 1 ? parts.dropFirst().joined(separator: ", ") : nil
  }

  private var parts: [String] {
    counts.filter { $0.count > 0 }.map { "\(grouped($0.count)) \($0.standing.word)" }
  }
}
