import Foundation
import RecordCoding
import RecordModel
import Testing

#if canImport(CloudKit)
import CloudKit
import CoreLocation
#else
import CloudKitStandIn
#endif

/// A record with a field of each kind, single and in a list.
private func zooRecord() -> Record {
  var record = Record(
    recordType: "Zoo",
    recordID: RecordID(recordName: "z-1", zoneID: RecordZoneID(zoneName: "animals"))
  )
  let reference = RecordReference(
    recordID: RecordID(recordName: "keeper", zoneID: RecordZoneID(zoneName: "animals")),
    action: .deleteSelf
  )
  let asset = RecordAsset(fileURL: URL(fileURLWithPath: "/zoo/picture.png"))
  let place = RecordLocation(latitude: -12.5, longitude: 130.25)
  record["string"] = .string("e\u{301}")
  record["int64"] = .int64(.min)
  record["one"] = .int64(1)
  record["double"] = .double(-0.0)
  record["wholeDouble"] = .double(1)
  record["bytes"] = .bytes(Data([0, 255]))
  record["timestamp"] = .timestamp(Date(timeIntervalSinceReferenceDate: -1.125))
  record["location"] = .location(place)
  record["reference"] = .reference(reference)
  record["asset"] = .asset(asset)
  record["strings"] = .list(.strings(["", "a"]))
  record["int64s"] = .list(.int64s([0, .max]))
  record["doubles"] = .list(.doubles([1, 2.5]))
  record["blobs"] = .list(.bytes([Data(), Data([7])]))
  record["timestamps"] = .list(.timestamps([Date(timeIntervalSinceReferenceDate: 0)]))
  record["locations"] = .list(.locations([place]))
  record["references"] = .list(.references([reference]))
  record["assets"] = .list(.assets([asset]))
  record["nothing"] = .list(.empty)
  record[encrypted: "secret"] = .string("s")
  return record
}

@Suite("Records and CKRecords")
struct ConversionTests {
  @Test("RC-41 A record of every kind of field goes through a CKRecord and is the same")
  func roundTrip() throws {
    let record = zooRecord()
    var back = try Record(record.cloudKitRecord())
    #expect(back.systemFields.platformArchive != nil)
    back = Record(
      systemFields: record.systemFields,
      fields: back.fields,
      encryptedFields: back.encryptedFields,
      changedKeys: Set(back.changedKeys())
    )
    #expect(back == record)
  }

  @Test("An integer stays an integer and a double a double, as CloudKit stores them")
  func numbers() throws {
    let record = CKRecord(recordType: "T", recordID: CKRecord.ID(recordName: "r"))
    record["flag"] = true
    record["small"] = UInt64(5)
    record["double"] = 2.0
    let fields = try Record(record).fields
    #expect(fields == ["flag": .int64(1), "small": .int64(5), "double": .double(2)])
  }

