package import CaseFiles
package import PropertyEngine
import Synchronization

/// What a campaign is asked to do.
package struct CampaignConfiguration: Sendable {
  package enum Budget: Sendable {
    /// The number of cases of each lane: the report is the same every time.
    case cases(Int)
    /// The time for all lanes together, in seconds, shrinking included.
    case seconds(Double)
  }

  package var lanes: [Lane]
  package var seed: Seed
  package var budget: Budget
  /// Worker threads; the report does not depend on their number.
  package var jobs: Int
  /// Candidates that shrinking one failure may try.
  package var shrinkStepLimit: Int
  /// Failures of one lane that are shrunk; more of them are only counted.
  package var failureLimit: Int
  /// Cases that are tried before any other, on the subjects that they name.
  package var storedCases: [CaseFile]
  /// Where new failures are added, which have names of their own beside what stands there.
  package var corpus: CaseFolder?
  /// Seconds since some moment.
  package var clock: @Sendable () -> Double
  /// Which part of the cases is run.
  package var shard = Shard.whole
  /// Whether no further batch is run once a failure was found and shrunk.
  package var stopsAtFirstFailure = false
  /// Cases of a batch, for each worker; of all workers together where the run stops at its first failure.
  package var batchSize = 64
  /// Asked often: whether to end at once, with a complete report.
  package var isInterrupted: @Sendable () -> Bool

  package init(
    lanes: [Lane],
    seed: Seed,
    budget: Budget,
    jobs: Int,
    shrinkStepLimit: Int = 4000,
    failureLimit: Int = 12,
    storedCases: [CaseFile] = [],
    clock: @escaping @Sendable () -> Double,
    isInterrupted: @escaping @Sendable () -> Bool = { false }
  ) {
    self.lanes = lanes
    self.seed = seed
    self.budget = budget
    self.jobs = jobs
    self.shrinkStepLimit = shrinkStepLimit
    self.failureLimit = failureLimit
    self.storedCases = storedCases
    self.clock = clock
    self.isInterrupted = isInterrupted
  }
}

extension CampaignConfiguration {
  /// What is left of the budget for this part.
  var sharedBudget: Budget {
    switch budget {
    case .cases(let count): .cases(shard.share(of: count).count)
    case .seconds: budget
    }
  }

  /// The number of each lane's first case.
  fileprivate var firstCase: Int {
    switch budget {
    case .cases(let count): shard.share(of: count).lowerBound
    case .seconds: shard.firstCase
    }
  }
}

