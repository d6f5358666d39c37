package import NaiveCoder

/// A coder that is wrong in one way: the naive coder but for one rule.
package struct CoderMutant: Sendable, CustomStringConvertible {
  /// Lower-case words joined by hyphens; stable, reports and case files name it.
  package let id: String
  /// What is wrong, in one sentence.
  package let sentence: String
  private let breaking: @Sendable (inout NaiveCoderRules) -> Void

  init(
    _ id: String,
    _ sentence: String,
    _ breaking: @escaping @Sendable (inout NaiveCoderRules) -> Void
  ) {
    self.id = id
    self.sentence = sentence
    self.breaking = breaking
  }

  /// The wrong coder as a subject.
  package var subject: NaiveCoder {
    var rules = NaiveCoderRules()
    breaking(&rules)
    return NaiveCoder(id: "mutant:\(id)", rules: rules)
  }

  package var description: String { id }
}

/// All mutants of the naive coder; a number names the report of the bug that once was.
package let coderMutants: [CoderMutant] =
  storingMutants + dateMutants + writingMutants + requestMutants + referenceMutants
  + decodingMutants
