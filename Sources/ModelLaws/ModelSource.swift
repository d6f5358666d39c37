// Samples of a model: `ModelSample` is a value and its document, `ModelSource` draws samples.
// `Touchstone/ValueOptions.swift` makes sources out of what a test gives.

import CodingSupport
package import ModelGeneration
package import PropertyEngine

/// A value of a model, and a document that it can be decoded from.
///
/// `value` is made again for each sample where it is decoded; with given samples that no change was
/// made to, it is the caller's own instance.
///
/// Laws go from `document` to other documents, and from `value` to what it is encoded to. Where a
/// value was decoded, encoding it need not give the same document: keys may be missing or in
/// another order.
package struct ModelSample<Value: Codable> {
  /// The value as it was made.
  package let value: Value
  /// What it was decoded from, or, where it was made otherwise, what it was encoded to.
  package let document: Tree
  /// Whether the value was decoded from the document; otherwise a test or a generator made it.
  package let isDecoded: Bool

  package init(value: Value, document: Tree, isDecoded: Bool = true) {
    self.value = value
    self.document = document
    self.isDecoded = isDecoded
  }

  /// The sample of a stored document.
  ///
  /// - Throws: what `init(from:)` throws if the document is not one of the model's.
  package init(document: Tree) throws {
    self.init(value: try TreeDecoder().decode(Value.self, from: document), document: document)
  }

  /// Another value out of the same document.
  ///
  /// Never the same instance, which matters where `Value` is a class.
  package func again() throws -> Value {
    try TreeDecoder().decode(Value.self, from: document)
  }
}

/// Where values of a model come from: a pure function of choices.
///
/// Values are derived from the type, or like given samples. Only the first way knows a schema: what
/// needs one is left out of the other.
package struct ModelSource<Value: Codable & SendableMetatype>: Sendable {
  /// The type, as messages name it.
  package let name: String
  /// What the type asks for; `nil` where it was not derived.
  package let schema: Schema?
  private let body: @Sendable (inout Choices) throws -> ModelSample<Value>

  /// Values that are derived from the type alone.
  ///
  /// - Throws: ``NotDerivable`` with words for what to give instead.
  package init(deriving type: Value.Type, _ options: DerivationOptions) throws {
    let derived = try Derived(type, options)
    name = "\(type)"
    schema = derived.schema
    let isDecoded = !options.hasGenerator(of: type)
    body = { choices in
      let (value, document) = try derived.sample(&choices)
      // One in 64 holds a list, a map or a string of a boundary's length.
      // 63, so that shrinking, which lowers choices, leaves the plain sample.
      guard choices.number(in: 0...63) == 63 else {
        return ModelSample(value: value, document: document, isDecoded: isDecoded)
      }
      // A stretched document is taken only where the model decodes it.
      let long = choices.span("stretch") { choices in
        document.stretched(&choices, accepting: Self.accepted)
      }
      return try ModelSample(document: long)
    }
  }

  /// Values like the samples, at least one: each is one of them with a few places changed.
  ///
  /// A change that `init(from:)` refuses is not made. Samples are only read, one at a time.
  ///
  /// The samples are encoded once, here; later draws read trees. The given instances are used only
  /// where nothing was changed.
  ///
  /// Cost: each draw decodes once for each change that it tries, and once more.
  ///
  /// - Throws: What `encode(to:)` of a sample throws.
  package init(mutating samples: [Value]) throws {
    precondition(!samples.isEmpty, "there are no samples to mutate")
    name = "\(Value.self)"
    schema = nil
    let kept = ThreadTransfer(value: samples)
    let trees = try samples.map { try TreeRecorder.tree(of: $0) }
    body = { choices in
      let index = choices.index(below: trees.count)
      let mutated = trees[index].mutated(&choices, accepting: Self.accepted)
      guard mutated != trees[index], let sample = try? ModelSample<Value>(document: mutated) else {
        return ModelSample(value: kept.value[index], document: trees[index], isDecoded: false)
      }
      return sample
    }
  }

  /// The tree, if the model decodes it.
  private static func accepted(_ tree: Tree) -> Tree? {
    (try? TreeDecoder().decode(Value.self, from: tree)).map { _ in tree }
  }

  /// A sample; a pure function of the choices that it draws.
  ///
  /// The span lets the shrinker cut a whole value.
  package func draw(_ choices: inout Choices) throws -> ModelSample<Value> {
    let span = choices.beginSpan("value")
    defer { choices.endSpan(span) }
    return try body(&choices)
  }
}

/// What one thread hands to another and does not touch itself before it has it back.
///
/// Samples of a class are not `Sendable`. They are handed to the closure that draws, and are only
/// read.
private struct ThreadTransfer<Value>: @unchecked Sendable {
  let value: Value
}
