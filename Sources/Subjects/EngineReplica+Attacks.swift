package import DocumentLaws
package import DocumentModel

#if TOUCHSTONE_TIGHT_SIZES
import TightEngine
#else
import MergeEngine
#endif

/// What a hostile peer sends to the engine.
extension EngineReplica {
  /// `work` and `memory` are differences over the attack: what was open is committed before, so
  /// that it does not count.
  package mutating func hear(
    _ attack: Attack,
    from informant: inout Self
  ) throws -> AttackReport {
    document.commit()
    let known = try Self.knownChange(attack, in: informant.document, informant.parts(since: []))
    guard let message = HostilePeer.message(attack, about: known) else { return AttackReport() }
    let (work, memory) = (document.workDone, document.heldByteCount)
    var report = AttackReport(byteCount: message.byteCount)
    switch message {
    case .changes(let bytes):
      report.isRefused = (try? document.loadIncremental(bytes)) == nil
    case .syncMessage(let bytes):
      var peer = PeerState()
      report.isRefused = (try? document.receive(syncMessage: bytes, &peer)) == nil
      report.answerByteCount = 0
      // Whatever it believes now, it falls silent.
      while let answer = document.syncMessage(for: &peer) {
        report.answerByteCount? += answer.count
        guard report.answerByteCount ?? 0 < Attack.answerByteLimit else { break }
      }
    }
    report.work = document.workDone - work
    report.memory = document.heldByteCount - memory
    report.droppedCount = document.droppedChangeCount
    return report
  }

  /// The change that an attack is about, of those that a replica knows.
  package static func knownChange(
    _ attack: Attack,
    in replica: Self,
    _ parts: [[UInt8]]
  ) throws -> HostilePeer.KnownChange? {
    try knownChange(attack, in: replica.document, parts)
  }

  /// The change that an attack is about; `parts` are the document's changes in the shared order.
  ///
  /// Chosen by generation and actor, so that `pick` names the same change in every implementation.
  static func knownChange(
    _ attack: Attack,
    in document: MergeDocument,
    _ parts: [[UInt8]]
  ) throws -> HostilePeer.KnownChange? {
    guard attack.needsChange, !parts.isEmpty else { return nil }
    let order = byGeneration(document.changes().map { ($0, $0) }, of: document.changes())
    let place = attack.pick % order.count
    let info = order[place]
    return HostilePeer.KnownChange(
      hash: info.hash.bytes,
      actor: info.actor.bytes,
      seq: info.seq,
      chunk: parts[place]
    )
  }
}
