/// What came of holding one sample to one law.
package enum Verdict: Codable, Hashable, Sendable {
  /// The law held.
  case held
  /// The law did not hold.
  case violated(Difference)
  /// The law did not hold, in a way that is listed for the subject, with the listed reason.
  case known(Difference, reason: String)
  /// The subject or the harness failed, so that nothing can be said; what it reported.
  case errored(String)
  /// The law does not apply to the subject or the sample; why.
  case skipped(String)

  /// A verdict in one word.
  package enum Word: String, Codable, Hashable, Sendable {
    case held, violated, known, errored, skipped
  }

  /// The verdict in one word.
  package var word: Word {
    switch self {
    case .held: .held
    case .violated: .violated
    case .known: .known
    case .errored: .errored
    case .skipped: .skipped
    }
  }
}

/// Thrown by a law's check when the law does not apply to a sample.
package struct Skipped: Error, Hashable, Sendable {
  /// Why it does not apply.
  package let reason: String

  package init(_ reason: String) {
    self.reason = reason
  }
}
