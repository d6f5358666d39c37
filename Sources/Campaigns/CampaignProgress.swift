import PropertyEngine
import Synchronization

/// Where a campaign stands, for the observer of a run.
package struct CampaignProgress: Sendable, Equatable {
  /// One lane: a subject, and the oracle it is compared with.
  package struct Row: Sendable, Equatable {
    package var subject: String
    /// The oracle, where the subject has a lane for each of several.
    package var oracle: String?
    package var laws: Int
    package var violatedLaws = 0
    package var cases = 0
    /// Spent on this lane, shrinking included.
    package var seconds = 0.0
    package var failures = 0

    package init(subject: String, oracle: String?, laws: Int) {
      self.subject = subject
      self.oracle = oracle
      self.laws = laws
    }
  }

  /// A failure on its way to be small.
  package struct Shrinking: Sendable, Equatable {
    package var law: String
    package var subject: String
    /// The smallest number of choices that still fails.
    package var choices: Int
    /// The number it began with.
    package var of: Int

    package init(law: String, subject: String, choices: Int, of: Int) {
      self.law = law
      self.subject = subject
      self.choices = choices
      self.of = of
    }
  }

  package var rows: [Row]
  /// The row at work.
  package var active: Int?
  package var seconds = 0.0
  /// Part of the whole that is done, 0 to 1.
  package var fraction = 0.0
  package var shrinking: Shrinking?

  package init(rows: [Row]) {
    self.rows = rows
  }

  package var cases: Int { rows.reduce(0) { $0 + $1.cases } }
  package var failures: Int { rows.reduce(0) { $0 + $1.failures } }
}

/// Keeps the progress of a campaign, and reports it at most ten times a second.
// A lock and no actor: workers that cannot wait call it, and it guards one value.
final class ProgressBoard: Sendable {
  /// Seconds between two reports of progress, unless something urgent happens.
  static let interval = 0.1

  private struct State {
    var progress: CampaignProgress
    var lastSeconds = -1.0
    /// When the lane at work began.
    var activeSince = 0.0
    var secondsBefore = 0.0
  }

  private let state: Mutex<State>
  private let start: Double
  private let clock: @Sendable () -> Double
  private let budget: CampaignConfiguration.Budget
  private let onProgress: @Sendable (CampaignProgress) -> Void

  init(
    _ configuration: CampaignConfiguration,
    _ onProgress: @escaping @Sendable (CampaignProgress) -> Void
  ) {
    clock = configuration.clock
    start = configuration.clock()
    budget = configuration.sharedBudget
    self.onProgress = onProgress
    let ids = configuration.lanes.map(\.subject.id)
    let rows = configuration.lanes.map { lane in
      CampaignProgress.Row(
        subject: lane.subject.id,
        oracle: ids.count { $0 == lane.subject.id } > 1 ? lane.oracle : nil,
        laws: lane.askedLawCount
      )
    }
    state = Mutex(State(progress: CampaignProgress(rows: rows)))
  }

  /// The lane begins a batch.
  func start(lane index: Int) {
    tell(always: false) { state, elapsed in
      state.progress.active = index
      state.activeSince = elapsed
      state.secondsBefore = state.progress.rows[index].seconds
    }
  }

  func finishCase(ofLane index: Int) {
    tell(always: false) { state, _ in state.progress.rows[index].cases += 1 }
  }

  func finishBatch(ofLane index: Int, cases: Int, _ laws: [String: LawTotals]) {
    tell(always: false) { state, _ in
      state.progress.rows[index].cases = cases
      state.progress.rows[index].violatedLaws = laws.values.count { $0.violated > 0 }
    }
  }

  func shrinking(_ shrinking: CampaignProgress.Shrinking) {
    tell(always: state.withLock { $0.progress.shrinking == nil }) { state, _ in
      state.progress.shrinking = shrinking
    }
  }

  /// A failure of the lane is as small as it gets.
  func failed(lane index: Int) {
    tell(always: true) { state, _ in
      state.progress.shrinking = nil
      state.progress.rows[index].failures += 1
    }
  }

  private func tell(always isUrgent: Bool, _ change: (inout State, Double) -> Void) {
    let elapsed = clock() - start
    let progress = state.withLock { state -> CampaignProgress? in
      change(&state, elapsed)
      if let active = state.progress.active {
        state.progress.rows[active].seconds = state.secondsBefore + elapsed - state.activeSince
      }
      state.progress.seconds = elapsed
      state.progress.fraction = fraction(state.progress)
      guard isUrgent || elapsed - state.lastSeconds >= Self.interval else { return nil }
      state.lastSeconds = elapsed
      return state.progress
    }
    if let progress { onProgress(progress) }
  }

  private func fraction(_ progress: CampaignProgress) -> Double {
    switch budget {
    case .cases(let count):
      let all = Double(max(1, count)) * Double(progress.rows.count { $0.laws > 0 })
      return min(1, Double(progress.cases) / max(1, all))
    case .seconds(let seconds): return min(1, progress.seconds / max(seconds, 0.001))
    }
  }
}
