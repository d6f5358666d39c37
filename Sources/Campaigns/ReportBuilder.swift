import CodingLaws
import DocumentModel
import Histories
import Mutants
package import PastRuns
package import PropertyEngine
import RecordLaws
package import Reporting
import StoreLaws
import Texts

/// Turns what a campaign found into the one value that every rendering reads.
package struct ReportBuilder {
  /// What the command line adds: nothing here depends on the machine or on the time.
  package struct Context: Sendable {
    package var lawGlobs: [String]
    /// The command that repeats the whole run.
    package var repeatCommand: String
    /// What in the command tries the same stored cases again.
    package var storedArguments: [String] = []
    /// The part of it that this machine did.
    package var shard: Shard
    /// What histories are made of; `nil` where that is as usual.
    package var sizes: RunSizes?
    /// Subjects that were asked for and could not be set up, and why.
    package var absent: [AbsentSubject]
    /// Subjects that were asked for by name, and that none of the laws asked speaks of.
    package var unaskedSubjects: [String] = []
    /// Waypoints that the run must reach, of a part those that the whole run must.
    package var requiredWaypoints: [Waypoint]
    /// Files that the run was to judge and could not, and why: cases of the corpus, golden files.
    package var unreadFiles: [String] = []
    /// Why nothing more of what failed could be stored; `nil` if all was.
    package var storageFailure: String?
    /// ISO 8601.
    package var startedAt: String
    package var machine: String
  }

  let result: CampaignResult
  let context: Context
  private let canary: Report.Canary?

  package init(_ result: CampaignResult, _ context: Context, canary: Report.Canary?) {
    self.result = result
    self.context = context
    self.canary = canary
  }

  /// The report; draws up timelines, for which subjects run once more.
  package func build() -> Report {
    var illustrations = Illustrations()
    return build(&illustrations)
  }

  /// The report; draws up the timelines that an earlier report of the run has not.
  func build(_ illustrations: inout Illustrations) -> Report {
    let cases = result.lanes.reduce(0) { $0 + $1.totals.caseCount }
    var report = Report(
      run: Report.Run(
        command: .check,
        seed: result.seed.description,
        cases: cases,
        lawGlobs: context.lawGlobs,
        repeatCommand: context.repeatCommand
      ),
      outcome: Report.RunOutcome(word: .held),
      clock: clock(cases: cases)
    )
    report.run.narrow(to: context.shard)
    report.run.addStored(
      result.lanes.reduce(0) { $0 + $1.stored.caseCount },
      context.storedArguments
    )
    report.run.program = TouchstoneProgram.name
    report.run.sizes = context.sizes
    report.subjects = subjects
    report.laws = laws
    report.cells = result.lanes.flatMap(cells)
    report.counts = counts
    for lane in result.lanes {
      for failure in lane.failures {
        let illustration = illustrations.illustration(of: failure, in: lane.lane)
        report.failures.append(failure.reported(with: illustration))
      }
    }
    let sightings = result.lanes.flatMap(sightings)
    report.sightings = sightings.isEmpty ? nil : sightings
    report.knownDivergences = result.lanes.flatMap(divergences)
    report.canary = canary
    report.outcome = outcome(report)
    return report
  }

  /// What a lane counted beyond the failures that were made small, the earliest first.
  private func sightings(_ lane: CampaignResult.LaneResult) -> [Report.Sighting] {
    let small = Set(lane.failures.map(\.key))
    return lane.totals.sightings.values.filter { !small.contains($0.finding.key) }
      .sorted { ($0.caseIndex, $0.finding.key) < ($1.caseIndex, $1.finding.key) }
      .map { sighting in
        let (key, difference) = (sighting.finding.key, sighting.finding.difference)
        let subject = lane.lane.subject.id
        var reported = Report.Sighting(
          id: lane.names[key] ?? Failure.slug(key, subject, lane.lane.oracle),
          law: key.law,
          subject: subject,
          differenceKind: key.kind,
          summary: difference.summary,
          caseCount: sighting.caseCount
        )
        if !sighting.hasSample { reported.file = nil }
        reported.kind = key.isError ? .errored : .violated
        reported.comparison = difference.naming(subject, oracle: lane.lane.oracle).comparison
        return reported
      }
  }

  private var subjects: [Report.Subject] {
    // A subject has a lane for each oracle that it is compared with.
    let judged = result.lanes.map(\.lane.subject).uniqued(by: \.id)
      .map { subject in
        var row = Report.Subject(
          id: subject.id,
          version: subject.version,
          capabilities: subject.abilities
        )
        row.topic = subject.topic.inReports
        return row
      }
    return judged
      + context.absent.map { absent in
        var subject = Report.Subject(
          id: absent.id,
          version: "",
          capabilities: [],
          absence: absent.reason
        )
        subject.absenceCost = absenceCost
        return subject
      }
  }

  /// What a run does not say for want of a subject.
  private var absenceCost: String {
    let lanes = result.lanes.filter(\.lane.judgesHistories)
    guard !lanes.isEmpty else { return "no law was judged on it" }
    let laws = Set(lanes.flatMap { $0.lane.laws.map(\.name) }).count
    let others = listed(lanes.map(\.lane.subject.id).uniqued())
    return
      "none of \(counted(laws, "law")) was judged on it, nor is it known whether it agrees with \(others)"
  }

  private func listed(_ words: [String]) -> String {
    guard words.count > 1, let last = words.last else { return words.joined() }
    return words.dropLast().joined(separator: ", ") + " and " + last
  }

  /// The laws that were asked, catalogue by catalogue.
  private var laws: [Report.Law] {
    let used = Set(result.lanes.flatMap { $0.lane.laws.map(\.name) })
    let failedTopic = result.lanes.first(where: \.isUnanswered)?.lane.subject.topic
    let failedPlace = Catalogue.all.firstIndex { $0.topic == failedTopic }
    return Catalogue.all.enumerated().flatMap { index, catalogue -> [Report.Law] in
      var laws = catalogue.laws.filter { used.contains($0.name) }
        .map { Report.Law($0, catalogue.topic) }
      // Not a law of the catalogue: its row is of use only where a subject failed to answer.
      if index == failedPlace {
        var answers = Report.Law(
          name: Catalogue.answers.name,
          sentence: Catalogue.answers.sentence,
          source: Catalogue.answers.source.description
        )
        // It stands among the laws that the subject is held to.
        answers.topic = catalogue.topic.inReports
        laws.append(answers)
      }
      return laws
    }
  }

  private func cells(_ lane: CampaignResult.LaneResult) -> [Report.Cell] {
    let cells = lane.lane.entries.map { entry in
      var cell = Report.Cell(
        law: entry.statement.name,
        subject: lane.lane.subject.id,
        oracle: entry.isAgreement ? lane.lane.oracle : nil
      )
      if let reason = entry.inapplicable {
        // Every case would be skipped for this reason: it counts as one.
        cell.skipped = 1
        cell.skipReason = reason
      }
      guard let totals = lane.totals(of: entry.statement.name) else { return cell }
      cell.skipped = 0
      cell.add(totals)
      cell.errorReason = totals.errorReason
      cell.skipReason = totals.skipReasons.count == 1 ? totals.skipReasons.first : nil
      return cell
    }
    var answers = Report.Cell(law: FailureKey.answers, subject: lane.lane.subject.id)
    answers.violated = lane.unansweredCount(areErrors: false)
    answers.errored = lane.unansweredCount(areErrors: true)
    return answers.judged > 0 ? cells + [answers] : cells
  }

  private var counts: Report.Counts {
    typealias Topic = Coverage.HistoryTopic
    var coverage = Coverage()
    var transports: [String: Tally] = [:]
    for lane in result.lanes {
      coverage.merge(lane.totals.coverage)
      for (name, count) in lane.totals.coverage[Topic.transports].entries {
        transports[lane.lane.subject.id, default: Tally()].add(name, count)
      }
    }
    let edits = coverage[Topic.edits]
    let faults = coverage[Topic.faults]
    let waypoints = coverage[Topic.waypoints]
    var counts = Report.Counts()
    counts.edits = EditKind.allCases.map {
      Report.Count(name: $0.rawValue, count: edits[$0.rawValue])
    }
    counts.faults = Fault.allCases.map {
      Report.Count(name: $0.rawValue, count: faults[$0.rawValue])
    }
    counts.transports = transports.flatMap { subject, tally in
      tally.entries.map {
        Report.TransportCount(subject: subject, transport: $0.name, count: $0.count)
      }
    }
    counts.faultsOfSubjects = faultsOfSubjects
    counts.sizes = coverage.sizes.sorted { $0.key < $1.key }.map { low, count in
      Report.SizeCount(least: low, most: low + Topic.sizeBinWidth - 1, count: count)
    }
    counts.waypoints = Waypoint.documents.map { waypoint in
      let isRequired = context.requiredWaypoints.contains(waypoint)
      var row = Report.WaypointCount(
        name: waypoint.name,
        sentence: waypoint.sentence,
        count: waypoints[waypoint.name],
        isRequired: isRequired && context.shard.isWhole
      )
      // What one part does not reach another may.
      if isRequired, !context.shard.isWhole { row.isRequiredOfWhole = true }
      return row
    }
    counts.samples = coverage.samples.sorted { $0.key < $1.key }.map { name, count in
      Report.SampleCount(name: name, count)
    }
    counts.values = Self.values(coverage)
    counts.sort()
    return counts
  }

  /// What values were drawn, by what holds them; reports of parts of a run merge in this order.
  private static func values(_ coverage: Coverage) -> [Report.ValueCount] {
    let histories = ScalarKind.allCases.map { (name: $0.rawValue, traits: $0.traits) }
    let kinds = [
      Coverage.HistoryTopic.values: histories,
      CodingCoverage.samples: CodingCoverage.kinds,
      RecordCoverage.samples: RecordCoverage.kinds,
      RecordCoverage.stories: RecordCoverage.steps,
      StoreCoverage.samples: StoreCoverage.kinds,
    ]
    return kinds.sorted { $0.key < $1.key }.flatMap { values(in: $0.key, $0.value, coverage) }
  }

  /// What values of each kind were drawn; nothing if the run drew none of these samples.
  private static func values(
    in samples: String,
    _ kinds: [(name: String, traits: [String])],
    _ coverage: Coverage
  ) -> [Report.ValueCount] {
    guard let tally = coverage.values[samples], !tally.isEmpty else { return [] }
    return kinds.map { kind in
      let traits = tally.traits(of: kind.name)
      return Report.ValueCount(
        samples: samples,
        type: kind.name,
        uses: tally.uses(of: kind.name).entries.map {
          Report.Count(name: $0.name, count: $0.count)
        },
        traits: kind.traits.map { Report.Count(name: $0, count: traits[$0]) }
      )
    }
  }

  /// Faults that befell a subject, by subject, fault and transport.
  private var faultsOfSubjects: [Report.FaultCount] {
    typealias Topic = Coverage.HistoryTopic
    let subjects = result.lanes.map(\.lane.subject.id).uniqued()
    let transports: [Transport?] = Transport.allCases.map(Optional.some) + [nil]
    return subjects.flatMap { subject -> [Report.FaultCount] in
      var coverage = Coverage()
      for lane in result.lanes where lane.lane.subject.id == subject {
        coverage.merge(lane.totals.coverage)
      }
      return Fault.allCases.flatMap { fault in
        transports.compactMap { transport -> Report.FaultCount? in
          let part = transport?.rawValue ?? Topic.otherFaults
          let count = coverage[Topic.faultsByTransport, part][fault.rawValue]
          guard count > 0 else { return nil }
          return Report.FaultCount(
            subject: subject,
            transport: transport?.rawValue,
            fault: fault.rawValue,
            count: count
          )
        }
      }
    }
  }

  private func divergences(_ lane: CampaignResult.LaneResult) -> [Report.KnownDivergence] {
    zip(lane.lane.divergences, lane.divergences).map { divergence, standing in
      var known = Report.KnownDivergence(
        subject: lane.lane.subject.id,
        law: divergence.known.law,
        condition: divergence.known.condition,
        reason: divergence.known.reason,
        count: (lane.totals.known[divergence.index] ?? 0)
          + (lane.stored.known[divergence.index] ?? 0),
        stillShows: standing != .gone
      )
      if case .unjudged(let reason) = standing { known.unjudged = reason }
      return known
    }
  }

  private func clock(cases: Int) -> Report.Clock {
    var clock = Report.Clock(
      startedAt: context.startedAt,
      seconds: result.seconds,
      jobs: result.jobs,
      machine: context.machine,
      casesPerSecond: result.seconds > 0 ? Double(cases) / result.seconds : 0
    )
    clock.remarks = result.remarks
    for lane in result.lanes {
      let id = lane.lane.subject.id
      let judging = lane.totals.laws.values.reduce(0) { $0 + $1.seconds }
      // A coder answers while its laws judge; a subject of histories answers a program before.
      let isAnswering = lane.lane.judgesHistories
      clock.subjectSeconds[id, default: 0] += isAnswering ? lane.totals.subjectSeconds : judging
      if let oracle = lane.lane.oracle {
        clock.subjectSeconds["\(oracle) as oracle", default: 0] += lane.totals.oracleSeconds
      }
      for (law, totals) in lane.totals.laws {
        clock.lawSeconds[law, default: 0] += totals.seconds
        clock.cellSeconds[id, default: [:]][law, default: 0] += totals.seconds
      }
    }
    return clock
  }
}

extension Report.Law {
  /// A law of a catalogue.
  package init(_ law: LawStatement, _ topic: Report.Topic) {
    self.init(name: law.name, sentence: law.sentence, source: law.source.description)
    title = law.title == law.sentence ? nil : law.title
    self.topic = topic.inReports
    advice = law.advice
    let bugs = Catalogue.bugs(caughtBy: law.name).map(\.sentence)
    catches = bugs.isEmpty ? nil : Array(bugs.prefix(3))
  }
}

extension Report.Topic {
  /// The topic as a report has it: that of documents, the first there was, goes without saying.
  fileprivate var inReports: Report.Topic? { self == .documents ? nil : self }
}

extension LawTotals: VerdictCounts {}
