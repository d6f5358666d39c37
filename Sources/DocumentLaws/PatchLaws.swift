// Laws of patches: what leads from one state to another. All ask for the patches between two states of
// the history, there and back; all but the last replay them on `PatchedState`, which is all that a view
// would have.
//
//     state 1      {"k": 1, "l": ["a"]}
//     patches      /"k" put 2; /"l" insert 1 "b"
//     state 2      {"k": 2, "l": ["a", "b"]}

import DocumentModel
import Histories
import PropertyEngine

extension DocumentLaw {
  /// What patches between two states promise.
  static let patchLaws: [DocumentLaw] = [
    patchesLead, patchesConflicts, patchesNone, patchesSame,
  ]

  /// Catches indexes that speak of another state than the one that the patches before have made, objects
  /// that come back without what they hold, and marks that are not told.
  ///
  /// Misses ids, which not every subject can tell.
  ///
  /// Worked example: "abc" becomes "c". The right patch deletes 2 at 0. Two patches that delete 1
  /// at 0 and 1 at 1 give "b": the second index speaks of the state before the first patch.
  static let patchesLead = DocumentLaw(
    "patches.lead",
    "Patches lead from one state to another.",
    "Patches between two states, carried out in order on what the first shows, give what the second shows, forward and backward.",
    source: .specification(.semantics, "Differences between two states"),
    needs: Needs([.patches, .history, .heads]),
    readsStates: true,
    judging: .one { plan in
      let (early, late) = plan.statesToCompare()
      let ways = [(early, late), (late, early)]
      let asked = ways.map { from, to in (from, to, plan.askForPatches(from, to)) }
      return { answers in
        asked.lazy.compactMap { from, to, question in
          answers.misleading(question, from: from.question, to: to.question)
        }.first
      }
    }
  )

  /// Catches a view that shows one value of several as if there were no other.
  ///
  /// A conflict that is over needs no patch, and one that was there and has another winner may have one: the
  /// real core tells neither. Misses conflicts of elements without width. The oracle says what is in conflict,
  /// since a subject may show winners alone.
  ///
  /// Worked example: both sides put "k", and meet. The winner was there before, so that no value
  /// changes: the one patch that is due says that "k" is in conflict.
  static let patchesConflicts = DocumentLaw(
    "patches.conflicts",
    "Patches report new conflicts.",
    "Patches between two states report, once each, the conflicts that the second shows and the first does not. They "
      + "report none that the second does not show.",
    source: .specification(.semantics, "Differences between two states"),
    needs: Needs([.automergeSemantics, .patches, .conflictPatches, .history, .heads]),
    readsStates: true,
    judging: .agreement { plan in
      let (early, late) = plan.statesToCompare()
      let ways = [(early, late), (late, early)]
      let asked = ways.map { from, to in (from, to, plan.askForPatches(from, to)) }
      return { subject, oracle in
        asked.lazy.compactMap { from, to, question in
          guard let patches = subject.patches(question),
            let before = oracle.observation(from.question),
            let after = oracle.observation(to.question)
          else { return nil }
          return oracle.untold(patches, from: (from.question, before), to: (to.question, after))
        }.first
      }
    }
  )

  /// Catches patches that set again what is there, and add nothing.
  ///
  /// Misses marks that are there already.
  static let patchesNone = DocumentLaw(
    "patches.none-between-equals",
    "Without a change there is no patch.",
    "There are no patches between a state and itself, and none on the way between two that changes nothing.",
    source: .specification(.semantics, "Differences between two states"),
    needs: Needs([.patches, .history, .heads]),
    readsStates: true,
    judging: .one { plan in
      let state = plan.remember(0, as: "r0 after healing")
      let question = plan.askForPatches(state, state)
      let (early, late) = plan.statesToCompare()
      let ways = [(early, late), (late, early)]
      let asked = ways.map { from, to in (from, to, plan.askForPatches(from, to)) }
      return { answers in
        if let patch = answers.patches(question)?.first {
          return Difference(
            kind: "patches",
            summary: "there are patches between a state and itself",
            expected: "none",
            actual: "\(patch)"
          ).between(nil, "patches from \(state.question.name) to itself")
        }
        return asked.lazy.compactMap { from, to, question in
          answers.idle(question, from: from.question, to: to.question)
        }.first
      }
    }
  )

  /// Catches patches whose order, or whose kind, hangs on how a replica came to what it has: on the order in
  /// which changes arrived, on its own number among the actors, on what was loaded and what was edited.
  ///
  /// Patches for a view on two devices are then compared, logged and tested in two forms.
  ///
  /// Worked example: `{"k": [], "l": []}`, both lists made by the second operation of two actors. One replica
  /// tells of "k" first, the other, to which "l" came first, of "l".
  static let patchesSame = DocumentLaw(
    "patches.same-everywhere",
    "Patches are the same on every replica.",
    "Replicas that have the same changes give the same patches between two states, in the same order, however the changes came to them.",
    source: .specification(.semantics, "Differences between two states"),
    needs: Needs([.patches, .history, .heads]),
    readsStates: true,
    judging: .one { plan in
      guard plan.replicaCount > 1 else { return { _ in nil } }
      let (early, late) = plan.statesToCompare()
      let others = [0, plan.replicaCount - 1]
      let ways = [(early, late), (late, early)]
      let asked = ways.map { from, to in
        (from, to, others.map { plan.askForPatches(from, to, of: $0) })
      }
      return { answers in
        asked.lazy.compactMap { from, to, questions -> Difference? in
          let patches = questions.compactMap { answers.patches($0) }
          guard patches.count == 2, patches[0] != patches[1] else { return nil }
          let place = zip(patches[0], patches[1]).prefix { $0 == $1 }.count
          let told = patches.map { $0.dropFirst(place).first?.description ?? "no patch" }
          let way = "from \(from.question.name) to \(to.question.name)"
          return Difference(
            kind: "order",
            summary: "patch \(place + 1) \(way) is another on r\(others[1])",
            expected: told[0],
            actual: told[1]
          ).between(
            Difference.Side("patches of r0", state: patches[0].map(\.description)),
            Difference.Side("patches of r\(others[1])", state: patches[1].map(\.description))
          )
        }.first
      }
    }
  )
}

