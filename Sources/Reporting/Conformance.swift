import PastRuns
import Texts

/// What several runs say together: every law on every version of every implementation.
///
/// Runs may be of other machines, nights and versions of Touchstone. An implementation is a subject and its
/// version; counts of one law on it add up over the runs. What a law says is taken from the last run that
/// has it.
package struct Conformance: Codable, Hashable, Sendable {
  /// The version of this shape.
  package static let currentVersion = 1

  package var version = Conformance.currentVersion
  package let runs: [Run]
  package let implementations: [Implementation]
  package let laws: [Report.Law]
  /// In the order of implementations, then of laws.
  package let verdicts: [Verdict]

  /// A run that was taken in.
  package struct Run: Codable, Hashable, Sendable {
    /// Of its report, below the site's folder: `runs/1`.
    package let folder: String
    package let program: String?
    package let machine: String
    /// ISO 8601, UTC.
    package let startedAt: String
    package let seed: String
    package let cases: Int
    /// The run's verdict in one line.
    package let headline: String
    /// Why it is not whole: `interrupted after 336 of 200,000 cases`; `nil` if it is.
    package let shortfalls: [String]?
  }

  /// One version of a subject, with how its laws came out: each law counts once, by its gravest verdict.
  package struct Implementation: VerdictCounts, Codable, Hashable, Sendable {
    package let subject: String
    package let version: String
    package let topic: Report.Topic
    /// Of its badge, below the site's folder.
    package let badge: String
    package var held = 0
    package var known = 0
    package var violated = 0
    package var errored = 0
    /// Laws that no case could ask, for want of an ability.
    package var skipped = 0
    /// Laws that apply, and that no case came to ask.
    package internal(set) var unasked = 0
    /// Why runs that judged it are not whole, each reason once: `interrupted after 336 of 200,000 cases`;
    /// `nil` if all are.
    package internal(set) var shortfalls: [String]?
    /// Whether one of these runs was ended from outside.
    package internal(set) var isInterrupted = false

    /// `automerge 0.5.7`.
    package var name: String { "\(subject) \(version)" }
    /// Laws that apply, judged or not.
    package var applicable: Int { judged.addingSaturated(unasked) }
  }

  /// A law on an implementation.
  package struct Verdict: VerdictCounts, Codable, Hashable, Sendable {
    package let law: String
    /// Its place among ``Conformance/implementations``.
    package let implementation: Int
    package var held = 0
    package var known = 0
    package var violated = 0
    package var errored = 0
    package var skipped = 0
    /// Where its smallest failure is shown, or is counted if none was shrunk, below the site's folder; `nil`
    /// without one.
    package internal(set) var failure: String?
  }

  /// - Parameter reports: Of runs that judge; those of self-tests say nothing of implementations.
  /// - Throws: ``ConformanceError``.
  package init(_ reports: [Report]) throws(ConformanceError) {
    guard !reports.isEmpty else { throw .nothing }
    var places: [Report.Part: Int] = [:]
    for (index, report) in reports.enumerated() {
      for part in report.parts {
        guard let first = places.updateValue(index, forKey: part) else { continue }
        throw .runTwice(startedAt: part.startedAt, seed: part.seed, reports: [first, index])
      }
    }
    let parts = reports.enumerated().flatMap { index, report in
      report.parts.map { (report: index, part: $0) }
    }
    if let doubled = Report.doubled(in: parts.map(\.part)) {
      let (part, whole) = (parts[doubled.part], parts[doubled.whole])
      throw .runTwice(
        startedAt: whole.part.startedAt,
        seed: whole.part.seed,
        reports: [part.report, whole.report].sorted()
      )
    }
    let shared = Report.SharedRun.all(in: parts.map(\.part))
    var table = Table(shared: shared)
    for (index, report) in reports.enumerated() {
      guard report.selfTest == nil else { throw .selfTest(report: index) }
      table.add(report, folder: Self.folder(ofRun: index))
    }
    guard !table.cells.isEmpty else { throw .nothingJudged }
    runs = reports.enumerated().map { index, report in
      Run(
        folder: Self.folder(ofRun: index),
        program: report.run.program,
        machine: report.clock.machine,
        startedAt: report.clock.startedAt,
        seed: report.run.seed,
        cases: report.run.cases,
        headline: report.headline(Report.Matrix(report)),
        shortfalls: report.shortfalls(among: shared).map(\.text).nonEmpty
      )
    }
    laws = table.lawNames.compactMap { table.laws[$0] }
    (implementations, verdicts) = table.result()
  }

  /// The folder of a run by its place, below the site's.
  package static func folder(ofRun index: Int) -> String { "runs/\(index + 1)" }
}

/// Why there is no conformance to show.
package enum ConformanceError: Error, Hashable, Sendable, CustomStringConvertible {
  case nothing
  /// The report, by its place, is of a self-test.
  case selfTest(report: Int)
  case nothingJudged
  /// One run is in two of the reports, by their places, or twice in one that was merged.
  case runTwice(startedAt: String, seed: String, reports: [Int])

  package var description: String {
    switch self {
    case .nothing: "there is no report to take in"
    case .selfTest(let report):
      "report \(report + 1) is of a self-test, which judges implementations that are wrong on purpose: "
        + "leave it out"
    case .nothingJudged: "none of the reports has a verdict of a law"
    case .runTwice(let startedAt, let seed, let reports):
      "the run of \(startedAt) with seed \(seed) is in the reports "
        + reports.map { "\($0 + 1)" }.joined(separator: " and ")
        + ", and would count twice: leave one of them out"
    }
  }
}

