/// A statement that holds for all samples of a generator.
package struct Law<Sample>: Sendable {
  /// Stable dotted name, such as `merge.commutes`, which ``lawNameProblem(_:)`` finds no fault with.
  package let name: String
  /// The statement in one sentence.
  package let sentence: String
  /// Where the statement comes from.
  package let source: LawSource
  /// The samples it speaks of.
  package let samples: Generator<Sample>
  /// Finds where a sample breaks the law; nil if it does not.
  ///
  /// Throws ``Skipped`` if the law does not apply, and anything else if the subject failed.
  package let check: @Sendable (Sample) throws -> Difference?

  package init(
    _ name: String,
    _ sentence: String,
    source: LawSource,
    forAll samples: Generator<Sample>,
    check: @escaping @Sendable (Sample) throws -> Difference?
  ) {
    self.name = name
    self.sentence = sentence
    self.source = source
    self.samples = samples
    self.check = check
  }

  /// Holds one sample to the law.
  package func verdict(of sample: Sample) -> Verdict {
    do {
      return try check(sample).map { .violated($0) } ?? .held
    } catch let skipped as Skipped {
      return .skipped(skipped.reason)
    } catch {
      return .errored("\(error)")
    }
  }
}

/// What is wrong with a law's name, in words; nil if nothing is.
///
/// A name has two or more parts with dots between them. Each part starts with a small ASCII letter,
/// goes on with such letters, digits and hyphens, and does not end with a hyphen.
package func lawNameProblem(_ name: String) -> String? {
  let parts = name.split(separator: ".", omittingEmptySubsequences: false)
  guard parts.count >= 2 else { return "it has \(parts.count) part, and needs two or more" }
  for (index, part) in parts.enumerated() {
    guard let first = part.utf8.first, let last = part.utf8.last else {
      return "part \(index + 1) is empty"
    }
    guard (0x61...0x7a).contains(first) else {
      return "part \(index + 1) does not start with a small letter"
    }
    let isPlain = part.utf8.allSatisfy { byte in
      (0x61...0x7a).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2d
    }
    guard isPlain else {
      return "part \(index + 1) has something other than small letters, digits and hyphens"
    }
    guard last != 0x2d else { return "part \(index + 1) ends with a hyphen" }
  }
  return nil
}
