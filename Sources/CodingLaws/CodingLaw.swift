import CodingSupport
package import ModelGeneration
package import PropertyEngine

// What a law of coders is, and how it judges one sample on one subject. Read beside it:
// `CodingSample.swift` (the data that is judged), `CodingTrial.swift` (what checks are written
// with), `CoderSubject.swift` (what a coder must offer). `Catalogue.swift` lists all laws.
// `CodingLaw+Lowering.swift` turns one into the `Law` that runs, fuzzers and `expectLaws(of:)`
// take.

/// A statement about what a coder does.
///
/// It is a pure function of its sample and of the subject: it keeps no state, so a stored sample is
/// judged by the law of its name without the choices that drew it. A law calls the subject in its
/// own process; a trap there ends the worker, and the run counts it against the subject
/// (Architecture.md, "Workers").
///
/// Worked example: `reencode.one-leaf` on the mutant `integers-compared-short`.
///
///     draw       values [{.. "int": int 1 ..}, {.. "int": int 4294967297 ..}] of the model `Scalars`
///     check      a document with the first value; encode the second; compare the document's tree with it
///     found      kind `tree.value` at `int`: expected int 4294967297, actual int 1
///     verdict    violated, unless the subject is listed for just that; then shrunk to the smallest such sample
package struct CodingLaw: StatedLaw {
  /// What it says, and where that comes from.
  package let statement: LawStatement
  /// What a subject must be able to do for the law to say anything of it.
  ///
  /// A subject that lacks one of them is skipped in each case, which the report tells; that is no
  /// failure.
  package let needs: Set<CoderFeature>
  /// Runs in one of every `costs` cases that are its turn; 1 for all but expensive laws.
  package let costs: Int
  /// Why it cannot be asked of a subject here, for want of something else; `nil` if it can.
  ///
  /// For what lies outside of the subject: json-c was not built in (`json.means-the-same`), no
  /// other implementation is at hand (`peer.*`).
  package let obstacle: @Sendable (any CoderSubject) -> String?
  /// Which models it speaks of.
  ///
  /// The filter is applied before a model is drawn, so a law of a few models meets one of them in
  /// each of its cases.
  package let models: @Sendable (Model) -> Bool
  /// Throws if a sample holds what the law cannot read, such as a misspelled event of a story.
  ///
  /// A stored sample is then refused, and any other skipped. Most laws read whatever trees and numbers there are.
  let reads: @Sendable (CodingSample) throws -> Void
  /// Fills a sample of a model.
  ///
  /// A pure function of the model and the choices. It may leave out a part that this value does not
  /// have (a list, a leaf that can change); the check then throws `Skipped`.
  package let draw: @Sendable (Model, inout CodingSample, inout Choices) throws -> Void
  /// Finds where a subject breaks the law; `nil` if it does not.
  ///
  /// Throws `Skipped` if the law does not apply, and anything else if the subject failed.
  ///
  /// It reads the sample alone, never the choices. It must stand any numbers and trees of a stored
  /// sample; the form promises only their counts (``lowered(on:_:)``).
  package var check: @Sendable (CodingTrial) throws -> Difference?

  package init(
    _ name: String,
    _ title: String,
    _ sentence: String? = nil,
    source: LawSource,
    needs: Set<CoderFeature> = [],
    costs: Int = 1,
    obstacle: @escaping @Sendable (any CoderSubject) -> String? = { _ in nil },
    models: @escaping @Sendable (Model) -> Bool = { _ in true },
    reads: @escaping @Sendable (CodingSample) throws -> Void = { _ in },
    draw: @escaping @Sendable (Model, inout CodingSample, inout Choices) throws -> Void,
    check: @escaping @Sendable (CodingTrial) throws -> Difference?
  ) {
    statement = LawStatement(name, title, sentence, source: source)
    self.needs = needs
    self.costs = costs
    self.obstacle = obstacle
    self.models = models
    self.reads = reads
    self.draw = draw
    self.check = check
  }

  package var name: String { statement.name }
  package var source: LawSource { statement.source }

  /// The first thing that a subject lacks, in words that go on from its name, or that is not at hand
  /// here; `nil` if the law speaks of it.
  ///
  /// The least in the order of the alphabet, so that one subject is skipped with the same words in
  /// each case.
  package func reasonToSkip(_ subject: any CoderSubject) -> String? {
    needs.subtracting(subject.features).map(\.lack).min() ?? obstacle(subject)
  }

  /// A sample out of the pool's models; the first model is the simplest.
  ///
  /// - Throws: `Skipped` if no model of the pool fits, or what deriving a value threw.
  package func sample(on pool: ModelPool, _ choices: inout Choices) throws -> CodingSample {
    let fitting = pool.models.filter(models)
    guard !fitting.isEmpty else { throw Skipped("no model fits") }
    let model = fitting[choices.pick(weights: fitting.map(\.weight))]
    var sample = CodingSample(model: model.name)
    try draw(model, &sample, &choices)
    return sample
  }

  /// Holds a subject to the law on one sample.
  ///
  /// A difference that the subject is listed for is known, and an unexpected error is a difference.
  ///
  /// In this order: skipped if the subject lacks something, the law cannot read the sample or the
  /// subject is known to trap, then asked, then compared with the divergences that the subject is
  /// listed for. A known divergence is reported and does not fail.
  ///
  /// An error that the check lets through counts as the subject's, of kind `coder.threw`. Three
  /// kinds do not: `Skipped`, `NotDerivable` (the model has no value for such a tree) and
  /// ``PeerFailure`` (another implementation crashed). The last two are *errored*, with which the
  /// run exits with 2: nothing was proved either way.
  ///
  ///     the check                                 the verdict
  ///     gives nil                                 held
  ///     gives a difference                        violated; known, if a divergence explains it
  ///     throws `Skipped`                          skipped
  ///     throws `NotDerivable`, `PeerFailure`      errored
  ///     throws anything else                      as a difference of kind `coder.threw`
  package func judgement(
    on sample: CodingSample,
    subject: any CoderSubject,
    pool: ModelPool
  ) -> Judgement {
    if let reason = reasonToSkip(subject) { return Judgement(.skipped(reason)) }
    guard let model = pool.model(sample.model) else {
      return Judgement(.skipped("there is no model \(sample.model)"))
    }
    do { try reads(sample) } catch { return Judgement(.skipped("\(error)")) }
    let trap = subject.divergences.first { $0.endsProcess && $0.concerns(name, sample) }
    if let trap {
      return Judgement(.skipped("\(subject.id) is known to trap here: \(trap.reason)"))
    }
    // A subject with memory gets a fresh one for each sample, or a verdict would hang on the samples
    // before it.
    let fresh = (subject as? any RememberingCoder)?.renewed() ?? subject
    let verdict = Verdict(
      of: CodingTrial(subject: fresh, model: model, sample: sample),
      thrown: { Self.complaint($0, of: subject) },
      check
    )
    return Judgement(verdict, of: name, on: sample, excusedBy: subject.divergences)
  }

  /// Laws ask for what a coder must do: one that throws does not do it.
  private static func complaint(_ error: any Error, of subject: any CoderSubject) -> Verdict {
    if error is NotDerivable || error is PeerFailure { return .errored("\(error)") }
    let complaint = CoderComplaint(error, of: subject)
    return .violated(
      Difference(
        kind: "coder.threw",
        summary: "it threw \(complaint): \(reason(error))",
        expected: "no error",
        actual: complaint.description
      ).between(nil, "what the coder answered")
    )
  }

  /// Why an error was thrown, without what its class says already.
  private static func reason(_ error: any Error) -> String {
    CodingFailure(error)?.explanation ?? "\(error)"
  }
}

/// A coder with state between values.
///
/// Each sample is judged on a fresh copy, so that verdicts do not depend on order or threads.
///
/// It exists for a mutant: `encodes-are-counted` puts a number of earlier encodes into each value.
/// Its count must begin at zero for each sample, or the same sample would not fail again when it is
/// confirmed and shrunk.
package protocol RememberingCoder: CoderSubject {
  /// A copy of the same coder, as it was before it coded anything.
  func renewed() -> any CoderSubject
}

/// The models that a run draws from.
///
/// For the subjects of the harness it is the whole of `ModelZoo`, with the subject's own types of
/// text and counter. For a user's type (`expectLaws(of:)`) it is that one model.
package struct ModelPool: Sendable {
  /// The simplest first: a shrunk sample is of an early model if an early one fails, too.
  ///
  /// ``model(_:)`` finds the first of a name.
  package let models: [Model]

  package init(_ models: [Model]) {
    self.models = models
  }

  package func model(_ name: String) -> Model? {
    models.first { $0.name == name }
  }
}
