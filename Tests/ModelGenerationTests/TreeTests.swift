import CodingSupport
import Foundation
import ModelGeneration
import PropertyEngine
import Testing

@Suite("Trees")
struct TreeTests {
  static let samples: [Tree] = [
    .null, .boolean(true), .int(.min), .uint(.max), .float(-0.0), .float(.infinity),
    .float(0.1), .string("e\u{301} \"\\ \u{0}\n"), .bytes([0, 255]), .date(-978_307_200.000_5),
    .timestamp(-1), .text("\u{1F469}\u{200D}\u{1F467}"), .counter(-3), .unknown(12, [1]),
    .list([]), .map([]), .list([.list([.null]), .map([.init("", .int(1))])]),
    .map(of: [.init("\u{E9}", .int(1)), .init("e\u{301}", .int(2))]),
    .map(of: (0..<12).map { .init("key \($0)", .list([.int(Int64($0)), .string("x")])) }),
  ]

  @Test("A tree's text is read back as it was", arguments: samples)
  func text(tree: Tree) throws {
    #expect(try Tree(text: tree.description) == tree)
    #expect(try Tree(text: tree.text) == tree)
  }

  @Test(
    "A text that is no tree is refused where it goes wrong",
    arguments: [
      ("", 0), ("int x", 3), ("[int 1", 6), ("{\"a\" int 1}", 5), ("\"a", 2), ("int 1 2", 6),
      ("bytes \"0\"", 9), ("uint -1", 4), ("nothing", 0),
    ]
  )
  func refusal(text: String, offset: Int) {
    let error = #expect(throws: TreeTextError.self) { try Tree(text: text) }
    #expect(error?.offset == offset)
  }

  @Test("Deep text is refused, not recursed into")
  func deepText() {
    #expect(throws: TreeTextError.self) {
      try Tree(text: String(repeating: "[", count: 100_000))
    }
  }

  @Test("Of entries with one key the last stays; canonically equivalent keys are two")
  func entries() {
    let tree = Tree.map(of: [.init("b", .int(1)), .init("a", .int(2)), .init("b", .int(3))])
    #expect(tree.description == "{\"a\": int 2, \"b\": int 3}")
    #expect(Tree.map(of: [.init("\u{E9}", .null), .init("e\u{301}", .null)]).steps.count == 2)
  }

  @Test("Places are read, replaced, added and removed")
  func places() throws {
    let tree = try Tree(text: "{\"l\": [int 1, {\"x\": null}]}")
    #expect(tree[[.key("l"), .index(1), .key("x")]] == .null)
    #expect(tree[[.key("l"), .index(2)]] == nil)
    #expect(tree.paths.count == 5)
    #expect(tree.nodeCount == 5)
    let edited = tree.replacing([.key("l"), .index(2)], with: .int(9))
      .replacing([.key("l"), .index(0)], with: nil)
      .replacing([.key("m")], with: .boolean(false))
      .replacing([.key("l"), .index(0), .key("x")], with: .uint(1))
    #expect(edited.description == "{\"l\": [{\"x\": uint 1}, int 9], \"m\": false}")
    #expect(tree.replacing([.key("no"), .key("way")], with: .null) == tree)
  }

  @Test("A difference says where it is, and its kind")
  func differences() throws {
    let tree = try Tree(text: "{\"a\": [int 1], \"b\": \"x\"}")
    func kind(_ text: String) throws -> String? {
      try Tree(text: text).difference(from: tree)?.kind
    }
    #expect(try kind(tree.description) == nil)
    #expect(try kind("{\"a\": [int 2], \"b\": \"x\"}") == "tree.value")
    #expect(try kind("{\"a\": [uint 1], \"b\": \"x\"}") == "tree.kind")
    #expect(try kind("{\"a\": [], \"b\": \"x\"}") == "tree.length")
    #expect(try kind("{\"a\": [int 1]}") == "tree.missing")
    #expect(try kind("{\"a\": [int 1], \"b\": \"x\", \"c\": null}") == "tree.surplus")
    let other = try Tree(text: "{\"a\": [int 2], \"b\": \"x\"}").difference(from: tree)
    #expect(other?.summary == "the value differs at a[0]")
    #expect(Tree.int(1).difference(from: tree)?.summary == "the kind differs at the root")
  }

  @Test("A decoder's refusal names a place as the path of its error reads")
  func refusals() throws {
    let tree = try Tree(text: #"{"stops": [{"name": "x"}]}"#)
    let error = #expect(throws: DecodingError.self) {
      try TreeDecoder().decode([String: [[String: Int]]].self, from: tree)
    }
    guard case .typeMismatch(_, let context)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(context.debugDescription == "expected Int, found string at stops[0].name")
  }
}
