/// Limits of records and requests.
///
/// Source: Records.md, "Sizes".
public enum RecordLimits {
  /// A record takes fewer bytes than this, assets apart.
  public static let recordBytes = 1_000_000
  /// Records that are saved and deleted by one request at most.
  public static let requestItems = 400
  /// Bytes of the records of one request at most, assets apart.
  public static let requestBytes = 2_000_000
  /// References with `deleteSelf` to one record at most.
  public static let deletingReferences = 750
}

/// A field and its size.
public struct RecordFieldSize: Hashable, Sendable {
  public let key: String
  /// Bytes of key and value, as ``Record/byteCount`` counts them.
  public let byteCount: Int

  public init(key: String, byteCount: Int) {
    self.key = key
    self.byteCount = byteCount
  }
}

extension RecordValue {
  /// Bytes that the value counts as: text and bytes as they are, numbers and dates 8, places 16,
  /// references their names and 1, assets nothing, lists what their elements count as.
  public var byteCount: Int {
    switch self {
    case .string(let value): value.utf8.count
    case .int64, .double, .timestamp: 8
    case .bytes(let value): value.count
    case .location: 16
    case .reference(let value):
      value.recordID.recordName.utf8.count + value.recordID.zoneID.zoneName.utf8.count
        + value.recordID.zoneID.ownerName.utf8.count + 1
    case .asset: 0
    case .list(let list): list.byteCount
    }
  }
}

extension RecordList {
  fileprivate var byteCount: Int {
    switch self {
    case .int64s, .doubles, .timestamps: 8 * count
    case .assets, .empty: 0
    default: elements.reduce(0) { $0 + $1.byteCount }
    }
  }
}

extension Record {
  /// Bytes that all fields count as, keys included and assets apart: the sum over the fields.
  ///
  /// How a server counts is not documented; this estimate never shrinks when a field is added.
  public var byteCount: Int {
    fields.reduce(0) { $0 + $1.key.utf8.count + $1.value.byteCount }
      + encryptedFields.reduce(0) { $0 + $1.key.utf8.count + $1.value.byteCount }
  }

  /// The largest fields, the greatest first; equal ones in the order of their keys.
  public func largestFields(_ count: Int = 3) -> [RecordFieldSize] {
    let sizes = (Array(fields) + Array(encryptedFields)).map {
      RecordFieldSize(key: $0.key, byteCount: $0.key.utf8.count + $0.value.byteCount)
    }
    return Array(
      sizes.sorted { ($1.byteCount, $0.key) < ($0.byteCount, $1.key) }.prefix(count)
    )
  }
}
