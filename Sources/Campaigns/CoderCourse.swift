import CodingLaws
import Dispatch
import PropertyEngine
import Synchronization

/// The part of a campaign that one coder takes: its cases in batches, and what failed.
///
/// A case is a function of the seed and its number, and totals add up in any order, so that the
/// number of workers leaves no trace.
struct CoderCourse {
  let lane: CoderLane
  private(set) var totals = CoderTotals()
  private(set) var nextCase = 0
  var seconds = 0.0
  private var failures: [FailureKey: CoderFailure] = [:]
  private let configuration: CampaignConfiguration
  private let run: CodingRun

  init(_ lane: CoderLane, _ configuration: CampaignConfiguration) {
    self.lane = lane
    self.configuration = configuration
    run = lane.run(seed: configuration.seed)
  }

  /// What is known of the coder when the campaign is over.
  struct Result {
    let lane: CoderLane
    let totals: CoderTotals
    let failures: [CoderFailure]
    /// By their position in the subject's list.
    let divergencesShown: [Bool]
  }

  var result: Result {
    Result(
      lane: lane,
      totals: totals,
      failures: failures.keys.sorted().compactMap { failures[$0] },
      divergencesShown: lane.subject.divergences.map(lane.shows)
    )
  }

  /// Judges a stored case; one that still fails is a failure as it stands, already small.
  mutating func tryStored(_ file: CaseFile) -> CoderFailure? {
    guard let sample = try? CodingSample(file), let verdict = try? run.replay(file),
      let stored = CoderFailure(stored: file, of: lane.subject.id, sample, verdict)
    else { return nil }
    failures[stored.key] = stored
    return stored
  }

  /// Runs so many more cases on all workers.
  mutating func runBatch(
    of size: Int,
    onCase: @escaping @Sendable () -> Void,
    onSighting: @escaping @Sendable (CoderFailure) -> Void
  ) {
    let range = nextCase..<(nextCase + size)
    let next = Mutex(range.lowerBound)
    let sum = Mutex(CoderTotals())
    let noted = Mutex(Set(totals.sightings.keys).union(failures.keys))
    let (run, subject, configuration) = (run, lane.subject.id, configuration)
    DispatchQueue.concurrentPerform(iterations: max(1, configuration.jobs)) { _ in
      var own = CoderTotals()
      while !configuration.isInterrupted() {
        let index = next.withLock { value in
          defer { value += 1 }
          return value
        }
        let start = configuration.clock()
        guard range.contains(index), let found = run.judge(case: index) else { break }
        let seconds = configuration.clock() - start
        if let raw = CoderFailure(raw: found, of: subject, seed: configuration.seed),
          noted.withLock({ $0.insert(raw.key).inserted })
        {
          onSighting(raw)
        }
        own.add(found, run.knownDivergence(of: found), seconds: seconds)
        onCase()
      }
      sum.withLock { $0.merge(own) }
    }
    nextCase = range.upperBound
    totals.merge(sum.withLock { $0 })
  }

  /// Failures that were seen and not shrunk yet, the earliest first.
  private var unshrunk: [CodingRun.Case] {
    totals.sightings.filter { failures[$0.key] == nil }
      .sorted { ($0.value.first.index, $0.key) < ($1.value.first.index, $1.key) }
      .map(\.value.first)
  }

  /// Makes new failures small; says which were cut short by the clock.
  mutating func shrinkNewFailures(
    shouldStop: () -> Bool,
    onProgress: (CampaignProgress.Shrinking) -> Void,
    onFailure: (CoderFailure) -> Void
  ) -> [String] {
    var remarks: [String] = []
    for found in unshrunk where failures.count < configuration.failureLimit {
      guard let key = FailureKey(found),
        var failure = shrunk(found, key, shouldStop: shouldStop, onProgress: onProgress)
      else { continue }
      if failure.wasStopped { remarks.append("shrinking of \(key.law) was stopped early") }
      failure.caseCount = totals.sightings[key]?.caseCount ?? 1
      failures[key] = failure
      onFailure(failure)
    }
    for key in failures.keys {
      failures[key]?.caseCount = totals.sightings[key]?.caseCount ?? 1
    }
    return remarks
  }

  private func shrunk(
    _ found: CodingRun.Case,
    _ key: FailureKey,
    shouldStop: () -> Bool,
    onProgress: (CampaignProgress.Shrinking) -> Void
  ) -> CoderFailure? {
    guard let raw = CoderFailure(raw: found, of: lane.subject.id, seed: configuration.seed) else {
      return nil
    }
    let first = found.choices.recorded.count
    func tell(_ count: Int) {
      onProgress(.init(law: key.law, subject: lane.subject.id, choices: count, of: first))
    }
    tell(first)
    let again = run.judge(law: found.law, Choices(replaying: found.choices.recordedValues))
    guard let again, again.verdict.isSameFailure(as: found.verdict) else {
      return CoderFailure(flaky: raw, second: again?.verdict.difference.summary ?? "did not run")
    }
    let small = run.shrink(
      found,
      stepLimit: configuration.shrinkStepLimit,
      shouldStop: shouldStop,
      onSmaller: tell
    )
    guard let small else {
      return CoderFailure(flaky: raw, second: "of the smallest sample did not fail")
    }
    return CoderFailure(small, key)
  }

  /// Tells once more of failures that were counted and not shrunk.
  func noteUnshrunk(_ onSighting: (CoderFailure) -> Void) {
    for found in unshrunk {
      guard let raw = CoderFailure(raw: found, of: lane.subject.id, seed: configuration.seed)
      else { continue }
      onSighting(raw)
    }
  }
}

/// What the cases of a coder came to; totals of parts add up in any order.
struct CoderTotals: Sendable {
  /// The first case that showed a failure, and how many did.
  struct Sighting: Sendable {
    var first: CodingRun.Case
    var caseCount = 1
  }

  private(set) var caseCount = 0
  private(set) var laws: [String: LaneTotals.LawTotals] = [:]
  private(set) var sightings: [FailureKey: Sighting] = [:]
  /// Cases that a listed divergence explains.
  private(set) var known: [CoderDivergence: Int] = [:]

  var seconds: Double { laws.keys.sorted().reduce(0) { $0 + (laws[$1]?.seconds ?? 0) } }

  mutating func add(_ found: CodingRun.Case, _ known: CoderDivergence?, seconds: Double) {
    caseCount += 1
    var own = laws[found.law, default: LaneTotals.LawTotals()]
    switch found.verdict {
    case .held: own.held += 1
    case .violated: own.violated += 1
    case .known: own.known += 1
    case .errored: own.errored += 1
    case .skipped(let reason):
      own.skipped += 1
      own.skipReasons.insert(reason)
    }
    own.seconds += seconds
    laws[found.law] = own
    if let known { self.known[known, default: 0] += 1 }
    if let key = FailureKey(found) { note(Sighting(first: found), key) }
  }

  private mutating func note(_ sighting: Sighting, _ key: FailureKey) {
    guard var known = sightings[key] else {
      sightings[key] = sighting
      return
    }
    if sighting.first.index < known.first.index { known.first = sighting.first }
    known.caseCount += sighting.caseCount
    sightings[key] = known
  }

  mutating func merge(_ other: CoderTotals) {
    caseCount += other.caseCount
    for (law, totals) in other.laws { laws[law, default: LaneTotals.LawTotals()].merge(totals) }
    for (key, sighting) in other.sightings { note(sighting, key) }
    known.merge(other.known, uniquingKeysWith: +)
  }
}
