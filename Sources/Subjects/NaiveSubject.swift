import DocumentModel
package import Histories
package import NaiveModel

/// The executable specification with Automerge's rules.
package typealias ReferenceModel = NaiveModel<AutomergeRules>

/// The specification as a subject: the oracle of all agreement, and held to every other law itself.
package let naiveSubject = ReplicaSubject(
  ReferenceModel.self,
  id: "naive",
  capabilities: .all,
  readsStatesCheaply: true
)

/// The valid history nearest to a raw one, by the rules of the specification.
///
/// Campaigns, small worlds and fuzz targets normalise by this; see ``Normaliser``.
package func normalise(_ history: History) -> NormalisedHistory {
  Normaliser<ReferenceModel>.normalise(history)
}
