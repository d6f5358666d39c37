import Testing

@testable import MergeEngine

@Suite("Errors in sentences")
struct ErrorTests {
  private static let author = ActorID([0xAB, 0xCD])

  /// Every reason with its text.
  static let reasons: [(ChunkError.Reason, String)] = [
    (.truncated, "the bytes end too early"),
    (.invalidMagic, "a chunk begins with other bytes than 85 6f 4a 83"),
    (.checksumMismatch, "the checksum is not that of the content"),
    (.unknownChunkType(7), "the chunk type 7 is unknown"),
    (.bundleUnsupported, "bundle chunks are not supported"),
    (.overlongInteger, "a number is written with more bytes than it needs"),
    (.integerTooLarge, "a number is too large for its place"),
    (.invalidUTF8, "a text is not valid UTF-8"),
    (.leftoverBytes(3), "3 bytes follow the end of the content"),
    (.corruptDeflateStream, "the compressed bytes cannot be inflated"),
    (.columnsOutOfOrder, "the columns are out of order"),
    (.nestedGroup, "a group of columns lies within a group"),
    (.valueWithoutMetadata, "a value column has no metadata column in front"),
    (.valueColumnMismatch, "a value column and its metadata column have different ids"),
    (.groupMembersMismatch, "a group of columns lacks a member or has one too many"),
    (.deflatedColumnInChange, "a column of a change is compressed"),
    (.unexpectedNull, "a row lacks a value that it needs"),
    (.tooManyKeyParts, "a row has both a key string and an element as its key"),
    (.unknownAction(9), "the action 9 is unknown, or not allowed here"),
    (.incrementByNonNumber, "an increment adds something other than a signed integer"),
    (.invalidValue, "the bytes of a value do not fit its type"),
    (.actorIndexOutOfRange, "a row names an actor that the chunk does not list"),
    (.columnLengthMismatch, "the columns have different numbers of rows"),
    (.rowsOutOfOrder, "the rows are out of order"),
    (.successorsOutOfOrder, "the successors of a row are out of order"),
    (.successorInvalid, "a successor does not come after its row"),
    (.dependencyIndexInvalid, "a change depends on one that does not come before it"),
    (.opOutsideChanges, "an operation belongs to no change"),
    (.opCountersNotConsecutive, "the operations of a change are not numbered without gaps"),
    (.sequenceNumbersNotConsecutive, "the changes of an actor are not numbered without gaps"),
    (.headsMismatch, "the changes have other heads than the document states"),
    (.startOpZero, "a change starts at operation 0"),
    (.timeTooLarge, "a time is beyond 2^62"),
    (.notCanonical, "the change is not in canonical form"),
    (
      .duplicateSequence(actor: author, seq: 4),
      "actor abcd has made another change with the number 4"
    ),
    (
      .sequenceGap(actor: author, expected: 2, found: 5),
      "the next change of actor abcd has the number 2, not 5"
    ),
    (.startOpNotAboveEarlier, "a change starts at an operation that its actor has used"),
    (.unknownObject, "an operation names an object that does not exist"),
    (.keyDoesNotFitObject, "an operation's key, value or action does not fit its object"),
    (.unknownElement, "an operation names a list element that does not exist"),
    (.predecessorInvalid, "an operation overwrites one that does not exist"),
    (.missingDependencies, "changes depend on others that are not in the file"),
    (.limitExceeded(.rowLimit), "a chunk has too many op rows (limit: rowLimit)"),
  ]

  @Test("A refusal says what is wrong in plain words", arguments: reasons)
  func reason(_ reason: ChunkError.Reason, _ text: String) {
    #expect(reason.description == text)
  }

  @Test("An error says where, and in what")
  func whole() {
    let error = ChunkError(.truncated, offset: 12, section: ["change", "key.actor"])
    #expect("\(error)" == "refused at byte 12 of change/key.actor: the bytes end too early")
    #expect(
      "\(ChunkError(.headsMismatch, offset: 0, section: []))"
        == "refused at byte 0: the changes have other heads than the document states"
    )
  }
}
