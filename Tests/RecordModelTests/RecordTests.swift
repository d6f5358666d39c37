import Foundation
import RecordModel
import Testing

@Suite("Records as values")
struct RecordTests {
  @Test("Setting and clearing mark a key, and a copy is a copy")
  func marks() {
    var record = Record(recordType: "A", recordID: RecordID(recordName: "r"))
    record["a"] = .int64(1)
    let copy = record
    record["a"] = nil
    #expect(copy["a"] == .int64(1) && record["a"] == nil)
    #expect(record.changedKeys() == ["a"] && record.unmarked().changedKeys() == [])
  }

  @Test("Changes stand on top of another state of the record, and of no other record")
  func rebased() throws {
    var server = Record(recordType: "A", recordID: RecordID(recordName: "r"))
    server["a"] = .int64(1)
    server["b"] = .int64(1)
    server["c"] = .int64(1)
    var mine = server.unmarked()
    mine["a"] = .int64(2)
    mine["b"] = nil
    mine[encrypted: "secret"] = .int64(3)
    server["c"] = .int64(9)
    server = server.unmarked()
    let result = try #require(mine.rebased(onto: server))
    #expect(result.fields == ["a": .int64(2), "c": .int64(9)])
    #expect(result.encryptedFields == ["secret": .int64(3)])
    #expect(result.changedKeys() == ["a", "b", "secret"])
    let other = Record(recordType: "A", recordID: RecordID(recordName: "x"))
    #expect(mine.rebased(onto: other) == nil)
  }

  @Test("Values are equal by their bits")
  func equality() {
    #expect(RecordValue.double(0) != .double(-0.0))
    #expect(RecordValue.double(.nan) == .double(.nan))
    #expect(RecordValue.list(.strings([])) != .list(.int64s([])))
    #expect(RecordValue.int64(1) != .double(1))
  }

  @Test("Sizes add up over the fields, and assets count nothing")
  func sizes() {
    var record = Record(recordType: "A", recordID: RecordID(recordName: "r"))
    record["a"] = .string("\u{E9}")
    record["bb"] = .list(.doubles([1, 2]))
    record["c"] = .asset(RecordAsset(fileURL: nil))
    record[encrypted: "d"] = .bytes(Data(count: 5))
    #expect(record.byteCount == (1 + 2) + (2 + 16) + 1 + (1 + 5))
    #expect(record.largestFields(2).map(\.key) == ["bb", "d"])
  }

  @Test("Rounding to milliseconds goes to the nearest, and a second time changes nothing")
  func milliseconds() throws {
    for step in -4000...4000 {
      let date = Date(timeIntervalSince1970: Double(step) * 0.000_37)
      let rounded = try #require(date.roundedToMilliseconds)
      #expect(abs(rounded.timeIntervalSince(date)) <= 0.000_5001)
      #expect(rounded.roundedToMilliseconds == rounded)
    }
    #expect(Date(timeIntervalSince1970: .infinity).roundedToMilliseconds == nil)
    #expect(Date(timeIntervalSince1970: .nan).roundedToMilliseconds == nil)
  }

  @Test("A record of a value has all its keys marked, and is equal to one that says so key by key")
  func allMarked() {
    let id = RecordID(recordName: "a")
    let fields = RecordSystemFields(recordType: "Note", recordID: id)
    var new = Record(new: fields, fields: ["x": .int64(1)], encryptedFields: ["y": .int64(2)])
    var told = Record(recordType: "Note", recordID: id)
    told["x"] = .int64(1)
    told[encrypted: "y"] = .int64(2)
    #expect(new == told && new.hashValue == told.hashValue)
    #expect(new.changedKeys() == ["x", "y"])
    #expect(new != told.unmarked())
    for key in ["x", "z"] {
      new[key] = nil
      told[key] = nil
    }
    #expect(new == told)
    #expect(new.changedKeys() == ["x", "y", "z"])
  }

  @Test("System fields whose server's part is taken back are those of a new record")
  func serverFields() {
    let new = RecordSystemFields(recordType: "T", recordID: RecordID(recordName: "a"))
    var fields = new
    fields.recordChangeTag = "t"
    fields.parent = RecordReference(recordID: RecordID(recordName: "p"))
    #expect(fields != new && new.recordChangeTag == nil)
    fields.recordChangeTag = nil
    #expect(fields.parent?.recordID.recordName == "p")
    fields.parent = nil
    #expect(fields == new && fields.hashValue == new.hashValue)
  }

  @Test("A name that never comes again is a UUID of version 4")
  func randomNames() throws {
    let names = (0..<200).map { _ in RandomName.next() }
    #expect(Set(names).count == 200)
    for name in names {
      #expect(UUID(uuidString: name)?.uuidString == name)
      #expect(Array(name.utf8)[14] == UInt8(ascii: "4"))
      #expect("89AB".utf8.contains(Array(name.utf8)[19]))
    }
    #expect(TypeName.of([Int].self) == "Array<Int>" && TypeName.of([Int].self) == "Array<Int>")
  }
}
