import ModelGeneration
package import PropertyEngine

// From a law of coders to the law that a run takes, and samples to and from their text. Used by
// `Campaigns` (lanes and stored cases), `FuzzEntryPoints` and `Touchstone`.

extension CodingLaw {
  /// The law as a run takes it: its samples out of the pool's models, judged on one coder.
  ///
  /// A law that says nothing of the coder is skipped in each of its cases.
  ///
  /// Parsing differs from the usual form: a stored text is held to what the law draws at least, so
  /// that checks may index `values[0]` and `trees[0]` without a guard. Lines of a case file may be
  /// written by hand.
  package func lowered(on subject: any CoderSubject, _ pool: ModelPool) -> Law<CodingSample> {
    Law(
      statement,
      form: .coding.parsing { try stored($0, pool) },
      costs: costs,
      draw: { choices in
        if let reason = reasonToSkip(subject) { throw Skipped(reason) }
        return try sample(on: pool, &choices)
      },
      judge: { judgement(on: $0, subject: subject, pool: pool) }
    )
  }

  /// Reads a sample that was stored for the law, by whomever.
  ///
  /// - Throws: What reading the text throws, ``CodingSampleError`` for a sample of another model than the law's, or with
  ///   fewer parts than the simplest that the law draws, on which its check counts, and what the law's `reads` throws.
  private func stored(_ text: String, _ pool: ModelPool) throws -> CodingSample {
    let sample = try CodingSample(text: text)
    guard let model = pool.model(sample.model) else { return sample }
    guard models(model) else { throw CodingSampleError(missing: "model") }
    let simplest = try simplest(of: model)
    let parts = [
      ("values", sample.values.count, simplest.values.count),
      ("trees", sample.trees.count, simplest.trees.count),
      ("numbers", sample.numbers.count, simplest.numbers.count),
    ]
    // More parts than due are no error: laws that draw up to a limit have samples of all lengths.
    for (name, found, due) in parts where found < due { throw CodingSampleError(missing: name) }
    try reads(sample)
    return sample
  }

  /// The sample that has the fewest parts.
  ///
  /// Choices that replay an empty list are all zero, and give the simplest of all. Where that value lacks
  /// what the law speaks of, it is one of the first that has it.
  private func simplest(of model: Model) throws -> CodingSample {
    for stream in 0..<64 {
      var sample = CodingSample(model: model.name)
      var choices =
        stream == 0 ? Choices(replaying: []) : Choices(seed: Seed(value: UInt64(stream)))
      do {
        try draw(model, &sample, &choices)
        return sample
      } catch is Skipped {}
    }
    throw Skipped("the law has no sample of \(model.name)")
  }
}

extension SampleForm<CodingSample> {
  /// Samples of coders: `coding 1`.
  package static let coding = SampleForm(
    name: FormName("coding", version: 1),
    plural: "samples of coders",
    render: { $0.text },
    parse: { try CodingSample(text: $0) },
    size: { $0.size },
    measure: { "model \($0.model), size \($0.size)" },
    count: { sample, coverage in
      coverage.add(CodingCoverage.tally(of: sample), in: CodingCoverage.samples)
    }
  )
}
