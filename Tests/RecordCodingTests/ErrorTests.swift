import RecordCoding
import Testing

@Suite("Errors of the coder of records in sentences")
struct RecordCodingErrorTests {
  private static let note = RecordID(recordName: "note")
  private static let other = RecordID(
    recordName: "other",
    zoneID: RecordZoneID(zoneName: "work", ownerName: "ann")
  )

  /// Every case with its sentence.
  static let errors: [(CloudKitRecordEncodingError, String)] = [
    (.unsupportedValueForKey("a"), "the value of 'a' is not supported"),
    (
      .systemFieldsDecode("expected Data, found String"),
      "the system fields are not those of a record: expected Data, found String"
    ),
    (.referencesNotSupported("a"), "the reference 'a' is not supported"),
    (
      .dataFieldTooLarge(key: "photo", size: 1_000_100),
      "'photo' takes 1000100 bytes, and must take fewer than 1000000"
    ),
    (
      .recordTypeMismatch(archived: "Draft", expected: "Note"),
      "expected system fields of the type 'Note', found those of 'Draft'"
    ),
    (
      .recordMismatch(base: other, expected: note),
      "expected a base record _defaultZone/note, found ann/work/other"
    ),
    (
      .invalidRecord(RecordViolation(.recordName("_bad"), .firstCharacter)),
      "record name '_bad' begins with a character that is not allowed there"
    ),
    (
      .unstableIdentity("Note"),
      "the identifier of Note changes from one access to the next: give the type a "
        + "cloudKitIdentifier"
    ),
    (
      .childRecords(count: 2),
      "2 nested values have records of their own: encodeRecords(_:) gives them all"
    ),
  ]

  @Test("A refusal says why in plain words", arguments: errors)
  func sentence(_ error: CloudKitRecordEncodingError, _ text: String) {
    #expect(error.description == text)
  }
}
