// The laws of types that merge: `MergeLaw` says what they demand, `MergeSubject/laws` gives each
// its check. The checks see states of a finished `MergeHistory`, and merge copies of them;
// `merged(a, b)` is a copy of a that heard b.
//
//     a sample       r0: adds 1; r1 hears r0; r1: adds 2
//     states         r0 = 1, r1 = 3                         where the replicas stand
//     past           r0: 0, 1     r1: 0, 1, 3               what they were on the way
//
// Names begin with `merging.`, as laws of documents have `merge.`.

package import PropertyEngine
import Texts

/// What the laws of merge types say; ``MergeSubject/laws`` lowers each to a law with its check.
///
/// An advice is a guess at what often breaks its law, and says so: what a type has to do is what the law says.
package enum MergeLaw {
  /// The whole catalogue, in the order in which laws are tried.
  package static let all = [
    idempotent, absorbsThePast, commutative, associative, converges, keeps, invariant,
  ]

  /// States of the paper's types form a semilattice, in which a merge is the least upper bound of two.
  private static let paper = LawSource.paper(
    "Shapiro et al., \"Conflict-free Replicated Data Types\", 2011"
  )

  /// Catches a counter whose merge adds, and a list whose merge appends.
  ///
  /// Asks each state with itself and each pair twice over.
  ///
  /// Worked example: a counter of one number whose merge adds. r0 = 1 hears itself, and is 2.
  static let idempotent = LawStatement(
    "merging.idempotent",
    "Merging what is known already changes nothing.",
    source: paper,
    advice: """
      Often a merge adds two up, or appends one to the other: it should take the later or the greater of them, \
      or their union.
      """
  )

  /// Catches a set whose removal leaves nothing behind: an older copy brings the element back.
  ///
  /// Asks every older state of each replica, the newest first, so that the difference names the
  /// smallest age.
  ///
  /// Worked example: a set of names whose merge is the union. r0 adds "x" and removes it; its state
  /// before the removal, heard again, brings "x" back.
  static let absorbsThePast = LawStatement(
    "merging.absorbs-the-past",
    "Merging the past changes nothing.",
    "Merging an older state of oneself changes nothing: it brings no news.",
    source: paper,
    advice: """
      Often what was removed or lowered leaves no trace that outlives an older copy: a tombstone or a second \
      count is one.
      """
  )

  /// Catches "last writer wins" where a tie goes to the one who merges.
  ///
  /// Two clocks that never tie in a sample hide it: edits should draw their times from a small
  /// range.
  ///
  /// Worked example: a register of a value and a time. r0 and r1 set "a" and "b" at time 5. A merge
  /// that keeps its own value unless the other's time is greater leaves "a" with r0 and "b" with
  /// r1.
  static let commutative = LawStatement(
    "merging.commutative",
    "Merging is commutative.",
    "Two states merge to the same, whichever takes in the other.",
    source: paper,
    advice:
      "Look for a tie that each side settles in its own favour: let the replicas' names decide."
  )

  /// Catches a register that keeps the winner and forgets the time of it.
  ///
  /// Asks the first three replicas, or, where the history has two, a third that did nothing; other
  /// triples come with other samples.
  ///
  /// Worked example: a register takes the value of the later time, and keeps its own time. The
  /// states are a at time 1, b at 3, c at 2. a with b is b at time 1, and with c it is c. b with c
  /// is b at 3, and a with that is b.
  static let associative = LawStatement(
    "merging.associative",
    "Merging is associative.",
    "Three states merge to the same, whichever two meet first.",
    source: paper,
    advice: "Look for a choice between two states that forgets why it was made."
  )

  /// Catches a merge whose result depends on what was heard first and in between.
  ///
  /// It follows from the other laws for a type that keeps them in all its states; it is asked by
  /// itself since the others look at single merges. Two rounds: in the first, replica 0 merges
  /// before the others have heard of each other.
  package static let converges = LawStatement(
    "merging.converges",
    "Replicas converge.",
    "Replicas that have heard of each other show the same, however late, often and in whatever "
      + "order.",
    source: paper,
    advice: """
      Look for what decides between two edits: often it is not the same at every replica, such as the order in \
      which they were heard.
      """
  )

  /// Catches a merge that takes one of two states whole: replicas agree, on less.
  ///
  /// Asked of types that say what they keep. What one replica holds is due unless the other knows of an
  /// edit that removed it, its own or one that it heard of through whomever. Neither of two simpler
  /// rules would do:
  ///
  /// - "What the other never held is due": it may have heard of the removal alone.
  /// - "What both hold is due": late messages bring two replicas to hold "x" by two adds, where each
  ///   removed the other's add before; a right merge then removes both.
  ///
  /// Worked example: a set of names with the time of its last edit, and a merge that takes the later
  /// set. r0 adds "x", and r1 adds "y". Both show "y" when they have heard of each other.
  package static let keeps = LawStatement(
    "merging.keeps",
    "Merging loses nothing.",
    "Two states merge to one that keeps what either holds, unless an edit that the other made or heard of "
      + "removed it.",
    source: paper,
    advice: """
      Often one state, or one part of it, is taken whole where both have something of their own: take the union, \
      less what was removed.
      """
  )

  /// Catches a merge that is right for replicas, and wrong for what the type is for.
  ///
  /// Asked of types that say when a state is valid. All other laws hold of a counter that sells more than there is:
  /// its replicas agree on how much too much was sold.
  ///
  /// Worked example: one ticket, and sales that are united. r0 sells it, and r1 sells it; r0 hears r1, and two are
  /// sold.
  package static let invariant = LawStatement(
    "merging.invariant",
    "States stay valid.",
    "What is said to hold of every state holds at the start, and after each edit and merge.",
    source: .paper("Bailis et al., \"Coordination Avoidance in Database Systems\", 2014"),
    advice: """
      Often each of two edits is allowed where it is made, and both together are not: give each replica a share \
      of its own to spend, or let the merge undo one of the two.
      """
  )

  /// What to do where a step of a history, or a merge of its states, ends the process.
  package static let adviceOnTraps = """
    `edit` and `merge` must take every state that edits and merges lead to, and states that differ in whatever way: \
    do not unwrap, index or calculate what need not fit.
    """

  /// The name of the law that a stored case names, perhaps by the name that it had first.
  ///
  /// These laws were once called `merge.idempotent` and so on, as laws of documents are.
  package static func currentName(of stored: String) -> String {
    let former = "merge."
    let name = "merging." + stored.dropFirst(former.count)
    return stored.hasPrefix(former) && all.contains { $0.name == name } ? name : stored
  }
}

