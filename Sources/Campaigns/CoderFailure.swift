package import CodingLaws
package import PropertyEngine
import Reporting

/// A way in which a coder breaks a law: the smallest sample found, and what it shows.
package struct CoderFailure: Sendable {
  let subject: String
  let key: FailureKey
  let difference: Difference
  package let sample: CodingSample
  let choices: [Choice]
  let seed: Seed
  let caseIndex: Int
  var caseCount = 1
  var shrinkSteps = 0
  let ending: String
  /// The clock cut shrinking short.
  var wasStopped = false
  /// Nil where the failure repeated; else what the second run said.
  var secondOutcome: String?
  package private(set) var isStored = false
  /// The day the corpus first had it.
  var firstSeen: String?

  package var isRaw: Bool { ending == ShrunkFailure.notShrunk }

  /// A failure as it was found; nil if the case is none, or nothing could be drawn.
  init?(raw found: CodingRun.Case, of subject: String, seed: Seed) {
    guard let key = FailureKey(found), let sample = found.sample else { return nil }
    self.subject = subject
    self.key = key
    difference = found.verdict.difference
    self.sample = sample
    choices = found.choices.recorded
    self.seed = seed
    caseIndex = found.index
    ending = ShrunkFailure.notShrunk
  }

  /// A failure that was made small.
  init(_ failure: CodingRun.Failure, _ key: FailureKey) {
    subject = failure.subject
    self.key = key
    difference = failure.verdict.difference
    sample = failure.sample
    choices = failure.shrunk.recorded
    seed = failure.seed
    caseIndex = failure.caseIndex
    shrinkSteps = failure.shrunk.steps
    ending = failure.shrunk.ending.words
    wasStopped = failure.shrunk.ending == .interrupted
  }

  /// A failure that did not repeat.
  init(flaky raw: CoderFailure, second: String) {
    self = raw.with(ending: "it did not repeat")
    secondOutcome = second
  }

  /// A failure that the corpus holds and that shows again; nil if the verdict is none.
  init?(stored file: CaseFile, of subject: String, _ sample: CodingSample, _ verdict: Verdict) {
    guard let key = FailureKey(law: file.law, verdict) else { return nil }
    self.subject = subject
    self.key = key
    difference = verdict.difference
    self.sample = sample
    choices = file.choices
    seed = file.seed ?? Seed(value: 0)
    caseIndex = file["case"].flatMap { Int($0) } ?? 0
    let isRaw = file[CaseFile.stateKey] == ShrunkFailure.notShrunk
    ending = isRaw ? "stored, \(ShrunkFailure.notShrunk)" : "stored"
    isStored = true
    firstSeen = file[CaseFile.Key.firstSeen.rawValue]
  }

  private func with(ending: String) -> CoderFailure {
    CoderFailure(
      subject: subject,
      key: key,
      difference: difference,
      sample: sample,
      choices: choices,
      seed: seed,
      caseIndex: caseIndex,
      ending: ending
    )
  }

  private init(
    subject: String,
    key: FailureKey,
    difference: Difference,
    sample: CodingSample,
    choices: [Choice],
    seed: Seed,
    caseIndex: Int,
    ending: String
  ) {
    self.subject = subject
    self.key = key
    self.difference = difference
    self.sample = sample
    self.choices = choices
    self.seed = seed
    self.caseIndex = caseIndex
    self.ending = ending
  }

  package var caseFile: CaseFile {
    var file = CaseFile(
      law: key.law,
      subjects: [subject],
      kind: key.kind,
      seed: seed,
      choices: choices,
      sampleFormat: CodingSample.formName,
      sample: sample.text
    )
    file.set("case", to: "\(caseIndex)")
    file.set("shows", to: difference.summary)
    if let expected = difference.expected { file.set("expected", to: expected) }
    if let actual = difference.actual { file.set("actual", to: actual) }
    if isRaw { file.set(CaseFile.stateKey, to: ending) }
    if let firstSeen { file.set(.firstSeen, to: firstSeen) }
    return file
  }

  package var slug: String { Campaigns.slug("\(subject)--\(key.law)--\(key.kind)") }

  package var headline: String {
    "\(key.law) on \(subject): \(difference.summary) (model \(sample.model), size \(sample.size)"
      + (firstSeen.map { ", first seen \($0)" } ?? "") + ")"
  }

  /// The failure as reports tell it: the sample stands where a history would.
  var reported: Report.Failure {
    var failure = Report.Failure(
      id: slug,
      law: key.law,
      subject: subject,
      oracle: nil,
      kind: secondOutcome != nil ? .flaky : key.isError ? .errored : .violated,
      differenceKind: key.kind,
      summary: difference.summary + (secondOutcome.map { ", but the second run \($0)" } ?? ""),
      expected: difference.expected,
      actual: difference.actual,
      caseIndex: caseIndex,
      caseCount: caseCount,
      file: Report.Failure.file(of: slug),
      replayCommand: Report.Failure.replayCommand(of: slug),
      size: sample.size,
      replicas: 0,
      shrinkSteps: shrinkSteps,
      shrinkEnding: ending,
      history: sample.lines,
      timeline: [],
      firstSeen: firstSeen
    )
    failure.model = sample.model
    failure.reproducer = Report.Failure.reproducer(of: slug)
    return failure
  }
}

extension CodingSample {
  /// The text form, line by line.
  package var lines: [String] { text.split(separator: "\n").map(String.init) }
}

extension FailureKey {
  /// The key of a failing case; nil if it did not fail.
  init?(_ found: CodingRun.Case) {
    self.init(law: found.law, found.verdict)
  }

  init?(law: String, _ verdict: Verdict) {
    switch verdict {
    case .violated(let difference): self.init(law: law, isError: false, kind: difference.kind)
    case .errored: self.init(law: law, isError: true, kind: "errored")
    case .held, .known, .skipped: return nil
    }
  }
}

extension Verdict {
  /// What differs; for a verdict without a difference, its words.
  var difference: Difference {
    switch self {
    case .violated(let difference), .known(let difference, _): difference
    case .errored(let words): Difference(kind: "errored", summary: words)
    case .skipped(let reason): Difference(kind: "skipped", summary: reason)
    case .held: Difference(kind: "held", summary: "it held")
    }
  }
}
