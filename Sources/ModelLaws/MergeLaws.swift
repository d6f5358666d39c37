package import PropertyEngine

/// A type that merges, as its laws need it: a first state, a random edit, a merge, and what shows.
///
/// States are values: a copy is not changed by an edit of the original.
package struct MergeSubject<State, Content: Equatable> {
  package let name: String
  /// The state in which the replica with this number starts; all show the same.
  package let initial: (Int) -> State
  /// Edits a state, and says what it did.
  package let edit: (inout State, inout Choices) -> String
  package let merge: (inout State, State) -> Void
  package let content: (State) -> Content

  package init(
    name: String,
    initial: @escaping (Int) -> State,
    edit: @escaping (inout State, inout Choices) -> String,
    merge: @escaping (inout State, State) -> Void,
    content: @escaping (State) -> Content
  ) {
    self.name = name
    self.initial = initial
    self.edit = edit
    self.merge = merge
    self.content = content
  }
}

/// What happened to a few replicas, and where they stand.
package struct MergeHistory<State> {
  /// One line a step: `r0: sets a to 1`, `r1 hears r0`.
  package fileprivate(set) var lines: [String] = []
  fileprivate(set) var states: [State]
  /// Each replica's states, the oldest first.
  fileprivate(set) var past: [[State]]
}

/// A statement about types that merge.
package struct MergeLaw: Sendable {
  package let name: String
  package let sentence: String
  package let source: String
  package let advice: String

  private static let paper = "Shapiro et al., \"Conflict-free Replicated Data Types\", 2011"

  /// The whole catalogue, in the order in which laws are tried.
  package static let all: [MergeLaw] = [
    MergeLaw(
      name: "merge.idempotent",
      sentence: "Merging what is known already changes nothing.",
      source: paper,
      advice:
        "A merge takes the later or the greater of two, or their union: it never adds them up."
    ),
    MergeLaw(
      name: "merge.absorbs-the-past",
      sentence: "Merging an older state of oneself changes nothing: it brings no news.",
      source: "\(paper): states grow in a semilattice",
      advice: """
        What was removed or lowered must leave a trace that outlives an older copy, such as a tombstone \
        or a second count.
        """
    ),
    MergeLaw(
      name: "merge.commutative",
      sentence: "Two states merge to the same, whichever takes in the other.",
      source: paper,
      advice:
        "Look for a tie that each side settles in its own favour: let the replicas' names decide."
    ),
    MergeLaw(
      name: "merge.associative",
      sentence: "Three states merge to the same, whichever two meet first.",
      source: paper,
      advice: "Look for a choice between two states that forgets why it was made."
    ),
    MergeLaw(
      name: "merge.converges",
      sentence: "Replicas that have heard of each other show the same, however late, often and in "
        + "whatever order.",
      source: paper,
      advice: "Whatever decides between two edits must be the same at every replica."
    ),
  ]
}

