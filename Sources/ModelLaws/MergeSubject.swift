// Types that merge, as samples: `MergeSubject` is what a test gives, `MergeHistory` what is drawn
// from it. `Touchstone/MergeExpectation.swift` makes a subject out of a user's type, and
// `MergeLaws.swift` judges.

package import PropertyEngine

/// A type that merges, as its laws need it: a first state, a random edit, a merge, and what shows.
///
/// States are values: a copy is not changed by an edit of the original.
///
/// `initial`, `edit`, `merge`, `content`, `kept` and `invariant` must be pure: the laws call them in any order and
/// number, and compare contents by `==`. A reference type as `State` breaks that: a merge would
/// change the past as well.
package struct MergeSubject<
  State: SendableMetatype,
  Content: Equatable & SendableMetatype
>: Sendable {
  /// Steps of a history at most.
  ///
  /// Six on average.
  private static var stepLimit: Int { 12 }

  package let name: String
  /// The state in which the replica with this number starts; all show the same.
  ///
  /// Replicas get their number, so that a type which needs a name of its own for each replica can
  /// have one.
  package let initial: @Sendable (Int) -> State
  /// Edits a state, and says what it did.
  package let edit: @Sendable (inout State, inout Choices) -> String
  package let merge: @Sendable (inout State, State) -> Void
  /// What users see: the laws compare nothing else.
  package let content: @Sendable (State) -> Content
  /// The things in a state that no merge may lose; `nil` if the type does not say.
  package let kept: (@Sendable (State) -> Set<AnyHashable>)?
  /// Whether a state is valid; `nil` if the type does not say.
  package let invariant: (@Sendable (State) -> Bool)?
  /// Told before each step of a history that is drawn for a law, with its lines so far and that of the step.
  package var willStep: @Sendable (LawStatement, [String]) -> Void = { _, _ in }

  package init(
    name: String,
    initial: @escaping @Sendable (Int) -> State,
    edit: @escaping @Sendable (inout State, inout Choices) -> String,
    merge: @escaping @Sendable (inout State, State) -> Void,
    content: @escaping @Sendable (State) -> Content,
    kept: (@Sendable (State) -> Set<AnyHashable>)? = nil,
    invariant: (@Sendable (State) -> Bool)? = nil
  ) {
    self.name = name
    self.initial = initial
    self.edit = edit
    self.merge = merge
    self.content = content
    self.kept = kept
    self.invariant = invariant
  }

  /// Draws a history of two or three replicas that edit, and hear of each other, perhaps late.
  ///
  /// Three of five steps edit, two merge. A merge takes any state that the other replica ever had,
  /// not only its newest: messages arrive late and twice. Choices of 0 are an edit by the first
  /// replica and the newest state, so that shrinking goes there.
  ///
  /// Every replica has a state in `past` for its start and for each step of its own, so that `age`
  /// is counted in that replica's steps.
  ///
  /// Each edit is made twice, since a history whose edits do more than their choices say cannot be replayed.
  ///
  /// Cost: two copies of a state for each step.
  ///
  /// - Throws: ``UnrepeatableEdit``.
  ///
  /// `willStep`: Told the lines of the history before each step, the step itself as the last one.
  func history(
    _ choices: inout Choices,
    willStep: ([String]) -> Void = { _ in }
  ) throws -> MergeHistory<State> {
    let count = 2 + choices.number(in: 0...1)
    let states = (0..<count).map(initial)
    var history = MergeHistory(states: states, past: states.map { [$0] })
    try choices.repeated(upTo: Self.stepLimit, averaging: 6, "step") { choices in
      let one = choices.index(below: count)
      switch choices.pick(weights: [3, 2]) {
      case 0:
        let before = history.states[one]
        willStep(history.lines + ["r\(one) edits"])
        let description = try repeatableEdit(of: &history.states[one], &choices)
        history.lines.append("r\(one): \(description)")
        history.steps.append(MergeStep(replica: one))
        // One edit that shows is enough to know that edits do.
        if !history.hasVisibleEdit {
          history.hasVisibleEdit = content(before) != content(history.states[one])
        }
      default:
        let other = (one + 1 + choices.index(below: count - 1)) % count
        let age = choices.index(below: history.past[other].count)
        let late = age == 0 ? "" : ", from a message that is \(age) of its steps old"
        let line = "r\(one) hears r\(other)\(late)"
        willStep(history.lines + [line])
        merge(&history.states[one], history.past[other][history.past[other].count - 1 - age])
        history.lines.append(line)
        history.steps.append(MergeStep(replica: one, heard: .init(replica: other, age: age)))
      }
      history.past[one].append(history.states[one])
    }
    history.choices = choices.recorded
    return history
  }

  /// Edits a state, and a copy of it by the same choices.
  ///
  /// - Returns: What the edit says of itself.
  /// - Throws: ``UnrepeatableEdit`` if the two then show different things.
  private func repeatableEdit(of state: inout State, _ choices: inout Choices) throws -> String {
    var (copy, sameChoices) = (state, choices)
    let description = edit(&state, &choices)
    let again = edit(&copy, &sameChoices)
    let (shown, shownAgain) = (content(state), content(copy))
    // What is not equal to itself, such as a NaN, says nothing.
    guard shown == shownAgain || shown != shown else {
      func text(_ description: String, _ content: Content) -> String {
        "\(description) and shows \(ValueComparison.description(of: content))"
      }
      throw UnrepeatableEdit(first: text(description, shown), second: text(again, shownAgain))
    }
    return description
  }

  /// What two replicas show before any edit, where that differs.
  package var unequalStarts: (one: String, other: String)? {
    let shown = (0..<3).map { content(initial($0)) }
    guard shown[0] == shown[0], let other = shown.first(where: { $0 != shown[0] }) else {
      return nil
    }
    return (ValueComparison.description(of: shown[0]), ValueComparison.description(of: other))
  }
}

