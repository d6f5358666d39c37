package import CodingLaws
import NaiveCoder
import Texts

/// A coder that is wrong in one way: the naive coder but for one rule, or a coder of JSON.
package struct CoderMutant: Sendable, CustomStringConvertible {
  /// Lower-case words joined by hyphens; stable, reports and case files name it.
  package let id: String
  /// What is wrong, in one sentence.
  package let sentence: String
  /// The wrong coder as a subject, by the mutant's ``Texts/MutantID/subjectID``.
  package let subject: any CoderSubject

  init(
    _ id: String,
    _ sentence: String,
    _ breaking: (inout NaiveCoderRules) -> Void
  ) {
    self.id = id
    self.sentence = sentence
    var rules = NaiveCoderRules()
    breaking(&rules)
    subject = NaiveCoder(id: MutantID(id).subjectID, rules: rules)
  }

  /// A coder of JSON whose texts are spoiled.
  init(
    _ id: String,
    _ sentence: String,
    spoiling spoil: @escaping @Sendable ([UInt8]) -> [UInt8]
  ) {
    self.id = id
    self.sentence = sentence
    subject = SpoiledJSON(id: MutantID(id).subjectID, spoil: spoil)
  }

  package var description: String { id }
}

/// All mutants of the naive coder; a number names the report of the bug that once was.
package let coderMutants: [CoderMutant] =
  storingMutants + dateMutants + writingMutants + requestMutants + referenceMutants
  + decodingMutants + peerMutants
