package import DocumentModel
package import Histories
package import PropertyEngine

/// The answers of one subject to a plan.
///
/// The transcript may be shorter than the program: a subject that crashed answered the first part.
/// Every accessor gives `nil` for what is missing.
package struct Answers: Sendable {
  package let plan: Plan
  package let transcript: Transcript

  package init(plan: Plan, transcript: Transcript) {
    self.plan = plan
    self.transcript = transcript
  }

  /// `nil` if the subject stopped before it.
  package func outcome(_ question: Question) -> Outcome? {
    let position = plan.position(of: question)
    return transcript.outcomes.indices.contains(position) ? transcript.outcomes[position] : nil
  }

  /// The state that was shown, or `nil` where the subject failed to: `calls.succeed` says so.
  package func observation(_ question: Question) -> Observation? {
    guard case .observed(let observation) = outcome(question) else { return nil }
    return observation
  }

  /// What the edits of a step did together, by its index in the history; `nil` if none was carried out.
  ///
  /// The instructions of a burst count together.
  package func effect(ofStep index: Int) -> EditEffect? {
    var all: EditEffect?
    for position in plan.positions(ofStep: index) {
      guard transcript.outcomes.indices.contains(position),
        case .edited(let effect) = transcript.outcomes[position]
      else { continue }
      all = all.map { $0.followed(by: effect) } ?? effect
    }
    return all
  }

  /// The first difference that `find` sees in an instruction and its outcome, with the side that
  /// was asked; those at positions where `other` has the same outcome are passed over.
  func firstOutcome(
    unlike other: Answers? = nil,
    _ find: (Instruction, Outcome) -> Difference?
  ) -> Difference? {
    let answered = zip(plan.program.instructions, transcript.outcomes)
    for (position, (instruction, outcome)) in answered.enumerated() {
      // In this order: to compare all outcomes would cost as much as to judge them.
      let difference = find(instruction, outcome)
      if let difference, other?.hasOutcome(outcome, at: position) != true {
        return difference.between(nil, asked(at: position))
      }
    }
    return nil
  }

  private func hasOutcome(_ outcome: Outcome, at position: Int) -> Bool {
    transcript.outcomes.indices.contains(position) && transcript.outcomes[position] == outcome
  }

  /// Where one of two states departs from the other; `nil` if they agree or one is not shown.
  ///
  /// Which of the two is right, if any, is not known: the subject shows both.
  package func difference(_ question: Question, from expected: Question) -> Difference? {
    guard let state = observation(question), let other = observation(expected) else { return nil }
    return state.difference(from: other)?.between(side(expected), side(question)).ofPeers()
  }

  /// Whose answer it is, and all that it shows.
  func side(
    _ question: Question,
    _ party: Difference.Side.Party = .subject
  ) -> Difference.Side? {
    observation(question).map {
      Difference.Side(question.name, party: party, state: $0.lines)
    }
  }
}
