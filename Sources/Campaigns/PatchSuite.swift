import DocumentLaws
package import Mutants
package import PropertyEngine
import Reporting
import Subjects

/// The laws that a part of the package is held to when its source is patched.
///
/// The patched copy of the package is this very code with bugs in it: in it the suite's subject is
/// the mutant. A new target needs a case of ``Mutants/SourcePatch/Target`` and its hunts here.
package struct PatchSuite: Sendable {
  let target: SourcePatch.Target
  private let hunts: [any LawHunt]

  package init(_ target: SourcePatch.Target) {
    self.target = target
    hunts =
      switch target {
      case .engine:
        [HistoryHunt(Lane(engineSubject, oracle: naiveSubject, laws: DocumentLaw.all))]
          + storedHunts(EngineReplica.self)
      case .document: Self.documentHunts
      case .coder: [CodingHunt()]
      case .store: []
      }
  }

  /// `Document` against the specification and against the engine, and with other text units.
  private static var documentHunts: [any LawHunt] {
    let agreement = DocumentLaw.all.filter(\.isAgreement)
    let lanes =
      [
        Lane(documentSubject, oracle: naiveSubject, laws: DocumentLaw.all),
        Lane(documentSubject, oracle: engineSubject, laws: agreement),
      ] + otherUnitSubjects.map { Lane($0.subject, oracle: $0.oracle, laws: agreement) }
    return lanes.map { HistoryHunt($0) }
  }

  /// Targets whose part of the package exists.
  package static var available: [SourcePatch.Target] {
    SourcePatch.Target.allCases.filter { !Self($0).hunts.isEmpty }
  }

  var laws: [(name: String, sentence: String, source: LawSource)] {
    hunts.flatMap(\.laws).map { ($0.name, $0.sentence, $0.source) }
  }

  /// Runs cases until a law is violated; `onCase` hears the number of each before it starts.
  ///
  /// With `law`, that law alone is asked.
  package func run(
    law: String?,
    seed: Seed,
    caseLimit: Int,
    onCase: (Int) -> Void
  ) -> PatchOutcome {
    // Whether a subject answers at all is seen on any law.
    let law = law == FailureKey.answers ? nil : law
    var asked = hunts
    if let law { asked = hunts.filter { hunt in hunt.laws.contains { $0.name == law } } }
    guard !asked.isEmpty else { return PatchOutcome(cases: 0, quarry: nil) }
    for index in 0..<caseLimit {
      onCase(index)
      let hunt = asked[index % asked.count]
      let found = hunt.run(case: index / asked.count, seed: seed, law: law)
      if let found { return PatchOutcome(cases: index + 1, quarry: found) }
    }
    return PatchOutcome(cases: caseLimit, quarry: nil)
  }
}

/// What became of one mutant in its process.
package struct PatchOutcome: Codable, Hashable, Sendable {
  /// Cases that were run, the killing one included.
  package var cases: Int
  /// Nil if it lived.
  package var quarry: Quarry?
}
