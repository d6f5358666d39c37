/// A subject in this process, right or wrong on purpose, as its catalogue lists it.
package struct ListedSubject: Sendable {
  /// That of a wrong one begins with `mutant:`.
  package let id: String
  let version: String
  /// What it is, or what is wrong with it, in one line.
  package let explanation: String
  /// Whether a run that names no subject judges it.
  var isUsual = true
  /// Laws that it is known to break, the one that is to catch it first; none if any law may.
  package var aims: [String] = []
  /// A lane of those of the catalogue's laws that have these names.
  package let lane: @Sendable (_ laws: Set<String>) -> Lane

  /// The id of a wrong one as `list mutants` has it.
  package var mutantID: String { String(id.dropFirst("mutant:".count)) }
}

extension ListedSubject {
  /// The same, judged only if a run names it.
  var onRequest: ListedSubject {
    var copy = self
    copy.isUsual = false
    return copy
  }

  /// The same, which breaks these laws.
  func breaking(_ laws: [String]) -> ListedSubject {
    var copy = self
    copy.aims = laws
    return copy
  }
}
