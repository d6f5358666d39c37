public import Foundation

/// Names a zone: records of one zone are saved together, and refer to each other.
///
/// Source: Records.md, "Names".
public struct RecordZoneID: Hashable, Sendable, Codable {
  /// 1 to 255 ASCII characters, the first not an underscore; `_defaultZone` is the exception.
  public let zoneName: String
  /// Never empty; `__defaultOwner__` stands for the current user.
  public let ownerName: String

  public init(zoneName: String, ownerName: String = RecordZoneID.currentUser) {
    self.zoneName = zoneName
    self.ownerName = ownerName
  }

  /// The owner's name that stands for the current user.
  public static let currentUser = "__defaultOwner__"

  /// The default zone of the current user.
  public static let `default` = RecordZoneID(zoneName: "_defaultZone")
}

/// Names a record: within its zone there is one of a name.
public struct RecordID: Hashable, Sendable, Codable {
  /// 1 to 255 ASCII characters, the first not an underscore.
  public let recordName: String
  public let zoneID: RecordZoneID

  public init(recordName: String, zoneID: RecordZoneID = .default) {
    self.recordName = recordName
    self.zoneID = zoneID
  }
}

extension RecordID: CustomStringConvertible {
  /// `zone/name`, and the owner before them unless it is the current user.
  public var description: String {
    let owner = zoneID.ownerName == RecordZoneID.currentUser ? "" : "\(zoneID.ownerName)/"
    return "\(owner)\(zoneID.zoneName)/\(recordName)"
  }
}

/// A field that points to another record of the same zone.
public struct RecordReference: Hashable, Sendable, Codable {
  /// What becomes of the record that holds the reference when its target is deleted.
  public enum Action: Int, Hashable, Sendable, Codable, CaseIterable {
    /// It stays, and its reference leads nowhere.
    case none = 0
    /// It is deleted, too.
    case deleteSelf = 1
  }

  public let recordID: RecordID
  public let action: Action

  public init(recordID: RecordID, action: Action = .none) {
    self.recordID = recordID
    self.action = action
  }
}

/// A place on Earth.
public struct RecordLocation: Hashable, Sendable, Codable {
  /// Degrees north, `-90...90`.
  public let latitude: Double
  /// Degrees east, `-180...180`.
  public let longitude: Double

  public init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }
}

/// A file that travels beside the record; its bytes do not count as the record's.
///
/// Only content is stored: after a download the file has another place and name.
public struct RecordAsset: Hashable, Sendable, Codable {
  /// Where the file lies; `nil` on a copy of the record that came without its files.
  public let fileURL: URL?

  public init(fileURL: URL?) {
    self.fileURL = fileURL
  }
}
