import ModelGeneration
import PropertyEngine

extension CodingLaw {
  /// What an app and its peer do to texts and counters of models of any shape.
  static let storyLaws: [CodingLaw] = [referenceStory]

  /// Catches instances that are lost, swapped, written over or bound elsewhere where several rules meet: an element
  /// that leaves a set for a list, a pair whose key comes back, a text in whose place a string stood meanwhile.
  ///
  /// Other laws ask about one rule each, of models that the zoo has. Here the shape of the model is drawn, too, and up to
  /// 14 calls are made of it.
  ///
  /// Worked example: a counter of 5 stands under "k1". A peer deletes the key; the app puts the counter under "k2" and a
  /// new one of 0 under "k1". An encoder that writes "k1" first, and then asks the counter, which is bound to "k1", what
  /// it counts, writes 0 under both.
  static let referenceStory = CodingLaw(
    "reference.story",
    "A document shows what its model holds.",
    "Whatever an app does to a model, after each encode the document shows what the model holds, and its texts and "
      + "counters hold what they held; an edit of one of them shows at its place and nowhere else.",
    source: [
      .specification(.codable, "Counter"), .specification(.codable, "AutomergeText"),
      .requirement(6),
    ],
    needs: [.documents, .texts, .counters],
    models: named("Empty"),
    reads: { _ = try StoryEvent.story($0.trees) },
    draw: { _, sample, choices in
      sample.numbers = [choices.index(below: 2)]
      choices.repeated(upTo: StoryEvent.storyLimit, averaging: 9, "event") { choices in
        sample.trees.append(StoryEvent.drawn(&choices).tree)
      }
    },
    check: { try tell($0.subject, $0) }
  )

  private static func tell<S: CoderSubject>(
    _ subject: S,
    _ trial: CodingTrial
  ) throws -> Difference? {
    let story = try ReferenceStory(
      subject,
      home: try trial.document(),
      elsewhere: try trial.document(actor: 3)
    )
    for (number, event) in try StoryEvent.story(trial.sample.trees).enumerated() {
      if let found = try story.run(event) {
        return found.told(as: "in call \(number + 1), \(found.summary)")
      }
    }
    guard let found = try story.run(.ending(isOverride: trial.sample.index(0, below: 2) == 0))
    else { return nil }
    return found.told(as: "at the end, \(found.summary)")
  }
}
