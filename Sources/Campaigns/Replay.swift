package import Histories
package import PropertyEngine
import Subjects

/// Judges stored cases: the sample in the case, not what today's generator would make of its choices.
package struct Replay {
  /// What came of judging a stored case again.
  package struct Outcome {
    package let law: String
    package let subject: String
    /// What the subject was held against; `nil` if it was judged alone.
    package let oracle: String?
    package let verdict: Verdict
    /// The sample that was judged.
    package let sample: StoredSample
    /// What the law called and what came back, where it is violated and the sample does not say it.
    package let calls: [String]

    package init(
      law: String,
      subject: String,
      oracle: String? = nil,
      verdict: Verdict,
      sample: StoredSample,
      calls: [String] = []
    ) {
      self.law = law
      self.subject = subject
      self.oracle = oracle
      self.verdict = verdict
      self.sample = sample
      self.calls = calls
    }
  }

  /// Why a case cannot be judged at all.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  private let lanes: [Lane]

  /// Lanes for the subjects that cases may name.
  package init(lanes: [Lane]) {
    self.lanes = lanes
  }

  /// The history that a case holds.
  package static func history(of file: CaseFile) throws -> History {
    let form = SampleForm<NormalisedHistory>.history.name
    guard file.sampleFormat == form else {
      throw UnreadableSample(form: file.sampleFormat, expected: "\(form)")
    }
    return try file.readingSample { try History(text: $0) }
  }

  /// The verdict of the case's law on its first subject.
  package func run(_ file: CaseFile) throws -> Outcome {
    let lane = try lane(for: file)
    let isAnswers = file.law == FailureKey.answers
    guard let entry = lane.entries.first(where: { isAnswers || $0.statement.name == file.law })
    else {
      throw Failure(
        description: Catalogue.lawNames.contains(file.law)
          ? "\(lane.subject.id) is not judged by \(file.law): that is a law of other subjects"
          : "there is no law \(file.law); `touchstone list laws` names them all"
      )
    }
    if !isAnswers, let reason = entry.inapplicable {
      return Outcome(
        law: file.law,
        subject: lane.subject.id,
        verdict: .skipped(reason),
        sample: file.stored
      )
    }
    guard let judged = try lane.run(seed: 0).judge(file) else {
      throw UnreadableSample(
        form: file.sampleFormat,
        expected: lane.groups.first?.formName.description
      )
    }
    let answered = judged.findings.first { $0.key.law == FailureKey.answers }
    let verdict =
      isAnswers
      ? answered.map {
        $0.key.isError ? .errored($0.difference.summary) : .violated($0.difference)
      } ?? .held
      : judged.verdict(of: file.law) ?? .skipped("the law says nothing of this subject")
    let sample = judged.sample?.stored() ?? file.stored
    let found = judged.findings.first { $0.key.law == file.law }
    return Outcome(
      law: file.law,
      subject: lane.subject.id,
      oracle: lane.oracle,
      verdict: verdict,
      sample: sample,
      calls: found.map { lane.illustrate(PropertyEngine.Failure(file, $0, sample), true).calls }
        ?? []
    )
  }

  /// Shrinks the case's sample further, by the choices that made it.
  ///
  /// - Returns: `nil` if they make none that fails so any more.
  /// - Throws: ``Replay/Failure`` if the case has no choices, or no subject that is set up.
  package func shrink(
    _ file: CaseFile,
    stepLimit: Int,
    onSmaller: (Int) -> Void
  ) throws -> PropertyEngine.Failure? {
    let lane = try lane(for: file)
    guard !file.choices.isEmpty else {
      throw Failure(description: "the case has no choices to make smaller: it was not drawn")
    }
    return lane.run(seed: file.seed ?? Seed(value: 0))
      .shrink(file, stepLimit: stepLimit, onSmaller: onSmaller)
  }

  /// The lane that holds the case's subject against the case's oracle, or against any.
  private func lane(for file: CaseFile) throws -> Lane {
    guard let id = file.subjects.first else {
      throw Failure(description: "the case names no subject")
    }
    guard
      let lane = lanes.first(where: { $0.isMeant(by: file) })
        ?? lanes.first(where: { $0.subject.id == id && $0.asks(file) })
        ?? lanes.first(where: { $0.subject.id == id })
    else {
      throw Failure(
        description:
          "the subject \(id) is not set up; `touchstone list subjects` names those that are"
      )
    }
    return lane
  }
}

extension StoredSample {
  /// The history that the sample is; `nil` if it is of another kind.
  package var history: History? {
    form == SampleForm<NormalisedHistory>.history.name ? try? History(text: text) : nil
  }
}

extension CaseFile {
  /// Whether a failure that its choices lead to has a smaller sample; `outcome` is what the stored one came to, `nil` if
  /// it cannot be read.
  ///
  /// A stored sample that does not fail is no measure, and a failure that did not repeat is no smaller one.
  package func isLarger(
    than small: PropertyEngine.Failure,
    judgedAs outcome: Replay.Outcome?
  ) -> Bool {
    guard small.otherwise == nil else { return false }
    switch outcome?.verdict {
    case .held, .known, .skipped, nil: return true
    case .violated, .errored: break
    }
    // The size of a sample at which a worker died may not be known.
    let size = outcome.flatMap { $0.sample.size > 0 ? $0.sample.size : nil } ?? small.sample.size
    guard small.sample.size == size else { return small.sample.size < size }
    let (length, smallLength) = (sample.utf8.count, small.sample.text.utf8.count)
    guard smallLength == length, small.sample.text != sample else { return smallLength < length }
    let (values, smallValues) = (choices.map(\.value), small.choices.map(\.value))
    guard smallValues.count == values.count else { return smallValues.count < values.count }
    return smallValues.lexicographicallyPrecedes(values)
  }
}
