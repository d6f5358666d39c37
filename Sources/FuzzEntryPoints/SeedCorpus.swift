import Campaigns
import CodingLaws
import Histories
import PropertyEngine

/// How a target's seed corpus is made: small inputs that a fuzzer starts from.
struct SeedCorpus: Sendable {
  /// An input, and the name of its file without `.bin`.
  struct Seed {
    let name: String
    /// What the input reaches.
    let sentence: String
    let bytes: [UInt8]
  }

  /// What the corpus consists of.
  let sentence: String
  /// Makes the inputs on a subject one by one, always the same.
  let make: @Sendable (FuzzSubject, _ onSeed: (Seed) throws -> Void) throws -> Void

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
      try onSeed(Seed(name: goal.name, sentence: goal.sentence, bytes: input.bytes))
    }
  }

  /// For each law of coders the smallest input of a few models that it holds for.
  static func coders(_ laws: [String]) -> SeedCorpus {
    SeedCorpus(
      sentence: "for each model, an input that its law holds for"
    ) { subject, onSeed in
      for goal in laws.flatMap(SeedGoal.coders) {
        let cases = 400 * laws.count
        let input = goal.input(on: subject, caseLimit: cases, shrinkLimit: 400) { _ in true }
        guard let input else { continue }
        try onSeed(Seed(name: goal.name, sentence: goal.sentence, bytes: input.bytes))
      }
    }
  }
}

extension SeedCorpus {
  /// For each law of records an input that it holds for.
  static func records(_ laws: [String]) -> SeedCorpus {
    SeedCorpus(sentence: "for each law, an input that it holds for") { subject, onSeed in
      for law in laws {
        let name = "\(law.replacing(".", with: "-"))-first"
        let goal = SeedGoal(name, "`\(law)` holds") { input in
          input.group.laws.map(\.name) == [law]
            && input.judgedAgain().judged.verdict(of: law) == .held
        }
        let input = goal.input(on: subject, caseLimit: 400, shrinkLimit: 100) { _ in true }
        guard let input else { continue }
        try onSeed(Seed(name: goal.name, sentence: goal.sentence, bytes: input.bytes))
      }
    }
  }

  /// The inputs that a boundary names.
  init(of boundary: Boundary) {
    self.init(sentence: boundary.seedSentence) { _, onSeed in
      for seed in try boundary.seeds() {
        try onSeed(Seed(name: seed.name, sentence: seed.sentence, bytes: seed.bytes))
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

  /// The bytes of the smallest input found that reaches the goal on a subject of a target; `nil` if none does.
  ///
  /// - Throws: As ``FuzzTarget/judge(_:on:from:)``.
  package func bytes(of target: FuzzTarget, on id: String) throws -> [UInt8]? {
    let subject = try target.subject(id, from: SubjectRegistry(adapters: nil))
    return input(on: subject, caseLimit: 20_000, shrinkLimit: 4_000) { _ in true }?.bytes
  }

  /// The smallest input found that reaches the goal and fits; `nil` if no case of seed 1 does.
  ///
  /// Cost: at most `caseLimit` samples to find one, and `shrinkLimit` to make it small.
  fileprivate func input(
    on subject: FuzzSubject,
    caseLimit: Int,
    shrinkLimit: Int,
    fits: (FuzzInput) -> Bool
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

  /// That a law of coders holds, for each of a few models of very different shapes.
  ///
  /// The last ones are for laws that speak of few.
  fileprivate static func coders(_ law: String) -> [SeedGoal] {
    [
      "Scalars", "LeafOptionals", "Shapes", "Branch", "Dog", "MeetingNotes", "ScalarLists",
      "ColorList", "TextList", "NestedByHand", "SampleNote",
    ].map { model in
      let name = "\(law.replacing(".", with: "-"))-\(model.lowercased())"
      return SeedGoal(name, "`\(law)` holds for a \(model)") { input in
        guard input.group.laws.map(\.name) == [law],
          let sample = input.judged.sample?.value as? CodingSample,
          sample.model == model, sample.size > 4
        else { return false }
        return input.judgedAgain().judged.verdict(of: law) == .held
      }
    }
  }
}
