public import Foundation
package import MergeEngine

/// A place in a text or list that stays with its element while others edit.
///
/// Made by ``Document/cursor(obj:position:)``. Where it is now says ``Document/position(obj:cursor:)``.
public struct Cursor: Hashable, Sendable, CustomStringConvertible {
  package let engineCursor: ElementCursor

  package init(_ engineCursor: ElementCursor) {
    self.engineCursor = engineCursor
  }

  /// Reads what ``bytes`` gave, or what another implementation stored; `nil` for anything else.
  public init?(bytes: Data) {
    guard let cursor = try? ElementCursor(bytes: [UInt8](bytes)) else { return nil }
    engineCursor = cursor
  }

  /// Reads the text form of other implementations: `s`, `e`, `7@0a0b`, or `-7@0a0b`; `nil` for
  /// anything else.
  public init?(text: String) {
    guard let cursor = ElementCursor(text) else { return nil }
    engineCursor = cursor
  }

  /// The cursor in a form that can be stored, the same in all implementations.
  ///
  ///     01 03 02 0a 0b 07 02      element 7 of actor 0a0b; once deleted, what comes next
  ///     01 02                     the end
  public var bytes: Data { Data(engineCursor.bytes) }

  /// The text form of other implementations.
  public var text: String { engineCursor.description }

  /// ``bytes`` in upper-case hex.
  public var description: String { bytes.hexadecimal.uppercased() }
}

/// Where a cursor goes when its element is deleted.
public enum CursorMove: Hashable, Sendable {
  /// To the nearest element before it that it was inserted behind.
  case before
  /// To what comes next.
  case after
}

/// A place in a text or list: by a cursor, or by an index.
// swift-format-ignore: AlwaysUseLowerCamelCase
public enum Position: Hashable, Sendable {
  case cursor(Cursor)
  case index(UInt64)
}
