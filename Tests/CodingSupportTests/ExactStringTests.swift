import CodingSupport
import Testing

@Suite("Strings by their bytes")
struct ExactStringTests {
  @Test("Canonically equivalent strings differ, and are in the order of their bytes")
  func order() {
    // Ascending by bytes; Swift takes the third and the last one for the same.
    let ascending = ["", "a", "e\u{301}", "z", "zz", "\u{E9}"]
    for (left, first) in ascending.enumerated() {
      for (right, second) in ascending.enumerated() {
        #expect(first.hasSameBytes(as: second) == (left == right))
        #expect(first.precedesByBytes(second) == (left < right))
      }
    }
    #expect("a\u{0}b".hasSameBytes(as: "a\u{0}c") == false)
  }
}
