package import CodingLaws
import NaiveCoder
import Texts

/// A coder that is wrong in one way: the naive coder but for one rule, or a coder of JSON.
///
/// Its laws were found by holding every law to every mutant. A law that no mutant names was never seen to fail, and a
/// test refuses it.
package typealias CoderMutant = Mutant<any CoderSubject>

extension Mutant where Subject == any CoderSubject {
  /// The naive coder without a rule.
  init(
    _ id: String,
    _ sentence: String,
    caughtBy laws: [String],
    breaking rule: WritableKeyPath<NaiveCoderRules, Bool>
  ) {
    let id = MutantID(id)
    var rules = NaiveCoderRules()
    rules[keyPath: rule] = false
    let subject = NaiveCoder(id: id.subjectID, rules: rules)
    self.init(id, sentence, caughtBy: laws, subject: subject)
  }

  /// A coder of JSON whose texts are spoiled.
  init(
    _ id: String,
    _ sentence: String,
    caughtBy laws: [String],
    spoiling spoil: @escaping @Sendable ([UInt8]) -> [UInt8]
  ) {
    let id = MutantID(id)
    let subject = SpoiledJSON(id: id.subjectID, spoil: spoil)
    self.init(id, sentence, caughtBy: laws, subject: subject)
  }
}

/// All mutants of the naive coder; a number names the report of the bug that once was.
package let coderMutants: [CoderMutant] =
  storingMutants + dateMutants + writingMutants + requestMutants + referenceMutants
  + decodingMutants + peerMutants
