import Testing

@testable import Subjects

@Suite("Where cursors may be")
struct CursorFaultTests {
  /// `"a b c d"` with cursors on `c`; each letter takes two units.
  private func fault(_ forward: Int, _ backward: Int, in visible: String) -> String? {
    let places = visible.enumerated().map { index, element in
      (element: element, units: 2 * index..<2 * index + 2)
    }
    return cursorFault((forward, backward), on: 2, of: Array("abcd"), in: places)
  }

  @Test(
    "On their element, else between its neighbours, and never in the wrong order",
    arguments: [
      ("abcd", 4, 4), ("c", 0, 0), ("xcy", 2, 2), ("axd", 2, 2), ("axd", 4, 4), ("axd", 4, 2),
      ("axd", 4, 0), ("xd", 0, 0), ("ax", 4, 2), ("x", 2, 0), ("", 0, 0),
    ]
  )
  func allows(_ visible: String, _ forward: Int, _ backward: Int) {
    #expect(fault(forward, backward, in: visible) == nil)
  }

  @Test(
    "Elsewhere they are at fault",
    arguments: [
      ("abcd", (4, 2), "a cursor is off its element"),
      ("abcd", (6, 4), "a cursor is off its element"),
      ("axd", (0, 0), "a cursor at 0 is not between 2 and 4"),
      ("axd", (6, 2), "a cursor at 6 is not between 2 and 4"),
      ("bxx", (8, 2), "a cursor at 8 is not between 2 and 6"),
      ("axd", (2, 4), "a cursor that moves back went forward"),
    ]
  )
  func refuses(_ visible: String, _ positions: (Int, Int), _ explanation: String) {
    #expect(fault(positions.0, positions.1, in: visible) == explanation)
  }
}
