import PastRuns
import Texts

/// Why reports cannot be made one.
package enum ReportMergeError: Error, Hashable, Sendable, CustomStringConvertible {
  /// There was nothing to merge.
  case nothing
  /// A report has another shape than this program writes.
  case shape(version: Int, expected: Int)
  /// The reports were written by different versions of the program.
  case programs([String])
  /// A subject has different versions or abilities in two reports.
  case subject(String, versions: [String])
  /// A law says something else in two reports.
  case law(String)
  /// Two reports judged by different laws, though the same were asked for.
  case catalogues(missing: [String])
  /// More than one report is of a self-test with this mutant.
  case mutant(String)
  /// Two of the reports are of one run.
  case runTwice(seed: String, startedAt: String)
  /// One of the reports is a part of a run that another one is the whole of.
  case partOfWhole(command: String)

  package var description: String {
    switch self {
    case .nothing: "there is no report to merge"
    case .shape(let version, let expected):
      "a report of version \(version) cannot be merged: this program knows version \(expected)"
    case .programs(let names):
      "the reports were written by different programs: \(names.joined(separator: ", "))"
    case .subject(let id, let versions):
      "the subject \(id) is not the same in all reports: \(versions.joined(separator: ", "))"
    case .law(let name): "the law \(name) does not say the same in all reports"
    case .catalogues(let missing):
      "the reports were judged by different laws; some do not have "
        + missing.prefix(3).joined(separator: ", ")
        + (missing.count > 3 ? " and \(missing.count - 3) more" : "")
        + ". `touchstone report site` shows reports of different laws together"
    case .mutant(let id): "more than one of the reports is of a self-test with the mutant \(id)"
    case .runTwice(let seed, let startedAt):
      "the run of \(startedAt) with seed \(seed) is given twice, and would count twice"
    case .partOfWhole(let command):
      "a part of the run `\(command)` is given beside all of it, and would count twice: leave one of them out"
    }
  }
}

/// Which failure of a merged report was which in the reports it was merged of.
package struct MergedFailure: Hashable, Sendable {
  /// The report, by its place in the list.
  package let report: Int
  /// The failure there.
  package let file: String
  /// The failure in the merged report.
  package let id: String
}

extension Report {
  /// One report of several runs: of several machines, or nights.
  ///
  /// Counts add up. Failures of one law and subject with one smallest history are one failure, first
  /// seen on the earliest day that any report tells. The word is the gravest of all, and `failed` as long as a
  /// part of a shared run is missing, or if none of all its parts reached what that run requires. Merging is associative but for the order in which things are listed.
  ///
  /// - Returns: The report, and which failures it took from where.
  package static func merged(
    _ reports: [Report]
  ) throws(ReportMergeError) -> (report: Report, failures: [MergedFailure]) {
    guard let first = reports.first else { throw .nothing }
    try agree(reports)
    var merged = first
    var failures = FailureMerge()
    for (index, report) in reports.enumerated() {
      failures.add(report, number: index)
      if index > 0 { try merged.add(report) }
    }
    merged.failures = failures.failures
    let parts = reports.flatMap(\.parts)
    merged.run.parts = parts
    merged.run.share = nil
    if reports.contains(where: { $0.run.sizes != first.run.sizes }) { merged.run.sizes = nil }
    let shared = SharedRun.all(in: parts)
    merged.run.repeatCommand = repeatCommand(of: reports, shared)
    merged.counts.settleWaypoints()
    merged.outcome = outcome(of: reports, shared)
    merged.clock.machine =
      parts.map(\.machine).filter { !$0.isEmpty }.uniqued().joined(separator: "; ")
    merged.clock.casesPerSecond =
      merged.clock.seconds > 0 ? (Double(merged.run.cases) / merged.clock.seconds).finite : 0
    return (merged, failures.origins)
  }

