// The law `edits.last-stays`, and who knew what, which it needs. It compares with the history, not
// with answers: no oracle, no ids.
//
//     r0 put root "k" int 1
//     r0 -> r1 merge
//     r1 put root "k" int 2     r1 knew of the first put: "k" must end as int 2
//
// An engine that decides by clocks, and whose clocks count a replica's own operations alone, gives
// both puts the number 1, and may show int 1 for good.

import DocumentModel
import Histories
import PropertyEngine

extension DocumentLaw {
  /// Catches an engine that ignores an edit, whose clock falls behind what it has heard, or that forgets a deletion.
  ///
  /// All replicas may agree on that. Every subject can be asked, one without ids of operations as well.
  ///
  /// Misses keys below the root, lists and texts; edits that met concurrent ones, whose winner is the subject's own
  /// choice; and numbers that became another kind of number.
  static let lastEditStays = DocumentLaw(
    "edits.last-stays",
    "The last edit of a key stays.",
    "A key of the root ends as its last edit left it, if the replica that made this edit knew all other edits of "
      + "the key.",
    source: .paper(
      "Lamport, Time, Clocks, and the Ordering of Events in a Distributed System, 1978"
    ),
    judging: .one { plan in
      let last = LastEdits(plan.history.history).edits
      let question = plan.observe(0, .converged)
      return { answers in
        guard let observation = answers.observation(question),
          case .map(let entries) = observation.root.content
        else { return nil }
        // An edit that the subject refused has left nothing; `edits.accepted` says whether it may.
        for edit in last where answers.carriesOut(step: edit.step) {
          let shown = entries.first { $0.key == edit.key }?.register.values.last
          guard let difference = edit.difference(from: shown) else { continue }
          return difference.between(nil, answers.side(question))
        }
        return nil
      }
    }
  )
}

/// The last edits of keys of the root, where the writer of each knew all others.
///
/// Knowledge is under-estimated: only merges and saved documents count as bringing a whole state.
/// What counts as known is known.
///
/// A replica that hears a message in parts, by changes or by sync counts as knowing nothing of it.
/// So some edits that could be judged are left out, and none is judged wrongly.
struct LastEdits {
  /// A put of a scalar, or a deletion: of other edits nothing is expected.
  struct Edit {
    let key: ExactString
    /// The index of its step in the history.
    let step: Int
    /// What it wrote; `nil` if it deleted the key.
    let value: Scalar?
  }

  private struct Key {
    /// Steps that edit it, in the order of the history.
    var steps: Set<Int> = []
    /// The last of these, if its replica knew all the others.
    var last: Edit?
  }

  /// In the order of their keys.
  private(set) var edits: [Edit] = []

  private var keys: [ExactString: Key] = [:]
  /// Steps whose edits a replica knows; what it sends it commits first, so that open edits go along.
  ///
  /// Indexes of steps, for each replica.
  private var knowledge: [Set<Int>]
  /// By `[replica, slot]`.
  private var saved: [[Int]: Set<Int>] = [:]
  /// What messages on their way bring.
  private var messages: [Int: (to: Int, steps: Set<Int>)] = [:]

  init(_ history: History) {
    knowledge = Array(repeating: [], count: history.replicaCount)
    for (index, step) in history.steps.enumerated() {
      // What a hostile peer forges may be taken for an edit of another.
      // No edits are left then: the law holds on such a history without a look.
      if case .call(_, .hear) = step { return }
      take(step, index)
    }
    let undone = history.doubtfulSteps.union(history.rolledBackSteps)
    edits = keys.values.compactMap(\.last)
      .filter { !undone.contains($0.step) }
      .sorted { $0.key < $1.key }
  }

