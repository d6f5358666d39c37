public import Foundation
package import MergeEngine

/// The writer of changes.
///
/// Two replicas must never write with the same actor at the same time: a replica that has the first
/// of two changes with one number refuses the second. An actor that a copy of the app's files has
/// taken along is such a second writer, which is why documents begin with a random one.
public struct ActorId: Hashable, Sendable, CustomStringConvertible {
  package let engineID: MergeEngine.ActorID

  package init(_ engineID: MergeEngine.ActorID) {
    self.engineID = engineID
  }

  /// A random actor of 16 bytes.
  public init() {
    self.init(uuid: UUID())
  }

  /// An actor of the identifier's 16 bytes.
  public init(uuid: UUID) {
    let bytes = uuid.uuid
    engineID = MergeEngine.ActorID([
      bytes.0, bytes.1, bytes.2, bytes.3, bytes.4, bytes.5, bytes.6, bytes.7,
      bytes.8, bytes.9, bytes.10, bytes.11, bytes.12, bytes.13, bytes.14, bytes.15,
    ])
  }

  /// An actor of these bytes; `nil` for more than 128.
  public init?(data: Data) {
    guard data.count <= Self.byteLimit else { return nil }
    engineID = MergeEngine.ActorID([UInt8](data))
  }

  static let byteLimit = 128

  /// The bytes.
  public var data: Data { Data(engineID.bytes) }

  /// Upper-case hex.
  public var description: String { data.hexadecimal.uppercased() }
}
