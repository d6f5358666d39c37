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
  static func tellsMarks(overKept isKept: Bool) -> Bool { !isKept }
}

/// The state is right, but an observer is told of a change where nothing changed.
private enum PutsWhatStays: Rules {
  static func puts(kept isKept: Bool) -> Bool { true }
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
    "patch-puts-what-stays",
    PutsWhatStays.self,
    "Values that stay are put once more."
  ),
]
