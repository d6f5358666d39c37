import DocumentModel

/// Which edits each replica may have heard of, by the steps that made them.
///
/// Counted from above: a replica that hears part of a message is taken to know all of it, and a
/// lost sync counts as one that arrived. If neither of two edits may have been known to the other's
/// replica, they were therefore certainly made without knowing of each other.
///
///     r0 delete list1 0        step 0
///     r1 delete list1 0        step 1: r1 has not heard of step 0
///     r0 -> r1 merge           from here on r1 knows it
struct Knowledge {
  /// For each replica the steps that it may have heard of, its own among them.
  private var known: [Set<Int>]
  /// Messages by their number: the receiver, and what the sender knew when it was sent.
  private var messages: [Int: (to: Int, known: Set<Int>)] = [:]
  /// What was known when it was saved, by replica and slot.
  private var saved: [[Int]: Set<Int>] = [:]
  private let rolledBack: Set<Int>

  /// What is known before the first step.
  ///
  /// Edits that a rollback takes back become known to none.
  init(_ history: History) {
    known = Array(repeating: [], count: history.replicaCount)
    rolledBack = history.rolledBackSteps
  }

  subscript(replica: Int) -> Set<Int> { known[replica] }

  /// What a replica knew when it saved to a slot.
  func saved(_ replica: Int, _ slot: Int) -> Set<Int> { saved[[replica, slot]] ?? [] }

  /// Takes in a step, with its index; steps come in their order.
  mutating func take(_ step: Step, _ index: Int) {
    switch step {
    case .fork(let replica, _): known.append(known[replica])
    case .branch(let replica, let slot, _): known.append(saved(replica, slot))
    case .restart(let replica, let slot, _): known[replica] = saved(replica, slot)
    case .save(let replica, let slot), .call(let replica, .append(let slot)):
      saved[[replica, slot]] = known[replica]
    case .exchange(let from, let to, _): known[to].formUnion(known[from])
    case .send(let number, let from, let to, _): messages[number] = (to, known[from])
    case .deliver(let number, _):
      if let (to, heard) = messages[number], to < known.count { known[to].formUnion(heard) }
    case .call(let replica, .sync(let other, _)):
      known[replica].formUnion(known[other])
      known[other] = known[replica]
    case .call(let replica, .hear(let attack)):
      // Only what may bring edits of others counts: a replay does.
      if attack.kind == .replay { known[replica].formUnion(known[attack.informant]) }
    default:
      if let replica = step.editor, !rolledBack.contains(index) { known[replica].insert(index) }
    }
  }
}

extension Step {
  /// The replica that edits, if the step does.
  fileprivate var editor: Int? {
    switch self {
    case .edit(let replica, _), .call(let replica, .burst): replica
    default: nil
    }
  }
}
