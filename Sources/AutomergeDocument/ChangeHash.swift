public import Foundation
package import MergeEngine

/// Names a change, on every replica the same.
public struct ChangeHash: Hashable, Sendable, Comparable, CustomDebugStringConvertible {
  package let engineHash: MergeEngine.ChangeHash

  package init(_ engineHash: MergeEngine.ChangeHash) {
    self.engineHash = engineHash
  }

  /// Reads what ``bytes`` gave; `nil` unless there are 32.
  public init?(bytes: Data) {
    guard let hash = MergeEngine.ChangeHash([UInt8](bytes)) else { return nil }
    engineHash = hash
  }

  /// The 32 bytes.
  public var bytes: Data { Data(engineHash.bytes) }

  /// Orders hashes by their bytes.
  public static func < (left: ChangeHash, right: ChangeHash) -> Bool {
    left.engineHash < right.engineHash
  }

  /// Lower-case hex.
  public var debugDescription: String { engineHash.description }
}

extension Set<ChangeHash> {
  /// The hashes joined, 32 bytes each, in descending order.
  ///
  ///     ef 3b f0 13 ... 24 bf  ae c3 7f f6 ... 57 79      two heads in 64 bytes; of none no bytes
  public func raw() -> Data {
    var bytes = Data(capacity: count * 32)
    for hash in sorted(by: >) { bytes.append(hash.bytes) }
    return bytes
  }

  /// In ascending order, in the engine's words.
  package var engineHashes: [MergeEngine.ChangeHash] { map(\.engineHash).sorted() }
}

extension Data {
  /// The hashes that ``Swift/Set/raw()`` joined; `nil` unless the length is a multiple of 32.
  public func heads() -> Set<ChangeHash>? {
    guard count.isMultiple(of: 32) else { return nil }
    var rest = self[...]
    var result: Set<ChangeHash> = []
    while !rest.isEmpty {
      guard let hash = ChangeHash(bytes: Data(rest.prefix(32))) else { return nil }
      result.insert(hash)
      rest = rest.dropFirst(32)
    }
    return result
  }
}
