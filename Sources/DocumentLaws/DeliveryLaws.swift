// Laws of what arrives, and of what is saved and loaded; all are part of `DocumentLaw.all`
// (`Catalogue.swift`). Each asks by a plan and judges one difference of two states.

import DocumentModel
import Histories
import PropertyEngine

extension DocumentLaw {
  /// What changes promise on their way, and stored documents in their slots.
  static let deliveryLaws: [DocumentLaw] = [
    anyOrder, anyNumber, transportsAgree, savedEqualsLoaded, loadedGoesOn, pastStays,
  ]

  /// Catches a queue that loses a change, keeps one waiting that is ready, or applies one before
  /// what it depends on.
  ///
  /// Misses orders between the two extremes; `storage.any-order` shuffles, and small worlds try all
  /// (``SmallWorld``).
  ///
  /// Worked example, all by one writer:
  ///
  ///     change 1    put "k" int 1
  ///     change 2    put "k" int 2, follows 1
  ///     change 3    put "k" int 3, follows 2
  ///
  /// In reverse, 3 and 2 wait; 1 releases 2, and 2 releases 3. An engine that looks through its
  /// queue once shows 2 and keeps 3 waiting. One that applies 3 at once, and marks what it replaces
  /// then and there, finds no operation 2 to mark, and later shows 2 beside 3.
  static let anyOrder = DocumentLaw(
    "delivery.any-order",
    "The order of arrival does not matter.",
    "Changes that arrive in the reverse of their order give the state that they give in order.",
    source: .specification(.format, "Applying changes"),
    needs: Needs(transports: [.changes]),
    judging: .one { plan in
      // After healing replica 0 knows every change. All of them travel to two empty documents; the
      // second gets the last change first, so that each waits for the one delivered after it.
      let message = plan.scratchMessage()
      let forward = plan.scratchDocument()
      let backward = plan.scratchDocument()
      plan.ask(.create(document: forward, Plan.scratchActor), .converged)
      plan.ask(.create(document: backward, Plan.scratchActor), .converged)
      plan.ask(.send(message: message, from: 0, to: forward, .changes, .missing), .converged)
      plan.ask(.deliver(message: message, document: forward, part: nil), .converged)
      plan.ask(.deliverReversed(message: message, document: backward), .converged)
      let original = plan.observe(0, .converged)
      let inOrder = plan.observe(forward, .converged, as: "a document given r0's changes in order")
      let reversed = plan.observe(
        backward,
        .converged,
        as: "a document given r0's changes in reverse"
      )
      return {
        $0.difference(inOrder, from: original) ?? $0.difference(reversed, from: original)
      }
    }
  )

  /// Catches increments that count twice and text that doubles when a network repeats a message.
  ///
  /// Misses repetitions while something still waits.
  ///
  /// Worked example: "n" is counter 10, and a change adds 1. It arrives twice, and "n" is 11; an
  /// engine that applies a change without looking for its hash shows 12.
  static let anyNumber = DocumentLaw(
    "delivery.any-number",
    "Changes that arrive again change nothing.",
    source: .specification(.semantics, "Fork, merge, duplicates"),
    needs: Needs([.fork], transports: [.changes]),
    judging: .one { plan in
      // The message is made for a document that has nothing, so that it holds everything; it is then
      // delivered to a copy of its sender, forwards and backwards.
      let message = plan.scratchMessage()
      let empty = plan.scratchDocument()
      let copy = plan.copy(of: 0, .converged)
      plan.ask(.create(document: empty, Plan.scratchActor), .converged)
      plan.ask(.send(message: message, from: copy, to: empty, .changes, .missing), .converged)
      plan.ask(.deliver(message: message, document: copy, part: nil), .converged)
      plan.ask(.deliverReversed(message: message, document: copy), .converged)
      let before = plan.observe(0, .converged)
      let after = plan.observe(copy, .converged, as: "r0 after its changes arrived again")
      return { $0.difference(after, from: before) }
    }
  )

  /// Catches state that travels by one way alone: a mark that a saved document holds and a change
  /// lacks, or the other way round.
  ///
  /// Worked example: r1 deletes an element of a list. In memory the deletion is an operation; in a
  /// document it has no row, and stands as a successor of the element's. A writer that forgets
  /// successors brings the element back by `document` alone.
  static let transportsAgree = DocumentLaw(
    "transport.agree",
    "Every transport brings the same state.",
    "A state that arrives as a saved document is the same as one that arrives in memory.",
    source: .specification(.semantics, "Fork, merge, duplicates"),
    needs: Needs([.save], transports: [.merge, .document]),
    judging: .one { plan in
      let sender = plan.shown(of: plan.replicaCount - 1, .divergent)
      let merged = plan.shown(of: 0, .divergent)
      plan.ask(.merge(document: merged, from: sender), .divergent)
      let expected = plan.observe(merged, .divergent, as: "r0 after merging in memory")
      // Which transports a subject has is not known to a plan: changes have their own laws.
      let loaded = plan.shown(of: 0, .divergent)
      let message = plan.scratchMessage()
      plan.ask(
        .send(message: message, from: sender, to: loaded, .document, .missing),
        .divergent
      )
      plan.ask(.deliver(message: message, document: loaded, part: nil), .divergent)
      let actual = plan.observe(loaded, .divergent, as: "r0 after loading a saved document")
      return { $0.difference(actual, from: expected) }
    }
  )

