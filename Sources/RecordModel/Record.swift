public import Foundation

/// A typed bag of fields with an identity and what a server knows of it: CloudKit's record as a value.
///
/// It is a copy wherever it goes: no caller changes what a server or another caller holds. Nothing is
/// validated when a field is set; ``violations(for:existing:)`` does that.
///
/// Source: Records.md.
public struct Record: Hashable, Sendable {
  /// Identity, change tag, dates and users: what a server sets.
  public package(set) var systemFields: RecordSystemFields
  /// Fields by key.
  public private(set) var fields: [String: RecordValue]
  /// Fields that the server cannot read, which have keys of their own.
  public private(set) var encryptedFields: [String: RecordValue]
  /// Keys that were set or cleared since the record was made, fetched or saved.
  public private(set) var changedKeySet: Set<String>

  /// A record that no server has seen.
  public init(recordType: String, recordID: RecordID) {
    self.init(systemFields: RecordSystemFields(recordType: recordType, recordID: recordID))
  }

  /// A record as archived system fields tell of it: without any field.
  public init(systemFields: RecordSystemFields) {
    self.systemFields = systemFields
    fields = [:]
    encryptedFields = [:]
    changedKeySet = []
  }

  /// A record with all its parts.
  public init(
    systemFields: RecordSystemFields,
    fields: [String: RecordValue],
    encryptedFields: [String: RecordValue] = [:],
    changedKeys: Set<String> = []
  ) {
    self.systemFields = systemFields
    self.fields = fields
    self.encryptedFields = encryptedFields
    changedKeySet = changedKeys
  }

  public var recordType: String { systemFields.recordType }
  public var recordID: RecordID { systemFields.recordID }
  /// Opaque: another tag means another content.
  ///
  /// `nil` before the first save.
  public var recordChangeTag: String? { systemFields.recordChangeTag }
  public var creationDate: Date? { systemFields.creationDate }
  public var modificationDate: Date? { systemFields.modificationDate }

  /// The value under a key; setting `nil` removes it.
  ///
  /// Setting marks the key as changed, whatever stood there: it is the only way to say that a server has to
  /// clear a field.
  public subscript(key: String) -> RecordValue? {
    get { fields[key] }
    set {
      fields[key] = newValue
      changedKeySet.insert(key)
    }
  }

  /// The encrypted value under a key; setting marks the key as changed.
  public subscript(encrypted key: String) -> RecordValue? {
    get { encryptedFields[key] }
    set {
      encryptedFields[key] = newValue
      changedKeySet.insert(key)
    }
  }

  /// Keys of all fields, sorted.
  public func allKeys() -> [String] { fields.keys.sorted() }

  /// Keys that were set or cleared since the record was made, fetched or saved, sorted.
  public func changedKeys() -> [String] { changedKeySet.sorted() }

  /// The same record with nothing marked as changed: as a server hands it out.
  public func unmarked() -> Record {
    var copy = self
    copy.changedKeySet = []
    return copy
  }

  /// The changes of this record on top of another state of it, such as the server's in a conflict.
  ///
  /// Of keys that both sides changed this record's value stands: the caller decides before, by looking
  /// at ``changedKeys()`` and at the other record, whether that is wanted.
  ///
  /// - Returns: `nil` if the other is another record.
  public func rebased(onto other: Record) -> Record? {
    guard other.recordID == recordID, other.recordType == recordType else { return nil }
    var result = other.unmarked()
    for key in changedKeySet.sorted() {
      let isEncrypted = encryptedFields[key] != nil || other.encryptedFields[key] != nil
      if isEncrypted {
        if result.encryptedFields[key] != encryptedFields[key] {
          result[encrypted: key] = encryptedFields[key]
        }
      }
      if !isEncrypted || fields[key] != nil || other.fields[key] != nil {
        result[key] = fields[key]
      }
    }
    return result
  }

  /// All references of all fields, in the order of keys.
  public var references: [RecordReference] {
    allKeys().flatMap { fields[$0]?.references ?? [] }
  }
}

extension Record: CustomStringConvertible {
  /// Type and name, never content.
  public var description: String {
    "\(recordType) \(recordID) with \(fields.count + encryptedFields.count) fields"
  }
}
