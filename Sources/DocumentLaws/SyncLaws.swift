// Laws of sync by messages. A session has two sides, and fates for its first messages: lost, late,
// doubled, or a side that starts again. Then both sides begin a new channel, on which nothing is
// lost, and go on until both are silent (`DocumentModel/SyncingReplica.swift`).
//
//     law                 replicas   what waits in them   compared with
//     sync.converges      2          left out             a merge
//     sync.nothing-twice  2          left out             what the sides had
//     sync.heals          2 or 3     kept                 merges in pairs

import DocumentModel
import Histories
import PropertyEngine
import Texts

extension DocumentLaw {
  /// What two replicas promise that sync by messages.
  static let syncLaws: [DocumentLaw] = [syncConverges, syncSaysNothingTwice, syncHeals]

  /// The first messages of a session suffer what the history's network does to its own: a session has a
  /// fate for each of its steps, which shrink together.
  ///
  /// The last steps count, up to ``History/fateLimit``: so a session of a short history has as many
  /// fates as it has steps, and shrinking the history shrinks the session.
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
  ///
  /// Worked example: a filter affirms one change in a hundred wrongly. Such a change counts as
  /// known and is left out of the answer; what follows it is sent, and waits. The receiver must ask
  /// for the missing change by its hash, and a side that falls silent before ends without it.
  static let syncConverges = DocumentLaw(
    "sync.converges",
    "Replicas that sync end as if merged.",
    "Two replicas that sync show what a merge shows, even if the network disturbs the first messages and a "
      + "replica starts again from what it had stored.",
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
      let expected = plan.observe(merged, .divergent, as: "r\(first) after merging r\(second)")
      let states = [
        plan.observe(left, .divergent, as: "r\(first) after syncing with r\(second)"),
        plan.observe(right, .divergent, as: "r\(second) after syncing with r\(first)"),
      ]
      return { answers in
        if let failure = answers.failure(of: session, "r\(first) with r\(second)") {
          return failure
        }
        return states.lazy.compactMap { answers.difference($0, from: expected) }.first
      }
    }
  )

  /// Catches sync that works and is useless: everything sent in each round, or peers that never
  /// fall silent.
  ///
  /// Two sessions are asked: one that is disturbed first, and one that is not.
  ///
  /// Nine rounds: see ``SyncReport/roundLimit``.
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
      let pair = "r0 syncing with r\(plan.replicaCount - 1)"
      return { answers in
        sessions.lazy.compactMap { session -> Difference? in
          guard case .synced(let report) = answers.outcome(session) else { return nil }
          if report.rounds > SyncReport.roundLimit {
            return Difference(
              kind: "rounds",
              summary:
                "a sync took \(report.rounds) rounds, at most \(SyncReport.roundLimit) are due"
            ).between(nil, pair)
          }
          guard let repeats = report.repeats, repeats > 0 else { return nil }
          return Difference(
            kind: "repeats",
            summary: "a sync sent \(counted(repeats, "change")) to a side that had "
              + (repeats == 1 ? "it" : "them")
          ).between(nil, pair)
        }.first
      }
    }
  )

  /// Catches what changes that wait do to a session, and what only a third document shows.
  ///
  /// Of two sides each may lack what the other's wait for, and lose messages, or start again, meanwhile. With a
  /// third there is a change that was asked for while it waited, or that a side got from one peer and takes for
  /// known to the other.
  ///
  /// The copies keep the changes that wait in the replicas, as the documents of `sync.converges` do not.
  /// A session costs a hundred times an edit, and so the law speaks of histories of two in which a message may
  /// overtake another, and of histories of more that sync already.
  ///
  /// As many rounds as healing has, so that merging in pairs is enough for whatever waits.
  static let syncHeals = DocumentLaw(
    "sync.heals",
    "Waiting changes sync as if merged.",
    "Two or three replicas that sync in pairs, waiting changes included, end as if they had merged in pairs. With "
      + "two replicas the network may disturb the first messages.",
    source: .specification(.format, "Generating a message", "Changes to send"),
    needs: Needs([.sync, .fork], transports: [.merge]),
    judging: .one { plan in
      let history = plan.history.history
      let areTwo = plan.replicaCount == 2
      let isDue = history.steps.contains { step in
        switch step {
        case .call(_, .sync): true
        case .deliver, .drop: areTwo
        default: false
        }
      }
      guard plan.replicaCount > 1, isDue else { return { _ in nil } }
      let replicas = areTwo ? [0, 1] : [0, 1, plan.replicaCount - 1]
      let pairs = areTwo ? [(0, 1)] : [(0, 1), (1, 2), (2, 0)]
      let fates = areTwo ? fates(of: history) : []
      let synced = replicas.map { plan.copy(of: $0, .divergent) }
      let merged = replicas.map { plan.copy(of: $0, .divergent) }
      var asked: [(session: Question, pair: String)] = []
      for _ in 0..<history.healingRounds {
        for (first, second) in pairs {
          let session = plan.ask(
            .sync(document: synced[first], with: synced[second], fates),
            .divergent
          )
          asked.append((session, "r\(replicas[first]) with r\(replicas[second])"))
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
        for (session, pair) in sessions {
          if let failure = answers.failure(of: session, pair) { return failure }
        }
        return states.lazy.compactMap { answers.difference($0, from: expected) }.first
      }
    }
  )
}

extension Answers {
  /// Why a sync was not carried out; `nil` if it was.
  ///
  /// `pair` says whose it is: `r0 with r1`.
  fileprivate func failure(of session: Question, _ pair: String) -> Difference? {
    guard case .failed(let reason) = outcome(session) else { return nil }
    let words = "a sync of \(pair)"
    return Difference(kind: "sync", summary: "a sync failed: \(reason)").between(nil, words)
  }
}
