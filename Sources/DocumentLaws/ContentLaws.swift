// Laws about the answers themselves: calls succeed, edits are kept, reads agree. Two of them,
// `edits.nothing-lost` and `edits.nothing-returns`, share the `WriteLog` below the laws; the
// extensions at the end walk observations.
//
// A register is ascending by operation, so that its last value is the winner; the others are its
// conflict.

import DocumentModel
import Histories
package import PropertyEngine
import Texts

extension DocumentLaw {
  /// What a subject's answers promise about edits and about each other.
  static let contentLaws: [DocumentLaw] = [
    callsSucceed, editsAccepted, editsAlone, nothingLost, nothingReturns, lastEditStays,
    headsDetermine,
    readsAgree,
  ]

  /// Catches crashes, timeouts and errors of every call, whatever law asked for it; that is why it
  /// watches all.
  ///
  /// Misses calls that succeed and do nothing.
  ///
  /// A refusal is no failure here: `edits.accepted` and `refusals.are-refused` say which is right. Nor is a call that
  /// fails for the specification in the same words, where a law asks that as well.
  package static let callsSucceed = DocumentLaw(
    "calls.succeed",
    "Valid calls succeed.",
    "Every call of a valid history is carried out, or, if it is an edit, refused; none fails.",
    source: .specification(
      .semantics,
      "Transactions and commits",
      "History and clocks",
      "Fork, merge, duplicates"
    ),
    watchesAll: true,
    judging: .one { _ in { $0.failedCall() } }
  )

  /// Catches an engine that refuses at a boundary: an index at the end, an empty string as a key, a
  /// number at its limit.
  ///
  /// Misses edits that are accepted and ignored, which `agreement.states` sees.
  ///
  /// Worked example: `insert list1 2 ...` in a list of two. 2 is the end, where an element may be
  /// inserted; an engine that asks for an index below the length refuses it.
  static let editsAccepted = DocumentLaw(
    "edits.accepted",
    "Edits that fit are carried out.",
    "An edit that fits its object is carried out.",
    source: .specification(.semantics, "Local edits"),
    needs: Needs([.automergeSemantics]),
    judging: .one { _ in
      { answers in
        answers.firstOutcome { instruction, outcome in
          guard case .refused(let reason) = outcome, case .edit(_, let edit, _) = instruction else {
            return nil
          }
          return .refusal(of: edit, reason, "an edit that fits was refused")
        }
      }
    }
  )

  /// Catches an engine that refuses every edit, or every one of a kind, and so has nothing to converge on.
  ///
  /// Until a replica hears of another it is one document with one writer: what fits does not depend on how edits are
  /// merged, and subjects of any rules can be asked.
  ///
  /// Misses edits that are accepted and ignored, which `edits.last-stays` sees at keys of the root, and edits that are
  /// refused only where others wrote as well.
  ///
  /// Worked example: `r0 put root "k" int 1` as the first step. There is no rule by which it does not fit.
  static let editsAlone = DocumentLaw(
    "edits.alone",
    "Edits of a lone replica are carried out.",
    "An edit that fits is carried out by a replica that has heard of no other.",
    source: .specification(.semantics, "Local edits"),
    judging: .one { plan in
      let replicaCount = plan.history.history.finalReplicaCount
      return { answers in
        var influenced: Set<Int> = []
        return answers.firstOutcome { instruction, outcome in
          instruction.spread(&influenced)
          guard case .refused(let reason) = outcome,
            case .edit(let document, let edit, _) = instruction,
            document < replicaCount, !influenced.contains(document)
          else { return nil }
          return .refusal(of: edit, reason, "an edit of a lone replica was refused")
        }
      }
    }
  )

