import CodingSupport
package import ModelGeneration
package import PropertyEngine

/// A piece of a model's own code that is about to run, and may trap.
package struct ModelAttempt: Sendable {
  /// The law that a trap breaks: whichever law asks, one in `encode(to:)` breaks ``ModelLaw/encodes``.
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
package struct ModelLaws<Value: Codable & SendableMetatype>: Sendable {
  /// Where samples come from.
  package let source: ModelSource<Value>
  /// Which differences do not count.
  package let tolerance: Tolerance
  /// Gets each piece of the model's own code that may trap before it runs.
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
    name: "model 1",
    render: { $0.text + "\n" },
    parse: { try Tree(text: $0) },
    size: { $0.nodeCount },
    measure: { "size \($0.nodeCount)" }
  )
}
