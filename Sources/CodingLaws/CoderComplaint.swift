import CodingSupport
public import ModelGeneration
package import PropertyEngine

// Errors of coders as classes that laws compare, and what a subject is known to do otherwise.

/// The class of an error that a coder threw.
///
/// Laws compare classes of errors, never their words: two coders may say the same in different
/// ways.
public enum CoderComplaint: Hashable, Sendable {
  /// A `DecodingError`; `path` ends where the value stands, or should.
  ///
  /// Steps are the `stringValue`s of the coding path: element 2 of `items` is `["items", "2"]` or
  /// however the coder spells an index, which laws on elements therefore leave open.
  case decoding(DecodingCase, path: [String])
  /// An `EncodingError`.
  case encoding(path: [String])
  /// A document's shape does not fit the value's.
  case schema(SchemaCase)
  /// Anything else: no user could tell what happened.
  ///
  /// A violation wherever a law allows a refusal. It is what a model's own error is, too, if the
  /// coder lets it through.
  case untyped(String)

  /// The cases of `DecodingError`, under Swift's names.
  public enum DecodingCase: String, Hashable, Sendable {
    case typeMismatch
    case keyNotFound
    case valueNotFound
    case dataCorrupted
  }

  /// What is in the way of a value in a document.
  ///
  /// Source: Specification/Codable.md, "Errors".
  public enum SchemaCase: String, Hashable, Sendable {
    case missing
    case mismatched
    /// A path goes on below a text.
    case throughText
    /// A path goes on below a scalar.
    case throughScalar
    /// An index is greater than the length, which itself appends.
    case indexOutOfBounds
    /// The value cannot stand where it was to stand: a list or scalar at the root.
    case invalidPlace
    case other
  }

  /// The class of an error of a subject.
  ///
  /// The subject is asked first, since its errors may be types of its own. The path of a missing
  /// key ends with the key.
  public init(_ error: any Error, of subject: any CoderSubject) {
    if let own = subject.complaint(error) {
      self = own
    } else if let failure = CodingFailure(error) {
      self =
        switch failure.kind {
        case .typeMismatch: .decoding(.typeMismatch, path: failure.spelledPath)
        case .keyNotFound: .decoding(.keyNotFound, path: failure.spelledPath)
        case .valueNotFound: .decoding(.valueNotFound, path: failure.spelledPath)
        case .dataCorrupted: .decoding(.dataCorrupted, path: failure.spelledPath)
        case .invalidValue: .encoding(path: failure.spelledPath)
        }
    } else if error is DecodingError {
      self = .untyped("DecodingError of an unknown case")
    } else {
      self = .untyped("\(type(of: error))")
    }
  }

  /// Whether a caller can tell by the type what happened.
  public var isTyped: Bool {
    if case .untyped = self { false } else { true }
  }
}

extension CodingFailure {
  /// The way to the value that is wrong or missing, as the coder spells it.
  var spelledPath: [String] {
    codingPath.map(\.stringValue) + (missingKey.map { [$0.stringValue] } ?? [])
  }
}

extension CoderComplaint: CustomStringConvertible {
  public var description: String {
    switch self {
    case .decoding(let reason, let path): "DecodingError.\(reason.rawValue) at \(path)"
    case .encoding(let path): "EncodingError.invalidValue at \(path)"
    case .schema(let reason): "schema: \(reason.rawValue)"
    case .untyped(let type): "an error of type \(type)"
    }
  }
}

/// Where a subject is known to do otherwise than a law says.
///
/// Decoded from JSON, it is an object with the same names:
/// `{"law": "date.ordered", "kind": "date.order", "holding": "date", "reason": "..."}`.
///
/// The fields are conditions that must all hold; a field of `nil` or `false` is no condition.
/// Choose the narrowest that explains: what it explains is green, and a new bug of the same law,
/// kind and model would be, too. An entry that no longer shows is red (decision 15).
public struct CoderDivergence: Hashable, Sendable {
  /// A law's name.
  public let law: String
  /// The kind of the difference; `nil` for any.
  public let kind: String?
  /// The model that shows it; `nil` for any.
  public let model: String?
  /// What a value of the sample must hold to show it; `nil` for anything.
  public let holding: Tree.Kind?
  /// Whether it takes two strings or keys that `==` holds to be equal and whose bytes differ.
  public let twoSpellings: Bool
  /// Whether the subject traps there: the law is not asked then, whatever `kind` says.
  ///
  /// In that case a worker would die in each such case, and say nothing new.
  public let endsProcess: Bool
  /// Why, and who is right.
  public let reason: String
  /// The text form of a sample that shows it: one that does so no longer makes a campaign fail.
  public let example: String?

