import PastRuns
package import PropertyEngine
import Texts

extension Report {
  /// How many samples of one kind were judged, and how many of them differ.
  ///
  /// Subjects of one kind are judged on the same samples, which differ once.
  package struct SampleCount: Codable, Hashable, Sendable {
    /// What the samples are called: `histories`.
    package var name: String
    /// Samples that were judged, on all subjects together.
    package var judged: Int
    /// How many of them differ: exactly, or estimated within about 2 percent.
    package var distinct: Int
    /// Whether ``distinct`` is an estimate.
    package var isEstimate: Bool
    /// The least digests of the samples, ascending, twelve hexadecimal digits each: reports of parts of a
    /// run merge by them to what the whole run counts.
    package var digests: String

    package init(name: String, _ count: DistinctCount) {
      self.name = name
      judged = count.total
      distinct = count.distinct
      isEstimate = !count.isExact
      digests = count.digests
    }

    /// Adds the samples of another run; digests that cannot be read leave the greater of both numbers.
    mutating func add(_ other: Self) {
      guard var sum = DistinctCount(total: judged, digests: digests),
        let more = DistinctCount(total: other.judged, digests: other.digests)
      else {
        judged = judged.addingSaturated(other.judged)
        distinct = max(distinct, other.distinct)
        isEstimate = true
        return
      }
      sum.merge(more)
      self = Self(name: name, sum)
    }

    /// The number of different samples in words: `298`, `about 51,200`.
    var distinctWords: String { isEstimate ? "about \(grouped(distinct))" : grouped(distinct) }
  }

  /// What values of one kind were drawn.
  package struct ValueCount: Codable, Hashable, Sendable {
    /// What holds the values: `histories`.
    package var samples: String
    /// `int`.
    package var type: String
    /// How often values of the kind were drawn, by the kind of edit that writes them or where in a sample
    /// they stand; what never was is left out.
    package var uses: [Count]
    /// How many of them have each trait that values of the kind can have, such as `least of 64 bits`.
    ///
    /// It is 0 for a trait that was never drawn. A value may have several.
    package var traits: [Count]

    package init(samples: String, type: String, uses: [Count], traits: [Count]) {
      self.samples = samples
      self.type = type
      self.uses = uses
      self.traits = traits
    }

    /// All values of the kind.
    var count: Int { uses.map(\.count).saturatedSum }
  }
}

extension Report {
  /// Kinds of sample that ``distinctSamples`` names.
  private static let sampleKindLimit = 3

  /// How many different samples there were, in a few words, the kinds with the most samples first; `nil` for a run
  /// without any.
  ///
  /// Several subjects are judged on the same samples.
  ///
  /// `different histories: 294 (judged 752 times), stored histories: 50 (100), and samples of 8 more kinds`
  var distinctSamples: String? {
    let kinds = counts.samples.filter { $0.judged > 0 }
      .sorted { ($1.judged, $0.name) < ($0.judged, $1.name) }
    guard !kinds.isEmpty else { return nil }
    var parts = kinds.prefix(Self.sampleKindLimit).enumerated().map { place, kind in
      let isFirst = place == 0
      let count = isFirst ? "judged \(counted(kind.judged, "time"))" : grouped(kind.judged)
      return
        "\(isFirst ? "different " : "")\(kind.name.clipped(60)): \(kind.distinctWords) (\(count))"
    }
    let left = kinds.count - parts.count
    if left > 0 { parts.append("and samples of \(counted(left, "more kind"))") }
    return parts.joined(separator: ", ")
  }
}

extension Report.Counts {
  /// Adds the samples and values of another run.
  mutating func addDrawn(_ other: Self) {
    samples.merge(other.samples, by: \.name) { $0.add($1) }
    samples.sort { $0.name < $1.name }
    let key = { (value: Report.ValueCount) in [value.samples, value.type] }
    values.merge(other.values, by: key) { value, other in
      value.uses.add(other.uses)
      value.uses.sort { $0.name < $1.name }
      value.traits.add(other.traits)
    }
    // What parts of a run list comes in the order in which the whole run lists it.
    values = values.map(\.samples).uniqued().sorted().flatMap { name in
      values.filter { $0.samples == name }
    }
  }
}
