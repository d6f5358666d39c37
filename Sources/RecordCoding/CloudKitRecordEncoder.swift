import CodingSupport
import Foundation
public import RecordModel

// From a value to its record, or to the records of the value and of what it refers to.
// `CloudKitRecordEncoder` is the face; `RecordGraph` is one call: identity, order of records,
// circles and depth. How one record is written is `RecordWriting.swift`. Worked example, with
// nested values as references:
//
//     Chapter c0 (parts: [c1], cover: p0)     records  c1, p0, c0     c0: parts LIST<REFERENCE> [c1], cover REFERENCE p0

/// Encodes a value as a record: a field for each of its coding keys.
///
/// Each call makes a record of its own, and the encoder may be used again. Nothing that a value holds or
/// does ends the process: what has no record is refused with an error that names where.
///
/// Source: Records.md, "Values".
///
/// Not thread-safe: options may be set while another thread encodes.
public class CloudKitRecordEncoder {
  /// The zone of new records, the default zone if `nil`; one that comes from system fields stays where
  /// it is.
  public var zoneID: RecordZoneID?
  /// Read when a call begins; a call that runs keeps what it read.
  public var options: RecordEncodingOptions
  /// The `userInfo` that `encode(to:)` of values gets.
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

  /// Runs a call that gives one record, and deletes the files that it wrote if it throws.
  private func one(_ encode: (RecordGraph) throws -> Record) throws -> Record {
    let graph = RecordGraph(self)
    do {
      let record = try encode(graph)
      // With children a caller who saves this record alone would save references that lead nowhere.
      guard graph.children.isEmpty else {
        throw CloudKitRecordEncodingError.childRecords(count: graph.children.count)
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
      let record = try graph.encode(value, onto: nil)
      return graph.children + [record]
    } catch {
      graph.assets.removeAll()
      throw error
    }
  }

  /// All that is wrong with the record that a value would have.
  ///
  /// Nothing is checked while the value is encoded, or the first thing that is wrong would hide all
  /// others. Files that were written for assets are deleted.
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
    let record = try graph.encode(value, onto: nil)
    return (graph.children + [record]).flatMap { $0.violations(for: audience) }
  }

  /// The keys and kinds of a value's type.
  ///
  /// Any value of the type gives the same, a `nil` property included, but for a URL: that is a string, or an
  /// asset if it is a file's.
  ///
  /// - Throws: as `encode(_:onto:)`.
  public func schema<T: Encodable>(of value: T) throws -> RecordSchema {
    let graph = RecordGraph(self)
    // Not nil: containers note the kind of each key that is named, nil or not.
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
  /// What is left of the thread's stack; a value too deep for it is refused.
  let room = StackRoom()
  var assets: AssetFiles
  /// Records of nested values, targets before those that refer to them.
  private(set) var children: [Record] = []
  /// Kinds of the root's fields, if they are wanted.
  var kinds: [String: RecordFieldKind]?
  /// Records of nested values that were begun, and the root's once there is one.
  ///
  /// Begun is enough: a circle that comes back to one finds it here and ends.
  private var known: Set<RecordID> = []
  /// ``known`` in the order in which they came.
  private var begun: [RecordID] = []
  /// Of references: 0 while the root is encoded.
  private var depth = 0
  /// Of the first container that was asked for in a place that was taken.
  private var clash: (any Error)?
  var elementOrders = ElementOrders()

  init(_ encoder: CloudKitRecordEncoder) {
    options = encoder.options
    userInfo = encoder.userInfo
    zoneID = encoder.zoneID
    assets = AssetFiles(options.assetDirectory)
  }

  /// Notes that a container was asked for where a value, or a container of the other kind, stands.
  ///
  /// What is written into it has no place, and `Encoder.container(keyedBy:)` cannot throw: ``checkPlaces()``
  /// does, before a nested value becomes JSON.
  func noteClash(at place: NestedPlace) {
    clash =
      clash
      ?? refusal(
        place.node.value,
        at: place.path,
        "one place holds one value, one list or one set of keys; two of them were asked for"
      )
  }

  /// Runs the encoding of a nested value; if it throws, its place is forgotten, and a clash in there as well.
  @inline(__always)
  func passing(_ encode: () throws -> Void) rethrows {
    let before = clash
    do {
      try encode()
    } catch {
      clash = before
      throw error
    }
  }

  /// Runs the encoding of what a value may pass over if it throws: then nothing is left of it.
  ///
  /// What it was refused for, records that only it refers to, and files that were written for it.
  func attempt<Result>(_ encode: () throws -> Result) throws -> Result {
    let clash = clash
    let counts = (children: children.count, begun: begun.count, assets: assets.count)
    do {
      return try encode()
    } catch {
      self.clash = clash
      children.removeSubrange(counts.children...)
      for id in begun[counts.begun...] { known.remove(id) }
      begun.removeSubrange(counts.begun...)
      assets.removeAll(behind: counts.assets)
      throw error
    }
  }

  /// Notes a record that is begun; false for one that is known.
  private func begin(_ id: RecordID) -> Bool {
    guard known.insert(id).inserted else { return false }
    begun.append(id)
    return true
  }

  func checkPlaces() throws {
    if let clash { throw clash }
  }

  /// Encodes the root: of a type that says nothing of itself the record type is the type's name,
  /// the name a new UUID.
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
    return try encode(value, fields, base, isOwn: false)
  }

