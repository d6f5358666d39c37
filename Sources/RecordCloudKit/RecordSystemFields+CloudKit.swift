#if canImport(CloudKit)
public import CloudKit
#elseif CLOUDKIT_STAND_IN
public import CloudKitStandIn
#endif

#if canImport(CloudKit) || CLOUDKIT_STAND_IN
public import Foundation
public import RecordModel

extension RecordSystemFields {
  /// What CloudKit knows of a record beside its fields, with CloudKit's own archive of it.
  public init(_ record: CKRecord) {
    self.init(recordType: record.recordType, recordID: RecordID(record.recordID))
    recordChangeTag = record.recordChangeTag
    creationDate = record.creationDate
    modificationDate = record.modificationDate
    creatorUserRecordID = record.creatorUserRecordID.map { RecordID($0) }
    lastModifiedUserRecordID = record.lastModifiedUserRecordID.map { RecordID($0) }
    parent = record.parent.map { RecordReference($0) }
    share = record.share.map { RecordReference($0) }
    let coder = NSKeyedArchiver(requiringSecureCoding: true)
    record.encodeSystemFields(with: coder)
    coder.finishEncoding()
    platformArchive = coder.encodedData
  }

  /// Takes over an archive that `encodeSystemFields(with:)` of a `CKRecord` made, as models of
  /// CloudKitCodable keep it.
  ///
  /// `value.cloudKitSystemFields = try RecordSystemFields(cloudKitArchive: bytes).archived()` is all that
  /// such a model needs once.
  ///
  /// - Throws: ``CloudKitConversionError/unreadableArchive(_:)``.
  public init(cloudKitArchive bytes: Data) throws(CloudKitConversionError) {
    self.init(try CKRecord.unarchived(bytes))
  }
}

extension CKRecord {
  /// A record without fields, of CloudKit's archive of its system fields.
  static func unarchived(_ bytes: Data) throws(CloudKitConversionError) -> CKRecord {
    let coder: NSKeyedUnarchiver
    do {
      coder = try NSKeyedUnarchiver(forReadingFrom: bytes)
    } catch {
      throw .unreadableArchive(error.localizedDescription)
    }
    defer { coder.finishDecoding() }
    coder.requiresSecureCoding = true
    coder.decodingFailurePolicy = .setErrorAndReturn
    guard let record = CKRecord(coder: coder) else {
      throw .unreadableArchive(coder.error?.localizedDescription ?? "it is not one of a record")
    }
    return record
  }
}

extension RecordID {
  public init(_ id: CKRecord.ID) {
    self.init(
      recordName: id.recordName,
      zoneID: RecordZoneID(zoneName: id.zoneID.zoneName, ownerName: id.zoneID.ownerName)
    )
  }
}

extension RecordReference {
  public init(_ reference: CKRecord.Reference) {
    self.init(
      recordID: RecordID(reference.recordID),
      action: reference.action == .deleteSelf ? .deleteSelf : .none
    )
  }
}
#endif
