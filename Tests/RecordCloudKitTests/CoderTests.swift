import Foundation
import RecordCoding
import RecordModel
import Testing

#if canImport(CloudKit)
import CloudKit
#else
import CloudKitStandIn
#endif

private struct Person: CustomCloudKitCodable, Equatable {
  var cloudKitSystemFields: Data?
  var name: String
  var age: Int
  var height: Double
  var nickname: String?
  var cloudKitIdentifier: String { "person-1" }
}

private func sample() -> Person {
  Person(name: "Ada", age: 36, height: 1.5, nickname: "A")
}

@Suite("Coders with CKRecords")
struct CoderTests {
  @Test("A value goes through a CKRecord and comes back")
  func roundTrip() throws {
    let record = try CloudKitRecordEncoder().cloudKitRecord(of: sample())
    #expect(record.recordType == "Person")
    #expect(record.recordID.recordName == "person-1")
    var back = try CloudKitRecordDecoder().decode(Person.self, from: record)
    #expect(back.cloudKitSystemFields != nil)
    back.cloudKitSystemFields = nil
    #expect(back == sample())
  }

  @Test("The change tag of a record that was fetched is there again after a decode and an encode")
  func changeTag() throws {
    let fetched = try saved(CloudKitRecordEncoder().cloudKitRecord(of: sample()))
    let person = try CloudKitRecordDecoder().decode(Person.self, from: fetched)
    let again = try CloudKitRecordEncoder().cloudKitRecord(of: person)
    #expect(again.recordChangeTag == fetched.recordChangeTag)
    #expect(again.recordID.recordName == "person-1")
  }

  @Test("An encode onto a fetched record marks what differs, and leaves the fetched one as it is")
  func onto() throws {
    let fetched = try saved(CloudKitRecordEncoder().cloudKitRecord(of: sample()))
    var person = try CloudKitRecordDecoder().decode(Person.self, from: fetched)
    person.age += 1
    person.nickname = nil
    let record = try CloudKitRecordEncoder().cloudKitRecord(of: person, onto: fetched)
    #expect(Set(record.changedKeys()) == ["age", "nickname"])
    #expect(record.object(forKey: "nickname") == nil)
    #expect(fetched.changedKeys().isEmpty)
    #expect(fetched.object(forKey: "nickname") != nil)
  }

  @Test("An archive that CloudKit made is taken over, and bytes that are none are refused")
  func takeOver() throws {
    let fetched = try saved(CloudKitRecordEncoder().cloudKitRecord(of: sample()))
    let coder = NSKeyedArchiver(requiringSecureCoding: true)
    fetched.encodeSystemFields(with: coder)
    coder.finishEncoding()
    var person = sample()
    person.cloudKitSystemFields = coder.encodedData
    #expect(throws: CloudKitRecordEncodingError.self) {
      try CloudKitRecordEncoder().cloudKitRecord(of: person)
    }
    person.cloudKitSystemFields =
      try RecordSystemFields(cloudKitArchive: coder.encodedData).archived()
    let record = try CloudKitRecordEncoder().cloudKitRecord(of: person)
    #expect(record.recordChangeTag == fetched.recordChangeTag)
    for bytes in [Data(), Data("bplist00".utf8), Data([1, 2, 3])] {
      #expect(throws: CloudKitConversionError.self) {
        try RecordSystemFields(cloudKitArchive: bytes)
      }
    }
  }

  @Test("Archived system fields carry CloudKit's archive, and a reader of before skips it")
  func carried() throws {
    var fields = RecordSystemFields(recordType: "T", recordID: RecordID(recordName: "r"))
    let without = fields.archived()
    fields.platformArchive = Data([1, 2, 3])
    #expect(try RecordSystemFields(archive: fields.archived()) == fields)
    // The tag says that it may be skipped: 128 stands behind all other parts.
    #expect(
      fields.archived().dropLast(4).dropFirst(without.count - 4) == Data([128, 4, 3, 1, 2, 3])
    )
  }

  private struct Profile: CustomCloudKitCodable {
    var cloudKitSystemFields: Data?
    var name: String
  }

  private struct Post: Decodable {
    var author: Profile
  }

  @Test("A reference to a user's record is resolved by its name")
  func resolvesUser() throws {
    let user = CKRecord(
      recordType: "Users",
      recordID: CKRecord.ID(recordName: "_2b6ad4e6c7f04a1d9c3e")
    )
    user["name"] = "Ada"
    let post = CKRecord(recordType: "Post", recordID: CKRecord.ID(recordName: "p1"))
    post["author"] = CKRecord.Reference(recordID: user.recordID, action: .none)
    let read = try CloudKitRecordDecoder().decode(Post.self, from: post) { id in
      id.recordName == user.recordID.recordName ? user : nil
    }
    #expect(read.author.name == "Ada")
  }

  /// As a server hands the record out after a save.
  private func saved(_ record: CKRecord) throws -> CKRecord {
    #if canImport(CloudKit)
    // CloudKit gives tags only from its servers.
    return record
    #else
    return try #require(
      record.saved(
        tag: "tag-1",
        at: Date(timeIntervalSince1970: 1),
        by: CKRecord.ID(recordName: "user")
      )
    )
    #endif
  }
}
