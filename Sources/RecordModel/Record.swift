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
  private var marks: Marks

  /// Which keys count as changed.
  private enum Marks: Sendable {
    /// The keys of all fields: a record that was made of a value, without a set that says so.
    case all
    case some(Set<String>)
  }

  /// Keys that were set or cleared since the record was made, fetched or saved.
  public var changedKeySet: Set<String> {
    switch marks {
    case .all: Set(fields.keys).union(encryptedFields.keys)
    case .some(let keys): keys
    }
  }

  private mutating func mark(_ key: String) {
    var keys = changedKeySet
    // One owner: the set is not copied with every key.
    marks = .all
    keys.insert(key)
    marks = .some(keys)
  }

  /// A record that no server has seen.
  public init(recordType: String, recordID: RecordID) {
    self.init(systemFields: RecordSystemFields(recordType: recordType, recordID: recordID))
  }

  /// A record made of archived system fields: without any field.
  public init(systemFields: RecordSystemFields) {
    self.systemFields = systemFields
    fields = [:]
    encryptedFields = [:]
    marks = .some([])
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
    marks = .some(changedKeys)
  }

  /// A record of a value that no server has seen: every field counts as changed.
  package init(
    new systemFields: RecordSystemFields,
    fields: [String: RecordValue],
    encryptedFields: [String: RecordValue]
  ) {
    self.systemFields = systemFields
    self.fields = fields
    self.encryptedFields = encryptedFields
    marks = .all
  }

  public static func == (left: Self, right: Self) -> Bool {
    left.systemFields == right.systemFields && left.fields == right.fields
      && left.encryptedFields == right.encryptedFields && left.changedKeySet == right.changedKeySet
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(systemFields)
    hasher.combine(fields)
    hasher.combine(encryptedFields)
    hasher.combine(changedKeySet)
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
      mark(key)
    }
  }

  /// The encrypted value under a key; setting marks the key as changed.
  public subscript(encrypted key: String) -> RecordValue? {
    get { encryptedFields[key] }
    set {
      encryptedFields[key] = newValue
      mark(key)
    }
  }

  /// Keys of all fields, sorted.
  public func allKeys() -> [String] { fields.keys.sorted() }

  /// Keys that were set or cleared since the record was made, fetched or saved, sorted.
  public func changedKeys() -> [String] { changedKeySet.sorted() }

  /// The same record with nothing marked as changed: as a server hands it out.
  public func unmarked() -> Record {
    var copy = self
    copy.marks = .some([])
    return copy
  }

  /// The changes of this record on top of another state of it, such as the server's in a conflict.
  ///
  /// Of keys that both sides changed this record's value stands: the caller decides before, by looking
  /// at ``changedKeys()`` and at the other record, whether that is wanted. What the other has already is not
  /// marked, so that nothing is left to save where a save was carried out and its reply was lost.
  ///
  /// - Returns: `nil` if the other is another record.
  public func rebased(onto other: Record) -> Record? {
    guard other.recordID == recordID, other.recordType == recordType else { return nil }
    var result = other.unmarked()
    for key in changedKeySet.sorted() {
      if result.encryptedFields[key] != encryptedFields[key] {
        result[encrypted: key] = encryptedFields[key]
      }
      if result.fields[key] != fields[key] { result[key] = fields[key] }
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
