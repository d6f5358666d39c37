package import DocumentModel

// Source: Specification/Semantics.md, "Marks", "Reference of a local insert".
extension Rules {
  /// Whether what is typed at each end becomes part of the mark.
  package static func expands(_ expand: MarkExpansion) -> (atStart: Bool, atEnd: Bool) {
    switch expand {
    case .before: (true, false)
    case .after: (false, true)
    case .both: (true, true)
    case .none: (false, false)
    }
  }

  /// Whether a mark over no units makes operations: not if it never takes anything in.
  package static func marksNothing(expand: MarkExpansion) -> Bool {
    expand != .none
  }

  /// The end follows its begin where both would refer to one element.
  package static func referenceOfEnd(
    _ reference: OpID?,
    begin: OpID,
    referenceOfBegin: OpID?
  ) -> OpID? {
    reference == referenceOfBegin ? begin : reference
  }

  /// Whether this operation ends the mark that begins there: its id is the next of the same actor.
  package static func closes(_ mark: NaiveOp, begin: OpID) -> Bool {
    guard case .endMark = mark.action else { return false }
    return mark.id.actor == begin.actor && mark.id.counter == begin.counter &+ 1
  }

  /// Whether new text goes behind this operation of a mark: behind a begin that expands, so that it is
  /// inside, and behind an end that does not, so that it is outside.
  ///
  /// Worked example: bold over "ab" in "abc" that expands at its end. Text typed behind "b" goes
  /// before the end of the mark, and is bold; if it does not expand, the text goes behind the end,
  /// and is not.
  package static func staysBefore(_ mark: NaiveOp) -> Bool {
    switch mark.action {
    case .beginMark(_, _, let expands): expands
    case .endMark(let expands): !expands
    default: false
    }
  }

  /// Of the open marks of one name, the one with the greatest id gives the value.
  package static func outranks(mark: OpID, _ other: OpID) -> Bool {
    precedes(other, mark)
  }

  /// Null means that the name is not there.
  package static func shows(mark value: Scalar) -> Bool {
    value != .null
  }

  /// Neighbours belong to one stretch if their values are equal; not a number equals nothing.
  package static func continues(mark value: Scalar, with next: Scalar) -> Bool {
    isEqual(put: next, to: value)
  }
}
