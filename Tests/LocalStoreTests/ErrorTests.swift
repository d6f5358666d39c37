import LocalStore
import Testing

@Suite("Errors of stores in sentences")
struct StoreErrorTests {
  /// Every reason with its text.
  static let reasons: [(StoreError.Reason, String)] = [
    (.encodingFailed(id: "a", explanation: "a NaN"), "item 'a' cannot be encoded: a NaN"),
    (
      .versionConflict(id: "a", expected: 2, actual: 3),
      "item 'a': expected version 2, found version 3"
    ),
    (
      .versionConflict(id: "a", expected: nil, actual: 3),
      "item 'a': expected no item, found version 3"
    ),
    (
      .versionConflict(id: "a", expected: 2, actual: nil),
      "item 'a': expected version 2, found no item"
    ),
    (
      .updateRefused(id: "a", explanation: "the item changed its id"),
      "the update of 'a' was refused: the item changed its id"
    ),
    (.tooLarge(size: 12, limit: 10), "12 bytes are more than the limit of 10"),
    (.noSpace, "the disk is full"),
    (
      .fileSystem(explanation: "write: the disk does not work"), "write: the disk does not work"
    ),
    (.alreadyOpen, "the store is already open, in this process or in another"),
    (
      .corrupted(StoreDamage(file: "snapshot", offset: 12, explanation: "expected a frame")),
      "the files are damaged: snapshot, byte 12: expected a frame; `onDamage` decides whether what "
        + "is intact is read"
    ),
    (
      .unsupportedFormat(found: 3, supported: 2),
      "the files are of version 3; this program reads versions up to 2"
    ),
    (
      .invalidLocation(explanation: "'a' is a link"), "not a place for a store: 'a' is a link"
    ),
    (
      .duplicateIDs(["a", "b"]),
      "several items have one id: 'a', 'b'; `onDuplicates` decides which of them counts"
    ),
    (
      .migrationFailed(id: "a", explanation: "no title"), "item 'a' cannot be migrated: no title"
    ),
    (
      .readOnly(explanation: "open: access denied"),
      "the store is read-only: open: access denied"
    ),
    (
      .failed(explanation: "no number is left for a change"),
      "the store has failed, and must be compacted or opened again: no number is left for a change"
    ),
    (.closed, "the store is closed"),
    (.cancelled, "the task was cancelled"),
  ]

  @Test("A refusal says why in plain words", arguments: reasons)
  func reason(_ reason: StoreError.Reason, _ text: String) {
    #expect(reason.description == text)
  }

  @Test("An error names what was being done", arguments: StoreError.Phase.allCases)
  func phase(_ phase: StoreError.Phase) {
    #expect("\(StoreError(.closed, phase))" == "\(phase.rawValue): the store is closed")
  }

  @Test("An error says what is left where that is not known")
  func durableState() {
    #expect("\(StoreError(.noSpace, .append, .old))" == "append: the disk is full")
    #expect(
      "\(StoreError(.noSpace, .synchronize, .unknown))"
        == "synchronize: the disk is full; whether the change is on the disk is not known"
    )
  }
}
