package import PropertyEngine

/// Holds one coder to laws, case after case, and makes what fails small.
///
/// Case `i` asks law `i` of the list, round and round, and draws from stream `i` of the seed: the
/// outcome is a function of subject, shelf, laws, seed and number of cases.
package struct CodingRun {
  /// What the cases of one law came to.
  package struct Totals: Hashable, Sendable {
    package var held = 0
    package var violated = 0
    package var known = 0
    package var errored = 0
    package var skipped = 0
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
        sampleFormat: "coding \(CodingSample.textVersion)",
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
    guard !laws.isEmpty else { return outcome }
    for index in 0..<max(0, cases) where !shouldStop() {
      let law = laws[index % laws.count]
      var choices = Choices(seed: seed.stream(UInt64(index)))
      let (sample, verdict) = judge(law, &choices)
      outcome.caseCount += 1
      outcome.totals[law.name, default: Totals()].count(verdict)
      if case .known(let difference, _) = verdict, let sample {
        outcome.shown.formUnion(
          subject.divergences.filter { $0.explains(law.name, difference, sample) }
        )
      }
      guard let kind = verdict.failureKind else { continue }
      let known = outcome.failures.firstIndex {
        $0.law == law.name && $0.verdict.failureKind == kind
      }
      if let known {
        outcome.failures[known].caseCount += 1
      } else if let failure = shrink(law, choices, verdict, index, shrinkLimit, shouldStop) {
        outcome.failures.append(failure)
      }
    }
    return outcome
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

  private func shrink(
    _ law: CodingLaw,
    _ original: Choices,
    _ verdict: Verdict,
    _ index: Int,
    _ limit: Int,
    _ shouldStop: () -> Bool
  ) -> Failure? {
    var shrinker = Shrinker(
      failing: original.recorded,
      spans: original.spans,
      stepLimit: limit
    )
    let shrunk = shrinker.run(
      { candidate in
        var choices = Choices(replaying: candidate)
        let found = judge(law, &choices).verdict
        return ShrinkAttempt(choices, fails: found.isSameFailure(as: verdict))
      },
      shouldStop: shouldStop
    )
    var choices = Choices(replaying: shrunk.values)
    let (sample, last) = judge(law, &choices)
    guard let sample, last.failureKind != nil else { return nil }
    return Failure(
      law: law.name,
      subject: subject.id,
      verdict: last,
      sample: sample,
      seed: seed,
      caseIndex: index,
      shrunk: shrunk
    )
  }

  /// Judges a stored case again: the sample in it, not what its choices make today.
  ///
  /// - Throws: `TreeTextError` or ``CodingSampleError`` if the case holds no sample of a coder.
  package func replay(_ file: CaseFile) throws -> Verdict {
    guard file.sampleFormat == "coding \(CodingSample.textVersion)" else {
      throw CodingSampleError(missing: "form: it is \(file.sampleFormat)")
    }
    let sample = try CodingSample(text: file.sample)
    guard let law = laws.first(where: { $0.name == file.law }) else {
      return .skipped("there is no law \(file.law)")
    }
    return law.verdict(on: sample, subject: subject, shelf: shelf)
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
