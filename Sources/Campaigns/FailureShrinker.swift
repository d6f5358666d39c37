import DocumentLaws
import DocumentModel
package import Histories
package import PropertyEngine
import Subjects

/// A failure after shrinking: the smallest history found, and what it shows.
package struct ShrunkFailure {
  let lane: Lane
  let key: FailureKey
  let difference: Difference
  package let history: NormalisedHistory
  let choices: [Choice]
  let seed: Seed
  let caseIndex: Int
  var caseCount = 1
  let shrinkSteps: Int
  let ending: String
  /// The clock cut shrinking short.
  let wasStopped: Bool
  /// Nil where the failure repeated; else what the second run said.
  let secondOutcome: String?
  /// For each step of the history, whether the failure goes away without it.
  let essentialSteps: [Bool]
  package let isStored: Bool
  /// The day the corpus first had it.
  var firstSeen: String?

  /// How a failure ends that was found and not shrunk.
  static let notShrunk = "not shrunk"

  package var isRaw: Bool { ending == Self.notShrunk }

  /// A failure that the corpus holds and that shows again.
  init(stored file: CaseFile, lane: Lane, _ finding: Finding, _ history: NormalisedHistory) {
    self.lane = lane
    key = finding.key
    difference = finding.difference
    self.history = history
    choices = file.choices
    seed = file.seed ?? Seed(value: 0)
    caseIndex = file["case"].flatMap { Int($0) } ?? 0
    shrinkSteps = 0
    ending = file[CaseFile.stateKey] == Self.notShrunk ? "stored, \(Self.notShrunk)" : "stored"
    wasStopped = false
    secondOutcome = nil
    essentialSteps = history.history.steps.map { _ in true }
    isStored = true
    firstSeen = file[CaseFile.Key.firstSeen.rawValue]
  }

  init(
    lane: Lane,
    key: FailureKey,
    difference: Difference,
    history: NormalisedHistory,
    choices: [Choice],
    seed: Seed,
    caseIndex: Int,
    shrinkSteps: Int,
    ending: String,
    wasStopped: Bool,
    secondOutcome: String?,
    essentialSteps: [Bool]
  ) {
    self.lane = lane
    self.key = key
    self.difference = difference
    self.history = history
    self.choices = choices
    self.seed = seed
    self.caseIndex = caseIndex
    self.shrinkSteps = shrinkSteps
    self.ending = ending
    self.wasStopped = wasStopped
    self.secondOutcome = secondOutcome
    self.essentialSteps = essentialSteps
    isStored = false
  }

  /// The failure as a case that outlives the generators.
  package var caseFile: CaseFile {
    var file = CaseFile(
      law: key.law,
      subjects: [lane.subject.id] + (lane.oracle.map { [$0.id] } ?? []),
      kind: key.kind,
      seed: seed,
      choices: choices,
      sampleFormat: "history \(History.textVersion)",
      sample: history.history.text
    )
    file.set("case", to: "\(caseIndex)")
    file.set("shows", to: difference.summary)
    if let expected = difference.expected { file.set("expected", to: expected) }
    if let actual = difference.actual { file.set("actual", to: actual) }
    if isRaw { file.set(CaseFile.stateKey, to: ending) }
    if let firstSeen { file.set(.firstSeen, to: firstSeen) }
    return file
  }

  /// Subject, law and kind in one word that fits a file name, and the oracle if it is not the usual.
  package var slug: String {
    let oracle = lane.oracle.flatMap { $0.id == naiveSubject.id ? nil : "--\($0.id)" } ?? ""
    let words = "\(lane.subject.id)\(oracle)--\(key.law)--\(key.kind)"
    return Campaigns.slug(words)
  }
}

extension CaseFile {
  /// The header that says that a case was found and not yet made small.
  static let stateKey = "state"
}

/// Confirms a failure, makes it small, and finds which of its steps matter.
struct FailureShrinker {
  let runner: CaseRunner
  let lane: Lane
  let sighting: LaneTotals.Sighting
  let seed: Seed

  private var key: FailureKey { sighting.finding.key }

  /// The group in which only the failing law is asked, unless the subject itself failed or the law
  /// watches what the others ask.
  private var group: SampleGroup {
    guard let law = sighting.group.laws.first(where: { $0.name == key.law }), !law.watchesAll else {
      return sighting.group
    }
    return sighting.group.narrowed(to: law)
  }

