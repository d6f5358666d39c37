import CodingLaws
import DocumentLaws
import DocumentModel
import Histories
package import PropertyEngine
package import Reporting

/// Turns what a campaign found into the one value that every rendering reads.
package struct ReportBuilder {
  /// What the command line adds: nothing here depends on the machine or on the time.
  package struct Context: Sendable {
    package var lawGlobs: [String]
    package var repeatCommand: String
    /// Subjects that were asked for and could not be set up, and why.
    package var absent: [AbsentSubject]
    package var requiredWaypoints: [Waypoint]
    /// ISO 8601.
    package var startedAt: String
    package var machine: String

    package init(
      lawGlobs: [String],
      repeatCommand: String,
      absent: [AbsentSubject],
      requiredWaypoints: [Waypoint],
      startedAt: String,
      machine: String
    ) {
      self.lawGlobs = lawGlobs
      self.repeatCommand = repeatCommand
      self.absent = absent
      self.requiredWaypoints = requiredWaypoints
      self.startedAt = startedAt
      self.machine = machine
    }
  }

  let result: CampaignResult
  private let context: Context
  private let canary: Report.Canary?

  package init(_ result: CampaignResult, _ context: Context, canary: Report.Canary?) {
    self.result = result
    self.context = context
    self.canary = canary
  }

  package var report: Report {
    let cases =
      result.lanes.reduce(0) { $0 + $1.totals.caseCount }
      + result.coders.reduce(0) { $0 + $1.totals.caseCount }
    var report = Report(
      run: Report.Run(
        command: "check",
        seed: result.seed.description,
        cases: cases,
        lawGlobs: context.lawGlobs,
        repeatCommand: context.repeatCommand
      ),
      outcome: Report.RunOutcome(word: .held, reasons: []),
      clock: clock(cases: cases)
    )
    report.run.program = TouchstoneProgram.words
    report.subjects = subjects
    report.laws = laws + codingLaws
    report.cells = result.lanes.flatMap(cells) + result.coders.flatMap(coderCells)
    report.counts = counts
    report.failures =
      result.lanes.flatMap(failures) + result.coders.flatMap { $0.failures.map(\.reported) }
    report.knownDivergences =
      result.lanes.flatMap(divergences) + result.coders.flatMap(coderDivergences)
    report.canary = canary
    report.outcome = outcome(report)
    return report
  }

  private var subjects: [Report.Subject] {
    // A subject has a lane for each oracle that it is compared with.
    var seen: Set<String> = []
    return result.lanes.filter { seen.insert($0.lane.subject.id).inserted }.map { lane in
      Report.Subject(
        id: lane.lane.subject.id,
        version: lane.lane.subject.version,
        capabilities: lane.lane.subject.capabilities.words
      )
    }
      + coders
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
    let laws = Set(result.lanes.flatMap { $0.lane.laws.map(\.name) }).count
    var seen: Set<String> = []
    let others = result.lanes.map(\.lane.subject.id).filter { seen.insert($0).inserted }
    let agreement =
      others.isEmpty ? "" : ", nor is it known whether it agrees with \(listed(others))"
    return "none of \(counted(laws, "law")) was judged on it\(agreement)"
  }

  private func listed(_ words: [String]) -> String {
    guard words.count > 1, let last = words.last else { return words.joined() }
    return words.dropLast().joined(separator: ", ") + " and " + last
  }

  private var laws: [Report.Law] {
    let used = Set(result.lanes.flatMap { $0.lane.laws.map(\.name) })
    let catalogue = DocumentLaw.all.filter { used.contains($0.name) }.map {
      Report.Law(name: $0.name, sentence: $0.sentence, source: $0.source)
    }
    // Not a law of the catalogue: its row is of use only where a subject failed to answer.
    guard result.lanes.contains(where: { $0.failures.contains { $0.key.isError } }) else {
      return catalogue
    }
    return catalogue + [
      Report.Law(
        name: FailureKey.answers,
        sentence: "A subject answers every program: it neither crashes, hangs nor floods.",
        source: "Documentation/LineProtocol.md"
      )
    ]
  }

  private func cells(_ lane: Campaign.LaneResult) -> [Report.Cell] {
    lane.lane.laws.map { law in
      var cell = Report.Cell(
        law: law.name,
        subject: lane.lane.subject.id,
        oracle: law.isAgreement ? lane.lane.oracle?.id : nil
      )
      guard let totals = lane.totals.laws[law.name] else { return cell }
      cell.held = totals.held
      cell.violated = totals.violated
      cell.known = totals.known
      cell.errored = totals.errored
      cell.skipped = totals.skipped
      cell.skipReason = totals.skipReasons.count == 1 ? totals.skipReasons.first : nil
      return cell
    }
  }

  private var counts: Report.Counts {
    var edits = Tally()
    var faults = Tally()
    var transports = Tally()
    var waypoints = Tally()
    var sizes = Tally()
    for lane in result.lanes {
      edits.merge(lane.totals.edits)
      faults.merge(lane.totals.faults)
      waypoints.merge(lane.totals.waypoints)
      sizes.merge(lane.totals.sizes)
      for (name, count) in lane.totals.transports.entries {
        transports.add("\(lane.lane.subject.id) \(name)", count)
      }
    }
    var counts = Report.Counts()
    counts.edits = EditKind.allCases.map {
      Report.Count(name: $0.rawValue, count: edits[$0.rawValue])
    }
    counts.faults = Fault.allCases.map {
      Report.Count(name: $0.rawValue, count: faults[$0.rawValue])
    }
    counts.transports = transports.entries.map { Report.Count(name: $0.name, count: $0.count) }
    counts.faultsOfSubjects = faultsOfSubjects
    counts.sizes = sizes.entries.map { Report.Count(name: $0.name, count: $0.count) }
      .sorted { Self.lowerBound($0.name) < Self.lowerBound($1.name) }
    counts.waypoints = Waypoint.documents.map { waypoint in
      Report.WaypointCount(
        name: waypoint.name,
        sentence: waypoint.sentence,
        count: waypoints[waypoint.name],
        isRequired: context.requiredWaypoints.contains(waypoint)
      )
    }
    return counts
  }

  /// Faults that befell somebody, by subject, fault and transport.
  private var faultsOfSubjects: [Report.FaultCount] {
    var seen: Set<String> = []
    let subjects = result.lanes.map(\.lane.subject.id).filter { seen.insert($0).inserted }
    let transports: [Transport?] = Transport.allCases.map(Optional.some) + [nil]
    return subjects.flatMap { subject -> [Report.FaultCount] in
      var tallies: [Transport?: Tally] = [:]
      for lane in result.lanes where lane.lane.subject.id == subject {
        for transport in transports {
          guard let tally = lane.totals.faultsByTransport[transport] else { continue }
          tallies[transport, default: Tally()].merge(tally)
        }
      }
      return Fault.allCases.flatMap { fault in
        transports.compactMap { transport -> Report.FaultCount? in
          let count = tallies[transport]?[fault.rawValue] ?? 0
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

  private static func lowerBound(_ range: String) -> Int {
    Int(range.prefix { $0 != "-" }) ?? 0
  }

  private func failures(_ lane: Campaign.LaneResult) -> [Report.Failure] {
    let runner = CaseRunner(lane.lane, clock: { 0 })
    return lane.failures.map { $0.reported(runner) }
  }

  private func divergences(_ lane: Campaign.LaneResult) -> [Report.KnownDivergence] {
    zip(lane.lane.divergences, lane.divergencesShown).map { divergence, shows in
      let glob = Glob(divergence.law)
      let count = lane.totals.knownReasons.entries.reduce(0) { sum, entry in
        let parts = entry.name.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, glob.matches(String(parts[0])),
          parts[1].dropFirst() == divergence.reason
        else { return sum }
        return sum + entry.count
      }
      return Report.KnownDivergence(
        subject: lane.lane.subject.id,
        law: divergence.law,
        condition: divergence.condition.rawValue,
        reason: divergence.reason,
        count: count,
        stillShows: shows
      )
    }
  }

  // MARK: - The outcome

  private func outcome(_ report: Report) -> Report.RunOutcome {
    var violations: [String] = []
    var breakdowns: [String] = []
    for failure in report.failures {
      let words = "\(failure.law) on \(failure.subject): \(failure.summary)"
      switch failure.kind {
      case .violated: violations.append(words)
      case .errored: breakdowns.append("\(failure.subject) failed: \(failure.summary)")
      case .flaky: breakdowns.append("did not repeat: \(words)")
      }
    }
    for lane in result.lanes where lane.totals.sightings.count > lane.failures.count {
      let more = lane.totals.sightings.count - lane.failures.count
      violations.append(
        "\(lane.lane.subject.id) fails in \(more) more ways, counted and not shrunk"
      )
    }
    for coder in result.coders where coder.totals.sightings.count > coder.failures.count {
      let more = coder.totals.sightings.count - coder.failures.count
      violations.append(
        "\(coder.lane.subject.id) fails in \(more) more ways, counted and not shrunk"
      )
    }
    for divergence in report.knownDivergences where !divergence.stillShows {
      violations.append(
        "\(divergence.subject) no longer shows its known divergence from \(divergence.law)"
          + " (\(divergence.condition)): take it off the list"
      )
    }
    for waypoint in report.counts.waypoints where waypoint.isRequired && waypoint.count == 0 {
      breakdowns.append("the waypoint \(waypoint.name) was never reached: \(waypoint.sentence)")
    }
    if let canary = report.canary, !canary.wasCaught {
      breakdowns.append("the canary was not caught: failures do not reach the report")
    }
    if !report.cells.contains(where: { $0.held + $0.violated + $0.known + $0.errored > 0 }) {
      breakdowns.append("nothing ran: no law says anything of these subjects")
    }
    let word: Report.RunOutcome.Word =
      breakdowns.isEmpty ? (violations.isEmpty ? .held : .violated) : .failed
    return Report.RunOutcome(word: word, reasons: violations + breakdowns)
  }

  private func clock(cases: Int) -> Report.Clock {
    var subjectSeconds: [String: Double] = [:]
    var lawSeconds: [String: Double] = [:]
    var cellSeconds: [String: [String: Double]] = [:]
    for lane in result.lanes {
      subjectSeconds[lane.lane.subject.id, default: 0] += lane.totals.subjectSeconds
      if let oracle = lane.lane.oracle {
        subjectSeconds["\(oracle.id) as oracle", default: 0] += lane.totals.oracleSeconds
      }
      for (law, totals) in lane.totals.laws {
        lawSeconds[law, default: 0] += totals.seconds
        cellSeconds[lane.lane.subject.id, default: [:]][law, default: 0] += totals.seconds
      }
    }
    for coder in result.coders {
      let id = coder.lane.subject.id
      subjectSeconds[id, default: 0] += coder.totals.seconds
      for (law, totals) in coder.totals.laws {
        lawSeconds[law, default: 0] += totals.seconds
        cellSeconds[id, default: [:]][law, default: 0] += totals.seconds
      }
    }
    return Report.Clock(
      startedAt: context.startedAt,
      seconds: result.seconds,
      jobs: result.jobs,
      machine: context.machine,
      casesPerSecond: result.seconds > 0 ? Double(cases) / result.seconds : 0,
      subjectSeconds: subjectSeconds,
      lawSeconds: lawSeconds,
      cellSeconds: cellSeconds,
      remarks: result.remarks
    )
  }
}

extension ShrunkFailure {
  func reported(_ runner: CaseRunner) -> Report.Failure {
    let (start, timeline) = timeline(runner)
    var failure = Report.Failure(
      id: slug,
      law: key.law,
      subject: lane.subject.id,
      oracle: lane.oracle?.id,
      kind: secondOutcome != nil ? .flaky : key.isError ? .errored : .violated,
      differenceKind: key.kind,
      summary: difference.summary + (secondOutcome.map { ", but the second run \($0)" } ?? ""),
      expected: difference.expected,
      actual: difference.actual,
      caseIndex: caseIndex,
      caseCount: caseCount,
      file: Report.Failure.file(of: slug),
      replayCommand: Report.Failure.replayCommand(of: slug),
      size: history.history.size,
      replicas: history.history.finalReplicaCount,
      shrinkSteps: shrinkSteps,
      shrinkEnding: ending,
      history: history.history.lines,
      timeline: timeline,
      firstSeen: firstSeen
    )
    failure.start = start
    failure.reproducer = Report.Failure.reproducer(of: slug)
    return failure
  }
}

extension Capabilities {
  /// All abilities as words, sorted within their kinds.
  package var words: [String] {
    edits.map { "edit \($0)" }.sorted() + objects.map { "object \($0)" }.sorted()
      + scalars.map { "scalar \($0)" }.sorted() + transports.map { "transport \($0)" }.sorted()
      + features.map(\.description).sorted()
  }
}
