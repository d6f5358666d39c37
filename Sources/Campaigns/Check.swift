package import CodingLaws
package import DocumentLaws
import DocumentModel
import Foundation
package import Histories
package import PropertyEngine
package import Reporting

/// `touchstone check`: a campaign over the subjects that could be set up, and its report.
package struct Check {
  private let shelf: SubjectShelf
  private let subjects: [String]
  private let laws: [DocumentLaw]
  private let codingLaws: [CodingLaw]
  private let lawGlobs: [String]
  private let limits: HistoryLimits
  private let seed: Seed
  private let budget: CampaignConfiguration.Budget
  private let jobs: Int
  private let corpus: CaseFolder?
  private let folder: ReportFolder?
  private let requiredWaypoints: [String]
  private let isInterrupted: @Sendable () -> Bool

  package init(
    shelf: SubjectShelf,
    subjects: [String],
    laws: [DocumentLaw],
    codingLaws: [CodingLaw] = [],
    lawGlobs: [String],
    limits: HistoryLimits = HistoryLimits(),
    seed: Seed,
    budget: CampaignConfiguration.Budget,
    jobs: Int,
    corpus: CaseFolder?,
    folder: ReportFolder?,
    requiredWaypoints: [String],
    isInterrupted: @escaping @Sendable () -> Bool
  ) {
    self.shelf = shelf
    self.subjects = subjects
    self.laws = laws
    self.codingLaws = codingLaws
    self.lawGlobs = lawGlobs
    self.limits = limits
    self.seed = seed
    self.budget = budget
    self.jobs = jobs
    self.corpus = corpus
    self.folder = folder
    self.requiredWaypoints = requiredWaypoints
    self.isInterrupted = isInterrupted
  }

  /// Runs the campaign; the callbacks get lines and progress for whoever watches, from any thread.
  ///
  /// - Throws: ``UnknownSubject``, ``FileFailure``: nothing was judged, or what was found could not be
  ///   written.
  package func run(
    onStart: (String) -> Void,
    onProgress: @escaping @Sendable (CampaignProgress) -> Void,
    onFailure: @escaping (String) -> Void
  ) throws -> Report {
    let found = try shelf.find(subjects, documents: !laws.isEmpty, coders: !codingLaws.isEmpty)
    let lanes = laws.isEmpty ? [] : shelf.lanes(found, laws: laws, limits: limits)
    let coders = shelf.coderLanes(found, laws: codingLaws)
    // Before a word is said: a corpus that cannot be read ends the run.
    let stored = try storedCases()
    try folder?.clear()
    for absent in found.absent { onStart("without \(absent.id): \(absent.reason)") }
    onStart("judging \(words(of: lanes, coders)), seed \(seed)")
    let startedAt = Date().formatted(.iso8601)
    let store = FailureStore(folder: folder?.failures, corpus: corpus, day: startedAt)
    let isInterrupted = isInterrupted
    var campaign = Campaign(
      CampaignConfiguration(
        lanes: lanes,
        coders: coders,
        seed: seed,
        budget: budget,
        jobs: jobs,
        storedCases: stored,
        clock: Self.seconds,
        // Nothing more is looked for that could not be kept.
        isInterrupted: { isInterrupted() || store.failure != nil }
      ),
      onProgress: onProgress,
      onSighting: { store.keep($0) },
      onFailure: { shrunk in
        onFailure("failure: \(shrunk.headline)")
        store.keep(shrunk)
      }
    )
    let result = campaign.run()
    if let failure = store.failure { throw failure }
    let canary = Canary.run(seed: seed)
    return ReportBuilder(
      result,
      ReportBuilder.Context(
        lawGlobs: lawGlobs,
        repeatCommand: repeatCommand(cases: result.casesOfEachLane, found.ids),
        absent: found.absent,
        requiredWaypoints: required(lanes, result),
        startedAt: startedAt,
        machine: Self.machine
      ),
      canary: canary
    ).report
  }

  /// Who is judged by how many laws.
  private func words(of lanes: [Lane], _ coders: [CoderLane]) -> String {
    func list(_ subjects: [(id: String, version: String)]) -> String {
      var seen: Set<String> = []
      return subjects.filter { seen.insert($0.id).inserted }
        .map { "\($0.id) \($0.version)" }.joined(separator: ", ")
    }
    var parts: [String] = []
    if !lanes.isEmpty {
      let names = list(lanes.map { ($0.subject.id, $0.subject.version) })
      parts.append("\(names) by \(counted(laws.count, "law"))")
    }
    if !coders.isEmpty {
      let names = list(coders.map { ($0.subject.id, $0.subject.version) })
      parts.append("\(names) by \(counted(codingLaws.count, "law")) of coders")
    }
    return parts.isEmpty ? "nothing" : parts.joined(separator: ", and ")
  }

  /// The corpus; a case in it that no longer reads as what it is would else be passed over.
  private func storedCases() throws -> [CaseFile] {
    guard let corpus else { return [] }
    return try corpus.cases().map { url, file in
      do {
        if CodingSample.isSample(of: file) {
          _ = try CodingSample(file)
        } else {
          _ = try Replay.history(of: file)
        }
        return file
      } catch {
        let sample = CodingSample.isSample(of: file) ? "sample of a coder" : "history"
        throw FileFailure("\(url.path) holds no \(sample)", error)
      }
    }
  }

  /// The command that runs the same cases again, whatever ended this run.
  private func repeatCommand(cases: Int, _ ids: [String]) -> String {
    (["touchstone check"] + ids.map { "--subject \($0)" } + lawGlobs.map { "--law '\($0)'" }
      + limitArguments + ["--seed \(seed)", "--cases \(cases)"]).joined(separator: " ")
  }

  /// The limits as arguments, where they are not those of every run.
  private var limitArguments: [String] {
    let usual = HistoryLimits()
    return (limits.replicas == usual.replicas ? [] : ["--replicas \(limits.replicas.lowerBound)"])
      + (limits.edits == usual.edits ? [] : ["--edits \(limits.edits.lowerBound)"])
  }

  /// The waypoints that must be reached: those asked for and, in a run long enough on a subject that
  /// can do everything, all.
  private func required(_ lanes: [Lane], _ result: CampaignResult) -> [Waypoint] {
    let isLong = zip(lanes, result.lanes).contains { lane, result in
      lane.subject.capabilities == .all && result.totals.caseCount >= 2000
        && lane.groups.contains(where: \.isShared)
    }
    guard !isLong, !requiredWaypoints.contains("all") else { return Waypoint.documents }
    return Waypoint.documents.filter { requiredWaypoints.contains($0.name) }
  }

  private static func seconds() -> Double {
    ProcessInfo.processInfo.systemUptime
  }

  private static var machine: String {
    let info = ProcessInfo.processInfo
    return "\(info.operatingSystemVersionString), \(info.activeProcessorCount) processors"
  }
}

