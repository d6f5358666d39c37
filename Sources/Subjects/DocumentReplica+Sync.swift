package import AutomergeDocument
import DocumentModel
import Foundation
import MergeEngine

/// `Document`s as peers.
extension DocumentReplica: SyncingReplica {
  package static func newPeer() -> SyncState { SyncState() }

  /// Two ways to begin a new channel, reading a stored state and a reset, must give equal states;
  /// the last bit of the stored one decides with which the session goes on.
  package static func restored(_ peer: SyncState) throws -> SyncState {
    let stored = peer.encode()
    let restored = try SyncState(bytes: stored)
    try expect(restored.encode() == stored, "SyncState: bytes")
    try expect(restored.theirHeads == nil, "SyncState: theirHeads after reading")
    // A reset does the same in place: either one goes on.
    let copy = peer
    peer.reset()
    try expect(copy.encode() == stored && copy.theirHeads == nil, "SyncState: reset")
    return stored.last.map { $0 & 1 == 1 } ?? false ? copy : restored
  }

  package mutating func message(for peer: inout SyncState) throws -> [UInt8]? {
    let message = try witness.quiet("generateSyncMessage") {
      document.generateSyncMessage(state: peer).map { [UInt8]($0) }
    }
    if let message { try SyncRules.checkItems(message) }
    return message
  }

  /// Before each message with a change comes a damaged form of it, which must be refused and leave
  /// document and state as they were.
  ///
  /// One peer in four does not say that it reads version 2, as with the engine.
  package mutating func receive(_ message: [UInt8], from peer: inout SyncState) throws {
    let message = try SyncRules.heard(message)
    let state = peer
    let before = document.heads()
    if let damaged = SyncDamage.damaged(message) {
      let known = (state.encode(), state.theirHeads)
      do {
        try document.receiveSyncMessage(state: state, message: Data(damaged))
        throw PublicCallFault("receiveSyncMessage takes a damaged change")
      } catch is ReceiveSyncError {}
      try expect(document.heads() == before, "a refused sync message changes the document")
      try expect((state.encode(), state.theirHeads) == known, "a refused sync message: SyncState")
    }
    var patches: [Patch]?
    try witness.judge(nil, "receiveSyncMessage", changes: nil) {
      if looksAtPatches {
        patches = try document.receiveSyncMessageWithPatches(state: state, message: Data(message))
      } else {
        try document.receiveSyncMessage(state: state, message: Data(message))
      }
    }
    if let patches {
      try document.checkPatches(patches, from: before, to: document.heads(), "a sync message")
    }
    try expect(peer.theirHeads != nil, "SyncState: theirHeads after a message")
  }

  package mutating func knownCount(in message: [UInt8]) throws -> Int {
    let known = Set(document.getHistory())
    return try MergeDocument.changeHashes(inSyncMessage: message).count {
      known.contains(ChangeHash($0))
    }
  }
}
