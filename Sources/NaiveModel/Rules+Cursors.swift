package import DocumentModel

// Source: Specification/Semantics.md, "Cursors".
extension Rules {
  /// A cursor names the winning operation of its element: after an overwrite, the overwriting one.
  package static func cursorName(winner: OpID, element: OpID) -> OpID { winner }

  /// From a deleted element a cursor that moves before goes to the one that it was inserted behind, which
  /// need not be its neighbour.
  package static func stepBack(reference: OpID?, neighbour: OpID?) -> OpID? { reference }

  /// A cursor that moves after stands behind all visible elements before its deleted one, for every
  /// reader.
  package static func positionOfHidden(_ unitsBefore: Int, isOwn: Bool) -> Int { unitsBefore }

  /// A cursor has no place at heads that do not cover the operation which it names.
  package static func places(cursorCovered isCovered: Bool) -> Bool { isCovered }
}
