import AutomergeDocument
import DocumentLaws
package import DocumentModel
import Foundation
import MergeEngine

/// What a hostile peer sends to a `Document`.
extension DocumentReplica {
  /// The same letters as the engine gets (`HostilePeer`).
  ///
  /// Besides, a refused call may move no heads, and at most 64 dropped changes are told, of however
  /// many there are.
  package mutating func hear(
    _ attack: Attack,
    from informant: inout Self
  ) throws -> AttackReport {
    let parts = try informant.parts(since: [])
    let known = try informant.document.reading {
      try EngineReplica.knownChange(attack, in: $0, parts)
    }
    guard let message = HostilePeer.message(attack, about: known) else { return AttackReport() }
    let heads = document.heads()
    let droppedBefore = document.droppedChangeCount
    var report = AttackReport(byteCount: message.byteCount)
    switch message {
    case .changes(let bytes):
      report.isRefused = false
      try witness.judge(nil, "applyEncodedChanges", changes: nil) {
        do { try document.applyEncodedChanges(encoded: Data(bytes)) } catch is DocError {
          report.isRefused = true
        }
      }
    case .syncMessage(let bytes):
      let state = SyncState()
      report.isRefused = false
      try witness.judge(nil, "receiveSyncMessage", changes: nil) {
        do {
          try document.receiveSyncMessage(state: state, message: Data(bytes))
        } catch is ReceiveSyncError {
          report.isRefused = true
          try expect(state.theirHeads == nil, "a refused sync message: SyncState")
        }
      }
      report.answerByteCount = 0
      // All that the lie makes the document say, until it falls silent or has said 16 MiB.
      while let answer = document.generateSyncMessage(state: state) {
        report.answerByteCount? += answer.count
        guard report.answerByteCount ?? 0 < Attack.answerByteLimit else { break }
      }
    }
    report.droppedCount = document.droppedChangeCount
    if report.isRefused == true {
      try expect(document.heads() == heads, "what is refused moves the heads")
    }
    let told = document.droppedChanges.count
    try expect(
      document.droppedChangeCount >= droppedBefore && told == min(64, document.droppedChangeCount),
      "droppedChanges"
    )
    return report
  }
}
