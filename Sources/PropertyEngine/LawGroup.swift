/// What came of judging one sample by the laws of a group.
package struct JudgedCase {
  /// In the order of the laws; an error of the subject counts for all of them.
  package var verdicts: [(law: String, judgement: Judgement)] = []
  package var findings: [Finding] = []
  /// Seconds that the subject, and the oracle, took to answer, where they are measured.
  package var subjectSeconds = 0.0
  package var oracleSeconds = 0.0
  /// `nil` if no sample could be drawn.
  package fileprivate(set) var sample: JudgedSample?
  /// What drawing threw.
  package fileprivate(set) var drawError: (any Error)?

  package init() {}

  /// A case that was judged elsewhere.
  package init(
    _ verdicts: [(law: String, judgement: Judgement)],
    findings: [Finding],
    sample: JudgedSample?
  ) {
    self.verdicts = verdicts
    self.findings = findings
    self.sample = sample
  }

  /// A case whose findings are the failures among the verdicts.
  package init(_ verdicts: [(law: String, judgement: Judgement)]) {
    self.verdicts = verdicts
    findings = verdicts.compactMap { Finding(law: $0.law, $0.judgement.verdict) }
  }

  /// Whether anything was said of the subject: a law was judged and not skipped, or the subject itself failed.
  package var isJudged: Bool {
    !findings.isEmpty
      || verdicts.contains { if case .skipped = $0.judgement.verdict { false } else { true } }
  }

  /// The verdict of one law; `nil` if it was not asked.
  package func verdict(of law: String) -> Verdict? {
    verdicts.first { $0.law == law }?.judgement.verdict
  }

  /// The same failure as another, if the case shows it.
  package func finding(like other: Finding) -> Finding? {
    findings.first { $0.isSameFailure(as: other) }
  }

  /// What the case says of one law alone, and of whether the subject answers.
  fileprivate func narrowed(to law: String) -> JudgedCase {
    var result = self
    result.verdicts = verdicts.filter { $0.law == law }
    result.findings = findings.filter { $0.key.law == law || $0.key.law == FailureKey.answers }
    return result
  }

  /// What the case came to, in a few words.
  package var outcome: String { findings.first?.outcome ?? "held" }
}

/// A sample that was judged, of whatever type.
package struct JudgedSample {
  /// The sample itself.
  package let value: Any
  /// The sample as text; rendered when it is asked for.
  package let stored: () -> StoredSample
  package let count: (inout Coverage) -> Void
  /// Number of parts that can be left out.
  package let partCount: Int
  /// Judges the sample without one of its parts.
  package let without: (_ part: Int, JudgingRequest) -> JudgedCase

  package init(
    value: Any,
    stored: @escaping () -> StoredSample,
    count: @escaping (inout Coverage) -> Void,
    partCount: Int,
    without: @escaping (_ part: Int, JudgingRequest) -> JudgedCase
  ) {
    self.value = value
    self.stored = stored
    self.count = count
    self.partCount = partCount
    self.without = without
  }
}

/// What a run asks of a group, besides the sample.
package struct JudgingRequest: Sendable {
  /// The law that alone matters, by its name: no more is asked than it needs; `nil` for all.
  package var law: String?
  /// Seconds since some moment.
  package var clock: @Sendable () -> Double
  /// Whether the sample alone is wanted: it is drawn, and no law is asked.
  package var drawsOnly: Bool

  package init(
    law: String? = nil,
    clock: @escaping @Sendable () -> Double = { 0 },
    drawsOnly: Bool = false
  ) {
    self.law = law
    self.clock = clock
    self.drawsOnly = drawsOnly
  }
}