  private static func agree(_ reports: [Report]) throws(ReportMergeError) {
    for report in reports where report.version != currentVersion {
      throw .shape(version: report.version, expected: currentVersion)
    }
    let programs = reports.compactMap(\.run.program).uniqued()
    guard programs.count < 2 else { throw .programs(programs) }
    var mutants: Set<String> = []
    for id in reports.flatMap({ ($0.selfTest?.mutants ?? []).map(\.id).uniqued() })
    where !mutants.insert(id).inserted {
      throw .mutant(id)
    }
    var sentences: [String: Law] = [:]
    for law in reports.flatMap(\.laws) {
      let known = sentences.updateValue(law, forKey: law.name)
      if let known, known != law { throw .law(law.name) }
    }
    // Runs that asked for the same laws and were judged by others are of two catalogues.
    // A run of coders alone has none of the laws of documents, and the other way round.
    struct Catalogue: Hashable {
      let globs: [String]
      let topic: Topic
    }
    var catalogues: [Catalogue: Set<String>] = [:]
    for report in reports where report.run.command == .check {
      let topics = Dictionary(report.laws.map { ($0.name, $0.topic) }) { first, _ in first }
      let judged = Dictionary(grouping: Set(report.cells.map(\.law))) {
        (topics[$0] ?? nil) ?? .documents
      }
      for topic in Topic.allCases {
        guard let names = judged[topic].map(Set.init) else { continue }
        let key = Catalogue(globs: report.run.lawGlobs, topic: topic)
        let known = catalogues.updateValue(names, forKey: key)
        if let known, known != names {
          throw .catalogues(missing: known.symmetricDifference(names).sorted())
        }
      }
    }
    for subject in reports.flatMap(\.subjects).map(\.id).uniqued() {
      let present = reports.flatMap(\.subjects).filter { $0.id == subject && $0.absence == nil }
      let versions = present.map(\.version).uniqued()
      guard versions.count < 2, Set(present.map(\.capabilities)).count < 2 else {
        throw .subject(subject, versions: versions)
      }
    }
    // A clock counts seconds: two runs may begin in one, but not take the same time to a fraction.
    var seen: Set<Part> = []
    let parts = reports.flatMap(\.parts)
    for part in parts where !seen.insert(part).inserted {
      throw .runTwice(seed: part.seed, startedAt: part.startedAt)
    }
    if let doubled = doubled(in: parts), let share = parts[doubled.part].share {
      throw .partOfWhole(command: share.command)
    }
  }

  private mutating func add(_ other: Report) throws(ReportMergeError) {
    addSightings(of: other)
    // Only for the sightings of the next: the failures of all decide which are one.
    failures += other.failures
    if run.command != other.run.command { run.command = .check }
    run.cases = run.cases.addingSaturated(other.run.cases)
    if let more = other.run.storedCases {
      run.storedCases = (run.storedCases ?? 0).addingSaturated(more)
    }
    run.lawGlobs =
      run.lawGlobs.isEmpty || other.run.lawGlobs.isEmpty
      ? [] : (run.lawGlobs + other.run.lawGlobs).uniqued()
    run.program = run.program ?? other.run.program
    for subject in other.subjects {
      guard let index = subjects.firstIndex(where: { $0.id == subject.id }) else {
        subjects.append(subject)
        continue
      }
      if subjects[index].absence != nil { subjects[index] = subject }
    }
    laws += other.laws.filter { law in !laws.contains { $0.name == law.name } }
    add(other.cells)
    counts.add(other.counts)
    add(other.knownDivergences)
    if let more = other.selfTest {
      if selfTest == nil { selfTest = more } else { selfTest?.add(more) }
    }
    if let more = other.fuzzing { fuzzing = (fuzzing ?? []) + more }
    if let more = other.coverage { coverage = Self.joined(coverage ?? [], more) }
    // One that got away anywhere is the one to report.
    if canary?.wasCaught != false { canary = other.canary ?? canary }
    clock.add(other.clock)
  }

