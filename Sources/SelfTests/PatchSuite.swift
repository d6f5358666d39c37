import Campaigns
import CoderSubjects
import CodingLaws
import DocumentLaws
import Foundation
import Histories
package import Mutants
package import PropertyEngine
import RecordSubjects
import Reporting
import StoreSubjects
import Subjects
import SystemCalls
import TightSubjects

/// The laws that a part of the package is held to when its source is patched.
///
/// The patched copy of the package is this very code with bugs in it: in it the suite's subject is
/// the mutant. A new target needs a case of ``Mutants/SourcePatch/Target`` and its runs here.
package struct PatchSuite: Sendable {
  /// Candidates that shrinking what kills a mutant may try.
  private static let shrinkLimit = 4000

  let target: SourcePatch.Target
  /// Laws that take turns, case by case.
  private let turns: [Turn]

  private struct Turn: Sendable {
    let subjects: [String]
    let groups: [LawGroup]

    init(_ lane: Lane) {
      subjects = [lane.subject.id] + (lane.oracle.map { [$0] } ?? [])
      groups = lane.groups
    }

    init(_ groups: [LawGroup], on subject: String) {
      subjects = [subject]
      self.groups = groups
    }
  }

  package init(_ target: SourcePatch.Target) {
    self.target = target
    switch target {
    case .engine:
      let lane = Lane(engineSubject, oracle: naiveSubject, laws: DocumentLaw.all)
      let files = StoredFiles(fixtures: URL(fileURLWithPath: "fixtures"))
      let stored = engineSubject.storedLaws(files.vectors)
      turns = [Turn(lane)] + stored.map { Turn($0, on: engineSubject.id) }
    case .tight:
      turns = [Turn(Lane(tightEngineSubject, oracle: naiveSubject, laws: DocumentLaw.all))]
    case .document:
      let calls = Lane(publicCallsOf: documentSubject, laws: Catalogue.lawNames)
      turns = (Self.documentLanes + [calls].compactMap(\.self)).map { Turn($0) }
    case .coder, .records, .store:
      turns = target.subjects.compactMap { Catalogue.subject($0)?.subject }
        .map { Turn($0.lane(Catalogue.lawNames)) }
    }
  }

  /// What `touchstone check` holds the subjects to that the part is in, in its order.
  package init(checked target: SourcePatch.Target) throws {
    self.target = target
    let registry = SubjectRegistry(adapters: nil, more: [tightEngineSubject])
    let lanes = registry.lanes(try registry.find([], usual: Set(Report.Topic.allCases)))
    turns = lanes.filter { target.subjects.contains($0.subject.id) }.map { Turn($0) }
  }

  /// `Document` against the specification and against the engine, and with other text units.
  private static var documentLanes: [Lane] {
    let agreement = DocumentLaw.all.filter(\.isAgreement)
    return [
      Lane(documentSubject, oracle: naiveSubject, laws: DocumentLaw.all),
      Lane(documentSubject, oracle: engineSubject, laws: agreement),
    ] + otherUnitSubjects.map { Lane($0.subject, oracle: $0.oracle, laws: agreement) }
  }

  /// Targets whose part of the package exists.
  package static var available: [SourcePatch.Target] {
    SourcePatch.Target.allCases.filter { !Self($0).turns.isEmpty }
  }

  var laws: [LawStatement] { turns.flatMap(\.groups).flatMap(\.laws) }

  /// Runs cases until a law is violated; `onCase` hears of each before it starts.
  ///
  /// With `law`, that law alone is asked.
  package func run(
    law: String?,
    seed: Seed,
    caseLimit: Int,
    onCase: (CaseMark) -> Void
  ) -> PatchOutcome {
    var runs = turns.map { LawRun($0.groups, on: $0.subjects, seed: seed) }
    // Whether a subject answers at all is seen on any law.
    if let law, law != FailureKey.answers { runs = runs.map { $0.narrowed(to: law) } }
    runs.removeAll(where: \.groups.isEmpty)
    guard !runs.isEmpty else { return PatchOutcome(cases: 0) }
    for index in 0..<caseLimit {
      onCase(CaseMark(index: index))
      let turn = index % runs.count
      runs[turn].run(cases: 1, shrinkLimit: Self.shrinkLimit, failureLimit: 1)
      if let failure = runs[turn].failures.values.first {
        let finding = Finding(key: failure.key, difference: failure.difference)
        return PatchOutcome(cases: index + 1, finding: finding, sample: failure.sample)
      }
    }
    return PatchOutcome(cases: caseLimit)
  }
}

extension PatchSuite {
  /// Runs cases, of each kind in turn, until a law is violated or the time is over; nothing is made
  /// small.
  ///
  /// - Parameters:
  ///   - seed: Where the cases' randomness starts.
  ///   - secondsLimit: Processor time of this process, its start included.
  ///   - caseSeconds: Processor time that one case may take; then `SIGPROF` ends the process.
  ///   - onCase: Hears of each case, with the time used, before it starts.
  /// - Returns: What became of it, and the time that it took.
  package func race(
    seed: Seed,
    secondsLimit: Double,
    caseSeconds: Double,
    onCase: (CaseMark) -> Void
  ) -> PatchOutcome {
    var runs = turns.map { LawRun($0.groups, on: $0.subjects, seed: seed) }
    var index = 0
    while !runs.isEmpty {
      let seconds = ProcessUse.processorSeconds
      guard seconds < secondsLimit else { break }
      onCase(CaseMark(index: index, seconds: seconds))
      ProcessLimits.allowProcessorTime(seconds: caseSeconds)
      let turn = index % runs.count
      runs[turn].runBatch(of: 1)
      index += 1
      let sightings = runs[turn].totals.sightings.values
      if let first = sightings.min(by: { $0.rank < $1.rank })?.finding {
        return PatchOutcome(cases: index, finding: first, seconds: ProcessUse.processorSeconds)
      }
    }
    return PatchOutcome(cases: index, seconds: ProcessUse.processorSeconds)
  }
}

extension SourcePatch.Target {
  /// Ids of the subjects that the part is in, in the order of their turns.
  fileprivate var subjects: [String] {
    let coder = JudgedCoder.ours().subject.id
    return switch self {
    case .engine: [engineSubject.id, tightEngineSubject.id, documentSubject.id, coder]
    case .tight: [tightEngineSubject.id]
    case .document: [documentSubject.id, coder]
    case .coder: [coder]
    case .records: [RecordSyncSubject().id, RecordCoderSubject().id]
    case .store: [LocalStoreSubject().id]
    }
  }
}

/// What became of one mutant in its process.
package struct PatchOutcome: Codable, Hashable, Sendable {
  /// Cases that were run, the killing one included.
  package var cases: Int
  /// What ended it; `nil` if it lived.
  package var finding: Finding?
  /// The sample that shows it, made small; `nil` where none was.
  package var sample: StoredSample?
  /// Processor time until then, or until the case began that ended the process.
  package var seconds: Double?
}
