public import Foundation
import MergeEngine

/// Operations that were committed together.
///
/// A value: it does not change, and stays what it is when the document goes on. `hash` is that of
/// the plain form of `bytes`, so that two writers' zlibs make no difference.
public struct Change: Hashable, Sendable {
  /// The actor that made the change.
  public let actorId: ActorId
  public let message: String?
  /// The changes that this one was made on top of, ascending.
  public let deps: [ChangeHash]
  /// When it was committed, in whole seconds; 1970 if the writer gave no time.
  public let timestamp: Date
  /// The change as it is stored and sent; deflated if it has more than 256 bytes.
  public let bytes: Data
  public let hash: ChangeHash

  init(_ info: MergeEngine.ChangeInfo, bytes: [UInt8]) {
    actorId = ActorId(info.actor)
    message = info.message
    deps = info.dependencies.map { ChangeHash($0) }
    timestamp = Date(timeIntervalSince1970: Double(info.time))
    self.bytes = Data(bytes)
    hash = ChangeHash(info.hash)
  }
}
