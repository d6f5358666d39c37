package import PropertyEngine

/// Holds one coder to laws, case after case, and makes what fails small.
///
/// Case `i` asks law `i` of the list, round and round, and draws from stream `i` of the seed: the
/// outcome is a function of subject, shelf, laws, seed and number of cases.
package struct CodingRun: Sendable {
  /// What the cases of one law came to.
  package struct Totals: Hashable, Sendable {
    package var held = 0
    package var violated = 0
    package var known = 0
    package var errored = 0
    package var skipped = 0
  }

  /// One case, judged.
  package struct Case: Sendable {
    package let index: Int
    package let law: String
    /// Nil if none could be drawn.
    package let sample: CodingSample?
    package let verdict: Verdict
    /// What the sample was drawn from.
    package let choices: Choices

    /// The class of a failure; nil for what is none.
    package var failureKind: String? { verdict.failureKind }
  }

  /// One way in which the subject breaks a law: the first case that showed it, shrunk.
  package struct Failure: Sendable {
    package let law: String
    package let subject: String
    package let verdict: Verdict
    package let sample: CodingSample
    package let seed: Seed
    package let caseIndex: Int
    /// Cases of the run that showed the same.
    package internal(set) var caseCount = 1
    package let shrunk: ShrinkResult

    /// The failure as a case that outlives the generators.
    package var caseFile: CaseFile {
      var file = CaseFile(
        law: law,
        subjects: [subject],
        kind: verdict.failureKind ?? "",
        seed: seed,
        choices: shrunk.recorded,
        sampleFormat: CodingSample.formName,
        sample: sample.text
      )
      file.set("case", to: "\(caseIndex)")
      if case .violated(let difference) = verdict { file.set("shows", to: difference.summary) }
      return file
    }
  }

  package struct Outcome: Sendable {
    /// By the law's name.
    package internal(set) var totals: [String: Totals] = [:]
    /// In the order of the laws, one for each kind of difference.
    package internal(set) var failures: [Failure] = []
    /// Those of the subject's listed divergences that showed.
    package internal(set) var shown: Set<CoderDivergence> = []
    package internal(set) var caseCount = 0
  }

  private let subject: any CoderSubject
  private let shelf: ModelShelf
  private let laws: [CodingLaw]
  private let seed: Seed

  package init(
    _ subject: any CoderSubject,
    on shelf: ModelShelf,
    laws: [CodingLaw] = CodingLaw.all,
    seed: Seed
  ) {
    self.subject = subject
    self.shelf = shelf
    self.laws = laws
    self.seed = seed
  }

  /// Runs so many cases; shrinking one failure tries at most `shrinkLimit` candidates.
  package func run(
    cases: Int,
    shrinkLimit: Int = 1000,
    shouldStop: () -> Bool = { false }
  ) -> Outcome {
    var outcome = Outcome()
    for index in 0..<max(0, cases) where !shouldStop() {
      guard let found = judge(case: index) else { break }
      outcome.caseCount += 1
      outcome.totals[found.law, default: Totals()].count(found.verdict)
      if let known = knownDivergence(of: found) { outcome.shown.insert(known) }
      guard let kind = found.failureKind else { continue }
      let known = outcome.failures.firstIndex {
        $0.law == found.law && $0.verdict.failureKind == kind
      }
      if let known {
        outcome.failures[known].caseCount += 1
      } else if let failure = shrink(found, stepLimit: shrinkLimit, shouldStop: shouldStop) {
        outcome.failures.append(failure)
      }
    }
    return outcome
  }

  /// Draws a case and judges it; nil if there is no law.
  package func judge(case index: Int) -> Case? {
    guard !laws.isEmpty else { return nil }
    let law = laws[index % laws.count]
    return judge(law, Choices(seed: seed.stream(UInt64(index))), index)
  }

  /// Judges what a law draws from given choices; nil if there is no such law.
  package func judge(law name: String, _ choices: Choices, index: Int = 0) -> Case? {
    laws.first { $0.name == name }.map { judge($0, choices, index) }
  }

  private func judge(_ law: CodingLaw, _ choices: Choices, _ index: Int) -> Case {
    var choices = choices
    let (sample, verdict) = judge(law, &choices)
    return Case(index: index, law: law.name, sample: sample, verdict: verdict, choices: choices)
  }

  /// The listed divergence by which a case is known.
  package func knownDivergence(of found: Case) -> CoderDivergence? {
    guard case .known(let difference, _) = found.verdict, let sample = found.sample else {
      return nil
    }
    return subject.divergences.first { $0.explains(found.law, difference, sample) }
  }

  private func judge(
    _ law: CodingLaw,
    _ choices: inout Choices
  ) -> (sample: CodingSample?, verdict: Verdict) {
    if let reason = law.reasonToSkip(subject) { return (nil, .skipped(reason)) }
    do {
      let sample = try law.sample(on: shelf, &choices)
      return (sample, law.verdict(on: sample, subject: subject, shelf: shelf))
    } catch let skipped as Skipped {
      return (nil, .skipped(skipped.reason))
    } catch {
      // A model refused to be recorded, or cannot be derived.
      return (nil, .errored("\(error)"))
    }
  }

  /// Makes a failing case small; nil if it does not fail again.
  ///
  /// `onSmaller` hears the number of choices of each smaller case.
  package func shrink(
    _ found: Case,
    stepLimit: Int,
    shouldStop: () -> Bool = { false },
    onSmaller: (Int) -> Void = { _ in }
  ) -> Failure? {
    guard let law = laws.first(where: { $0.name == found.law }) else { return nil }
    var shrinker = Shrinker(
      failing: found.choices.recorded,
      spans: found.choices.spans,
      stepLimit: stepLimit
    )
    var best = found.choices.recorded.count
    let shrunk = shrinker.run(
      { candidate in
        var choices = Choices(replaying: candidate)
        let verdict = judge(law, &choices).verdict
        let fails = verdict.isSameFailure(as: found.verdict)
        if fails, choices.recorded.count < best {
          best = choices.recorded.count
          onSmaller(best)
        }
        return ShrinkAttempt(choices, fails: fails)
      },
      shouldStop: shouldStop
    )
    var choices = Choices(replaying: shrunk.values)
    let (sample, last) = judge(law, &choices)
    guard let sample, last.isSameFailure(as: found.verdict) else { return nil }
    return Failure(
      law: law.name,
      subject: subject.id,
      verdict: last,
      sample: sample,
      seed: seed,
      caseIndex: found.index,
      shrunk: shrunk
    )
  }

  /// Judges a stored case again: the sample in it, not what its choices make today.
  ///
  /// - Throws: `TreeTextError` or ``CodingSampleError`` if the case holds no sample of a coder.
  package func replay(_ file: CaseFile) throws -> Verdict {
    let sample = try CodingSample(file)
    guard let law = laws.first(where: { $0.name == file.law }) else {
      return .skipped("there is no law \(file.law)")
    }
    return law.verdict(on: sample, subject: subject, shelf: shelf)
  }
}

extension CodingSample {
  /// The name of the text form in case files.
  package static let formName = "coding \(textVersion)"

  /// Whether a case is of a coder, in whatever version of the form.
  package static func isSample(of file: CaseFile) -> Bool {
    file.sampleFormat.hasPrefix("coding ")
  }

  /// The sample that a case holds.
  ///
  /// - Throws: `TreeTextError` or ``CodingSampleError`` if it holds none of this version.
  package init(_ file: CaseFile) throws {
    guard file.sampleFormat == Self.formName else {
      throw CodingSampleError(missing: "form: it is \(file.sampleFormat)")
    }
    try self.init(text: file.sample)
  }
}

extension CodingRun.Totals {
  fileprivate mutating func count(_ verdict: Verdict) {
    switch verdict {
    case .held: held += 1
    case .violated: violated += 1
    case .known: known += 1
    case .errored: errored += 1
    case .skipped: skipped += 1
    }
  }
}

extension Verdict {
  /// The class of a failure; nil for what is none.
  fileprivate var failureKind: String? {
    switch self {
    case .violated(let difference): difference.kind
    case .errored: "errored"
    case .held, .known, .skipped: nil
    }
  }
}
