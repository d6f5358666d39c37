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
    /// The four bytes behind the magic are not the first four of the content's hash.
    case checksumMismatch
    case unknownChunkType(UInt8)
    /// A sync message or a stored sync state begins with another byte than those known.
    case unknownVersion(UInt8)
    /// An experimental chunk kind that this version does not read.
    case bundleUnsupported
    /// A LEB128 number is longer than its value needs.
    case overlongInteger
    /// A LEB128 number does not fit its place.
    case integerTooLarge
    /// A key, a string, a mark's name or a message is not well-formed.
    case invalidUTF8
    /// The chunk has bytes behind its content.
    case leftoverBytes(Int)
    case corruptDeflateStream

    // Columns.
    /// A column's spec is below the one before it, both without the deflate bit.
    case columnsOutOfOrder
    /// Two group columns of one id stand together.
    case nestedGroup
    case valueWithoutMetadata
    case valueColumnMismatch
    /// Behind a group column are other columns of its id than the format knows.
    case groupMembersMismatch
    /// A change chunk has a column with the deflate bit.
    case deflatedColumnInChange
    /// A column says null, or has ended, where the row needs a value.
    case unexpectedNull
    /// A row has a key string and an element key.
    case tooManyKeyParts
    /// A code that the format lacks, or a deletion as a row of a document, where it can only be a
    /// successor.
    case unknownAction(UInt64)
    case incrementByNonNumber
    /// The bytes of a value do not fit its type: a number that is too long, a double of other than
    /// 8 bytes.
    case invalidValue
    case actorIndexOutOfRange
    /// A column needed for the rows is missing, or columns differ in length.
    case columnLengthMismatch

    // Documents.
    /// Rows of a document come in another order than saving gives them.
    case rowsOutOfOrder
    case successorsOutOfOrder
    /// A successor whose id is not above that of the row which it overwrites.
    case successorInvalid
    /// A change depends on a later change, on itself, or twice on one.
    case dependencyIndexInvalid
    /// An operation of an actor is beyond the last one that the actor's changes claim.
    case opOutsideChanges
    case opCountersNotConsecutive
    case sequenceNumbersNotConsecutive
    /// The changes rebuilt from a document have other hashes than those it states: some byte of it
    /// is not what was saved.
    case headsMismatch

    // Changes.
    case startOpZero
    /// A time that the format cannot store beside every other.
    case timeTooLarge
    /// The bytes are not those which the same change has in canonical form.
    case notCanonical
    /// Two changes of one actor have one number.
    ///
    /// Two writers use one id, or a writer continued in an old copy of the file.
    case duplicateSequence(actor: ActorID, seq: UInt64)
    /// All that the change depends on is here, and it is not the next of its actor.
    case sequenceGap(actor: ActorID, expected: UInt64, found: UInt64)
    /// The change begins at a number which an earlier change of its actor has used.
    case startOpNotAboveEarlier
    case unknownObject
    case keyDoesNotFitObject
    case unknownElement
    /// A predecessor that its register lacks or that is not below the operation; a deletion without
    /// one, or an insertion with one.
    case predecessorInvalid
    /// Changes of a file wait for changes that are not in it.
    case missingDependencies
    /// The bytes, or the document with them, would pass a limit.
    case limitExceeded(LimitName)
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
    let place = section.isEmpty ? "" : " of \(section.joined(separator: "/"))"
    return "refused at byte \(offset)\(place): \(reason)"
  }
}

extension ChunkError.Reason: CustomStringConvertible {
  /// What was expected or found, as a clause without a full stop; no content of the document.
  package var description: String {
    switch self {
    case .truncated: "the bytes end too early"
    case .invalidMagic: "a chunk begins with other bytes than 85 6f 4a 83"
    case .checksumMismatch: "the checksum is not that of the content"
    case .unknownChunkType(let type): "the chunk type \(type) is unknown"
    case .unknownVersion(let version): "the version \(version) is unknown"
    case .bundleUnsupported: "bundle chunks are not supported"
    case .overlongInteger: "a number is written with more bytes than it needs"
    case .integerTooLarge: "a number is too large for its place"
    case .invalidUTF8: "a text is not valid UTF-8"
    case .leftoverBytes(let count): "\(count) bytes follow the end of the content"
    case .corruptDeflateStream: "the compressed bytes cannot be inflated"
    case .columnsOutOfOrder: "the columns are out of order"
    case .nestedGroup: "a group of columns lies within a group"
    case .valueWithoutMetadata: "a value column has no metadata column in front"
    case .valueColumnMismatch: "a value column and its metadata column have different ids"
    case .groupMembersMismatch: "a group of columns lacks a member or has one too many"
    case .deflatedColumnInChange: "a column of a change is compressed"
    case .unexpectedNull: "a row lacks a value that it needs"
    case .tooManyKeyParts: "a row has both a key string and an element as its key"
    case .unknownAction(let code): "the action \(code) is unknown, or not allowed here"
    case .incrementByNonNumber: "an increment adds something other than a signed integer"
    case .invalidValue: "the bytes of a value do not fit its type"
    case .actorIndexOutOfRange: "a row names an actor that the chunk does not list"
    case .columnLengthMismatch: "the columns have different numbers of rows"
    case .rowsOutOfOrder: "the rows are out of order"
    case .successorsOutOfOrder: "the successors of a row are out of order"
    case .successorInvalid: "a successor does not come after its row"
    case .dependencyIndexInvalid: "a change depends on one that does not come before it"
    case .opOutsideChanges: "an operation belongs to no change"
    case .opCountersNotConsecutive: "the operations of a change are not numbered without gaps"
    case .sequenceNumbersNotConsecutive: "the changes of an actor are not numbered without gaps"
    case .headsMismatch: "the changes have other heads than the document states"
    case .startOpZero: "a change starts at operation 0"
    case .timeTooLarge: "a time is beyond 2^62"
    case .notCanonical: "the change is not in canonical form"
    case .duplicateSequence(let actor, let seq):
      "actor \(actor) has made another change with the number \(seq)"
    case .sequenceGap(let actor, let expected, let found):
      "the next change of actor \(actor) has the number \(expected), not \(found)"
    case .startOpNotAboveEarlier: "a change starts at an operation that its actor has used"
    case .unknownObject: "an operation names an object that does not exist"
    case .keyDoesNotFitObject: "an operation's key, value or action does not fit its object"
    case .unknownElement: "an operation names a list element that does not exist"
    case .predecessorInvalid: "an operation overwrites one that does not exist"
    case .missingDependencies: "changes depend on others that are not in the file"
    case .limitExceeded(let name): name.description
    }
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
    case predecessorCount = "predecessor.count"
    case predecessorActor = "predecessor.actor"
    case predecessorCounter = "predecessor.counter"
    case successorCount = "successor.count"
    case successorActor = "successor.actor"
    case successorCounter = "successor.counter"
    case changeActor = "actor"
    case seq, maxOp, time, message, startOp
    case depCount = "dependency.count"
    case depIndex = "dependency.index"
    case extraMeta = "extra.metadata"
    case extra
    case otherActors = "other actors"
    case rows, apply
    case version, need, have
    case bloom = "filter"
    case changes, capabilities
    case cursor
  }

  /// The refusal as callers see it.
  func error(base: Int, in section: [String]) -> ChunkError {
    ChunkError(reason, offset: base + offset, section: section + [part.rawValue])
  }
}