  /// The first thing that users notice.
  ///
  /// Catches any value, conflict or object that saving or loading loses.
  /// Misses what no observation shows: `save.goes-on` and the laws of stored bytes look further.
  ///
  /// Worked example: "k" holds int 1 and int 2 in conflict. A form that stores winners alone loads
  /// one of them.
  static let savedEqualsLoaded = DocumentLaw(
    "save.round-trips",
    "A saved document loads as it was.",
    "A document that was saved and loaded shows what it showed before.",
    source: .specification(.semantics, "Transactions and commits"),
    needs: Needs([.save]),
    judging: .one { plan in
      let pairs = (0..<plan.replicaCount).map { replica in
        let slot = plan.scratchSlot()
        let loaded = plan.scratchDocument()
        plan.ask(.save(document: replica, slot: slot), .divergent)
        plan.ask(.load(document: loaded, slot: slot, Plan.scratchActor), .divergent)
        return (
          plan.observe(replica, .divergent, as: "r\(replica) before saving"),
          plan.observe(loaded, .divergent, as: "r\(replica) saved and loaded")
        )
      }
      return { answers in
        pairs.lazy.compactMap { answers.difference($1, from: $0) }.first
      }
    }
  )

  /// Catches a load that shows the right state and has lost what decides the next merge.
  ///
  /// Worked example, in the list "a", "b" that the base holds:
  ///
  ///     r0 delete list1 0
  ///     r1 insert list1 1 string "x"
  ///
  /// r1's "x" was inserted behind "a". A document that was saved without its tombstones shows "b"
  /// and passes `save.round-trips`; merged with r1 it has no "a" to put "x" behind. The right list
  /// is "x", "b"; an element without a place that goes to the end gives "b", "x".
  static let loadedGoesOn = DocumentLaw(
    "save.goes-on",
    "A loaded document merges as the original.",
    "A document that was saved and loaded merges as the one that was not.",
    source: .specification(.semantics, "Insert rule"),
    needs: Needs([.save, .fork], transports: [.merge]),
    judging: .one { plan in
      let other = plan.replicaCount - 1
      // A load may rebuild what does not show (order of tombstones, waiting changes): a merge after
      // it brings that to light, where `save.round-trips` sees nothing.
      let slot = plan.scratchSlot()
      let loaded = plan.scratchDocument()
      plan.ask(.save(document: 0, slot: slot), .divergent)
      plan.ask(.load(document: loaded, slot: slot, Plan.scratchActor), .divergent)
      let kept = plan.copy(of: 0, .divergent)
      plan.ask(.merge(document: loaded, from: other), .divergent)
      plan.ask(.merge(document: kept, from: other), .divergent)
      let expected = plan.observe(kept, .divergent, as: "r0 after merging r\(other)")
      let actual = plan.observe(
        loaded,
        .divergent,
        as: "r0, saved and loaded, after merging r\(other)"
      )
      return { $0.difference(actual, from: expected) }
    }
  )

  /// Catches history that is rewritten: an old state that changes when something new arrives, as
  /// when a cache is not kept apart by heads.
  ///
  /// Misses states before a restart, which may have lost their changes.
  ///
  /// Compares a subject with itself, where `agreement.past` compares it with the oracle: a past
  /// that was shown wrong at once is only seen there.
  static let pastStays = DocumentLaw(
    "history.past-stays",
    "The past reads as it was.",
    "A state reads at its heads as it did when it was the present, whatever came since.",
    source: .specification(.semantics, "Visibility", "History and clocks"),
    needs: Needs([.history, .heads]),
    readsStates: true,
    judging: .one { plan in
      let recalled = plan.lastingStates.map { state in
        (state.question, plan.ask(.recall(document: state.document, mark: state.mark), .converged))
      }
      return { answers in
        recalled.lazy.compactMap { then, now -> Difference? in
          guard var past = answers.observation(now), var present = answers.observation(then)
          else { return nil }
          // The heads of a read at heads are those asked for: nothing to compare.
          past.heads = nil
          present.heads = nil
          return past.difference(from: present)?.between(
            answers.side(then),
            Difference.Side("\(then.name), read again at its heads", state: past.lines)
          ).ofPeers()
        }.first
      }
    }
  )
}