/// Laws that are judged on the same samples, whatever the samples are.
///
/// A law by itself is a group. Laws of documents share a group: one program asks a subject for all of
/// them, and one case has a verdict for each.
///
///     group                     a case draws             verdicts of a case
///     a law of coders           the law's own sample     one
///     the laws of documents     one history              one for each law; `skipped` where it does not apply
package struct LawGroup: Sendable {
  package let laws: [LawStatement]
  /// The samples' text form.
  package let formName: FormName
  /// Whether four of five cases go to this group; the other groups share the rest.
  package let isShared: Bool
  /// Runs in one of every `costs` of its turns, if there are groups that use each of their turns.
  package let costs: Int

  private let judgeDrawn: @Sendable (inout Choices, JudgingRequest) -> JudgedCase
  private let judgeText: @Sendable (String, JudgingRequest) throws -> JudgedCase

  /// A group of one law.
  ///
  /// `attemptLimit` is the number of candidates that shrinking may try at most, where each is
  /// expensive; such a group takes one in `costs` of its turns, by default those of the law.
  package init<Sample>(_ law: Law<Sample>, attemptLimit: Int? = nil, costs: Int? = nil) {
    self.init(
      [law.statement],
      form: law.form,
      costs: costs ?? law.costs,
      draw: law.draw
    ) { sample, request in
      let start = request.clock()
      var judgement = law.judge(sample)
      judgement.seconds = request.clock() - start
      var judged = JudgedCase([(law.name, judgement)])
      if let attemptLimit {
        judged.findings = judged.findings.map { $0.limited(to: attemptLimit) }
      }
      return judged
    }
  }

  /// A group whose laws are judged together.
  package init<Sample>(
    _ laws: [LawStatement],
    form: SampleForm<Sample>,
    isShared: Bool = false,
    costs: Int = 1,
    draw: @escaping @Sendable (inout Choices) throws -> Sample,
    judge: @escaping @Sendable (Sample, JudgingRequest) -> JudgedCase
  ) {
    self.laws = laws
    self.isShared = isShared
    self.costs = costs
    formName = form.name
    judgeDrawn = { choices, request in
      let asked = laws.filter { request.law == nil || $0.name == request.law }
      do {
        return judged(try draw(&choices), form: form, for: request, by: judge)
      } catch let skipped as Skipped {
        return JudgedCase(asked.map { ($0.name, Judgement(.skipped(skipped.reason))) })
      } catch {
        var result = JudgedCase(asked.map { ($0.name, Judgement(.errored("\(error)"))) })
        result.drawError = error
        return result
      }
    }
    judgeText = { text, request in judged(try form.parse(text), form: form, for: request, by: judge)
    }
  }

  /// The same laws, judged by others: in a process of their own, say.
  package init(
    _ group: LawGroup,
    judgeDrawn: @escaping @Sendable (inout Choices, JudgingRequest) -> JudgedCase,
    judgeStored: @escaping @Sendable (StoredSample, JudgingRequest) throws -> JudgedCase
  ) {
    laws = group.laws
    formName = group.formName
    isShared = group.isShared
    costs = group.costs
    let form = group.formName
    self.judgeDrawn = judgeDrawn
    judgeText = { text, request in
      try judgeStored(StoredSample(form: form, text: text, size: 0, measure: ""), request)
    }
  }

  private init(_ group: LawGroup, only law: LawStatement) {
    laws = [law]
    formName = group.formName
    isShared = group.isShared
    costs = group.costs
    judgeDrawn = { choices, request in
      var request = request
      request.law = law.name
      return group.judgeDrawn(&choices, request).narrowed(to: law.name)
    }
    judgeText = { text, request in
      var request = request
      request.law = law.name
      return try group.judgeText(text, request).narrowed(to: law.name)
    }
  }

  /// Draws a sample and judges it.
  package func judge(
    _ choices: inout Choices,
    _ request: JudgingRequest = JudgingRequest()
  ) -> JudgedCase {
    judgeDrawn(&choices, request)
  }

  /// Judges a sample that was stored.
  ///
  /// - Throws: ``UnreadableSample`` for another form, and what reading the text throws.
  package func judge(
    _ sample: StoredSample,
    _ request: JudgingRequest = JudgingRequest()
  ) throws -> JudgedCase {
    guard sample.form == formName else {
      throw UnreadableSample(form: sample.form, expected: "\(formName)")
    }
    return try judgeText(sample.text, request)
  }

  /// The same samples for one of the laws alone; `nil` if the group does not have it.
  package func narrowed(to law: String) -> LawGroup? {
    laws.first { $0.name == law }.map { LawGroup(self, only: $0) }
  }
}

private func judged<Sample>(
  _ sample: Sample,
  form: SampleForm<Sample>,
  for request: JudgingRequest,
  by judge: @escaping @Sendable (Sample, JudgingRequest) -> JudgedCase
) -> JudgedCase {
  var result = request.drawsOnly ? JudgedCase() : judge(sample, request)
  result.sample = JudgedSample(
    value: sample,
    stored: { StoredSample(sample, form) },
    count: { coverage in
      form.count(sample, &coverage)
      if let kind = form.plural { coverage.add(sample: form.render(sample), of: kind) }
    },
    partCount: form.parts?.count(sample) ?? 0,
    without: { part, request in
      judged(form.parts?.removing(part, sample) ?? sample, form: form, for: request, by: judge)
    }
  )
  return result
}