  public init(
    law: String,
    kind: String? = nil,
    model: String? = nil,
    holding: Tree.Kind? = nil,
    twoSpellings: Bool = false,
    endsProcess: Bool = false,
    reason: String,
    example: String? = nil
  ) {
    self.law = law
    self.kind = kind
    self.model = model
    self.holding = holding
    self.twoSpellings = twoSpellings
    self.endsProcess = endsProcess
    self.reason = reason
    self.example = example
  }

  /// Whether a sample is one that it speaks of.
  ///
  /// A divergence that names neither model nor kind of value speaks of every sample.
  func concerns(_ law: String, _ sample: CodingSample) -> Bool {
    guard self.law == law, (model ?? sample.model) == sample.model else { return false }
    let trees = sample.values + sample.trees
    if twoSpellings, !Tree.list(trees).hasTwoSpellings { return false }
    guard let holding else { return true }
    // Somewhere in the values or trees: which place made the difference is not known here.
    return trees.contains { $0.contains(holding) }
  }

  /// Whether it explains a difference.
  ///
  /// The same conditions, and the kind of the difference, which is known only after the subject was
  /// asked.
  package func explains(_ law: String, _ difference: Difference, _ sample: CodingSample) -> Bool {
    (kind ?? difference.kind) == difference.kind && concerns(law, sample)
  }
}

extension CoderDivergence: KnownDivergence {
  /// All conditions, such as `tree.value, model Ledger, a value of kind date`; `any difference` if there is none.
  package var condition: String {
    let conditions = [
      endsProcess ? "a trap" : kind,
      model.map { "model \($0)" },
      holding.map { "a value of kind \($0.rawValue)" },
      twoSpellings ? "a string in two spellings" : nil,
    ].compactMap(\.self)
    return conditions.isEmpty ? "any difference" : conditions.joined(separator: ", ")
  }
}

extension CoderDivergence: Decodable {
  private enum CodingKeys: String, CodingKey {
    case law
    case kind
    case model
    case holding
    case twoSpellings
    case endsProcess
    case reason
    case example
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      law: try container.decode(String.self, forKey: .law),
      kind: try container.decodeIfPresent(String.self, forKey: .kind),
      model: try container.decodeIfPresent(String.self, forKey: .model),
      holding: try container.decodeIfPresent(Tree.Kind.self, forKey: .holding),
      twoSpellings: try container.decodeIfPresent(Bool.self, forKey: .twoSpellings) ?? false,
      endsProcess: try container.decodeIfPresent(Bool.self, forKey: .endsProcess) ?? false,
      reason: try container.decode(String.self, forKey: .reason),
      example: try container.decodeIfPresent(String.self, forKey: .example)
    )
  }
}

extension Tree {
  /// Whether two of its strings or keys are equal by `==`, and differ in their bytes.
  ///
  /// A binary property list stores each string once and finds it by `==`: of `"é"` in two normal
  /// forms it writes one twice. Cost: linear in the text of the tree.
  var hasTwoSpellings: Bool {
    var spellings: [String: [UInt8]] = [:]
    func isOther(_ text: String) -> Bool {
      let bytes = Array(text.utf8)
      return spellings.updateValue(bytes, forKey: text).map { $0 != bytes } ?? false
    }
    func look(_ tree: Tree) -> Bool {
      switch tree {
      case .string(let text), .text(let text): isOther(text)
      case .list(let elements): elements.contains(where: look)
      case .map(let entries): entries.contains { isOther($0.key) || look($0.value) }
      default: false
      }
    }
    return look(self)
  }
}
