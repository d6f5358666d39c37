public import Foundation

/// What a server knows of a record beside its fields: identity, change tag, dates, users.
///
/// A model keeps it as archived bytes in `cloudKitSystemFields`. The bytes are of this library: an archive
/// of CloudKit alone is refused. What comes from CloudKit carries its archive as ``platformArchive``.
///
/// The archive's layout: `RSYS`, version 1, then parts of `[tag: 1][length: LEB128][bytes]` in ascending
/// order of tags, then CRC-32C. A part with a tag of 128 or more is skipped by a reader that does not know
/// it, so that a later version can add what an earlier one may ignore.
public struct RecordSystemFields: Hashable, Sendable {
  public let recordType: String
  public let recordID: RecordID
  /// What a server has set; `nil` before the first save, and wherever nothing is set.
  private var box: Box?

  public init(recordType: String, recordID: RecordID) {
    self.recordType = recordType
    self.recordID = recordID
  }

  /// Opaque: another tag means another content.
  ///
  /// `nil` before the first save, as all that follows.
  public var recordChangeTag: String? {
    get { server.recordChangeTag }
    set { server.recordChangeTag = newValue }
  }

  public var creationDate: Date? {
    get { server.creationDate }
    set { server.creationDate = newValue }
  }

  public var modificationDate: Date? {
    get { server.modificationDate }
    set { server.modificationDate = newValue }
  }

  public var creatorUserRecordID: RecordID? {
    get { server.creatorUserRecordID }
    set { server.creatorUserRecordID = newValue }
  }

  public var lastModifiedUserRecordID: RecordID? {
    get { server.lastModifiedUserRecordID }
    set { server.lastModifiedUserRecordID = newValue }
  }

  /// The record with which this one is shared.
  public var parent: RecordReference? {
    get { server.parent }
    set { server.parent = newValue }
  }

  public var share: RecordReference? {
    get { server.share }
    set { server.share = newValue }
  }

  /// CloudKit's own archive of these fields, which alone can tell CloudKit the change tag again.
  ///
  /// `nil` where no CloudKit is involved; nothing here reads it, and it travels with the rest. CloudKit may
  /// write the same fields as other bytes.
  public var platformArchive: Data? {
    get { server.platformArchive }
    set { server.platformArchive = newValue }
  }

  /// All that a server sets.
  private struct ServerFields: Hashable, Sendable {
    var recordChangeTag: String?
    var creationDate: Date?
    var modificationDate: Date?
    var creatorUserRecordID: RecordID?
    var lastModifiedUserRecordID: RecordID?
    var parent: RecordReference?
    var share: RecordReference?
    var platformArchive: Data?
  }

  /// Behind a pointer: records are copied more often than this is read, and new ones have nothing of it.
  private indirect enum Box: Hashable, Sendable {
    case fields(ServerFields)
  }

  private var server: ServerFields {
    get { if case .fields(let fields)? = box { fields } else { ServerFields() } }
    set { box = newValue == ServerFields() ? nil : .fields(newValue) }
  }
}

extension RecordSystemFields {
  private static let magic = "RSYS"
  private static let version: UInt8 = 1

  private enum Tag: UInt8 {
    case recordType = 1
    case recordID
    case changeTag
    case creationDate
    case modificationDate
    case creator
    case lastModifier
    case parent
    case share
    /// A version that does not know it may skip it.
    case platformArchive = 128
  }

  /// The archived bytes; equal system fields give equal bytes.
  public func archived() -> Data {
    var writer = RecordBytesWriter(magic: Self.magic, version: Self.version)
    func part(_ tag: Tag, _ body: (inout RecordBytesWriter) -> Void) {
      writer.byte(tag.rawValue)
      writer.part(body)
    }
    part(.recordType) { $0.string(recordType) }
    part(.recordID) { $0.recordID(recordID) }
    if let recordChangeTag { part(.changeTag) { $0.string(recordChangeTag) } }
    if let creationDate { part(.creationDate) { $0.date(creationDate) } }
    if let modificationDate { part(.modificationDate) { $0.date(modificationDate) } }
    if let creatorUserRecordID { part(.creator) { $0.recordID(creatorUserRecordID) } }
    if let lastModifiedUserRecordID {
      part(.lastModifier) { $0.recordID(lastModifiedUserRecordID) }
    }
    if let parent { part(.parent) { $0.reference(parent) } }
    if let share { part(.share) { $0.reference(share) } }
    if let platformArchive { part(.platformArchive) { $0.blob(platformArchive) } }
    return Data(writer.finished())
  }

  /// Reads archived bytes, which may come from anywhere.
  ///
  /// - Throws: ``RecordBytesError``: `keyedArchive` for an archive of CloudKit, `newerVersion` for one of
  ///   a later version of this library, `damaged` where a bit was flipped, `truncated` where bytes lack.
  public init(archive: Data) throws(RecordBytesError) {
    var reader = try RecordBytesReader(
      Array(archive),
      magic: Self.magic,
      version: Self.version
    )
    var type: String?
    var id: RecordID?
    var rest = RecordSystemFields(recordType: "", recordID: RecordID(recordName: ""))
    var last: UInt8 = 0
    while !reader.isAtEnd {
      let raw = try reader.byte()
      guard raw > last else { throw .malformed("parts out of order") }
      last = raw
      var part = try reader.part()
      guard let tag = Tag(rawValue: raw) else {
        guard raw >= 128 else { throw .malformed("part \(raw)") }
        continue
      }
      switch tag {
      case .recordType: type = try part.string()
      case .recordID: id = try part.recordID()
      case .changeTag: rest.recordChangeTag = try part.string()
      case .creationDate: rest.creationDate = try part.date()
      case .modificationDate: rest.modificationDate = try part.date()
      case .creator: rest.creatorUserRecordID = try part.recordID()
      case .lastModifier: rest.lastModifiedUserRecordID = try part.recordID()
      case .parent: rest.parent = try part.reference()
      case .share: rest.share = try part.reference()
      case .platformArchive: rest.platformArchive = Data(try part.blob())
      }
      guard part.isAtEnd else { throw .malformed("part \(raw) is too long") }
    }
    guard let type, let id else { throw .malformed("no record type or no record name") }
    self.init(recordType: type, recordID: id)
    recordChangeTag = rest.recordChangeTag
    creationDate = rest.creationDate
    modificationDate = rest.modificationDate
    creatorUserRecordID = rest.creatorUserRecordID
    lastModifiedUserRecordID = rest.lastModifiedUserRecordID
    parent = rest.parent
    share = rest.share
    platformArchive = rest.platformArchive
  }
}
