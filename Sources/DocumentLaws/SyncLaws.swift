import DocumentModel
import Histories
import PropertyEngine

extension DocumentLaw {
  /// What two replicas promise that sync by messages.
  static let syncLaws: [DocumentLaw] = [syncConverges, syncSaysNothingTwice, syncHeals]

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
  /// Misses sessions of three, which `sync.heals` asks for.
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

  /// Catches what only a third document shows: a change that was asked for while it waited, or that a side
  /// got from one peer and takes for known to the other.
  ///
  /// The copies keep the changes that wait in the replicas, as the documents of `sync.converges` do not.
  /// A session costs a hundred times an edit, and so the law speaks of histories that sync already.
  static let syncHeals = DocumentLaw(
    "sync.heals",
    "Three replicas that sync end as if merged.",
    "Three replicas, with the changes that wait in them, that sync in pairs end as three that merge in pairs.",
    source: .specification(.format, "Generating a message", "Changes to send"),
    needs: Needs([.sync, .fork], transports: [.merge]),
    judging: .one { plan in
      let history = plan.history.history
      let syncs = history.steps.contains { step in
        if case .call(_, .sync) = step { true } else { false }
      }
      guard plan.replicaCount > 2, syncs else { return { _ in nil } }
      let replicas = [0, 1, plan.replicaCount - 1]
      let synced = replicas.map { plan.copy(of: $0, .divergent) }
      let merged = replicas.map { plan.copy(of: $0, .divergent) }
      var asked: [Question] = []
      for _ in 0..<history.healingRounds {
        for (first, second) in [(0, 1), (1, 2), (2, 0)] {
          asked.append(
            plan.ask(.sync(document: synced[first], with: synced[second], []), .divergent)
          )
          plan.ask(.merge(document: merged[first], from: merged[second]), .divergent)
          plan.ask(.merge(document: merged[second], from: merged[first]), .divergent)
        }
      }
      let sessions = asked
      let expected = plan.observe(merged[0], .divergent, as: "r0 after merging in pairs")
      let states = zip(replicas, synced).map { replica, document in
        plan.observe(document, .divergent, as: "r\(replica) after syncing in pairs")
      }
      return { answers in
        for session in sessions {
          guard case .failed(let reason) = answers.outcome(session) else { continue }
          return Difference(kind: "sync", summary: "a sync failed: \(reason)")
        }
        return states.lazy.compactMap { answers.difference($0, from: expected) }.first
      }
    }
  )
}
