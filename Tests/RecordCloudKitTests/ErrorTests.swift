import Foundation
import RecordModel
import Testing

@Suite("Errors of the border to CloudKit in sentences")
struct CloudKitErrorTests {
  /// Every case with its sentence.
  static let errors: [(CloudKitConversionError, String)] = [
    (
      .violation(RecordViolation(.field("a", index: nil), .missingFile(nil))),
      "field 'a' is an asset without a file"
    ),
    (
      .unknownValue(key: "a", type: "NSNull"),
      "field 'a' holds an object of class NSNull, which a field of a record cannot hold"
    ),
    (.mixedList(key: "a"), "field 'a' is a list with elements of several kinds"),
    (
      .numberOutOfRange(key: "a", value: "9223372036854775808"),
      "field 'a' holds 9223372036854775808, which neither an Int64 nor a Double holds exactly"
    ),
    (.unreadableArchive("no keys"), "CloudKit does not read the archive: no keys"),
    (
      .otherRecord(
        expected: RecordID(recordName: "a"),
        actual: RecordID(recordName: "b")
      ),
      "expected changes of _defaultZone/a, found changes of _defaultZone/b"
    ),
  ]

  @Test("A refusal says why in plain words", arguments: errors)
  func sentence(_ error: CloudKitConversionError, _ text: String) {
    #expect(error.description == text)
    #expect(error.localizedDescription == text)
  }
}
