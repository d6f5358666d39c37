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

  static let commutes = DocumentLaw(
    "merge.commutes",
    "Merging is commutative.",
    "Two replicas that merge each other show one state, whichever merged first.",
    source: shapiro,
    needs: Needs(transports: [.merge]),
    judging: .one { plan in
      guard plan.replicaCount > 1 else { return { _ in nil } }
      let pairs = [(0, 1), (plan.replicaCount - 1, 0)].map { first, second in
        let left = plan.shown(of: first, .divergent)
        let right = plan.shown(of: second, .divergent)
        let later = plan.shown(of: second, .divergent)
        plan.ask(.merge(document: later, from: left), .divergent)
        plan.ask(.merge(document: left, from: right), .divergent)
        return (plan.observe(left, .divergent), plan.observe(later, .divergent))
      }
      return { answers in
        pairs.lazy.compactMap { answers.difference($0, from: $1) }.first
      }
    }
  )

  static let associates = DocumentLaw(
    "merge.associates",
    "Merging is associative.",
    "Merging a with b and then c shows the same as merging a with the merge of b and c.",
    source: shapiro,
    needs: Needs(transports: [.merge]),
    judging: .one { plan in
      guard plan.replicaCount > 2 else { return { _ in nil } }
      let (a, b, c) = (0, 1, plan.replicaCount - 1)
      let stepwise = plan.shown(of: a, .divergent)
      let middle = plan.shown(of: b, .divergent)
      let last = plan.shown(of: c, .divergent)
      let outer = plan.shown(of: a, .divergent)
      plan.ask(.merge(document: stepwise, from: middle), .divergent)
      plan.ask(.merge(document: stepwise, from: last), .divergent)
      plan.ask(.merge(document: middle, from: last), .divergent)
      plan.ask(.merge(document: outer, from: middle), .divergent)
      let left = plan.observe(stepwise, .divergent)
      let right = plan.observe(outer, .divergent)
      return { $0.difference(right, from: left) }
    }
  )

  static let idempotent = DocumentLaw(
    "merge.idempotent",
    "Merging is idempotent.",
    "Merging what is known already, a replica's own state included, changes nothing.",
    source: shapiro,
    needs: Needs([.fork], transports: [.merge]),
    judging: .one { plan in
      let other = plan.replicaCount - 1
      let copy = plan.copy(of: 0, .divergent)
      plan.ask(.merge(document: copy, from: other), .divergent)
      let once = plan.observe(copy, .divergent)
      plan.ask(.merge(document: copy, from: other), .divergent)
      let twice = plan.observe(copy, .divergent)
      plan.ask(.merge(document: copy, from: 0), .divergent)
      plan.ask(.merge(document: copy, from: copy), .divergent)
      let again = plan.observe(copy, .divergent)
      return { $0.difference(twice, from: once) ?? $0.difference(again, from: once) }
    }
  )

  static let converges = DocumentLaw(
    "network.converges",
    "Replicas converge.",
    "After a full sync all replicas show the same state.",
    source: [shapiro, .decision(3)],
    judging: .one { plan in
      let states = (0..<plan.replicaCount).map { plan.observe($0, .converged) }
      return { answers in
        states.dropFirst().lazy.compactMap { answers.difference($0, from: states[0]) }.first
      }
    }
  )

  static let forksAreIndependent = DocumentLaw(
    "fork.independent",
    "A fork is independent of its original.",
    "A fork keeps its state while the original goes on, and starts with the original's.",
    source: .specification(.semantics, "Fork, merge, duplicates"),
    needs: Needs([.fork]),
    judging: .one { plan in
      let original = plan.observe(0, .divergent)
      let fork = plan.copy(of: 0, .divergent)
      let before = plan.observe(fork, .divergent)
      let after = plan.observe(fork, .converged)
      return { $0.difference(before, from: original) ?? $0.difference(after, from: before) }
    }
  )
}
