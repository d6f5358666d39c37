import DocumentModel
import NaiveModel

/// Right where nothing is deleted before what is inserted.
private enum InsertBehindDeleted: Rules {
  static func placeOfInserted(_ start: Int, deleted: Int) -> Int { start + deleted }
}

/// Right on the way forward, where an object comes back only with an edit in it.
private enum ShownAgainStaysEmpty: Rules {
  static func fills(objectShownAgain isOld: Bool) -> Bool { !isOld }
}

/// Right where marks come with their text.
private enum MarksOfKeptUntold: Rules {
  static func tellsMarks(overKept isKept: Bool, in kind: ObjectKind) -> Bool { !isKept }
}

/// Right where only texts are marked.
private enum MarksOfListsUntold: Rules {
  static func tellsMarks(overKept isKept: Bool, in kind: ObjectKind) -> Bool { kind != .list }
}

/// Right where the value that came last wins.
private enum ConflictsOfKeptUntold: Rules {
  static func tellsConflict(ofKept isKept: Bool) -> Bool { !isKept }
}

/// Right where an observer knew one of the values before.
private enum ConflictsOfNewUntold: Rules {
  static func tellsConflict(ofKept isKept: Bool) -> Bool { isKept }
}

/// The state is right, but an observer is told of a change where nothing changed.
private enum PutsWhatStays: Rules {
  static func puts(kept isKept: Bool) -> Bool { true }
}

/// Right wherever one replica alone is asked.
private enum OwnKeysFirst: Rules {
  static func tellsFirst(ownValue isOwn: Bool) -> Bool { isOwn }
}

/// Patches, carried out in their order, lead from one state to another.
///
/// Each mutant is right where a document only grows.
let patchMutants = [
  NaiveMutant(
    "patch-inserts-behind-deleted",
    InsertBehindDeleted.self,
    "A patch inserts where the index was before the patches that delete."
  ),
  NaiveMutant(
    "patch-leaves-shown-again-empty",
    ShownAgainStaysEmpty.self,
    "An object that is shown again comes without patches for what it holds."
  ),
  NaiveMutant(
    "patch-forgets-marks-of-kept",
    MarksOfKeptUntold.self,
    "Marks that change over text which stays are in no patch."
  ),
  NaiveMutant(
    "patch-forgets-marks-of-lists",
    MarksOfListsUntold.self,
    "Marks over elements of a list are in no patch."
  ),
  NaiveMutant(
    "patch-forgets-conflict-of-kept",
    ConflictsOfKeptUntold.self,
    "No patch says that a value which stays is in conflict now."
  ),
  NaiveMutant(
    "patch-forgets-conflict-of-new",
    ConflictsOfNewUntold.self,
    "No patch says that a value which is put or inserted is one of several."
  ),
  NaiveMutant(
    "patch-puts-what-stays",
    PutsWhatStays.self,
    "Values that stay are put once more."
  ),
  NaiveMutant(
    "patch-tells-own-keys-first",
    OwnKeysFirst.self,
    "Patches tell first of keys to which the replica itself gave their values."
  ),
]
