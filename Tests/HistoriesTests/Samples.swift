import DocumentModel
import Histories
import PropertyEngine
import Subjects
import Testing

/// Valid histories out of one seed.
func normalisedHistories(
  _ count: Int,
  seed: Seed,
  limits: HistoryLimits = HistoryLimits()
) -> [NormalisedHistory] {
  let generator = Generator.histories(limits)
  return (0..<count).map { index in
    var choices = Choices(seed: seed.stream(UInt64(index)))
    return normalise(generator.draw(&choices))
  }
}

/// A history written by hand: the head's values, then its steps, one a line.
func written(_ steps: String, base: Base = .objects, replicas: Int = 2) throws -> History {
  try History(
    text: "history 1\nbase \(base)\nreplicas \(replicas)\nhealing merge\n\(steps)"
  )
}

/// All instructions of a history, healing and a look at each replica included.
func program(_ history: History) -> Program {
  var program = Program()
  program.instructions = history.opening
  var lowering = Lowering(history: history)
  for step in history.steps { program.instructions += lowering.lower(step) }
  program.instructions += history.healingPhase
  for replica in 0..<history.finalReplicaCount {
    program.instructions.append(.observe(document: replica))
  }
  return program
}

/// The words of calls that were not carried out, or that were and should not have been.
func complaints(_ history: History) -> [String] {
  zip(program(history).instructions, outcomes(history)).compactMap { instruction, outcome in
    guard case .call(_, .attempt) = instruction else { return outcome.complaint }
    if case .refused = outcome { return nil }
    return "\(instruction) was not refused: \(outcome)"
  }
}

/// What the specification answers.
func outcomes(_ history: History) -> [Outcome] {
  Interpreter<ReferenceModel>.run(program(history)).outcomes
}

extension Outcome {
  /// The words of a refusal or failure.
  var complaint: String? {
    switch self {
    case .refused(let words), .failed(let words): words
    default: nil
    }
  }

  var observation: Observation? {
    guard case .observed(let observation) = self else { return nil }
    return observation
  }
}
