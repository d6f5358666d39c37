#if canImport(CloudKit) || CLOUDKIT_STAND_IN
public import Foundation
public import RecordModel

/// Why a record of one kind is no record of the other.
public enum CloudKitConversionError: Error, Hashable, Sendable {
  /// CloudKit would end the process over it: a name or key that it does not allow, an asset without a file.
  case violation(RecordViolation)
  /// A field holds an object of a class that no field of a record has, such as a list within a list.
  case unknownValue(key: String, type: String)
  /// A list holds elements of two kinds.
  case mixedList(key: String)
  /// A number that is neither an `Int64` nor a `Double`, such as 2^63; as text.
  case numberOutOfRange(key: String, value: String)
  /// An archive of system fields that CloudKit does not read; the reason, where CloudKit gives one.
  case unreadableArchive(String)
  /// Changes of one record for another.
  case otherRecord(expected: RecordID, actual: RecordID)
}

extension CloudKitConversionError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .violation(let violation): "\(violation)"
    case .unknownValue(let key, let type):
      "field '\(key)' holds an object of class \(type), which a field of a record cannot hold"
    case .mixedList(let key): "field '\(key)' is a list with elements of several kinds"
    case .numberOutOfRange(let key, let value):
      "field '\(key)' holds \(value), which neither an Int64 nor a Double holds exactly"
    case .unreadableArchive(let reason): "CloudKit does not read the archive: \(reason)"
    case .otherRecord(let expected, let actual):
      "expected changes of \(expected), found changes of \(actual)"
    }
  }
}

extension CloudKitConversionError: LocalizedError {
  public var errorDescription: String? { description }
}
#endif