extension Plan {
  fileprivate typealias State = (question: Question, mark: Int)

  /// Two states; the first is not later than the second.
  ///
  /// Each way takes about a hundredth of a case's time, so that a case has one pair:
  ///
  ///     replicas     states
  ///     5            the empty document, and the state after healing
  ///     3            the middle and the last of the states in the history, which may be concurrent
  ///     2, 4         the middle one of the history, and the state after healing
  ///
  /// The number of replicas decides since it stays while a case is shrunk.
  fileprivate mutating func statesToCompare() -> (early: State, late: State) {
    let kept = lastingStates
    let middle = kept.isEmpty ? nil : kept[kept.count / 2]
    if replicaCount == 3, kept.count > 1, let middle, let last = kept.last {
      return ((middle.question, middle.mark), (last.question, last.mark))
    }
    let healed = remember(0, as: "r0 after healing")
    if replicaCount != 5, let middle { return ((middle.question, middle.mark), healed) }
    let nothing = scratchDocument()
    ask(.create(document: nothing, Self.scratchActor), .converged)
    return (remember(nothing, as: "an empty document"), healed)
  }

  fileprivate mutating func remember(_ document: Int, as name: String) -> State {
    let mark = scratchMark()
    var question = ask(.remember(document: document, mark: mark), .converged)
    question.name = name
    return (question, mark)
  }

  fileprivate mutating func askForPatches(
    _ from: State,
    _ to: State,
    of document: Int = 0
  ) -> Question {
    ask(.call(document: document, .difference(from: from.mark, to: to.mark)), .converged)
  }
}

extension Answers {
  /// Nil where the subject failed to say: `calls.succeed` says so.
  fileprivate func patches(_ question: Question) -> [ObservedPatch]? {
    guard case .patches(let patches) = outcome(question) else { return nil }
    return patches
  }

  /// Where patches do not tell which conflicts are new; `nil` if they do, or if they lead to another state:
  /// other laws judge that.
  fileprivate func untold(
    _ patches: [ObservedPatch],
    from: (question: Question, observation: Observation),
    to: (question: Question, observation: Observation)
  ) -> Difference? {
    let state = PatchedState(from.observation)
    for patch in patches {
      do { try state.apply(patch) } catch { return nil }
    }
    // Patches that lead elsewhere are a failure of `patches.lead`.
    let due = PatchedState(to.observation).observation
    guard state.observation.difference(from: due) == nil else { return nil }
    return state.conflictDifference(from: to.observation)?.between(
      side(to.question, .oracle),
      Difference.Side(
        "patches from \(from.question.name) to \(to.question.name), in order",
        state: patches.map(\.description)
      )
    )
  }

  /// Where a patch on the way from one state to another leaves all as it was; `nil` if none does.
  fileprivate func idle(_ question: Question, from: Question, to: Question) -> Difference? {
    guard let patches = patches(question), let before = observation(from) else { return nil }
    let state = PatchedState(before)
    for (number, patch) in patches.enumerated() {
      // Whether patches fit is asked by `patches.lead`.
      guard let changes = try? state.apply(patch) else { return nil }
      if changes { continue }
      let way = "from \(from.name) to \(to.name)"
      return Difference(
        kind: "idle",
        summary: "patch \(number + 1) \(way) changes nothing",
        expected: "a patch that changes something",
        actual: "\(patch)"
      ).between(
        side(from),
        Difference.Side("patches \(way), in order", state: patches.map(\.description))
      )
    }
    return nil
  }

  /// Where patches do not lead from one state to another; `nil` if they do.
  fileprivate func misleading(
    _ question: Question,
    from: Question,
    to: Question
  ) -> Difference? {
    guard let patches = patches(question), let before = observation(from),
      let after = observation(to)
    else { return nil }
    if patches.isEmpty, before.root == after.root { return nil }
    let way = "from \(from.name) to \(to.name)"
    let state = PatchedState(before)
    for (number, patch) in patches.enumerated() {
      do {
        try state.apply(patch)
      } catch {
        return Difference(
          kind: "misfit",
          summary: "patch \(number + 1) \(way) cannot be carried out",
          expected: "a patch that fits: \(error.explanation)",
          actual: "\(patch)"
        ).between(
          side(from),
          Difference.Side("patches \(way), in order", state: patches.map(\.description))
        )
      }
    }
    let made = state.observation
    return made.difference(from: PatchedState(after).observation)?
      .between(side(to), Difference.Side("what patches \(way) make", state: made.lines))
  }
}
