import Foundation
import RecordModel
import Testing

@Suite("Records as bytes")
struct RecordBytesTests {
  static let record: Record = {
    var record = Record(
      recordType: "Note",
      recordID: RecordID(recordName: "n", zoneID: RecordZoneID(zoneName: "Z", ownerName: "o"))
    )
    let reference = RecordReference(recordID: record.recordID, action: .deleteSelf)
    let asset = RecordAsset(fileURL: URL(fileURLWithPath: "/a b"))
    let place = RecordLocation(latitude: -0.0, longitude: .nan)
    let date = Date(timeIntervalSinceReferenceDate: -1e17)
    record["string"] = .string("\u{0}e\u{301}")
    record["int"] = .int64(.min)
    record["double"] = .double(-0.0)
    record["bytes"] = .bytes(Data([0, 255]))
    record["date"] = .timestamp(date)
    record["place"] = .location(place)
    record["reference"] = .reference(reference)
    record["asset"] = .asset(asset)
    record["gone"] = .asset(RecordAsset(fileURL: nil))
    record["strings"] = .list(.strings([]))
    record["ints"] = .list(.int64s([1, .max]))
    record["doubles"] = .list(.doubles([.infinity]))
    record["blobs"] = .list(.bytes([Data()]))
    record["dates"] = .list(.timestamps([date]))
    record["places"] = .list(.locations([place]))
    record["references"] = .list(.references([reference]))
    record["assets"] = .list(.assets([asset]))
    record["empty"] = .list(.empty)
    record[encrypted: "secret"] = .int64(1)
    record["cleared"] = nil
    return record
  }()

  @Test("Every kind of value comes back from bytes, and equal records have equal bytes")
  func roundTrip() throws {
    let bytes = Self.record.serialized()
    let back = try Record(serialized: bytes)
    #expect(back == Self.record && back.hashValue == Self.record.hashValue)
    #expect(back.serialized() == bytes)
    #expect(back.changedKeys().contains("cleared"))
  }

  @Test("No change of a bit, and no missing byte, is taken for a record")
  func damage() throws {
    let bytes = Self.record.serialized()
    for index in bytes.indices {
      for bit in 0..<8 {
        var damaged = bytes
        damaged[index] ^= 1 << bit
        #expect(throws: RecordBytesError.self) { try Record(serialized: damaged) }
      }
      #expect(throws: RecordBytesError.self) { try Record(serialized: bytes.prefix(index)) }
    }
  }

  @Test("A newer archive is refused by its version, and later parts that may be ignored are")
  func versions() throws {
    let fields = RecordSystemFields(recordType: "A", recordID: RecordID(recordName: "r"))
    var newer = fields.archived()
    newer[4] = 2
    #expect(throws: RecordBytesError.newerVersion(2)) { try RecordSystemFields(archive: newer) }
    // RSYS, version, parts 1 and 2, then a part that this version does not know.
    let body = Array(fields.archived().dropLast(4))
    #expect(try RecordSystemFields(archive: summed(body + [200, 1, 7])) == fields)
    #expect(throws: RecordBytesError.malformed("part 100")) {
      try RecordSystemFields(archive: summed(body + [100, 1, 7]))
    }
    #expect(throws: RecordBytesError.malformed("parts out of order")) {
      try RecordSystemFields(archive: summed(body + [1, 0]))
    }
  }

  @Test("CRC-32C of the standard's examples")
  func checksum() {
    // RFC 3720, appendix B.4: 32 bytes of zeros, of ones, ascending.
    #expect(sum([UInt8](repeating: 0, count: 32)) == [0xAA, 0x36, 0x91, 0x8A])
    #expect(sum([UInt8](repeating: 0xFF, count: 32)) == [0x43, 0xAB, 0xA8, 0x62])
    #expect(sum(Array(0..<32)) == [0x4E, 0x79, 0xDD, 0x46])
  }
}

/// Bytes with a right checksum behind them, worked out bit by bit.
private func summed(_ bytes: [UInt8]) -> Data { Data(bytes + sum(bytes)) }

private func sum(_ bytes: [UInt8]) -> [UInt8] {
  var sum = UInt32.max
  for byte in bytes {
    sum ^= UInt32(byte)
    for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0x82F6_3B78 : sum >> 1 }
  }
  return (0..<4).map { UInt8(truncatingIfNeeded: ~sum >> (8 * $0)) }
}
