/// What a document knows of one peer that it syncs with.
///
/// One for each peer, kept as long as messages to it and from it go through one channel. It says
/// what was said and is never proof of what this document holds: hashes that the document lacks are
/// left out where they would matter. What is stored of it (``bytes``) is enough to go on over a new
/// channel:
///
///     43                        a stored state
///     01 4fc6c6fa...caaa        one head that both sides have
///
/// Source: Specification/Format.md, "Sync state".
package struct PeerState: Hashable, Sendable {
  /// Heads of what both sides are known to have, ascending.
  package internal(set) var sharedHeads: [ChangeHash] = []
  /// Our heads, as the last message stated them.
  var lastSentHeads: [ChangeHash] = []
  /// The peer's heads as its last message stated them; `nil` before the first one.
  package internal(set) var theirHeads: [ChangeHash]?
  /// What the peer's last message asked for.
  var theirNeed: [ChangeHash]?
  /// What the peer's last message said that it has.
  var theirHave: [SyncMessage.Have]?
  /// Changes that were sent and that the peer has not confirmed, each once, in the order of sending.
  var sentHashes: [ChangeHash] = []
  /// Whether a message is under way that the peer has not answered.
  var isInFlight = false
  /// Whether any message was made.
  var hasResponded = false
  var peerReadsVersion2 = false

  package init() {}

  /// Whether the peer's last message says that it has nothing: it is empty, or asks to start again.
  var peerClaimsNothing: Bool { theirHave == [SyncMessage.Have()] }

  /// Reads what ``bytes`` gave; what follows is ignored.
  package init(bytes: [UInt8]) throws(ChunkError) {
    sharedHeads = try withView(of: bytes) { (view) throws(ChunkError) -> [ChangeHash] in
      var cursor = ByteCursor(view)
      do throws(Fault) {
        let first = try cursor.readByte(.version)
        guard first == Self.version else { throw Fault(.unknownVersion(first), 0, .version) }
        return try cursor.readHashes(.heads)
      } catch {
        throw error.error(base: 0, in: ["sync state"])
      }
    }
    theirHave = []
  }

  /// The first byte of a stored state.
  package static let version: UInt8 = 0x43

  /// The shared heads, which are all that outlasts a channel.
  package var bytes: [UInt8] {
    var bytes = Arena<UInt8>()
    bytes.append([Self.version])
    bytes.appendHashes(sharedHeads)
    return bytes.view.array
  }

  /// Forgets all but the shared heads, as storing and reading would.
  package mutating func reset() {
    let shared = sharedHeads
    self = PeerState()
    sharedHeads = shared
    theirHave = []
  }
}
