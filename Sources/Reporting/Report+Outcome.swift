extension Report {
  /// The run in one word, and why.
  ///
  /// In JSON, reasons are texts, and their kinds stand beside them in the same order: `{"word": "failed", "reasons":
  /// ["interrupted after 2 of 9 cases"], "reasonKinds": ["interruption"]}`.
  package struct RunOutcome: Codable, Hashable, Sendable {
    package enum Word: String, Codable, Comparable, Hashable, Sendable {
      /// Every verdict was held, known or skipped.
      case held
      /// A law was violated.
      case violated
      /// A subject or the harness failed, or nothing ran.
      case failed

      /// The exit status of a command that ends with this word: the graver, the greater.
      fileprivate var exitStatus: Int32 {
        switch self {
        case .held: 0
        case .violated: 1
        case .failed: 2
        }
      }

      package static func < (left: Self, right: Self) -> Bool { left.exitStatus < right.exitStatus }
    }

    package var word: Word
    /// One for each thing that makes the run other than held.
    package var reasons: [Reason]

    package init(word: Word, reasons: [Reason] = []) {
      self.word = word
      self.reasons = reasons
    }

    /// Whether the run was ended from outside, before it was done.
    var isInterrupted: Bool { reasons.contains { $0.kind == .interruption } }

    /// Whether parts of a run are missing.
    var isIncomplete: Bool { reasons.contains { $0.kind == .missingParts } }

    /// The reasons that say that the run is not whole: it was interrupted, or parts are missing.
    var shortfalls: [Reason] {
      reasons.filter { $0.kind == .interruption || $0.kind == .missingParts }
    }

    /// The outcome in one line, for where the report itself cannot be shown: the word, and how far a run came that
    /// was ended from outside, or else the first reason.
    package var sentence: String {
      guard let reason = shortfalls.first ?? reasons.first else { return word.rawValue }
      return "\(word.rawValue): \(reason.text)"
    }

    /// The exit status of a command that ends with this outcome.
    package var exitStatus: Int32 { word.exitStatus }

    private enum CodingKeys: String, CodingKey {
      case word, reasons, reasonKinds
    }

    package init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      let texts = try values.decode([String].self, forKey: .reasons)
      let kinds = try values.decode([Reason.Kind].self, forKey: .reasonKinds)
      guard kinds.count == texts.count else {
        throw DecodingError.dataCorruptedError(
          forKey: .reasonKinds,
          in: values,
          debugDescription: "there are \(texts.count) reasons, and kinds of \(kinds.count)"
        )
      }
      word = try values.decode(Word.self, forKey: .word)
      reasons = zip(texts, kinds).map { Reason($0, kind: $1) }
    }

    package func encode(to encoder: any Encoder) throws {
      var values = encoder.container(keyedBy: CodingKeys.self)
      try values.encode(word, forKey: .word)
      try values.encode(reasons.map(\.text), forKey: .reasons)
      try values.encode(reasons.map(\.kind), forKey: .reasonKinds)
    }
  }

  /// One thing that makes a run other than held.
  package struct Reason: Hashable, Sendable {
    package enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
      /// A failure, which the report lists as well.
      case failure
      /// A failure that is no violation, so that nothing can be said; the report lists it as well.
      case breakdown
      /// Failures of one subject that were counted and not shrunk, which the report lists as well.
      case sightings
      /// The run was ended from outside, before it was done.
      case interruption
      /// A merged report lacks parts of a run.
      case missingParts
      /// No part of a shared run, all of whose parts are there, reached a situation that the run requires.
      case unreached
      /// What nothing else in the report tells.
      case other
    }

    package let kind: Kind
    /// One sentence.
    package let text: String

    package init(_ text: String, kind: Kind = .other) {
      (self.kind, self.text) = (kind, text)
    }

    /// The reason that a run was ended from outside, with how far it came: `2 of 9 cases`.
    package static func interruption(after words: String) -> Reason {
      Reason("interrupted after \(words)", kind: .interruption)
    }

    /// The reason that parts of a run are missing, and which.
    static func missingParts(_ words: String) -> Reason {
      Reason("incomplete: \(words)", kind: .missingParts)
    }
  }
}
