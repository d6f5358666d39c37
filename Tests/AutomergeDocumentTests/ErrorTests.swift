import AutomergeDocument
import Foundation
import MergeEngine
import Testing

@Suite("Errors of documents in sentences")
struct DocumentErrorTests {
  private static let damage = LoadError(
    ChunkError(.checksumMismatch, offset: 4, section: ["chunk", "header"])
  )
  private static let text = ObjId(bytes: Data([1, 2, 5, 0, 0, 0, 0xAB, 0xCD]))
  private static let hash = AutomergeDocument.ChangeHash(bytes: Data(repeating: 0xA5, count: 32))
  private static let end = Cursor(bytes: Data([1, 2]))

  /// Every kind with its sentence.
  static func kinds() throws -> [(DocError.Kind, String)] {
    [
      (.unknownObject(try #require(text)), "the document has no object ObjId(010205000000abcd)"),
      (.unknownObject(.ROOT), "the document has no object ObjId.ROOT"),
      (.wrongObjectType(.List), "the call does not fit an object of type List"),
      (.indexOutOfBounds(index: 5, length: 3), "index 5 is out of bounds: the length is 3"),
      (.notACounter, "only a counter can be incremented"),
      (
        .unknownChange(try #require(hash)),
        "the document has no change \(String(repeating: "a5", count: 32))"
      ),
      (.invalidCursor(try #require(end)), "the cursor 0102 names no place here"),
      (
        .invalidScalar("an unknown scalar needs a type code in 10...15"),
        "the value cannot be stored: an unknown scalar needs a type code in 10...15"
      ),
      (.limitExceeded("depthLimit"), "values lie too deep within each other (limit: depthLimit)"),
      (
        .observersNested(8),
        "observers edited the document in answer to each other's edits, 8 deep"
      ),
      (
        .refusedChanges(damage),
        "changes were refused: the checksum is not that of the content at byte 4 in chunk/header"
      ),
    ]
  }

  @Test("A refused call says why in plain words")
  func refusals() throws {
    for (kind, sentence) in try Self.kinds() {
      let error = DocError(kind: kind)
      #expect(error.description == sentence)
      #expect(error.localizedDescription == sentence)
    }
  }

  @Test("Refused bytes say what is wrong and where, and what was being done")
  func refusedBytes() {
    let words = "the checksum is not that of the content at byte 4 in chunk/header"
    #expect(Self.damage.description == words)
    #expect(Self.damage.localizedDescription == "Error loading a document: \(words)")
    #expect(Self.damage.limit == nil)

    let limit = LoadError(ChunkError(.limitExceeded(.rowLimit), offset: 0, section: []))
    #expect(limit.description == "a chunk has too many op rows (limit: rowLimit) at byte 0")
    #expect(limit.limit == "rowLimit")

    let state = DecodeSyncStateError(ChunkError(.truncated, offset: 1, section: ["sync state"]))
    #expect(state.description == "the bytes end too early at byte 1 in sync state")
    #expect(state.localizedDescription == "Error decoding a sync state: \(state.description)")

    let message = #expect(throws: ReceiveSyncError.self) {
      try Document().receiveSyncMessage(state: SyncState(), message: Data([0x41]))
    }
    #expect(message?.description == "the version 65 is unknown at byte 0 in sync message/version")
    #expect(
      message?.localizedDescription
        == "Error receiving a sync message: the version 65 is unknown at byte 0 in sync message/version"
    )
  }

  /// Every type of refused scalar with its sentence.
  static let scalars: [(any LocalizedError, String)] = [
    (
      BooleanScalarConversionError.notboolScalarValue(.Int(1)),
      "Failed to read the scalar value Int(1) as a boolean."
    ),
    (
      StringScalarConversionError.notstringScalarValue(.Uint(2)),
      "Failed to read the scalar value UInt(2) as a String."
    ),
    (
      URLScalarConversionError.notStringScalarValue(.F64(0.5)),
      "Failed to read the scalar value Double(0.5) as a URL."
    ),
    (
      URLScalarConversionError.notMatchingURLScheme("a b"),
      "Failed to read the string a b as a URL."
    ),
    (
      BytesScalarConversionError.notbytesScalarValue(.Counter(3)),
      "Failed to read the scalar value Counter(3) as a Data."
    ),
    (
      TimestampScalarConversionError.notTimetampScalarValue(.Bytes(Data([0x0A, 0xFF]))),
      "Failed to read the scalar value Data(0aff) as a Date."
    ),
    (
      UIntScalarConversionError.notUIntScalarValue(.Boolean(true)),
      "Failed to read the scalar value Boolean(true) as a UInt."
    ),
    (
      IntScalarConversionError.notIntScalarValue(.String("x")),
      "Failed to read the scalar value String(x) as a Int."
    ),
    (
      FloatingPointScalarConversionError.notF64ScalarValue(
        .Unknown(typeCode: 12, data: Data([1]))
      ),
      "Failed to read the scalar value Unknown(type: 12, data: 01) as a Double."
    ),
  ]

  @Test("A scalar of another type is named with what it was to be read as")
  func refusedScalars() {
    for (error, sentence) in Self.scalars {
      #expect("\(error)" == sentence)
      #expect(error.localizedDescription == sentence)
    }
  }
}
