public import RecordModel

/// Why a value has no record.
///
/// What is wrong with one field is an `EncodingError` with its path.
public enum CloudKitRecordEncodingError: Error, Hashable, Sendable {
  /// Declared by CloudKitCodable, which never throws it; nor does this library.
  case unsupportedValueForKey(String)
  /// The property of system fields holds something else than their archive; why.
  case systemFieldsDecode(String)
  /// Declared by CloudKitCodable, which never throws it; nor does this library.
  case referencesNotSupported(String)
  /// One field alone takes as much as a record may; its bytes.
  ///
  /// Told before the record's size: the one field is what has to become an asset.
  case dataFieldTooLarge(key: String, size: Int)
  /// The archived system fields, or the base record, are those of another record type.
  case recordTypeMismatch(archived: String, expected: String)
  /// The base record is another record.
  case recordMismatch(base: RecordID, expected: RecordID)
  /// The record has a name, type or zone that none may have, or takes too much.
  case invalidRecord(RecordViolation)
  /// The value's identifier changes from one access to the next; its type.
  case unstableIdentity(String)
  /// The value has records of its own for nested values: `encodeRecords(_:)` gives them all.
  case childRecords(count: Int)
}

extension CloudKitRecordEncodingError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unsupportedValueForKey(let key): "the value of '\(key)' is not supported"
    case .systemFieldsDecode(let reason): "the system fields are not those of a record: \(reason)"
    case .referencesNotSupported(let key): "the reference '\(key)' is not supported"
    case .dataFieldTooLarge(let key, let size):
      "'\(key)' takes \(size) bytes, and must take fewer than \(RecordLimits.recordBytes)"
    case .recordTypeMismatch(let archived, let expected):
      "expected system fields of the type '\(expected)', found those of '\(archived)'"
    case .recordMismatch(let base, let expected):
      "expected a base record \(expected), found \(base)"
    case .invalidRecord(let violation): "\(violation)"
    case .unstableIdentity(let type):
      "the identifier of \(type) changes from one access to the next: give the type a cloudKitIdentifier"
    case .childRecords(let count):
      "\(count) nested values have records of their own: encodeRecords(_:) gives them all"
    }
  }
}