/// Verdicts while reports are taken in.
private struct Table {
  struct Key: Hashable {
    let subject: String
    let version: String
  }

  struct Place: Hashable {
    let law: String
    let implementation: Key
  }

  /// The runs that several of the reports share.
  let shared: [Report.SharedRun]
  private(set) var laws: [String: Report.Law] = [:]
  private(set) var lawNames: [String] = []
  private(set) var cells: [Place: Report.Tally] = [:]
  private var order: [Key] = []
  private var topics: [Key: Report.Topic] = [:]
  private var shortfalls: [Key: [Report.Reason]] = [:]
  private var failures: [Place: (size: Int, link: String)] = [:]
  /// Where what was counted and not shrunk is listed.
  private var sightings: [Place: String] = [:]

  init(shared: [Report.SharedRun]) {
    self.shared = shared
  }

  mutating func add(_ report: Report, folder: String) {
    let versions = Dictionary(report.subjects.map { ($0.id, $0) }) { first, _ in first }
    func key(_ subject: String) -> Key {
      Key(subject: subject, version: versions[subject]?.version ?? "of unknown version")
    }
    lawNames = (lawNames + report.laws.map(\.name) + report.cells.map(\.law)).uniqued()
    for law in report.laws { laws[law.name] = law }
    for cell in report.cells {
      let implementation = key(cell.subject)
      if topics[implementation] == nil {
        order.append(implementation)
        topics[implementation] = versions[cell.subject]?.topic ?? .documents
      }
      cells[Place(law: cell.law, implementation: implementation), default: Report.Tally()].add(cell)
    }
    if let reasons = report.shortfalls(among: shared).nonEmpty {
      for subject in report.cells.map(\.subject).uniqued() {
        shortfalls[key(subject), default: []] += reasons
      }
    }
    let anchors = Anchors(report)
    let ids = HTMLReport.sightingIDs(of: report, anchors)
    for (sighting, id) in zip(report.sightings ?? [], ids) {
      let place = Place(law: sighting.law, implementation: key(sighting.subject))
      sightings[place] = sightings[place] ?? "\(folder)/index.html#\(id)"
    }
    for (failure, anchor) in zip(report.failures, anchors.failures) {
      let place = Place(law: failure.law, implementation: key(failure.subject))
      if let known = failures[place], known.size <= failure.size { continue }
      failures[place] = (failure.size, "\(folder)/index.html#\(anchor)")
    }
  }

  /// Where a failure of a law is shown, the smallest or the first that was counted.
  private func link(_ place: Place) -> String? { failures[place]?.link ?? sightings[place] }

  /// Versions of one subject stand side by side, where the subject was first met, the lowest first.
  private var sortedKeys: [Key] {
    order.map(\.subject).uniqued().flatMap { subject in
      order.filter { $0.subject == subject }.sorted { isLower($0.version, $1.version) }
    }
  }

  /// As a file is named on every system, those included that do not tell cases apart.
  private func pictureName(of key: Key) -> String {
    let name = slug("\(key.subject)-\(key.version)").lowercased().replacing("..", with: "-")
    return String(name.prefix(80))
  }

  func result() -> ([Conformance.Implementation], [Conformance.Verdict]) {
    var implementations: [Conformance.Implementation] = []
    var verdicts: [Conformance.Verdict] = []
    var badges = UniqueNames()
    for (index, key) in sortedKeys.enumerated() {
      var implementation = Conformance.Implementation(
        subject: key.subject,
        version: key.version,
        topic: topics[key] ?? .documents,
        badge: "badges/\(badges.claim(pictureName(of: key))).svg"
      )
      let shortfalls = (shortfalls[key] ?? []).uniqued()
      implementation.shortfalls = shortfalls.map(\.text).nonEmpty
      implementation.isInterrupted = shortfalls.contains { $0.kind == .interruption }
      for law in lawNames {
        let place = Place(law: law, implementation: key)
        guard let tally = cells[place] else { continue }
        switch tally.standing {
        case .held: implementation.held += 1
        case .known: implementation.known += 1
        case .violated: implementation.violated += 1
        case .errored: implementation.errored += 1
        case .skipped: implementation.skipped += 1
        case .absent:
          implementation.unasked += 1
          continue
        }
        var verdict = Conformance.Verdict(law: law, implementation: index)
        verdict.add(tally)
        // Where a subject failed to answer, and nothing else failed, that is what there is to see.
        let unanswered = Place(law: Report.answers, implementation: key)
        verdict.failure = link(place) ?? (tally.standing == .errored ? link(unanswered) : nil)
        verdicts.append(verdict)
      }
      implementations.append(implementation)
    }
    return (implementations, verdicts)
  }
}

extension Array {
  /// `nil` instead of an empty array.
  fileprivate var nonEmpty: Self? { isEmpty ? nil : self }
}

/// Whether a version comes before another: numbers within them count as numbers, `0.5.7` before `0.5.12`.
func isLower(_ left: String, _ right: String) -> Bool {
  func parts(_ version: String) -> [(number: Int?, text: String)] {
    version.split(separator: ".", omittingEmptySubsequences: false)
      .map { (Int($0), String($0)) }
  }
  for (left, right) in zip(parts(left), parts(right)) where left.text != right.text {
    if let left = left.number, let right = right.number, left != right { return left < right }
    return left.text < right.text
  }
  return parts(left).count < parts(right).count
}