/// An edit that made two different states of one state and the same choices: something else than its source decides.
package struct UnrepeatableEdit: Error, Hashable, Sendable, CustomStringConvertible {
  /// What the edit said of itself the first time, and what its replica showed then.
  package let first: String
  /// The same of the second time.
  package let second: String

  package var description: String { "first it \(first), then it \(second)" }
}

/// What happened to a few replicas, and where they stand.
package struct MergeHistory<State> {
  /// One line a step: `r0: sets a to 1`, `r1 hears r0`.
  package fileprivate(set) var lines: [String] = []
  fileprivate(set) var states: [State]
  /// Each replica's states, the oldest first.
  ///
  /// The last of each is the replica's present state, as in `states`.
  fileprivate(set) var past: [[State]]
  /// What made the states of `past`, but for those in which replicas start, in the order of the lines.
  package fileprivate(set) var steps: [MergeStep] = []
  /// What made it.
  package fileprivate(set) var choices: [Choice] = []
  /// Whether an edit changed what its replica shows.
  ///
  /// A subject whose edits never show keeps every law: a run over such samples proves nothing, and
  /// says so.
  fileprivate(set) var hasVisibleEdit = false

  fileprivate init(states: [State], past: [[State]]) {
    self.states = states
    self.past = past
  }
}

/// What made a state out of its replica's state before it.
package struct MergeStep: Hashable, Sendable {
  /// A state that another replica once had.
  struct Heard: Hashable, Sendable {
    let replica: Int
    /// How many states that replica has had since; 0 for its newest.
    let age: Int
  }

  let replica: Int
  /// What it took in; `nil` if it edited.
  var heard: Heard?
}

extension SampleForm {
  /// Histories of replicas, line by line: `merge 1`.
  ///
  /// The lines are what edits say of themselves. They are not read again: choices replay them.
  ///
  /// States are values of a user's type, which need no text form. So a stored case keeps the
  /// choices, and its lines are for people; `parse` refuses them all.
  static func mergeHistory<State: SendableMetatype>() -> SampleForm
  where Sample == MergeHistory<State> {
    let name = FormName("merge", version: 1)
    return SampleForm(
      name: name,
      render: { $0.lines.map { "\($0)\n" }.joined() },
      parse: { _ in throw UnreadableSample(form: name) },
      size: { $0.lines.count },
      measure: { $0.lines.count == 1 ? "1 step" : "\($0.lines.count) steps" },
      count: { history, coverage in
        var tally = Tally()
        if history.hasVisibleEdit { tally.add(MergeCoverage.visibleEdit) }
        coverage.add(tally, to: MergeCoverage.topic)
      }
    )
  }
}

extension Coverage {
  /// Whether an edit of any history changed what a replica shows.
  package var hasVisibleEdit: Bool { self[MergeCoverage.topic][MergeCoverage.visibleEdit] > 0 }
}

private enum MergeCoverage {
  static let topic = "edits"
  static let visibleEdit = "visible"
}
