// Who was asked and when, as failures name it whose answers are no states: `r0 in step 2`, `r1 after
// healing`, `cursor 1 on r0 after step 3`.

import Histories
import PropertyEngine

extension Answers {
  /// Who was asked a question, and when.
  func asked(
    _ question: Question,
    _ party: Difference.Side.Party = .subject
  ) -> Difference.Side {
    asked(at: plan.position(of: question), party)
  }

  /// Who carries out the instruction at a position in the transcript, and when.
  func asked(at position: Int, _ party: Difference.Side.Party = .subject) -> Difference.Side {
    Difference.Side(plan.name(ofPosition: position), party: party)
  }
}

extension Plan {
  fileprivate func name(ofPosition position: Int) -> String {
    let instruction = program.instructions[position]
    let stage = stage(ofPosition: position)
    let time = stage == .history ? time(ofPosition: position) : stage.time
    let place = "\(Self.name(of: instruction.document)) \(time)"
    return switch instruction {
    case .call(_, .cursor(let cursor, _, _, _)): "cursor \(cursor) of \(place)"
    case .call(_, .position(let cursor)): "cursor \(cursor) on \(place)"
    default: place
    }
  }

  /// When an instruction of the history is carried out: in a step, or between two, where it is a
  /// question.
  private func time(ofPosition position: Int) -> String {
    let steps = history.history.steps.indices.map { positions(ofStep: $0) }
    if let step = steps.firstIndex(where: { $0.contains(position) }) {
      return "in step \(step + 1)"
    }
    let before = steps.count { $0.upperBound <= position }
    return before == 0 ? "before the first step" : "after step \(before)"
  }

  /// A document as failures name it: a replica by its number, and all others alike.
  static func name(of document: Int) -> String {
    document < firstScratch ? "r\(document)" : "a copy"
  }
}

extension Plan.Stage {
  /// When that is, as names of states say it.
  var time: String {
    switch self {
    case .history: "in the history"
    case .divergent: "before healing"
    case .converged: "after healing"
    }
  }
}
