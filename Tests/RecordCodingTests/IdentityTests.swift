import Foundation
import RecordCoding
import Testing

@Suite("Identity of records")
struct IdentityTests {
  struct Named: CustomCloudKitCodable, Equatable {
    var cloudKitSystemFields: Data?
    var cloudKitIdentifier: String
    var title = "a"
  }

  struct Item: CustomCloudKitCodable, Identifiable {
    var cloudKitSystemFields: Data?
    var id: Int
  }

  struct Renamed: CustomCloudKitCodable {
    var cloudKitSystemFields: Data?
    var cloudKitRecordType: String { "Contact" }
    var title = "a"
  }

  @Test("RC-01 The record type is the type's name, or what the model says")
  func recordType() throws {
    #expect(try CloudKitRecordEncoder().encode(Item(id: 1)).recordType == "Item")
    #expect(try CloudKitRecordEncoder().encode(Renamed()).recordType == "Contact")
    let generic = #expect(throws: CloudKitRecordEncodingError.self) {
      try CloudKitRecordEncoder().encode(Box(field: 1))
    }
    #expect(
      generic == .invalidRecord(RecordViolation(.recordType("Box<Int>"), .character))
    )
  }

  @Test("RC-02 The record name is the identifier, the id of an Identifiable, or a new UUID")
  func recordName() throws {
    let encoder = CloudKitRecordEncoder()
    let named = Named(cloudKitIdentifier: "n1")
    #expect(try encoder.encode(named).recordID.recordName == "n1")
    #expect(try encoder.encode(named)["cloudKitIdentifier"] == nil)
    #expect(try encoder.encode(Item(id: 7)).recordID.recordName == "7")
    let first = try encoder.encode(Renamed()).recordID.recordName
    #expect(UUID(uuidString: first) != nil)
    #expect(try encoder.encode(Renamed()).recordID.recordName != first)
    encoder.options.requiresStableIdentity = true
    #expect(throws: CloudKitRecordEncodingError.unstableIdentity("Renamed")) {
      try encoder.encode(Renamed())
    }
    #expect(try encoder.encode(named) == encoder.encode(named))
  }

  /// An identifier with a type of its own.
  struct ItemID: RawRepresentable, Hashable, Codable {
    var rawValue: UUID
  }

  /// An identifier with no raw value.
  struct Place: Hashable, Codable, CustomStringConvertible {
    var description: String { "place-1" }
  }

  struct Labelled<ID: Hashable & Codable>: CustomCloudKitCodable, Identifiable {
    var cloudKitSystemFields: Data?
    var cloudKitRecordType: String { "Labelled" }
    var id: ID
  }

  final class Shared: CustomCloudKitCodable, Identifiable {
    var cloudKitSystemFields: Data?
  }

  struct Photo<ID: Hashable & Codable>: CloudKitAssetValue, Identifiable {
    var id: ID
  }

  @Test("RC-02 An id of any type is a name without Swift's words, or a new UUID")
  func identifiers() throws {
    let encoder = CloudKitRecordEncoder()
    func name(_ value: some CustomCloudKitCodable) throws -> String {
      try encoder.encode(value).recordID.recordName
    }
    let uuid = UUID()
    #expect(try name(Labelled(id: uuid)) == uuid.uuidString)
    #expect(try name(Labelled(id: ItemID(rawValue: uuid))) == uuid.uuidString)
    #expect(try name(Labelled(id: Optional("x1"))) == "x1")
    #expect(try name(Labelled(id: Optional(Optional(7)))) == "7")
    #expect(try name(Labelled(id: Place())) == "place-1")
    let nothing: String? = nil
    let none = Labelled(id: nothing)
    #expect(try name(none) != name(none))
    #expect(UUID(uuidString: try name(none)) != nil)
    let shared = Shared()
    #expect(UUID(uuidString: try name(shared)) != nil)
    encoder.options.requiresStableIdentity = true
    #expect(throws: CloudKitRecordEncodingError.self) { try name(none) }
    #expect(throws: CloudKitRecordEncodingError.self) { try name(shared) }
    #expect(Photo(id: Optional("a")).filename.hasSuffix("-a.json"))
    #expect(!Photo(id: nothing).filename.contains("nil"))
  }

  @Test("RC-03 The zone is the encoder's, or the default zone of the current user")
  func zone() throws {
    let usual = try CloudKitRecordEncoder().encode(Item(id: 1)).recordID.zoneID
    #expect(usual.zoneName == "_defaultZone" && usual.ownerName == "__defaultOwner__")
    let zone = RecordZoneID(zoneName: "Notes", ownerName: "me")
    #expect(try CloudKitRecordEncoder(zoneID: zone).encode(Item(id: 1)).recordID.zoneID == zone)
  }

  private static let archived: RecordSystemFields = {
    var fields = RecordSystemFields(
      recordType: "Named",
      recordID: RecordID(
        recordName: "RecordABCD",
        zoneID: RecordZoneID(zoneName: "ZoneABCD", ownerName: "OwnerABCD")
      )
    )
    fields.recordChangeTag = "k2m1x9ab"
    fields.modificationDate = Date(timeIntervalSince1970: 1_700_000_000)
    return fields
  }()

  @Test("RC-04 System fields win over the encoder's zone and the identifier")
  func systemFields() throws {
    let value = Named(cloudKitSystemFields: Self.archived.archived(), cloudKitIdentifier: "other")
    let encoder = CloudKitRecordEncoder(zoneID: RecordZoneID(zoneName: "Elsewhere"))
    let record = try encoder.encode(value)
    #expect(record.systemFields == Self.archived)
    #expect(record["title"] == .string("a"))
  }

  @Test("RC-05 System fields are never a field")
  func notAField() throws {
    let value = Named(cloudKitSystemFields: Self.archived.archived(), cloudKitIdentifier: "x")
    let record = try CloudKitRecordEncoder().encode(value)
    #expect(record.allKeys() == ["title"] && record.changedKeys() == ["title"])
  }

  @Test("RC-06 A decoded value always has system fields, which are its record's")
  func decodedSystemFields() throws {
    let value = Named(cloudKitIdentifier: "n1")
    let record = try CloudKitRecordEncoder().encode(value)
    let back = try CloudKitRecordDecoder().decode(Named.self, from: record)
    let archive = try #require(back.cloudKitSystemFields)
    #expect(try RecordSystemFields(archive: archive) == record.systemFields)
    let again = try CloudKitRecordEncoder().encode(back)
    #expect(try CloudKitRecordDecoder().decode(Named.self, from: again) == back)
  }

  @Test("RC-07 System fields of another record type are refused")
  func typeMismatch() throws {
    let archive = Self.archived.archived()
    let error = #expect(throws: CloudKitRecordEncodingError.self) {
      try CloudKitRecordEncoder().encode(Item(cloudKitSystemFields: archive, id: 1))
    }
    #expect(error == .recordTypeMismatch(archived: "Named", expected: "Item"))
  }

  @Test("RC-08 An archive of another make, or a damaged one, is refused with a reason")
  func foreignArchive() throws {
    let archive = Self.archived.archived()
    var flipped = archive
    flipped[archive.count / 2] ^= 1
    for (bytes, reason) in [
      (Data("bplist00abcdef".utf8), RecordBytesError.keyedArchive), (flipped, .damaged),
      (archive.dropLast(), .damaged), (archive.prefix(3), .truncated),
      (Data("hello there".utf8), .unknownFormat), (Data(), .truncated),
    ] {
      #expect(throws: reason) { try RecordSystemFields(archive: bytes) }
      #expect(throws: CloudKitRecordEncodingError.systemFieldsDecode("\(reason)")) {
        try CloudKitRecordEncoder().encode(
          Named(cloudKitSystemFields: bytes, cloudKitIdentifier: "x")
        )
      }
    }
  }

  private struct WithSystemFields<Value: Encodable>: Encodable {
    var cloudKitSystemFields: Value
  }

  @Test("System fields of another type are refused by its name")
  func foreignType() {
    func reason<Value: Encodable>(_ value: Value) -> CloudKitRecordEncodingError? {
      #expect(throws: CloudKitRecordEncodingError.self) {
        try CloudKitRecordEncoder().encode(WithSystemFields(cloudKitSystemFields: value))
      }
    }
    for (found, name) in [
      (reason(1), "Int"), (reason(Float(1)), "Float"), (reason(1.5), "Double"),
      (reason(true), "Bool"), (reason("a"), "String"), (reason(["a"]), "Array<String>"),
    ] {
      #expect(found == .systemFieldsDecode("expected Data, found \(name)"))
    }
  }

  @Test("RC-09 A decoded identifier is the record's name, and needs no field")
  func identifier() throws {
    var record = Record(recordType: "Named", recordID: RecordID(recordName: "made-by-another"))
    record["title"] = .string("b")
    let value = try CloudKitRecordDecoder().decode(Named.self, from: record)
    #expect(value.cloudKitIdentifier == "made-by-another" && value.title == "b")
  }

  @Test("RC-38 System fields are read as a value: tag, dates, users")
  func view() throws {
    var fields = Self.archived
    fields.creationDate = Date(timeIntervalSince1970: 1_600_000_000)
    fields.creatorUserRecordID = RecordID(recordName: "anna")
    fields.lastModifiedUserRecordID = RecordID(recordName: "ben")
    fields.parent = RecordReference(recordID: RecordID(recordName: "parent"))
    fields.share = RecordReference(recordID: RecordID(recordName: "share"), action: .deleteSelf)
    let back = try RecordSystemFields(archive: fields.archived())
    #expect(back == fields)
    let record = Record(systemFields: back)
    #expect(record.recordChangeTag == "k2m1x9ab")
    #expect(record.creationDate == fields.creationDate)
    #expect(record.fields.isEmpty && record.changedKeys().isEmpty)
  }
}
