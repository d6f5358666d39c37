/// Why stored or received bytes were refused.
///
/// The document is as it was before.
package struct ChunkError: Error, Hashable, Sendable {
  /// What was wrong.
  package enum Reason: Hashable, Sendable {
    // The chunk.
    /// The input ended where more bytes were due.
    case truncated
    /// A chunk does not begin with `85 6f 4a 83`.
    case invalidMagic
    case checksumMismatch
    case unknownChunkType(UInt8)
    /// An experimental chunk kind that this version does not read.
    case bundleUnsupported
    /// A LEB128 number is longer than its value needs.
    case overlongInteger
    /// A LEB128 number does not fit its place.
    case integerTooLarge
    case invalidUTF8
    /// The chunk has bytes behind its content.
    case leftoverBytes(Int)
    case corruptDeflateStream

    // Columns.
    case columnsOutOfOrder
    case nestedGroup
    case valueWithoutMetadata
    case valueColumnMismatch
    case groupMembersMismatch
    /// A change chunk has a column with the deflate bit.
    case deflatedColumnInChange
    case unexpectedNull
    /// A row has a key string and an element key.
    case tooManyKeyParts
    case unknownAction(UInt64)
    case incrementByNonNumber
    case invalidValue
    case actorIndexOutOfRange
    /// A column needed for the rows is missing, or columns differ in length.
    case columnLengthMismatch

    // Documents.
    case rowsOutOfOrder
    case successorsOutOfOrder
    case successorInvalid
    case actorsOutOfOrder
    case dependencyIndexInvalid
    case opOutsideChanges
    case opCountersNotConsecutive
    case sequenceNumbersNotConsecutive
    case headsMismatch

    // Changes.
    case startOpZero
    /// A time that the format cannot store beside every other.
    case timeTooLarge
    /// The bytes are not those which the same change has in canonical form.
    case notCanonical
    case duplicateSequence(actor: ActorID, seq: UInt64)
    case sequenceGap(actor: ActorID, expected: UInt64, found: UInt64)
    case startOpNotAboveEarlier
    case unknownObject
    case keyDoesNotFitObject
    case unknownElement
    case predecessorInvalid
    /// Changes of a file wait for changes that are not in it.
    case missingDependencies
    case limitExceeded(String)
  }

  package let reason: Reason
  /// Byte offset from the start of the input; of an inflated column, from its start.
  package let offset: Int
  /// The part being read, outermost first: `["change", "ops", "key.actor"]`.
  package let section: [String]

  package init(_ reason: Reason, offset: Int, section: [String]) {
    self.reason = reason
    self.offset = offset
    self.section = section
  }
}

extension ChunkError: CustomStringConvertible {
  package var description: String {
    "refused at byte \(offset) of \(section.joined(separator: "/")): \(reason)"
  }
}

/// A refusal inside the readers: the reason and where.
///
/// A class, so that the many paths which may throw it pass one pointer; it is made on refusal only.
final class Fault: Error {
  let reason: ChunkError.Reason
  /// Offset from the start of the column or content being read.
  let offset: Int
  /// Names the column or part.
  let part: Part

  init(_ reason: ChunkError.Reason, _ offset: Int, _ part: Part) {
    self.reason = reason
    self.offset = offset
    self.part = part
  }

  /// What a reader was reading.
  enum Part: String {
    case header, content, actors, heads
    case headIndexes = "head indexes"
    case dependencies
    case columnMetadata = "column metadata"
    case columnData = "column data"
    case changeMeta = "change columns"
    case objectActor = "object.actor"
    case objectCounter = "object.counter"
    case keyActor = "key.actor"
    case keyCounter = "key.counter"
    case keyString = "key.string"
    case idActor = "id.actor"
    case idCounter = "id.counter"
    case insert, action
    case valueMeta = "value.metadata"
    case value, expand
    case markName = "mark name"
    case predCount = "predecessor.count"
    case predActor = "predecessor.actor"
    case predCounter = "predecessor.counter"
    case succCount = "successor.count"
    case succActor = "successor.actor"
    case succCounter = "successor.counter"
    case changeActor = "actor"
    case seq, maxOp, time, message, startOp
    case depCount = "dependency.count"
    case depIndex = "dependency.index"
    case extraMeta = "extra.metadata"
    case extra
    case otherActors = "other actors"
    case rows, apply
  }

  /// The refusal as callers see it.
  func error(base: Int, in section: [String]) -> ChunkError {
    ChunkError(reason, offset: base + offset, section: section + [part.rawValue])
  }
}
