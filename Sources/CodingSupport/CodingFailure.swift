/// A `DecodingError` or `EncodingError` taken apart, for all code that words one.
package struct CodingFailure {
  /// The case of the error, named as Swift names it.
  package enum Kind: String, Hashable, Sendable {
    case typeMismatch
    case valueNotFound
    case keyNotFound
    case dataCorrupted
    /// The one case of `EncodingError`.
    case invalidValue
  }

  package let kind: Kind
  /// The way to the container in which the coder stood.
  package let codingPath: [any CodingKey]
  /// The key that was not found; `nil` for any other kind.
  package let missingKey: (any CodingKey)?
  /// What the coder says, `debugDescription`.
  package let explanation: String

  /// The parts of an error; `nil` for one of another type, or of a case that this code does not know.
  package init?(_ error: any Error) {
    switch error {
    case DecodingError.typeMismatch(_, let context): self.init(.typeMismatch, context)
    case DecodingError.valueNotFound(_, let context): self.init(.valueNotFound, context)
    case DecodingError.keyNotFound(let key, let context): self.init(.keyNotFound, context, key)
    case DecodingError.dataCorrupted(let context): self.init(.dataCorrupted, context)
    case EncodingError.invalidValue(_, let context):
      self.init(
        .invalidValue,
        at: context.codingPath,
        missingKey: nil,
        explanation: context.debugDescription
      )
    default: return nil
    }
  }

  /// The parts of a `DecodingError`; `nil` for any other, an `EncodingError` among them.
  package init?(decoding error: any Error) {
    guard error is DecodingError else { return nil }
    self.init(error)
  }

  /// The parts of an `EncodingError`; `nil` for any other, a `DecodingError` among them.
  package init?(encoding error: any Error) {
    guard error is EncodingError else { return nil }
    self.init(error)
  }

  private init(
    _ kind: Kind,
    _ context: DecodingError.Context,
    _ missingKey: (any CodingKey)? = nil
  ) {
    self.init(
      kind,
      at: context.codingPath,
      missingKey: missingKey,
      explanation: context.debugDescription
    )
  }

  private init(
    _ kind: Kind,
    at codingPath: [any CodingKey],
    missingKey: (any CodingKey)?,
    explanation: String
  ) {
    self.kind = kind
    self.codingPath = codingPath
    self.missingKey = missingKey
    self.explanation = explanation
  }

  /// The way to the value that is wrong or missing, the missing key included.
  package var path: [PathKey] {
    codingPath.map { PathKey(spelled: $0) } + (missingKey.map { [.key($0.stringValue)] } ?? [])
  }
}
