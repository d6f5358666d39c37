import DocumentModel
package import MergeEngine

/// The engine's documents as peers.
extension EngineReplica: SyncingReplica {
  package static func newPeer() -> PeerState { PeerState() }

  package static func restored(_ peer: PeerState) throws -> PeerState {
    try PeerState(bytes: peer.bytes)
  }

  package mutating func message(for peer: inout PeerState) -> [UInt8]? {
    document.syncMessage(for: &peer)
  }

  package mutating func receive(_ message: [UInt8], from peer: inout PeerState) throws {
    try document.receive(syncMessage: message, &peer)
  }

  package mutating func knownCount(in message: [UInt8]) throws -> Int {
    let known = Set(document.changeHashes())
    return try MergeDocument.changeHashes(inSyncMessage: message).count { known.contains($0) }
  }
}
