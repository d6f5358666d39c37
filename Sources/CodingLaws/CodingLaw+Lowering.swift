package import PropertyEngine

extension CodingLaw {
  /// The law as a run takes it: its samples out of the shelf's models, judged on one coder.
  ///
  /// A law that says nothing of the coder is skipped in each of its cases.
  package func lowered(on subject: any CoderSubject, _ shelf: ModelShelf) -> Law<CodingSample> {
    Law(
      statement,
      form: .coding,
      draw: { choices in
        if let reason = reasonToSkip(subject) { throw Skipped(reason) }
        return try sample(on: shelf, &choices)
      },
      judge: { sample in
        let verdict = verdict(on: sample, subject: subject, shelf: shelf)
        var judgement = Judgement(verdict)
        if case .known(let difference, _) = verdict {
          judgement.divergence = subject.divergences.firstIndex {
            $0.explains(name, difference, sample)
          }
        }
        return judgement
      }
    )
  }
}

extension LawRun {
  /// A run of laws on one coder: each case asks the next law, round and round.
  package init(
    _ laws: [CodingLaw] = CodingLaw.all,
    on subject: any CoderSubject,
    _ shelf: ModelShelf,
    seed: Seed,
    clock: @escaping @Sendable () -> Double = { 0 }
  ) {
    self.init(
      laws.map { LawGroup($0.lowered(on: subject, shelf)) },
      on: [subject.id],
      seed: seed,
      clock: clock
    )
  }
}

extension SampleForm<CodingSample> {
  /// Samples of coders: `coding 1`.
  package static let coding = SampleForm(
    name: "coding \(CodingSample.textVersion)",
    render: { $0.text },
    parse: { try CodingSample(text: $0) },
    size: { $0.size },
    measure: { "model \($0.model), size \($0.size)" }
  )
}

extension CodingSample {
  /// Whether a case is of a coder, in whatever version of the form.
  package static func isSample(of file: CaseFile) -> Bool {
    file.sampleFormat.hasPrefix("coding ")
  }

  /// The sample that a case holds.
  ///
  /// - Throws: `TreeTextError`, ``CodingSampleError`` or `UnreadableSample` if it holds none of this
  ///   version.
  package init(_ file: CaseFile) throws {
    let form = SampleForm<CodingSample>.coding.name
    guard file.sampleFormat == form else {
      throw UnreadableSample(form: file.sampleFormat, expected: form)
    }
    try self.init(text: file.sample)
  }

  /// The text form, line by line.
  package var lines: [String] { text.split(separator: "\n").map(String.init) }
}
