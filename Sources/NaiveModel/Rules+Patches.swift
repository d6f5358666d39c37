package import DocumentModel

// Source: Specification/Semantics.md, "Patch actions".
extension Rules {
  /// What is inserted goes where the deleted stretch began: each patch speaks of the state before it.
  package static func placeOfInserted(_ start: Int, deleted: Int) -> Int { start }

  /// An object that is shown comes empty, and what it holds follows, also where it is shown again.
  package static func fills(objectShownAgain isOld: Bool) -> Bool { true }

  /// Marks are told where they changed, over what stays as over what is new.
  package static func tellsMarks(overKept isKept: Bool, in kind: ObjectKind) -> Bool { true }

  /// A conflict that is new is told, of a value that stays as of one that is put.
  package static func tellsConflict(ofKept isKept: Bool) -> Bool { true }

  /// Patches name keys in the order of the keys, which all replicas share.
  package static func tellsFirst(ownValue isOwn: Bool) -> Bool { false }

  /// What stays is not put.
  package static func puts(kept isKept: Bool) -> Bool { !isKept }
}
