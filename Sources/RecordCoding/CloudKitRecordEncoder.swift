import CodingSupport
import Foundation
public import RecordModel

/// Encodes a value as a record: a field for each of its coding keys.
///
/// Each call makes a record of its own, and the encoder may be used again. Nothing that a value holds or
/// does ends the process: what has no record is refused with an error that names where.
///
/// Source: Records.md, "Values".
public class CloudKitRecordEncoder {
  /// The zone of new records, the default zone if `nil`; one that comes from system fields stays where
  /// it is.
  public var zoneID: RecordZoneID?
  public var options: RecordEncodingOptions
  /// What `encode(to:)` of values is told.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  public init(
    zoneID: RecordZoneID? = nil,
    options: RecordEncodingOptions = RecordEncodingOptions()
  ) {
    self.zoneID = zoneID
    self.options = options
  }

  /// The record of a value.
  ///
  /// - Parameters:
  ///   - value: A value that asks for a keyed container; of a type that is no
  ///     `CustomCloudKitEncodable`, the record's name is a new UUID.
  ///   - base: The record as it was fetched: fields that the value does not name stay, and only what
  ///     differs is marked as changed. Without it all that is set is marked.
  /// - Returns: The record, whose marked keys a save transmits.
  /// - Throws: ``CloudKitRecordEncodingError``, `EncodingError` with the path of a field, or what the value
  ///   itself throws.
  public func encode<T: Encodable>(_ value: T, onto base: Record? = nil) throws -> Record {
    try one { try $0.encode(value, onto: base) }
  }

  /// The record of a value; the same as for any other value, without asking at run time what its type says of itself.
  ///
  /// - Throws: as `encode(_:onto:)`.
  public func encode<T: CustomCloudKitEncodable>(
    _ value: T,
    onto base: Record? = nil
  ) throws -> Record {
    try one { try $0.encode(own: value, onto: base) }
  }

  private func one(_ encode: (RecordGraph) throws -> Record) throws -> Record {
    let graph = RecordGraph(self)
    do {
      let record = try encode(graph)
      guard graph.records.count == 1 else {
        throw CloudKitRecordEncodingError.childRecords(count: graph.records.count - 1)
      }
      return record
    } catch {
      graph.assets.removeAll()
      throw error
    }
  }

  /// The records of a value and of what it refers to, targets before those that refer to them and the
  /// value's own last: an order in which they can be saved.
  ///
  /// - Throws: as `encode(_:onto:)`.
  public func encodeRecords<T: Encodable>(_ value: T) throws -> [Record] {
    let graph = RecordGraph(self)
    do {
      _ = try graph.encode(value, onto: nil)
      return graph.records
    } catch {
      graph.assets.removeAll()
      throw error
    }
  }

  /// All that is wrong with the record that a value would have.
  ///
  /// - Throws: as `encode(_:onto:)`, where there is no record at all.
  public func violations<T: Encodable>(
    of value: T,
    for audience: RecordAudience
  ) throws -> [RecordViolation] {
    let copy = CloudKitRecordEncoder(zoneID: zoneID, options: options)
    copy.userInfo = userInfo
    copy.options.validation = .off
    let graph = RecordGraph(copy)
    defer { graph.assets.removeAll() }
    _ = try graph.encode(value, onto: nil)
    return graph.records.flatMap { $0.violations(for: audience) }
  }

  /// The keys and kinds of a value's type.
  ///
  /// Any value of the type gives the same, a nil property included, but for a URL: that is a string, or an
  /// asset if it is a file's.
  ///
  /// - Throws: as `encode(_:onto:)`.
  public func schema<T: Encodable>(of value: T) throws -> RecordSchema {
    let graph = RecordGraph(self)
    graph.kinds = [:]
    defer { graph.assets.removeAll() }
    let record = try graph.encode(value, onto: nil)
    return RecordSchema(
      recordType: record.recordType,
      kinds: graph.kinds ?? [:],
      encryptedKeys: options.encryptedKeys.intersection(graph.kinds.map { Set($0.keys) } ?? [])
    )
  }

  /// Deletes the files of asset values that were written for a record, once it has been saved; files that
  /// the value itself named stay.
  public func removeAssetFiles(of record: Record) {
    AssetFiles(options.assetDirectory).remove(of: record)
  }
}

/// The records that one call makes.
final class RecordGraph {
  let options: RecordEncodingOptions
  let userInfo: [CodingUserInfoKey: any Sendable]
  let zoneID: RecordZoneID?
  let room = StackRoom()
  var assets: AssetFiles
  /// Targets before those that refer to them.
  private(set) var records: [Record] = []
  /// Kinds of the root's fields, if they are wanted.
  var kinds: [String: RecordFieldKind]?
  private var rootID: RecordID?
  /// Records of nested values that were begun.
  private var known: Set<RecordID> = []
  private var depth = 0

  init(_ encoder: CloudKitRecordEncoder) {
    options = encoder.options
    userInfo = encoder.userInfo
    zoneID = encoder.zoneID
    assets = AssetFiles(encoder.options.assetDirectory)
  }

  func encode<T: Encodable>(_ value: T, onto base: Record?) throws -> Record {
    if let own = value as? any CloudKitRecordRepresentable & Encodable {
      return try encode(own: own, onto: base)
    }
    let type = type(of: value)
    let fields = try systemFields(
      of: type,
      recordType: TypeName.of(type),
      archive: nil,
      name: RandomName.next,
      zoneID,
      base
    )
    rootID = fields.recordID
    return try encode(value, fields, base, isOwn: false)
  }

