package import DocumentModel
import NaiveModel
import Texts

/// An implementation of documents that is wrong in one way: the specification but for one rule.
///
/// Open its subject to run it: `func run<R: Replica>(_ type: R.Type)` takes `run(mutant.subject)`.
package typealias NaiveMutant = Mutant<any (Replica & Sendable).Type>

extension Mutant where Subject == any (Replica & Sendable).Type {
  init<Wrong: Rules>(_ id: String, _ rules: Wrong.Type, _ sentence: String) {
    self.init(MutantID(id), sentence, subject: NaiveModel<Wrong>.self)
  }
}

/// The mutants of the specification under the topic whose rule each breaks.
///
/// What each topic's mutants have in common with defects of real engines stands at the list of the
/// topic. Each breaks one rule and leaves the others, so that the law which catches it says which
/// rule the law watches.
package let naiveMutantsByTopic: [(topic: String, mutants: [NaiveMutant])] = [
  ("order of operations", identityMutants),
  ("registers and conflicts", registerMutants),
  ("counters", counterMutants),
  ("lists", sequenceMutants),
  ("text", textMutants),
  ("local edits", editMutants),
  ("reads of the past", pastMutants),
  ("changes and merging", changeMutants),
  ("saving and loading", savingMutants),
  ("marks", markMutants),
  ("sync", syncMutants),
  ("cursors", cursorMutants),
  ("patches", patchMutants),
  ("hostile peers", hostileMutants),
]

/// All mutants of the specification, by topic.
package let naiveMutants: [NaiveMutant] = naiveMutantsByTopic.flatMap(\.mutants)
