// Rules of local edits: ids, puts that make no operation, predecessors, references, splices. The
// model asks them in `NaiveModel+Edits.swift`.

package import DocumentModel

extension Rules {
  /// The first new operation has the highest counter of the whole document plus one, of
  /// any writer; the following count on.
  ///
  /// Source: Specification/Semantics.md, "Identity".
  package static func firstCounter(highest: UInt32, ownHighest: UInt32) -> UInt64 {
    UInt64(highest) + 1
  }

  /// A put of what is already the only visible value makes no operation.
  ///
  /// Over a conflict it is an ordinary put, even of the winner's value.
  ///
  /// Source: Specification/Semantics.md, "Local edits", "Version differences".
  package static func isSkipped(put new: Scalar, over visible: [NaiveValue]) -> Bool {
    guard visible.count == 1, case .set(let old) = visible[0].action else { return false }
    return isEqual(put: new, to: old)
  }

  /// Type and value must agree: int 1 and uint 1 differ.
  ///
  /// Floats compare by IEEE 754: -0.0 equals 0.0, and NaN nothing. A counter has its current value.
  ///
  /// Source: Specification/Semantics.md, "Local edits".
  package static func isEqual(put new: Scalar, to old: Scalar) -> Bool {
    if case (.float(let new), .float(let old)) = (new, old) { return new == old }
    return new == old
  }

  /// A put or delete names all visible operations of its register.
  ///
  /// Source: Specification/Semantics.md, "Registers and conflicts".
  package static func predecessors(visible: [OpID], author: ActorID) -> [OpID] {
    visible
  }

  /// An increment names all visible operations of its register, counters or not: the counters
  /// grow, the others become hidden.
  ///
  /// Source: Specification/Semantics.md, "Counters".
  package static func predecessorsOfIncrement(visible: [NaiveValue]) -> [OpID] {
    visible.map(\.id)
  }

  /// A put on a list element belongs to the element's register; it makes no new element.
  ///
  /// Source: Specification/Semantics.md, "Lists".
  package static func placeOfPut(element: OpID) -> NaiveOp.Place {
    .element(element)
  }

  /// Text is split into one element for each Unicode scalar value.
  ///
  /// Source: Specification/Semantics.md, "Splitting into elements".
  package static func elements(of text: String) -> [String] {
    text.unicodeScalars.map { String($0) }
  }

  /// The walk to an insertion index ends at the first element with which the sum of widths is at
  /// least the index; so an insertion inside a wide element goes after it.
  ///
  /// Source: Specification/Semantics.md, "Reference of a local insert".
  package static func isReached(index: Int, by sum: Int) -> Bool {
    sum >= index
  }

  /// A new element refers to the visible element that the walk reached (`nil`: the head), not to
  /// a tombstone after it.
  ///
  /// Source: Specification/Semantics.md, "Reference of a local insert".
  package static func reference(
    candidate: OpID?,
    tombstonesAfter: () -> [OpID]
  ) -> OpID? {
    candidate
  }

  /// Elements inserted by one call each refer to the one before.
  ///
  /// Source: Specification/Semantics.md, "Local edits".
  package static func referenceOfNext(inserted previous: OpID, first: OpID?) -> OpID? {
    previous
  }

  /// A deletion takes each element whole if it covers a part of it; so none of width 0.
  ///
  /// - Parameters:
  ///   - spans: The units that each visible element takes, ascending.
  ///   - range: The units to delete, cut off at the end of the text or list.
  /// - Returns: Positions in `spans`, ascending.
  ///
  /// Source: Specification/Semantics.md, "Wide elements", "Local edits".
  package static func deleted(_ spans: [Range<Int>], in range: Range<Int>) -> [Int] {
    spans.indices.filter { spans[$0].overlaps(range) }
  }

  /// A splice deletes first, then inserts where the deletion began.
  ///
  /// Source: Specification/Semantics.md, "Local edits", "Version differences".
  package static func insertionIndex(start: Int, deletedUnits: Int) -> Int {
    start
  }

  /// An operation replaces what it names, not what else it meets where it arrives.
  ///
  /// `present` gives the visible operations of the register at the operation's arrival.
  ///
  /// Source: Specification/Semantics.md, "Registers and conflicts".
  package static func overwritten(by op: NaiveOp, present: () -> [OpID]) -> [OpID] {
    op.predecessors
  }

  /// A splice begins within the object or at its end; anything else is refused.
  ///
  /// - Returns: Where it begins; `nil` if it is refused.
  ///
  /// Source: Specification/Semantics.md, "Local edits".
  package static func spliceStart(_ index: Int, length: Int) -> Int? {
    (0...length).contains(index) ? index : nil
  }

  /// Neither a refused call nor what was rolled back uses up numbers of operations.
  ///
  /// Source: Specification/Semantics.md, "Transactions and commits".
  package static func numbersTaken(byRefusals refusals: Int, rollbacks: Int) -> Int {
    0
  }
}
