import CodingSupport

/// What a value of a model comes to when it is encoded: the neutral form of models and documents.
///
/// A tree has every kind that a document tells apart. A model's recorded tree holds a `date` exactly
/// as the model does; a document's tree holds a `timestamp` in its place. Strings, keys and floats
/// are equal if their bits are: canonically equivalent strings differ.
public indirect enum Tree: Hashable, Sendable {
  case null
  case boolean(Bool)
  case int(Int64)
  case uint(UInt64)
  case float(Double)
  case string(String)
  case bytes([UInt8])
  /// Seconds since 2001 as `Date` holds them; only in what a model came to.
  case date(Double)
  /// Milliseconds since 1970; only in documents.
  case timestamp(Int64)
  /// A text that merges by character.
  case text(String)
  /// A number that merges by adding.
  case counter(Int64)
  /// A scalar whose type is not known yet; only in documents.
  case unknown(UInt8, [UInt8])
  case list([Tree])
  /// Entries ascending by the bytes of their keys, each key once: see ``map(of:)``.
  case map([Entry])

  /// A key of a map and what it holds.
  public struct Entry: Hashable, Sendable {
    public let key: String
    public var value: Tree

    public init(_ key: String, _ value: Tree) {
      self.key = key
      self.value = value
    }

    public static func == (left: Self, right: Self) -> Bool {
      left.key.hasSameBytes(as: right.key) && left.value == right.value
    }

    public func hash(into hasher: inout Hasher) {
      // Strings with the same bytes have the same hash; canonically equivalent ones share it.
      hasher.combine(key)
      hasher.combine(value)
    }
  }

  /// The map of these entries, in any order; of two with one key, the last.
  public static func map(of entries: some Sequence<Entry>) -> Tree {
    var kept: [Entry] = []
    for entry in entries {
      var (low, high) = (0, kept.count)
      while low < high {
        let middle = (low + high) / 2
        if kept[middle].key.precedesByBytes(entry.key) { low = middle + 1 } else { high = middle }
      }
      if low < kept.count, kept[low].key.hasSameBytes(as: entry.key) {
        kept[low] = entry
      } else if low == kept.count {
        kept.append(entry)
      } else {
        kept.insert(entry, at: low)
      }
    }
    return .map(kept)
  }

  /// The kinds of tree, as messages and known divergences spell them.
  public enum Kind: String, Hashable, Sendable, CaseIterable, Codable {
    case null
    case boolean
    case int
    case uint
    case float
    case string
    case bytes
    case date
    case timestamp
    case text
    case counter
    case unknown
    case list
    case map

    /// Whether a document holds it as a value without parts.
    public var isScalar: Bool { self != .text && self != .list && self != .map }
  }

  public var kind: Kind {
    switch self {
    case .null: .null
    case .boolean: .boolean
    case .int: .int
    case .uint: .uint
    case .float: .float
    case .string: .string
    case .bytes: .bytes
    case .date: .date
    case .timestamp: .timestamp
    case .text: .text
    case .counter: .counter
    case .unknown: .unknown
    case .list: .list
    case .map: .map
    }
  }

  public static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.boolean(let left), .boolean(let right)): left == right
    case (.int(let left), .int(let right)): left == right
    case (.uint(let left), .uint(let right)): left == right
    case (.float(let left), .float(let right)), (.date(let left), .date(let right)):
      left.bitPattern == right.bitPattern
    case (.string(let left), .string(let right)), (.text(let left), .text(let right)):
      left.hasSameBytes(as: right)
    case (.bytes(let left), .bytes(let right)): left == right
    case (.timestamp(let left), .timestamp(let right)): left == right
    case (.counter(let left), .counter(let right)): left == right
    case (.unknown(let leftCode, let left), .unknown(let rightCode, let right)):
      leftCode == rightCode && left == right
    case (.list(let left), .list(let right)): left == right
    case (.map(let left), .map(let right)): left == right
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    switch self {
    case .null: break
    case .boolean(let value): hasher.combine(value)
    case .int(let value), .timestamp(let value), .counter(let value): hasher.combine(value)
    case .uint(let value): hasher.combine(value)
    case .float(let value), .date(let value): hasher.combine(value.bitPattern)
    case .string(let value), .text(let value): hasher.combine(value)
    case .bytes(let value): hasher.combine(value)
    case .unknown(let code, let value):
      hasher.combine(code)
      hasher.combine(value)
    case .list(let elements): hasher.combine(elements)
    case .map(let entries): hasher.combine(entries)
    }
  }
}
