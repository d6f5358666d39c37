/// One way in which a law is broken, or a subject fails: the smallest sample found, and what it shows.
///
/// A failure is kept and passed on as a case file, which it makes and is made from; a worker sends it to its run as it is.
package struct Failure: Codable, Sendable {
  /// How far a failure has come.
  ///
  ///     raw      ->  shrunk      it repeats, and the smallest sample found is reported
  ///     raw      ->  flaky       it does not: the run cannot be trusted
  ///     stored                   a case file of an earlier run that fails again, as it stands there
  package enum Stage: Codable, Hashable, Sendable {
    /// As it was found; it has not been repeated.
    case raw
    /// It repeated and was shrunk from `originalCount` choices in `steps` steps.
    case shrunk(steps: Int, ShrinkResult.Ending, originalCount: Int)
    /// It did not repeat after `steps` steps of shrinking; `otherwise` is what the last run came
    /// to.
    case flaky(steps: Int, otherwise: String)
    /// An earlier run stored it, small or, if `isRaw`, as it was found; it shows again.
    case stored(isRaw: Bool)
  }

  /// Ids of the subject that was judged and, where there is one, of what it is compared with.
  package let subjects: [String]
  package let key: FailureKey
  package let difference: Difference
  package let sample: StoredSample
  /// The choices that make the sample; none if it was stored without.
  package let choices: [Choice]
  package let seed: Seed?
  /// Number of the case that showed it first, from 0.
  package let caseIndex: Int
  /// Cases of the run that showed the same.
  package var caseCount = 1
  package let stage: Stage
  /// For each part of the sample, such as a step of a history, whether the failure goes away without
  /// it.
  package let essentialParts: [Bool]
  /// The day on which a corpus first had it, `2026-11-22`.
  package var firstSeen: String?
  /// Name of its files, which no other failure of the run has; `nil` until a run gives it one.
  package var name: String?

  package init(
    subjects: [String],
    _ finding: Finding,
    _ sample: StoredSample,
    choices: [Choice],
    seed: Seed?,
    caseIndex: Int,
    stage: Stage,
    essentialParts: [Bool] = []
  ) {
    self.subjects = subjects
    key = finding.key
    difference = finding.difference
    self.sample = sample
    self.choices = choices
    self.seed = seed
    self.caseIndex = caseIndex
    self.stage = stage
    self.essentialParts = essentialParts
  }

  /// A stored case that shows its failure again.
  package init(_ file: CaseFile, _ finding: Finding, _ sample: StoredSample) {
    self.init(
      subjects: file.subjects,
      finding,
      sample,
      choices: file.choices,
      seed: file.seed,
      caseIndex: file.caseIndex,
      stage: .stored(isRaw: file[.state] == Stage.raw.explanation)
    )
    firstSeen = file[.firstSeen]
  }

  /// Id of the subject that was judged.
  package var subject: String { subjects.first ?? "" }
  /// Id of what it is compared with.
  package var oracle: String? { subjects.dropFirst().first }

  /// Whether this is all that was found of it so far.
  package var isRaw: Bool { stage == .raw }
  /// Whether the corpus holds it already.
  package var isStored: Bool { if case .stored = stage { true } else { false } }
  /// What came of it when it was run again and did not repeat; `nil` if it did.
  package var otherwise: String? {
    if case .flaky(_, let otherwise) = stage { otherwise } else { nil }
  }
  /// Candidates that shrinking ran.
  package var shrinkSteps: Int {
    switch stage {
    case .shrunk(let steps, _, _), .flaky(let steps, _): steps
    case .raw, .stored: 0
    }
  }
  /// Why shrinking ended; `nil` if it did not run to an end of its own.
  package var ending: ShrinkResult.Ending? {
    if case .shrunk(_, let ending, _) = stage { ending } else { nil }
  }
  /// Whether shrinking was cut short by the caller.
  package var wasStopped: Bool { ending == .interrupted }

  /// The failure in one line.
  package var headline: String {
    "\(key.law) on \(subject): \(difference.summary) (\(sample.measure)"
      + (firstSeen.map { ", first seen \($0)" } ?? "") + ")"
  }

  /// The failure as a case that outlives the generators.
  package var caseFile: CaseFile {
    var file = CaseFile(
      law: key.law,
      subjects: subjects,
      kind: key.kind,
      seed: seed,
      choices: choices,
      sampleFormat: sample.form,
      sample: sample.text
    )
    // An input that a fuzzer found has no number.
    if seed != nil { file.set(.case, to: "\(caseIndex)") }
    file.set(difference)
    if isRaw { file.set(.state, to: stage.explanation) }
    if let firstSeen { file.set(.firstSeen, to: firstSeen) }
    return file
  }
}

extension CaseFile {
  /// Number of the case that showed the failure first; 0 if the file does not say.
  package var caseIndex: Int { max(0, self[.case].flatMap { Int($0) } ?? 0) }

  /// Says what the sample shows, and no more what another showed.
  package mutating func set(_ difference: Difference) {
    set(.shows, to: difference.summary)
    let names = difference.isOfPeers ? difference.labels : nil
    for (key, value) in [
      (Key.expected, difference.expected), (.actual, difference.actual),
      (.expectedSide, names?.expected), (.actualSide, names?.found),
    ] {
      if let value { set(key, to: value) } else { remove(key) }
    }
  }

  /// The difference that a finding tells in words, with what the headers say of its two sides.
  package func difference(_ summary: String, kind: String) -> Difference {
    let difference = Difference(
      kind: kind,
      summary: summary,
      expected: self[.expected],
      actual: self[.actual]
    )
    guard let first = self[.expectedSide], let second = self[.actualSide] else { return difference }
    return difference.between(first, second).ofPeers()
  }

  /// The same case with the smaller sample of a failure, and what that shows; everything else stays as it is.
  package func holding(_ small: Failure) -> CaseFile {
    var file = self
    file.replaceSample(by: small.sample, choices: small.choices)
    file.set(small.difference)
    if !small.isRaw { file.remove(.state) }
    return file
  }

  /// The sample as it was stored; its size is not known before it is read.
  package var stored: StoredSample {
    StoredSample(form: sampleFormat, text: sample, size: 0, measure: "")
  }
}

extension Failure.Stage {
  /// How shrinking ended, in words.
  package var explanation: String {
    switch self {
    case .raw: "not shrunk"
    case .shrunk(_, let ending, _): ending.explanation
    case .flaky: "it did not repeat"
    case .stored(let isRaw): isRaw ? "stored, not shrunk" : "stored"
    }
  }
}

extension ShrinkResult.Ending {
  /// The ending in words.
  package var explanation: String {
    switch self {
    case .finished: "nothing smaller that was tried fails"
    case .stepLimit: "the limit of attempts was reached"
    case .interrupted: "stopped early"
    }
  }
}
