package import Texts

/// An implementation that is wrong in one way.
package struct Mutant<Subject: Sendable>: Sendable, CustomStringConvertible {
  /// Stable; reports and case files name it.
  package let id: MutantID
  /// What is wrong, in one sentence.
  package let sentence: String
  /// The laws that catch it alone, the one that it is aimed at first; none if any law may.
  package let laws: [String]
  /// The wrong implementation.
  package let subject: Subject

  package init(
    _ id: MutantID,
    _ sentence: String,
    caughtBy laws: [String] = [],
    subject: Subject
  ) {
    self.id = id
    self.sentence = sentence
    self.laws = laws
    self.subject = subject
  }

  package var description: String { id.description }
}
