import DocumentLaws
import DocumentModel
import Histories
import PropertyEngine

/// What the cases of a lane came to; totals of parts add up in any order.
struct LaneTotals {
  struct LawTotals {
    var held = 0
    var violated = 0
    var known = 0
    var errored = 0
    var skipped = 0
    var skipReasons: Set<String> = []
    var seconds = 0.0

    mutating func merge(_ other: LawTotals) {
      held += other.held
      violated += other.violated
      known += other.known
      errored += other.errored
      skipped += other.skipped
      skipReasons.formUnion(other.skipReasons)
      seconds += other.seconds
    }
  }

  /// The first case that showed a failure, and how many did.
  struct Sighting {
    var caseIndex: Int
    var caseCount: Int
    var finding: Finding
    var group: SampleGroup
    var choices: Choices
  }

  private(set) var caseCount = 0
  private(set) var laws: [String: LawTotals] = [:]
  private(set) var sightings: [FailureKey: Sighting] = [:]
  private(set) var edits = Tally()
  private(set) var faults = Tally()
  private(set) var faultsByTransport: [Transport?: Tally] = [:]
  private(set) var transports = Tally()
  private(set) var waypoints = Tally()
  private(set) var sizes = Tally()
  private(set) var knownReasons = Tally()
  private(set) var subjectSeconds = 0.0
  private(set) var oracleSeconds = 0.0

  mutating func add(
    _ result: CaseResult,
    index: Int,
    group: SampleGroup,
    choices: Choices
  ) {
    caseCount += 1
    subjectSeconds += result.subjectSeconds
    oracleSeconds += result.oracleSeconds
    for (law, verdict) in result.verdicts {
      var totals = laws[law.name, default: LawTotals()]
      switch verdict {
      case .held: totals.held += 1
      case .violated: totals.violated += 1
      case .known(_, let reason):
        totals.known += 1
        knownReasons.add("\(law.name): \(reason)")
      case .errored: totals.errored += 1
      case .skipped(let reason):
        totals.skipped += 1
        totals.skipReasons.insert(reason)
      }
      laws[law.name] = totals
    }
    for (law, seconds) in result.lawSeconds {
      laws[law, default: LawTotals()].seconds += seconds
    }
    for finding in result.findings {
      note(
        Sighting(caseIndex: index, caseCount: 1, finding: finding, group: group, choices: choices),
        finding.key
      )
    }
    count(result.history)
  }

  private mutating func count(_ history: NormalisedHistory) {
    let facts = HistoryFacts(history)
    edits.merge(facts.edits)
    faults.merge(facts.faults)
    merge(facts.faultsByTransport)
    transports.merge(facts.transports)
    waypoints.merge(facts.waypoints)
    let low = history.history.editCount / 5 * 5
    sizes.add("\(low)-\(low + 4)")
  }

  private mutating func merge(_ faults: [Transport?: Tally]) {
    for (transport, tally) in faults {
      faultsByTransport[transport, default: Tally()].merge(tally)
    }
  }

  private mutating func note(_ sighting: Sighting, _ key: FailureKey) {
    guard var known = sightings[key] else {
      sightings[key] = sighting
      return
    }
    let count = known.caseCount + sighting.caseCount
    if sighting.caseIndex < known.caseIndex { known = sighting }
    known.caseCount = count
    sightings[key] = known
  }

  mutating func merge(_ other: LaneTotals) {
    caseCount += other.caseCount
    subjectSeconds += other.subjectSeconds
    oracleSeconds += other.oracleSeconds
    edits.merge(other.edits)
    faults.merge(other.faults)
    merge(other.faultsByTransport)
    transports.merge(other.transports)
    waypoints.merge(other.waypoints)
    sizes.merge(other.sizes)
    knownReasons.merge(other.knownReasons)
    for (name, totals) in other.laws {
      laws[name, default: LawTotals()].merge(totals)
    }
    for (key, sighting) in other.sightings { note(sighting, key) }
  }
}
