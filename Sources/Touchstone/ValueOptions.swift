import FuzzSessions
import ModelGeneration
import ModelLaws
import PastRuns
import PropertyEngine

/// What a test says of where values of a type come from.
struct ValueOptions<Value> {
  /// Values to start from, where none can be derived.
  var samples: [Value] = []
  /// What strings under a key may be.
  var words: [String: [String]] = [:]
  /// How values of some types are made.
  var generators: [ValueGenerator] = []
}

extension ValueOptions where Value: Codable & SendableMetatype {
  /// Maximum number of scalars of a sample that are shown.
  private static var textLimit: Int { 4000 }

  /// The source of the values; a type that is derived is planned, which runs its code.
  ///
  /// Fields of the values may be `literals` as well, those of a fuzzer's request by default.
  ///
  /// - Throws: ``JudgementError`` if no values can be made of the type.
  func source(
    storing folder: FailureFolder?,
    judgedBy subject: String,
    literals: Literals? = nil
  ) throws -> ModelSource<Value> {
    let report = CrashReport(model: "\(Value.self)", subject: subject, folder: folder)
    if !samples.isEmpty {
      // Their own descriptions are code as well, which no law speaks of.
      let texts = samples.map { ValueText.text(of: $0).clippedBehindWord(Self.textLimit) }
      return try CrashNote.during {
        // The source encodes all at once, and so would not say at which of them the process ends.
        for (index, sample) in samples.enumerated() {
          let place = samples.count == 1 ? "the test's sample" : "sample \(index + 1) of the test"
          report.leave(
            ModelLaw.encodes,
            "The process ends while `encode(to:)` takes \(place):\n  \(texts[index])"
          )
          _ = try TreeRecorder.tree(of: sample)
        }
        return try ModelSource(mutating: samples)
      }
    }
    var options = DerivationOptions()
    options.words = words
    options.literals = try literals ?? FuzzRequest.current.get()?.literals ?? Literals()
    for generator in generators { generator.add(&options) }
    options.willAnswer = FuzzRequest.isFuzzing ? nil : { report.leave($0) }
    do {
      return try CrashNote.during {
        let plan = Derivation.plan.file(report)
        if let url = report.derivationURL(storing: plan) {
          CrashNote.current.set(caseAt: url) { plan.render() }
        }
        return try ModelSource(deriving: Value.self, options)
      }
    } catch let error as NotDerivable {
      throw JudgementError.notDerivable(type: error.type, reason: error.description)
    }
  }
}
