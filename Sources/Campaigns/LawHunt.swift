import DocumentLaws
import DocumentModel
import Histories
package import PropertyEngine
package import Reporting

/// A violation that was found while looking for one, made small.
package struct Quarry: Codable, Hashable, Sendable {
  /// Name of the law.
  package var law: String
  /// What is wrong, in one line.
  package var summary: String
  /// The sample, line by line.
  package var sample: [String]
  /// Edits and exchanges, where the sample is a history.
  package var size: Int?
  package var replicas: Int?
}

/// Laws that are tried case by case until one is violated: of histories, of bytes, of models.
package protocol LawHunt: Sendable {
  /// The laws, as reports list them.
  var laws: [Report.Law] { get }

  /// Runs one case; what it violates, shrunk, or nil. With `law`, no other law is asked.
  ///
  /// A case is a function of the seed and its index.
  func run(case index: Int, seed: Seed, law: String?) -> Quarry?
}

/// The document laws on the histories of one lane.
struct HistoryHunt: LawHunt {
  private let lane: Lane
  private let stepLimit: Int
  private let isInterrupted: @Sendable () -> Bool

  init(
    _ lane: Lane,
    stepLimit: Int = 4000,
    isInterrupted: @escaping @Sendable () -> Bool = { false }
  ) {
    self.lane = lane
    self.stepLimit = stepLimit
    self.isInterrupted = isInterrupted
  }

  var laws: [Report.Law] {
    lane.laws.map { Report.Law(name: $0.name, sentence: $0.sentence, source: $0.source) }
  }

  func run(case index: Int, seed: Seed, law: String?) -> Quarry? {
    var lane = lane
    // What watches all answers needs the questions of the other laws.
    let watchesAll = lane.laws.contains { $0.name == law && $0.watchesAll }
    if let law, !watchesAll { lane = lane.narrowed(to: law) }
    guard let group = lane.group(ofCase: index) else { return nil }
    let runner = CaseRunner(lane, clock: { 0 })
    var choices = Choices(seed: seed.stream(UInt64(index)))
    let result = runner.run(group, &choices)
    let findings = result.findings.filter { law == nil || $0.key.law == law || $0.key.isError }
    guard let finding = findings.first else { return nil }
    var shrinker = FailureShrinker(
      runner: runner,
      lane: lane,
      sighting: LaneTotals.Sighting(
        caseIndex: index,
        caseCount: 1,
        finding: finding,
        group: group,
        choices: choices
      ),
      seed: seed
    )
    let shrunk = shrinker.run(
      stepLimit: stepLimit,
      shouldStop: isInterrupted,
      onSmaller: { _ in }
    )
    let history = shrunk.history.history
    return Quarry(
      law: finding.key.law,
      summary: finding.difference.summary,
      sample: history.lines,
      size: history.size,
      replicas: history.finalReplicaCount
    )
  }
}

/// Laws on samples of their own, one after the other.
package struct SampleHunt: LawHunt {
  private struct Entry: Sendable {
    let law: Report.Law
    let run: @Sendable (Choices) -> Quarry?
  }

  private var entries: [Entry] = []

  package init() {}

  package var laws: [Report.Law] { entries.map(\.law) }

  /// Adds a law; `lines` renders its samples.
  package mutating func add<Sample>(
    _ law: Law<Sample>,
    shrinkLimit: Int = 2000,
    lines: @escaping @Sendable (Sample) -> [String]
  ) {
    entries.append(
      Entry(law: Report.Law(name: law.name, sentence: law.sentence, source: law.source)) {
        hunt(law, $0, shrinkLimit: shrinkLimit, lines: lines)
      }
    )
  }

  package func run(case index: Int, seed: Seed, law: String?) -> Quarry? {
    var asked: [Int] = []
    for (place, entry) in entries.enumerated() where law == nil || entry.law.name == law {
      asked.append(place)
    }
    guard !asked.isEmpty else { return nil }
    return entries[asked[index % asked.count]].run(Choices(seed: seed.stream(UInt64(index))))
  }
}

private func hunt<Sample>(
  _ law: Law<Sample>,
  _ choices: Choices,
  shrinkLimit: Int,
  lines: (Sample) -> [String]
) -> Quarry? {
  var choices = choices
  let verdict = law.verdict(of: law.samples.draw(&choices))
  switch verdict {
  case .held, .skipped: return nil
  case .violated, .errored, .known: break
  }
  var shrinker = Shrinker(
    failing: choices.recorded,
    spans: choices.spans,
    stepLimit: shrinkLimit
  )
  let shrunk = shrinker.run { candidate in
    var choices = Choices(replaying: candidate)
    let sample = law.samples.draw(&choices)
    return ShrinkAttempt(choices, fails: law.verdict(of: sample).isSameFailure(as: verdict))
  }
  var replayed = Choices(replaying: shrunk.values)
  let sample = law.samples.draw(&replayed)
  let summary =
    switch law.verdict(of: sample) {
    case .violated(let difference): "\(difference)"
    case .errored(let words): words
    case .held, .known, .skipped: "did not repeat"
    }
  return Quarry(law: law.name, summary: summary, sample: lines(sample))
}