  /// Catches a merge that drops one side of a conflict, and a save or load that forgets a value.
  ///
  /// Misses a value that is there in another place or with another content; and values whose writer
  /// may have lost them in a crash, which are left out as doubtful.
  ///
  /// Worked example:
  ///
  ///     r0 put root "k" int 1
  ///     r1 put root "k" int 2
  ///
  /// Neither knew of the other, so that after healing "k" holds both values. A store that keeps a
  /// winner alone has lost one, on all replicas alike.
  static let nothingLost = DocumentLaw(
    "edits.nothing-lost",
    "Nothing written is lost.",
    "A value that was written, and that no edit replaced, is visible after healing.",
    source: .specification(.semantics, "Registers and conflicts", "Visibility"),
    needs: Needs([.effects, .operationIDs, .conflicts]),
    judging: .one { plan in
      // The subject says itself which operations an edit wrote and replaced (`effects`), so that no
      // rule of the specification is needed here. A value counts only if its object is still to be seen:
      // what stood in a deleted list is gone with it.
      let question = plan.observe(0, .converged)
      return { answers in
        guard let observation = answers.observation(question) else { return nil }
        let log = WriteLog(answers)
        let visible = observation.visibleIDs
        let side = answers.side(question)
        let lost = log.certainlyWritten.first { entry in
          !log.everReplaced.contains(entry.id) && !visible.operations.contains(entry.id)
            && visible.objects.contains(entry.object)
        }
        return lost.map {
          Difference(
            kind: "lost value",
            summary: "the value that operation \($0.id) wrote is gone, and no edit replaced it",
            expected: "\($0.id) visible in \($0.object)",
            actual: "not visible"
          ).between(nil, side)
        }
      }
    }
  )

  /// Catches tombstones that are forgotten: deleted text that comes back when an old replica is
  /// merged.
  ///
  /// Misses values that come back under a new operation.
  ///
  /// Worked example:
  ///
  ///     r0 put root "k" int 1
  ///     r0 delete root "k"
  ///     r0 save s0
  ///     r0 restart s0 actor 0
  ///
  /// A deletion that is not saved shows "k" again. `save.round-trips` is asked at the end, when r0
  /// shows "k" before it is saved and after, and holds.
  static let nothingReturns = DocumentLaw(
    "edits.nothing-returns",
    "Nothing deleted comes back.",
    "A value that an edit deleted or overwrote never comes back.",
    source: .specification(.semantics, "Registers and conflicts", "Visibility"),
    needs: Needs([.effects, .operationIDs]),
    judging: .one { plan in
      let question = plan.observe(0, .converged)
      return { answers in
        guard let observation = answers.observation(question) else { return nil }
        let visible = observation.visibleIDs.operations
        let replaced = WriteLog(answers).certainlyReplaced
        return replaced.intersection(visible).min().map {
          Difference(
            kind: "returned value",
            summary: "operation \($0) was replaced, and its value is visible again",
            expected: "not visible",
            actual: "\($0) visible"
          ).between(nil, answers.side(question))
        }
      }
    }
  )

  /// Catches two documents that count as equal and are not: the cause why replicas that have synced
  /// show different things, and nothing repairs it, since both believe that they are done.
  ///
  /// Misses documents with the same changes and different heads.
  ///
  /// The more documents other laws make, the more pairs with equal heads there are: therefore it
  /// watches all. `ObservedHeads` hold the scheme of the ids as well as the ids.
  static let headsDetermine = DocumentLaw(
    "heads.determine-state",
    "Equal heads mean equal states.",
    "Two documents with equal heads show one state.",
    source: .specification(.semantics, "History and clocks"),
    needs: Needs([.heads]),
    watchesAll: true,
    judging: .one { plan in
      for replica in 0..<plan.replicaCount {
        plan.ask(.observe(document: replica), .divergent)
        plan.ask(.observe(document: replica), .converged)
      }
      return { answers in
        var states: [ObservedHeads: (state: Observation, position: Int)] = [:]
        let answered = zip(answers.plan.program.instructions, answers.transcript.outcomes)
        for (position, (instruction, outcome)) in answered.enumerated() {
          // A read of the past shows the heads asked for, known or not.
          if case .recall = instruction { continue }
          guard case .observed(let state) = outcome, let heads = state.heads else { continue }
          if let known = states[heads] {
            if let difference = state.difference(from: known.state) {
              let first = answers.side(at: known.position, known.state)
              let second = answers.side(at: position, state, beside: first)
              return difference.between(first, second).ofPeers()
            }
          } else {
            states[heads] = (state, position)
          }
        }
        return nil
      }
    }
  )

