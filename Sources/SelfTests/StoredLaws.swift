import DocumentLaws
import DocumentModel
import Foundation
import Histories
import PropertyEngine

/// The laws of storage, damage, bombs and forgeries on a subject whose documents are bytes, and the
/// golden files.
///
/// Damage is done to the tiny documents of `fixtures`, in the current folder; where there are none,
/// to a few that are written here. Each item is the groups of one topic: a self-test asks them in turn.
func storedLaws<R: StoredReplica & SendableMetatype>(_ type: R.Type) -> [[LawGroup]] {
  let files = StoredFiles(fixtures: URL(fileURLWithPath: "fixtures"))
  return [
    (StorageLaws<R>.all().map { LawGroup($0.written(as: .lines { $0.lines })) })
      + StorageLaws<R>.long.map { LawGroup($0.written(as: .lines { $0.lines })) },
    DamageLaws<R>.all(bases: files.tiny).map { LawGroup($0.written(as: .lines { $0.lines })) },
    // A bomb may take seconds to judge.
    BombLaws<R>.all.map { LawGroup($0, attemptLimit: 40) },
    ForgeryLaws<R>.all.map { LawGroup($0) },
    goldenLaws(R.self, files).map { LawGroup($0) },
  ]
}
