import CodingSupport
package import PropertyEngine

/// Hostile records decoded as every model in turn, as often as one likes, and counted.
///
/// The law `record.hostile-typed` asks the same of a few of them.
package enum HostileRecords {
  /// What became of the records of one model.
  package struct Tally: Hashable, Sendable {
    /// Records that came to a value.
    package var decoded = 0
    /// Records that were refused as the law wants it.
    package var refused = 0
  }

  /// Decodes `count` records, model by model.
  ///
  /// Record `i` is of model `i` modulo their number, and draws from stream `i` of the seed: a count
  /// that grows repeats those before.
  ///
  /// - Returns: What became of them by model, and what is wrong with the first answer that is; it ends the run.
  /// - Throws: What drawing a value throws.
  package static func run(
    _ subject: any RecordSubject,
    count: Int,
    seed: Seed
  ) throws -> (tallies: [String: Tally], difference: Difference?) {
    var tallies: [String: Tally] = [:]
    for index in 0..<count {
      let probe = HostileProbe.all[index % HostileProbe.all.count]
      var choices = Choices(seed: seed.stream(UInt64(index)))
      switch try probe.answer(subject, &choices) {
      case .decoded: tallies[probe.name, default: Tally()].decoded += 1
      case .refused: tallies[probe.name, default: Tally()].refused += 1
      case .wrong(let difference): return (tallies, difference)
      }
    }
    return (tallies, nil)
  }
}

extension HostileProbe {
  /// What a coder made of one record.
  enum Answer {
    case decoded
    /// By a `DecodingError`, at a place that the type has.
    case refused
    case wrong(Difference)

    var difference: Difference? {
      if case .wrong(let difference) = self { difference } else { nil }
    }
  }

  /// Draws a record and decodes it.
  ///
  /// A refusal is good if it is a `DecodingError` that names a key of the type. Hand-written decoding
  /// may name any key, or none, as it refuses a value as a whole; not an index, since a record has
  /// no indexes.
  func answer(_ subject: any RecordSubject, _ choices: inout Choices) throws -> Answer {
    let question = try draw(subject, &choices)
    do {
      try decode(subject, question.record)
      return .decoded
    } catch {
      guard let failure = CodingFailure(decoding: error) else {
        let words = "\(name) gives \(type(of: error)): \(error)"
        return .wrong(.record("hostile.untyped", words))
      }
      let first = failure.path.first
      // A record has keys and no indices: that holds for hand-written decoding, too.
      if !namesKeys, first?.intValue == nil { return .refused }
      guard let key = first?.stringValue, question.keys.contains(key) else {
        let words = "\(name) names no key of its own: \(failure.path.place)"
        return .wrong(.record("hostile.path", words))
      }
      return .refused
    }
  }
}
