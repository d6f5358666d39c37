/// Why a local call was refused.
///
/// A refused call has made no operation.
package enum EditError: Error, Hashable, Sendable {
  /// No operation of that id made an object here.
  case unknownObject(ObjectID)
  /// The index is not in `0..<length` (or `0...length` for an insertion).
  case indexOutOfBounds(index: Int, length: Int)
  /// The call does not fit the object: a key for a sequence, an index for a map.
  case invalidOperation(kind: ObjectKind)
  /// An increment of a register without a counter.
  case notACounter
  /// A change hash that the document lacks.
  case unknownHash(ChangeHash)
  /// A change that was asked for uses what it does not depend on, as one of a hostile writer may: without the rest of
  /// the document it is refused.
  case incompleteHistory(ChunkError)
  /// The change numbers of one document are used up.
  case counterOverflow
  /// A limit would be passed.
  case limitExceeded(LimitName)
  /// The cursor's element is not in the object, or was not at the heads asked for.
  case invalidCursor(ElementCursor)
  /// The scalar cannot be written: an unknown type code outside 10...15.
  case invalidScalar
}

extension EditError: CustomStringConvertible {
  /// What was wrong, as a clause without a full stop.
  package var description: String {
    switch self {
    case .unknownObject(let id): "the document has no object \(id)"
    case .indexOutOfBounds(let index, let length):
      "index \(index) is out of bounds: the length is \(length)"
    case .invalidOperation(let kind): "the call does not fit an object of kind \(kind)"
    case .notACounter: "only a counter can be incremented"
    case .unknownHash(let hash): "the document has no change \(hash)"
    case .incompleteHistory(let error):
      "a change uses what it does not depend on, and by itself is \(error)"
    case .counterOverflow: "the operation numbers of the document are used up"
    case .limitExceeded(let name): name.description
    case .invalidCursor(let cursor): "the cursor \(cursor) names no place here"
    case .invalidScalar: "an unknown scalar needs a type code in 10...15"
    }
  }
}
