// The engine as a peer, for sync by messages. Each message is also tried damaged (`SyncDamage`,
// which `DocumentReplica+Sync.swift` uses as well), and held against the rules (`SyncRules.swift`).

import DocumentLaws
import DocumentModel

#if TOUCHSTONE_TIGHT_SIZES
package import TightEngine
#else
package import MergeEngine
#endif

/// The engine's documents as peers.
extension EngineReplica: SyncingReplica {
  package static func newPeer() -> PeerState { PeerState() }

  /// The state as it is read from its bytes, which a reset must give as well.
  ///
  /// Source: Specification/Format.md, "Sync state".
  package static func restored(_ peer: PeerState) throws -> PeerState {
    let restored = try PeerState(bytes: peer.bytes)
    // A reset does the same in place.
    var reset = peer
    reset.reset()
    guard reset == restored else { throw PeerFault.resetDiffers }
    return restored
  }

  /// Each message is held against the rules (`SyncRules`).
  package mutating func message(for peer: inout PeerState) throws -> [UInt8]? {
    guard let message = document.syncMessage(for: &peer) else { return nil }
    try SyncRules.check(message) { heads in
      document.changeHashes(since: heads.compactMap { ChangeHash($0) }).map(\.bytes)
    }
    return message
  }

  /// One peer in four does not say that it reads version 2 (``SyncRules/heard(_:)``).
  ///
  /// - Throws: ``PeerFault`` if the damaged form is taken, or changes the state; else what the
  ///   engine throws at the right one.
  package mutating func receive(_ message: [UInt8], from peer: inout PeerState) throws {
    let message = try SyncRules.heard(message)
    if let damaged = SyncDamage.damaged(message) {
      var state = peer
      do { try document.receive(syncMessage: damaged, &state) } catch {
        guard state == peer else { throw PeerFault.refusalLeavesTrace }
        return try document.receive(syncMessage: message, &peer)
      }
      throw PeerFault.damageIsTaken
    }
    try document.receive(syncMessage: message, &peer)
  }

  /// Changes of a whole document in the message count as well.
  package mutating func knownCount(in message: [UInt8]) throws -> Int {
    let known = Set(document.changeHashes())
    return try MergeDocument.changeHashes(inSyncMessage: message).count { known.contains($0) }
  }
}

/// What is wrong with the state that a document keeps of a peer.
enum PeerFault: Error {
  /// A state that was reset is another than one that was stored and read.
  case resetDiffers
  /// A refused message changed the state.
  case refusalLeavesTrace
  /// A message with a damaged change was not refused.
  case damageIsTaken
  /// A message says that the document has other changes than those that are there.
  case filterDiffers
  /// The changes in a message do not stand as its version has them.
  case itemsDiffer
  /// A message ends before its parts do.
  case messageEnds
}

/// Messages of sync whose last chunk has a wrong checksum, to be refused before the right ones come.
enum SyncDamage {
  private static let magic = ChunkForge.magic

  /// The message with another checksum in its last chunk; `nil` for one without a chunk.
  ///
  /// Of the last magic in the message: a change's bytes may hold one by chance, and then the damage
  /// lies in it all the same.
  static func damaged(_ message: [UInt8]) -> [UInt8]? {
    var place = message.count - magic.count - 1
    while place >= 0 {
      if message[place...].starts(with: magic) {
        var damaged = message
        damaged[place + magic.count] ^= 0x55
        return damaged
      }
      place -= 1
    }
    return nil
  }
}
