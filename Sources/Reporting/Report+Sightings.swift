import PastRuns
import PropertyEngine
import Texts

extension Report {
  /// A kind of failure that was counted but not shrunk, because the subject had more kinds than the
  /// limit.
  package struct Sighting: Codable, Hashable, Sendable {
    /// Stable within the corpus, as that of a failure.
    package var id: String
    package var law: String
    package var subject: String
    /// How it failed: violated, or errored where nothing can be said; `nil` in reports of older versions, which did not
    /// tell them apart.
    package var kind: Failure.Kind?
    package var differenceKind: String
    package var summary: String
    /// Says in one sentence which states are compared; `nil` where no side has a name.
    package var comparison: String?
    /// Cases of this run that showed it.
    package var caseCount: Int
    /// The path of the case file of the first, below the report's folder; `nil` in a merged report, and where no sample
    /// was drawn.
    package var file: String?

    package init(
      id: String,
      law: String,
      subject: String,
      differenceKind: String,
      summary: String,
      caseCount: Int
    ) {
      self.id = id
      self.law = law
      self.subject = subject
      self.differenceKind = differenceKind
      self.summary = summary
      self.caseCount = caseCount
      file = Failure.file(of: id)
    }

    var key: PastFailure.Key {
      PastFailure.Key(law: law, subject: subject, differenceKind: differenceKind)
    }
  }

  /// The law under which it stands that a subject fails to answer, whatever it was asked.
  package static let answers = FailureKey.answers

  /// Takes in what another report counted; what either made small is no sighting.
  mutating func addSightings(of other: Report) {
    guard sightings != nil || other.sightings != nil else { return }
    let small = Set((failures + other.failures).map { PastFailure($0).key })
    let others = ((sightings ?? []) + (other.sightings ?? [])).filter { !small.contains($0.key) }
    var all: [Sighting] = []
    all.merge(others, by: \.key) { sighting, other in
      sighting.caseCount = sighting.caseCount.addingSaturated(other.caseCount)
      if other.kind == .errored { sighting.kind = .errored }
    }
    // Their files are in the folders that were merged.
    for index in all.indices { all[index].file = nil }
    sightings = all.isEmpty ? nil : all
  }
}
