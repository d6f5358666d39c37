public import Foundation
import MergeEngine

/// What a document knows of one peer that it syncs with.
///
/// One for each peer, for as long as messages go through one channel in order. For a new channel to the
/// same peer, begin with ``reset()`` or with what was stored (``encode()``): what was under way may
/// be lost.
///
/// Copies share one state, as those of automerge-swift do. Safe to use from several threads.
///
/// A state belongs to one document and one peer.
public struct SyncState: Sendable {
  private let box: Box

  private init(_ state: PeerState) {
    box = Box(state)
  }

  /// The state for a peer about which nothing is known.
  public init() {
    self.init(PeerState())
  }

  /// Reads what ``encode()`` gave.
  ///
  /// - Throws: ``DecodeSyncStateError``.
  public init(bytes: Data) throws {
    do throws(ChunkError) { self.init(try PeerState(bytes: [UInt8](bytes))) } catch {
      throw DecodeSyncStateError(error)
    }
  }

  /// The heads that the peer stated last; `nil` before its first message.
  public var theirHeads: Set<ChangeHash>? {
    box.withState { state in state.theirHeads.map { Set($0.map { ChangeHash($0) }) } }
  }

  /// Forgets all but what both sides are known to have: as storing and reading would.
  public func reset() {
    box.withState { $0.reset() }
  }

  /// What of the state outlasts a channel.
  public func encode() -> Data {
    box.withState { Data($0.bytes) }
  }

  func withState<Result, Failure: Error>(
    _ body: (inout PeerState) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try box.withState(body)
  }

  /// Holds the state for all copies.
  ///
  /// A lock, and not an actor, since the calls of `Document` are synchronous. It is taken after the
  /// document's own, and nothing is called under it that takes another.
  private final class Box: @unchecked Sendable {
    private let lock = RecursiveLock()
    private var state: PeerState

    init(_ state: PeerState) {
      self.state = state
    }

    func withState<Result, Failure: Error>(
      _ body: (inout PeerState) throws(Failure) -> Result
    ) throws(Failure) -> Result {
      lock.lock()
      defer { lock.unlock() }
      return try body(&state)
    }
  }
}
