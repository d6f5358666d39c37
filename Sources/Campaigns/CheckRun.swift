package import CaseFiles
import DocumentLaws
import Foundation
package import Histories
import PastRuns
package import PropertyEngine
package import Reporting
import Texts

/// `touchstone check`: a campaign over the subjects that could be set up, and its report.
package struct CheckRun {
  private let registry: SubjectRegistry
  private let subjects: [String]
  private let laws: Set<String>
  private let lawChoice: LawChoice
  private let seed: Seed
  private let budget: CampaignConfiguration.Budget
  private let jobs: Int
  private let corpus: CaseFolder?
  private let folder: ReportFolder?
  private let isInterrupted: @Sendable () -> Bool
  package var limits = HistoryLimits()
  package var shard = Shard.whole
  /// The workers that judge; `nil` for threads of this process, which a subject may end.
  package var workers: WorkerPool?
  package var requiredWaypoints: [String] = []
  /// Options that change what a case may cost, as arguments.
  package var caseArguments: [String] = []
  package var stopsAtFirstFailure = false
  /// Gets the report of the run as it begins, which is that of one that was interrupted.
  package var onBegin: (Report) -> Void = { _ in }

  package init(
    registry: SubjectRegistry,
    subjects: [String],
    laws: Set<String>,
    lawChoice: LawChoice = LawChoice(),
    seed: Seed,
    budget: CampaignConfiguration.Budget,
    jobs: Int,
    corpus: CaseFolder? = nil,
    folder: ReportFolder? = nil,
    isInterrupted: @escaping @Sendable () -> Bool = { false }
  ) {
    self.registry = registry
    self.subjects = subjects
    self.laws = laws
    self.lawChoice = lawChoice
    self.seed = seed
    self.budget = budget
    self.jobs = jobs
    self.corpus = corpus
    self.folder = folder
    self.isInterrupted = isInterrupted
  }

  /// Runs the campaign; the callbacks get lines, progress and shrunk failures, from any thread.
  ///
  /// What was found and could not be stored is in the report, whose outcome says so.
  ///
  /// - Throws: ``UnknownSubject``, ``FileFailure``: nothing was judged.
  package func run(
    onStart: (String) -> Void,
    onProgress: @escaping @Sendable (CampaignProgress) -> Void,
    onFailure: @escaping (Failure) -> Void
  ) throws -> Report {
    // The failures of an earlier report may be part of the corpus.
    var stored = try storedCases()
    // Before adapters start, which takes seconds: a report that is found from here on is of this run.
    try folder?.clear()
    let asked = Catalogue.all.filter { catalogue in
      catalogue.laws.contains { laws.contains($0.name) }
    }
    let found = try registry.find(subjects, usual: Set(asked.map(\.topic)))
    let isInterrupted = isInterrupted
    var lanes = registry.lanes(found, laws: laws, limits: limits)
    if let workers {
      lanes = lanes.map { $0.judged(in: workers, jobs: jobs, isInterrupted: isInterrupted) }
    }
    stored.unread += Catalogue.unreadGoldenFiles(
      ofLaws: Set(lanes.flatMap { $0.laws.map(\.name) })
    )
    stored.passOver(in: lanes)
    announce(lanes, without: found.absent + found.missingPeers, stored, onStart)
    // Runs of one second keep their order in a history.
    let startedAt = Date().formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    let store = FailureStore(folder: folder?.failures, corpus: corpus, day: startedAt)
    var configuration = CampaignConfiguration(
      lanes: lanes,
      seed: seed,
      budget: budget,
      jobs: jobs,
      storedCases: stored.cases.map(\.file),
      clock: Self.seconds,
      // Nothing more is looked for that could not be kept.
      isInterrupted: { isInterrupted() || store.failure != nil }
    )
    configuration.corpus = corpus
    configuration.stopsAtFirstFailure = stopsAtFirstFailure
    configuration.shard = shard
    var campaign = Campaign(
      configuration,
      onProgress: onProgress,
      onSighting: { store.keep($0) },
      onFailure: { failure in
        onFailure(failure)
        store.keep(failure)
      }
    )
    // The first is written before the first case.
    var lastReport = -Double.infinity
    var illustrations = Illustrations()
    let result = campaign.run { result in
      let isFirst = lastReport < 0
      guard isFirst || folder != nil && Self.seconds() - lastReport >= Self.reportInterval else {
        return
      }
      let interim = report(
        of: result,
        canary: nil,
        found: found,
        stored,
        startedAt: startedAt,
        &illustrations
      )
      if isFirst { onBegin(interim) }
      // Who kills this process finds a report that says that it did not end, and how far it came.
      // What cannot be written now is said at the end.
      try? folder?.write(interim)
      lastReport = Self.seconds()
    }
    return report(
      of: result,
      canary: Canary.run(seed: seed),
      found: found,
      stored,
      startedAt: startedAt,
      // What was found is told all the same: a night's result must not go with the disk.
      storageFailure: store.failure,
      &illustrations
    )
  }

  /// Says what is judged, and what is not.
  private func announce(
    _ lanes: [Lane],
    without absent: [AbsentSubject],
    _ stored: CorpusCases,
    _ onStart: (String) -> Void
  ) {
    for absent in absent { onStart("without \(absent.id): \(absent.reason)") }
    onStart("judging \(summary(of: lanes)), seed \(seed)")
    if sizes != RunSizes(), !lanes.contains(where: \.judgesHistories) {
      onStart("--replicas and --edits are of histories, and none is judged here")
    }
    if let line = Self.summary(of: stored, for: lanes) { onStart(line) }
    for line in stored.passedOver { onStart(line) }
    for line in stored.unread.prefix(Self.unreadLimit) { onStart(line) }
    if stored.unread.count > Self.unreadLimit {
      let count = stored.unread.count - Self.unreadLimit
      onStart("and \(counted(count, "more file")) that cannot be read")
    }
  }

  /// The report of a run, or, without a canary, of how far it has come: waypoints are required at its end alone.
  private func report(
    of result: CampaignResult,
    canary: Report.Canary?,
    found: SubjectRegistry.Found,
    _ stored: CorpusCases,
    startedAt: String,
    storageFailure: FileFailure? = nil,
    _ illustrations: inout Illustrations
  ) -> Report {
    var report = ReportBuilder(
      result,
      ReportBuilder.Context(
        lawGlobs: lawChoice.texts,
        repeatCommand: repeatCommand(
          cases: result.casesOfEachLane,
          found.ids + found.absent.filter(\.isNamed).map(\.id)
        ),
        // Of a history, whose cases are its corpus, no further run is made.
        storedArguments: corpus.map { ["--corpus \(shellWord($0.url.relativePath))"] } ?? [],
        shard: shard,
        sizes: sizes == RunSizes() ? nil : sizes,
        absent: found.absent,
        unaskedSubjects: unasked(found, result),
        requiredWaypoints: canary == nil ? [] : required(result),
        unreadFiles: stored.unread + stored.untried(in: result),
        storageFailure: storageFailure?.description,
        startedAt: startedAt,
        machine: machineDescription
      ),
      canary: canary
    ).build(&illustrations)
    if let folder {
      for (index, failure) in report.failures.enumerated() {
        let ids = [failure.subject] + [failure.oracle].compactMap(\.self)
        report.failures[index].setReplay(
          arguments: registry.arguments(toFind: ids, in: folder.url)
        )
      }
    }
    report.clock.remarks +=
      found.missingPeers.map { "without \($0.id): \($0.reason)" } + stored.passedOver
    if let remark = excess(of: result, cases: report.run.cases) {
      report.clock.remarks.append(remark)
    }
    return report
  }

  /// The subjects that were asked for by name and are in no lane.
  private func unasked(_ found: SubjectRegistry.Found, _ result: CampaignResult) -> [String] {
    let judged = Set(result.lanes.map(\.lane.subject.id))
    return subjects.uniqued().filter { found.ids.contains($0) && !judged.contains($0) }
  }

  /// Warns that the repeat command runs more cases, if lanes ran different numbers of cases.
  ///
  /// A lane's cases are the first ones, so that the command's are those of the run and more.
  private func excess(of result: CampaignResult, cases: Int) -> String? {
    let each: Int
    switch (shard.isWhole, budget) {
    case (true, _): each = result.casesOfEachLane
    case (false, .cases(let total)): each = shard.share(of: total).count
    // By time it judges what it has time for.
    case (false, .seconds): return nil
    }
    let repeated = each * result.lanes.count { !$0.lane.groups.isEmpty }
    guard repeated > cases, cases > 0 else { return nil }
    return "The command that repeats this run judges \(counted(repeated, "case")):"
      + " the \(grouped(cases)) of this run, and \(grouped(repeated - cases)) that it did not get to."
  }

  /// Seconds between two reports of a run that is not over, at least.
  private static let reportInterval = 10.0

  /// Lists the subjects of each catalogue, with the number of laws they are judged by.
  private func summary(of lanes: [Lane]) -> String {
    let parts = Catalogue.all.compactMap { catalogue -> String? in
      let names = Set(catalogue.laws.map(\.name)).intersection(laws)
      let subjects = lanes.filter { $0.laws.contains { names.contains($0.name) } }.map(\.subject)
        .uniqued(by: \.id)
      guard !subjects.isEmpty else { return nil }
      let count = names.count
      let judged = subjects.map { "\($0.id) \($0.version)" }.joined(separator: ", ")
      return "\(judged) by \(counted(count, catalogue.noun, catalogue.pluralNoun))"
    }
    return parts.isEmpty ? "nothing" : parts.joined(separator: ", and ")
  }

  /// How many stored cases are tried; `nil` where there are none.
  private static func summary(of stored: CorpusCases, for lanes: [Lane]) -> String? {
    guard !stored.cases.isEmpty else { return nil }
    let all = counted(stored.cases.count, "stored case")
    let tried = stored.cases.count { _, file in lanes.contains { $0.tries(file) } }
    let others = stored.cases.count - tried - stored.passedOver.count
    switch (tried, others) {
    case (stored.cases.count, _): return "trying \(all) first"
    case (_, 0): return "trying \(tried) of \(all) first"
    case (_, _) where stored.passedOver.isEmpty:
      return "trying \(tried) of \(all) first; the others are of other subjects or laws"
    case (_, _): return "trying \(tried) of \(all) first; \(others) of other subjects or laws"
    }
  }

  /// Files that cannot be read and are named before the run; the report names more.
  private static let unreadLimit = 12

  /// The cases of a corpus, and what is not tried of them.
  private struct CorpusCases {
    var cases: [(name: String, file: CaseFile)] = []
    /// Files that cannot be read, in a sentence each: no cases, or cases without a sample.
    var unread: [String] = []
    /// Cases whose laws say nothing of their subjects here, in a sentence each.
    var passedOver: [String] = []

    /// Notes the cases that some of the lanes are meant by, and that none of them tries.
    mutating func passOver(in lanes: [Lane]) {
      passedOver = cases.compactMap { name, file in
        let meant = lanes.filter { $0.isMeant(by: file) }
        let reasons = meant.compactMap { $0.reasonNotToTry(file) }
        guard let reason = reasons.first, reasons.count == meant.count else { return nil }
        return "the case \(name) of the corpus is not tried: \(file.law) is skipped (\(reason))"
      }
    }

    /// Cases that were to be tried and could not be, in a sentence each.
    func untried(in result: CampaignResult) -> [String] {
      result.untriedCases.sorted { $0.key < $1.key }.map { number, reason in
        "the case \(cases[number].name) of the corpus was not tried: \(reason)"
      }
    }
  }

  /// The corpus, and what in it is not tried, with the reason: files that are no cases, or hold no sample.
  ///
  /// They are named by their paths in the corpus, so that a report does not depend on where that is.
  ///
  /// - Throws: ``FileFailure`` if a folder cannot be read: how many cases are not tried is not known then.
  private func storedCases() throws -> CorpusCases {
    var found = CorpusCases()
    // The first part of a run tries them, and reports them, for all.
    guard let corpus, shard.number == 1 else { return found }
    let folder = corpus.url.standardizedFileURL.path + "/"
    for (url, stored) in try corpus.cases {
      let path = url.standardizedFileURL.path
      let name = path.hasPrefix(folder) ? String(path.dropFirst(folder.count)) : path
      if let reason = Self.reasonNotToTry(stored) {
        found.unread.append("the case \(name) of the corpus cannot be read: \(reason)")
      } else if case .success(var file) = stored {
        // New failures get names in the folder itself: what is called alike below it takes none of them.
        if name.contains("/") { file.fileName = nil }
        found.cases.append((name, file))
      }
    }
    return found
  }

  /// Why a stored case cannot be tried; `nil` if it can.
  private static func reasonNotToTry(_ stored: Result<CaseFile, any Error>) -> String? {
    switch stored {
    case .failure(let error): return (error as? FileFailure)?.reason ?? "\(error)"
    case .success(let file):
      do {
        try Catalogue.readSample(of: file)
        return nil
      } catch {
        return "it holds no \(Catalogue.sampleNoun(of: file)): \(error)"
      }
    }
  }

  /// The command that runs the same cases again, whatever ended this run; one, where none was whole.
  ///
  /// Of a run that machines share it is that of the whole run.
  private func repeatCommand(cases: Int, _ ids: [String]) -> String {
    (["touchstone check"] + registry.arguments + ids.map { "--subject \($0)" }
      + lawChoice.arguments + sizes.arguments + requiredWaypoints.map { "--require \($0)" }
      + caseArguments + ["--seed \(seed)"] + lengthArguments(cases)).joined(separator: " ")
  }

  /// How long the run was; one that machines share as long as was asked for.
  private func lengthArguments(_ cases: Int) -> [String] {
    switch (shard.isWhole, budget) {
    // Where nothing ran, what was asked for is the same again.
    case (true, .cases(let total)) where cases == 0: ["--cases \(total)"]
    case (true, _): ["--cases \(max(1, cases))"]
    case (false, .cases(let total)): ["--cases \(total)"]
    // A part of a run by time cannot be given in cases.
    case (false, .seconds(let seconds)):
      ["--budget \(Int(exactly: seconds).map(String.init) ?? "\(seconds)")s"]
    }
  }

  /// The limits, where they are not those of every run.
  private var sizes: RunSizes {
    let usual = HistoryLimits()
    return RunSizes(
      replicas: limits.replicas == usual.replicas ? nil : limits.replicas.lowerBound,
      edits: limits.edits == usual.edits ? nil : limits.edits.lowerBound
    )
  }

  /// The waypoints that must be reached: those asked for and, on a subject that can do everything,
  /// those that a run of this many histories misses less than once in a million.
  ///
  /// Of a part those of the whole run: that has all the cases that were asked for, unless it ended early.
  private func required(_ result: CampaignResult) -> [Waypoint] {
    let counts = result.lanes.filter(\.lane.subject.isComplete).map { lane in
      var count = lane.totals.caseCount
      if case .cases(let total) = budget, count == shard.share(of: total).count { count = total }
      return LawRun.sharedCount(ofFirst: count, lane.lane.groups)
    }
    // Lanes have the same histories: together they have reached what one of them has.
    let count = counts.max() ?? 0
    return Waypoint.documents.filter { waypoint in
      waypoint.requiredFrom <= count || requiredWaypoints.contains("all")
        || requiredWaypoints.contains(waypoint.name)
    }
  }

  private static func seconds() -> Double {
    ProcessInfo.processInfo.systemUptime
  }
}

extension Waypoint {
  /// The names of all waypoints of document histories.
  package static var documentNames: [String] { documents.map(\.name) }
}

extension SubjectRegistry.Found {
  /// The peers that do not start, but for those that are subjects of the run as well: their absence is told as it is.
  fileprivate var missingPeers: [AbsentSubject] {
    absentPeers.filter { peer in !absent.contains { $0.id == peer.id } }
  }
}

extension CampaignResult {
  /// The number of cases that each lane ran, where they ran equally many; else the most.
  fileprivate var casesOfEachLane: Int { lanes.map(\.totals.caseCount).max() ?? 0 }
}
