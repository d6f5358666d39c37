#if canImport(CloudKit)
public import CloudKit
import CoreLocation
#elseif CLOUDKIT_STAND_IN
public import CloudKitStandIn
#endif

#if canImport(CloudKit) || CLOUDKIT_STAND_IN
import Foundation
public import RecordModel

extension Record {
  /// A `CKRecord` with all fields of this record.
  ///
  /// One that CloudKit knows, whose system fields carry its archive, keeps its change tag. CloudKit marks each
  /// field that is set as changed; ``writeChanges(to:)`` sets fewer.
  ///
  /// - Throws: ``CloudKitConversionError``: `violation` for a name or key that CloudKit does not allow and
  ///   for an asset without a file, `unreadableArchive`.
  public func cloudKitRecord() throws(CloudKitConversionError) -> CKRecord {
    let record = try emptyCloudKitRecord()
    for (key, value) in fields { try record.set(value, key) }
    for (key, value) in encryptedFields { try record.encryptedValues.set(value, key) }
    return record
  }

  /// Sets, or clears, the changed keys of this record on another state of it, such as the one that was fetched.
  ///
  /// All or nothing: what is refused leaves the `CKRecord` as it was.
  ///
  /// - Throws: ``CloudKitConversionError``: `otherRecord` for a `CKRecord` of another name or zone, `violation`
  ///   as ``cloudKitRecord()``.
  public func writeChanges(to record: CKRecord) throws(CloudKitConversionError) {
    let other = RecordID(record.recordID)
    guard other == recordID else { throw .otherRecord(expected: other, actual: recordID) }
    let keys = changedKeys()
    for key in keys {
      try check(.field(key, index: nil), RecordNames.keyProblem(key))
      for value in [fields[key], encryptedFields[key]] { _ = try value?.cloudKitValue(key) }
    }
    for key in keys {
      let isEncrypted =
        encryptedFields[key] != nil || record.encryptedValues.object(forKey: key) != nil
      if isEncrypted { try record.encryptedValues.set(encryptedFields[key], key) }
      // A key is one or the other for CloudKit: what is only encrypted is not marked beside it.
      if !isEncrypted || fields[key] != nil || record.object(forKey: key) != nil {
        try record.set(fields[key], key)
      }
    }
  }

  private func emptyCloudKitRecord() throws(CloudKitConversionError) -> CKRecord {
    if let archive = systemFields.platformArchive { return try CKRecord.unarchived(archive) }
    try check(.recordType(recordType), RecordNames.typeProblem(recordType))
    let name = recordID.recordName
    try check(.recordName(name), RecordNames.nameProblem(name))
    let record = CKRecord(recordType: recordType, recordID: try recordID.cloudKitID())
    if let parent = systemFields.parent { record.parent = try parent.cloudKitReference() }
    return record
  }
}

extension RecordID {
  /// The same name in the same zone.
  ///
  /// The record may be one that CloudKit named, such as a user's: its name begins with an
  /// underscore, which no new record's may.
  ///
  /// - Throws: ``CloudKitConversionError/violation(_:)`` for a name that CloudKit does not allow.
  public func cloudKitID() throws(CloudKitConversionError) -> CKRecord.ID {
    try check(.recordName(recordName), RecordNames.knownNameProblem(recordName))
    try check(.zone(zoneID), RecordNames.zoneProblem(zoneID))
    return CKRecord.ID(
      recordName: recordName,
      zoneID: CKRecordZone.ID(zoneName: zoneID.zoneName, ownerName: zoneID.ownerName)
    )
  }
}

extension RecordReference {
  fileprivate func cloudKitReference() throws(CloudKitConversionError) -> CKRecord.Reference {
    CKRecord.Reference(
      recordID: try recordID.cloudKitID(),
      action: action == .deleteSelf ? .deleteSelf : .none
    )
  }
}

extension RecordLocation {
  fileprivate var cloudKitLocation: CLLocation {
    CLLocation(latitude: latitude, longitude: longitude)
  }
}

extension RecordAsset {
  fileprivate func cloudKitAsset(_ key: String) throws(CloudKitConversionError) -> CKAsset {
    guard let fileURL else {
      throw .violation(RecordViolation(.field(key, index: nil), .missingFile(nil)))
    }
    return CKAsset(fileURL: fileURL)
  }
}

extension RecordValue {
  fileprivate func cloudKitValue(
    _ key: String
  ) throws(CloudKitConversionError) -> any CKRecordValueProtocol {
    switch self {
    case .string(let value): return value
    case .int64(let value): return value
    case .double(let value): return value
    case .bytes(let value): return value
    case .timestamp(let value): return value
    case .location(let value): return value.cloudKitLocation
    case .reference(let value): return try value.cloudKitReference()
    case .asset(let value): return try value.cloudKitAsset(key)
    case .list(let list): return try list.cloudKitValue(key)
    }
  }
}

extension RecordList {
  fileprivate func cloudKitValue(
    _ key: String
  ) throws(CloudKitConversionError) -> any CKRecordValueProtocol {
    switch self {
    case .strings(let values): return values
    case .int64s(let values): return values
    case .doubles(let values): return values
    case .bytes(let values): return values
    case .timestamps(let values): return values
    case .locations(let values): return values.map(\.cloudKitLocation)
    case .references(let values):
      var references: [CKRecord.Reference] = []
      for value in values { references.append(try value.cloudKitReference()) }
      return references
    case .assets(let values):
      var assets: [CKAsset] = []
      for value in values { assets.append(try value.cloudKitAsset(key)) }
      return assets
    case .empty: return [String]()
    }
  }
}

extension CKRecordKeyValueSetting {
  /// Sets a field, or removes it.
  fileprivate func set(_ value: RecordValue?, _ key: String) throws(CloudKitConversionError) {
    try check(.field(key, index: nil), RecordNames.keyProblem(key))
    self[key] = try value?.cloudKitValue(key)
  }
}

private func check(
  _ subject: RecordViolation.Subject,
  _ problem: RecordViolation.Rule?
) throws(CloudKitConversionError) {
  if let problem { throw .violation(RecordViolation(subject, problem)) }
}
#endif