  /// Which regions each run entered is not known, only how many: together they entered as many as one of them, at
  /// least.
  private static func joined(_ some: [CoveredModule], _ others: [CoveredModule]) -> [CoveredModule]
  {
    var result = some
    result.merge(others, by: \.name) { module, other in
      module.regions = max(module.regions, other.regions)
      module.entered = max(module.entered, other.entered)
      module.enteredBefore = [module.enteredBefore, other.enteredBefore].compactMap(\.self).max()
    }
    return result
  }

  private mutating func add(_ others: [Cell]) {
    let key = { (cell: Cell) in [cell.law, cell.subject, cell.oracle] }
    cells.merge(others, by: key) { cell, other in
      // Where nothing was skipped, there is no reason: that of the other stays.
      if cell.skipped == 0 {
        cell.skipReason = other.skipReason
      } else if other.skipped > 0, cell.skipReason != other.skipReason {
        cell.skipReason = nil
      }
      cell.add(other)
      cell.errorReason = [cell.errorReason, other.errorReason].compactMap(\.self).min()
    }
  }

  private mutating func add(_ others: [KnownDivergence]) {
    // A subject may list a condition twice, for different reasons.
    let key = { (known: KnownDivergence) in
      [known.subject, known.law, known.condition, known.reason]
    }
    knownDivergences.merge(others, by: key) { known, other in
      known.count = known.count.addingSaturated(other.count)
      known.stillShows = known.stillShows && other.stillShows
      known.unjudged = known.unjudged ?? other.unjudged
    }
  }
}

/// Failures of several reports, each once.
///
/// Two are one if they have the same smallest sample. Parts of one shared run may come to different samples of what
/// the whole run would have made small once: there law and kind are enough, and the earlier case stays.
private struct FailureMerge {
  private(set) var failures: [Report.Failure] = []
  private(set) var origins: [MergedFailure] = []
  private var places: [Key: Int] = [:]
  private var ids = UniqueNames()

  private struct Key: Hashable {
    let law: String
    let subject: String
    let oracle: String?
    let kind: Report.Failure.Kind
    let scope: Scope

    enum Scope: Hashable {
      case sample([String])
      case sharedRun(command: String, differenceKind: String)
    }

    init(_ failure: Report.Failure, _ scope: Scope) {
      law = failure.law
      subject = failure.subject
      oracle = failure.oracle
      kind = failure.kind
      self.scope = scope
    }
  }

  mutating func add(_ report: Report, number: Int) {
    let command = report.sharedCommand
    for failure in report.failures {
      let shared = command.map {
        Key(failure, .sharedRun(command: $0, differenceKind: failure.differenceKind))
      }
      let keys = [shared, Key(failure, .sample(failure.history))].compactMap(\.self)
      let place = keys.compactMap { places[$0] }.first
      if let place {
        let isEarlier =
          shared.map { places[$0] } == place && failure.caseIndex < failures[place].caseIndex
        join(failure, ofReport: number, at: place, replaces: isEarlier)
      } else {
        var failure = failure
        let file = failure.file
        failure.rename(to: ids.claim(failure.id, separator: "-"))
        origins.append(MergedFailure(report: number, file: file, id: failure.id))
        failures.append(failure)
      }
      for key in keys where places[key] == nil { places[key] = place ?? failures.count - 1 }
    }
  }

  /// Adds a failure to one that is the same, or puts it in its place.
  private mutating func join(
    _ failure: Report.Failure,
    ofReport report: Int,
    at place: Int,
    replaces: Bool
  ) {
    let known = failures[place]
    if replaces {
      origins[place] = MergedFailure(report: report, file: failure.file, id: known.id)
      failures[place] = failure
      failures[place].rename(to: known.id)
    }
    failures[place].caseCount = known.caseCount.addingSaturated(failure.caseCount)
    // Days in this form are ordered as their texts are.
    failures[place].firstSeen = [known.firstSeen, failure.firstSeen].compactMap(\.self).min()
  }
}

extension Report {
  /// The command of the shared run that all of its parts belong to; `nil` for other reports.
  fileprivate var sharedCommand: String? {
    let commands = Set(parts.map { $0.share?.command })
    return commands.count == 1 ? commands.first ?? nil : nil
  }
}

