import DocumentModel
import Testing

@Suite("Edits and capabilities")
struct EditTests {
  private static let edits: [Edit<Int>] = [
    .put(7, .key("k"), .null), .putObject(7, .index(1), .list), .insert(7, index: 2, .int(1)),
    .insertObject(7, index: 0, .text), .delete(7, .index(3)), .increment(7, .key("n"), by: -1),
    .splice(7, index: 1, deleting: 2, inserting: [.int(1), .null]),
    .spliceText(7, index: 1, deleting: 0, inserting: "x"),
    .mark(7, Marking(1, to: 2, "b", .null, expand: .both)),
  ]

  @Test("Every kind of edit knows its object and its kind, and keeps its rest when renamed")
  func renames() {
    #expect(Self.edits.map(\.kind) == EditKind.allCases)
    #expect(Self.edits.map(\.object) == Self.edits.map { _ in 7 })
    #expect(Self.edits.compactMap(\.madeKind) == [.list, .text])
    for edit in Self.edits {
      let renamed = edit.naming("object 7")
      #expect(renamed.object == "object 7")
      #expect(renamed.naming(7) == edit)
    }
  }

  @Test("A refusal says what was wrong")
  func refusals() {
    let texts = [
      EditRefusal.noObject(.root), .wrongKind(.map, for: .insert),
      .indexOutOfBounds(3, length: 2), .notACounter(.key("k")), .other("no"),
    ].map(\.description)
    #expect(
      texts == [
        "there is no object _root", "insert does not fit an object of kind map",
        "index 3 is out of bounds: the length is 2", "there is no counter at \"k\"", "no",
      ]
    )
  }

  @Test("The common ground of two subjects is what both can do, in every respect")
  func intersection() {
    let less = Capabilities(
      edits: [.put, .delete],
      objects: [.map],
      scalars: [.int],
      transports: [.merge],
      features: [.save]
    )
    let other = Capabilities(
      edits: [.put],
      objects: [.map, .text],
      scalars: [],
      transports: [.changes],
      features: [.save, .fork]
    )
    #expect(less.intersection(.all) == less)
    #expect(
      less.intersection(other)
        == Capabilities(
          edits: [.put],
          objects: [.map],
          scalars: [],
          transports: [],
          features: [.save]
        )
    )
    #expect(less.intersection(other) == other.intersection(less))
  }
}
