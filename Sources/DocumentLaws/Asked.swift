// Names the replica that was asked, and the time, for failures whose answers are no states:
// `r0 in step 2`, `r1 after healing`, `cursor 1 on r0 after step 3`.

import Histories
import PropertyEngine

extension Answers {
  /// The side that was asked a question, and when.
  func asked(
    _ question: Question,
    _ party: Difference.Side.Party = .subject
  ) -> Difference.Side {
    asked(at: plan.position(of: question), party)
  }

  /// The side that carries out the instruction at a position in the transcript, and when.
  func asked(at position: Int, _ party: Difference.Side.Party = .subject) -> Difference.Side {
    Difference.Side(plan.name(ofPosition: position), party: party)
  }
}

extension Plan {
  fileprivate func name(ofPosition position: Int) -> String {
    let instruction = program.instructions[position]
    let stage = stage(ofPosition: position)
    let time = stage == .history ? time(ofPosition: position) : stage.time
    let place = "\(name(of: instruction.document, before: position)) \(time)"
    return switch instruction {
    case .call(_, .cursor(let cursor, _, _, _)): "cursor \(cursor) of \(place)"
    case .call(_, .position(let cursor)): "cursor \(cursor) on \(place)"
    case .call(_, .positionAt(let cursor, _)): "cursor \(cursor) at earlier heads on \(place)"
    case .call(_, .cursorAt(_, let index, _)):
      "a cursor at index \(index) and earlier heads on \(place)"
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

  /// A document as failures name it at a position of the program: a replica by its number, a scratch document by what it
  /// was made of, such as `a copy of r0 that took in r1`.
  func name(of document: Int, before position: Int) -> String {
    guard document >= Self.firstScratch else { return "r\(document)" }
    var parts: [String] = []
    var savers: [Int: String] = [:]
    var senders: [Int: String] = [:]
    for instruction in program.instructions[..<position] {
      switch instruction {
      case .create(document, _): parts = []
      case .fork(document, let origin, _), .forkAt(document, let origin, _, _):
        parts = [Self.part(origin)]
      case .save(let saver, let slot): savers[slot] = Self.part(saver)
      case .load(document, let slot, _): parts = savers[slot].map { [$0] } ?? []
      case .send(let message, let sender, _, _, _): senders[message] = Self.part(sender)
      case .deliver(let message, document, _), .deliverReversed(let message, document):
        if let sender = senders[message] { parts.append(sender) }
      case .merge(document, let other), .sync(document, let other, _),
        .sync(let other, document, _):
        parts.append(Self.part(other))
      default: break
      }
    }
    guard let origin = parts.first else { return "an empty copy" }
    let others = parts.dropFirst().reduce(into: [String]()) { names, name in
      if !names.contains(name), name != origin { names.append(name) }
    }
    let taken = others.isEmpty ? "" : " that took in \(others.joined(separator: " and "))"
    return "a copy of \(origin)\(taken)"
  }

  /// A document within the name of another.
  private static func part(_ document: Int) -> String {
    document < firstScratch ? "r\(document)" : "another copy"
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
