/// What makes two failures the same: counting, shrinking and file names keep to it.
///
///     law merge.commutes, kind map.winner     other keys, values and replicas: the same failure
///     law merge.commutes, kind list.length    another failure, with a smallest history of its own
package struct FailureKey: Codable, Hashable, Comparable, Sendable {
  /// The pseudo-law under which a subject's own failures are filed, whatever was asked.
  package static let answers = "subject.answers"

  package let law: String
  package let isError: Bool
  /// The class of the difference, or of the subject's failure.
  package let kind: String

  package init(law: String, isError: Bool, kind: String) {
    self.law = law
    self.isError = isError
    self.kind = kind
  }

  package static func < (left: Self, right: Self) -> Bool {
    (left.law, left.kind, left.isError ? 1 : 0) < (right.law, right.kind, right.isError ? 1 : 0)
  }
}

/// One violated law, or a subject's own failure, on one sample.
package struct Finding: Codable, Hashable, Sendable {
  package let key: FailureKey
  package let difference: Difference
  /// The class of an error whose key does not tell it; shrinking keeps to it.
  package let errorClass: String?
  /// Candidates that shrinking may try at most, where each is expensive: a subject that crashed costs
  /// a new process, one that hangs its time limit.
  package let attemptLimit: Int?

  package init(
    key: FailureKey,
    difference: Difference,
    errorClass: String? = nil,
    attemptLimit: Int? = nil
  ) {
    self.key = key
    self.difference = difference
    self.errorClass = errorClass
    self.attemptLimit = attemptLimit
  }

  /// The finding that a verdict is; `nil` if it is no failure.
  package init?(law: String, _ verdict: Verdict) {
    switch verdict {
    case .violated(let difference):
      self.init(
        key: FailureKey(law: law, isError: false, kind: difference.kind),
        difference: difference
      )
    case .errored(let text):
      self.init(
        key: FailureKey(law: law, isError: true, kind: verdict.word.rawValue),
        difference: Difference(kind: verdict.word.rawValue, summary: text),
        errorClass: Verdict.errorClass(text)
      )
    case .held, .known, .skipped: return nil
    }
  }

  /// Whether both are one failure, whatever the values in it.
  package func isSameFailure(as other: Finding) -> Bool {
    key == other.key && errorClass == other.errorClass
  }

  /// The same finding; each of its candidates is expensive.
  func limited(to attemptLimit: Int) -> Finding {
    Finding(
      key: key,
      difference: difference,
      errorClass: errorClass,
      attemptLimit: attemptLimit
    )
  }

  /// What happened, in a few words.
  package var outcome: String {
    "\(key.isError ? "errored" : "violated \(key.law)") (\(difference.summary))"
  }
}

extension Verdict {
  /// What differs; `nil` for a verdict without a difference.
  package var difference: Difference? {
    switch self {
    case .violated(let difference), .known(let difference, _): difference
    case .held, .errored, .skipped: nil
    }
  }

  /// What errors have in common that are alike: their text up to the first digit, quotation mark,
  /// bracket or colon, after which texts usually go on with values.
  ///
  ///     index 7 is out of bounds      "index "
  ///     no key 'a' in the map         "no key "
  package static func errorClass(_ text: String) -> String {
    let scalars = text.unicodeScalars.prefix { scalar in
      !("0"..."9").contains(scalar) && !"\"'([{<:".unicodeScalars.contains(scalar)
    }
    return String(String.UnicodeScalarView(scalars))
  }
}