  /// A subject that fails costs a new process each time.
  private func stepLimit(_ limit: Int) -> Int {
    guard key.isError else { return limit }
    return key.kind == "timeout" ? min(limit, 12) : min(limit, 150)
  }

  mutating func run(
    stepLimit limit: Int,
    shouldStop: () -> Bool,
    onSmaller: (Int) -> Void
  ) -> ShrunkFailure {
    let group = group
    let first = attempt(sighting.choices.recordedValues, group)
    guard first.finding != nil else { return flaky(first, shrinkSteps: 0) }
    var shrinker = Shrinker(
      failing: first.choices.recorded,
      spans: first.choices.spans,
      stepLimit: stepLimit(limit)
    )
    var best = first.choices.recorded.count
    let result = shrinker.run(
      { candidate in
        let tried = attempt(candidate, group)
        if tried.finding != nil, tried.choices.recorded.count < best {
          best = tried.choices.recorded.count
          onSmaller(best)
        }
        return ShrinkAttempt(tried.choices, fails: tried.finding != nil)
      },
      shouldStop: shouldStop
    )
    // Once more: a subject that changes its mind while it is watched has no smallest history.
    let last = attempt(result.values, group)
    guard last.finding != nil else { return flaky(last, shrinkSteps: result.steps) }
    let (history, finding) = withoutNeedlessSteps(last, group)
    return ShrunkFailure(
      lane: lane,
      key: key,
      difference: finding.difference,
      history: history,
      choices: result.recorded,
      seed: seed,
      caseIndex: sighting.caseIndex,
      shrinkSteps: result.steps,
      ending: result.ending.words,
      wasStopped: result.ending == .interrupted,
      secondOutcome: nil,
      essentialSteps: essentialSteps(history, group)
    )
  }

  private struct Attempt {
    let choices: Choices
    let history: NormalisedHistory
    let finding: Finding?
    /// What came of it if not the failure that was looked for.
    let otherwise: String
  }

  private func attempt(_ values: [UInt32], _ group: SampleGroup) -> Attempt {
    var choices = Choices(replaying: values)
    let result = runner.run(group, &choices)
    return Attempt(
      choices: choices,
      history: result.history,
      finding: result.findings.first { $0.key == key },
      otherwise: result.findings.first.map {
        "\($0.key.isError ? "errored" : "violated \($0.key.law)") (\($0.difference.summary))"
      } ?? "held"
    )
  }

  private func finding(in history: NormalisedHistory, _ group: SampleGroup) -> Finding? {
    runner.judge(history, laws: group.laws).findings.first { $0.key == key }
  }

  /// The history less every step that the failure does not need.
  ///
  /// Choices cannot say "the same without this step" where a later number depends on it: the history
  /// itself can. A few attempts, one for each step, from the last to the first.
  private func withoutNeedlessSteps(
    _ attempt: Attempt,
    _ group: SampleGroup
  ) -> (NormalisedHistory, Finding) {
    var history = attempt.history
    var best = attempt.finding ?? sighting.finding
    guard !key.isError else { return (history, best) }
    for index in history.history.steps.indices.reversed() {
      var candidate = history.history
      candidate.steps.remove(at: index)
      let valid = normalise(candidate)
      guard valid.history.steps.count < history.history.steps.count,
        let found = finding(in: valid, group)
      else { continue }
      history = valid
      best = found
    }
    return (history, best)
  }

  private func essentialSteps(_ history: NormalisedHistory, _ group: SampleGroup) -> [Bool] {
    guard !key.isError else { return history.history.steps.map { _ in true } }
    return history.history.steps.indices.map { index in
      var candidate = history.history
      candidate.steps.remove(at: index)
      return finding(in: normalise(candidate), group) == nil
    }
  }

  private func flaky(_ second: Attempt, shrinkSteps: Int) -> ShrunkFailure {
    ShrunkFailure(
      lane: lane,
      key: key,
      difference: sighting.finding.difference,
      history: second.history,
      choices: second.choices.recorded,
      seed: seed,
      caseIndex: sighting.caseIndex,
      shrinkSteps: shrinkSteps,
      ending: "it did not repeat",
      wasStopped: false,
      secondOutcome: second.otherwise,
      essentialSteps: second.history.history.steps.map { _ in true }
    )
  }
}
