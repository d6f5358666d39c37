import Foundation
import RecordModel
import Testing

@Suite("Errors of records in sentences")
struct RecordErrorTests {
  private static let zone = RecordZoneID(zoneName: "work", ownerName: "ann")

  /// Every rule with what is said of a field that breaks it.
  static let rules: [(RecordViolation.Rule, String)] = [
    (.empty, "has an empty name"),
    (.firstCharacter, "begins with a character that is not allowed there"),
    (.character, "has a character that is not allowed"),
    (.tooLong(limit: 255), "is longer than 255 characters"),
    (.reserved, "has a reserved key"),
    (.otherZone(zone), "refers to zone 'work', which is not the record's"),
    (
      .notEncryptable(RecordFieldKind(.asset, isList: true)),
      "is encrypted, and a value of kind LIST<ASSET> cannot be"
    ),
    (.encryptedTwice, "is both among the encrypted fields and among the others"),
    (
      .missingFile(URL(string: "file:///a/b.png")),
      "is an asset whose file is not there: file:///a/b.png"
    ),
    (.missingFile(nil), "is an asset without a file"),
    (
      .tooLarge(
        byteCount: 1_000_100,
        largest: [
          RecordFieldSize(key: "photo", byteCount: 1_000_000),
          RecordFieldSize(key: "title", byteCount: 100),
        ]
      ),
      "takes 1000100 bytes, and must take fewer than 1000000; the largest are photo (1000000), "
        + "title (100)"
    ),
    (.notFinite, "is a number that is not finite"),
    (.notMilliseconds, "is a date that is not a whole millisecond"),
  ]

  @Test("A violation says which rule is broken", arguments: rules)
  func rule(_ rule: RecordViolation.Rule, _ text: String) {
    #expect("\(RecordViolation(.field("a", index: nil), rule))" == "field 'a' \(text)")
  }

  /// Every part of a record with its name.
  static let subjects: [(RecordViolation.Subject, String)] = [
    (.recordType("1Bad"), "record type '1Bad'"),
    (.recordName("_bad"), "record name '_bad'"),
    (.zone(zone), "zone 'work' of 'ann'"),
    (.field("a", index: nil), "field 'a'"),
    (.field("a", index: 2), "field 'a', element 2"),
    (.record, "the record"),
  ]

  @Test("A violation names what breaks the rule", arguments: subjects)
  func subject(_ subject: RecordViolation.Subject, _ text: String) {
    #expect("\(RecordViolation(subject, .empty))" == "\(text) has an empty name")
  }

  @Test(
    "Refused bytes say what was expected and found",
    arguments: [
      (
        .keyedArchive, "expected an archive of this library, found a keyed archive of Foundation"
      ),
      (.unknownFormat, "expected an archive of this library, found other bytes"),
      (.newerVersion(2), "the archive has version 2, and this library reads version 1"),
      (.truncated, "the archive ends too early"),
      (.damaged, "the archive's checksum does not match its bytes"),
      (.malformed("part 3"), "the archive has a malformed part: part 3"),
    ] as [(RecordBytesError, String)]
  )
  func bytes(_ error: RecordBytesError, _ text: String) {
    #expect(error.description == text)
  }
}
