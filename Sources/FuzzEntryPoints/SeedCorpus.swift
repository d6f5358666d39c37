import Campaigns
import CodingLaws
import Histories
import PropertyEngine

/// How a target's seed corpus is made: small inputs that a fuzzer starts from.
struct SeedCorpus: Sendable {
  /// What the corpus consists of.
  let sentence: String
  /// Makes the inputs on a subject one by one, always the same.
  let make: @Sendable (FuzzSubject, _ onSeed: (Boundary.Seed) throws -> Void) throws -> Void

  /// The smallest input found for each situation of a history, each with a history of its own.
  static let histories = SeedCorpus(
    sentence: "the smallest input found for each situation by name"
  ) { subject, onSeed in
    var known: Set<History> = []
    let caseLimit = 20_000
    for goal in SeedGoal.histories {
      let input = goal.input(on: subject, caseLimit: caseLimit, shrinkLimit: 4_000) { input in
        input.history.map { !known.contains($0.history) } ?? false
      }
      guard let input, let history = input.history else {
        throw FuzzFailure("no history of \(caseLimit) reached \(goal.name): none is ever drawn")
      }
      known.insert(history.history)
      try onSeed(Boundary.Seed(goal.name, goal.sentence, input.bytes))
    }
  }

  /// For each law of coders the smallest input of a few models that it holds for.
  static func coders(_ laws: [String]) -> SeedCorpus {
    goals(
      "for each model, an input that its law holds for",
      laws.flatMap(SeedGoal.coders),
      caseLimit: 400 * laws.count,
      shrinkLimit: 400
    )
  }

  /// For each law an input that it holds for.
  static func laws(_ laws: [String]) -> SeedCorpus {
    goals(
      "for each law, an input that it holds for",
      laws.map { SeedGoal(law: $0, "first", "`\($0)` holds") },
      caseLimit: 400,
      shrinkLimit: 100
    )
  }

  /// For each goal that an input reaches the smallest one found.
  private static func goals(
    _ sentence: String,
    _ goals: [SeedGoal],
    caseLimit: Int,
    shrinkLimit: Int
  ) -> SeedCorpus {
    SeedCorpus(sentence: sentence) { subject, onSeed in
      for goal in goals {
        let input = goal.input(on: subject, caseLimit: caseLimit, shrinkLimit: shrinkLimit)
        guard let input else { continue }
        try onSeed(Boundary.Seed(goal.name, goal.sentence, input.bytes))
      }
    }
  }
}

/// A situation that an input of a seed corpus reaches, and is named by.
package struct SeedGoal: Sendable {
  /// The name of the input's file without `.bin`: `deletes-met`, `fault-clog`.
  package let name: String
  /// The situation in one sentence.
  package let sentence: String
  /// Whether an input reaches it.
  package let isReached: @Sendable (FuzzInput) -> Bool

  init(_ name: String, _ sentence: String, isReached: @escaping @Sendable (FuzzInput) -> Bool) {
    self.name = name
    self.sentence = sentence
    self.isReached = isReached
  }

  /// A law's name as a part of the name of a file: `drift-concurrent`.
  static func name(ofLaw law: String) -> String { law.replacing(".", with: "-") }

  /// The goal that a law holds for an input that fits and that it alone judges.
  fileprivate init(
    law: String,
    _ name: String,
    _ sentence: String,
    fits: @escaping @Sendable (FuzzInput) -> Bool = { _ in true }
  ) {
    self.init("\(Self.name(ofLaw: law))-\(name)", sentence) { input in
      input.group.laws.map(\.name) == [law] && fits(input)
        && input.judgedAgain().judged.verdict(of: law) == .held
    }
  }

  /// The bytes of the smallest input found that reaches the goal on a subject of a target; `nil` if none does.
  ///
  /// - Throws: As ``FuzzTarget/judge(_:on:from:)``.
  package func bytes(of target: FuzzTarget, on id: String) throws -> [UInt8]? {
    let subject = try target.subject(id, from: SubjectRegistry(adapters: nil))
    return input(on: subject, caseLimit: 20_000, shrinkLimit: 4_000)?.bytes
  }

  /// The smallest input found that reaches the goal and fits; `nil` if no case of seed 1 does.
  ///
  /// Cost: at most `caseLimit` samples to find one, and `shrinkLimit` to make it small.
  fileprivate func input(
    on subject: FuzzSubject,
    caseLimit: Int,
    shrinkLimit: Int,
    fits: (FuzzInput) -> Bool = { _ in true }
  ) -> FuzzInput? {
    // What most goals ask of is the sample alone.
    let request = JudgingRequest(drawsOnly: true)
    for index in 0..<caseLimit {
      let choices = Choices(seed: Seed(value: 1).stream(UInt64(index)))
      let input = FuzzInput(drawing: choices, on: subject, request)
      guard isReached(input), fits(input) else { continue }
      return input.shrunk(stepLimit: shrinkLimit) { isReached($0) && fits($0) }
    }
    return nil
  }

  /// The goals that a law of coders holds for each of a few models of very different shapes.
  ///
  /// The last ones are for laws that speak of few.
  fileprivate static func coders(_ law: String) -> [SeedGoal] {
    [
      "Scalars", "LeafOptionals", "Shapes", "Branch", "Dog", "MeetingNotes", "ScalarLists",
      "ColorList", "TextList", "NestedByHand", "SampleNote",
    ].map { model in
      SeedGoal(law: law, model.lowercased(), "`\(law)` holds for a \(model)") { input in
        let sample = input.judged.sample?.value as? CodingSample
        return sample.map { $0.model == model && $0.size > 4 } ?? false
      }
    }
  }
}
