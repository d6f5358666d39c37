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
  /// The change numbers of one document are used up.
  case counterOverflow
  /// A limit would be passed.
  case limitExceeded(LimitName)
  /// The cursor's element is not in the object, or was not at the heads asked for.
  case invalidCursor(ElementCursor)
  /// The scalar cannot be written: an unknown type code outside 10...15.
  case invalidScalar
}