  /// As `encode(_:onto:)`, of a value that says itself what record it becomes.
  func encode<T: CloudKitRecordRepresentable & Encodable>(
    own value: T,
    onto base: Record?
  ) throws -> Record {
    let fields = try systemFields(of: value, zoneID, base)
    return try encode(value, fields, base, isOwn: true)
  }

  /// Encodes one record, and before it those that it refers to.
  private func encode<T: Encodable>(
    _ value: T,
    _ systemFields: consuming RecordSystemFields,
    _ base: Record?,
    isOwn: Bool
  ) throws -> Record {
    let writing = RecordWriting(
      self,
      systemFields: systemFields,
      base: base,
      skipsIdentifier: isOwn && !options.storesIdentifier
    )
    // A schema is that of the root; children have types of their own.
    if depth == 0 { writing.notesKinds = kinds != nil }
    try value.encode(to: RootEncoding(writing: writing))
    let record = try writing.finished()
    // What a server has named stays as it is.
    if options.validation != .off, record.recordChangeTag == nil { try check(record.systemFields) }
    if depth == 0, kinds != nil { kinds = writing.kinds }
    return record
  }

  /// The reference to a nested value's record, which is encoded unless it is known already.
  ///
  /// A record joins `children` only when its value was encoded, so that targets stand before what
  /// refers to them: the order in which a server takes them. What refers back to the root or to a known
  /// record is not encoded again, so a circle ends.
  func reference(
    to child: any CustomCloudKitEncodable,
    from parent: RecordID,
    action: RecordReference.Action,
    at path: CodingPath
  ) throws -> RecordReference {
    // A child without system fields goes into its parent's zone.
    let fields = try systemFields(of: child, parent.zoneID, nil)
    let id = fields.recordID
    guard id.zoneID == parent.zoneID || options.validation == .off else {
      let violation = RecordViolation(
        .field(path.last?.stringValue ?? "", index: nil),
        .otherZone(id.zoneID)
      )
      throw refusal(child, at: path, "\(violation)", cause: violation)
    }
    if depth == 0 { _ = begin(parent) }
    try attempt {
      guard begin(id) else { return }
      // Some four containers' worth of stack for each record within a record.
      guard depth < Self.depthLimit, room.admits(depth * 4 + path.depth) else {
        throw refusal(child, at: path, "records refer to each other deeper than \(Self.depthLimit)")
      }
      depth += 1
      defer { depth -= 1 }
      children.append(try encode(child, fields, nil, isOwn: true))
    }
    return RecordReference(recordID: id, action: action)
  }

  /// Records within references of each other at most.
  ///
  /// The same number as `RecordDecodingOptions.referenceDepthLimit`, so that by default what was
  /// encoded is read.
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
    // In this order: the value's own archive, then its base, then a new identity. An archive wins,
    // since the value knows best which record it came from; a base must then be of the same record.
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
      // The base is the record as it was fetched: its tag is the one that a save carries.
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
    // Where it is asked for, a second time: a computed `UUID().uuidString` would make another
    // record with each save.
    let first = name()
    if options.requiresStableIdentity, name() != first {
      throw CloudKitRecordEncodingError.unstableIdentity("\(type)")
    }
    return RecordSystemFields(
      recordType: recordType,
      recordID: RecordID(recordName: first, zoneID: zoneID ?? .default)
    )
  }

  /// A base must be of the type and the name that the value's archive has; its tag may be another.
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

  /// Names that no server takes, before anything is sent.
  ///
  /// Of records that a server named they are not asked.
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
///
/// `words` say what was expected and found; the value itself is in the error.
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
