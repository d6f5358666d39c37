// How laws of one model become laws of a run. A sample is a value with the document that it came
// from (`ModelSource`); a `ModelTrial` judges it, and its method for each law stands in
// `ModelLaws/all`.
//
// Code of the user may trap, and a trap ends the process. So every call of it is announced before
// it is made (`ModelAttempt`): a reader that finds the process gone reads the last announcement
// (`Touchstone/CrashReport.swift`).

import CodingSupport
package import ModelGeneration
package import PropertyEngine

/// A piece of a model's own code that is about to run, and may trap.
///
/// Made before each call, and most calls return: what costs something is made when it is asked for.
package struct ModelAttempt: Sendable {
  /// The law that a trap breaks: whichever law asks, one in `encode(to:)` breaks ``ModelLaw/encodes``.
  ///
  /// The law that asked is not always the one that a trap breaks: `model.lossless` encodes first,
  /// and a trap there is a failure of `model.encodes`.
  package let law: LawStatement
  /// The document behind the value at hand.
  package let document: Tree
  private let describe: @Sendable () -> String

  init(
    law: LawStatement,
    document: Tree,
    description: @autoclosure @escaping @Sendable () -> String
  ) {
    self.law = law
    self.document = document
    describe = description
  }

  /// What runs, such as "decoding one document twice"; made when it is asked for, as a document's text costs
  /// more than decoding it.
  package var description: String { describe() }

  /// `encode(to:)` on the value that a document is decoded to.
  static func encoding(_ document: Tree) -> ModelAttempt {
    ModelAttempt(
      law: ModelLaw.encodes,
      document: document,
      description: "`encode(to:)` takes the value that was decoded from\n  \(document)"
    )
  }
}

/// The laws of one model, as a run takes them.
///
/// The laws need no coder of the user's choice: values become trees (`TreeRecorder`), and trees
/// values (`TreeDecoder`). What breaks them breaks with every coder.
package struct ModelLaws<Value: Codable & SendableMetatype>: Sendable {
  /// Where samples come from.
  package let source: ModelSource<Value>
  /// Which differences do not count.
  package let tolerance: Tolerance
  /// Gets each piece of the model's own code that may trap before it runs.
  ///
  /// Called on the thread that judges, just before the code runs.
  private let willTry: @Sendable (ModelAttempt) -> Void

  package init(
    _ source: ModelSource<Value>,
    tolerance: Tolerance = .exact,
    willTry: @escaping @Sendable (ModelAttempt) -> Void = { _ in }
  ) {
    self.source = source
    self.tolerance = tolerance
    self.willTry = willTry
  }

  /// The whole catalogue, in the order of ``ModelLaw/all``.
  ///
  /// Laws that cost 5 run in one of five cases: they decode many documents for each sample, up to
  /// 290 for `model.old-data` (``Drifts``).
  package var all: [Law<ModelSample<Value>>] {
    [
      law(ModelLaw.encodes, costs: 5) { $0.encodingEnds() },
      law(ModelLaw.deterministic) { $0.codingRepeats() },
      law(ModelLaw.keyOrder) { try $0.orderOfKeysIsInvisible() },
      law(ModelLaw.lossless) { $0.valueSurvives() },
      law(ModelLaw.oldData, costs: 5) { $0.driftedValuesSurvive() },
      law(ModelLaw.readsAll) { $0.everyKeyIsRead() },
    ]
  }

  private func law(
    _ statement: LawStatement,
    costs: Int = 1,
    check: @escaping @Sendable (ModelTrial<Value>) throws -> Difference?
  ) -> Law<ModelSample<Value>> {
    Law(
      statement,
      form: .model(),
      costs: costs,
      draw: { try source.draw(&$0) },
      judge: { sample in
        let trial = ModelTrial(
          sample: sample,
          law: statement,
          tolerance: tolerance,
          willTry: willTry
        )
        return Judgement(Verdict(of: trial, check))
      }
    )
  }
}

extension SampleForm {
  /// Samples of a model, as the documents that they are decoded from: `model 1`.
  ///
  /// A stored case is read by decoding, so that it throws where the model no longer takes the
  /// document.
  package static func model<Value: Codable & SendableMetatype>() -> SampleForm
  where Sample == ModelSample<Value> {
    let document = SampleForm<Tree>.document
    return SampleForm(
      name: document.name,
      render: { document.render($0.document) },
      parse: { try ModelSample(document: document.parse($0)) },
      size: { document.size($0.document) },
      measure: { document.measure($0.document) }
    )
  }
}

extension SampleForm<Tree> {
  /// Documents that a model wrote: `model 1`.
  package static let document = SampleForm(
    name: FormName("model", version: 1),
    render: { $0.text + "\n" },
    parse: { try Tree(text: $0) },
    size: { $0.nodeCount },
    measure: { "size \($0.nodeCount)" }
  )
}
