import DocumentModel
import NaiveModel

// MARK: - Lists

private enum ReversedSiblings: Rules {
  static func skips(_ next: OpID, placing new: OpID) -> Bool {
    AutomergeRules.precedes(next, new)
  }
}

private enum UnorderedSiblings: Rules {
  static func skips(_ next: OpID, placing new: OpID) -> Bool { false }
}

/// Enough for one author's edits, and for two that never insert at one place.
private enum OwnSiblingsSkipped: Rules {
  static func skips(_ next: OpID, placing new: OpID) -> Bool {
    next.actor == new.actor && AutomergeRules.precedes(new, next)
  }
}

private enum ForgottenTombstones: Rules {
  static func keepsTombstones() -> Bool { false }
}

private enum InsertBeforeReference: Rules {
  static func firstPosition(after reference: Int?) -> Int { reference ?? 0 }
}

private enum InsertTooEarly: Rules {
  static func isReached(index: Int, by sum: Int) -> Bool { sum + 1 >= index }
}

/// Shows the same until two replicas insert at one place concurrently: then the order differs
/// from other engines.
private enum TombstoneAsReference: Rules {
  static func reference(
    candidate: OpID?,
    tombstonesAfter: () -> [OpID]
  ) -> OpID? { tombstonesAfter().last ?? candidate }
}

private enum ReversedRun: Rules {
  static func referenceOfNext(inserted previous: OpID, first: OpID?) -> OpID? { first }
}

private enum PutAsNewElement: Rules {
  static func placeOfPut(element: OpID) -> NaiveOp.Place { .after(element) }
}

/// A flag "deleted" at the element, in place of the values that are left of it.
private enum DeletedForGood: Rules {
  static func registers(
    ofElement values: [NaiveValue],
    successorsOfInsert: () -> [NaiveOp.Action]
  ) -> [[NaiveValue]] {
    values.isEmpty || successorsOfInsert().contains(.delete) ? [] : [values]
  }
}

private enum ConflictAsElements: Rules {
  static func registers(
    ofElement values: [NaiveValue],
    successorsOfInsert: () -> [NaiveOp.Action]
  ) -> [[NaiveValue]] {
    values.map { [$0] }
  }
}

/// Where an element goes (behind its reference, before siblings with lesser ids) and what is left
/// of deleted ones.
///
/// The order must follow from ids alone: an engine that uses the place where the element would
/// stand now differs from one that has heard the same in another order.
///
///      reference   a
///      siblings    9@B  7@A  4@C       all inserted behind a: the latest first
///      8@A arrives: behind 9@B and all that was inserted behind 9@B, before 7@A
let sequenceMutants = [
  NaiveMutant(
    "siblings-reversed",
    ReversedSiblings.self,
    "Elements inserted at one place stand in ascending instead of descending order."
  ),
  NaiveMutant(
    "siblings-as-they-arrive",
    UnorderedSiblings.self,
    "An element goes right behind its reference, whatever was inserted there meanwhile."
  ),
  NaiveMutant(
    "siblings-skip-own-only",
    OwnSiblingsSkipped.self,
    "The search for an element's place steps over elements of its own author only."
  ),
  NaiveMutant(
    "tombstone-forgotten",
    ForgottenTombstones.self,
    "A deleted element is removed: what refers to it goes to the end, overwrites of it vanish."
  ),
  NaiveMutant(
    "insert-before-reference",
    InsertBeforeReference.self,
    "An element is placed before the element that it was inserted behind."
  ),
  NaiveMutant(
    "insert-one-too-early",
    InsertTooEarly.self,
    "A local insert takes the element one before the right one as its reference."
  ),
  NaiveMutant(
    "reference-behind-tombstones",
    TombstoneAsReference.self,
    "A local insert refers to the last tombstone before its place, not to a visible element."
  ),
  NaiveMutant(
    "splice-run-reversed",
    ReversedRun.self,
    "All elements of one splice refer to one element, and so come out backward."
  ),
  NaiveMutant(
    "put-makes-new-element",
    PutAsNewElement.self,
    "A put on a list element deletes it and inserts another behind it."
  ),
  NaiveMutant(
    "delete-hides-concurrent-overwrite",
    DeletedForGood.self,
    "A list element whose insert was deleted stays hidden, overwritten concurrently or not."
  ),
  NaiveMutant(
    "conflict-as-two-elements",
    ConflictAsElements.self,
    "A list element in conflict counts once for each of its values."
  ),
]

// MARK: - Text

/// JavaScript's and Foundation's unit: differs outside the basic plane alone, as for emoji.
private enum WidthInCodeUnits: Rules {
  static func width(of winner: NaiveOp.Action, in kind: ObjectKind) -> Int {
    kind == .text ? piece(of: winner).utf16.count : 1
  }
}

private enum WidthInBytes: Rules {
  static func width(of winner: NaiveOp.Action, in kind: ObjectKind) -> Int {
    kind == .text ? piece(of: winner).utf8.count : 1
  }
}

/// Swift's `Character`: a later insertion between a letter and its accent is then impossible.
private enum SplitByCluster: Rules {
  static func elements(of text: String) -> [String] { text.map { String($0) } }
}

private enum OnlyStringsRead: Rules {
  static func piece(of winner: NaiveOp.Action) -> String {
    if case .set(.string(let string)) = winner { string.string } else { "" }
  }
}

/// A text has elements, Unicode scalars, and positions in the unit of the document.
///
/// An engine that is ported from one language to another easily counts in the unit of the wrong
/// one; ASCII hides it.
let textMutants = [
  NaiveMutant(
    "text-width-utf16",
    WidthInCodeUnits.self,
    "Positions in a text count UTF-16 code units."
  ),
  NaiveMutant(
    "text-width-utf8",
    WidthInBytes.self,
    "Positions in a text count bytes."
  ),
  NaiveMutant(
    "text-split-by-cluster",
    SplitByCluster.self,
    "Text is split into one element for each grapheme cluster."
  ),
  NaiveMutant(
    "text-skips-what-is-no-string",
    OnlyStringsRead.self,
    "A text passes over elements that are not strings, in its string and its length."
  ),
]
