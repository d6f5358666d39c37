import DocumentModel
import Histories
import PropertyEngine

extension DocumentLaw {
  /// What two replicas promise that sync by messages.
  static let syncLaws: [DocumentLaw] = [syncConverges, syncSaysNothingTwice]

  /// The first messages of a session suffer what the history's network does to its own: a session has a
  /// fate for each of its steps, which shrink together.
  private static func fates(of history: History) -> [SyncFate] {
    history.steps.suffix(History.fateLimit).map { step in
      switch step {
      case .drop, .cut: .lose
      case .send, .clog: .late
      case .deliver, .exchange: .double
      case .restart, .save: .restart
      case .edit, .commit, .fork, .mend, .unclog, .branch, .call: .deliver
      }
    }
  }

  /// Catches sessions that stop too early: a filter's false positive that is never asked for, a
  /// lost message that is never repeated.
  ///
  /// Misses sessions of three; histories have those only through their own exchanges.
  static let syncConverges = DocumentLaw(
    "sync.converges",
    "Replicas that sync end as if merged.",
    "Two replicas that sync show what a merge shows, whatever the network does to first messages and one of them loses.",
    source: .specification(.format, "Generating a message", "Receiving a message"),
    needs: Needs([.sync], transports: [.merge]),
    judging: .one { plan in
      guard plan.replicaCount > 1 else { return { _ in nil } }
      let (first, second) = (0, plan.replicaCount - 1)
      let left = plan.shown(of: first, .divergent)
      let right = plan.shown(of: second, .divergent)
      let merged = plan.shown(of: first, .divergent)
      plan.ask(.merge(document: merged, from: right), .divergent)
      let fates = fates(of: plan.history.history)
      let session = plan.ask(.sync(document: left, with: right, fates), .divergent)
      let expected = plan.observe(merged, .divergent)
      let states = [left, right].map { plan.observe($0, .divergent) }
      return { answers in
        if case .failed(let reason) = answers.outcome(session) {
          return Difference(kind: "sync", summary: "a sync failed: \(reason)")
        }
        return states.lazy.compactMap { answers.difference($0, from: expected) }.first
      }
    }
  )

  /// Catches sync that works and is useless: everything sent in each round, or peers that never
  /// fall silent.
  static let syncSaysNothingTwice = DocumentLaw(
    "sync.nothing-twice",
    "Sync sends nothing twice.",
    "A sync of two sides that lost nothing sends neither a change that it has, and ends within nine rounds.",
    source: .specification(.format, "Generating a message", "Changes to send"),
    needs: Needs([.sync], transports: [.merge]),
    judging: .one { plan in
      guard plan.replicaCount > 1 else { return { _ in nil } }
      // A side that has lost changes says that it has none, and is sent all.
      let fates = fates(of: plan.history.history).map { $0 == .restart ? .lose : $0 }
      let sessions = [fates, []].map { fates in
        let left = plan.shown(of: 0, .divergent)
        let right = plan.shown(of: plan.replicaCount - 1, .divergent)
        return plan.ask(.sync(document: left, with: right, fates), .divergent)
      }
      return { answers in
        sessions.lazy.compactMap { session -> Difference? in
          guard case .synced(let report) = answers.outcome(session) else { return nil }
          if report.rounds > SyncReport.roundLimit {
            return Difference(
              kind: "rounds",
              summary:
                "a sync took \(report.rounds) rounds, at most \(SyncReport.roundLimit) are due"
            )
          }
          guard let repeats = report.repeats, repeats > 0 else { return nil }
          return Difference(
            kind: "repeats",
            summary: "a sync sent \(repeats) changes to a side that had them"
          )
        }.first
      }
    }
  )
}
