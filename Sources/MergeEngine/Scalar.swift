/// A value that is not an object, as the format stores it.
package enum Scalar: Hashable, Sendable {
  case null
  case bool(Bool)
  case uint(UInt64)
  case int(Int64)
  case double(Double)
  case string(String)
  case bytes([UInt8])
  /// As written: the start value. As read from a document: start plus all increments.
  case counter(Int64)
  /// Milliseconds since 1970.
  case timestamp(Int64)
  /// A type that this version of the format has no meaning for; `code` is 10...15.
  case unknown(code: UInt8, bytes: [UInt8])
}

extension Scalar {
  /// Equal as the real core compares.
  ///
  /// Strings byte by byte, where `==` takes canonically equivalent ones for one; not a number equals nothing,
  /// and -0.0 equals 0.0.
  func isEqual(to other: Scalar) -> Bool {
    if case (.string(let left), .string(let right)) = (self, other) {
      return left.utf8.elementsEqual(right.utf8)
    }
    return self == other
  }

  /// The same, except that not a number is the same as itself.
  func isSame(as other: Scalar) -> Bool {
    if case (.double(let left), .double(let right)) = (self, other) {
      return left == right || left.bitPattern == right.bitPattern
    }
    return isEqual(to: other)
  }
}

/// What an object is.
///
/// A table is an old kind of map.
///
/// Lists and texts differ in what an index counts, and in how an element without a string reads;
/// elements, ids and merging are the same.
package enum ObjectKind: UInt8, Hashable, Sendable, BitwiseCopyable {
  case map, list, text, table

  /// Whether elements are addressed by index rather than by key.
  package var isSequence: Bool { self == .list || self == .text }
}

/// One value of a register.
package enum Value: Hashable, Sendable {
  case scalar(Scalar)
  case object(ObjectID, ObjectKind)
}

/// A value together with the operation that set it.
package struct Entry: Hashable, Sendable {
  package let value: Value
  package let id: OpID
}

/// Where in an object: a key of a map, or an index of a list or text.
///
/// A text's index counts units of the document's text encoding.
package enum Prop: Hashable, Sendable {
  case key(String)
  case index(Int)
}

/// What lengths and indexes of texts count.
package enum TextUnit: Hashable, Sendable {
  case scalar, utf8, utf16, grapheme
}

/// Value type codes of the format.
enum TypeCode {
  static let null: UInt32 = 0
  static let no: UInt32 = 1
  static let yes: UInt32 = 2
  static let uint: UInt32 = 3
  static let int: UInt32 = 4
  static let double: UInt32 = 5
  static let string: UInt32 = 6
  static let bytes: UInt32 = 7
  static let counter: UInt32 = 8
  static let timestamp: UInt32 = 9
}

/// What an operation does, by the format's codes.
enum Action: UInt8, BitwiseCopyable {
  case makeMap = 0
  case set = 1
  case makeList = 2
  case delete = 3
  case makeText = 4
  case increment = 5
  case makeTable = 6
  case mark = 7

  /// The action of a code; `nil` for one that the format has not.
  @inline(__always)
  init?(code: UInt64) {
    guard let byte = UInt8(exactly: code) else { return nil }
    self.init(rawValue: byte)
  }

  /// The action that makes an object.
  init(making kind: ObjectKind) {
    switch kind {
    case .map: self = .makeMap
    case .list: self = .makeList
    case .text: self = .makeText
    case .table: self = .makeTable
    }
  }

  /// The kind of object that the action makes; `nil` if it makes none.
  @inline(__always) var made: ObjectKind? {
    switch self {
    case .makeMap: .map
    case .makeList: .list
    case .makeText: .text
    case .makeTable: .table
    case .set, .delete, .increment, .mark: nil
    }
  }

  /// Whether operations of this kind keep their value; a mark does if it has a name.
  ///
  /// The other actions are written with a null in place of a value. If another writer put something
  /// else there, it is dropped here, and the change or document no longer has the hash that it
  /// states.
  @inline(__always)
  func keepsValue(hasName: Bool) -> Bool {
    self == .set || self == .increment || (self == .mark && hasName)
  }
}
