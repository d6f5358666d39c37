/// What the samples of a run held, counted by topic.
///
/// Coverages of parts of a run add up to that of the whole, in whatever order they are merged.
package struct Coverage: Codable, Hashable, Sendable {
  /// What is counted: `faults`, or the faults of one part of the samples.
  private struct Topic: Codable, Hashable {
    let name: String
    let part: String?
  }

  private var tallies: [Topic: Tally] = [:]
  /// How many samples had a size in the bin that begins at this one.
  package private(set) var sizes: [Int: Int] = [:]
  /// How many samples were judged, and how many of them differ, by what samples of their kind are called:
  /// `histories`.
  package private(set) var samples: [String: DistinctCount] = [:]
  /// What the values in samples are like, by what holds them.
  package private(set) var values: [String: ValueTally] = [:]

  package init() {}

  package mutating func add(_ values: ValueTally, in samples: String) {
    self.values[samples, default: ValueTally()].merge(values)
  }

  /// Counts a sample by its text form.
  package mutating func add(sample text: String, of kind: String) {
    samples[kind, default: DistinctCount()].add(text)
  }

  /// What was counted under a topic, or under one part of it.
  package subscript(topic: String, part: String? = nil) -> Tally {
    tallies[Topic(name: topic, part: part)] ?? Tally()
  }

  /// Every count under a name of its own: `edits: put`.
  package var situations: [(name: String, count: Int)] {
    let tallied = tallies.flatMap { topic, tally in
      tally.entries.map { ("\(topic.name) \(topic.part ?? ""): \($0.name)", $0.count) }
    }
    let valued = values.flatMap { samples, tally in
      tally.entries.map { ("values in \(samples): \($0.name)", $0.count) }
    }
    return tallied + valued + sizes.map { ("size: \($0.key)", $0.value) }
  }

  package mutating func add(_ tally: Tally, to topic: String, part: String? = nil) {
    tallies[Topic(name: topic, part: part), default: Tally()].merge(tally)
  }

  /// Counts a sample of a size, in bins of `binWidth` sizes: 17 counts for 10 in bins of ten.
  package mutating func add(size: Int, binWidth: Int) {
    sizes[size / binWidth * binWidth, default: 0] += 1
  }

  package mutating func merge(_ other: Coverage) {
    for (topic, tally) in other.tallies { tallies[topic, default: Tally()].merge(tally) }
    sizes.merge(other.sizes, uniquingKeysWith: +)
    for (samples, tally) in other.values { add(tally, in: samples) }
    for (kind, count) in other.samples { samples[kind, default: DistinctCount()].merge(count) }
  }
}
