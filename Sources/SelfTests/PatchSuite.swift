import Campaigns
import CoderSubjects
import CodingLaws
import Histories
package import Mutants
package import Programs
package import PropertyEngine
import RecordSubjects
import Reporting
import StoreSubjects
import Subjects
import SystemCalls
import Texts
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
    let topic: Report.Topic

    init(_ lane: Lane) {
      subjects = [lane.subject.id] + (lane.oracle.map { [$0] } ?? [])
      groups = lane.groups
      topic = lane.subject.topic
    }
  }

  /// The subjects that the part is itself: bugs that were planted in it are theirs.
  package init(_ target: SourcePatch.Target) throws {
    try self.init(target, of: target.ownSubjects)
  }

  /// All subjects that the part is in: a bug of no known law shows in any.
  package init(checked target: SourcePatch.Target) throws {
    try self.init(target, of: target.subjects)
  }

  /// What `touchstone check` holds some subjects to, in its order.
  private init(_ target: SourcePatch.Target, of ids: [String]) throws {
    self.target = target
    let registry = SubjectRegistry(adapters: nil, more: [tightEngineSubject])
    // `Document` is compared with the engine, if that is found.
    let found = try registry.find(ids + [engineSubject.id])
    turns = registry.lanes(found).filter { ids.contains($0.subject.id) }.map { Turn($0) }
  }

  /// Each law that a turn asks, once.
  var laws: [Report.Law] {
    turns.flatMap { turn in turn.groups.flatMap(\.laws).map { Report.Law($0, turn.topic) } }
      .uniqued(by: \.name)
  }

  /// Runs cases until a law is violated; `onCase` hears of each before it starts.
  ///
  /// With `law`, that law alone is asked. Where none is violated, the first error counts: a law that could not be
  /// judged.
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
    var error: PatchOutcome?
    for index in 0..<caseLimit {
      onCase(CaseMark(index: index))
      let turn = index % runs.count
      let failureLimit = runs[turn].failures.count + 1
      runs[turn].run(cases: 1, shrinkLimit: Self.shrinkLimit, failureLimit: failureLimit)
      let failures = runs[turn].failures.values
      if let proof = failures.first(where: { $0.key.proves($0.key.law) }) {
        return PatchOutcome(cases: index + 1, proof)
      }
      error = error ?? failures.first.map { PatchOutcome(cases: index + 1, $0) }
    }
    return error ?? PatchOutcome(cases: caseLimit)
  }
}

extension PatchSuite {
  /// Runs cases, of each kind for the same time, until a law is violated or the time is over; nothing is made
  /// small.
  ///
  /// Where none is, the first error counts: a law that could not be judged.
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
    var spent = runs.map { _ in 0.0 }
    var index = 0
    var error: Finding?
    // As `check` by time does: in turn they would be as few as the dearest.
    while let turn = spent.indices.min(by: { spent[$0] < spent[$1] }) {
      let seconds = ProcessUse.processorSeconds
      guard seconds < secondsLimit else { break }
      onCase(CaseMark(index: index, seconds: seconds))
      ProcessLimits.allowProcessorTime(seconds: caseSeconds)
      runs[turn].runBatch(of: 1)
      spent[turn] += ProcessUse.processorSeconds - seconds
      index += 1
      let sightings = runs[turn].totals.sightings.values.sorted {
        ($0.caseIndex, $0.rank) < ($1.caseIndex, $1.rank)
      }
      let findings = sightings.map(\.finding)
      if let proof = findings.first(where: { $0.key.proves($0.key.law) }) {
        return PatchOutcome(cases: index, finding: proof, seconds: ProcessUse.processorSeconds)
      }
      error = error ?? findings.first
    }
    return PatchOutcome(cases: index, finding: error, seconds: ProcessUse.processorSeconds)
  }
}

extension SourcePatch.Target {
  /// Ids of the subjects that are the part, `Document` with its texts in all units.
  fileprivate var ownSubjects: [String] {
    switch self {
    case .engine: [engineSubject.id]
    case .document: [documentSubject.id] + otherUnitSubjects.map(\.subject.id)
    case .tight, .coder, .records, .store: subjects
    }
  }

  /// Ids of the subjects that the part is in.
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

extension PatchOutcome {
  /// A failure that was made small.
  fileprivate init(cases: Int, _ failure: Failure) {
    self.init(
      cases: cases,
      finding: Finding(key: failure.key, difference: failure.difference),
      sample: failure.sample
    )
  }
}
