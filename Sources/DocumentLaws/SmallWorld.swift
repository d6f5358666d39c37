// Small worlds: all histories of a few edits, and one law of their own. `Campaigns/WorldRun.swift`
// walks through them.

import DocumentModel
package import Histories
package import PropertyEngine

/// A document so small that every history on it can be tried.
///
/// A history is a sequence of edits, each in a change of its own; before an edit its replica may hear
/// from any of the others that know something new. That covers every relation between replicas and
/// what each knew. All changes then arrive at fresh documents in every order.
///
/// A random campaign draws likely histories; here no history is left out, so that a rule that fails
/// in a rare one is found for certain. The price is size: two or three replicas and a few edits.
///
/// `Campaigns/WorldRun.swift` walks through all of them, for `touchstone worlds`. Two replicas with
/// three edits are 160 histories of `key`, 1,280 of `list` and 540 of `counter`.
package enum SmallWorld: String, CaseIterable, Sendable {
  /// One key of a map: put or delete.
  case key
  /// One list of two elements: insert at either end, delete or overwrite the first.
  case list
  /// One counter: increment, replace or delete.
  case counter

  /// All histories of this world; walk them with an `ExhaustiveWalk`.
  ///
  /// The count for two replicas: each edit has 2 replicas and k kinds of edit, and where the other
  /// side has news, a choice to hear it. First edits have 2k ways, second ones 3k, third ones 10k /
  /// 3 on average; for `key`, k is 2, and 4 * 6 * 20 / 3 is 160.
  package func histories(replicas: Int, edits: Int) -> Generator<History> {
    Generator { choices in
      var known: [Set<Int>] = Array(repeating: [], count: replicas)
      var steps: [Step] = []
      for edit in 0..<edits {
        let replica = choices.index(below: replicas)
        // A replica without news is not heard: to hear it would give the same history twice.
        for other in 0..<replicas
        where !known[other].isSubset(of: known[replica]) && choices.flag() {
          steps.append(.exchange(from: other, to: replica, .merge))
          known[replica].formUnion(known[other])
        }
        steps.append(.edit(replica: replica, self.edit(edit, &choices)))
        steps.append(.commit(replica: replica))
        known[replica].insert(edit)
      }
      return History(base: base, replicaCount: replicas, healing: [.merge], steps: steps)
    }
  }

  private var base: Base {
    switch self {
    case .key: .empty
    case .list: .objects
    case .counter: .counters
    }
  }

  /// Values are numbers of edits and powers of two, so that a sum tells which edits are in it.
  ///
  /// Few kinds of edits: a world of n edits has more than (2 * kinds)^n histories for two replicas.
  private func edit(_ number: Int, _ choices: inout Choices) -> Edit<ObjectName> {
    let value = Scalar.int(Int64(number))
    switch self {
    case .key:
      return choices.flag() ? .delete(.root, .key("k")) : .put(.root, .key("k"), value)
    case .list:
      let list = ObjectName(1)
      return switch choices.index(below: 4) {
      case 0: .insert(list, index: 0, value)
      case 1: .delete(list, .index(0))
      case 2: .put(list, .index(0), value)
      // Past the end of what is there: the normaliser makes it the end.
      default: .insert(list, index: 2, value)
      }
    case .counter:
      return switch choices.index(below: 3) {
      case 0: .increment(.root, .key("n"), by: Int64(1 << number))
      case 1: .put(.root, .key("n"), .counter(Int64(100 * (number + 1))))
      default: .delete(.root, .key("n"))
      }
    }
  }

  /// The laws that a small world is held to, besides the one that it brings along.
  package static let laws: [DocumentLaw] = [
    .converges, .commutes, .associates, .nothingLost, .nothingReturns, everyOrder,
  ]

  /// In whatever order the messages of a history arrive at an empty document, it ends the same.
  ///
  /// Catches waiting that depends on what else has arrived, in all orders of messages and both
  /// orders within them.
  ///
  /// Cost: a document for each of n! orders of n messages; small worlds have three replicas at
  /// most.
  static let everyOrder = DocumentLaw(
    "delivery.every-order",
    "Every order of arrival gives one state.",
    "Changes give one state in every order of their arrival.",
    source: .specification(.semantics, "Fork, merge, duplicates"),
    needs: DocumentLaw.Needs(transports: [.changes]),
    judging: .one { plan in
      let receivers = (0..<plan.replicaCount).map { _ in plan.scratchDocument() }
      let messages = receivers.indices.map { _ in plan.scratchMessage() }
      for (replica, receiver) in receivers.enumerated() {
        plan.ask(.create(document: receiver, Plan.scratchActor), .divergent)
        plan.ask(
          .send(message: messages[replica], from: replica, to: receiver, .changes, .missing),
          .divergent
        )
      }
      var states: [Question] = []
      for order in permutations(of: messages) {
        let document = plan.scratchDocument()
        plan.ask(.create(document: document, Plan.scratchActor), .divergent)
        // Alternately backwards, so that changes also wait within a message.
        for (index, message) in order.enumerated() {
          plan.ask(
            index.isMultiple(of: 2)
              ? .deliverReversed(message: message, document: document)
              : .deliver(message: message, document: document, part: nil),
            .divergent
          )
        }
        let name = "a document given the messages in the order \(order)"
        states.append(plan.observe(document, .divergent, as: name))
      }
      let expected = plan.observe(0, .converged)
      let all = states
      return { answers in
        all.lazy.compactMap { answers.difference($0, from: expected) }.first
      }
    }
  )
}

/// All orders of the elements, in a fixed sequence.
private func permutations<Element>(of elements: [Element]) -> [[Element]] {
  guard let first = elements.first else { return [[]] }
  return permutations(of: Array(elements.dropFirst())).flatMap { rest in
    (0...rest.count).map { place in
      Array(rest[..<place]) + [first] + Array(rest[place...])
    }
  }
}
