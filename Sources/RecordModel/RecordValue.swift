public import Foundation

/// What a field of a record holds.
///
/// Lists are flat and of one kind: a mixed list and a list of lists cannot be written down. Booleans and
/// all integers are ``int64(_:)``. Values are equal if their bits are: `-0.0` is not `0.0`, and two
/// spellings of one character are two strings.
///
/// Source: Records.md, "Values".
public enum RecordValue: Sendable {
  case string(String)
  case int64(Int64)
  case double(Double)
  case bytes(Data)
  /// A moment; servers keep whole milliseconds since 1970.
  case timestamp(Date)
  case location(RecordLocation)
  // Behind a pointer: without it every value would take more than twice the room.
  indirect case reference(RecordReference)
  case asset(RecordAsset)
  case list(RecordList)
}

/// A list of values of one kind.
public enum RecordList: Sendable {
  case strings([String])
  case int64s([Int64])
  case doubles([Double])
  case bytes([Data])
  case timestamps([Date])
  case locations([RecordLocation])
  case references([RecordReference])
  case assets([RecordAsset])
  /// An empty list from a source that does not say of what.
  case empty
}

/// The kinds of single values, named as a server's schema names them.
public enum RecordKind: String, Hashable, Sendable, CaseIterable, Codable {
  case string = "STRING"
  case int64 = "INT64"
  case double = "DOUBLE"
  case bytes = "BYTES"
  case timestamp = "TIMESTAMP"
  case location = "LOCATION"
  case reference = "REFERENCE"
  case asset = "ASSET"
}

/// The kind of a field: of a value, or of a list of values.
public struct RecordFieldKind: Hashable, Sendable, Codable {
  /// `nil` for an empty list that does not say of what.
  public let kind: RecordKind?
  public let isList: Bool

  public init(_ kind: RecordKind?, isList: Bool = false) {
    self.kind = kind
    self.isList = isList
  }
}

extension RecordFieldKind: CustomStringConvertible {
  /// `INT64`, `LIST<STRING>`, or `LIST<?>`.
  public var description: String {
    let name = kind?.rawValue ?? "?"
    return isList ? "LIST<\(name)>" : name
  }
}

extension RecordValue {
  public var kind: RecordFieldKind {
    switch self {
    case .string: RecordFieldKind(.string)
    case .int64: RecordFieldKind(.int64)
    case .double: RecordFieldKind(.double)
    case .bytes: RecordFieldKind(.bytes)
    case .timestamp: RecordFieldKind(.timestamp)
    case .location: RecordFieldKind(.location)
    case .reference: RecordFieldKind(.reference)
    case .asset: RecordFieldKind(.asset)
    case .list(let list): RecordFieldKind(list.kind, isList: true)
    }
  }

  /// All references in the value: of a list, those of its elements.
  public var references: [RecordReference] {
    switch self {
    case .reference(let reference): [reference]
    case .list(.references(let references)): references
    default: []
    }
  }

  /// All assets in the value: of a list, those of its elements.
  public var assets: [RecordAsset] {
    switch self {
    case .asset(let asset): [asset]
    case .list(.assets(let assets)): assets
    default: []
    }
  }
}

extension RecordList {
  /// The kind of the elements; `nil` for ``empty``.
  public var kind: RecordKind? {
    switch self {
    case .strings: .string
    case .int64s: .int64
    case .doubles: .double
    case .bytes: .bytes
    case .timestamps: .timestamp
    case .locations: .location
    case .references: .reference
    case .assets: .asset
    case .empty: nil
    }
  }

  public var count: Int {
    switch self {
    case .strings(let elements): elements.count
    case .int64s(let elements): elements.count
    case .doubles(let elements): elements.count
    case .bytes(let elements): elements.count
    case .timestamps(let elements): elements.count
    case .locations(let elements): elements.count
    case .references(let elements): elements.count
    case .assets(let elements): elements.count
    case .empty: 0
    }
  }

  /// The elements as values of their own.
  public var elements: [RecordValue] {
    switch self {
    case .strings(let elements): elements.map { .string($0) }
    case .int64s(let elements): elements.map { .int64($0) }
    case .doubles(let elements): elements.map { .double($0) }
    case .bytes(let elements): elements.map { .bytes($0) }
    case .timestamps(let elements): elements.map { .timestamp($0) }
    case .locations(let elements): elements.map { .location($0) }
    case .references(let elements): elements.map { .reference($0) }
    case .assets(let elements): elements.map { .asset($0) }
    case .empty: []
    }
  }

  /// A list of single values, ``empty`` of none; `nil` if they are of several kinds, or lists themselves.
  public init?(_ elements: [RecordValue]) {
    guard let first = elements.first else {
      self = .empty
      return
    }
    /// What `read` takes out of each element; `nil` unless it does of every one.
    func all<Value>(_ read: (RecordValue) -> Value?) -> [Value]? {
      let values = elements.compactMap(read)
      return values.count == elements.count ? values : nil
    }
    let list: RecordList? =
      switch first {
      case .string:
        all { if case .string(let value) = $0 { value } else { nil } }.map { .strings($0) }
      case .int64:
        all { if case .int64(let value) = $0 { value } else { nil } }.map { .int64s($0) }
      case .double:
        all { if case .double(let value) = $0 { value } else { nil } }.map { .doubles($0) }
      case .bytes:
        all { if case .bytes(let value) = $0 { value } else { nil } }.map { .bytes($0) }
      case .timestamp:
        all { if case .timestamp(let value) = $0 { value } else { nil } }.map { .timestamps($0) }
      case .location:
        all { if case .location(let value) = $0 { value } else { nil } }.map { .locations($0) }
      case .reference:
        all { if case .reference(let value) = $0 { value } else { nil } }.map { .references($0) }
      case .asset:
        all { if case .asset(let value) = $0 { value } else { nil } }.map { .assets($0) }
      case .list: nil
      }
    guard let list else { return nil }
    self = list
  }
}

// MARK: - Equality

extension RecordValue: Hashable {
  public static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
    case (.int64(let left), .int64(let right)): left == right
    case (.double(let left), .double(let right)): left.bitPattern == right.bitPattern
    case (.bytes(let left), .bytes(let right)): left == right
    case (.timestamp(let left), .timestamp(let right)): left.bits == right.bits
    case (.location(let left), .location(let right)): left.bits == right.bits
    case (.reference(let left), .reference(let right)): left == right
    case (.asset(let left), .asset(let right)): left == right
    case (.list(let left), .list(let right)): left == right
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .string(let value): hasher.combine(value)
    case .int64(let value): hasher.combine(value)
    case .double(let value): hasher.combine(value.bitPattern)
    case .bytes(let value): hasher.combine(value)
    case .timestamp(let value): hasher.combine(value.bits)
    case .location(let value): hasher.combine(value.bits)
    case .reference(let value): hasher.combine(value)
    case .asset(let value): hasher.combine(value)
    case .list(let value): hasher.combine(value)
    }
  }
}

extension RecordList: Hashable {
  public static func == (left: Self, right: Self) -> Bool {
    left.kind == right.kind && left.count == right.count && left.elements == right.elements
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    hasher.combine(elements)
  }
}

extension Date {
  fileprivate var bits: UInt64 { timeIntervalSinceReferenceDate.bitPattern }
}

extension RecordLocation {
  fileprivate var bits: [UInt64] { [latitude.bitPattern, longitude.bitPattern] }
}
