import Foundation
import RecordModel
import RecordServer
import Testing

@Suite("Errors of the record server in sentences")
struct RecordServerErrorTests {
  private static let id = RecordID(recordName: "a", zoneID: RecordZoneID(zoneName: "notes"))

  private static func record(tag: String?) -> Record {
    var fields = RecordSystemFields(recordType: "Note", recordID: id)
    fields.recordChangeTag = tag
    return Record(systemFields: fields)
  }

  /// Every case with its sentence.
  static let errors: [(RecordServerError, String)] = [
    (
      .serverRecordChanged(server: record(tag: "7"), client: record(tag: "5")),
      "The record notes/a has changed on the server since it was fetched: its tag is now '7'. "
        + "Merge your changes into the server's record and save that."
    ),
    (
      .serverRecordChanged(server: record(tag: nil), client: record(tag: "5")),
      "The record notes/a has changed on the server since it was fetched: its tag is now unknown. "
        + "Merge your changes into the server's record and save that."
    ),
    (.unknownItem, "The record is not there: it was deleted, or never saved."),
    (.zoneNotFound, "The zone is not there: create it first."),
    (
      .batchRequestFailed,
      "Another record of the same atomic request failed, so that nothing of the request was done."
    ),
    (.limitExceeded, "The request has too many records or bytes: send it in parts."),
    (
      .savedTwice(id),
      "The request saves notes/a twice, so that nothing of it was done: save each record once."
    ),
    (
      .invalidRecord([
        RecordViolation(.recordName("_a"), .firstCharacter),
        RecordViolation(.field("x", index: 1), .notFinite),
      ]),
      "The record breaks rules: record name '_a' begins with a character that is not allowed "
        + "there; field 'x', element 1 is a number that is not finite."
    ),
    (
      .schemaMismatch(
        key: "age",
        expected: RecordFieldKind(.int64),
        found: RecordFieldKind(.string)
      ),
      "The field 'age' is of kind STRING, and was of kind INT64 when it was first saved."
    ),
    (
      .schemaMismatch(key: "tags", expected: nil, found: RecordFieldKind(nil, isList: true)),
      "The field 'tags' is of kind LIST<?>, and a new field needs a value that tells its kind."
    ),
    (
      .referenceViolation(id),
      "The reference to notes/a cannot be kept: the record is neither there nor in the request, "
        + "or too many that are deleted with it refer to it."
    ),
    (
      .changeTokenExpired,
      "The token is from before the server forgot older changes: fetch the zone again, without a "
        + "token."
    ),
    (
      .networkFailure,
      "No reply came: the request was carried out, or not, or in part. Fetch before you try again."
    ),
  ]

  @Test("Each error says what is wrong, and what a caller can do about it", arguments: errors)
  func sentence(_ error: RecordServerError, _ text: String) {
    #expect(error.description == text)
    #expect(error.localizedDescription == text)
  }
}
