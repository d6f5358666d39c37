// Laws of merging and forking; all are part of `DocumentLaw.all` (`Catalogue.swift`). Those that
// compare merges work on copies that hold nothing that waits (`Plan.shown`).

import DocumentModel
import Histories
import PropertyEngine

extension DocumentLaw {
  /// What merging promises, whatever the algorithm.
  static let mergeLaws: [DocumentLaw] = [
    commutes, associates, idempotent, converges, forksAreIndependent,
  ]

  private static let shapiro: LawSource =
    .paper("Shapiro et al., Conflict-free Replicated Data Types, 2011", "2")

  /// Catches a winner that is chosen by who came first, and lists whose order depends on who
  /// merged.
  ///
  /// Misses merges in which both sides lose the same.
  ///
  /// Worked example, in the list "a", "b" that the base holds:
  ///
  ///     r0 insert list1 1 string "x"
  ///     r1 insert list1 1 string "y"
  ///
  /// Both stand behind "a", and the greater operation comes first: "y" on both sides. An engine
  /// that puts what arrives right behind its reference shows "y" first where r1 arrives, and "x"
  /// first where r0 does.
  static let commutes = DocumentLaw(
    "merge.commutes",
    "Merging is commutative.",
    "Two replicas that merge each other show one state, whichever merged first.",
    source: shapiro,
    needs: Needs(transports: [.merge]),
    judging: .one { plan in
      // Neighbours, and the ends: replicas that exchanged much, and such that hardly met.
      guard plan.replicaCount > 1 else { return { _ in nil } }
      let pairs = [(0, 1), (plan.replicaCount - 1, 0)].map { first, second in
        let left = plan.shown(of: first, .divergent)
        let right = plan.shown(of: second, .divergent)
        let later = plan.shown(of: second, .divergent)
        plan.ask(.merge(document: later, from: left), .divergent)
        plan.ask(.merge(document: left, from: right), .divergent)
        return (
          plan.observe(left, .divergent, as: "r\(first) after merging r\(second)"),
          plan.observe(later, .divergent, as: "r\(second) after merging r\(first)")
        )
      }
      return { answers in
        pairs.lazy.compactMap { answers.difference($0, from: $1) }.first
      }
    }
  )

  /// Catches a merge that decides between heads and not between operations: the result then depends
  /// on what met what on the way.
  ///
  /// Worked example: a and b both put "k", b's put is the winner, and c has heard of b's put and
  /// deleted it. In a merge that keeps the winner alone, a + b is b's put, and with c nothing; b +
  /// c is nothing, and with a it is a's put.
  static let associates = DocumentLaw(
    "merge.associates",
    "Merging is associative.",
    "Merging a with b and then c shows the same as merging a with the merge of b and c.",
    source: shapiro,
    needs: Needs(transports: [.merge]),
    judging: .one { plan in
      guard plan.replicaCount > 2 else { return { _ in nil } }
      // (a + b) + c on one copy of a, a + (b + c) on another; b is merged with c on its own copy.
      let (a, b, c) = (0, 1, plan.replicaCount - 1)
      let stepwise = plan.shown(of: a, .divergent)
      let middle = plan.shown(of: b, .divergent)
      let last = plan.shown(of: c, .divergent)
      let outer = plan.shown(of: a, .divergent)
      plan.ask(.merge(document: stepwise, from: middle), .divergent)
      plan.ask(.merge(document: stepwise, from: last), .divergent)
      plan.ask(.merge(document: middle, from: last), .divergent)
      plan.ask(.merge(document: outer, from: middle), .divergent)
      let left = plan.observe(stepwise, .divergent, as: "r\(a) after merging r\(b), then r\(c)")
      let right = plan.observe(
        outer,
        .divergent,
        as: "r\(a) after merging what r\(b) and r\(c) merged to"
      )
      return { $0.difference(right, from: left) }
    }
  )

  /// Catches counters that grow when they meet themselves, and lists that get longer.
  ///
  /// Worked example: "n" is counter 10, and r1 adds 1. Merging r1 twice shows 11; a merge that adds
  /// sums instead of operations shows 12.
  static let idempotent = DocumentLaw(
    "merge.idempotent",
    "Merging is idempotent.",
    "Merging what is known already, a replica's own state included, changes nothing.",
    source: shapiro,
    needs: Needs([.fork], transports: [.merge]),
    judging: .one { plan in
      // Three things that are known already: another's state again, the state it was copied from, and
      // its own. The second and third go one after the other, for one comparison.
      let other = plan.replicaCount - 1
      let copy = plan.copy(of: 0, .divergent)
      plan.ask(.merge(document: copy, from: other), .divergent)
      let once = plan.observe(copy, .divergent, as: "r0 after merging r\(other)")
      plan.ask(.merge(document: copy, from: other), .divergent)
      let twice = plan.observe(copy, .divergent, as: "r0 after merging r\(other) twice")
      plan.ask(.merge(document: copy, from: 0), .divergent)
      plan.ask(.merge(document: copy, from: copy), .divergent)
      let again = plan.observe(
        copy,
        .divergent,
        as: "r0 after merging its former state, then itself"
      )
      return { $0.difference(twice, from: once) ?? $0.difference(again, from: once) }
    }
  )

  /// The promise of the field.
  ///
  /// Catches whatever makes replicas differ for good, by any network that the history has.
  /// Misses replicas that agree on a wrong state; other laws ask what state it is.
  ///
  /// What "a full sync" is stands in ``History/healingRounds``: two rounds in which all pairs
  /// exchange, more where a restart lost changes that others wait for.
  static let converges = DocumentLaw(
    "network.converges",
    "Replicas converge.",
    "After a full sync all replicas show the same state.",
    source: [shapiro, .decision(3)],
    judging: .one { plan in
      // Each with the first: equality is transitive, and a failure then names r0 and another.
      let states = (0..<plan.replicaCount).map { plan.observe($0, .converged) }
      return { answers in
        states.dropFirst().lazy.compactMap { answers.difference($0, from: states[0]) }.first
      }
    }
  )

  /// Catches storage that two documents share: a copy on write that forgets to copy.
  ///
  /// Worked example: both share a leaf of elements. The original types into it without copying, and
  /// the fork has the letter, too.
  static let forksAreIndependent = DocumentLaw(
    "fork.independent",
    "A fork is independent of its original.",
    "A fork keeps its state while the original goes on, and starts with the original's.",
    source: .specification(.semantics, "Fork, merge, duplicates"),
    needs: Needs([.fork]),
    judging: .one { plan in
      // Healing is what the original goes on with: the fork takes no part in it.
      let original = plan.observe(0, .divergent)
      let fork = plan.copy(of: 0, .divergent)
      let before = plan.observe(fork, .divergent, as: "a fork of r0")
      let after = plan.observe(fork, .converged, as: "the fork of r0 after r0 went on")
      return { $0.difference(before, from: original) ?? $0.difference(after, from: before) }
    }
  )
}
