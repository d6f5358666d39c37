/// The class of an error that a coder threw.
package enum CoderComplaint: Hashable, Sendable {
  /// A `DecodingError`; `path` ends where the value stands, or should.
  case decoding(DecodingCase, path: [String])
  /// An `EncodingError`.
  case encoding(path: [String])
  /// A document's shape does not fit the value's.
  case schema(SchemaCase)
  /// Anything else: no user could tell what happened.
  case untyped(String)

  package enum DecodingCase: String, Hashable, Sendable {
    case typeMismatch
    case keyNotFound
    case valueNotFound
    case dataCorrupted
  }

  package enum SchemaCase: String, Hashable, Sendable {
    case missing
    case mismatched
    case throughText
    case throughScalar
    case indexOutOfBounds
    /// The value cannot stand where it was to stand: a list or scalar at the root.
    case invalidPlace
    case other
  }

  /// The class of an error of a subject.
  package init(_ error: any Error, of subject: any CoderSubject) {
    if let own = subject.complaint(error) {
      self = own
    } else if let error = error as? DecodingError {
      self.init(error)
    } else if case .invalidValue(_, let context)? = error as? EncodingError {
      self = .encoding(path: context.codingPath.map(\.stringValue))
    } else {
      self = .untyped("\(type(of: error))")
    }
  }

  private init(_ error: DecodingError) {
    func path(_ context: DecodingError.Context) -> [String] {
      context.codingPath.map(\.stringValue)
    }
    switch error {
    case .typeMismatch(_, let context): self = .decoding(.typeMismatch, path: path(context))
    case .valueNotFound(_, let context): self = .decoding(.valueNotFound, path: path(context))
    case .dataCorrupted(let context): self = .decoding(.dataCorrupted, path: path(context))
    case .keyNotFound(let key, let context):
      self = .decoding(.keyNotFound, path: path(context) + [key.stringValue])
    @unknown default: self = .untyped("DecodingError of a case that nobody knows yet")
    }
  }

  package var isTyped: Bool {
    if case .untyped = self { false } else { true }
  }
}

extension CoderComplaint: CustomStringConvertible {
  package var description: String {
    switch self {
    case .decoding(let reason, let path): "DecodingError.\(reason.rawValue) at \(path)"
    case .encoding(let path): "EncodingError.invalidValue at \(path)"
    case .schema(let reason): "schema: \(reason.rawValue)"
    case .untyped(let type): "an error of type \(type)"
    }
  }
}

/// Where a subject is known to do otherwise than a law says.
package struct CoderDivergence: Hashable, Sendable {
  /// A law's name.
  package let law: String
  /// The kind of the difference; nil for any.
  package let kind: String?
  /// The model that shows it; nil for any.
  package let model: String?
  /// Why, and who is right.
  package let reason: String
  /// The text form of a sample that shows it: one that does so no longer makes a run fail.
  package let example: String

  package init(
    law: String,
    kind: String? = nil,
    model: String? = nil,
    reason: String,
    example: String
  ) {
    self.law = law
    self.kind = kind
    self.model = model
    self.reason = reason
    self.example = example
  }
}
