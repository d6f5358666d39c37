#if canImport(CloudKit)
public import CloudKit
#elseif CLOUDKIT_STAND_IN
public import CloudKitStandIn
#endif

#if canImport(CloudKit) || CLOUDKIT_STAND_IN
public import RecordCoding
import RecordModel

extension CloudKitRecordEncoder {
  /// The `CKRecord` of a value.
  ///
  /// - Parameters:
  ///   - value: As `encode(_:onto:)` takes it.
  ///   - base: The record as it was fetched, which stays as it is: a copy gets what differs, and that alone is
  ///     marked as changed.
  /// - Returns: The record, which belongs to the caller alone.
  /// - Throws: What `encode(_:onto:)` throws, and ``CloudKitConversionError``.
  public func cloudKitRecord<T: Encodable>(
    of value: T,
    onto base: CKRecord? = nil
  ) throws -> CKRecord {
    guard let base else { return try encode(value).cloudKitRecord() }
    let record = try encode(value, onto: Record(base).unmarked())
    guard let copy = base.copy() as? CKRecord else {
      throw CloudKitConversionError.unreadableArchive("a record that cannot be copied")
    }
    try record.writeChanges(to: copy)
    return copy
  }

  /// The `CKRecord`s of a value and of what it refers to, in an order in which they can be saved.
  ///
  /// - Throws: What `encodeRecords(_:)` throws, and ``CloudKitConversionError``.
  public func cloudKitRecords<T: Encodable>(of value: T) throws -> [CKRecord] {
    try encodeRecords(value).map { try $0.cloudKitRecord() }
  }
}

extension CloudKitRecordDecoder {
  /// The value of a `CKRecord`.
  ///
  /// A property `cloudKitSystemFields` gets bytes that hold CloudKit's archive of the system fields, so that
  /// ``CloudKitRecordEncoder/cloudKitRecord(of:onto:)`` makes the same record again.
  ///
  /// - Parameters:
  ///   - type: The type of the value.
  ///   - record: The record, which may hold anything.
  ///   - resolve: Finds the record that a reference names; `nil` if there is none.
  /// - Returns: The value.
  /// - Throws: What `decode(_:from:resolving:)` of a `Record` throws, and ``CloudKitConversionError``.
  public func decode<T: Decodable>(
    _ type: T.Type,
    from record: CKRecord,
    resolving resolve: @escaping (CKRecord.ID) throws -> CKRecord? = { _ in nil }
  ) throws -> T {
    try decode(type, from: Record(record)) { id in
      try resolve(id.cloudKitID()).map { try Record($0) }
    }
  }
}
#endif
