/// What a law says, apart from the samples it is judged on.
package struct LawStatement: Hashable, Sendable {
  /// Stable dotted name, such as `merge.commutes`: small letters, digits and hyphens.
  package let name: String
  /// What the law promises, as in "Replicas converge", in eight plain words at most.
  package let title: String
  /// Exactly what is demanded; the title again where that says it all.
  package let sentence: String
  /// Where the statement comes from.
  package let source: LawSource
  /// What a person can do about a violation; `nil` if that depends on who is judged.
  package let advice: String?

  /// A law whose title says exactly what is demanded needs no sentence beside it.
  package init(
    _ name: String,
    _ title: String,
    _ sentence: String? = nil,
    source: LawSource,
    advice: String? = nil
  ) {
    self.name = name
    self.title = title
    self.sentence = sentence ?? title
    self.source = source
    self.advice = advice
  }

  /// Title and sentence in one line, without saying one thing twice.
  package var text: String { title == sentence ? title : "\(title) \(sentence)" }
}

/// A law in the form in which its catalogue writes it.
package protocol StatedLaw: Sendable {
  var statement: LawStatement { get }
}

extension Sequence where Element: StatedLaw {
  /// The laws with these names.
  package func named(_ names: Set<String>) -> [Element] {
    filter { names.contains($0.statement.name) }
  }
}

/// What came of judging one sample by one law.
package struct Judgement: Codable, Sendable {
  package var verdict: Verdict
  /// Which of the subject's listed divergences explains a known violation, by its position.
  package var divergence: Int?
  /// Seconds that judging took, where they are measured for each law.
  package var seconds = 0.0

  package init(_ verdict: Verdict, divergence: Int? = nil, seconds: Double = 0) {
    self.verdict = verdict
    self.divergence = divergence
    self.seconds = seconds
  }
}

/// A statement that holds for all samples of one kind.
///
/// It is everything that a run needs: what it says, where samples come from, how one is judged, and
/// how one is written down. A catalogue whose laws are written in another form, such as a plan of
/// questions to a subject, lowers them to this one.
package struct Law<Sample>: Sendable {
  package let statement: LawStatement
  /// How samples are written down.
  package let form: SampleForm<Sample>
  /// Runs in one of every `costs` cases of its catalogue; 1 for all but expensive laws.
  package let costs: Int
  /// Draws a sample: a pure function of the choices.
  ///
  /// Throws ``Skipped`` if the law speaks of no sample, and anything else if none can be made.
  package let draw: @Sendable (inout Choices) throws -> Sample
  /// Judges a sample.
  package let judge: @Sendable (Sample) -> Judgement

  /// A law whose samples and judgement are given as they are.
  package init(
    _ statement: LawStatement,
    form: SampleForm<Sample>,
    costs: Int = 1,
    draw: @escaping @Sendable (inout Choices) throws -> Sample,
    judge: @escaping @Sendable (Sample) -> Judgement
  ) {
    self.statement = statement
    self.form = form
    self.costs = costs
    self.draw = draw
    self.judge = judge
  }

  /// A law over the samples of a generator.
  ///
  /// `check` finds where a sample breaks the law, `nil` if it does not. It throws ``Skipped`` if the
  /// law does not apply, and anything else if the subject failed.
  package init(
    _ name: String,
    _ title: String,
    _ sentence: String? = nil,
    source: LawSource,
    form: SampleForm<Sample> = .printed,
    costs: Int = 1,
    forAll samples: Generator<Sample>,
    check: @escaping @Sendable (Sample) throws -> Difference?
  ) {
    self.init(
      LawStatement(name, title, sentence, source: source),
      form: form,
      costs: costs,
      draw: { samples.draw(&$0) },
      judge: { Judgement(Verdict(of: $0, check)) }
    )
  }

  /// Returns the law with `name` as the side of differences that show a value and name no side.
  package func lookingAt(_ name: String) -> Law {
    judgingVerdicts { verdict in
      switch verdict {
      case .violated(let found): .violated(found.lookingAt(name))
      case .known(let found, let reason): .known(found.lookingAt(name), reason: reason)
      case .held, .errored, .skipped: verdict
      }
    }
  }

  /// Returns the law, violated by whatever its check throws: it calls what the subject must carry out.
  package func demandingAnswers() -> Law {
    judgingVerdicts { verdict in
      guard case .errored(let reason) = verdict else { return verdict }
      return .violated(
        Difference(
          kind: "call.refused",
          summary: "a call was refused that should have been carried out: \(reason)",
          expected: "no refusal"
        )
      )
    }
  }

  private func judgingVerdicts(_ judgeVerdict: @escaping @Sendable (Verdict) -> Verdict) -> Law {
    Law(statement, form: form, costs: costs, draw: draw) { [judge] sample in
      var judgement = judge(sample)
      judgement.verdict = judgeVerdict(judgement.verdict)
      return judgement
    }
  }

  package var name: String { statement.name }

  /// The same law with samples that are written down in another form.
  package func written(as form: SampleForm<Sample>) -> Law {
    Law(statement, form: form, costs: costs, draw: draw, judge: judge)
  }

  /// Holds one sample to the law.
  package func verdict(of sample: Sample) -> Verdict {
    judge(sample).verdict
  }
}

extension Verdict {
  /// What a check says of a sample: the difference that it finds, or what it throws.
  ///
  /// - Parameters:
  ///   - sample: What is judged.
  ///   - thrown: The verdict of an error that is not ``Skipped``; without it nothing can be said.
  ///   - check: Finds where the sample breaks the law; `nil` if it does not.
  package init<Sample>(
    of sample: Sample,
    thrown: (any Error) -> Verdict = { .errored("\($0)") },
    _ check: (Sample) throws -> Difference?
  ) {
    do {
      self = try check(sample).map { .violated($0) } ?? .held
    } catch let skipped as Skipped {
      self = .skipped(skipped.reason)
    } catch {
      self = thrown(error)
    }
  }
}
