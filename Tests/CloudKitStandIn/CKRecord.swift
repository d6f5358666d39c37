public import Foundation

/// A record as CloudKit's class: shared by all who hold it, with names that are checked by exceptions.
open class CKRecord: NSObject, NSCopying, CKRecordKeyValueSetting {
  public typealias FieldKey = String
  public typealias RecordType = String

  public let recordType: String
  public let recordID: ID
  public private(set) var recordChangeTag: String?
  public private(set) var creatorUserRecordID: ID?
  public private(set) var creationDate: Date?
  public private(set) var lastModifiedUserRecordID: ID?
  public private(set) var modificationDate: Date?
  public var parent: Reference?
  public private(set) var share: Reference?

  private let plain = Fields()
  private let encrypted = Fields()

  public init(recordType: String, recordID: ID) {
    precondition(
      recordType.first.map { $0.isASCII && $0.isLetter } ?? false,
      "CloudKit raises an exception: record type"
    )
    self.recordType = recordType
    self.recordID = recordID
  }

  // MARK: Fields

  public func object(forKey key: String) -> (any CKRecordObject)? { plain.object(forKey: key) }

  public func setObject(_ object: (any CKRecordObject)?, forKey key: String) {
    plain.setObject(object, forKey: key)
  }

  public func allKeys() -> [String] { plain.allKeys() }

  public func changedKeys() -> [String] { plain.changedKeys() + encrypted.changedKeys() }

  public var encryptedValues: any CKRecordKeyValueSetting { encrypted }

  public func copy(with zone: NSZone? = nil) -> Any {
    let copy = CKRecord(recordType: recordType, recordID: recordID)
    copy.take(
      tag: recordChangeTag,
      created: creationDate,
      modified: modificationDate,
      creator: creatorUserRecordID
    )
    copy.parent = parent
    copy.plain.take(plain)
    copy.encrypted.take(encrypted)
    return copy
  }

  // MARK: System fields

  public func encodeSystemFields(with coder: NSCoder) {
    coder.encode(NSString(string: recordType), forKey: "RecordType")
    coder.encode(NSString(string: recordID.recordName), forKey: "RecordName")
    coder.encode(NSString(string: recordID.zoneID.zoneName), forKey: "ZoneName")
    coder.encode(NSString(string: recordID.zoneID.ownerName), forKey: "OwnerName")
    if let recordChangeTag { coder.encode(NSString(string: recordChangeTag), forKey: "ETag") }
  }

  public convenience init?(coder: NSCoder) {
    func text(_ key: String) -> String? {
      coder.decodeObject(of: NSString.self, forKey: key).map { "\($0)" }
    }
    guard
      let type = text("RecordType"), let name = text("RecordName"), let zone = text("ZoneName"),
      let owner = text("OwnerName")
    else { return nil }
    let zoneID = CKRecordZone.ID(zoneName: zone, ownerName: owner)
    self.init(recordType: type, recordID: ID(recordName: name, zoneID: zoneID))
    recordChangeTag = text("ETag")
  }

  // MARK: What a server does

  /// The record as after a save: with a tag, dates and a user, and nothing marked.
  public func saved(tag: String, at date: Date, by user: ID) -> CKRecord? {
    let copy = copy() as? CKRecord
    copy?.take(tag: tag, created: creationDate ?? date, modified: date, creator: user)
    copy?.plain.forgetChanges()
    copy?.encrypted.forgetChanges()
    return copy
  }

  private func take(tag: String?, created: Date?, modified: Date?, creator: ID?) {
    recordChangeTag = tag
    creationDate = created
    modificationDate = modified
    creatorUserRecordID = creator
    lastModifiedUserRecordID = creator
  }

  private final class Fields: NSObject, CKRecordKeyValueSetting {
    private var values: [String: any CKRecordObject] = [:]
    private var changed: Set<String> = []

    func object(forKey key: String) -> (any CKRecordObject)? { values[key] }

    func setObject(_ object: (any CKRecordObject)?, forKey key: String) {
      precondition(
        key.first.map { $0.isASCII && $0.isLetter } ?? false && key != "recordID",
        "CloudKit raises an exception: key"
      )
      values[key] = object
      changed.insert(key)
    }

    func allKeys() -> [String] { values.keys.sorted() }

    func changedKeys() -> [String] { changed.sorted() }

    func take(_ other: Fields) {
      values = other.values
      changed = other.changed
    }

    func forgetChanges() { changed = [] }
  }
}

extension CKRecord {
  public enum ReferenceAction: UInt, Sendable {
    case none = 0
    case deleteSelf = 1
  }

  open class ID: NSObject {
    public let recordName: String
    public let zoneID: CKRecordZone.ID

    public init(recordName: String, zoneID: CKRecordZone.ID = .default) {
      // An underscore may stand first: CloudKit names the records of users so, and apps look them up by name.
      precondition(
        !recordName.isEmpty && recordName.utf8.allSatisfy { $0 < 0x80 }
          && recordName.utf8.count <= 255,
        "CloudKit raises an exception: record name"
      )
      self.recordName = recordName
      self.zoneID = zoneID
    }
  }

  open class Reference: NSObject {
    public let recordID: ID
    public let action: ReferenceAction

    public init(recordID: ID, action: ReferenceAction) {
      self.recordID = recordID
      self.action = action
    }
  }
}

public enum CKRecordZone {
  public final class ID: NSObject, Sendable {
    public let zoneName: String
    public let ownerName: String

    public init(zoneName: String, ownerName: String) {
      precondition(!zoneName.isEmpty && !ownerName.isEmpty, "CloudKit raises an exception: zone")
      self.zoneName = zoneName
      self.ownerName = ownerName
    }

    public static let `default` = ID(zoneName: "_defaultZone", ownerName: "__defaultOwner__")
  }
}
