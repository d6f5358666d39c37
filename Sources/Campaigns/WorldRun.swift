import CodingLaws
package import DocumentLaws
import DocumentModel
import Histories
package import PropertyEngine
import Subjects

/// Every history of a small world, on one subject and on what it is compared with.
package struct WorldRun {
  /// What a walk over a world came to.
  package struct Result: Sendable, Encodable {
    package let world: String
    package let samples: Int
    /// What each law came to, in the order of their names.
    package let laws: [Law]
    /// The first violation: the law, what differs, and the sample.
    package var violation: Violation?

    package struct Violation: Sendable, Encodable {
      package let law: String
      package let summary: String
      package let sample: [String]
      /// Where the case was written; `nil` if nowhere.
      package var caseFile: String?
      /// What a case file is made of; `nil` for a law that small worlds alone ask, which no replay could judge.
      package let failure: Failure?

      private enum CodingKeys: CodingKey { case law, summary, sample, caseFile }

      fileprivate init(_ subjects: [String], _ finding: Finding, _ sample: StoredSample) {
        law = finding.key.law
        let difference = finding.difference.naming(
          subjects[0],
          oracle: subjects.dropFirst().first
        )
        // As a replay of the case tells it.
        summary = (["\(difference)"] + [difference.comparison.map { "  \($0)" }].compactMap(\.self))
          .joined(separator: "\n")
        self.sample = sample.lines
        failure =
          Catalogue.lawNames.contains(law)
          ? Failure(
            subjects: subjects,
            finding,
            sample,
            choices: [],
            seed: nil,
            caseIndex: 0,
            stage: .stored(isRaw: false)
          ) : nil
      }
    }

    /// What a law came to on all samples together.
    package struct Law: Sendable, Encodable {
      package let name: String
      package let held: Int
      package let errored: Int
      package let skipped: Int
      /// Why it was skipped or could not be judged; of several reasons the first by alphabet.
      package let reason: String?

      fileprivate init(_ name: String, _ totals: LawTotals) {
        self.name = name
        held = totals.held
        errored = totals.errored
        skipped = totals.skipped
        reason = totals.errorReason ?? totals.skipReasons.min()
      }
    }

    fileprivate init(
      _ world: String,
      samples: Int,
      _ laws: [String: LawTotals],
      _ violation: Violation?
    ) {
      self.world = world
      self.samples = samples
      self.laws = laws.map { Law($0.key, $0.value) }.sorted { $0.name < $1.name }
      self.violation = violation
    }

    /// Whether no law was violated or could not be judged, and at least one held.
    package var holds: Bool {
      violation == nil && !laws.contains { $0.errored > 0 } && laws.contains { $0.held > 0 }
    }
  }

  private let judge: DocumentJudge
  private let replicas: Int
  private let edits: Int

  package init(_ judge: DocumentJudge, replicas: Int, edits: Int) {
    self.judge = judge
    self.replicas = replicas
    self.edits = edits
  }

  /// Walks the whole world, or until a law is violated; `onProgress` gets the count now and then.
  package func run(
    _ world: SmallWorld,
    onProgress: (Int) -> Void,
    isInterrupted: () -> Bool
  ) -> Result {
    let generator = world.histories(replicas: replicas, edits: edits)
    var walk = ExhaustiveWalk()
    var choices: Choices
    var laws: [String: LawTotals] = [:]
    repeat {
      choices = walk.choices()
      let history = normalise(generator.draw(&choices))
      let judged = judge.judge(history, SmallWorld.laws)
      // An interruption ends an adapter that is waited for, which is no failure of it.
      if isInterrupted(), judged.findings.contains(where: \.key.isError) { break }
      for (law, judgement) in judged.verdicts { laws[law, default: LawTotals()].add(judgement) }
      // A law that could not be judged is no violation: its errors are counted.
      let findings = judged.findings.filter {
        !$0.key.isError || $0.key.law == FailureKey.answers
      }
      // Of several laws one that a replay can ask, too.
      let replayable = findings.first { Catalogue.lawNames.contains($0.key.law) }
      if let finding = replayable ?? findings.first {
        let subjects = [judge.subject.id] + (judge.oracle.map { [$0.id] } ?? [])
        let violation = Result.Violation(subjects, finding, StoredSample(history, .history))
        return Result(world.rawValue, samples: walk.visited + 1, laws, violation)
      }
      if walk.visited.isMultiple(of: 5000) { onProgress(walk.visited) }
    } while walk.advance(after: choices.recorded) && !isInterrupted()
    return Result(world.rawValue, samples: walk.visited, laws, nil)
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
    let violation = walk.violation.flatMap { sample, difference in
      Finding(law: world.law.name, .violated(difference))
        .map { Result.Violation([subject.id], $0, StoredSample(sample, .coding)) }
    }
    let laws = [world.law.name: walk.totals]
    return Result(world.rawValue, samples: walk.sampleCount, laws, violation)
  }
}