/// Runs lanes in batches of cases, on several workers, and shrinks what fails.
///
/// A case is a function of the seed, the lane and its number, and totals add up in any order: for a
/// given number of cases the result is the same whatever the number of workers.
package struct Campaign {
  private let configuration: CampaignConfiguration
  private let board: ProgressBoard
  private let onSighting: @Sendable (Failure) -> Void
  private let onFailure: (Failure) -> Void
  private var states: [LaneState]
  private var remarks: [String] = []
  /// Why stored cases could not be tried, by their numbers in the configuration.
  private var untriedCases: [Int: String] = [:]
  private let names: FailureNames
  private let start: Double

  private struct LaneState {
    let lane: Lane
    var run: LawRun
    var seconds = 0.0
  }

  /// - Parameters:
  ///   - configuration: What to do.
  ///   - onProgress: Told now and then where the campaign stands; by workers, too.
  ///   - onSighting: Told of each kind of failure the moment it is found, not shrunk; by workers, too.
  ///   - onFailure: Told of each failure once it is shrunk, or was stored.
  package init(
    _ configuration: CampaignConfiguration,
    onProgress: @escaping @Sendable (CampaignProgress) -> Void = { _ in },
    onSighting: @escaping @Sendable (Failure) -> Void = { _ in },
    onFailure: @escaping (Failure) -> Void = { _ in }
  ) {
    self.configuration = configuration
    self.onSighting = onSighting
    self.onFailure = onFailure
    names = FailureNames(corpus: configuration.corpus)
    start = configuration.clock()
    board = ProgressBoard(configuration, onProgress)
    states = configuration.lanes.map { lane in
      var run = lane.run(seed: configuration.seed, clock: configuration.clock)
      run.skip(to: configuration.firstCase)
      return LaneState(lane: lane, run: run)
    }
  }

  /// Runs until the budget is spent or the caller interrupts.
  ///
  /// `onBatch` gets what is known at the start and after each batch, as if the caller had interrupted then.
  package mutating func run(onBatch: (CampaignResult) -> Void = { _ in }) -> CampaignResult {
    onBatch(interim)
    // Each is tried once, by the first part.
    for number in storedOrder
    where configuration.shard.number == 1 && !configuration.isInterrupted() { tryStored(number) }
    while let index = nextLane() {
      let before = configuration.clock()
      runBatch(ofLane: index)
      shrinkNewFailures(ofLane: index)
      states[index].seconds += configuration.clock() - before
      onBatch(interim)
    }
    // Failures that were counted and not shrunk are reported once more: now with the first case
    // that showed each, whichever worker ran it.
    for (index, state) in states.enumerated() {
      for failure in state.run.unshrunkFailures() {
        onSighting(names.named(failure, inLane: index))
      }
    }
    let isInterrupted = configuration.isInterrupted()
    if isInterrupted { remarks.insert("interrupted", at: 0) }
    return result(isInterrupted: isInterrupted, divergences: { $0.standing() })
  }

  /// What is known, as if the caller had interrupted now.
  private var interim: CampaignResult {
    result(isInterrupted: true, divergences: { _ in .shows })
  }

  private func result(
    isInterrupted: Bool,
    divergences standing: (Lane.ListedDivergence) -> Lane.DivergenceStanding
  ) -> CampaignResult {
    CampaignResult(
      endsAtFailure: configuration.stopsAtFirstFailure
        && states.contains { !$0.run.failures.isEmpty },
      lanes: states.enumerated().map { index, state in
        CampaignResult.LaneResult(
          lane: state.lane,
          totals: state.run.totals,
          stored: state.run.storedTotals,
          failures: state.run.failures.keys.sorted().compactMap { key in
            state.run.failures[key].map { names.named($0, inLane: index) }
          },
          names: sightingNames(ofLane: index),
          divergences: state.lane.divergences.map(standing)
        )
      },
      seed: configuration.seed,
      budget: configuration.sharedBudget,
      seconds: configuration.clock() - start,
      jobs: configuration.jobs,
      isInterrupted: isInterrupted,
      remarks: remarks,
      untriedCases: untriedCases
    )
  }

  /// The names of what a lane has counted.
  private func sightingNames(ofLane index: Int) -> [FailureKey: String] {
    let (lane, keys) = (states[index].lane, states[index].run.totals.sightings.keys.sorted())
    let pairs = keys.map { key in
      (key, names.name(of: key, on: lane.subjects, inLane: index))
    }
    return Dictionary(uniqueKeysWithValues: pairs)
  }

  /// The numbers of the stored cases in the order in which they are tried.
  ///
  /// Cases that a run has named come first: which of these names are free is known then. Of cases that fail alike the
  /// report shows the first, which is that of the usual name, if it is one of them.
  private var storedOrder: [Int] {
    let numbers = configuration.storedCases.map { FailureNames.number(of: $0) ?? .max }
    return numbers.indices.sorted { (numbers[$0], $0) < (numbers[$1], $1) }
  }

  /// Tries the stored case of a number, where it is one of these lanes.
  private mutating func tryStored(_ number: Int) {
    let file = configuration.storedCases[number]
    guard let index = states.firstIndex(where: { $0.lane.tries(file) }) else { return }
    let known = states[index].run.failures
    do {
      let stored = try states[index].run.tryStored(file)
      if !(stored.map { file.isShown(by: $0.key) } ?? false) { names.noteHeld(file) }
      // Another case of a failure is counted, and stays what it is in the corpus.
      guard let stored, known[stored.key] == nil else { return }
      onFailure(names.named(stored, inLane: index, storedIn: file))
      board.failed(lane: index)
    } catch {
      untriedCases[number] = "\(error)"
    }
  }

  private var elapsed: Double { configuration.clock() - start }

  /// The lane that goes on: in order by cases, by seconds the one with the least time for its share.
  private mutating func nextLane() -> Int? {
    guard !configuration.isInterrupted() else { return nil }
    if configuration.stopsAtFirstFailure, states.contains(where: { !$0.run.failures.isEmpty }) {
      remarks.append("stopped at the first failure")
      return nil
    }
    let open = states.indices.filter { !states[$0].run.groups.isEmpty }
    switch configuration.budget {
    case .cases(let count):
      let end = configuration.shard.share(of: count).upperBound
      return open.first { states[$0].run.nextCase < end }
    case .seconds(let seconds):
      // Each lane runs at least once, so that a short budget does not pass over a slow subject.
      if let fresh = open.first(where: { states[$0].run.nextCase == configuration.firstCase }) {
        return fresh
      }
      guard elapsed < seconds else { return nil }
      func spent(_ index: Int) -> Double { states[index].seconds / states[index].lane.timeShare }
      return open.min { spent($0) < spent($1) }
    }
  }

  private mutating func runBatch(ofLane index: Int) {
    let (board, onSighting, names) = (board, onSighting, names)
    let run = states[index].run
    let noted = Mutex(Set(run.totals.sightings.keys).union(run.failures.keys))
    board.start(lane: index)
    states[index].run.runBatch(
      of: batchSize(run.nextCase),
      on: states[index].lane.workers
        ?? .threads(configuration.jobs, isInterrupted: configuration.isInterrupted),
      observer: RunObserver(
        onCase: { board.finishCase(ofLane: index) },
        isNew: { key in noted.withLock { $0.insert(key).inserted } },
        onSighting: { onSighting(names.named($0, inLane: index)) }
      )
    )
    let totals = states[index].run.totals
    board.finishBatch(ofLane: index, cases: totals.caseCount, totals.laws)
  }

  private func batchSize(_ done: Int) -> Int {
    // What ends after the batch of the first failure would else judge as many cases as there are workers.
    let workers = configuration.stopsAtFirstFailure ? 1 : max(1, configuration.jobs)
    guard case .cases(let count) = configuration.budget else {
      // The first batch of a lane is small: its speed is not known yet.
      let limit = done == configuration.firstCase ? 16 : configuration.batchSize
      return limit * workers
    }
    let left = configuration.shard.share(of: count).upperBound - done
    return min(configuration.batchSize * workers, left)
  }

  private mutating func shrinkNewFailures(ofLane index: Int) {
    let subject = states[index].lane.subject.id
    let (board, onFailure, names) = (board, onFailure, names)
    var remarks: [String] = []
    states[index].run.shrinkNewFailures(
      failureLimit: configuration.stopsAtFirstFailure ? 1 : configuration.failureLimit,
      stepLimit: configuration.shrinkStepLimit,
      shouldStop: shouldStopShrinking,
      onSmaller: { key, count, first in
        board.shrinking(.init(law: key.law, subject: subject, choices: count, of: first))
      },
      onFailure: { failure in
        if failure.wasStopped {
          remarks.append("shrinking of \(failure.key.law) was stopped early")
        }
        onFailure(names.named(failure, inLane: index))
        board.failed(lane: index)
      }
    )
    self.remarks += remarks
  }

  /// A budget of seconds gives shrinking half as much again, so that a late failure is small, too.
  private func shouldStopShrinking() -> Bool {
    if configuration.isInterrupted() { return true }
    guard case .seconds(let seconds) = configuration.budget else { return false }
    return elapsed > seconds * 1.5 + 2
  }
}