extension Report.Failure {
  /// Gives a failure a name, and its files, too.
  fileprivate mutating func rename(to name: String) {
    if replayer == .program {
      // A command of another shape is not handed on: it is pasted into a shell.
      replayCommand = Self.replayCommand(of: name, knownReplayArguments ?? [])
    }
    id = name
    file = Self.file(of: name)
    reproducer = reproducer.map { _ in Self.reproducer(of: name) }
  }
}

extension Report.Counts {
  fileprivate mutating func add(_ other: Self) {
    edits.add(other.edits)
    faults.add(other.faults)
    let way = { (count: Report.TransportCount) in [count.subject, count.transport] }
    transports.merge(other.transports, by: way) {
      $0.count = $0.count.addingSaturated($1.count)
    }
    let bounds = { (count: Report.SizeCount) in [count.least, count.most] }
    sizes.merge(other.sizes, by: bounds) {
      $0.count = $0.count.addingSaturated($1.count)
    }
    sizes.sort { ($0.least, $0.most) < ($1.least, $1.most) }
    waypoints.merge(other.waypoints, by: \.name) { waypoint, other in
      waypoint.count = waypoint.count.addingSaturated(other.count)
      waypoint.isRequired = waypoint.isRequired || other.isRequired
      waypoint.isRequiredOfWhole = waypoint.isRequiredOfWhole ?? other.isRequiredOfWhole
    }
    let key = { (fault: Report.FaultCount) in [fault.subject, fault.transport, fault.fault] }
    faultsOfSubjects.merge(other.faultsOfSubjects, by: key) {
      $0.count = $0.count.addingSaturated($1.count)
    }
    addDrawn(other)
    sort()
  }

  /// Requires of the merged report what any part's whole run requires; whether that run reached it, its parts say.
  fileprivate mutating func settleWaypoints() {
    for index in waypoints.indices where waypoints[index].isRequiredOfWhole == true {
      waypoints[index].isRequired = true
      waypoints[index].isRequiredOfWhole = nil
    }
  }

  /// Orders what lists only what happened, so that parts add up to what the whole run lists.
  ///
  /// Exchanges are ordered by their names, faults by their subjects, by the order of ``faults`` and by
  /// transports.
  package mutating func sort() {
    transports.sort { $0.name.unicodeScalars.lexicographicallyPrecedes($1.name.unicodeScalars) }
    let order = Dictionary(faults.enumerated().map { ($1.name, $0) }) { first, _ in first }
    func key(_ fault: Report.FaultCount) -> (String, Int, Bool, String) {
      let place = order[fault.fault] ?? order.count
      return (fault.subject, place, fault.transport == nil, fault.transport ?? "")
    }
    faultsOfSubjects.sort { left, right in
      let (left, right) = (key(left), key(right))
      if left.0 != right.0 { return left.0 < right.0 }
      if left.1 != right.1 { return left.1 < right.1 }
      // What has no transport comes last.
      return left.2 == right.2 ? left.3 < right.3 : !left.2
    }
  }
}

extension [Report.Count] {
  /// Adds up what has one name.
  mutating func add(_ others: [Report.Count]) {
    merge(others, by: \.name) { $0.count = $0.count.addingSaturated($1.count) }
  }
}

extension Report.Clock {
  fileprivate mutating func add(_ other: Self) {
    startedAt = min(startedAt, other.startedAt)
    seconds = seconds.addingSaturated(other.seconds)
    jobs = max(jobs, other.jobs)
    let sum = { (left: Double, right: Double) in left.addingSaturated(right) }
    subjectSeconds.merge(other.subjectSeconds, uniquingKeysWith: sum)
    lawSeconds.merge(other.lawSeconds, uniquingKeysWith: sum)
    mutantSeconds.merge(other.mutantSeconds, uniquingKeysWith: sum)
    cellSeconds.merge(other.cellSeconds) { $0.merging($1, uniquingKeysWith: sum) }
    for remark in other.remarks where !remarks.contains(remark) { remarks.append(remark) }
  }
}
