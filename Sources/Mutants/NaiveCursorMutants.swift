import DocumentModel
import NaiveModel

/// Right until the element is overwritten; then others name another operation.
private enum CursorNamesElement: Rules {
  static func cursorName(winner: OpID, element: OpID) -> OpID { element }
}

/// Right as long as all was typed from left to right.
private enum CursorStepsToNeighbour: Rules {
  static func stepBack(reference: OpID?, neighbour: OpID?) -> OpID? { neighbour }
}

/// A position that is kept from before the deletion, where the cursor was made.
private enum OwnCursorStaysBehind: Rules {
  static func positionOfHidden(_ unitsBefore: Int, isOwn: Bool) -> Int {
    isOwn ? unitsBefore + 1 : unitsBefore
  }
}

/// Right wherever the element is older than the heads.
private enum CursorKnowsTheFuture: Rules {
  static func places(cursorCovered isCovered: Bool) -> Bool { true }
}

/// A cursor stays with its element, and with its place when that is gone.
///
/// Each mutant is right for text that one writer types and no writer deletes.
let cursorMutants = [
  NaiveMutant(
    "cursor-names-element",
    CursorNamesElement.self,
    "A cursor at an element that was overwritten names the operation that inserted it."
  ),
  NaiveMutant(
    "cursor-steps-to-neighbour",
    CursorStepsToNeighbour.self,
    "A cursor that moves before goes to the left neighbour of its deleted element."
  ),
  NaiveMutant(
    "cursor-of-own-stays-behind",
    OwnCursorStaysBehind.self,
    "A cursor on a deleted element of the reader's own stands one unit too far."
  ),
  NaiveMutant(
    "cursor-knows-the-future",
    CursorKnowsTheFuture.self,
    "A cursor has a place at heads at which its element was not there yet."
  ),
]
