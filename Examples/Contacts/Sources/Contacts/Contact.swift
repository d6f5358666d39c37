public import Foundation
public import RecordCoding

/// A contact, as a record and in the local store.
public struct Contact: CustomCloudKitCodable, Identifiable, Hashable, Sendable {
  public var cloudKitSystemFields: Data?
  /// The record's name.
  public let id: String
  public var name: String
  public var website: URL?
  public var birthday: Date?
  public var nicknames: [String]
  public var isFavorite: Bool

  public init(id: String, name: String) {
    self.id = id
    self.name = name
    nicknames = []
    isFavorite = false
  }
}
