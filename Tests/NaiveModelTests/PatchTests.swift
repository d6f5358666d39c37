import DocumentModel
import NaiveModel
import Testing

@Suite("Patches of the specification")
struct PatchTests {
  private static func made(_ effect: EditEffect) throws -> ObjectID { try #require(effect.made) }

  @Test("What stays at both ends of a text is not told, and its marks only where they change")
  func text() throws {
    var model = NaiveModel<AutomergeRules>(actor: .a)
    let text = try Self.made(model.apply(.putObject(.root, .key("t"), .text)))
    _ = try model.apply(.spliceText(text, index: 0, deleting: 0, inserting: "abcd"))
    let before = model.heads()
    _ = try model.apply(.spliceText(text, index: 1, deleting: 2, inserting: "x"))
    _ = try model.apply(.mark(text, Marking(0, to: 2, "b", .int(1), expand: .none)))
    let after = model.heads()
    func mark(_ index: Int) -> ObservedMark {
      ObservedMark(name: "b", value: .int(1), range: index..<index + 1)
    }
    #expect(
      try model.patches(from: before, to: after).map(\.action) == [
        .deleteRange(index: 1, count: 2), .spliceText(index: 1, "x"), .marks([mark(0), mark(1)]),
      ]
    )
    #expect(
      try model.patches(from: after, to: before).map(\.action) == [
        .deleteRange(index: 1, count: 1), .spliceText(index: 1, "bc"),
        .marks([ObservedMark(name: "b", value: .null, range: 0..<1)]),
      ]
    )
    #expect(try model.patches(from: after, to: after) == [])
  }

  @Test("An object comes empty, and is filled behind it, also where it is shown again")
  func objects() throws {
    var model = NaiveModel<AutomergeRules>(actor: .a)
    let nothing = model.heads()
    let map = try Self.made(model.apply(.putObject(.root, .key("m"), .map)))
    _ = try model.apply(.put(map, .key("k"), .int(1)))
    let before = model.heads()
    _ = try model.apply(.delete(.root, .key("m")))
    let after = model.heads()
    let names = ["put", "put"]
    for start in [nothing, after] {
      let patches = try model.patches(from: start, to: before)
      #expect(patches.map(\.action.name) == names)
      #expect(patches.map(\.path) == [[], [.key("m")]])
    }
    #expect(try model.patches(from: before, to: after).map(\.action) == [.deleteKey("m")])
  }
}
