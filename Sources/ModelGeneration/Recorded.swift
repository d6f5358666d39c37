package import CodingSupport
import Foundation

/// What a value asked of an encoder: its tree, and what the tree alone does not tell.
package indirect enum Recorded {
  case leaf(Tree)
  /// A leaf of a type that reads other stored forms as the same value.
  case spelled(Tree, Spelling)
  /// Nothing, written by `encodeNil(forKey:)` itself and not by an optional's own encoding.
  case keyedNil
  /// An instance of a text or counter, and what it held when it was recorded.
  case reference(AnyObject, Tree)
  case list([Recorded])
  /// A list whose order says nothing, and that has no element twice.
  case set([Recorded])
  case map(RecordedMap)

  /// The content alone.
  package var tree: Tree {
    switch self {
    case .leaf(let tree), .spelled(let tree, _), .reference(_, let tree): tree
    case .keyedNil: .null
    case .list(let elements), .set(let elements): .list(elements.map { $0.tree })
    case .map(let map): .map(of: map.entries.map { Tree.Entry($0.key, $0.value.tree) })
    }
  }
}

/// Types that read more than one stored form of a value.
package enum Spelling: Hashable, Sendable {
  /// A `Float`: each float that rounds to it.
  case float
  /// Each string that Foundation spells like it.
  case url
  /// In letters of either case.
  case uuid
}

/// A keyed container as it was recorded.
package struct RecordedMap {
  /// What asked for the container.
  package enum Owner: Hashable, Sendable {
    /// A struct or class, or a container nested in one.
    case type
    case dictionary
    case enumeration
  }

  package var owner: Owner
  /// In the order in which keys were first written, each once.
  package var entries: [(key: String, value: Recorded)] = []
  /// Keys that were named and came to nothing: `encodeIfPresent` of `nil`.
  package var absentKeys: [String] = []
  /// Whether the value around it asked for it, and fills it.
  package var isNested = false
  /// Whether an enumeration has handed on the value that filled it.
  package var isHandedOn = false
  /// Whether its keys are of a type that may name any: of any but an enumeration without payloads.
  package var hasOpenKeys = false
  /// The type of the keys by which it was asked for; `nil` for several types, and for none.
  package var keys: Any.Type?

  /// The type of Foundation's that alone asks for its keys, whatever value has called its `encode(to:)`.
  package var standardType: Any.Type? {
    keys.flatMap { Self.standardTypes[ObjectIdentifier($0)] }
  }

  private static let standardTypes: [ObjectIdentifier: Any.Type] = {
    let types: [any (Decodable & SendableMetatype).Type] = [
      DateComponents.self, DateInterval.self, Decimal.self, IndexPath.self, IndexSet.self,
      URLComponents.self,
    ]
    let known = types.compactMap { type in
      KeyProbe.keys(of: type).map { ($0, type as Any.Type) }
    }
    return Dictionary(known, uniquingKeysWith: { first, _ in first })
  }()
}

/// Refusals of encoders.
package enum RecordingRefusal {
  static let twoKinds = "one value asked its encoder for containers of two kinds"

  /// `EncodingError.invalidValue` for a value at a path, with words for why.
  package static func invalid(_ value: Any, _ path: CodingPath, _ why: String) -> EncodingError {
    EncodingError.invalidValue(
      value,
      EncodingError.Context(codingPath: path.codingKeys, debugDescription: why)
    )
  }
}

/// A dictionary, whatever it holds: recorders and coders ask which keys it has.
package protocol AnyDictionary {
  static var keyType: Any.Type { get }
  static var valueType: Any.Type { get }
}

extension Dictionary: AnyDictionary {
  package static var keyType: Any.Type { Key.self }
  package static var valueType: Any.Type { Value.self }
}

/// A set, whatever it holds.
package protocol AnySet {
  static var elementType: Any.Type { get }
}

extension Set: AnySet {
  package static var elementType: Any.Type { Element.self }
}

/// An array, whatever it holds.
protocol AnyList {
  static var elementType: Any.Type { get }
}

extension Array: AnyList {
  static var elementType: Any.Type { Element.self }
}

extension ContiguousArray: AnyList {
  static var elementType: Any.Type { Element.self }
}

/// An optional, whatever it wraps.
package protocol AnyOptional {
  static var wrappedType: Any.Type { get }
  var wrapped: Any? { get }
}

extension Optional: AnyOptional {
  package static var wrappedType: Any.Type { Wrapped.self }
  package var wrapped: Any? { map { $0 as Any } }
}

extension AnyOptional {
  /// Whether it is `.some(nil)`, or wraps such a value, which text must not show as `nil`.
  package var wrapsNil: Bool {
    // `wrapped` is an optional itself, and would do for the cast.
    guard let wrapped, let inner = wrapped as? any AnyOptional else { return false }
    return inner.wrapped == nil || inner.wrapsNil
  }
}
