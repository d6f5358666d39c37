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
    #expect(path.description == "list[45].a")
    #expect(CodingPath.root.description == "the root")
    #expect(CodingPath.of(path.keys).keys == path.keys)
  }

  @Test(
    "A path reads as Swift would write it, and a key that is not one word stands in quotation marks",
    arguments: [
      ([], "", "the root"), ([.index(2)], "[2]", "[2]"),
      (
        [.key("stops"), .index(2), .index(0), .key("name")], "stops[2][0].name", "stops[2][0].name"
      ),
      ([.key(""), .key("a.b"), .key("c d")], #"[""]["a.b"]["c d"]"#, #"[""]["a.b"]["c d"]"#),
      ([.key("a"), .key("\"[1]\\")], #"a["\"[1]\\"]"#, #"a["\"[1]\\"]"#),
      (
        [.key("n\u{E4}chste-Stra\u{DF}e_1")], "n\u{E4}chste-Stra\u{DF}e_1",
        "n\u{E4}chste-Stra\u{DF}e_1"
      ),
    ] as [([PathKey], String, String)]
  )
  func words(_ path: [PathKey], _ text: String, _ place: String) {
    #expect(path.swiftly == text)
    #expect(path.place == place)
  }

  @Test("A path of any element has no index, and its keys stand as they are")
  func anyElement() {
    let path: [PathKey] = [.key("stops"), .index(2), .index(10), .key("[0]")]
    #expect(path.swiftlyForAnyElement == #"stops[][]["[0]"]"#)
  }

  @Test("The limit admits its own depth and nothing deeper")
  func limit() {
    let limit = NestingLimit(depth: 2)
    let inside = CodingPath.of([.key("a"), .key("b")])
    #expect(limit.admits(inside))
    #expect(!limit.admits(inside.appending(.index(0))))
  }
}
