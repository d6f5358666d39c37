package import MergeEngine

/// What an object is.
// swift-format-ignore: AlwaysUseLowerCamelCase
public enum ObjType: Hashable, Sendable, CustomDebugStringConvertible {
  /// Values by key.
  case Map
  /// Values by index.
  case List
  /// Characters that replicas edit together.
  case Text

  /// The engine's word; an old *table* is a map.
  package init(_ kind: MergeEngine.ObjectKind) {
    switch kind {
    case .map, .table: self = .Map
    case .list: self = .List
    case .text: self = .Text
    }
  }

  package var engineKind: MergeEngine.ObjectKind {
    switch self {
    case .Map: .map
    case .List: .list
    case .Text: .text
    }
  }

  /// The case's name.
  public var debugDescription: String {
    switch self {
    case .Map: "Map"
    case .List: "List"
    case .Text: "Text"
    }
  }
}

/// What a key or an index holds: an object or a scalar.
///
///     {"n": 1, "t": text}      "n" holds .Scalar(.Int(1)), "t" holds .Object(its id, .Text)
///
/// An object is named and not held: what it contains is read by its id, and is what it is at that
/// time.
// swift-format-ignore: AlwaysUseLowerCamelCase
public enum Value: Hashable, Sendable, CustomDebugStringConvertible {
  case Object(ObjId, ObjType)
  case Scalar(ScalarValue)

  package init(_ value: MergeEngine.Value) {
    switch value {
    case .scalar(let scalar): self = .Scalar(ScalarValue(scalar))
    case .object(let id, let kind): self = .Object(ObjId(id, kind), ObjType(kind))
    }
  }

  /// `Object<id, Type>` or `ScalarValue<description>`.
  public var debugDescription: String {
    switch self {
    case .Object(let id, let type): "Object<\(id.debugDescription), \(type.debugDescription)>"
    case .Scalar(let scalar): "ScalarValue<\(scalar.description)>"
    }
  }
}

/// A place in an object.
// swift-format-ignore: AlwaysUseLowerCamelCase
public enum Prop: Hashable, Sendable {
  /// A key of a map.
  case Key(String)
  /// An index of a list, or of a text in units of the document's text encoding.
  case Index(UInt64)

  package init(_ prop: MergeEngine.Prop) {
    switch prop {
    case .key(let key): self = .Key(key)
    case .index(let index): self = .Index(UInt64(clamping: index))
    }
  }

  package var engineProp: MergeEngine.Prop {
    switch self {
    case .Key(let key): .key(key)
    case .Index(let index): .index(Int(clamping: index))
    }
  }
}

/// One step on the way from the root to an object.
public struct PathElement: Hashable, Sendable {
  /// The place in `obj` where the way goes on.
  public let prop: Prop
  /// The object on the way.
  public let obj: ObjId

  public init(obj: ObjId, prop: Prop) {
    self.obj = obj
    self.prop = prop
  }
}
