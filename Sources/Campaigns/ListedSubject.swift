package import Texts

/// A subject in this process, right or wrong on purpose, as its catalogue lists it.
package struct ListedSubject: Sendable {
  package let id: String
  let version: String
  /// What it is, or what is wrong with it, in one line.
  package let explanation: String
  /// Whether a run that names no subject judges it.
  var isUsual = true
  /// A lane of those of the catalogue's laws that have these names.
  package let lane: @Sendable (_ laws: Set<String>) -> Lane
}

extension ListedSubject {
  /// The same, judged only if a run names it.
  var onRequest: ListedSubject {
    var copy = self
    copy.isUsual = false
    return copy
  }
}

/// A subject that is wrong on purpose.
package struct ListedMutant: Sendable {
  package let id: MutantID
  /// The wrong implementation, whose id is the mutant's ``Texts/MutantID/subjectID``.
  package let subject: ListedSubject
  /// Laws that it is known to break, the one that is to catch it first; none if any law may.
  package let aims: [String]

  init(_ id: String, _ subject: ListedSubject, breaking laws: [String] = []) {
    self.id = MutantID(id)
    self.subject = subject
    aims = laws
  }
}