/// Why no loss is looked for.
private let silence = "the type does not say what it keeps"
/// Why no state is looked at by itself.
private let silenceOnStates = "the type does not say which states are valid"

extension MergeSubject {
  /// The whole catalogue, in the order of ``MergeLaw/all``.
  package var laws: [Law<MergeHistory<State>>] {
    [
      law(MergeLaw.idempotent) { repeatedMergeShows($0) },
      law(MergeLaw.absorbsThePast) { olderStateShows($0) },
      law(MergeLaw.commutative) { directionShows($0) },
      law(MergeLaw.associative) { groupingShows($0) },
      law(MergeLaw.converges) { replicasDiffer($0) },
      law(MergeLaw.keeps) { try lossShows($0) },
      law(MergeLaw.invariant) { try invalidStateShows($0) },
    ]
  }

  /// Names of the laws that say nothing of the type, and why.
  package var silences: [String: String] {
    var reasons: [String: String] = [:]
    if kept == nil { reasons[MergeLaw.keeps.name] = silence }
    if invariant == nil { reasons[MergeLaw.invariant.name] = silenceOnStates }
    return reasons
  }

  private func law(
    _ statement: LawStatement,
    check: @escaping @Sendable (MergeHistory<State>) throws -> Difference?
  ) -> Law<MergeHistory<State>> {
    Law(
      statement,
      form: .mergeHistory(),
      draw: { choices in
        if let reason = silences[statement.name] { throw Skipped(reason) }
        return try history(&choices) { willStep(statement, $0) }
      },
      judge: { Judgement(Verdict(of: $0, check)) }
    )
  }

  // MARK: - Checks

  private func repeatedMergeShows(_ history: MergeHistory<State>) -> Difference? {
    let states = history.states
    for one in states.indices {
      let itself = difference(
        merged(states[one], states[one]),
        states[one],
        "then r\(one) hears itself, and shows something else than before",
        between: "r\(one)",
        and: "r\(one) after hearing itself"
      )
      if let itself { return itself }
      for other in states.indices where other != one {
        // Known already is what was merged before, too: a merge that adds, but not with itself,
        // shows here.
        let both = merged(states[one], states[other])
        let found = difference(
          merged(both, states[other]),
          both,
          "then r\(one) hears r\(other) twice, and the second time changes what it shows",
          between: "r\(one) after hearing r\(other) once",
          and: "r\(one) after hearing r\(other) twice"
        )
        if let found { return found }
      }
    }
    return nil
  }

  /// `age` counts from 0, which is the state one step before the present one.
  ///
  /// The present state is the last of `past`, and left out: `idempotent` asks for it.
  private func olderStateShows(_ history: MergeHistory<State>) -> Difference? {
    for (one, state) in history.states.enumerated() {
      for (age, past) in history.past[one].dropLast().reversed().enumerated() {
        let found = difference(
          merged(state, past),
          state,
          "then r\(one) hears its own state of \(counted(age + 1, "step")) ago, and shows something else",
          between: "r\(one)",
          and: "r\(one) after hearing its past"
        )
        if let found { return found }
      }
    }
    return nil
  }

  /// Pairs once each: the law is symmetric.
  private func directionShows(_ history: MergeHistory<State>) -> Difference? {
    let states = history.states
    for one in states.indices {
      for other in states.indices where other > one {
        let found = difference(
          merged(states[other], states[one]),
          merged(states[one], states[other]),
          "then r\(one) and r\(other) hear each other, and show different things",
          between: "r\(one) after hearing r\(other)",
          and: "r\(other) after hearing r\(one)"
        )
        if let found { return found }
      }
    }
    return nil
  }