  /// Catches caches that lag behind: a text's length or string that no longer fits its elements.
  ///
  /// Misses reads that are wrong in the same way.
  ///
  /// Worked example: the text "\u{e9}" has length 1, and one element. An engine that keeps a length
  /// of its own, and counts bytes, says 2 (`engine-text-width-in-bytes`).
  static let readsAgree = DocumentLaw(
    "reads.agree",
    "Reads of one state agree.",
    "One state's reads agree: texts with their elements, winners with the order of operations.",
    source: .specification(.semantics, "Registers and conflicts", "Text", "Reading calls"),
    judging: .one { plan in
      let states = (0..<plan.replicaCount).map { plan.observe($0, .divergent) }
      return { answers in
        states.lazy.compactMap { question in
          answers.observation(question)?.root.inconsistency?
            .between(nil, answers.side(question))
        }.first
      }
    }
  )
}

extension Answers {
  /// Whose state it is that the transcript has at a position.
  ///
  /// Nil for the answer to another instruction than `observe`.
  fileprivate func side(
    at position: Int,
    _ state: Observation,
    beside other: Difference.Side? = nil
  ) -> Difference.Side? {
    guard case .observe(let document) = plan.program.instructions[position] else { return nil }
    let copy = plan.name(of: document, before: position)
    let name = "\(copy) \(plan.stage(ofPosition: position).time)"
    return Difference.Side(name == other?.name ? "\(name), asked again" : name, state: state.lines)
  }
}

/// What the edits of a history wrote and replaced, as far as a crash cannot have undone it.
///
/// What a crash or a rollback may have undone is doubtful: it counts as replaced, since it may have
/// been, and not as written.
///
/// Worked example of doubt: r0 saves, puts "k", and restarts from the save. The put may be gone; a
/// value that it replaced may be visible again, or not if another replica heard of the put before.
///
///     r0's put       not in `certainlyWritten`
///     what it        in `everReplaced`, so that it may be missing
///     replaced       not in `certainlyReplaced`, so that it may be back
private struct WriteLog {
  struct Entry {
    let id: OpID
    let object: ObjectID
  }

  /// Written by edits that are sure to have survived.
  var certainlyWritten: [Entry] = []
  /// Replaced by edits that are sure to have survived.
  var certainlyReplaced: Set<OpID> = []
  /// Replaced by any edit.
  var everReplaced: Set<OpID> = []

  init(_ answers: Answers) {
    let history = answers.plan.history.history
    var objects: [ObjectID?] = history.base.objectIDs
    let doubtful = history.doubtfulSteps.union(history.rolledBackSteps)
    for (index, step) in history.steps.enumerated() {
      // All edits of a burst are of one object.
      guard let edit = step.firstEdit else { continue }
      let effect = answers.effect(ofStep: index)
      // Object names count the edits that make one, carried out or not.
      if edit.madeKind != nil { objects.append(effect?.made) }
      guard let effect else { continue }
      everReplaced.formUnion(effect.replaced)
      guard !doubtful.contains(index) else { continue }
      certainlyReplaced.formUnion(effect.replaced)
      guard objects.indices.contains(edit.object.number),
        let object = objects[edit.object.number]
      else { continue }
      certainlyWritten += effect.written.map { Entry(id: $0, object: object) }
    }
  }
}

extension Observation {
  /// The operations of all visible values, and the objects that they stand in.
  ///
  /// Losers of a conflict are visible, too.
  ///
  /// The root counts as an object, if the subject shows its id.
  fileprivate var visibleIDs: (operations: Set<OpID>, objects: Set<ObjectID>) {
    var operations: Set<OpID> = []
    var objects: Set<ObjectID> = []
    func visit(_ object: ObservedObject) {
      if let id = object.id { objects.insert(id) }
      for register in object.registers {
        for value in register.values {
          if let id = value.id { operations.insert(id) }
          if case .object(let child) = value.content { visit(child) }
        }
      }
    }
    visit(root)
    return (operations, objects)
  }
}

