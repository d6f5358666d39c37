import CodingSupport
import Testing

@Suite("Paths")
struct PathTests {
  private enum Numbered: Int, CodingKey {
    case first = 1
  }

  @Test("The container decides whether a step is an index")
  func kinds() {
    #expect(PathKey(keyed: Numbered.first) == .key("first"))
    #expect(PathKey(spelled: Numbered.first) == .index(1))
    #expect(PathKey(spelled: PathKey.key("1")) == .key("1"))
    #expect(PathKey(stringValue: "1").intValue == nil)
    #expect(PathKey(intValue: -1) == nil)
    #expect(PathKey.index(3).stringValue == "3")
  }

  @Test("Keys are equal by their bytes")
  func exactness() {
    #expect(PathKey.key("\u{E9}") != PathKey.key("e\u{301}"))
    #expect(Set([PathKey.key("\u{E9}"), .key("e\u{301}"), .key("\u{E9}")]).count == 2)
    #expect(PathKey.key("1") != .index(1))
  }

  @Test("A path knows its steps and its depth")
  func steps() {
    let path = CodingPath.root.appending(.key("list")).appending(.index(45)).appending(.key("a"))
    #expect(path.keys == [.key("list"), .index(45), .key("a")])
    #expect(path.depth == 3)
    #expect(path.description == ".list.[45].a")
    #expect(CodingPath.root.description == ".")
    #expect(CodingPath.of(path.keys).keys == path.keys)
  }

  @Test("The limit admits its own depth and nothing deeper")
  func limit() {
    let limit = NestingLimit(depth: 2)
    let inside = CodingPath.of([.key("a"), .key("b")])
    #expect(limit.admits(inside))
    #expect(!limit.admits(inside.appending(.index(0))))
  }
}
