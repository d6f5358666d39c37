import Dispatch
import DocumentLaws
import Histories
package import PropertyEngine
import Subjects
import Synchronization

/// What a campaign is asked to do.
package struct CampaignConfiguration: Sendable {
  package enum Budget: Sendable {
    /// So many cases for each subject: the same report every time.
    case cases(Int)
    /// So many seconds for all subjects together, shrinking included.
    case seconds(Double)
  }

  package var lanes: [Lane]
  /// Coders, and the laws of coders that they are held to.
  package var coders: [CoderLane]
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
  /// Seconds since some moment.
  package var clock: @Sendable () -> Double
  /// Asked often: whether to end at once, with a complete report.
  package var isInterrupted: @Sendable () -> Bool

  package init(
    lanes: [Lane],
    coders: [CoderLane] = [],
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
    self.coders = coders
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

/// Runs cases lane by lane in batches, on several workers, and shrinks what fails.
///
/// A case is a function of the seed, the lane and its number, and totals add up in any order: for a
/// given number of cases the result is the same whatever the number of workers.
package struct Campaign {
  private let configuration: CampaignConfiguration
  private let board: ProgressBoard
  private let onSighting: @Sendable (any FoundFailure) -> Void
  private let onFailure: (any FoundFailure) -> Void
  private var states: [LaneState]
  /// Lanes of coders; they are numbered after all others.
  private var courses: [CoderCourse]
  private var remarks: [String] = []
  private let start: Double

  private struct LaneState {
    let lane: Lane
    var totals = LaneTotals()
    var nextCase = 0
    var seconds = 0.0
    var failures: [FailureKey: ShrunkFailure] = [:]
    var runners: [CaseRunner]
  }

  /// What is known of a lane when the campaign is over.
  struct LaneResult {
    let lane: Lane
    let totals: LaneTotals
    let failures: [ShrunkFailure]
    /// By their position in the lane's list.
    let divergencesShown: [Bool]
  }

  /// - Parameters:
  ///   - configuration: What to do.
  ///   - onProgress: Told now and then where the campaign stands; by workers, too.
  ///   - onSighting: Told of each kind of failure the moment it is found, not shrunk; by workers, too.
  ///   - onFailure: Told of each failure once it is shrunk, or was stored.
  package init(
    _ configuration: CampaignConfiguration,
    onProgress: @escaping @Sendable (CampaignProgress) -> Void = { _ in },
    onSighting: @escaping @Sendable (any FoundFailure) -> Void = { _ in },
    onFailure: @escaping (any FoundFailure) -> Void = { _ in }
  ) {
    self.configuration = configuration
    self.onSighting = onSighting
    self.onFailure = onFailure
    start = configuration.clock()
    board = ProgressBoard(configuration, onProgress)
    states = configuration.lanes.map { lane in
      let runners = (0..<max(1, configuration.jobs)).map { _ in
        CaseRunner(lane, clock: configuration.clock)
      }
      return LaneState(lane: lane, runners: runners)
    }
    courses = configuration.coders.map { CoderCourse($0, configuration) }
  }

  /// Runs until the budget is spent or somebody interrupts.
  package mutating func run() -> CampaignResult {
    for file in configuration.storedCases { tryStored(file) }
    while let index = nextLane() {
      let before = configuration.clock()
      if states.indices.contains(index) {
        runBatch(ofLane: index)
        shrinkNewFailures(ofLane: index)
        states[index].seconds += configuration.clock() - before
      } else {
        goOn(course: index - states.count)
        courses[index - states.count].seconds += configuration.clock() - before
      }
    }
    noteUnshrunk()
    if configuration.isInterrupted() { remarks.insert("interrupted", at: 0) }
    let results = states.map { state in
      LaneResult(
        lane: state.lane,
        totals: state.totals,
        failures: state.failures.keys.sorted().compactMap { state.failures[$0] },
        divergencesShown: state.lane.divergences.map { shows($0, state) }
      )
    }
    return CampaignResult(
      lanes: results,
      coders: courses.map(\.result),
      seed: configuration.seed,
      seconds: configuration.clock() - start,
      jobs: configuration.jobs,
      remarks: remarks
    )
  }

  /// Judges a stored case; one that still fails is a failure as it stands, already small.
  private mutating func tryStored(_ file: CaseFile) {
    if let course = courses.firstIndex(where: { $0.lane.isMeant(by: file) }) {
      guard let stored = courses[course].tryStored(file) else { return }
      onFailure(stored)
      board.failed(lane: states.count + course)
      return
    }
    guard let index = states.firstIndex(where: { $0.lane.isMeant(by: file) }),
      let runner = states[index].runners.first, let history = try? Replay.history(of: file)
    else { return }
    let lane = states[index].lane
    let laws = lane.laws(judging: file.law)
    guard !laws.isEmpty else { return }
    let result = runner.judge(normalise(history), laws: laws)
    guard let finding = result.findings.first(where: { $0.key.law == file.law }) else { return }
    let stored = ShrunkFailure(stored: file, lane: lane, finding, result.history)
    states[index].failures[finding.key] = stored
    onFailure(stored)
    board.failed(lane: index)
  }

  private var elapsed: Double { configuration.clock() - start }

  /// The lane that goes on: in order by cases, the one with the least time by seconds.
  private func nextLane() -> Int? {
    guard !configuration.isInterrupted() else { return nil }
    // Lanes that have laws.
    struct Open {
      let lane: Int
      let cases: Int
      let seconds: Double
    }
    let documents = states.enumerated().filter { !$0.element.lane.groups.isEmpty }
      .map { Open(lane: $0.offset, cases: $0.element.nextCase, seconds: $0.element.seconds) }
    let coders = courses.enumerated().filter { !$0.element.lane.isIdle }.map { index, course in
      Open(lane: states.count + index, cases: course.nextCase, seconds: course.seconds)
    }
    let open = documents + coders
    switch configuration.budget {
    case .cases(let count): return open.first { $0.cases < count }?.lane
    case .seconds(let seconds):
      // Each lane runs at least once, so that a short budget does not pass over a slow subject.
      if let fresh = open.first(where: { $0.cases == 0 }) { return fresh.lane }
      guard elapsed < seconds else { return nil }
      return open.min { $0.seconds < $1.seconds }?.lane
    }
  }

  /// Runs a batch of a coder's cases, and shrinks what fails.
  private mutating func goOn(course index: Int) {
    let row = states.count + index
    var course = courses[index]
    let (board, onSighting, onFailure) = (board, onSighting, onFailure)
    board.start(lane: row)
    course.runBatch(
      of: batchSize(course.nextCase, workers: max(1, configuration.jobs)),
      onCase: { board.finishCase(ofLane: row) },
      onSighting: { onSighting($0) }
    )
    board.finishBatch(ofLane: row, cases: course.totals.caseCount, course.totals.laws)
    let cutShort = course.shrinkNewFailures(
      shouldStop: shouldStopShrinking,
      onProgress: { board.shrinking($0) },
      onFailure: {
        onFailure($0)
        board.failed(lane: row)
      }
    )
    remarks += cutShort
    courses[index] = course
  }

  // MARK: - Batches

  private mutating func runBatch(ofLane index: Int) {
    let state = states[index]
    let size = batchSize(state.nextCase, workers: state.runners.count)
    let range = state.nextCase..<(state.nextCase + size)
    let next = Mutex(range.lowerBound)
    let totals = Mutex(LaneTotals())
    let seed = configuration.seed
    let isInterrupted = configuration.isInterrupted
    let lane = state.lane
    let runners = RunnerPool(state.runners)
    let board = board
    let onSighting = onSighting
    let noted = Mutex(Set(state.totals.sightings.keys).union(state.failures.keys))
    board.start(lane: index)
    DispatchQueue.concurrentPerform(iterations: state.runners.count) { worker in
      let runner = runners[worker]
      var own = LaneTotals()
      while !isInterrupted() {
        let caseIndex = next.withLock { value in
          defer { value += 1 }
          return value
        }
        guard range.contains(caseIndex), let group = lane.group(ofCase: caseIndex) else {
          break
        }
        var choices = Choices(seed: seed.stream(UInt64(caseIndex)))
        let result = runner.run(group, &choices)
        for finding in result.findings where noted.withLock({ $0.insert(finding.key).inserted }) {
          let found = Self.found(lane, finding, result.history, choices, seed, caseIndex)
          onSighting(found)
        }
        own.add(result, index: caseIndex, group: group, choices: choices)
        board.finishCase(ofLane: index)
      }
      totals.withLock { $0.merge(own) }
    }
    states[index].nextCase = range.upperBound
    states[index].totals.merge(totals.withLock { $0 })
    let sum = states[index].totals
    board.finishBatch(ofLane: index, cases: sum.caseCount, sum.laws)
  }

  private static func found(
    _ lane: Lane,
    _ finding: Finding,
    _ history: NormalisedHistory,
    _ choices: Choices,
    _ seed: Seed,
    _ caseIndex: Int
  ) -> ShrunkFailure {
    ShrunkFailure(
      lane: lane,
      key: finding.key,
      difference: finding.difference,
      history: history,
      choices: choices.recorded,
      seed: seed,
      caseIndex: caseIndex,
      shrinkSteps: 0,
      ending: ShrunkFailure.notShrunk,
      wasStopped: false,
      secondOutcome: nil,
      essentialSteps: history.history.steps.map { _ in true }
    )
  }

  /// Tells once more of failures that were counted and not shrunk: now of the first case that showed
  /// each, whichever worker came upon it.
  private func noteUnshrunk() {
    for course in courses { course.noteUnshrunk { onSighting($0) } }
    for state in states {
      for key in state.totals.sightings.keys.sorted() where state.failures[key] == nil {
        guard let sighting = state.totals.sightings[key], let runner = state.runners.first else {
          continue
        }
        var choices = Choices(replaying: sighting.choices.recordedValues)
        let history = runner.history(sighting.group, &choices)
        let found = Self.found(
          state.lane,
          sighting.finding,
          history,
          sighting.choices,
          configuration.seed,
          sighting.caseIndex
        )
        onSighting(found)
      }
    }
  }

  private func batchSize(_ done: Int, workers: Int) -> Int {
    let batch = 64 * workers
    guard case .cases(let count) = configuration.budget else {
      // The first batch of a lane is small: its speed is not known yet.
      return done == 0 ? 16 * workers : batch
    }
    return min(batch, count - done)
  }

  // MARK: - Failures

  private mutating func shrinkNewFailures(ofLane index: Int) {
    let sightings = states[index].totals.sightings
    let new = sightings.keys.filter { states[index].failures[$0] == nil }
      .sorted { (sightings[$0]?.caseIndex ?? 0, $0) < (sightings[$1]?.caseIndex ?? 0, $1) }
    for key in new where states[index].failures.count < configuration.failureLimit {
      guard let sighting = sightings[key], let runner = states[index].runners.first else {
        continue
      }
      var shrinker = FailureShrinker(
        runner: runner,
        lane: states[index].lane,
        sighting: sighting,
        seed: configuration.seed
      )
      let subject = states[index].lane.subject.id
      let first = sighting.choices.recorded.count
      board.shrinking(.init(law: key.law, subject: subject, choices: first, of: first))
      var shrunk = shrinker.run(
        stepLimit: configuration.shrinkStepLimit,
        shouldStop: shouldStopShrinking,
        onSmaller: { size in
          board.shrinking(.init(law: key.law, subject: subject, choices: size, of: first))
        }
      )
      if shrunk.wasStopped { remarks.append("shrinking of \(key.law) was stopped early") }
      shrunk.caseCount = sighting.caseCount
      states[index].failures[key] = shrunk
      onFailure(shrunk)
      board.failed(lane: index)
    }
    for key in states[index].failures.keys {
      states[index].failures[key]?.caseCount = sightings[key]?.caseCount ?? 1
    }
  }

  /// A budget of seconds gives shrinking half as much again, so that a late failure is small, too.
  private func shouldStopShrinking() -> Bool {
    if configuration.isInterrupted() { return true }
    guard case .seconds(let seconds) = configuration.budget else { return false }
    return elapsed > seconds * 1.5 + 2
  }

  private func shows(_ divergence: Divergence, _ state: LaneState) -> Bool {
    guard let runner = state.runners.first else { return false }
    let glob = Glob(divergence.law)
    let laws = DocumentLaw.all.filter { glob.matches($0.name) }
    let result = runner.judge(normalise(divergence.example), laws: laws)
    return result.verdicts.contains { if case .known = $0.verdict { true } else { false } }
  }
}

/// The runners of one batch; worker `i` alone uses runner `i`.
// Not checked by the compiler: a runner holds a session, which only one thread at a time may use, and
// `concurrentPerform` gives each worker a number of its own and returns when all are done.
private struct RunnerPool: @unchecked Sendable {
  private let runners: [CaseRunner]

  init(_ runners: [CaseRunner]) {
    self.runners = runners
  }

  subscript(worker: Int) -> CaseRunner { runners[worker] }
}

/// What a campaign found, before it becomes a report.
package struct CampaignResult {
  let lanes: [Campaign.LaneResult]
  let coders: [CoderCourse.Result]
  let seed: Seed
  let seconds: Double
  let jobs: Int
  let remarks: [String]
}