  /// A history has two replicas at least.
  private func groupingShows(_ history: MergeHistory<State>) -> Difference? {
    let states = history.states
    let third = states.count > 2 ? states[2] : initial(2)
    return difference(
      merged(states[0], merged(states[1], third)),
      merged(merged(states[0], states[1]), third),
      "(r0 merged with r1) merged with r2 is another than r0 merged with (r1 merged with r2)",
      between: "(r0 merged with r1) merged with r2",
      and: "r0 merged with (r1 merged with r2)"
    )
  }

  private func replicasDiffer(_ history: MergeHistory<State>) -> Difference? {
    var states = history.states
    // In the second round each hears what the others heard in the first.
    for _ in 0..<2 {
      for one in states.indices {
        for other in states.indices where other != one { merge(&states[one], states[other]) }
      }
    }
    for one in states.indices.dropFirst() {
      let found = difference(
        states[one],
        states[0],
        "then all hear of each other, twice, and r\(one) shows something else than r0",
        between: "r0",
        and: "r\(one)"
      )
      if let found { return found }
    }
    return nil
  }

  /// Asks each pair in both directions.
  ///
  /// - Throws: ``Skipped`` if no merge had anything to lose.
  private func lossShows(_ history: MergeHistory<State>) throws -> Difference? {
    guard let kept else { throw Skipped(silence) }
    let states = history.states
    let held = states.map(kept)
    let removed = removedThings(history, kept)
    var isAnythingAtStake = false
    for one in states.indices {
      for other in states.indices where other != one {
        let found = kept(merged(states[one], states[other]))
        let pairs = [(one, other), (other, one)]
        let dues = pairs.map { holder, peer in held[holder].subtracting(removed[peer]) }
        for ((holder, peer), due) in zip(pairs, dues) {
          let lost = due.subtracting(found)
          guard lost.isEmpty else {
            let things = ValueComparison.description(of: lost)
            return Difference(
              kind: "merge.loss",
              summary: "then r\(one) hears r\(other), and what r\(holder) holds is lost: \(things)",
              // What is due from either side, whichever lost something; a merge may keep more.
              expected: "at least \(ValueComparison.description(of: dues[0].union(dues[1])))",
              actual: ValueComparison.description(of: found)
            ).between(nil, "r\(one) after hearing r\(other)")
          }
          isAnythingAtStake = isAnythingAtStake || !due.isSubset(of: held[peer])
        }
      }
    }
    guard isAnythingAtStake else { throw Skipped("no replica holds anything that another lacks") }
    return nil
  }

  /// Looks at states in the order of the steps that made them, the starts first.
  ///
  /// - Throws: ``Skipped`` if the type does not say which states are valid.
  private func invalidStateShows(_ history: MergeHistory<State>) throws -> Difference? {
    guard let invariant else { throw Skipped(silenceOnStates) }
    func difference(_ replica: Int, _ index: Int, _ event: String) -> Difference? {
      let state = history.past[replica][index]
      guard !invariant(state) else { return nil }
      return Difference(
        kind: "merge.invariant",
        summary: "\(event), and the invariant does not hold",
        expected: "a state that keeps the invariant",
        actual: ValueComparison.description(of: content(state))
      ).between(nil, "r\(replica)")
    }
    for replica in history.past.indices {
      if let found = difference(replica, 0, "r\(replica) starts") { return found }
    }
    var counts = history.past.map { _ in 0 }
    for (step, line) in zip(history.steps, history.lines) {
      counts[step.replica] += 1
      if let found = difference(step.replica, counts[step.replica], line) { return found }
    }
    return nil
  }

  /// For each replica, what was removed by its own edits and by those that it has heard of.
  private func removedThings(
    _ history: MergeHistory<State>,
    _ kept: (State) -> Set<AnyHashable>
  ) -> [Set<AnyHashable>] {
    // One set for each state in `past`: a late message brings what its sender knew then.
    var removed: [[Set<AnyHashable>]] = history.past.map { _ in [[]] }
    for step in history.steps {
      let past = history.past[step.replica]
      let index = removed[step.replica].count
      let news =
        step.heard.map { removed[$0.replica][removed[$0.replica].count - 1 - $0.age] }
        ?? kept(past[index - 1]).subtracting(kept(past[index]))
      removed[step.replica].append(removed[step.replica][index - 1].union(news))
    }
    return removed.compactMap(\.last)
  }

  private func merged(_ left: State, _ right: State) -> State {
    var state = left
    merge(&state, right)
    return state
  }

  /// What shows is compared, and not the states: two states may show the same and differ in
  /// tombstones.
  private func difference(
    _ found: State,
    _ wanted: State,
    _ summary: String,
    between wantedName: String,
    and foundName: String
  ) -> Difference? {
    let (found, wanted) = (content(found), content(wanted))
    guard found != wanted else { return nil }
    return Difference(
      kind: "merge.content",
      summary: summary,
      expected: ValueComparison.description(of: wanted),
      actual: ValueComparison.description(of: found)
    ).between(wantedName, foundName).ofPeers()
  }
}