  /// The base and its growth are known to all, and are no steps: a key that only they wrote has no
  /// last edit.
  private mutating func take(_ step: Step, _ index: Int) {
    if let (replica, edits) = step.edits {
      knowledge[replica].insert(index)
      for edit in edits where edit.object == .root { note(edit, at: replica, index) }
    }
    switch step {
    case .fork(let replica, _): knowledge.append(knowledge[replica])
    case .branch(let replica, let slot, _): knowledge.append(saved[[replica, slot]] ?? [])
    case .save(let replica, let slot), .call(let replica, .append(let slot)):
      saved[[replica, slot]] = knowledge[replica]
    case .restart(let replica, let slot, _): knowledge[replica] = saved[[replica, slot]] ?? []
    case .exchange(let from, let to, let transport) where transport != .changes:
      knowledge[to].formUnion(knowledge[from])
    case .send(let message, let from, let to, let transport) where transport != .changes:
      messages[message] = (to, knowledge[from])
    case .deliver(let message, nil):
      if let (to, steps) = messages[message] { knowledge[to].formUnion(steps) }
    default: break
    }
  }

  /// An edit that did not know all earlier ones of its key leaves the key without a last one, until
  /// one comes that does.
  private mutating func note(
    _ edit: DocumentModel.Edit<ObjectName>,
    at replica: Int,
    _ index: Int
  ) {
    let key: ExactString
    switch edit {
    case .put(_, .key(let name), _), .putObject(_, .key(let name), _), .delete(_, .key(let name)),
      .increment(_, .key(let name), _):
      key = name
    default: return
    }
    var found = keys[key, default: Key()]
    found.steps.insert(index)
    found.last = nil
    if found.steps.isSubset(of: knowledge[replica]) {
      switch edit {
      case .put(_, _, let value): found.last = Edit(key: key, step: index, value: value)
      case .delete: found.last = Edit(key: key, step: index, value: nil)
      // An object, and the sum of a counter, are more than what one edit wrote.
      default: break
      }
    }
    keys[key] = found
  }
}

extension LastEdits.Edit {
  /// How what a key shows departs from the edit; `nil` if it does not.
  ///
  /// A subject that hides a value and tells its kind is asked for the kind alone.
  fileprivate func difference(from shown: ObservedValue?) -> Difference? {
    let place = "/\(Slot.key(key))"
    switch (value, shown?.content) {
    case (nil, nil): return nil
    case (let value?, .scalar(let found)?) where value.resembles(found): return nil
    case (let value?, .hidden(let kind)?) where value.kind == kind: return nil
    case (let value?, _):
      return Difference(
        kind: shown == nil ? "lost edit" : "other value",
        summary: "\(place) does not show what its last edit wrote, in step \(step + 1)",
        expected: "\(value)",
        actual: shown?.brief ?? "nothing"
      )
    case (nil, _?):
      return Difference(
        kind: "deletion undone",
        summary: "\(place) is there, though its last edit deleted it, in step \(step + 1)",
        expected: "nothing",
        actual: shown?.brief ?? "nothing"
      )
    }
  }
}

extension Scalar {
  /// Whether the two are the same for a subject that has one kind of number, of 64 bits: how exactly a scalar is kept
  /// is the affair of other laws.
  fileprivate func resembles(_ other: Scalar) -> Bool {
    if self == other { return true }
    guard let number, let otherNumber = other.number else { return false }
    return number == otherNumber || (number.isNaN && otherNumber.isNaN)
  }

  private var number: Double? {
    switch self {
    case .int(let value), .counter(let value), .timestamp(let value): Double(value)
    case .uint(let value): Double(value)
    case .float(let value): value
    default: nil
    }
  }
}

extension Answers {
  /// Whether the subject carried out all edits of a step.
  fileprivate func carriesOut(step: Int) -> Bool {
    plan.positions(ofStep: step).allSatisfy { position in
      guard case .edit = plan.program.instructions[position] else { return true }
      guard transcript.outcomes.indices.contains(position),
        case .edited = transcript.outcomes[position]
      else { return false }
      return true
    }
  }
}