  /// As `encode(_:onto:)`, of a value that says itself what record it becomes.
  func encode<T: CloudKitRecordRepresentable & Encodable>(
    own value: T,
    onto base: Record?
  ) throws -> Record {
    let fields = try systemFields(of: value, zoneID, base)
    rootID = fields.recordID
    return try encode(value, fields, base, isOwn: true)
  }

  /// Encodes one record, and before it those that it refers to.
  ///
  /// A record joins `records` only when its value was encoded, so that targets stand before what
  /// refers to them, and the root's last: the order in which a server takes them. What refers back
  /// to the root or to a known record is not encoded again, so a circle ends.
  private func encode<T: Encodable>(
    _ value: T,
    _ systemFields: RecordSystemFields,
    _ base: Record?,
    isOwn: Bool
  ) throws -> Record {
    let writing = RecordWriting(
      self,
      systemFields: systemFields,
      base: base,
      skipsIdentifier: isOwn && !options.storesIdentifier
    )
    if depth == 0 { writing.notesKinds = kinds != nil }
    try value.encode(to: RootEncoding(writing: writing))
    let record = try writing.finished()
    // What a server has named stays as it is.
    if options.validation != .off, systemFields.recordChangeTag == nil { try check(systemFields) }
    if depth == 0, kinds != nil { kinds = writing.kinds }
    records.append(record)
    return record
  }

  /// The reference to a nested value's record, which is encoded unless it is known already.
  func reference(
    to child: any CustomCloudKitEncodable,
    from parent: RecordID,
    action: RecordReference.Action,
    at path: CodingPath
  ) throws -> RecordReference {
    let fields = try systemFields(of: child, parent.zoneID, nil)
    let id = fields.recordID
    guard id.zoneID == parent.zoneID || options.validation == .off else {
      let violation = RecordViolation(
        .field(path.last?.stringValue ?? "", index: nil),
        .otherZone(id.zoneID)
      )
      throw refusal(child, at: path, "\(violation)", cause: violation)
    }
    if id != rootID, known.insert(id).inserted {
      guard depth < Self.depthLimit, room.admits(depth * 4 + path.depth) else {
        throw refusal(child, at: path, "records refer to each other deeper than \(Self.depthLimit)")
      }
      depth += 1
      defer { depth -= 1 }
      _ = try encode(child, fields, nil, isOwn: true)
    }
    return RecordReference(recordID: id, action: action)
  }

  /// Records within references of each other at most.
  private static let depthLimit = 64

  // MARK: - Identity

  private func systemFields(
    of value: some CloudKitRecordRepresentable,
    _ zoneID: RecordZoneID?,
    _ base: Record?
  ) throws -> RecordSystemFields {
    try systemFields(
      of: type(of: value),
      recordType: value.cloudKitRecordType,
      archive: value.cloudKitSystemFields,
      name: { value.cloudKitIdentifier },
      zoneID,
      base
    )
  }

  /// `archive`: System fields that the value keeps; `name`: What a record without them is called.
  private func systemFields(
    of type: Any.Type,
    recordType: String,
    archive: Data?,
    name: () -> String,
    _ zoneID: RecordZoneID?,
    _ base: Record?
  ) throws -> RecordSystemFields {
    if let archive {
      let fields: RecordSystemFields
      do {
        fields = try RecordSystemFields(archive: archive)
      } catch {
        throw CloudKitRecordEncodingError.systemFieldsDecode("\(error)")
      }
      guard fields.recordType == recordType else {
        throw CloudKitRecordEncodingError.recordTypeMismatch(
          archived: fields.recordType,
          expected: recordType
        )
      }
      try check(fields, against: base)
      return base?.systemFields ?? fields
    }
    if let base {
      guard base.recordType == recordType else {
        throw CloudKitRecordEncodingError.recordTypeMismatch(
          archived: base.recordType,
          expected: recordType
        )
      }
      return base.systemFields
    }
    let first = name()
    if options.requiresStableIdentity, name() != first {
      throw CloudKitRecordEncodingError.unstableIdentity("\(type)")
    }
    return RecordSystemFields(
      recordType: recordType,
      recordID: RecordID(recordName: first, zoneID: zoneID ?? .default)
    )
  }

  private func check(_ fields: RecordSystemFields, against base: Record?) throws {
    guard let base else { return }
    guard base.recordType == fields.recordType else {
      throw CloudKitRecordEncodingError.recordTypeMismatch(
        archived: base.recordType,
        expected: fields.recordType
      )
    }
    guard base.recordID == fields.recordID else {
      throw CloudKitRecordEncodingError.recordMismatch(
        base: base.recordID,
        expected: fields.recordID
      )
    }
  }

  private func check(_ fields: RecordSystemFields) throws(CloudKitRecordEncodingError) {
    let type = fields.recordType
    let id = fields.recordID
    if let rule = RecordNames.typeProblem(type) {
      throw .invalidRecord(RecordViolation(.recordType(type), rule))
    }
    if let rule = RecordNames.nameProblem(id.recordName) {
      throw .invalidRecord(RecordViolation(.recordName(id.recordName), rule))
    }
    if let rule = RecordNames.zoneProblem(id.zoneID) {
      throw .invalidRecord(RecordViolation(.zone(id.zoneID), rule))
    }
  }
}

/// An `EncodingError` for a value at a path.
func refusal(
  _ value: Any,
  at path: CodingPath,
  _ words: String,
  cause: (any Error)? = nil
) -> EncodingError {
  EncodingError.invalidValue(
    value,
    EncodingError.Context(
      codingPath: path.codingKeys,
      debugDescription: words,
      underlyingError: cause
    )
  )
}