extension CaseFile {
  /// Whether a failure is the one that the case was stored for.
  fileprivate func isShown(by key: FailureKey) -> Bool {
    law == key.law && (kind == nil || kind == key.kind)
  }
}

/// What a campaign found, before it becomes a report.
package struct CampaignResult {
  /// Whether it ended at its first failure, as it was told to.
  let endsAtFailure: Bool
  /// What is known of a lane when the campaign is over.
  struct LaneResult {
    let lane: Lane
    /// What the cases of the seed came to.
    let totals: RunTotals
    /// What stored cases came to.
    let stored: RunTotals
    let failures: [Failure]
    /// The names of all that was seen in cases of the seed.
    let names: [FailureKey: String]
    /// What examples of listed divergences come to, by their position in the lane's list.
    let divergences: [Lane.DivergenceStanding]

    /// What the cases of a law came to, those of the seed and stored ones; `nil` if there was none.
    func totals(of law: String) -> LawTotals? {
      guard let stored = stored.laws[law] else { return totals.laws[law] }
      var sum = totals.laws[law] ?? LawTotals()
      sum.merge(stored)
      return sum
    }

    /// Cases that a subject left without an answer: by its own fault, or as errors, where it may be another's.
    func unansweredCount(areErrors: Bool) -> Int {
      let small = Set(failures.map(\.key))
      let counted = totals.sightings.values.filter { !small.contains($0.finding.key) }
        .map { (key: $0.finding.key, count: $0.caseCount) }
      return (failures.map { (key: $0.key, count: $0.caseCount) } + counted)
        .filter { $0.key.law == FailureKey.answers && $0.key.isError == areErrors }
        .reduce(0) { $0 + $1.count }
    }

    /// Whether the subject failed to answer, by whose fault it may be.
    var isUnanswered: Bool {
      failures.contains { $0.key.law == FailureKey.answers }
        || totals.sightings.keys.contains { $0.law == FailureKey.answers }
    }
  }

  let lanes: [LaneResult]
  let seed: Seed
  let budget: CampaignConfiguration.Budget
  let seconds: Double
  let jobs: Int
  let isInterrupted: Bool
  let remarks: [String]
  /// Why stored cases could not be tried, by their numbers in the configuration.
  let untriedCases: [Int: String]
}
