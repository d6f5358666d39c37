package import MergeEngine
import Texts

/// What was saved of a damaged file and what was lost, in lines.
package enum RecoveryReport {
  package static func lines(_ recovery: DocumentRecovery) -> [String] {
    let document = recovery.document
    var lines = [
      "kept: \(counted(document.changeCount, "change")) of "
        + "\(counted(recovery.chunkCount, "chunk"))"
    ]
    for loss in recovery.losses {
      lines.append("lost: bytes \(loss.range): \(loss.reason)")
    }
    for dropped in document.droppedChanges {
      lines.append("lost: change \(dropped.hash): \(dropped.reason.reason)")
    }
    lines += WaitingChanges.lines(of: document)
    if recovery.isWhole { lines.append("nothing was lost") }
    return lines
  }
}
