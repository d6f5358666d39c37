import DocumentModel
import NaiveModel

private enum ExpandsAtOtherEnd: Rules {
  static func expands(_ expand: MarkExpansion) -> (atStart: Bool, atEnd: Bool) {
    switch expand {
    case .before: (false, true)
    case .after: (true, false)
    case .both: (true, true)
    case .none: (false, false)
    }
  }
}

private enum TextBehindMarks: Rules {
  static func staysBefore(_ mark: NaiveOp) -> Bool { true }
}

private enum TextBeforeMarks: Rules {
  static func staysBefore(_ mark: NaiveOp) -> Bool { false }
}

private enum FirstMarkWins: Rules {
  static func outranks(mark: OpID, _ other: OpID) -> Bool { AutomergeRules.precedes(mark, other) }
}

/// Right wherever the mark that begins later in the text is also the newer one.
private enum LastOpenedWins: Rules {
  static func outranks(mark: OpID, _ other: OpID) -> Bool { true }
}

private enum NullShown: Rules {
  static func shows(mark value: Scalar) -> Bool { true }
}

/// Counters repeat among actors: two marks that were made at the same time on two devices have the
/// same number.
private enum EndBySameCounter: Rules {
  static func closes(_ mark: NaiveOp, begin: OpID) -> Bool {
    guard case .endMark = mark.action else { return false }
    return mark.id.counter == begin.counter &+ 1
  }
}

private enum StretchesJoined: Rules {
  static func continues(mark value: Scalar, with next: Scalar) -> Bool { true }
}

private enum EmptyMarksNothing: Rules {
  static func marksNothing(expand: MarkExpansion) -> Bool { false }
}

private enum EndBesideBegin: Rules {
  static func referenceOfEnd(
    _ reference: OpID?,
    begin: OpID,
    referenceOfBegin: OpID?
  ) -> OpID? {
    reference
  }
}

/// Marks are two elements between the characters, begin and end, and the hard part is which side of
/// them text is typed on.
///
/// Formatting that grows into what is typed behind it, or a second bold that ends with the first,
/// are the bugs that people see.
///
///      text      a  [bold  b  c  bold]  d
///      typed here:  ^ before       ^ after: inside if the mark expands at that end
let markMutants = [
  NaiveMutant(
    "mark-expands-at-other-end",
    ExpandsAtOtherEnd.self,
    "The end of a mark that takes in what is typed there is the other one."
  ),
  NaiveMutant(
    "mark-text-behind-all",
    TextBehindMarks.self,
    "New text goes behind every begin and end of a mark at its place."
  ),
  NaiveMutant(
    "mark-text-before-all",
    TextBeforeMarks.self,
    "New text goes before every begin and end of a mark at its place."
  ),
  NaiveMutant(
    "mark-first-wins",
    FirstMarkWins.self,
    "Where marks of one name overlap, the oldest gives the value."
  ),
  NaiveMutant(
    "mark-last-opened-wins",
    LastOpenedWins.self,
    "Where marks of one name overlap, the one that begins last in the text gives the value."
  ),
  NaiveMutant(
    "mark-null-shown",
    NullShown.self,
    "A name that was taken away is shown with the value null."
  ),
  NaiveMutant(
    "mark-ended-by-other-actor",
    EndBySameCounter.self,
    "The end of a mark also ends another actor's mark of the same number."
  ),
  NaiveMutant(
    "mark-stretches-joined",
    StretchesJoined.self,
    "Neighbouring marks of one name are shown as one with the value of the first."
  ),
  NaiveMutant(
    "mark-empty-never",
    EmptyMarksNothing.self,
    "A mark over no text is not made, though it would use up two operations."
  ),
  NaiveMutant(
    "mark-end-beside-begin",
    EndBesideBegin.self,
    "The end of a mark over deleted or no text is put before its begin."
  ),
]
