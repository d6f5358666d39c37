import Mutants

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

extension Mutant {
  /// The mutant as its catalogue lists it.
  func listed(_ subject: (Subject, String) -> ListedSubject) -> Mutant<ListedSubject> {
    Mutant<ListedSubject>(id, sentence, caughtBy: laws, subject: subject(self.subject, sentence))
  }
}
