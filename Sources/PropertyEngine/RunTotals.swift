/// What the cases of one law came to.
package struct LawTotals: Codable, Hashable, Sendable {
  package var held = 0
  package var violated = 0
  package var known = 0
  package var errored = 0
  package var skipped = 0
  package var skipReasons: Set<String> = []
  /// What an errored case reported; of several the least, so that the order of cases does not matter.
  package var errorReason: String?
  /// Seconds spent on judging, where they are measured.
  ///
  /// Of all that adds up, seconds alone depend on the order, in their last bits. No verdict is made of them.
  package var seconds = 0.0

  package init() {}

  /// Counts a judgement.
  package mutating func add(_ judgement: Judgement) {
    switch judgement.verdict {
    case .held: held += 1
    case .violated: violated += 1
    case .known: known += 1
    case .errored(let reason):
      errored += 1
      note(errorReason: reason)
    case .skipped(let reason):
      skipped += 1
      skipReasons.insert(reason)
    }
    seconds += judgement.seconds
  }

  private mutating func note(errorReason reason: String) {
    errorReason = errorReason.map { min($0, reason) } ?? reason
  }

  package mutating func merge(_ other: LawTotals) {
    held += other.held
    violated += other.violated
    known += other.known
    errored += other.errored
    skipped += other.skipped
    skipReasons.formUnion(other.skipReasons)
    if let reason = other.errorReason { note(errorReason: reason) }
    seconds += other.seconds
  }
}

/// What the cases of a run came to; totals of parts add up in any order.
///
///     one worker     cases 0...49      a failure first in case 12, in 2 cases
///     another        cases 50...99     the same, first in case 71, in 1 case
///     merged                           first in case 12, in 3 cases: as one worker would have found it
package struct RunTotals: Codable, Sendable {
  /// The first case that showed a failure, and how many did.
  package struct Sighting: Codable, Sendable {
    package let caseIndex: Int
    /// Position among the case's findings, which are in the order of the laws.
    package let rank: Int
    package fileprivate(set) var caseCount: Int
    package let finding: Finding
    package let choices: Choices
    /// Whether there was a sample, without which there is no case file.
    package let hasSample: Bool

    init(
      _ finding: Finding,
      caseIndex: Int,
      rank: Int = 0,
      choices: Choices,
      hasSample: Bool = true
    ) {
      self.finding = finding
      self.rank = rank
      self.hasSample = hasSample
      self.caseIndex = caseIndex
      self.choices = choices
      caseCount = 1
    }
  }

  package private(set) var caseCount = 0
  /// By the law's name.
  package private(set) var laws: [String: LawTotals] = [:]
  package private(set) var sightings: [FailureKey: Sighting] = [:]
  package private(set) var coverage = Coverage()
  /// Verdicts that a listed divergence explains, by its position in the subject's list.
  package private(set) var known: [Int: Int] = [:]
  package private(set) var subjectSeconds = 0.0
  package private(set) var oracleSeconds = 0.0
  /// What drawing a sample threw, in the earliest case that did.
  package private(set) var drawError: (caseIndex: Int, error: any Error)?

  /// All but what drawing threw, which has no form of its own; the verdicts of its case hold the words.
  private enum CodingKeys: CodingKey {
    case caseCount, laws, sightings, coverage, known, subjectSeconds, oracleSeconds
  }

  package init() {}

  /// Whether any law was judged on any sample.
  package var isJudged: Bool {
    laws.values.contains { $0.held + $0.violated + $0.known + $0.errored > 0 }
  }

  /// Adds a case; `choices` are those that its sample was drawn from.
  mutating func add(_ judged: JudgedCase, index: Int, choices: Choices) {
    caseCount += 1
    subjectSeconds += judged.subjectSeconds
    oracleSeconds += judged.oracleSeconds
    for (law, judgement) in judged.verdicts {
      laws[law, default: LawTotals()].add(judgement)
      if let divergence = judgement.divergence { known[divergence, default: 0] += 1 }
    }
    for (rank, finding) in judged.findings.enumerated() {
      note(
        Sighting(
          finding,
          caseIndex: index,
          rank: rank,
          choices: choices,
          hasSample: judged.sample != nil
        )
      )
    }
    // What no law was judged on was not tried.
    if judged.isJudged { judged.sample?.count(&coverage) }
    if let error = judged.drawError { note(index, error) }
  }

  /// Adds what a stored case of a law came to: no case of the seed, and nothing that was drawn.
  mutating func addStored(_ judged: JudgedCase, law: String) {
    caseCount += 1
    for (_, judgement) in judged.verdicts.filter({ $0.law == law }) {
      laws[law, default: LawTotals()].add(judgement)
      if let divergence = judgement.divergence { known[divergence, default: 0] += 1 }
    }
  }

  private mutating func note(_ sighting: Sighting) {
    let key = sighting.finding.key
    guard let known = sightings[key] else {
      sightings[key] = sighting
      return
    }
    var first = sighting.caseIndex < known.caseIndex ? sighting : known
    first.caseCount = known.caseCount + sighting.caseCount
    sightings[key] = first
  }

  private mutating func note(_ index: Int, _ error: any Error) {
    if let known = drawError, known.caseIndex <= index { return }
    drawError = (index, error)
  }

  package mutating func merge(_ other: RunTotals) {
    caseCount += other.caseCount
    subjectSeconds += other.subjectSeconds
    oracleSeconds += other.oracleSeconds
    coverage.merge(other.coverage)
    known.merge(other.known, uniquingKeysWith: +)
    for (name, totals) in other.laws { laws[name, default: LawTotals()].merge(totals) }
    for sighting in other.sightings.values { note(sighting) }
    if let (index, error) = other.drawError { note(index, error) }
  }
}
