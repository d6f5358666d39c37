public import Foundation
package import MergeEngine
import Texts

/// Identifies an object of a document: a map, a list or a text.
///
/// The same object has the same id on every replica, whatever was merged and however the
/// document was loaded. An id that a document does not know is refused, never trapped on.
public struct ObjId: Hashable, Sendable, CustomDebugStringConvertible {
  /// The id in the engine's words; its hint makes finding the object faster.
  package let engineID: MergeEngine.ObjectID
  /// What the object was said to be where the id came from; no part of its identity.
  package let kind: MergeEngine.ObjectKind

  package init(_ engineID: MergeEngine.ObjectID, _ kind: MergeEngine.ObjectKind) {
    self.engineID = engineID
    self.kind = kind
  }

  /// The map that every document begins with.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  public static let ROOT = ObjId(.root, .map)

  /// Reads what ``bytes`` gave; `nil` for anything else.
  public init?(bytes: Data) {
    let bytes = [UInt8](bytes)
    guard bytes.count >= Self.headerByteCount, bytes[0] == Self.formatVersion,
      let kind = MergeEngine.ObjectKind(rawValue: bytes[1])
    else { return nil }
    let counter = bytes[2..<6].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    let actor = MergeEngine.ActorID(Array(bytes[6...]))
    if counter == 0 {
      guard actor.bytes.isEmpty, kind == .map else { return nil }
      self = .ROOT
    } else {
      guard actor.bytes.count <= ActorId.byteLimit else { return nil }
      self.init(.init(MergeEngine.OpID(counter: counter, actor: actor)), kind)
    }
  }

  /// The id in a form that can be stored, `[version, kind, counter x 4, actor...]`.
  ///
  /// The counter is little-endian.
  ///
  ///     01  00  00 00 00 00               the root: a map, counter 0, no actor
  ///     01  02  05 00 00 00  ab cd        the text that operation 5 of the actor abcd made
  public var bytes: Data {
    var bytes: [UInt8] = [Self.formatVersion, kind.rawValue]
    for shift: UInt32 in [0, 8, 16, 24] {
      bytes.append(UInt8(truncatingIfNeeded: engineID.counter >> shift))
    }
    return Data(bytes + engineID.actor.bytes)
  }

  private static let formatVersion: UInt8 = 1
  private static let headerByteCount = 6

  public static func == (left: ObjId, right: ObjId) -> Bool { left.engineID == right.engineID }

  public func hash(into hasher: inout Hasher) { hasher.combine(engineID) }

  /// `ObjId.ROOT`, or the bytes in lower-case hex.
  public var debugDescription: String {
    engineID.isRoot ? "ObjId.ROOT" : "ObjId(\(bytes.hexadecimal))"
  }
}

extension Data {
  /// Two lower-case digits for each byte.
  var hexadecimal: String { hexString(Array(self)) }
}
