import PropertyEngine
import TestSupport
import Testing

@Suite("Subsets")
struct SubsetTests {
  @Test("A subset keeps the order, and nothing kept is the simplest")
  func subsets() {
    let subsets = (0..<500).map { index in
      var choices = Choices(seed: Seed(17).stream(UInt64(index)))
      return choices.subset(of: [1, 2, 3, 4], keepingPercent: 50)
    }
    #expect(Set(subsets).count == 16)
    #expect(subsets.allSatisfy { $0 == $0.sorted() })
    var none = Choices(replaying: [])
    let nothing = none.subset(of: [1, 2, 3], keepingPercent: 100)
    #expect(nothing == [])
  }
}