extension ObservedObject {
  /// A text that is shown as a string alone has none.
  fileprivate var registers: [ObservedRegister] {
    switch content {
    case .map(let entries): entries.map(\.register)
    case .list(let elements): elements
    case .text(_, _, let elements): elements ?? []
    }
  }

  /// Where the reads of one state contradict each other; `nil` if they do not.
  fileprivate var inconsistency: Difference? {
    if case .map(let entries) = content,
      !zip(entries, entries.dropFirst()).allSatisfy({ $0.key < $1.key })
    {
      return Difference(kind: "key order", summary: "the keys of a map do not ascend")
    }
    if case .text(let text, let length, let elements?) = content {
      let joined = elements.map(\.text).joined()
      if ExactString(joined) != text {
        return Difference(
          kind: "text elements",
          summary: "a text is not the winners of its elements in order",
          expected: quoted(joined),
          actual: quoted(text.string)
        )
      }
      let width = text.string.unicodeScalars.count
      if width != length {
        return Difference(
          kind: "text length",
          summary: "a text's length is not its number of Unicode scalars",
          expected: "\(width)",
          actual: "\(length)"
        )
      }
    }
    for register in registers {
      if let difference = register.inconsistency { return difference }
    }
    return nil
  }
}

extension ObservedRegister {
  /// What the register contributes to a text.
  fileprivate var text: String {
    guard case .scalar(.string(let string)) = values.last?.content else { return "\u{fffc}" }
    return string.string
  }

  fileprivate var inconsistency: Difference? {
    let ids = values.compactMap(\.id)
    if values.isEmpty || !zip(ids, ids.dropFirst()).allSatisfy(<) {
      return Difference(
        kind: "register order",
        summary: "the values of a register do not ascend by operation",
        expected: "ascending ids",
        actual: values.map(\.brief).joined(separator: ", ")
      )
    }
    for value in values {
      if case .object(let object) = value.content, let difference = object.inconsistency {
        return difference
      }
    }
    return nil
  }
}

extension Difference {
  /// An edit that should have been carried out, and why it was not.
  fileprivate static func refusal(
    of edit: Edit<ObjectName>,
    _ reason: String,
    _ summary: String
  ) -> Difference {
    Difference(
      kind: "\(edit.kind) is refused",
      summary: summary,
      expected: "success",
      actual: reason
    )
  }
}

extension Instruction {
  /// Adds the documents that hear of others' edits by it, and takes away those that begin anew.
  fileprivate func spread(_ influenced: inout Set<Int>) {
    switch self {
    case .create(let document, _), .base(let document, _): influenced.remove(document)
    case .merge(let document, _), .deliver(_, let document, _), .deliverReversed(_, let document),
      .open(let document, _, _), .load(let document, _, _), .call(let document, .hear):
      influenced.insert(document)
    case .sync(let document, let other, _): influenced.formUnion([document, other])
    case .fork(let document, let origin, _), .forkAt(let document, let origin, _, _):
      if influenced.contains(origin) {
        influenced.insert(document)
      } else {
        influenced.remove(document)
      }
    case .edit, .commit, .send, .save, .observe, .remember, .recall, .call: break
    }
  }
}

extension Answers {
  /// The first call that the subject says has failed, as a violation; `nil` if it carried out or refused all.
  ///
  /// What fails for the specification in the same words is by its rules, and is passed over: an edit of an object whose
  /// making both refused.
  package func failedCall(unlike specification: Answers? = nil) -> Difference? {
    firstOutcome(unlike: specification) { instruction, outcome in
      guard case .failed(let reason) = outcome else { return nil }
      // A line of it: a crash may have a trace, which stands below.
      let line = reason.split(whereSeparator: \.isNewline).first ?? ""
      let end = line.count > 160 ? "…" : ""
      return Difference(
        kind: "\(instruction.name) fails",
        summary: "\(instruction.name) failed: \(line.prefix(160))\(end)",
        expected: "success",
        actual: reason
      )
    }
  }
}
