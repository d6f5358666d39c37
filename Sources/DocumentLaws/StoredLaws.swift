package import Histories
package import PropertyEngine

/// A subject whose documents are bytes that may come from anywhere.
///
/// It can be held to the laws of stored bytes besides those of histories: bytes can be damaged and
/// forged, and what reading them costs can be counted.
package protocol StoredBytesSubject: DocumentSubject {
  /// The laws of stored bytes on the subject, topic by topic; `vectors` are the golden files.
  func storedLaws(_ vectors: [GoldenVector]) -> [[LawGroup]]
}

extension ReplicaSubject: StoredBytesSubject where R: StoredReplica {
  package func storedLaws(_ vectors: [GoldenVector]) -> [[LawGroup]] {
    // The subject itself has made what it loads and takes there.
    func ownDocuments<Sample>(_ law: Law<Sample>, _ form: SampleForm<Sample>) -> LawGroup {
      LawGroup(law.written(as: form).lookingAt("the document").demandingAnswers())
    }
    return [
      StorageLaws<R>.all.map { ownDocuments($0, .storedHistory) } + [
        LawGroup(HostileLaws<R>.costsItsBytes.written(as: .storedHistory)),
        ownDocuments(StorageLaws<R>.longRuns, .strokes),
        ownDocuments(StorageLaws<R>.manyWriters, .changeGraph),
        ownDocuments(StorageLaws<R>.waitingForAll, .changeGraph),
      ],
      DamageLaws<R>.all(bases: TinyDocuments.all + VariedDocuments.all).map {
        LawGroup($0.written(as: .damagedBytes).lookingAt("the reader of the damaged bytes"))
      },
      // A bomb may take seconds to judge, and a thousand times as long as most samples.
      BombLaws<R>.all.map {
        LawGroup($0.lookingAt("the reader of the bytes"), attemptLimit: 40, costs: 48)
      } + [LawGroup(BombLaws<R>.longLists.lookingAt("the reader of the bytes"))],
      [
        LawGroup(
          ForgeryLaws<R>.refused.written(as: .forgery).lookingAt("the reader of the forged bytes")
        ),
        LawGroup(FlawedChangeLaws<R>.leavesNothing.lookingAt("the document")),
      ],
      GoldenLaws<R>.all(vectors).map { LawGroup($0.lookingAt("the document of the golden file")) },
      [ownDocuments(StorageLaws<R>.alikeCommits, .storedHistory)]
        + BombLaws<R>.taken.map {
          LawGroup($0.lookingAt("the document of the bytes"), attemptLimit: 40, costs: 48)
        },
    ]
  }
}