/// Holds a type that merges to the laws.
package struct MergeRun<State, Content: Equatable> {
  package struct Failure {
    package let law: MergeLaw
    package let difference: Difference
    package let history: MergeHistory<State>
    package let caseIndex: Int
    package let shrunk: ShrinkResult
  }

  private static var stepLimit: Int { 12 }

  private let subject: MergeSubject<State, Content>
  private let seed: Seed

  package init(_ subject: MergeSubject<State, Content>, seed: Seed) {
    self.subject = subject
    self.seed = seed
  }

  /// Runs so many histories of each law, and gives the first failure of each, shrunk.
  package func run(
    cases: Int,
    shrinkLimit: Int = 4000,
    shouldStop: () -> Bool = { false }
  ) -> [Failure] {
    MergeLaw.all.compactMap { law in
      for index in 0..<max(1, cases) where !shouldStop() {
        var choices = Choices(seed: seed.stream(UInt64(index)))
        let history = draw(&choices)
        guard difference(law, history) != nil else { continue }
        return shrink(law, choices, index, shrinkLimit, shouldStop)
      }
      return nil
    }
  }

  /// Judges choices again, as a case file keeps them.
  package func replay(
    _ law: MergeLaw,
    _ values: [UInt32]
  ) -> (history: MergeHistory<State>, difference: Difference?) {
    var choices = Choices(replaying: values)
    let history = draw(&choices)
    return (history, difference(law, history))
  }

  private func shrink(
    _ law: MergeLaw,
    _ original: Choices,
    _ index: Int,
    _ limit: Int,
    _ shouldStop: () -> Bool
  ) -> Failure? {
    var shrinker = Shrinker(failing: original.recorded, spans: original.spans, stepLimit: limit)
    let shrunk = shrinker.run(
      { candidate in
        var choices = Choices(replaying: candidate)
        let history = draw(&choices)
        return ShrinkAttempt(choices, fails: difference(law, history) != nil)
      },
      shouldStop: shouldStop
    )
    let (history, found) = replay(law, shrunk.values)
    guard let found else { return nil }
    return Failure(
      law: law,
      difference: found,
      history: history,
      caseIndex: index,
      shrunk: shrunk
    )
  }

  // MARK: - Histories

  private func draw(_ choices: inout Choices) -> MergeHistory<State> {
    let count = 2 + choices.number(in: 0...1)
    let states = (0..<count).map(subject.initial)
    var history = MergeHistory(states: states, past: states.map { [$0] })
    choices.repeated(upTo: Self.stepLimit, averaging: 6, "step") { choices in
      let one = choices.index(below: count)
      switch choices.pick(weights: [3, 2]) {
      case 0:
        let words = subject.edit(&history.states[one], &choices)
        history.lines.append("r\(one): \(words)")
      default:
        let other = (one + 1 + choices.index(below: count - 1)) % count
        let age = choices.index(below: history.past[other].count)
        let index = history.past[other].count - 1 - age
        subject.merge(&history.states[one], history.past[other][index])
        let late = age == 0 ? "" : ", from a message that is \(age) of its steps old"
        history.lines.append("r\(one) hears r\(other)\(late)")
      }
      history.past[one].append(history.states[one])
    }
    return history
  }

  // MARK: - Laws

  private func merged(_ left: State, _ right: State) -> State {
    var state = left
    subject.merge(&state, right)
    return state
  }

  private func differs(_ found: State, _ wanted: State, _ words: String) -> Difference? {
    let (found, wanted) = (subject.content(found), subject.content(wanted))
    guard found != wanted else { return nil }
    return Difference(
      kind: "merge.content",
      summary: words,
      expected: ValueComparison.words(wanted),
      actual: ValueComparison.words(found)
    )
  }

  private func difference(_ law: MergeLaw, _ history: MergeHistory<State>) -> Difference? {
    let states = history.states
    let indices = Array(states.indices)
    switch law.name {
    case "merge.idempotent":
      for one in indices {
        if let found = differs(
          merged(states[one], states[one]),
          states[one],
          "then r\(one) hears itself, and shows something else than before"
        ) {
          return found
        }
        for other in indices where other != one {
          let both = merged(states[one], states[other])
          let found = differs(
            merged(both, states[other]),
            both,
            "then r\(one) hears r\(other) twice, and the second time changes what it shows"
          )
          if let found { return found }
        }
      }
    case "merge.absorbs-the-past":
      for one in indices {
        for (age, past) in history.past[one].dropLast().reversed().enumerated() {
          let found = differs(
            merged(states[one], past),
            states[one],
            "then r\(one) hears what it was itself \(age + 1) of its steps ago, and shows something else"
          )
          if let found { return found }
        }
      }
    case "merge.commutative":
      for one in indices {
        for other in indices where other > one {
          let found = differs(
            merged(states[other], states[one]),
            merged(states[one], states[other]),
            "then r\(one) and r\(other) hear each other, and show different things"
          )
          if let found { return found }
        }
      }
    case "merge.associative":
      let third = states.count > 2 ? states[2] : subject.initial(2)
      let left = merged(merged(states[0], states[1]), third)
      let right = merged(states[0], merged(states[1], third))
      return differs(
        right,
        left,
        "(r0 merged with r1) merged with r2 is another than r0 merged with (r1 merged with r2)"
      )
    default:
      var states = states
      for _ in 0..<2 {
        for one in indices {
          for other in indices where other != one { subject.merge(&states[one], states[other]) }
        }
      }
      for one in indices.dropFirst() {
        let found = differs(
          states[one],
          states[0],
          "then all hear of each other, twice, and r\(one) shows something else than r0"
        )
        if let found { return found }
      }
    }
    return nil
  }
}
