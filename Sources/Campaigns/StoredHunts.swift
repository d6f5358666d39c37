import DocumentLaws
import DocumentModel
import Foundation
import Histories
import PropertyEngine

/// The laws of storage, damage, bombs and forgeries on a subject whose documents are bytes.
///
/// Damage is done to the tiny documents of `fixtures`, in the current folder; where there are none,
/// to a few that are written here.
func storedHunts<R: StoredReplica & SendableMetatype>(_ type: R.Type) -> [any LawHunt] {
  var storage = SampleHunt()
  for law in StorageLaws<R>.all() { storage.add(law) { $0.lines } }
  for law in StorageLaws<R>.long { storage.add(law) { $0.lines } }
  var damage = SampleHunt()
  let files = StoredFiles(fixtures: URL(fileURLWithPath: "fixtures"))
  for law in DamageLaws<R>.all(bases: files.tiny) { damage.add(law) { $0.lines } }
  var bombs = SampleHunt()
  for law in BombLaws<R>.all { bombs.add(law, shrinkLimit: 40) { ["\($0)"] } }
  var forgeries = SampleHunt()
  for law in ForgeryLaws<R>.all { forgeries.add(law) { ["\($0)"] } }
  return [storage, damage, bombs, forgeries, goldenHunt(R.self, files)]
}