extension Waypoint {
  /// The names of all waypoints of document histories.
  package static var documentNames: [String] { documents.map(\.name) }
}

extension CampaignResult {
  /// The number of cases that each lane ran, where they ran equally many; else the most.
  fileprivate var casesOfEachLane: Int {
    (lanes.map(\.totals.caseCount) + coders.map(\.totals.caseCount)).max() ?? 0
  }
}

extension SubjectShelf.Found {
  /// Documents first.
  fileprivate var ids: [String] { subjects.map(\.id) + coders.map(\.subject.id) }
}

extension ShrunkFailure {
  /// The failure in one line.
  package var headline: String {
    "\(key.law) on \(lane.subject.id): \(difference.summary)"
      + " (\(history.history.size) edits and exchanges"
      + (firstSeen.map { ", first seen \($0)" } ?? "") + ")"
  }
}

/// A subject that is wrong on purpose, caught anew in each run.
enum Canary {
  private static let mutantID = "tie-break-reversed"

  /// Runs the whole way from a case to a reported failure on the canary.
  static func run(seed: Seed) -> Report.Canary {
    let unharmed = Report.Canary(mutant: mutantID, caughtBy: nil, size: 0)
    guard let subject = SubjectShelf.mutant(mutantID) else { return unharmed }
    let lane = Lane(subject, oracle: SubjectShelf.specification, laws: DocumentLaw.all)
    var campaign = Campaign(
      CampaignConfiguration(
        lanes: [lane],
        seed: seed,
        budget: .cases(40),
        jobs: 1,
        shrinkStepLimit: 1500,
        failureLimit: 1,
        clock: { 0 }
      )
    )
    let result = campaign.run()
    guard let failure = result.lanes.first?.failures.first else { return unharmed }
    let reported = failure.reported(CaseRunner(lane, clock: { 0 }))
    // What was reported must be what a reader can replay.
    guard let stored = try? CaseFile.parse(failure.caseFile.render()),
      let outcome = try? Replay(lanes: [lane]).run(stored), case .violated = outcome.verdict
    else { return unharmed }
    return Report.Canary(mutant: mutantID, caughtBy: reported.law, size: reported.size)
  }
}