  @Test(
    "A number above the signed ones, a list of kinds and a list of lists are refused with the key"
  )
  func refusals() throws {
    func conversion(of value: any CKRecordValueProtocol) throws {
      let record = CKRecord(recordType: "T", recordID: CKRecord.ID(recordName: "r"))
      record["odd"] = value
      _ = try Record(record)
    }
    let text = NSString(string: "a")
    #expect(
      throws: CloudKitConversionError.numberOutOfRange(key: "odd", value: "9223372036854775808")
    ) {
      try conversion(of: UInt64(1) << 63)
    }
    #expect(throws: CloudKitConversionError.mixedList(key: "odd")) {
      try conversion(of: NSArray(array: [text, NSNumber(value: 1)]))
    }
    #expect(throws: CloudKitConversionError.self) {
      try conversion(of: NSArray(array: [NSArray(array: [text])]))
    }
    #expect(throws: CloudKitConversionError.self) {
      try conversion(of: NSArray(array: [NSNumber(value: Int64.max), NSNumber(value: 0.5)]))
    }
  }

  @Test("Integers beside floating-point numbers in a list become doubles")
  func promotion() throws {
    let record = CKRecord(recordType: "T", recordID: CKRecord.ID(recordName: "r"))
    record["list"] = NSArray(array: [NSNumber(value: 1), NSNumber(value: 0.5)])
    #expect(try Record(record)["list"] == .list(.doubles([1, 0.5])))
  }

  @Test(
    "What CloudKit answers with an exception is refused before CloudKit sees it",
    arguments: [
      Record(recordType: "", recordID: RecordID(recordName: "r")),
      Record(recordType: "T", recordID: RecordID(recordName: "")),
      Record(recordType: "T", recordID: RecordID(recordName: "_r")),
      Record(recordType: "T", recordID: RecordID(recordName: "ä")),
      Record(recordType: "T", recordID: RecordID(recordName: String(repeating: "r", count: 256))),
      Record(
        recordType: "T",
        recordID: RecordID(recordName: "r", zoneID: RecordZoneID(zoneName: ""))
      ),
      Record(
        recordType: "T",
        recordID: RecordID(recordName: "r", zoneID: RecordZoneID(zoneName: "z", ownerName: ""))
      ),
      with("1st", .int64(1)),
      with("recordID", .int64(1)),
      with("asset", .asset(RecordAsset(fileURL: nil))),
      with("assets", .list(.assets([RecordAsset(fileURL: nil)]))),
      with("reference", .reference(RecordReference(recordID: RecordID(recordName: "")))),
      with("reference", .reference(RecordReference(recordID: RecordID(recordName: "_ä")))),
    ]
  )
  func exceptions(record: Record) throws {
    let error = try #require(throws: CloudKitConversionError.self) { try record.cloudKitRecord() }
    guard case .violation = error else {
      Issue.record("\(error)")
      return
    }
  }

  private static func with(_ key: String, _ value: RecordValue) -> Record {
    var record = Record(recordType: "T", recordID: RecordID(recordName: "r"))
    record[key] = value
    return record
  }

  @Test("A reference to a record that CloudKit named, such as a user's, is written back")
  func userReference() throws {
    let user = CKRecord.ID(recordName: "_2b6ad4e6c7f04a1d9c3e")
    let note = CKRecord(recordType: "Note", recordID: CKRecord.ID(recordName: "n1"))
    note["author"] = CKRecord.Reference(recordID: user, action: .none)
    note["readers"] = [CKRecord.Reference(recordID: user, action: .none)]
    var record = try Record(note)
    #expect(record["author"]?.references.map(\.recordID.recordName) == [user.recordName])
    #expect(try Record(record.cloudKitRecord()).fields == record.fields)
    record["author"] = record["author"]
    try record.writeChanges(to: note)
    #expect(try Record(note).fields == record.fields)
    #expect(throws: CloudKitConversionError.self) {
      try Record(recordType: "Users", recordID: RecordID(user)).cloudKitRecord()
    }
  }

  @Test("Only changed keys are written to a fetched record, and refused changes write none")
  func changes() throws {
    let fetched = try #require(
      zooRecord().cloudKitRecord().saved(
        tag: "1",
        at: Date(timeIntervalSince1970: 1),
        by: CKRecord.ID(recordName: "user")
      )
    )
    var record = try Record(fetched)
    #expect(record.changedKeys().isEmpty)
    record["one"] = .int64(2)
    record["string"] = nil
    record[encrypted: "secret"] = nil
    record["secret"] = .string("open")
    try record.writeChanges(to: fetched)
    #expect(Set(fetched.changedKeys()) == ["one", "string", "secret"])
    let written = try Record(fetched)
    #expect(written["one"] == .int64(2))
    #expect(written["string"] == nil)
    #expect(written["secret"] == .string("open"))
    #expect(written[encrypted: "secret"] == nil)

    record["one"] = .int64(3)
    record["two"] = .asset(RecordAsset(fileURL: nil))
    #expect(throws: CloudKitConversionError.self) { try record.writeChanges(to: fetched) }
    let after = try Record(fetched)
    #expect(after.fields == written.fields)
    #expect(after.encryptedFields == written.encryptedFields)
    #expect(after.changedKeys() == written.changedKeys())
  }

  @Test("Changes of one record are not written to another")
  func otherRecord() throws {
    let record = Record(recordType: "T", recordID: RecordID(recordName: "a"))
    let other = CKRecord(recordType: "T", recordID: CKRecord.ID(recordName: "b"))
    #expect(
      throws: CloudKitConversionError.otherRecord(
        expected: RecordID(recordName: "b"),
        actual: RecordID(recordName: "a")
      )
    ) { try record.writeChanges(to: other) }
  }
}
