import CodingLaws
package import DocumentLaws
import DocumentModel
package import Histories
import PropertyEngine
import Subjects

/// Every history of a small world, on one subject.
package struct WorldRun {
  /// What a walk over a world came to.
  package struct Result: Sendable, Encodable {
    package let world: String
    package let histories: Int
    /// The first violation: the law, what differs, and the history.
    package var violation: Violation?

    package struct Violation: Sendable, Encodable {
      package let law: String
      package let summary: String
      package let history: [String]
    }
  }

  private let subject: any DocumentSubject
  private let replicas: Int
  private let edits: Int

  package init(subject: any DocumentSubject, replicas: Int, edits: Int) {
    self.subject = subject
    self.replicas = replicas
    self.edits = edits
  }

  /// Walks the whole world, or until a law is violated; `onProgress` gets the count now and then.
  package func run(
    _ world: SmallWorld,
    onProgress: (Int) -> Void,
    isInterrupted: () -> Bool
  ) -> Result {
    let judge = DocumentJudge(subject, oracle: naiveSubject)
    let generator = world.histories(replicas: replicas, edits: edits)
    var walk = ExhaustiveWalk()
    var choices: Choices
    repeat {
      choices = walk.choices()
      let history = normalise(generator.draw(&choices))
      if let finding = judge.judge(history, SmallWorld.laws).findings.first {
        return Result(
          world: world.rawValue,
          histories: walk.visited + 1,
          violation: Result.Violation(
            law: finding.key.law,
            summary: "\(finding.difference)",
            history: history.history.lines
          )
        )
      }
      if walk.visited.isMultiple(of: 5000) { onProgress(walk.visited) }
    } while walk.advance(after: choices.recorded) && !isInterrupted()
    return Result(world: world.rawValue, histories: walk.visited, violation: nil)
  }
}

extension WorldRun {
  /// A small world of a coder, and the one law that judges it.
  package enum CoderWorld: String, CaseIterable {
    /// Every list of some models with an element of every kind at every place.
    case lists = "mixed-lists"
    /// Every pair of things that two peers of other versions do at once to one place of small
    /// documents, or to a place and one below it.
    case drifts = "concurrent-drifts"

    fileprivate var law: CodingLaw { self == .lists ? .mixedLists : .concurrentDrift }
  }

  /// Walks a whole world of a coder, or until its law is violated; `onProgress` gets the number of
  /// each sample.
  ///
  /// - Throws: `UnsupportedByCoder` for a coder that writes no documents.
  package static func run(
    _ world: CoderWorld,
    of coder: JudgedCoder,
    onProgress: (Int) -> Void,
    isInterrupted: () -> Bool
  ) throws -> Result {
    for feature in [CoderFeature.documents, .documentRules]
    where !coder.subject.features.contains(feature) {
      throw UnsupportedByCoder(feature: feature)
    }
    let (subject, pool) = (coder.subject, coder.pool)
    let walk =
      switch world {
      case .lists:
        try MixedListWorld(subject, on: pool)
          .run(onSample: onProgress, isInterrupted: isInterrupted)
      case .drifts:
        try ConcurrentDriftWorld(subject, on: pool)
          .run(onSample: onProgress, isInterrupted: isInterrupted)
      }
    return Result(
      world: world.rawValue,
      histories: walk.sampleCount,
      violation: walk.violation.map { sample, difference in
        Result.Violation(
          law: world.law.name,
          summary: "\(difference)",
          history: StoredSample(sample, .coding).lines
        )
      }
    )
  }
}
